/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beam: nanoseconds an edge and state, cv^2 of a run, and seconds of one core until the
 * standard error is 1 %: seconds a run times cv^2 times 10^4.
 *
 * A state of w words goes through three passes an edge (select, merge and, once a vertex, thin):
 * about 6 (w + 1) reads and writes of 8 bytes and no multiplication by unit entries.  Limit: a
 * copy of as many bytes, timed in the same run. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "beam/beam.h"
#include "bench.h"
#include "core/rng.h"
#include "pm/alloc.h"

static void add(pm_triples *t, int64_t i, int64_t j)
{
    pm_error err;
    must(pm_triples_add(t, i, j, 0, NULL, NULL, &err), &err);
}

static void finish(pm_triples *t, pm_matrix *a)
{
    pm_error err;
    must(pm_matrix_from_triples(t, PM_DUPLICATES_IGNORE, "bench", a, &err), &err);
    pm_triples_free(t);
}

/* Side x side cells, side even: rows are the black ones, columns the white ones. */
static void grid(int side, pm_matrix *a)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = side * side / 2, .ncols = side * side / 2};
    static const int dx[] = {0, 0, 1, -1}, dy[] = {1, -1, 0, 0};
    for (int x = 0; x < side; ++x)
        for (int y = x % 2; y < side; y += 2)
            for (int k = 0; k < 4; ++k) {
                int u = x + dx[k], v = y + dy[k];
                if (u >= 0 && v >= 0 && u < side && v < side)
                    add(&t, (x * side + y) / 2, (u * side + v) / 2);
            }
    finish(&t, a);
}

/* The union of d random permutations. */
static void regular(int n, int d, uint64_t seed, pm_matrix *a)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    int32_t *p = pm_alloc_array(n, sizeof *p);
    for (int k = 0; k < d; ++k) {
        for (int32_t i = 0; i < n; ++i) {
            int32_t j = (int32_t)pm_rng_below(&seed, (uint32_t)i + 1);
            p[i] = p[j];
            p[j] = i;
        }
        for (int32_t i = 0; i < n; ++i)
            add(&t, i, p[i]);
    }
    free(p);
    finish(&t, a);
}

static void dense(int n, double density, uint64_t seed, pm_matrix *a)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (pm_rng_unit(&seed) < density)
                add(&t, i, j);
    finish(&t, a);
}

/* ln of the number of domino tilings of a side x side board (Kasteleyn 1961); NAN: unknown. */
static double grid_count(int side)
{
    double sum = 0;
    for (int j = 1; j <= side / 2; ++j)
        for (int k = 1; k <= side / 2; ++k) {
            double x = cos(M_PI * j / (side + 1)), y = cos(M_PI * k / (side + 1));
            sum += log(4 * x * x + 4 * y * y);
        }
    return sum;
}

static double log_weight(pm_weight w)
{
    return log(w.m) + (double)w.e * M_LN2;
}

/* Runs for about so many seconds, five runs at least. */
static void measure(const char *name, const pm_matrix *a, int64_t states, double seconds,
                    double truth)
{
    pm_error err;
    pm_sampler s = {.method = &pm_sampler_beam, .a = a, .seed = 1};
    const pm_sampler_options o = {.states = states};
    const pm_run run = {.threads = 1};
    double start = processor_seconds();
    must(s.method->make(&s, &o, &run, &err), &err);
    double made = processor_seconds() - start;
    char *memory = pm_alloc_array((int64_t)s.scratch + 64, 1);
    void *scratch = memory + (64 - (uintptr_t)memory % 64);
    double mean = 0, square = 0, first = NAN, best = INFINITY;
    int runs = 0, dead = 0, least = s.is_exact ? 1 : 5;
    for (start = processor_seconds();
         runs < least || (!s.is_exact && processor_seconds() - start < seconds); ++runs) {
        double before = processor_seconds();
        double x = log_weight(s.method->draw(&s, scratch, (uint64_t)runs));
        best = fmin(best, processor_seconds() - before);
        dead += isinf(x) != 0;
        if (isnan(first) && isfinite(x))
            first = x; /* the unit of the weights, which may be beyond a double */
        x = isfinite(x) ? exp(x - first) : 0;
        mean += x;
        square += x * x;
    }
    mean /= runs;
    double cv2 = runs > 1 ? (square / runs / (mean * mean) - 1) * runs / (runs - 1) : 0;
    double got = first + log(mean);
    printf("%-16s\t%lld\t%s\t%.2f\t%.1f\t%.4f\t%d\t%d\t%.3g\t%.3g\t%.6f\t%+.2f\n", name,
           (long long)states, s.is_exact ? "exact" : "", made, (double)s.scratch / 0x1p20, best,
           runs, dead, cv2, best * cv2 * 1e4, got,
           isnan(truth) ? NAN : (exp(got - truth) - 1) / sqrt(cv2 / runs));
    fflush(stdout);
    free(memory);
    s.method->free_model(&s);
}

/* Each beam with a thousand, ten and a hundred thousand states. */
static void measure_all(const char *name, const pm_matrix *a, double seconds, double truth)
{
    for (int64_t k = 1000; k <= 100000; k *= 10)
        measure(name, a, k, seconds, truth);
}

int main(int argc, char **argv)
{
    bench_start();
    static const int sides[] = {16, 20, 24, 32};
    double seconds = argc > 1 ? atof(argv[1]) : 10;
    char name[32];
    pm_matrix a;
    puts("# graph\tstates\t\tseconds to make\tMiB\tseconds a run\truns\tdead\tcv^2\tseconds to 1 "
         "%\tln "
         "estimate\tdeviation in standard errors");
    for (size_t i = 0; i < sizeof sides / sizeof *sides; ++i) {
        snprintf(name, sizeof name, "grid %dx%d", sides[i], sides[i]);
        grid(sides[i], &a);
        measure_all(name, &a, seconds, grid_count(sides[i]));
        pm_matrix_free(&a);
    }
    for (int n = 50; n <= 200; n *= 2) {
        snprintf(name, sizeof name, "4-regular %d", n);
        regular(n, 4, 1, &a);
        measure_all(name, &a, seconds, NAN);
        pm_matrix_free(&a);
    }
    for (int d = 2; d <= 8; d *= 2) {
        snprintf(name, sizeof name, "dense 40 %.1f", d / 10.0);
        dense(40, d / 10.0, d == 2 ? 2 : 1, &a);
        measure_all(name, &a, seconds, NAN);
        pm_matrix_free(&a);
    }
    grid(200, &a);
    measure("grid 200x200", &a, 1000, seconds, grid_count(200));
    pm_matrix_free(&a);
    return 0;
}
