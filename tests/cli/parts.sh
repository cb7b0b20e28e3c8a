#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Parts of questions that have more than a matrix: repeated rows and columns, and rook numbers.
. "${srcdir:?}/tests/support/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

# What takes long on no machine is divided too.
PM_LEDGER_SECONDS=0
export PM_LEDGER_SECONDS

# parts NAME DIVIDED ARGUMENT...: three parts have the answer of one run, and at least DIVIDED of them some of the work
parts()
{
    name=$1 divided=$2
    shift 2
    wanted=$(pm-count "$@")
    for i in 1 2 3; do
        pm-count --part=$i/3 "$@" > "part$i" 2> "errors$i"
    done
    merged=$(pm-count --merge part3 part1 part2 2>&1)
    some=$(grep -l '^%pm: part done' part? | wc -l)
    if test -n "$wanted" && test "$merged" = "$wanted" && test "$some" -ge "$divided"; then
        pass "$name"
    else
        fail "$name" "$(echo "wanted $wanted, merged $merged, $some parts"; cat errors?)"
    fi
}

awk 'BEGIN { for (i = 1; i <= 10; ++i) for (j = 1; j <= 10; ++j)
    printf "%d%s", (i * 7 + j * j * 3 + i * j) % 9 + 1, j < 10 ? " " : "\n" }' > whole
sed 's/ /.5 /g' whole > fractions
rows=4,5,4,5,4,5,4,5,4,5 cols=5,4,5,4,5,4,5,4,5,4
parts 'repeated rows and columns, integers' 2 --from=dense --row-times=$rows --col-times=$cols whole
parts 'repeated rows and columns, real numbers' 2 --from=dense --row-times=$rows --col-times=$cols fractions
parts 'columns alone' 0 --from=dense --col-times=1,2,1,0,1,1,1,1,1,1 whole
pm-gen derangement 40 > derangement
parts 'rook numbers' 3 --algorithm=rook derangement

# Another number of copies is another input.
pm-count --from=dense --row-times=$rows --col-times=$cols --part=1/2 whole > part1
pm-count --from=dense --row-times=$cols --col-times=$rows --part=2/2 whole > part2
status=0
pm-count --merge part1 part2 > output 2> errors || status=$?
if test "$status" -eq 65 && test ! -s output; then
    pass 'parts with other repetitions are refused'
else
    fail 'parts with other repetitions are refused' "$(echo "status $status"; cat output errors)"
fi
done_testing
