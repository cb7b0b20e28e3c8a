#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every manual page is clean, and names nothing that is not there.
. "${srcdir:?}/tests/support/tap.sh"

# Pages of this project that the page refers to and that do not exist
missing_pages()
{
    sed -n 's/^\.Xr \(pm[a-z-]*\) \([0-9]\).*/\1.\2/p' "$1" | sort -u | while read -r name; do
        test -e "$srcdir/man/$name" || test -e "${top_builddir:?}/man/$name" || echo "no page $name"
    done
}

for p in ${PROGRAMS:?}; do
    test -e "$srcdir/man/$p.1" || fail "$p has a manual page"
done
for page in "$srcdir"/man/*.[1-8] "$top_builddir/man/pmkit.7" "$top_builddir/man/pmkit-tutorial.7"; do
    name=${page##*/}
    if test "${MANDOC:?}" = :; then
        skip "$name: mandoc -Tlint" "no mandoc"
    else
        empty "$name: mandoc -Tlint" "$("$MANDOC" -Tlint -W warning "$page" 2>&1)"
    fi
    empty "$name: pages it refers to" "$(missing_pages "$page")"
done
if grep -q -x "Report bugs ${BUG_REPORT:?}\." "$top_builddir/man/pmkit.7"; then
    pass "pmkit.7: where to report bugs"
else
    fail "pmkit.7: where to report bugs"
fi
done_testing
