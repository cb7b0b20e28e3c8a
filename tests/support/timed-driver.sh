#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timed-driver.sh DRIVER OPTION...: runs a test driver of automake, then adds the line
#   :seconds: WALL PROCESSOR
# to the .trs file of the test.  "make show-seconds" lists these lines.
trs=
previous=
for word in "$@"; do
    test "$previous" != --trs-file || trs=$word
    previous=$word
done
began=$(date +%s.%N)
"$@"
status=$?
ended=$(date +%s.%N)
# The second line of "times" is what the children took: 0m1.230000s 0m0.040000s
times > "$trs-times"
awk -v began="$began" -v ended="$ended" '
    function seconds(t, part) { split(t, part, /[ms]/); return 60 * part[1] + part[2] }
    NR == 2 { printf ":seconds: %.2f %.2f\n", ended - began, seconds($1) + seconds($2) }
' "$trs-times" >> "$trs"
rm -f "$trs-times"
exit "$status"
