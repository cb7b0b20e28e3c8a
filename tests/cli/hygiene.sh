#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rooms of src: who may include what (doc/architecture.md), and a few rules of the sources.
. "${srcdir:?}/tests/support/tap.sh"
library=$(cd "${top_builddir:?}" && pwd)/libpm.a
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$srcdir" || exit 99

# ROOM: the rooms it may use, besides itself.
rooms='
core: cuda
number: core
matrix: number core
expression: matrix number core
text: number core
ledger: text number core
edges: text matrix number core
io: edges text expression matrix number core
csv: edges text io expression matrix number core
arrays: edges text io expression matrix number core
dm: matrix number core
reduce: dm matrix number core
general: reduce dm matrix number core
expand: expression general reduce dm matrix number core
order: reduce matrix number core
gpu: core
algorithm: gpu reduce matrix ledger number core
sweep: algorithm gpu order reduce matrix ledger number core
dense: sweep algorithm gpu order reduce matrix ledger number core
sparse: sweep algorithm gpu order reduce matrix ledger number core
repeated: dense sweep algorithm gpu order reduce matrix ledger number core
product_tree: sweep algorithm gpu order reduce matrix ledger number core
hafnian: cuda algorithm gpu reduce matrix ledger number core
copies: repeated dense sweep algorithm gpu order reduce matrix ledger number core
frontier: cuda algorithm gpu order reduce matrix ledger number core
masks: cuda frontier algorithm gpu order reduce matrix ledger number core
glynn: algorithm reduce matrix ledger number core
necklace: cuda sweep algorithm gpu order reduce matrix ledger number core
rook: algorithm order reduce matrix ledger number core
layers: algorithm reduce matrix ledger number core
elimination: reduce dm matrix number core
planar: elimination general algorithm reduce dm matrix ledger number core
planner: copies hafnian masks general glynn layers planar rook necklace frontier product_tree repeated sparse dense sweep algorithm gpu order reduce dm matrix ledger number core
integers: dm expression matrix number core
count: integers planner copies hafnian masks general glynn layers planar rook necklace frontier product_tree repeated sparse dense sweep algorithm gpu order reduce dm matrix ledger number core
calibration: count algorithm gpu matrix number core
spmv: cuda algorithm gpu matrix ledger number core
sampler: cuda spmv algorithm gpu matrix ledger number core
degree: cuda sampler gpu matrix ledger number core
scaling: cuda sampler gpu matrix ledger number core
pairing: cuda sampler general reduce matrix ledger number core
spgemm: cuda spmv algorithm gpu matrix ledger number core
sinkhorn: cuda spmv sampler dm matrix number core
bounds: cuda sinkhorn spmv degree sampler algorithm general dm matrix ledger number core
bethe_estimate: bounds sinkhorn spgemm spmv sampler algorithm reduce matrix number core
beam: cuda bounds sampler gpu order matrix ledger number core
matchings: cuda beam degree sampler planar elimination general reduce dm matrix ledger number core
network: matrix number core
estimate: cuda matchings beam bethe_estimate bounds pairing scaling degree sampler count algorithm order general dm reduce expression matrix ledger number core
places: text edges matrix number core
picture: places text io dm matrix number core
process: text core
mpi: process ledger text number core
cli: mpi process gpu count algorithm general reduce dm csv text io expression matrix number core
one_picture: cli process picture places io expression matrix number core
batch: cli process expression matrix number core
checkpoint: cli mpi process ledger io text expression matrix number core
pm-count: checkpoint ledger batch one_picture cli process arrays calibration count planner frontier algorithm gpu order expand general reduce dm text io expression matrix number core
pm-dm: batch one_picture cli process picture general dm text io expression matrix number core
pm-decompose: batch cli process count algorithm planner expand general integers reduce dm text io expression matrix number core
pm-overlap: batch cli process spgemm spmv algorithm text io expression matrix number core
pm-order: batch cli process network sinkhorn count planner order reduce dm text io expression matrix number core
pm-approx: checkpoint ledger batch one_picture cli process estimate network matchings beam bounds sampler count integers algorithm order dm reduce text io expression matrix number core
pm-gen: cli process places dm text io expression matrix number core
cuda:
'

# One include a line: FILE INCLUDED
includes()
{
    find include src cuda -name '*.[ch]' -exec grep -H -o -e '^ *# *include *[<"][^>"]*' {} + \
        | sed 's/: *# *include *[<"]/ /' | sort
}

# The room of a public header is the one whose local.mk lists it.
room_of_header()
{
    grep -l -w -e "include/pm/$1" src/*/local.mk | sed 's|src/\(.*\)/local.mk|\1|'
}

public_rooms()
{
    for h in include/pm/*.h; do
        echo "$h $(room_of_header "${h##*/}")"
    done
}

headers_without_room()
{
    public_rooms | awk 'NF != 2 { print $1 " is listed by " NF - 1 " rooms, not by one" }'
}

# Rooms that a file reaches by its includes, against the table
arrows()
{
    {
        printf '%s' "$rooms" | sed -n 's/^\([a-z_-]*\):/allow \1/p'
        public_rooms | sed 's/^/header /'
        includes | sed 's/^/use /'
    } | awk '
        $1 == "allow"  { known[$2] = 1; for (i = 3; i <= NF; i++) may[$2, $i] = 1; may[$2, $2] = 1 }
        $1 == "header" { room[$2] = $3 }
        $1 == "use" {
            from = $2 in room ? room[$2] : $2
            sub("^src/", "", from); sub("/.*", "", from)
            to = $3
            if (to ~ /^pm\//)
                to = room["include/" to]
            else if (to ~ /\//) {
                sub("/.*", "", to)
                if (!(to in known)) next
            } else next
            if ((from, to) in may) next
            print $2 " (" from ") includes " $3 " (" to ")"
        }'
}

# users PATTERN ALLOWED: files that include <PATTERN> and are not ALLOWED
users()
{
    includes | awk -v what="$1" -v allowed="$2" \
        '$2 ~ what && $1 !~ allowed { print $1 " includes " $2 }'
}

# Speeds of machines, by their negative exponents of ten
foreign_constants()
{
    grep -rnE '^ *# *define +[A-Za-z_0-9]+ .*[0-9]e-[0-9]' --include='*.[ch]' include src \
        | grep -vE '^src/core/machine[.]h:|define +TOLERANCE '
}

# Tests that include a file of another folder of tests than tests/support, or the textbook methods
tests_apart()
{
    find tests -name '*.[ch]' -exec grep -H -o -e '^ *# *include *"[^"]*"' {} + \
        | sed 's/: *# *include *"/ /; s/"$//' | sort | while read -r file included; do
        case $included in
        ../* | tests/*) echo "$file includes $included" ;;
        support/* | reference/*) ;;
        */*) ! test -e "tests/$included" || echo "$file includes $included" ;;
        esac
    done
}

without_config()
{
    find src -name '*.c' | sort | while read -r f; do
        first=$(grep -m 1 -e '^#include' "$f")
        test "$first" = '#include "config.h"' || echo "$f: the first include is $first"
    done
}

without_licence()
{
    find include src tests cuda -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' \
        -o -name '*.bats' | sort | while read -r f; do
        head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$f"
    done
}

same_names()
{
    find include src -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d
}

# Types that headers and device texts define, one a line: NAME FILE
types()
{
    find include src cuda -name '*.h' -o -name '*.cuh' | sort | xargs awk '
        /^typedef [^({]*;/ && !/^typedef (struct|union|enum) / {
            name = $0; sub(/;.*/, "", name); sub(/.*[ *]/, "", name); print name, FILENAME
        }
        /^typedef [^(]*[(]/ && !/__attribute__/ {
            name = $0; sub(/^[^(]*[(][*]/, "", name); sub(/[(].*/, "", name)
            sub(/.*[ *]/, "", name); sub(/[)].*/, "", name); print name, FILENAME
        }
        /^} [a-z_0-9]+;/ { name = $2; sub(/;.*/, "", name); print name, FILENAME }
        /^struct [a-z_0-9]+ [{]/ { print $2, FILENAME }' | sort -u
}

# A device text needs these, and each of the texts that can go before it defines them.
alternatives='pm_dev_element pm_dev_ring pm_dev_warp pm_dev_word'

same_types()
{
    types | awk -v alternatives="$alternatives" '
        BEGIN { split(alternatives, list, " "); for (i in list) known[list[i]] = 1 }
        !($1 in known) { file[$1] = file[$1] " " $2; ++count[$1] }
        END { for (name in count) if (count[name] > 1) print name ":" file[name] }' | sort
}

# Functions of device texts that have the name of a type
functions_like_types()
{
    {
        types | sed 's/^/type /'
        grep -h -o -E -e '[ *]pm_[a-z_0-9]+[(]' cuda/*.cuh | sed -e 's/^./function /' -e 's/[(]$//'
    } | awk '
        $1 == "type" { is_type[$2] = 1 }
        $1 == "function" && $2 in is_type { found[$2] = 1 }
        END { for (name in found) print name }' | sort
}

# Allocations that the tests could not let fail; streams whose failures stdio does not report.  (GMP and
# igraph get functions that call the allocator.)
foreign_allocations()
{
    find src -name '*.c' ! -path src/core/alloc.c ! -path src/process/environment.c \
        ! -path src/io/igraph_memory.c -exec grep -H -n -E \
        -e '(^|[^_[:alnum:]])(malloc|calloc|realloc|strdup|strndup|asprintf|open_memstream)[(]' \
        -e 'gsl_[a-z_]*alloc[(]' {} +
}

# What a library must not do to the program that links it: end or replace it, print, read its
# environment, or change settings of the process.  (assert is allowed.  GSL's error handler is put back,
# and SIGTERM raised where METIS has caught one that was meant for the program.)
foreign_calls()
{
    nm -A -u "$library" 2>&1 | grep -v -e '^nm: .*no symbols' | grep -w \
        -e 'exit' -e '_exit' -e '_Exit' -e 'quick_exit' -e 'abort' -e 'atexit' -e 'exec[lv][ep]*' \
        -e 'fork' -e 'getenv' -e 'secure_getenv' -e 'setenv' -e 'unsetenv' -e 'putenv' -e 'clearenv' \
        -e 'printf' -e '__printf_chk' -e 'vprintf' -e '__vprintf_chk' -e 'puts' -e 'putchar' \
        -e 'perror' -e 'stdout' -e 'stderr' -e 'warnx*' -e 'errx*' -e 'setlocale' -e 'chdir' -e 'umask' \
        -e 'signal' -e 'sigaction' -e 'omp_set_[a-z_]*' -e '__gmp_set_memory_functions' -e 'nm:'
}

option_names()
{
    find src -name '*.c' ! -path 'src/process/*' ! -path 'src/cli/*' ! -path 'src/one_picture/*' ! -path 'src/batch/*' ! -path 'src/checkpoint/*' ! -path 'src/mpi/*' ! -path 'src/pm-*' ! -path src/gpu/nvrtc.c \
        -exec grep -H -n -e '"[^"]*--[a-z]' {} +
}

# Files in backquotes that the pages for readers of the code name and that are not there
missing_files()
{
    for page in HACKING.md doc/architecture.md cuda/README.md src/*/README.md; do
        grep -o -e '`[a-zA-Z0-9_./-]*[.]\(c\|h\|cuh\|sh\|mk\|md\|bats\)`' "$page" | tr -d '`' | sort -u \
            | while read -r f; do
            case $f in
            *mine.c | X_* | *X/* | .h | local.mk) continue ;; # in recipes: no real file
            esac
            test -e "$f" || test -e "${page%/*}/$f" || test -e "src/$f" || test -e "include/$f" \
                || echo "$page names $f"
        done
    done
}

rooms_without_page()
{
    for d in src/*/; do
        test -e "${d}README.md" || echo "$d"
    done
}

# What sources include right after config.h, one a line: compiled alone when the source was
included_first()
{
    find src -name '*.c' -exec awk 'FNR == 1 { count = 0 } /^#include/ && ++count == 2 { print $2 }' {} + \
        | tr -d '<>"' | sort -u
}

# The names by which headers are included
headers()
{
    find include src -name '*.h' | sed -e 's|^include/||' -e 's|^src/||' | sort
}

# The headers that no source includes first
broken_headers()
{
    included_first > "$scratch/first"
    headers | comm -13 "$scratch/first" - | while read -r h; do
        printf '#include "%s"\n' "$h" | ${COMPILE_HEADER:?} -fsyntax-only -x c - 2>&1
    done
}

empty "each room uses only those below it" "$(arrows)"
empty "each public header belongs to one room" "$(headers_without_room)"
empty "tests share what is in tests/support" "$(tests_apart)"
empty "igraph is for its helper program" "$(users '^igraph' '^src/io/igraph_read[.]c$')"
empty "libplanarity and METIS are behind their interfaces" \
    "$(users '^(planarity/|metis)' '^src/(planar/embedding|elimination/dissection)[.]c$')"
empty "CUDA is behind the device interface" "$(users '^(cuda[a-z_]*[.]h|nvrtc|cub/)' '^src/gpu/')"
empty "MPI is behind its module" "$(users '^mpi[.]h$' '^src/mpi/mpi_calls[.]c$')"
empty "zlib is for readers and writers (and named by --version)" \
    "$(users '^zlib[.]h$' '^src/(text/|arrays/zip_archive[.]c$|picture/|cli/version[.]c$)')"
empty "machine constants are in core/machine.h" "$(foreign_constants)"
empty "config.h comes first" "$(without_config)"
empty "every source names its licence" "$(without_licence)"
empty "file names are unique" "$(same_names)"
empty "type names are unique" "$(same_types)"
empty "no device function has the name of a type" "$(functions_like_types)"
empty "all memory comes from pm/alloc.h" "$(foreign_allocations)"
empty "the library leaves the process to the program" "$(foreign_calls)"
empty "the library knows no option of the programs" "$(option_names)"
empty "every room has a page" "$(rooms_without_page)"
empty "pages name files that exist" "$(missing_files)"
empty "headers compile alone" "$(broken_headers)"
done_testing
