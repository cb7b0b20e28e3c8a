#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh NAME FILE: print C source that holds the text FILE as the string NAME.
set -eu
printf '/* Made from %s by embed.sh; do not edit. */\n' "${2##*/}"
printf 'extern const char %s[];\nconst char %s[] = {\n' "$1" "$1"
od -An -v -td1 "$2" | sed 's/  */,/g; s/^,//; s/$/,/'
printf '0};\n'
