#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# embed.sh NAME FILE: print C source that holds FILE as NAME[], plus NAME_len.
# A NUL byte follows the data (not counted), so text can be used as a string
# and PTX can be handed to the loader, which expects one.
set -eu
printf '/* Made from %s by embed.sh; do not edit. */\n' "${2##*/}"
printf '#include <stddef.h>\n'
printf 'extern const unsigned char %s[];\nextern const size_t %s_len;\n' "$1" "$1"
printf '_Alignas(16) const unsigned char %s[] = {\n' "$1"
od -An -v -tu1 "$2" | sed 's/  */,/g; s/^,//; s/$/,/'
printf '0};\nconst size_t %s_len = sizeof %s - 1;\n' "$1" "$1"
