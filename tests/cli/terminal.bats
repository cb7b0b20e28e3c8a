# SPDX-License-Identifier: GPL-3.0-or-later
# Names of files and labels come from strangers: none of their bytes may steer the terminal.
bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    hostile=$(printf 'a\033]0;x\007\302\233m\233\177z')
    shown='a\x1B]0;x\x07\xC2\x9Bm\x9B\x7Fz'
}

# harmless TEXT: no control byte but newline and TAB, no C1 character, valid UTF-8
harmless() {
    printf '%s' "$1" | iconv -f UTF-8 -t UTF-8 > /dev/null
    [ -z "$(printf '%s' "$1" | LC_ALL=C tr -d '\012\011\040-\176\200-\377')" ]
    ! printf '%s' "$1" | LC_ALL=C grep -q "$(printf '\302[\200-\237]')"
}

# on_terminal COMMAND: what a terminal gets, without the carriage returns that it adds
on_terminal() {
    script --version > /dev/null 2>&1 || skip "script (util-linux) is missing"
    script -qec "$1" /dev/null < /dev/null | tr -d '\r'
}

@test "messages: names of files, options and operands" {
    for p in pm-count pm-approx pm-dm pm-decompose pm-order; do
        run -66 --separate-stderr "$p" "$hostile"
        [[ "$stderr" == "$p: $shown: "* ]]
        harmless "$stderr"
        run -64 --separate-stderr "$p" "--$hostile"
        harmless "$stderr"
        [[ "$stderr" == *"'--$shown'"* ]]
        run -64 --separate-stderr "$p" "--from=$hostile"
        harmless "$stderr"
    done
    run -64 --separate-stderr pm-gen "$hostile"
    harmless "$stderr"
    [[ "$stderr" == *"$shown"* ]]
    run -64 --separate-stderr pm-count "$(printf -- '-\233')"
    harmless "$stderr"
}

@test "messages: labels and weights of inputs" {
    printf 'a x %s\n' "$hostile" > weight
    run -65 --separate-stderr pm-count --from=edges weight
    harmless "$stderr"
    printf '%s x\nb x\n' "$hostile" > none
    run -0 --separate-stderr pm-count -v --from=edges none
    [[ "$stderr" == *'\xC2\x9Bm\x9B'* ]]
    harmless "$stderr"
}

@test "messages of inputs that are answered side by side" {
    for i in 1 2 3; do
        printf 'a x %s\n' "$hostile" > "$hostile$i"
    done
    run -65 --separate-stderr pm-count -t 2 "$hostile"[123]
    [ "${#stderr_lines[@]}" -eq 3 ]
    harmless "$stderr"
}

@test "names in columns and in JSON" {
    printf 'a x\n' > "$hostile"
    # a pipe gets all bytes but those of ASCII's control characters
    out=$(pm-count -H "$hostile")
    [ "$out" = "$(printf '1\ta\\x1B]0;x\\x07\302\233m\233\\x7Fz')" ]
    out=$(on_terminal "pm-count -H *")
    [ "$out" = "$(printf '1\t%s' "$shown")" ]
    out=$(pm-count --json "$hostile")
    harmless "$out"
    [[ "$out" == *'\u001b]0;x\u0007\u009bm\ufffd\u007fz'* ]]
}

@test "a name with a newline makes no second message" {
    run -66 --separate-stderr pm-count "$(printf 'x\npm-count: forged')"
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "a terminal gets labels with escapes, a pipe gets their bytes" {
    label=$(printf 'a\302\233m\233z')
    printf '%s x\n' "$label" > graph
    [ "$(pm-count --from=edges --matching graph | tail -n 1)" = "$(printf '%s\tx' "$label")" ]
    out=$(on_terminal "pm-count --from=edges --matching graph")
    harmless "$out"
    [[ "$out" == *"$(printf 'a\\xC2\\x9Bm\\x9Bz\tx')" ]]
    out=$(on_terminal "pm-dm --from=edges --no-version graph")
    harmless "$out"
    out=$(on_terminal "pm-dm --from=edges --spy graph")
    harmless "$out"
    # nothing else changes
    [ "$(on_terminal "pm-gen --no-version grid 4 4")" = "$(pm-gen --no-version grid 4 4)" ]
    pm-gen grid 8 8 > grid
    [[ "$(on_terminal "pm-dm --spy grid")" == *⠀* || "$(on_terminal "pm-dm --spy grid")" == *⢕* ]]
}

@test "the progress line shows the end of a long name, and figures" {
    name=$(printf 'p%.0s' $(seq 200))-end$(printf '\233')
    pm-gen --seed=1 erdos-renyi 40 0.5 > "$name"
    run pm-count --time-limit=1.5 --progress --algorithm=ryser --max-cost=1e9 "$name"
    harmless "$(printf '%s' "$output" | tr -d '\r')"
    [[ "$output" == *'...'*'-end?'*' %, '*' left'* ]]
}

@test "a path above a thousand bytes leaves the reason in the message" {
    long=$(printf 'd%.0s' $(seq 240))
    path=.
    for i in 1 2 3 4 5 6; do
        path=$path/$long
    done
    run -66 --separate-stderr pm-count "$path/missing"
    [[ "$stderr" == "pm-count: ./ddd"*" ... ddd"*"/missing: cannot open: No such file or directory" ]]
    [ "${#stderr}" -lt 1100 ]
    mkdir -p "$path"
    printf '1 2 3 4 5\n' > "$path/bad"
    for p in pm-count pm-dm pm-approx; do
        run -65 --separate-stderr "$p" "$path/bad"
        [[ "$stderr" == "$p: ./ddd"*"/bad:1: "?* ]]
    done
    run -74 --separate-stderr pm-gen -o "$path/no/file" grid 2 2
    [[ "$stderr" == *"No such file or directory" ]]
    printf 'a x 1\nb y 2\n' > "$path/good"
    run -0 --separate-stderr pm-count -v "$path/good"
    [[ "$stderr" == *"seconds and "*B* ]]
}
