#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
