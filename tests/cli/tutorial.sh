#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the tutorial shows is what the programs print.
. "${srcdir:?}/tests/support/tap.sh"
. "$srcdir/tests/support/transcript.sh"

replay "$srcdir/doc/tutorial.md"
done_testing
