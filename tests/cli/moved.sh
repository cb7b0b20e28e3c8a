#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# An installation that was moved to another folder, and programs in their build tree, find the helper
# program that reads GraphML and other formats.
. "${srcdir:?}/tests/support/tap.sh"
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
unset PM_LIBEXEC

cat > "$scratch/graph.gml" << 'END'
graph [
  node [ id 1 ] node [ id 2 ] node [ id 3 ] node [ id 4 ]
  edge [ source 1 target 2 ] edge [ source 2 target 3 ]
  edge [ source 3 target 4 ] edge [ source 4 target 1 ]
]
END

# counts FOLDER: what is wrong with the pm-count there
counts()
{
    got=$("$1/pm-count" --from=gml "$scratch/graph.gml" 2>&1) || echo "exit status $?"
    test "$got" = 2 || echo "'$got' instead of 2"
}

if ! test -x "${top_builddir:?}/pm-igraph-read"; then
    skip "the helper program is found" "built without igraph"
    done_testing
    exit
fi
empty "in the build tree" "$(counts "$top_builddir")"

if (cd "$top_builddir" && MAKEFLAGS='' "${MAKE:-make}" install DESTDIR="$scratch/stage") \
    > "$scratch/log" 2>&1; then
    pass "make install DESTDIR"
else
    fail "make install DESTDIR" "$(tail -n 5 "$scratch/log")"
fi
program=$(find "$scratch/stage" -name pm-count -type f -perm -u=x)
helper=$(find "$scratch/stage" -name pm-igraph-read)
prefix=${program%/bin/pm-count}
if test "$helper" != "$prefix/libexec/pmkit/pm-igraph-read"; then
    skip "in a moved installation" "helper programs are not in PREFIX/libexec"
else
    mv "$prefix" "$scratch/moved elsewhere"
    empty "in a moved installation" "$(counts "$scratch/moved elsewhere/bin")"
    mkdir "$scratch/links"
    ln -s "$scratch/moved elsewhere/bin/pm-count" "$scratch/links"
    empty "by a symbolic link" "$(counts "$scratch/links")"
    mv "$scratch/moved elsewhere/libexec" "$scratch/away"
    said=$(counts "$scratch/moved elsewhere/bin") # nothing where one is installed
    case $said in
    *pm-igraph-read* | '') pass "without the helper: a message that names it" ;;
    *) fail "without the helper: a message that names it" "$said" ;;
    esac
    PM_LIBEXEC="$scratch/away/pmkit"
    export PM_LIBEXEC
    empty "by PM_LIBEXEC" "$(counts "$scratch/moved elsewhere/bin")"
fi
done_testing
