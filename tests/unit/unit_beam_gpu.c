/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The beam's kernels without a GPU: their text is compiled as C, run step by step for several runs
 * side by side, by any number of blocks, the threads in any order, and compared with the beam of
 * the CPU, bit by bit.  False alarm: none, but for kinds of beams that must have occurred; a run
 * has dozens of each, and goes on until it has one. */
#include "config.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "beam/beam_gpu_kernel.h"
#include "pm/alloc.h"
#include "sampler/weight.h"
#include "support/device_text.h"
#include "support/general_graphs.h"
#include "support/graphs.h"
#include "support/positive.h"

enum { WIDTHS = 5, RUNS = 5 };

static const int32_t widths[WIDTHS] = {1, 2, 4, 6, PM_BEAM_WORDS};
static uint64_t rng;
static void *library[WIDTHS]; /* kernels for keys of so many words */

static int below(int n)
{
    return (int)pm_rng_below(&rng, (uint32_t)n);
}

/* ---- the kernels ---- */

typedef void kernel(pm_beam_buffers g, int step, int steps, int parity, int blocks, int grid);

typedef struct {
    void *library;
    pm_beam_buffers buffers;
    int runs;
    long launches, chains;
} here;

static void *symbol(void *from, const char *name)
{
    void *found = dlsym(from, name);
    assert_non_null(found);
    return found;
}

/* The threads take turns in another order every time. */
static pm_status launch(void *context, const pm_beam_launch *l, double seconds, pm_error *err)
{
    here *h = context;
    kernel *k;
    void *found = symbol(h->library, l->kernel);
    (void)err;
    memcpy(&k, &found, sizeof k);
    *(unsigned *)symbol(h->library, "pm_odd") = 2 * (unsigned)below(128) + 1;
    *(unsigned *)symbol(h->library, "pm_offset") = (unsigned)below(256);
    assert_true(seconds >= 0 && l->blocks > 0 && l->blocks <= PM_BEAM_BLOCKS);
    k(h->buffers, l->step, l->steps, l->parity, l->blocks, l->blocks * h->runs);
    ++h->launches;
    h->chains += strcmp(l->kernel, "pm_beam_chain") == 0;
    return PM_OK;
}

/* Memory that holds other things. */
static unsigned long long room(double bytes)
{
    void *p = malloc((size_t)bytes + 8);
    assert_non_null(p);
    memset(p, 0x5a, (size_t)bytes + 8);
    return (uintptr_t)p;
}

static void release(unsigned long long address)
{
    free((void *)(uintptr_t)address);
}

/* Samples from .. from + runs - 1, as beam/beam_gpu.c draws them; run of launches and chains
 * counted. */
static void draw_here(const pm_sampler *s, const pm_beam_kernel_data *f, void *kernels,
                      uint64_t from, int runs, here *h, pm_weight *out)
{
    const pm_beam_model *m = s->model;
    double lists = (double)runs * (double)f->room * 8;
    int parity, resident = 1 + below(below(2) ? 3000 : 20);
    *h = (here){.library = kernels, .runs = runs};
    pm_beam_buffers *g = &h->buffers;
    *g = (pm_beam_buffers){.steps = (uintptr_t)f->steps,
                           .factors = (uintptr_t)f->factor,
                           .conflicts = (uintptr_t)f->conflict,
                           .thin_offsets = room((double)runs * (double)f->nsteps * 8),
                           .run_states = room(runs * (double)sizeof(pm_beam_run_state)),
                           .parts = room(runs * (double)sizeof(pm_beam_fixed) * PM_BEAM_BLOCKS),
                           .keys = room(2 * lists * f->words),
                           .weights = room(3 * lists),
                           .room = f->room,
                           .nsteps = f->nsteps,
                           .keep = f->keep};
    uint64_t *start = (uint64_t *)(uintptr_t)g->thin_offsets;
    for (int r = 0; r < runs; ++r)
        for (int64_t t = 0; t < f->nsteps; ++t)
            start[r * f->nsteps + t] = pm_beam_thin_offset_of(s, from + (uint64_t)r, t);
    assert_int_equal(pm_beam_launch_all(f, runs, resident, launch, h, &parity, NULL), PM_OK);
    const pm_beam_run_state *state = (const pm_beam_run_state *)(uintptr_t)g->run_states;
    for (int r = 0; r < runs; ++r)
        out[r] = pm_weight_make(state[r].value, m->plan.exp + state[r].exp);
    release(g->thin_offsets);
    release(g->run_states);
    release(g->parts);
    release(g->keys);
    release(g->weights);
}

/* ---- comparing ---- */

static struct {
    int beams, thinned, dead, wide, chained, stepped;
} seen;

/* Moves the bits of the keys to any places of so many words. */
static void widen(pm_beam_plan *p, int32_t words)
{
    int32_t *place = calloc((size_t)words * 64, sizeof *place);
    random_permutation(&rng, place, words * 64);
    for (int64_t t = 0; t < p->nedges; ++t) {
        p->edges[t].v_bit = place[p->edges[t].v_bit];
        p->edges[t].u_bit = place[p->edges[t].u_bit];
    }
    p->words = words;
    p->bits = 64 * words;
    free(place);
}

static void *kernels_for(int32_t words)
{
    for (int i = 0; i < WIDTHS; ++i)
        if (widths[i] == words)
            return library[i];
    fail_msg("no kernels for %d words", (int)words);
    return NULL;
}

/* The weights of runs here and there.  width > 0: keys of so many words. */
static void compare(pm_sampler *s, int width, int64_t chain)
{
    pm_beam_model *m = s->model;
    pm_beam_kernel_data f;
    pm_weight weight[RUNS];
    here h;
    int runs = 1 + below(RUNS);
    uint64_t from = pm_rng_below(&rng, 1000);
    if (width > 0) {
        widen(&m->plan, widths[width]);
        s->scratch = s->scratch * (size_t)(widths[width] + 1) + (512 << 10);
    }
    assert_int_equal(pm_beam_kernel_data_make(m, &f, NULL), PM_OK);
    assert_true(f.room <= 2 * m->limit);
    f.chain = chain;
    draw_here(s, &f, kernels_for(f.words), from, runs, &h, weight);
    void *scratch = scratch_of(s);
    for (int r = 0; r < runs; ++r) {
        pm_weight w = s->method->draw(s, scratch, from + (uint64_t)r);
        if (w.m != weight[r].m || w.e != weight[r].e)
            print_error("n %d, K %d, %d words: %a 2^%d, on the CPU %a 2^%d\n", (int)s->a->nrows,
                        (int)m->keep, m->plan.words, weight[r].m, (int)weight[r].e, w.m, (int)w.e);
        assert_true(w.m == weight[r].m && w.e == weight[r].e);
        seen.dead += w.m == 0;
    }
    seen.beams += runs;
    seen.thinned += s->is_exact ? 0 : runs;
    seen.wide += width > 0;
    seen.chained += h.chains > 0;
    seen.stepped += h.launches - h.chains > 2;
    free(scratch);
    pm_beam_kernel_data_free(&f);
}

typedef pm_status maker(const pm_matrix *a, int64_t states, uint64_t seed, pm_sampler *s);

static void compare_made(maker *make, const pm_matrix *a, int64_t states, int width, int64_t chain)
{
    pm_sampler s;
    pm_status rc = make(a, states, pm_rng_next(&rng), &s);
    if (rc == PM_UNABLE && a->field == PM_REAL)
        return; /* entries of too many magnitudes */
    assert_int_equal(rc, PM_OK);
    if (!((pm_beam_model *)s.model)->plan.has_empty_line)
        compare(&s, width, chain);
    s.method->free_model(&s);
}

static void compare_matrix(const pm_matrix *a, int64_t states, int width, int64_t chain)
{
    compare_made(make_beam, a, states, width, chain);
}

/* n x n, entries > 0. */
static void positive(pm_field field, int n, double p, pm_matrix *a)
{
    random_matrix(&rng, field, n, n, p, a);
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k) {
        if (field == PM_INTEGER)
            pm_dyadic_set_si(&a->re[k], 1 + (int64_t)pm_dyadic_mod(&a->re[k], 9));
        pm_dyadic_abs(&a->re[k]);
    }
}

static bool all_is_seen(void)
{
    return seen.thinned > 0 && seen.dead > 0 && seen.chained > 0 && seen.stepped > 0;
}

/* Step by step, in chains, and in both by turns. */
static int64_t some_chain(void)
{
    static const int64_t chains[] = {0, 20, 4096};
    return chains[below(3)];
}

static void small_beams(void **state)
{
    (void)state;
    if (!compiler)
        skip();
    for (int round = 0; test_goes_on(round, 400, all_is_seen()); ++round) {
        pm_matrix a;
        positive((pm_field)(round % 3), 1 + below(14), 0.1 + 0.8 * pm_rng_unit(&rng), &a);
        compare_matrix(&a, 1 + below(round % 4 ? 8 : 300), round % WIDTHS, some_chain());
        pm_matrix_free(&a);
    }
    printf("# %d runs, %d thinned, %d dead; %d with wide keys; chains in %d, steps in %d\n",
           seen.beams, seen.thinned, seen.dead, seen.wide, seen.chained, seen.stepped);
    assert_true(all_is_seen());
}

static double one_weight(uint64_t *random)
{
    return 1 + pm_rng_below(random, 9);
}

/* Some vertices have loops. */
static void graphs_on_one_set(void **state)
{
    (void)state;
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(120); ++round) {
        test_edges g = {.n = 1 + below(24)};
        const double p = 0.1 + 0.5 * pm_rng_unit(&rng), loops = round % 2 ? 0.3 : 0;
        pm_matrix pattern, a;
        for (int v = 0; v < g.n; ++v) {
            if (pm_rng_unit(&rng) < loops)
                test_join(&g, v, v);
            for (int u = 0; u < v; ++u)
                if (pm_rng_unit(&rng) < p)
                    test_join(&g, v, u);
        }
        test_edges_end(&g, &pattern);
        weigh_general_graph(&rng, &pattern, round % 3 ? PM_INTEGER : PM_PATTERN, one_weight, &a);
        compare_made(make_graph_beam, &a, 1 + below(round % 4 ? 8 : 300), round % WIDTHS,
                     some_chain());
        pm_matrix_free(&pattern);
        pm_matrix_free(&a);
    }
}

/* Several tiles a block, several blocks a run. */
static void larger_beams(void **state)
{
    (void)state;
    if (!compiler)
        skip();
    for (int round = 0; round < test_rounds(6); ++round) {
        pm_matrix a;
        if (round % 3 == 0)
            grid_graph(12 + below(12), 12 + 2 * below(6), &a);
        else if (round % 3 == 1)
            regular_graph(40 + below(60), 4, pm_rng_next(&rng), &a);
        else
            positive(PM_INTEGER, 20 + below(20), 0.3, &a);
        compare_matrix(&a, round % 5 < 4 ? 100 + below(2000) : 8000, round % 4 ? 0 : 1 + below(2),
                       some_chain());
        pm_matrix_free(&a);
    }
}

/* Far beyond the range of a double. */
static void large_grid(void **state)
{
    pm_matrix a;
    (void)state;
    if (!compiler)
        skip();
    grid_graph(52, 52, &a);
    compare_matrix(&a, test_size(100, 10), 0, 150);
    pm_matrix_free(&a);
}

static void one_edge(void **state)
{
    pm_matrix a;
    (void)state;
    if (!compiler)
        skip();
    positive(PM_INTEGER, 1, 1, &a);
    compare_matrix(&a, 1, 0, 0);
    compare_matrix(&a, 1, 0, 1);
    pm_matrix_free(&a);
}

/* ---- limits ---- */

static void limits(void **state)
{
    pm_matrix a;
    pm_sampler s;
    pm_beam_kernel_data f;
    pm_error err;
    (void)state;
    grid_graph(8, 8, &a);
    assert_int_equal(make_beam(&a, 10, 1, &s), PM_OK);
    pm_beam_model *m = s.model;
    pm_status rc = PM_ENOMEM;
    for (int64_t k = 1; rc; ++k) {
        pm_alloc_fail_at(k);
        rc = pm_beam_kernel_data_make(m, &f, &err);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || rc == PM_ENOMEM);
        assert_true(k > 1 || rc == PM_ENOMEM);
    }
    assert_true(pm_beam_kernel_data_bytes(&f) > 0 && pm_beam_run_bytes(&f) > (double)f.room * 8);
    pm_beam_kernel_data_free(&f);
    m->plan.words = PM_BEAM_WORDS + 2;
    assert_int_equal(pm_beam_kernel_data_make(m, &f, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "room for 1024 bits a state"));
    s.method->free_model(&s);
    pm_matrix_free(&a);
}

static int set_up(void **state)
{
    int rc = make_folder(state);
    for (int i = 0; i < WIDTHS && compiler && !rc; ++i) {
        char *text = pm_beam_text(widths[i]);
        library[i] = compile_as_c(text, 1);
        free(text);
    }
    return rc;
}

static int tear_down(void **state)
{
    for (int i = 0; i < WIDTHS; ++i)
        if (library[i])
            dlclose(library[i]);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_edge),          cmocka_unit_test(small_beams),
        cmocka_unit_test(graphs_on_one_set), cmocka_unit_test(larger_beams),
        cmocka_unit_test(large_grid),        cmocka_unit_test(limits),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
