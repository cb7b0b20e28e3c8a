#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh NAME FILE: print C source that holds the text FILE as the string NAME.
# embed.sh NAME FILE bytes: the same of any file, as unsigned characters, without a zero at the end.
set -eu
if test $# = 3; then
    printf 'static const unsigned char %s[] = {\n' "$1"
    od -An -v -tu1 "$2" | sed 's/  */,/g; s/^,//; s/$/,/'
    printf '};\n'
    exit
fi
printf '/* Made from %s by embed.sh; do not edit. */\n' "${2##*/}"
printf 'extern const char %s[];\nconst char %s[] = {\n' "$1" "$1"
od -An -v -td1 "$2" | sed 's/  */,/g; s/^,//; s/$/,/'
printf '0};\n'
