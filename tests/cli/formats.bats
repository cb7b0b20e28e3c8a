# SPDX-License-Identifier: GPL-3.0-or-later
# Matrices as text, tables of edges, and arrays of NumPy, from outside.
bats_require_minimum_version 1.5.0

setup() {
    load filters.bash
    program=pm-count
    cd "$BATS_TEST_TMPDIR"
}

# bad FILE TEXT [OPTION]...: exit status 65 and one line that names FILE, by name and from a pipe
bad() {
    local file=$1 text=$2
    shift 2
    run -65 --separate-stderr pm-count "$@" "$file"
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "pm-count: $file:"*"$text"* ]]
    run -65 --separate-stderr sh -c 'f=$1; shift; cat "$f" | pm-count "$@"' - "$file" "$@"
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "pm-count: (standard input):"*"$text"* ]]
}

# npy DESCR SHAPE [BYTES]: an array; BYTES as printf takes them
npy() {
    printf '\223NUMPY\1\0\166\0'
    printf '%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
    printf "${3-}"
}

@test "dense: the same count for every way to write a matrix" {
    printf '1 2\n3 4\n' > a
    printf '# c\n1,2\n\n3, 4' > b
    printf '1.0;2e0\r\n3;4\r\n' > c
    for f in a b; do
        [ "$(pm-count --from=dense "$f")" = 10 ]
        [ "$(pm-count --from=dense --transpose < "$f")" = 10 ]
        [ "$(pm-count --from=dense --pattern "$f")" = 2 ]
    done
    [ "$(pm-count --from=dense c)" = $'10\t0' ]
    printf '1+2j (0,1)\n(1+1j) 2i\n' | pm-count --from=dense > d
    [[ "$(cut -f 1,2 d)" == $'-5\t3' ]]
    gzip a
    [ "$(pm-count --from=dense a.gz)" = 10 ]
}

@test "dense: a matrix of zeros and ones is counted as a pattern" {
    pm-gen grid 4 4 | pm-order --method=none > s
    [ "$(pm-count s)" = 36 ]
    printf '1 1 0\n1 1 1\n0 1 1\n' > m
    [ "$(pm-count --from=dense m)" = "$(pm-count --from=dense --pattern m)" ]
}

@test "dense: one vertex set" {
    printf '0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n' > c4
    [ "$(pm-count --from=dense --graph c4)" = 2 ]
    [ "$(pm-count --from=dense c4)" = 4 ]
    run -0 --separate-stderr pm-count --from=dense --graph -v c4
    [[ "$stderr" == *"adjacency matrix of a graph on one set of 4 vertices"* ]]
    printf '0 1 0 1\n0 0 1 0\n0 0 0 1\n0 0 0 0\n' > f # one triangle, as the note of --from=dense says
    [ "$(pm-count -q --from=dense f)" = 0 ]
    run -0 --separate-stderr pm-count --from=dense --graph -v f
    [ "$output" = 2 ]
    [[ "$stderr" == *"all edges given above the diagonal"* ]]
    sed 's/1/2/g' c4 > f
    run -0 --separate-stderr pm-count --from=dense -v f
    [[ "$stderr" == *"if this symmetric matrix is that of a graph, the bipartite double cover"* ]]
    printf '0 1\n2 0\n' > f
    bad f 'row 1, column 2 differs from row 2, column 1' --from=dense --graph
    [ "$(pm-count --from=dense --graph --pattern f)" = 1 ]
    printf '0 1 1\n1 0 1\n1 1 0\n' > f
    [ "$(pm-count --from=dense --graph f)" = 0 ]
}

@test "dense: bad texts" {
    printf '1 2\n3\n' > f
    bad f '2: expected 2 numbers as in the first row, not 1' --from=dense
    printf '3\n1 2 3\n4 5 6\n7 8 9\n' > f
    bad f '2: expected 1 number as in the first row, not 3; a line with the sizes' --from=dense
    local text='a matrix has numbers only: leave out the names'
    printf 'a,b\n1,2\n3,4\n' > f
    bad f "1: expected a finite number, not 'a'; $text" --from=dense
    printf ',a,b\nx,1,2\ny,3,4\n' > f
    bad f "1: expected a finite number, not ''; $text" --from=dense
    printf '[[1 2]\n [3 4]]\n' > f
    bad f "not '[[1'; write a matrix without brackets" --from=dense
    printf 'nan 2\n3 4\n' > f
    run -65 --separate-stderr pm-count --from=dense f
    [ "$stderr" = "pm-count: f:1: expected a finite number, not 'nan'" ]
    printf '1 nan\n' > f
    bad f "1: expected a finite number, not 'nan'" --from=dense
    printf '1 2; 3 4\n' > f
    bad f 'one kind of separator' --from=dense
    printf '1 1e999\n' > f
    bad f "range of a double" --from=dense
    printf '1 \0 2\n' > f
    bad f 'zero byte' --from=dense
    : > f
    bad f 'empty input' --from=dense
    printf '#\n' > f
    bad f 'expected a row of numbers' --from=dense
}

@test "csv: tables of spreadsheets and data frames" {
    printf 'from,to\n1,1\n1,2\n2,1\n2,2\n' > f
    [ "$(pm-count --from=csv f)" = 2 ]
    printf '\357\273\277"left side";"right side";w\r\n"a ""1""";"x;y";3\r\nb;z;4\r\n' > f
    [ "$(pm-count --from=csv f)" = 12 ]
    run -0 --separate-stderr pm-count --from=csv --matching --json f
    [[ "$output" == *'a \"1\"'*'x;y'* ]]
    printf ',source,target,weight\n0,u,v,5\n1,w,x,-2\n' > f
    [ "$(pm-count --from=csv --columns=source,target,weight f)" = -10 ]
    [ "$(pm-count --from=csv --columns=2,3 --header=yes < f)" = 1 ]
    printf '5" pipe,O"Neil\nb,"""c"" d"\n' > f # quotes inside a field that does not begin with one
    run -0 pm-count --from=csv --matching --json f
    [[ "$output" == *'[["5\" pipe","O\"Neil"],["b","\"c\" d"]]'* ]]
    printf 'u|v\nw|x\n' > f
    [ "$(pm-count --from=csv --delimiter='|' f)" = 1 ]
    printf 'u\tv\t1\nw\tx\t0x1p1\n' > f
    [ "$(pm-count --from=csv --delimiter=tab f)" = $'2\t0' ]
    printf '1,2\n2,3\n3,4\n4,1\n' > f
    [ "$(pm-count --from=csv --graph f)" = 2 ]
    printf 'a,b\na,b\n' > f
    [ "$(pm-count --from=csv --duplicates=sum f)" = 2 ]
    [ "$(pm-count --from=csv --duplicates=ignore f)" = 1 ]
    bad f '2: duplicate edge (first at line 1)' --from=csv
}

@test "csv: a first line that could be a header" {
    printf 'from,to\na,x\nb,y\n' > f
    run -0 --separate-stderr pm-count --from=csv f
    [ "$output" = 1 ]
    [[ "$stderr" == *"could be a header"* ]]
    run -0 --separate-stderr pm-count --from=csv --header=no f
    [ -z "$stderr" ]
    run -0 --separate-stderr pm-dm --stats --from=csv --header=yes f
    [ -z "$stderr" ]
    [[ "${lines[1]}" == 2$'\t'2$'\t'* ]]
}

@test "csv: bad tables" {
    printf 'a,b,w\nc,d,\n' > f
    bad f '2: expected a finite number' --from=csv
    printf 'a,b,1\nc,d\n' > f
    bad f '2: expected 3 columns as in the first line, found 2' --from=csv
    printf 'a,"b\nc,d\n' > f
    bad f '2: the input ends inside quotes, which begin at line 1' --from=csv
    printf 'a,"b"c\n' > f
    bad f '1: expected the delimiter after a closing quote' --from=csv
    printf 'a,b\n,c\n' > f
    bad f '2: expected the name of a vertex in column 1' --from=csv
    printf 'a,b,c,d\n' > f
    bad f '1: expected 2 or 3 columns (left, right and perhaps weight), found 4; --columns=' --from=csv
    bad f "1: expected a column named 'x'" --from=csv --columns=a,x
    bad f '1: expected a column 9, found 4 columns' --from=csv --columns=1,9
    printf 'a b\n' > f
    bad f '1: expected a table with a comma' --from=csv
    printf 'from,to\n' > f
    bad f '1: expected an edge after the header' --from=csv --header=yes
}

@test "options of tables need tables" {
    for option in --columns=1,2 --delimiter=, --header=yes; do
        refuses 64 'needs --from=csv' "$option" /dev/null
        refuses 64 'needs --from=csv' --from=edges "$option" /dev/null
    done
    refuses 64 'LEFT,RIGHT' --from=csv --columns=1 /dev/null
    refuses 64 'LEFT,RIGHT' --from=csv --columns=1,2,3,4 /dev/null
    refuses 64 'LEFT,RIGHT' --from=csv --columns=a,a /dev/null
    refuses 64 'LEFT,RIGHT' --from=csv --columns=0,1 /dev/null
    refuses 64 'neither tab' --from=csv --delimiter=ab /dev/null
    refuses 64 'neither tab' --from=csv --delimiter= /dev/null
    refuses 64 'neither yes nor no' --from=csv --header=perhaps /dev/null
    printf 'a,b\n' > f
    refuses 64 'expected numbers of columns where there is no header, found names' --from=csv --header=no --columns=a,b f
}

@test "npy: matrices and batches, recognised by content" {
    npy '|u1' '(2, 2)' '\1\2\3\4' > a.npy
    [ "$(pm-count a.npy)" = 10 ]
    [ "$(pm-count < a.npy)" = 10 ]
    [ "$(gzip -c a.npy | pm-count)" = 10 ]
    [ "$(pm-count -H a.npy)" = $'10\ta.npy' ]
    [ "$(pm-count --transpose --pattern a.npy)" = 2 ]
    npy '|b1' '(2, 2, 2)' '\1\1\1\1\1\0\0\1' > b.npy
    [ "$(pm-count -H b.npy)" = $'2\tb.npy:1\n1\tb.npy:2' ]
    npy '|u1' '(2, 2)' '\0\5\5\0' > g.npy
    [ "$(pm-count --graph g.npy)" = 5 ]
}

@test "npy: bad arrays" {
    npy '|u1' '(2, 2)' '\1\2\3' > f
    bad f ' the input ends after 3 bytes'
    npy '|u1' '(2, 2)' '\1\2\3\4\5' > f
    bad f ' expected the end of the input'
    npy '<f2' '(1, 2)' '\0\74\0\176' > f
    bad f ' row 1, column 2: expected a finite number, not nan'
    npy '|O' '(1, 1)' 'x' > f
    bad f ' found one of Python objects'
    npy '|u1' '(1,)' 'x' > f
    bad f ' expected a matrix (2 dimensions) or a batch of matrices (3), not an array of 1'
    npy '<f8' '(4294967296, 4294967296)' > f
    bad f ' expected an array of less than 2^63 bytes'
    npy '|u1' '(2147483647, 2147483647)' > f
    bad f ' the input ends after 0 bytes'
    npy '<f8' '(2, 2)' | head -c 100 > f
    bad f ' the input ends after'
    printf '1 1\n2 2\n3 3\n' > f
    bad f ' expected a NumPy array' --from=npy
    bad f ' expected a zip archive' --from=npz
    printf 'PK\3\4abc' > f
    bad f ' zip archive cut short or damaged'
    printf 'PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' > f
    bad f ' expected arrays, found an empty archive'
    npy '|u1' '(2, 2)' '\0\1\2\0' > f
    bad f ' row 1, column 2 differs' --graph
}

# npz NAME... : the arrays [[1 2][3 4]] (10), [[1 1][1 1]] (2), ... of these names, not compressed
npz() {
    python3 - "$@" << 'END' > f.npz
import struct, sys, zipfile, io
out = io.BytesIO()
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
    for k, name in enumerate(sys.argv[1:]):
        head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }\n"
        elements = bytes([1, 2, 3, 4]) if k % 2 == 0 else bytes([1, 1, 1, 1])
        z.writestr(name + ".npy", b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head + elements)
sys.stdout.buffer.write(out.getvalue())
END
}

@test "--array: some arrays of an archive, in the order of the file" {
    command -v python3 > /dev/null || skip "no python3"
    npz a b c
    [ "$(pm-count f.npz)" = $'10\n2\n10' ]
    [ "$(pm-count --array=b f.npz)" = 2 ]
    [ "$(pm-count -H --array=c --array=b --array=b f.npz)" = $'2\tb\n10\tc' ]
    [ "$(pm-dm --array=b f.npz | pm-count)" = 2 ]
    [ "$(pm-count --from=npz --array=a - < f.npz)" = 10 ]
    bad f.npz " there is no array 'x' in the archive: it has 'a', 'b', 'c'" --array=a --array=x
    bad f.npz " there is no array 'a.npy' in the archive" --array=a.npy
    npz $(seq 1 200)
    bad f.npz ', ... (200 in all)' --array=x
    printf '1 1\n' > f
    bad f ' expected an archive of arrays (npz)' --array=a
    refuses 64 '--array is for npz' --array=a --from=edges f
    refuses 64 'the argument is empty' --array= f.npz
    refuses 64 'at most 256 arrays' $(seq -f --array=%.0f 257) f.npz
}

@test "lines that end with a carriage return alone" {
    local text='found a carriage return alone'
    printf '1,1\r2,2\r' > f
    bad f "1: expected lines that end with a line feed, $text" --from=csv
    printf '"1","1"\r"2","2"\r' > f
    bad f "$text" --from=csv
    printf '1 2\r3 4\r' > f
    bad f "$text" --from=dense --saturate
    bad f "$text"
    printf '# list\r1 2\r3 4\r' > f
    bad f "$text"
    printf '"a\rb",1\r\nc,2\r\n' > f
    [ "$(pm-count -q --from=csv f)" = 1 ]
}

@test "lines that end with two carriage returns: refused, no label ends with one" {
    local text='found more carriage returns: remove them'
    for line in 'a x' $'a\tx' '1 1' '1 1 5' '# c' '' '%%MatrixMarket matrix coordinate pattern general'; do
        printf '%s\r\r\nb y\r\r\n' "$line" > f
        bad f "1: expected lines that end with a line feed, or one carriage return and a line feed, $text"
    done
    { seq 100000 | awk '{ print $1, $1 "\r" }'; printf '7 8\r\r\n'; } > f # many lines are read at once
    bad f "100001: expected lines that end with a line feed, or one carriage return and a line feed, $text"
    printf '"a","x"\r\r\n"b","y"\r\n' > f
    bad f "$text" --from=csv
    printf '"a\r","x"\r\n"b","y"\r\n' > f
    bad f "the invisible character U+000D at an end of" --from=csv
}

@test "one number in two spellings as labels: a line says so" {
    for two in '.5 0.5' '1 01' '1 1.0' '16 0x10' '.5 5e-1' '0x1p-1 .5'; do
        # shellcheck disable=SC2086 # two words
        printf '%s x\n%s y\n' $two > f
        run -0 --separate-stderr pm-count f
        [[ "$stderr" == "pm-count: f: read with '${two% *}' in line 1 and '${two#* }' in line 2 as the names of two rows; "* ]]
    done
    printf 'a x .5\nb y 0.5\n' > f # weights are numbers
    run -0 --separate-stderr pm-count f
    [ "$stderr" = "" ]
}

@test "csv: names of columns that look like numbers" {
    printf 'i,j,value\n1,1,2\n2,2,3\n' > f
    [ "$(pm-count --from=csv f)" = 6 ]
    printf 'inf,nan,value\n1,1,2\n2,2,3\n' > f
    [ "$(pm-count --from=csv f)" = 6 ]
    printf 'i,j\n1,1\n2,2\n' > f
    [ "$(pm-count --from=csv f)" = 1 ]
    printf 'a,b,nan\nc,d,3\n' > f
    bad f '1: expected a finite number' --from=csv
}

@test "csv: a bad table gets one line" {
    printf 'a,b\na,b\n' > f
    bad f 'duplicate edge' --from=csv
}

@test "csv: delimiters" {
    printf 'Smith, A;cook\nSmith, A;clean\nJones, B;cook\nJones, B;drive\n' > f
    bad f 'both cut every line into 2 columns; --delimiter=CHAR' --from=csv --saturate
    [ "$(pm-count --from=csv --saturate '--delimiter=;' f)" = 3 ]
    printf 'Smith, A;cook;1\nSmith;clean;2\n' > f
    [ "$(pm-count --from=csv f | cut -f 1)" = 2 ]
    printf '"a\nb",x\nc,y\n' > f
    [ "$(pm-count --from=csv f)" = 1 ]
    printf '"a,b\nc,y\n' > f
    bad f 'inside quotes, which begin at line 1' --from=csv
    printf 'a;x;2,5\n' > f
    bad f "not '2,5': write a decimal point" --from=csv
}

@test "csv: a header is never dropped silently" {
    printf 'ann,cook,NA\nbob,clean,3\n' > f
    bad f "1: expected a finite number, not 'NA'" --from=csv
    printf 'a,x,q\nb,y,1\n' > f
    run -0 --separate-stderr pm-count --from=csv f
    [ "$output" = 1 ]
    [[ "$stderr" == *'read with line 1 as a header, but it could be an edge'*'--header=no)' ]]
    run -0 --separate-stderr pm-count --from=csv --header=yes f
    [ -z "$stderr" ]
    printf 'from,to,weight\na,x,3\n' > f
    run -0 --separate-stderr pm-count --from=csv f
    [ -z "$stderr" ]
    run -0 --separate-stderr pm-count --from=csv -v f
    [[ "$stderr" == *'line 1 is the header'* ]]
    printf 'from,to\n' > f
    bad f 'expected an edge after the header, found none' --from=csv
    [ "$(pm-count --from=csv --header=no f)" = 1 ]
}

@test "npy: an adjacency matrix, a batch, names of archives" {
    npy '|b1' '(2, 2)' '\0\1\1\0' > a.npy
    run -0 --separate-stderr pm-count a.npy
    [[ "$output $stderr" == '1 '*'symmetric without a diagonal'* ]]
    npy '|b1' '(2, 2, 2)' '\1\0\0\1\0\1\1\0' > b.npy
    run -0 --separate-stderr pm-count b.npy
    [[ "$stderr" == *'b.npy: matrix 2: read as a matrix'*'symmetric without a diagonal'* ]]
    npy '|b1' '(0, 3, 3)' '' > b.npy
    run -0 --separate-stderr pm-count b.npy
    [[ -z "$output" && "$stderr" == *'b.npy: read as a batch of 0 matrices'* ]]
    npy '|b1' '(2, 2, 2)' '\0\1\1\0\1\1\0\0' > b.npy
    bad b.npy 'matrix 2: expected a symmetric matrix' --graph
}

@test "dense: empty lines between rows may separate matrices" {
    printf '\n1 2\n3 4\n\n' > f
    run -0 --separate-stderr pm-count --from=dense f
    [[ "$output" == 10 && -z "$stderr" ]]
    printf '1 2\n\n3 4\n' > f
    run -0 --separate-stderr pm-count --from=dense f
    [ "$output" = 10 ]
    [[ "$stderr" == 'pm-count: f: read as one matrix of 2 x 2, although there are empty lines'* ]]
    [ "${#stderr_lines[@]}" -eq 1 ]
    run -0 --separate-stderr pm-count --from=dense -q f
    [[ "$output" == 10 && -z "$stderr" ]]
}

@test "npy, npz: a graph given by one triangle" {
    local above='\0\3\0\2\0\0\5\0\0\0\0\7\0\0\0\0' below='\0\0\0\0\3\0\0\0\0\5\0\0\2\0\7\0' half
    for half in above below; do
        npy '|u1' '(4, 4)' "${!half}" > f.npy # a ring: 3 * 7 + 2 * 5
        run -0 --separate-stderr pm-count f.npy
        [[ "$output" == 0 && "$stderr" == *"all entries are $half the diagonal"*'--graph'* ]]
        run -0 --separate-stderr pm-count --graph f.npy
        [[ "$output" == 31 && -z "$stderr" ]]
        run -0 --separate-stderr pm-count --graph -v f.npy
        [[ "$stderr" == *"all edges given $half the diagonal"* ]]
        command -v python3 > /dev/null || continue
        python3 -c 'import zipfile; zipfile.ZipFile("f.npz", "w").write("f.npy")'
        run -0 --separate-stderr pm-count --graph f.npz
        [[ "$output" == 31 && -z "$stderr" ]]
    done
    npy '|u1' '(4, 4)' '\1\3\0\2\0\0\5\0\0\0\0\7\0\0\0\0' > f.npy
    bad f.npy 'row 1, column 2 differs from row 2, column 1' --graph
    npy '|u1' '(4, 4)' '\0\3\0\2\0\0\5\0\0\5\0\7\0\0\0\0' > f.npy
    bad f.npy 'row 1, column 2 differs from row 2, column 1' --graph
}

@test "mtx: unsigned-integer, as SciPy writes it" {
    local head='%%%%MatrixMarket matrix coordinate unsigned-integer'
    printf "$head general\n2 2 3\n1 1 18446744073709551615\n2 2 2\n1 2 7\n" > f
    [ "$(pm-count f)" = 36893488147419103230 ]
    [[ "$(pm-count --json f)" == *'"field":"integer"'* ]]
    printf "$head symmetric\n2 2 1\n2 1 3\n" > f
    [ "$(pm-count --graph f)" = 3 ]
    printf "$head general\n1 1 1\n1 1 -2\n" > f
    bad f "3: expected a number from 0 in an unsigned matrix, not '-2'"
    printf "$head general\n1 1 1\n1 1 2.5\n" > f
    bad f "3: expected an integer, not '2.5'"
    printf '%%%%MatrixMarket matrix array unsigned-integer general\n1 2\n3\n4\n' > f
    [ "$(pm-count --saturate f)" = 7 ]
}

@test "edge lists: one real weight anywhere makes all of them real" {
    seq 9 | sed 's/.*/& & 2/' > integers
    [[ "$(pm-count --json integers)" == *'"field":"integer"'* ]]
    sed '8s/2$/2.0/' integers > reals
    [[ "$(pm-count --json reals)" == *'"field":"real"'* ]]
    run -64 pm-count --mod=7 reals
    [[ "$output" == *"expected integers for a count modulo 7, found real or complex weights"* ]]
}

@test "csv: a ring of names without a header" {
    printf 'Ann,Bob\nBob,Cat\nCat,Dan\nDan,Ann\n' > f
    run -0 --separate-stderr pm-count --from=csv f
    [[ "$output" == 1 && "$stderr" == *"row 'Bob' and column 'Bob' are different"* ]]
    [ "${#stderr_lines[@]}" -eq 1 ]
    run -0 --separate-stderr pm-count --from=csv --bipartite f
    [[ "$output" == 1 && -z "$stderr" ]]
    run -0 --separate-stderr pm-count --from=csv --graph f
    [[ "$output" == 2 && -z "$stderr" ]]
    # a header: the doubt about two sides comes first, since it changes the count
    printf 'from,to\nAnn,Bob\nBob,Cat\nCat,Dan\nDan,Ann\n' > f
    run -0 --separate-stderr pm-count --from=csv f
    [[ "$output" == 1 && "$stderr" == *'are different vertices'* ]]
    run -0 --separate-stderr pm-count --from=csv --graph f
    [[ "$output" == 2 && "$stderr" == *'could be a header: its labels are in no other line'* ]]
    run -0 --separate-stderr pm-count --from=csv --graph --header=yes f
    [[ "$output" == 2 && -z "$stderr" ]]
}

@test "csv: a matrix is another format" {
    local text='a matrix of numbers, without names, is another format (--from=dense)'
    printf '1,0,2,3\n0,1,1,1\n' > f
    bad f "found 4; --columns=LEFT,RIGHT[,WEIGHT] chooses them; $text" --from=csv
    printf ',a,b\nx,0,1\ny,1,0\n' > f
    local numbered='; if column 1 numbers the rows, the edges are in other columns'
    numbered+='; --columns=LEFT,RIGHT[,WEIGHT] chooses them'
    bad f "1: expected the name of a vertex in column 1, found nothing$numbered; $text" --from=csv
    printf ',left,right\n0,a,5\n1,b,6\n' > f # pandas.DataFrame.to_csv
    bad f "found nothing$numbered" --from=csv
    [ "$(pm-count --from=csv --columns=left,right f)" = 1 ]
    printf 'a,x\n,y\n' > f
    run -65 --separate-stderr pm-count --from=csv f
    [ "$stderr" = 'pm-count: f:2: expected the name of a vertex in column 1, found nothing' ]
}
