# SPDX-License-Identifier: GPL-3.0-or-later
# pm-count from outside: answers, inputs, options, plans, messages and exit statuses.
bats_require_minimum_version 1.5.0
load filters

program=pm-count

setup() {
    small_graphs
}

@test "one of several ranks, but built without MPI: said once" {
    pm-count --version | grep -q '^MPI: [A-Z]' && skip "built with MPI"
    printf '1 1\n' > edge
    PMI_SIZE=3 PMI_RANK=0 run -0 --separate-stderr pm-count edge
    [ "$output" = 1 ]
    [[ "$stderr" =~ "one of 3 ranks, but built without MPI" ]]
    PMI_SIZE=3 PMI_RANK=2 run -0 --separate-stderr pm-count edge
    [ "$output" = 1 ]
    [ -z "$stderr" ]
}

@test "one input: the value alone; stdin, gzip and file agree" {
    run -0 pm-count two.txt
    [ "$output" = 2 ]
    [ "$(pm-count < two.txt)" = 2 ]
    [ "$(gzip -c two.txt | pm-count -)" = 2 ]
    [ "$(pm-gen grid 8 8 | pm-count)" = 12988816 ]
}

@test "two inputs or more, -H: value, tab, name" {
    run -0 pm-count -q two.txt one.txt none.txt
    [ "$output" = "$(printf '2\ttwo.txt\n1\tone.txt\n0\tnone.txt')" ]
    run -0 pm-count -H two.txt
    [ "$output" = "$(printf '2\ttwo.txt')" ]
    run -0 sh -c 'pm-count two.txt - < one.txt'
    [ "$output" = "$(printf '2\ttwo.txt\n1\t-')" ]
}

@test "names are escaped, in lines and in JSON" {
    name=$(printf 'a\tb\\c\nd"e\377.txt')
    cp two.txt "$name"
    run -0 pm-count -H "$name"
    [ "$output" = "$(printf '2\ta\\tb\\\\c\\nd"e\377.txt')" ]
    run -0 pm-count --json "$name"
    [[ "$output" == '{"name":"a\u0009b\\c\u000ad\"e\ufffd.txt","value":"2",'* ]]
    [ "${#lines[@]}" -eq 1 ]
}

@test "exact integers of any size, of any sign" {
    # 30! * 1000000007^30
    wanted=2652529155152972730615070763221663749251842371443835951411926087265571\
1610380437035308636483839816885832350562535312986216245401343965927145\
9487842244949322558226530801610095137309949026508501515448038166363232\
6464292393832643768946214141474932716348436084619387932889318057433165\
66504212419051520000000
    [ "$(pm-gen ones 30 --weight=1000000007 | pm-count)" = $wanted ]
    printf '1 1 -3\n1 2 5\n2 1 7\n2 2 123456789012345678901234567890\n' > f
    [ "$(pm-count f)" = -370370367037037036703703703635 ]
}

@test "a real graph: value, tab, error; complex: both parts" {
    printf '%%%%MatrixMarket matrix array real general\n2 2\n1.5\n2.25\n0.5\n1\n' > f
    run -0 pm-count f
    [ "$(printf '%s' "$output" | awk -F '\t' '{ print NF }')" -eq 2 ]
    [ "$(printf '%s' "$output" | awk -F '\t' '{ d = $1 - 2.625; print d * d <= $2 * $2 }')" -eq 1 ]
    printf '%%%%MatrixMarket matrix array complex general\n1 1\n1.5 -2.5\n' > f
    run -0 pm-count -H f
    [ "$(printf '%s' "$output" | cut -f 1,2,4)" = "$(printf '1.5\t-2.5\tf')" ]
    run -0 pm-count --json f
    [[ "$output" == *'"value":"1.5","value_imaginary":"-2.5","error":"'*'"field":"complex"'* ]]
}

@test "--pattern takes the 0/1 pattern, without explicit zeros" {
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 3.5\n1 2 2\n2 1 0\n2 2 1e9\n' > f
    [ "$(pm-count --pattern f)" = 1 ]
}

@test "--graph finds the two sides; without it the columns are the sides" {
    printf '1 2\n2 3\n3 4\n4 1\n' > square.txt
    [ "$(pm-count --graph square.txt)" = 2 ]
    [ "$(pm-count square.txt)" = 1 ]
}

@test "a symmetric matrix counts the bipartite double cover" {
    printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n' > f
    [ "$(pm-count f)" = 2 ]
}

@test "--duplicates" {
    printf 'a x 2\na x 3\n' > f
    refuses 65 duplicate f
    [ "$(pm-count --duplicates=sum f)" = 5 ]
    refuses 65 "" --duplicates=ignore f
    printf 'a x\na x\n' > f
    [ "$(pm-count --duplicates=sum f)" = 2 ]
    [ "$(pm-count --duplicates=ignore f)" = 1 ]
    refuses 64 "not one of error, sum, ignore" --duplicates=drop f
    printf '%%%%MatrixMarket matrix coordinate integer general\n1 1 2\n1 1 4\n1 1 5\n' > f
    refuses 65 "f:2: expected at most 1 entries in a 1 x 1 matrix, not 2; --duplicates=sum adds repeated edges" f
    [ "$(pm-count --duplicates=sum f)" = 9 ]
}

@test "--from forces a format" {
    printf '1 2\n' > f
    [ "$(pm-count --from=edges f)" = 1 ]
    refuses 65 "f:1: " --from=mtx f
    refuses 64 "'foo' is not one of" --from=foo f
}

@test "good inputs print, each bad one gives a line, the status is the first failure's" {
    echo 'a' > bad.txt
    run -65 --separate-stderr pm-count two.txt bad.txt nowhere.txt one.txt
    [ "$output" = "$(printf '2\ttwo.txt\n1\tone.txt')" ]
    [ "${#stderr_lines[@]}" -eq 2 ]
    [[ "${stderr_lines[0]}" == "pm-count: bad.txt:1: "* ]]
    [[ "${stderr_lines[1]}" == "pm-count: nowhere.txt: "* ]]
    run -66 --separate-stderr pm-count nowhere.txt bad.txt none.txt -e
    [ "$output" = "$(printf '0\tnone.txt')" ]
}

@test "a batch: items have their own names or NAME:INDEX" {
    pm-gen grid 2 2 --to=mtx > a.mtx
    pm-gen grid 2 3 --to=mtx | sed '1a %pm: name three' > b.mtx
    stream a.mtx b.mtx a.mtx > s
    [ "$(pm-count s)" = "$(printf '2\n3\n2')" ]
    [ "$(pm-count -H s)" = "$(printf '2\ts:1\n3\tthree\n2\ts:3')" ]
    stream a.mtx > s
    [ "$(pm-count -H s)" = "$(printf '2\ts')" ]
    stream > s
    run -0 pm-count s
    [ -z "$output" ]
}

@test "sums, products and factors of a stream" {
    pm-gen grid 2 3 --to=mtx > a.mtx
    { echo '%pm: begin sum'; echo '%pm: factor -2'; cat a.mtx
      echo '%pm: begin product'; cat a.mtx a.mtx; echo '%pm: end'; echo '%pm: end'; } > body
    stream body > s
    [ "$(pm-count s)" = 3 ]
    [ "$(pm-count --mod=2 s)" = 1 ]
    [ "$(pm-count --exists s)" = yes ]
    run -0 pm-count --json s
    [[ "$output" == *'"matrices":3,"n":9,"nnz":21,'* ]]
    refuses 69 "--matching needs whole graphs" --matching s
}

@test "thousands of small graphs in one process" {
    pm-gen grid 2 2 --to=mtx > a.mtx
    { echo '%pm: stream 1'
      awk '{ text = text $0 "\n" } END { for (i = 0; i < 3000; ++i) printf "%s", text }' a.mtx
      echo '%pm: eof'; } > s
    [ "$(pm-count s | sort | uniq -c | awk '{ print $1, $2 }')" = "3000 2" ]
    [ "$(pm-count -H s | tail -n 1)" = "$(printf '2\ts:3000')" ]
}

@test "--files-from, lines and --null; no operands beside it" {
    cp two.txt 'with blank.txt'
    printf 'one.txt\nwith blank.txt\n' > list
    run -0 pm-count --files-from=list
    [ "$output" = "$(printf '1\tone.txt\n2\twith blank.txt')" ]
    [ "$(printf 'one.txt\0two.txt\0' | pm-count --files-from=- --null)" = \
        "$(printf '1\tone.txt\n2\ttwo.txt')" ]
    printf 'two.txt' > list
    [ "$(pm-count --files-from=list)" = "$(printf '2\ttwo.txt')" ]
    : > list
    [ -z "$(pm-count --files-from=list)" ]
    refuses 64 "no file names on the command line" --files-from=list two.txt
    refuses 64 "needs --files-from" --null two.txt
    refuses 66 "nolist" --files-from=nolist
    printf 'two.txt\n\none.txt\n' > list
    run -65 --separate-stderr pm-count --files-from=list
    [ "$output" = "$(printf '2\ttwo.txt\n1\tone.txt')" ]
    [ "$stderr" = "pm-count: list:2: empty file name" ]
    run -65 --separate-stderr sh -c 'echo - | pm-count --files-from=-'
    [[ "$stderr" == *"'-' cannot be an input here: the list itself is standard input" ]]
}

@test "--json: stable keys, one object a line" {
    run -0 pm-count -q -j two.txt none.txt
    [ "${#lines[@]}" -eq 2 ]
    for key in name value error error_is_bound field matrices n nnz algorithm backend seed seconds \
        predicted_seconds plan; do
        [[ "${lines[0]}" == *"\"$key\":"* ]]
    done
    [[ "${lines[0]}" == '{"name":"two.txt","value":"2","error":"0","error_is_bound":true,"field":"pattern",'* ]]
    [[ "${lines[1]}" == '{"name":"none.txt","value":"0",'* ]]
    if command -v python3 > /dev/null; then
        pm-gen cube 3 3 4 | pm-count -j | python3 -c '
import json, sys
o = json.load(sys.stdin)
assert o["value"] == "117805"
b = o["plan"]
assert len(b) >= 1 and all(x["n"] > 0 and x["operations"] > 0 and x["seconds"] > 0 for x in b)'
    fi
}

# log10_of FILE: from --json
log10_of() {
    pm-count --json "$1" | sed 's/.*"log10":\([^,]*\),.*/\1/'
}

@test "--json: log10 of values of any size" {
    [ "$(log10_of two.txt)" = 0.301029995663981 ]
    [ "$(log10_of one.txt)" = 0 ]
    [ "$(log10_of none.txt)" = null ]
    pm-gen ones 1000 > ones
    [ "$(log10_of ones)" = 2567.60464422213 ]              # 1000!
    printf 'a x -1000\n' > f
    [ "$(log10_of f)" = 3 ]
    printf '%%%%MatrixMarket matrix array complex general\n1 1\n3 -4\n' > f
    [ "$(log10_of f)" = 0.698970004336019 ]
    pm-gen ones 300 --weight=1e-300 > f                    # 300! 10^-90000
    [[ "$(log10_of f)" == -89385.5141969562 ]]
    pm-gen grid 8 8 | pm-count --json --mod=7 > j
    grep -q '"log10":null' j
    pm-count --plan --json two.txt > j
    run -1 grep -q '"log10"' j
}

@test "--mod" {
    [ "$(pm-gen grid 8 8 | pm-count --mod=1000)" = 816 ]
    [ "$(pm-gen ones 20 | pm-count --mod=4611686018427387903)" = 2432902008176640000 ]
    printf 'a x -3\n' > f
    [ "$(pm-count --mod=5 f)" = 2 ]
    for m in 0 1 -7 4611686018427387904 x; do
        refuses 64 "'$m' is not a whole number from 2" --mod=$m two.txt
    done
    printf 'a x 0.5\n' > f
    refuses 64 "" --mod=5 f
}

@test "whole numbers as 1e3, 2^10, 0x10; sizes with units" {
    [ "$(pm-gen grid 8 8 | pm-count --mod=1e3)" = 816 ]
    [ "$(pm-gen ones 0x14 | pm-count --mod=2^31)" = 45350912 ]
    [ "$(pm-count --max-memory=2gib --threads=2^0 --seed=1.5e3 two.txt)" = 2 ]
    [ "$(pm-count --max-memory=1e9 two.txt)" = 2 ]
    refuses 64 "'1.5e0' is not a whole number" --mod=1.5e0 two.txt
    refuses 64 "'2^64' is not a whole number" --seed=2^64 two.txt
    refuses 64 "is not a number of bytes" --max-memory=1KK two.txt
}

@test "--exists" {
    run -0 pm-count --exists two.txt none.txt
    [ "$output" = "$(printf 'yes\ttwo.txt\nno\tnone.txt')" ]
    run -0 pm-count --exists --json none.txt
    [ "$output" = '{"name":"none.txt","exists":false}' ]
    printf 'a x 1\na y 1\nb x 1\nb y -1\n' > zero.txt
    [ "$(pm-count --exists zero.txt)" = yes ]
    [ "$(pm-count zero.txt)" = 0 ]
    stream > s
    { echo '%pm: begin sum'; echo '%pm: factor 0'; echo '%pm: end'; } > empty_sum
    stream empty_sum > s
    [ "$(pm-count --exists s)" = no ]
}

@test "--matching: the edges of one matching, with labels and weights" {
    pm-gen regular 50 3 --integer --seed=2 > g
    run -0 pm-count --matching g
    [ "${lines[0]}" = "# pm-edges 50 50" ]
    printf '%s\n' "${lines[@]:1}" > m
    [ "$(wc -l < m)" -eq 50 ]
    [ "$(cut -f 1 m | sort -u | wc -l)" -eq 50 ]
    [ "$(cut -f 2 m | sort -u | wc -l)" -eq 50 ]
    [ "$(sed '/^#/d' g | sort | comm -23 <(sort m) -)" = "" ]
    run -0 pm-count --matching one.txt
    [[ "$output" == *"a"*"x"* && "$output" == *"b"*"y"* ]]
    run -0 pm-count --matching --json one.txt
    [ "$output" = '{"name":"one.txt","matching":[["a","x"],["b","y"]]}' ]
}

@test "--matching: a Hall violator where there is none" {
    run -0 pm-count --matching none.txt
    [ "$output" = "# no perfect matching: the rows {a, b} have only the neighbours {x}" ]
    run -1 pm-count --matching -e none.txt
    printf 'a x\na y\n' > wide.txt
    run -0 pm-count --matching wide.txt
    [ "$output" = "# no perfect matching: the columns {x, y} have only the neighbours {a}" ]
    run -0 pm-count --matching --json wide.txt
    [[ "$output" == *'"matching":null,"hall":{"side":"columns","set":["x","y"],"neighbours":["a"]}}' ]]
    run -0 pm-count --matching two.txt none.txt
    [ "${lines[0]}" = "# two.txt" ]
    [ "${lines[4]}" = "# none.txt" ]
}

@test "-v says why the count is 0, and what was assumed" {
    run -0 --separate-stderr pm-count -v none.txt
    [ "$output" = 0 ]
    [[ "$stderr" == *"the rows {a, b} have only the neighbours {x}"* ]]
    [[ "$stderr" == *"rows and"*"columns, from the labels"* ]]
    run -0 --separate-stderr pm-count -q none.txt
    [ -z "$stderr" ]
    printf 'a x 1\na y 1\nb x 1\nb y -1\n' > zero.txt
    run -0 --separate-stderr pm-count -v zero.txt
    [[ "$stderr" == *"their weights cancel"* ]]
}

@test "-e: exit status 1 for zero, 0 otherwise" {
    run -1 pm-count -q -e none.txt
    [ "$output" = 0 ]
    run -1 pm-count -e two.txt none.txt two.txt
    run -0 pm-count -e two.txt
    run -1 pm-count -e --exists none.txt
    run -1 pm-count -e --mod=2 two.txt
}

@test "the empty graph has one perfect matching" {
    echo '# pm-edges 0 0' > f
    [ "$(pm-count f)" = 1 ]
    [ "$(pm-count --exists f)" = yes ]
    [ "$(pm-count --matching f)" = "# pm-edges 0 0" ]
}

@test "--plan prints a table of blocks and computes nothing" {
    pm-gen grid 20 20 > g
    run -0 pm-count --plan g
    [ "${lines[0]}" = "$(printf '# block\tn\tnnz\talgorithm\toperations\tstates\tmemory\tseconds\tbackend\tbits')" ]
    [ "$(printf '%s' "${lines[1]}" | awk -F '\t' '{ print NF }')" -eq 10 ]
    run -0 pm-count --plan --json two.txt
    [[ "$output" != *'"value"'* ]]
}

# seconds_of OPTION...: the seconds of the plan of the file `ones`, one block
seconds_of()
{
    pm-count --plan "$@" ones | awk -F '\t' 'NR == 2 { print $8 }'
}

@test "--plan for GPUs that are not there" {
    { echo '%%MatrixMarket matrix array real general'; echo 62 62; yes 0.0161290322580645 | head -n 3844; } > ones
    options='--algorithm=ryser --reduce=none --backend=cuda'
    for device in h100 h200; do
        # shellcheck disable=SC2086 # two words
        for gpus in 1 4 192 1000000; do
            seconds_of --plan=$device $options --gpus=$gpus
        done > seconds
        # the work is divided; what does not depend on the number is a start, in seconds
        awk 'NR == 1 { one = $1 } { n = NR == 1 ? 1 : NR == 2 ? 4 : NR == 3 ? 192 : 1e6
             if ($1 < one / n || $1 > one / n * 1.01 + 5) exit 1 } END { exit NR != 4 || one < 1e6 }' seconds
    done
    # shellcheck disable=SC2086
    [ "$(seconds_of --plan=h200 $options)" = "$(seconds_of --plan=h200 $options --gpus=1)" ]
    # other methods, and the automatic choice
    pm-gen cube 4 4 4 > g
    run -0 pm-count --plan=h200 --backend=cuda --algorithm=frontier --gpus=1000 g
    [[ "$output" == *frontier*cuda* ]]
    pm-gen ones 40 --integer=1:99 --seed=1 > minutes
    run -0 pm-count --plan=h200 --json minutes
    [[ "$output" == *'"backend":"cuda"'* ]]
    # the limit of a count is none of a plan, on CPUs neither
    run -0 pm-count --plan --max-cost=1 --backend=cpu minutes
    [[ "$output" == *cpu* ]]
    refuses 69 "allowed are 1 seconds" --max-cost=1 --backend=cpu minutes
    # what was planned for stays out of other runs
    refuses 64 "no rates are known of 'tpu', only of h100 and h200" --plan=tpu g
    refuses 64 "no meaning for --backend=cpu" --plan=h200 --backend=cpu g
    refuses 64 "for the GPUs of this machine" --plan=h200 --gpus=all g
    refuses 64 "for the GPUs of this machine" --plan=h200 --calibrate g
    run -0 pm-count --plan=h100 --plan g
    [[ "$output" == *cpu* ]]
}

@test "every algorithm, order and reduction gives the same count" {
    pm-gen erdos-renyi 16 0.3 --seed=12 --nonsingular --integer=-9:9 > g
    wanted=$(pm-count g)
    for a in $(pm-count --list | awk -F '\t' '$2 == "cpu" && $1 !~ /planar|rook|necklace|periodic|hafnian/ { print $1 }'); do
        [ "$(pm-count --algorithm="$a" g)" = "$wanted" ]
        [ "$(pm-count --algorithm="$a" --reduce=none g)" = "$wanted" ]
    done
    for r in all none dm degree1 degree2 twins dm,twins degree1,degree2,dm; do
        [ "$(pm-count --reduce=$r g)" = "$wanted" ]
        [ "$(pm-count --reduce=$r --transpose --seed=5 g)" = "$wanted" ]
    done
    [ "$(pm-count --order=given g)" = "$wanted" ]
    [ "$(pm-count -t 1 g)" = "$wanted" ]
    [ "$(pm-count -t 2 g)" = "$wanted" ]
}

@test "--order=given takes the order of the stream" {
    pm-gen grid 2 2 --to=mtx | sed '1a %pm: order c2 r1 c1 r2' > m
    stream m > s
    [ "$(pm-count --order=given s)" = 2 ]
    [ "$(pm-count --order=auto s)" = 2 ]
}

@test "what is out of reach is refused with the limit" {
    pm-gen cube 4 6 6 > g
    refuses 69 "--max-cost" --max-cost=0.001 g
    refuses 69 "" --max-memory=1K g
    run -69 --separate-stderr pm-count --max-cost=0.001 two.txt g one.txt
    [ "$output" = "$(printf '2\ttwo.txt\n1\tone.txt')" ]
}

@test "one refused item of a batch leaves the others and their numbers" {
    pm-gen grid 2 2 --to=mtx > a.mtx
    pm-gen cube 4 6 6 --to=mtx > b.mtx
    stream a.mtx b.mtx a.mtx > s
    run -69 --separate-stderr pm-count -H --max-cost=0.001 s
    [ "$output" = "$(printf '2\ts:1\n2\ts:3')" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "-o: the file appears with all answers, with the mode of a new file" {
    umask 022
    pm-count -o out two.txt one.txt
    [ "$(cat out)" = "$(printf '2\ttwo.txt\n1\tone.txt')" ]
    [ "$(stat -c %a out)" = 644 ]
    run -66 pm-count -o out2 two.txt nowhere.txt
    [ "$(cat out2)" = "$(printf '2\ttwo.txt')" ]
    ln -s out link
    pm-count -o link one.txt
    [ -L link ]
    [ "$(cat out)" = 1 ]
    [ -z "$(find . -name '*.??????' ! -name '*.txt')" ]
    refuses 74 "nodir/out: " -o nodir/out two.txt
    [ ! -c /dev/full ] || refuses 74 "/dev/full: " -o /dev/full two.txt
}

@test "a reader that leaves early is no error message" {
    run bash -c 'pm-count two.txt one.txt 2> err | true; exit "${PIPESTATUS[0]}"'
    [ "$status" -eq 0 ] || [ "$status" -eq 141 ]
    [ ! -s err ]
}

@test "dense general graphs are counted by their hafnian" {
    awk 'BEGIN { for (i = 1; i < 24; i++) for (j = i + 1; j <= 24; j++) print i, j }' > k24
    run -0 --separate-stderr pm-count --graph -v k24
    [ "$output" = 316234143225 ] # 23!!
    [[ "$stderr" == *"repeated, about"* ]] # 24 copies of one vertex
    pm-gen complete 24 --integer=1:99 --seed=1 > k24-weights
    run -0 --separate-stderr pm-count --graph -v k24-weights
    [[ "$stderr" == *"hafnian, about"* ]]
    [ "$(pm-count --graph --algorithm=frontier --loops k24)" = "$(pm-count --graph --loops k24)" ]
    [ "$(pm-count --graph --mod=1000 k24)" = 225 ]
    echo "1 2" > pair
    refuses 69 "hafnian is for general graphs only" --algorithm=hafnian pair
    refuses 69 "at most 16 vertices" --graph --algorithm=hafnian-small k24
}

@test "--list names the algorithms, which --algorithm takes" {
    run -0 pm-count --list
    [ "${#lines[@]}" -ge 3 ]
    refuses 64 "there is no algorithm 'magic'" --algorithm=magic two.txt
    refuses 64 "takes no operand" --list two.txt
}

@test "--algorithm=auto is the choice without the option, and undoes a name before it" {
    pm-gen erdos-renyi 20 0.4 --seed=3 --nonsingular > g
    pm-count --json --plan g > wanted
    for options in --algorithm=auto '--algorithm=ryser --algorithm=auto' \
        '--backend=cpu --algorithm=auto'; do
        # shellcheck disable=SC2086 # several options
        pm-count --json --plan $options g | diff wanted -
    done
    pm-count --json --plan --algorithm=auto --algorithm=ryser g | grep '"algorithm":"ryser"'
    [ "$(pm-count --algorithm=auto g)" = "$(pm-count g)" ]
    refuses 64 "--placement is for" --backend=cuda --algorithm=auto --placement=shared two.txt
}

has_gpu()
{
    pm-count --version | grep -q '^  GPU 0: .*compute'
}

@test "--backend=cuda without a device ends with status 69; auto counts on the CPU" {
    [ "$(pm-count --backend=auto two.txt)" = 2 ]
    [ "$(pm-count --backend=cpu two.txt)" = 2 ]
    pm-gen ones 12 > d
    pm-count -j --backend=cpu --algorithm=ryser d | grep '"backend":"cpu"'
    has_gpu && skip "there is a GPU"
    for a in '' --algorithm=ryser --algorithm=repeated --algorithm=product-tree \
        --algorithm=sparyser --algorithm=skipper --algorithm=codegen --algorithm=hybrid '--algorithm=ryser --placement=shared'; do
        # shellcheck disable=SC2086 # a list of words
        run -69 --separate-stderr pm-count --backend=cuda --reduce=none --pattern $a two.txt
        [ -z "$output" ]
        [[ "$stderr" =~ "GPU"|"CUDA" ]]
        [ "$(printf '%s\n' "$stderr" | wc -l)" = 1 ]
    done
}

@test "GPUs are asked for by sensible options only" {
    refuses 64 "not one of auto, cpu, cuda" --backend=gpu two.txt
    refuses 64 "from 1 to 1000000" --gpus=0 two.txt
    refuses 64 "from 1 to 1000000" --gpus=2x two.txt
    refuses 64 "from 1 to 1000000" --plan --gpus=1000001 two.txt
    refuses 64 "at most 64 GPUs" --gpus=65 two.txt
    refuses 64 "no meaning for --backend=cpu" --backend=cpu --gpus=2 two.txt
    refuses 64 "does not run on a GPU" --backend=cuda --algorithm=enumerate two.txt
    refuses 64 "runs on a GPU only" --backend=cpu --algorithm=hybrid two.txt
    pm-count --list | grep -q "^ryser.cuda"
    pm-count --list | grep -q "^frontier.cuda"
    for p in '' heap registers,registers constant shared,heap shared, \
        shared,shared,aligned shared,unaligned shared,shared,unaligned,; do
        refuses 64 "is not one of registers" --backend=cuda --algorithm=ryser --placement=$p two.txt
    done
    refuses 64 "--placement is for" --algorithm=ryser --placement=shared two.txt
    refuses 64 "--placement is for" --backend=cuda --algorithm=hybrid --placement=shared two.txt
    refuses 64 "--placement is for" --backend=cpu --algorithm=ryser --placement=shared two.txt
}

@test "options that exclude each other, and bad values, are refused in one line" {
    refuses 64 "exclude each other" --exists --matching two.txt
    refuses 64 "exclude each other" --plan --exists two.txt
    refuses 64 "--mod has no meaning" --mod=5 --exists two.txt
    refuses 64 "--order=given excludes" --order=given --transpose two.txt
    refuses 64 "not one of auto, given" --order=best two.txt
    refuses 64 "'dm,foo' is neither" --reduce=dm,foo two.txt
    refuses 64 "'0' is not a whole number" --threads=0 two.txt
    refuses 64 "'2.5' is not a whole number" -t 2.5 two.txt
    refuses 64 "'-1' is not a number of bytes" --max-memory=-1 two.txt
    refuses 64 "'5X' is not a number of bytes" --max-memory=5X two.txt
    refuses 64 "'0' is not a number of seconds" --max-cost=0 two.txt
    refuses 64 "'-3' is not a whole number" --seed=-3 two.txt
    refuses 64 "needs an argument" two.txt --mod
    refuses 64 "takes no argument" --json=yes two.txt
    refuses 64 "unknown option '-x'" -x two.txt
    refuses 64 "unknown or ambiguous option '--max'" --max two.txt
}

@test "abbreviated and permuted options" {
    [ "$(pm-count two.txt --pat --dup=sum)" = 2 ]
    [ "$(pm-count -- two.txt)" = 2 ]
}

@test "a zero has the columns of its field" {
    printf '%%%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 0\n' > c.mtx
    [ "$(pm-count c.mtx)" = "$(printf '0\t0\t0')" ]
    printf '%%%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1\n' > r.mtx
    [ "$(pm-count r.mtx)" = "$(printf '0\t0')" ]
}

# close_to LINE LINE: two answers "value TAB error" agree within both errors and what awk rounds
close_to() {
    printf '%s\t%s\n' "$1" "$2" | awk -F '\t' '
        { d = $1 - $3; s = $1 < 0 ? -$1 : $1; exit !(d * d <= ($2 + $4 + 1e-15 * s) ^ 2 && $1 != 0) }'
}

@test "--precision: the answers agree, that of quad is the best one" {
    pm-gen erdos-renyi 18 0.9 --real=-1:1 --seed=3 --nonsingular > g
    run -0 pm-count --algorithm=ryser --precision=quad g
    best=$output
    for p in double kahan dq; do
        run -0 pm-count --algorithm=ryser --precision=$p g
        close_to "$output" "$best"
        # the digits that quad has more
        printf '%s\t%s\n' "$output" "$best" | awk -F '\t' '{ exit !(1e6 * $4 < $2) }'
    done
    [ "$(pm-count --algorithm=ryser g)" = "$(pm-count --algorithm=ryser --precision=kahan g)" ]
    close_to "$(pm-count --algorithm=frontier g)" "$best"
    for p in quad single; do
        for a in product-tree skipper sparyser enumerate; do
            refuses 69 "$a does not have the precision $p" --algorithm=$a --precision=$p g
        done
        refuses 69 "glynn computes in double only" --algorithm=glynn --precision=$p g
        pm-count --reduce=none --precision=$p --plan g | awk -F '\t' '!/^#/ { exit $4 != "ryser" && $4 != "repeated" }'
    done
    for a in ryser repeated; do
        run -0 pm-count --algorithm=$a --precision=single g
        close_to "$output" "$best"
    done
    refuses 64 "not one of single, double, kahan, dq, quad, exact" --precision=half g
    refuses 64 "needs an argument" g --precision
}

@test "--precision changes no exact integer, and no digit depends on the threads or PM_ISA" {
    pm-gen erdos-renyi 16 0.9 --integer=-9:9 --seed=4 --nonsingular > g
    pm-gen erdos-renyi 20 0.9 --real=-1:1 --seed=4 --nonsingular > r
    wanted=$(pm-count --algorithm=frontier g)
    for p in single double kahan dq quad; do
        [ "$(pm-count --algorithm=ryser --precision=$p g)" = "$wanted" ]
        real=$(pm-count --algorithm=ryser --precision=$p -t 1 r)
        [ "$(pm-count --algorithm=ryser --precision=$p -t 3 r)" = "$real" ]
        for unit in portable avx2 avx512 avx512ifma; do
            [ "$(PM_ISA=$unit pm-count --algorithm=ryser --precision=$p r)" = "$real" ]
        done
    done
    for unit in portable avx2 avx512 avx512ifma; do
        [ "$(PM_ISA=$unit pm-count --algorithm=ryser g)" = "$wanted" ]
    done
}

@test "the complement of a sparse graph: couples at a round table, by rook numbers" {
    awk 'BEGIN { for (i = 0; i < 60; i++) for (j = 0; j < 60; j++)
        if ((j - i + 60) % 60 > 1) print i, j }' > couples
    [ "$(pm-count couples)" = 1107199898411058413191320482067594487313111975193291004613429917114325564512957442 ]
    [ "$(pm-count --verify --mod=1000003 couples)" = "$(pm-count --algorithm=rook --mod=1000003 couples)" ]
    pm-count --plan couples | cut -f 4 | grep -qx rook
    pm-gen grid 4 5 > board
    refuses 69 "more than half of the elements have one value" --algorithm=rook board
    printf "a x 0.5\na y 1\nb x 1\nb y 1\n" > reals
    refuses 69 "rook counts 0/1 and integer matrices only" --algorithm=rook --reduce=none reals
}

@test "every algorithm agrees on real and complex graphs, within the errors" {
    pm-gen erdos-renyi 12 0.4 --real=-1:1 --seed=5 --nonsingular --to=mtx > r.mtx
    awk '/^%%MatrixMarket/ { sub("real", "complex") } !/^%/ && NF == 3 && sized { $4 = $1 - $2 }
        !/^%/ { sized = 1 } { print }' r.mtx > c.mtx
    real=$(pm-count --algorithm=frontier r.mtx)
    complex=$(pm-count --algorithm=frontier c.mtx)
    for a in $(pm-count --list | awk -F '\t' '$2 == "cpu" && $1 !~ /planar|rook|necklace|periodic|hafnian/ { print $1 }'); do
        close_to "$(pm-count --algorithm="$a" r.mtx)" "$real"
        run -0 pm-count --algorithm="$a" c.mtx
        for part in 1,3 2,3; do
            close_to "$(echo "$output" | cut -f $part)" "$(echo "$complex" | cut -f $part)"
        done
    done
}

@test "--json: error_is_bound, also without an error; not with --plan" {
    run -0 pm-count --json two.txt
    [[ "$output" == *'"error":"0","error_is_bound":true,'* ]]
    printf 'a x 0.1\na y 0.2\nb x 0.3\nb y -0.7\n' > r
    run -0 pm-count --json r
    [[ "$output" == *'"error_is_bound":true,'* ]]
    run -0 pm-count --json --plan r
    [[ "$output" != *error* ]]
}

@test "-v and JSON tell where the error is an estimate" {
    pm-gen ones 24 --real --seed=2 > g
    run -0 --separate-stderr pm-count --algorithm=ryser -v --json g
    [[ "$output" == *'"error_is_bound":false,'* ]]
    [[ "$stderr" == *"the error is an estimate, from a sample of the terms"* ]]
    run -0 --separate-stderr pm-count --algorithm=ryser g
    [ -z "$stderr" ]
}

@test "--order=given: a hub makes wide levels of few states" {
    # a cycle, and all of its rows joined to column 1, which is matched first: 90 states at most
    awk -v n=90 'BEGIN {
        print "%%MatrixMarket matrix coordinate pattern general"
        for (i = 1; i <= n; i++)
            printf "%s c%d r%d", (i % 40 == 1 ? (i > 1 ? "\n" : "") "%pm: order" : ""), i, i
        printf "\n%d %d %d\n", n, n, 3 * n - 2
        for (i = 1; i <= n; i++) {
            print i, i
            print i, i % n + 1
            if (i > 1 && i < n) print i, 1
        }
    }' > hub.mtx
    for algorithm in frontier frontier-rank frontier-hash; do
        run -0 pm-count --order=given --algorithm=$algorithm hub.mtx
        [ "$output" = 90 ]
    done
}

@test "-v tells what counts each block" {
    pm-gen ones 12 --real --seed=2 > g
    run -0 --separate-stderr pm-count --algorithm=ryser -v g
    [[ "$stderr" == "pm-count: g: block 1 of 1: n = 12, 144 entries: ryser, about "*" seconds and "*"iB"* ]]
}

@test "sizes in refusals have the unit that fits" {
    pm-gen erdos-renyi 24 0.5 --seed=1 --nonsingular > g
    run -69 --separate-stderr pm-count --algorithm=frontier --max-memory=1000 g
    [[ "$stderr" == *"; allowed are 0.977 KiB (see --max-memory)"* ]]
    pm-gen erdos-renyi 40 0.9 --seed=1 > g
    run -69 --separate-stderr pm-count --algorithm=enumerate g
    [[ "$stderr" == *"allowed are 1.1e+12 partial matchings; without --algorithm another method may be taken" ]]
}

@test "PM_GPU_INTEGERS is words or doubles" {
    PM_GPU_INTEGERS=bytes run -64 --separate-stderr pm-count two.txt
    [[ "$stderr" == *"PM_GPU_INTEGERS: expected words or doubles"* ]]
    PM_GPU_INTEGERS=words run -0 pm-count two.txt
    [ "$output" = 2 ]
}

@test "plans of integers follow the vector unit, those of real numbers are the same for all" {
    pm-gen --seed=1 erdos-renyi 24 .5 > g
    pm-gen --seed=1 erdos-renyi 24 .5 --real > real
    seconds() { pm-count -q --plan "$@" | sed 1d | cut -f 8; }
    [ "$(PM_ISA=portable seconds real)" = "$(seconds real)" ]
    few=$(PM_ISA=portable seconds --algorithm=ryser g)
    awk "BEGIN { exit !($few >= $(seconds --algorithm=ryser g)) }"
    some=$(PM_ISA=avx2 seconds --algorithm=ryser g) # of the processor, where it has none
    [ "$some" != "$few" ] || skip "no vector unit here"
    awk "BEGIN { exit !($few > 2 * $some) }"
}

@test "PM_ISA is the name of a vector unit" {
    PM_ISA=sse run -64 --separate-stderr pm-count two.txt
    [[ "$stderr" == *"PM_ISA: expected portable, avx2, avx512 or avx512ifma"* ]]
    for isa in portable avx2 avx512 avx512ifma; do
        PM_ISA=$isa run -0 pm-count two.txt
        [ "$output" = 2 ]
    done
}

@test "a small stack is lifted, or refused" {
    pm-gen ones 14 --integer --seed=1 > g
    want=$(pm-count --algorithm=ryser g)
    [ "$( (ulimit -S -s 100 && pm-count --algorithm=ryser g) )" = "$want" ]
    (ulimit -s 100 && pm-count g) 2> err && status=0 || status=$?
    [ "$status" = 71 ]
    [[ "$(cat err)" == *"the limit of the stack is 100 KiB, but 1024 KiB are needed: raise it with ulimit -s" ]]
}

@test "--verify: the same output" {
    pm-gen cube 3 3 4 > cube
    pm-gen erdos-renyi 18 0.8 --real=-1:1 --seed=6 --nonsingular > r
    pm-gen erdos-renyi 18 0.8 --integer=-9:9 --seed=6 --nonsingular > i
    for f in two.txt none.txt cube r i; do
        run -0 --separate-stderr pm-count -q --verify "$f"
        [ -z "$stderr" ]
        [ "$output" = "$(pm-count "$f")" ]
        [ "$(pm-count --verify --algorithm=frontier "$f")" = "$(pm-count --algorithm=frontier "$f")" ]
    done
    [ "$(pm-count --verify two.txt cube)" = "$(printf '2\ttwo.txt\n117805\tcube')" ]
    [ "$(pm-count --verify --mod=1000 cube)" = 805 ]
    [ "$(pm-count --verify --mod=4611686018427387903 i)" = "$(pm-count --mod=4611686018427387903 i)" ]
    pm-gen grid 2 3 --to=mtx | sed '1a %pm: order c3 c2 c1 r1 r2 r3' > m
    stream m > s
    [ "$(pm-count --verify --order=given s)" = 3 ]
}

@test "--verify needs a count" {
    for o in --plan --exists --matching; do
        refuses 64 "--verify needs a count" --verify $o two.txt
    done
}

@test "--calibrate measures once, keeps the rates, and plans with them" {
    ! is_short || skip "it takes a minute with sanitizers; make check runs it"
    export XDG_CACHE_HOME=$PWD/cache
    run -0 --separate-stderr pm-count -v --calibrate -H two.txt
    [ "$output" = "$(printf '2\ttwo.txt')" ]
    # progress, a line a minute on slow machines, begins alike
    [ "$(grep -c -x 'pm-count: measuring the speed of this machine' <<< "$stderr")" -eq 1 ]
    [[ "$(head -n 1 cache/pmkit/rates)" == "pmkit "*" rates of "* ]]
    cp cache/pmkit/rates rates
    run -0 --separate-stderr pm-count -v --calibrate -H two.txt
    [ "$output" = "$(printf '2\ttwo.txt')" ]
    [[ "$stderr" != *measuring* ]]
    cmp cache/pmkit/rates rates

    # the file, the list and the plan tell the same
    run -0 --separate-stderr pm-count --calibrate --list
    [ "$(sed -n '/^# rate\t/,/^# rates of/p' <<< "$output" | sed '/^#/d' | cut -f 1)" = "$(sed 1d rates | cut -f 1)" ]
    awk -F '\t' 'NR > 1 { $2 *= 1000 } NR > 1 { print $1 "\t" $2 } NR == 1' rates \
        > cache/pmkit/rates
    pm-gen ones 20 --real > g
    slow=$(pm-count --calibrate --algorithm=ryser --plan g | sed 1d | cut -f 8)
    cp rates cache/pmkit/rates
    fast=$(pm-count --calibrate --algorithm=ryser --plan g | sed 1d | cut -f 8)
    awk "BEGIN { exit !($slow > 500 * $fast) }"
    # plans are for the vector unit of the title: a smaller one takes more instructions
    if ! grep -q ', portable$' rates; then
        pm-gen --seed=1 erdos-renyi 24 .5 > g
        fast=$(pm-count --calibrate --algorithm=ryser --plan g | sed 1d | cut -f 8)
        sed '1s/, [^,]*$/, portable/' rates > cache/pmkit/rates
        slow=$(PM_ISA=portable pm-count --calibrate --algorithm=ryser --plan g | sed 1d | cut -f 8)
        awk "BEGIN { exit !($slow > 1.2 * $fast) }"
        cp rates cache/pmkit/rates
    fi
    run -0 pm-count --list
    [[ "$output" != *"# rate"* ]]

    # what is measured anew; each is stopped, and leaves the file as it was
    anew() {
        cp cache/pmkit/rates before
        run -75 --separate-stderr pm-count -v --time-limit=0.05 "$@" two.txt
        [ -z "$output" ]
        [[ "$stderr" == *"measuring the speed of this machine"* ]]
        cmp before cache/pmkit/rates
    }
    anew --calibrate=again
    head -n 5 rates > cache/pmkit/rates
    anew --calibrate
    sed '2s/\t.*/\tfast/' rates > cache/pmkit/rates
    anew --calibrate
    sed '2s/\t.*/\t-1/' rates > cache/pmkit/rates
    anew --calibrate
    sed '2d; 3p' rates > cache/pmkit/rates
    anew --calibrate
    sed '1s/.*/pmkit 0.0 rates of another machine/' rates > cache/pmkit/rates
    anew --calibrate
    : > cache/pmkit/rates
    anew --calibrate
    cp rates cache/pmkit/rates
    case $(head -n 1 rates) in
    *", portable") ;;
    *) PM_ISA=portable anew --calibrate ;;
    esac
}

@test "--calibrate takes 'again' or nothing" {
    refuses 64 "expected 'again' or nothing, not 'always'" --calibrate=always two.txt
}

@test "--order=given: methods that have their own order refuse another" {
    pm-gen grid 4 4 | pm-order > ordered.pm
    for algorithm in enumerate planar rook; do
        run -69 --separate-stderr pm-count --order=given --algorithm=$algorithm ordered.pm
        [[ "$stderr" == *"ordered.pm:3: $algorithm has its own order and cannot use a given one"* || "$stderr" == *"built without libplanarity"* ]]
    done
}

@test "powers that would outlast the limit of time are refused at once" {
    printf '%%pm: stream 1\n%%pm: factor 2\n%%pm: times 1000000000\n%%pm: eof\n' > power
    run -69 --separate-stderr pm-count --time-limit=3 power
    [[ "$stderr" == "pm-count: power: refused: a value of about 3e+08 digits would take about "*" seconds, more than the time limit leaves" ]]
    [ "$(pm-count --time-limit=3 --mod=1000003 power)" = 623034 ]
}

@test "--matching: a refusal names the file and --json" {
    printf 'Ann Smith\tJob 1\n' > f
    run -69 --separate-stderr pm-count --matching f
    [[ "$stderr" == "pm-count: f: an edge list written here cannot hold the label 'Ann Smith' of row 1, which has a blank"*'--json'* ]]
}

@test "--mod=2^62-1" {
    printf 'a x\n' > f
    [ "$(pm-count --mod=2^62-1 f)" = 1 ]
}

@test "a refusal names memory where more of it would make the cost bearable" {
    (ulimit -v 200000 && pm-count --version > version) || skip "takes long with sanitizers"
    pm-gen erdos-renyi 30 0.9 --seed=3 > hard
    refuses 69 'allowed are 1 KiB (see --max-memory)' --max-memory=1K hard
    refuses 69 'allowed are 0.001 seconds (see --max-cost)' --max-memory=2M --max-cost=0.001 hard
}

# GCC's OpenMP library prints what it has read when it starts.
@test "OpenMP threads sleep while they wait, unless the user decides" {
    printf '1 1\n' > one.txt
    run -0 --separate-stderr env -u GOMP_SPINCOUNT OMP_WAIT_POLICY=active OMP_DISPLAY_ENV=verbose pm-count one.txt
    [[ $stderr == *GOMP_SPINCOUNT* ]] || skip "the OpenMP library does not print its settings"
    [[ $stderr != *"GOMP_SPINCOUNT = '0'"* ]]
    run -0 --separate-stderr env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT OMP_DISPLAY_ENV=verbose pm-count one.txt
    [ "$output" = 1 ]
    [[ $stderr == *"GOMP_SPINCOUNT = '0'"* ]]
}
