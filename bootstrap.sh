#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh Debian 12 to a built pmkit.
#   ./bootstrap.sh demo         shows it at work
#   ./bootstrap.sh check        runs every test
#   ./bootstrap.sh check-more   tests with sanitizers, valgrind, MPI and Python packages, kernels for every
#                               architecture, the tarball, lint and format
# Each installs the Debian packages that are missing (as root or with sudo) and builds under build/.
set -eu
export LC_ALL=C
top=$(cd "$(dirname "$0")" && pwd)
build=$top/build
jobs=$(getconf _NPROCESSORS_ONLN)
PATH=$PATH:/usr/local/cuda/bin
CFLAGS=${CFLAGS--O2 -g1} # for configure; of the data for debuggers, tests and valgrind need only the lines
export CFLAGS

build_packages='build-essential autoconf automake pkg-config zlib1g-dev libgmp-dev libgsl-dev
    libigraph-dev libplanarity-dev libmetis-dev'
test_packages='libcmocka-dev bats mandoc xz-utils gzip'
more_packages='valgrind clang-tidy clang-format'
# for tests/cli/numpy.sh, schema.sh and tutorial.sh, which skip what needs them
python_packages='python3-numpy python3-scipy python3-pandas python3-networkx python3-jsonschema jq gnuplot-nox'
mpi_packages='openmpi-bin libopenmpi-dev mpich libmpich-dev'

as_root()
{
    if test "$(id -u)" -eq 0; then
        env "$@"
    else
        sudo env "$@"
    fi
}

install_packages()
{
    missing=
    for p in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$p" 2> /dev/null) in
        'install ok installed') ;;
        *) missing="$missing $p" ;;
        esac
    done
    test -n "$missing" || return 0
    echo "installing$missing"
    as_root apt-get -qq update
    # shellcheck disable=SC2086 # a list of words
    as_root DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $missing \
        > /dev/null
}

# configure_tree NAME FLAG...: build/NAME, ready for make
configure_tree()
{
    mkdir -p "$build/$1" && cd "$build/$1" || return
    shift
    "$top/configure" -q "$@"
}

# Tests that read files of the tarball, and some programs; 'manifest' compares the tarball with git.
tarball_programs='tests/unit/unit_matrix tests/prop/prop_count'
tarball_tests="$tarball_programs tests/fuzz/replay.sh tests/cli/programs.sh
    tests/cli/known.sh tests/cli/man.sh tests/cli/registries.sh tests/cli/readme.sh tests/cli/tutorial.sh
    tests/cli/hygiene.sh"

# ---- demo ----

show()
{
    printf '\n$ %s\n' "$1"
    sh -c "$1"
}

demo()
{
    # shellcheck disable=SC2086 # lists of words
    install_packages $build_packages
    cd "$top"
    autoreconf -fi > /dev/null 2>&1
    configure_tree demo
    make -j "$jobs" all > /dev/null
    PATH=$build/demo:$PATH
    export PM_LIBEXEC="$build/demo"
    cd "$top"
    show 'pm-gen grid 8 8 | pm-count'
    show 'pm-count data/*.edges data/*.mtx'
    show 'pm-count --plan data/mycielskian6.mtx'
    show 'pm-gen cube 4 4 4 --real --seed=1 | pm-count'
    show 'pm-gen aztec 20 | pm-count --json'
    show 'pm-gen band 5 2 | pm-count --matching'
    show 'pm-gen erdos-renyi 50 0.4 --seed=1 | pm-approx'
    show 'pm-gen grid 4 4 | pm-approx --sample=1 --seed=1'
}

# ---- check and check-more: steps, each with a log of its own ----

passed=0 failed=0 skipped=0

# total KIND... of the summary lines "# KIND:  N" in the log of the step
total()
{
    awk -v kinds=" $* " '$1 == "#" && index(kinds, " " $2 " ") { n += $3 } END { print n + 0 }' "$log"
}

# step TITLE COMMAND...: run it, add up the tests that it reports; without tests it counts as one
step()
{
    title=$1
    shift
    log=$build/$(echo "$title" | tr -c 'a-z0-9\n' '-').log
    began=$(date +%s)
    status=0
    ("$@") > "$log" 2>&1 < /dev/null || status=$?
    good=$(total PASS: XFAIL:)
    bad=$(total FAIL: XPASS: ERROR:)
    left_out=$(total SKIP:)
    if test "$status" -ne 0 && test "$bad" -eq 0; then
        bad=1
    elif test $((good + bad + left_out)) -eq 0; then
        good=1
    fi
    passed=$((passed + good))
    failed=$((failed + bad))
    skipped=$((skipped + left_out))
    echo "$title: $good passed, $bad failed, $left_out skipped ($(($(date +%s) - began)) s)"
    test "$bad" -eq 0 || explain
}

explain()
{
    grep -h -e '^FAIL' -e '^ERROR' -e '^XPASS' "$log" || tail -n 40 "$log"
    echo "the whole log: $log"
}

# leave_out TITLE REASON
leave_out()
{
    echo "$1: skipped, $2"
    skipped=$((skipped + 1))
}

# finish: the last line, and the exit status
finish()
{
    echo "$passed passed, $failed failed, $skipped skipped"
    test "$failed" -eq 0
}

# with_rounds SHARE COMMAND...: that share of the rounds of random tests
with_rounds()
{
    PM_TEST_ROUNDS=$1
    export PM_TEST_ROUNDS
    shift
    "$@"
}

in_tree()
{
    cd "$build/$1" || return
    shift
    make "$@"
}

# build_and_test NAME FLAG...
build_and_test()
{
    configure_tree "$@" && make -j "$jobs" all && make -j "$jobs" check
}

# show_seconds TREE: of the slowest tests, those of all at the end of the log
show_seconds()
{
    in_tree "$1" -s show-seconds > "$build/seconds"
    cat "$build/seconds" >> "$log"
    echo 'the slowest, by the clock and of the processor:'
    head -n 10 "$build/seconds"
}

# The tree with everything that this machine can build: its name, then its flags.
full_tree()
{
    if command -v nvcc > /dev/null; then
        echo 'full --with-cuda --enable-werror'
    else
        echo 'full --without-cuda --enable-werror'
    fi
}

check()
{
    # shellcheck disable=SC2086 # lists of words
    install_packages $build_packages $test_packages
    rm -rf "$build"
    mkdir -p "$build"
    cd "$top"
    step 'autoreconf' autoreconf -fi
    # shellcheck disable=SC2046 # a list of words
    step 'all tests' build_and_test $(full_tree)
    show_seconds full
    command -v nvcc > /dev/null || leave_out 'with cuda' 'there is no nvcc'
    finish
}

# mpi_test [VARIABLE=VALUE]: of jobs of several ranks, without building the other tests
mpi_test()
{
    env "$@" make check-TESTS TESTS=tests/cli/mpi.sh check_PROGRAMS= check_LIBRARIES=
}

# mpi_tests: a tree with Open MPI, and the same programs with the module of MPICH.  The library
# libpm.a has no MPI in it and is taken from the full tree; only the other sources are compiled again.
mpi_tests()
{
    # shellcheck disable=SC2046 # a list of words
    set -- $(full_tree)
    shift
    configure_tree mpi "$@" --with-mpi=mpicc.openmpi && cp "$build/full/libpm.a" . \
        && make -j "$jobs" -o libpm.a pm-count pm-approx pm-gen pm-mpi.so && mpi_test \
        && rm pm-mpi.so && make pm-mpi.so MPICC=mpicc.mpich && mpi_test MPI_LAUNCHER=mpiexec.mpich
}

# sanitized_tests: without the GPU backend, too.  Undefined behaviour ends in SIGILL, whose place AddressSanitizer
# prints: data for messages would make each program three times as large.  A program at a fixed address needs no
# relocations.  With both, a program starts in a quarter of the time.  The .bats tests start thousands of programs and do
# not look for leaks, which takes half of the time of a start; all others do, and they start every program.
sanitized_tests()
{
    ASAN_OPTIONS=handle_sigill=1${ASAN_OPTIONS:+:$ASAN_OPTIONS}
    export ASAN_OPTIONS
    build_and_test sanitized --without-cuda --enable-werror --enable-sanitizers \
        --with-bugurl=https://example.org/bugs \
        BATS="env ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0:malloc_context_size=1 bats" \
        CFLAGS='-O1 -g1 -fno-pie -no-pie -fsanitize-undefined-trap-on-error'
}

# make_full_tree: as "check" leaves it
make_full_tree()
{
    cd "$top" || return
    test -x configure || autoreconf -fi || return
    # shellcheck disable=SC2046 # a list of words
    test -f "$build/full/Makefile" || configure_tree $(full_tree) || return
    in_tree full -j "$jobs" all
}

check_more()
{
    # shellcheck disable=SC2086 # lists of words
    install_packages $build_packages $test_packages $more_packages $python_packages $mpi_packages
    PYTHON=${PYTHON-/usr/bin/python3} # the one that has them
    export PYTHON
    mkdir -p "$build"
    XZ_OPT=-1 # of tarballs that nobody keeps
    export XZ_OPT
    step 'build' make_full_tree
    step 'python' in_tree full check TESTS='tests/cli/numpy.sh tests/cli/schema.sh'
    step 'lint' in_tree full lint
    step 'format' in_tree full check-format
    if command -v nvcc > /dev/null; then
        step 'kernels' in_tree full -j "$jobs" check-kernels
    else
        leave_out 'kernels' 'there is no nvcc'
    fi
    step 'sanitizers' with_rounds 0.1 sanitized_tests
    step 'mpi' mpi_tests
    step 'valgrind' in_tree full -j "$jobs" check-valgrind
    step 'distcheck' with_rounds 0.1 in_tree full -j "$jobs" distcheck \
        DISTCHECK_CONFIGURE_FLAGS='--without-cuda CFLAGS=-O0' TESTS="$tarball_tests" \
        check_PROGRAMS="$tarball_programs \$(FUZZ_TARGETS)"
    if git -C "$top" rev-parse --git-dir > /dev/null 2>&1; then
        step 'manifest' in_tree full check-manifest
    else
        leave_out 'manifest' 'this is no git checkout'
    fi
    finish
}

case ${1-} in
demo) demo ;;
check) check ;;
check-more) check_more ;;
*)
    echo "usage: $0 demo|check|check-more" >&2
    exit 64
    ;;
esac
