# SPDX-License-Identifier: GPL-3.0-or-later
# Broken inputs, each alone: exit status 65, one line that names file and line, no answer.
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# bad FILE LINE TEXT [OPTION]... (LINE may be '*'): what pm-count makes of FILE, by name and from standard input
bad() {
    local file=$1 line=$2 text=$3
    shift 3
    run -65 --separate-stderr pm-count "$@" "$file"
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "pm-count: $file:"$line": "*"$text"* ]]
    run -65 --separate-stderr sh -c 'f=$1; shift; pm-count "$@" < "$f"' - "$file" "$@"
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "pm-count: (standard input):"$line": "*"$text"* ]]
}

# matrix SIZES [ENTRY]...: a coordinate file of real numbers
matrix() {
    printf '%%%%MatrixMarket matrix coordinate real general\n'
    printf '%s\n' "$@"
}

@test "truncated gzip" {
    pm-gen grid 20 20 | gzip -c > whole.gz
    [ "$(pm-count --exists whole.gz)" = yes ]
    head -c 300 whole.gz > cut.gz
    bad cut.gz '*' cut
}

@test "gzip: zero bytes may follow the end, others may not" {
    pm-gen grid 4 4 | gzip -c > whole.gz
    want=$(pm-count whole.gz)
    for zeros in 1 512 200000; do
        { cat whole.gz; head -c "$zeros" /dev/zero; } > padded.gz
        [ "$(pm-count padded.gz)" = "$want" ]
        [ "$(pm-count - < padded.gz)" = "$want" ]
        { cat padded.gz; printf x; } > other.gz
        bad other.gz '*' 'bytes other than zero follow'
        cat padded.gz whole.gz > second.gz
        bad second.gz '*' 'bytes other than zero follow'
    done
    # through a pipe, byte by byte
    run -0 --separate-stderr pm-count - < <(cat whole.gz; printf '\0'; sleep 0.1; printf '\0\0')
    [ "$output" = "$want" ]
    for end in x 'the bytes of another file'; do
        { cat whole.gz; printf '%s' "$end"; } > other.gz
        bad other.gz '*' 'bytes other than zero follow'
    done
    # two members are one text
    pm-gen grid 4 4 | head -n 5 | gzip -c > half.gz
    pm-gen grid 4 4 | tail -n +6 | gzip -c >> half.gz
    [ "$(pm-count half.gz)" = "$want" ]
}

@test "gzip with a broken checksum" {
    pm-gen grid 4 4 | gzip -c > whole.gz
    { head -c -8 whole.gz; printf 'abcd'; tail -c 4 whole.gz; } > broken.gz
    bad broken.gz '*' ''
}

@test "truncated Matrix Market" {
    matrix '3 3 4' '1 1 1' '2 2 1' > f
    bad f 4 'after 2 entries, expected 4'
    printf '%%%%MatrixMarket matrix coordinate real general\n' > f
    bad f '*' ''
    matrix '3 3 4' '1 1 1' '2 2' > f
    bad f 4 ''
}

@test "a broken Matrix Market banner" {
    printf '%%%%MatrixMarket matrix coordinate quaternion general\n1 1 1\n1 1 1\n' > f
    bad f 1 banner
}

@test "index 0" {
    matrix '2 2 2' '1 1 1' '0 2 1' > f
    bad f 4 "'0'"
    printf '# pm-edges 2 2\n1 1\n2 0\n' > f
    bad f 3 "'0'"
}

@test "index beyond the size" {
    matrix '2 2 2' '1 1 1' '2 3 1' > f
    bad f 4 "'3'"
    printf '# pm-edges 2 2\n1 1\n3 2\n' > f
    bad f 3 "'3'"
}

@test "more entries than announced" {
    matrix '2 2 2' '1 1 1' '2 2 1' '1 2 1' > f
    bad f 5 announced
}

@test "fewer entries than announced" {
    matrix '2 2 3' '1 1 1' '2 2 1' > f
    bad f 4 'after 2 entries'
}

@test "non-numeric weight" {
    matrix '2 2 2' '1 1 1' '2 2 heavy' > f
    bad f 4 "'heavy'"
    printf '1 1 2\n2 2 heavy\n' > f
    bad f 2 "'heavy'"
    bad f 2 "'heavy'" --pattern
}

@test "NaN and infinities" {
    for word in nan NaN inf -inf 1e999; do
        matrix '2 2 2' '1 1 1' "2 2 $word" > f
        bad f 4 "'$word'"
        printf '1 1 2\n2 2 %s\n' "$word" > f
        bad f 2 "'$word'"
    done
}

@test "duplicate edge" {
    matrix '2 2 3' '1 1 1' '2 2 1' '1 1 1' > f
    bad f 5 duplicate
    printf 'a x\nb y\na x\n' > f
    bad f 3 duplicate
    printf 'a x 1\nb y 1\na x 2\n' > f
    bad f 3 '' --duplicates=ignore
}

@test "an odd cycle with --graph is shown where the graph must be bipartite" {
    printf 'a b\nb c\nc a\n' > f
    run -69 --separate-stderr pm-approx --compare --graph f
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == 'pm-approx: f:'*': '*'odd cycle of 3 vertices'* ]]
    [[ "$stderr" == *"'a'"* && "$stderr" == *"'b'"* && "$stderr" == *"'c'"* ]]
}

@test "zero bytes of input" {
    : > f
    bad f 1 "empty input: expected a graph (that without vertices is '# pm-edges 0 0')"
    run -65 --separate-stderr pm-count --graph f
    [[ "$stderr" == *"empty input: expected a graph (that without vertices is '?' in graph6)" ]]
    [ "$(echo '?' | pm-count --graph)" = 1 ]
}

@test "only comments" {
    printf '# nothing\n' > f
    bad f '*' ''
}

@test "cut pm stream" {
    pm-gen grid 2 2 --to=mtx > g.mtx
    { echo '%pm: stream 1'; cat g.mtx; } > f
    bad f '*' cut
    { echo '%pm: stream 1'; echo '%pm: begin product'; cat g.mtx; echo '%pm: eof'; } > f
    bad f '*' 'begins in line 2'
    { echo '%pm: stream 1'; cat g.mtx; head -n 2 g.mtx; } > f
    bad f '*' ''
    { echo '%pm: stream 4'; cat g.mtx; echo '%pm: eof'; } > f
    bad f 1 ''
}

@test "a bad matrix at the end of a stream silences those before it" {
    pm-gen grid 2 2 --to=mtx > g.mtx
    { echo '%pm: stream 1'; cat g.mtx g.mtx; matrix '1 1 1' '1 2 1'; echo '%pm: eof'; } > f
    bad f '*' "'2'"
}

@test "binary garbage" {
    printf '\177ELF\002\001\001\000\000\000\377\376\000\001' > f
    bad f 1 ''
    printf '\000\001\002\003\377\n\n\200' > f
    bad f 1 ''
    printf '1 1\n2 \000\n' > f
    bad f '*' ''
}

@test "a line of 2 GB" {
    run -65 --separate-stderr timeout 60 sh -c "head -c 2G /dev/zero | tr '\\0' 1 | pm-count"
    [ -z "$output" ]
    [ "$stderr" = "pm-count: (standard input):1: line too long: expected at most 64 MiB" ]
    run -65 --separate-stderr timeout 60 sh -c \
        "{ echo '# pm-edges 2 2'; head -c 2G /dev/zero | tr '\\0' x; } | pm-count"
    [[ "$stderr" == "pm-count: (standard input):2: line too long"* ]]
}

@test "negative sizes" {
    matrix '-2 2 2' '1 1 1' '2 2 1' > f
    bad f 2 "'-2'"
    matrix '2 2 -2' '1 1 1' '2 2 1' > f
    bad f 2 "'-2'"
    printf '# pm-edges -2 2\n1 1\n' > f
    bad f 1 "'-2'"
}

@test "sizes that overflow, alone and multiplied" {
    matrix '99999999999999999999 2 2' '1 1 1' '2 2 1' > f
    bad f 2 "'99999999999999999999'"
    matrix '2 2 99999999999999999999' '1 1 1' > f
    bad f 2 "'99999999999999999999'"
    printf '%%%%MatrixMarket matrix array real general\n4294967296 4294967296\n1\n' > f
    bad f 2 "'4294967296'"
    printf '%%%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n' > f
    bad f '*' 'expected 4611686014132420609'
    printf '# pm-edges 4294967296 4294967296\n1 1\n' > f
    bad f 1 "'4294967296'"
}

@test "ragged edge list" {
    printf '1 1\n2\n' > f
    bad f 2 "'left right' as in the first edge, found 1 field"
    printf '1 1\n2 2 5\n' > f
    bad f 2 "'left right' as in the first edge, found 3 fields"
    printf '1 1 5\n2 2\n' > f
    bad f 2 "'left right weight' as in the first edge, found 2 fields"
}

@test "a missing file and a folder: 66" {
    run -66 --separate-stderr pm-count nowhere.txt
    [ -z "$output" ]
    [[ "$stderr" == "pm-count: nowhere.txt: "* ]]
    run -66 --separate-stderr pm-count .
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "an unreadable file: 66" {
    printf '1 1\n' > secret.txt
    chmod 000 secret.txt
    [ -r secret.txt ] && skip "this user may read everything"
    run -66 pm-count secret.txt
}

@test "a full disk on standard output: 74" {
    [ -c /dev/full ] || skip "no /dev/full"
    printf '1 1\n' > f
    for option in '' --json --exists --matching --plan --list; do
        run -74 --separate-stderr sh -c "pm-count $option \$1 > /dev/full" - \
            "$([ "$option" = --list ] || echo f)"
        [ "${#stderr_lines[@]}" -eq 1 ]
        [[ "$stderr" == "pm-count: standard output: "* ]]
    done
}

@test "a list of inputs that is a folder: 66, and it ends" {
    run -66 --separate-stderr timeout 10 pm-count --files-from=/
    [ -z "$output" ]
    [ "$stderr" = "pm-count: /: Is a directory" ]
}

@test "a few bytes that announce billions of empty lines are refused: 69" {
    printf '# pm-edges 2147483647 2147483647\n1 1\n' > huge.txt
    run -69 --separate-stderr pm-count huge.txt
    [ -z "$output" ]
    [[ "$stderr" == "pm-count: huge.txt: refused: 2147483647 x 2147483647 with 1 entries"* ]]
}

@test "when memory ends, the message names the input" {
    (ulimit -v 100000 && pm-count --version > version) || skip "sanitizers take more"
    { printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': (30000, 30000), }"
        head -c 200000000 /dev/zero; } > big.npy
    run -71 --separate-stderr bash -c 'ulimit -v 100000; pm-count big.npy'
    [ "$stderr" = 'pm-count: big.npy: out of memory: the elements of an array' ]
}
