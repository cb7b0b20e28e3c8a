/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier's kernels without a GPU: their text is compiled as C, run step by step over random
 * frontier programs, and compared with the rank engine, bit by bit. */
#include "config.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "algorithm/narrow_moduli.h"
#include "core/machine.h"
#include "frontier/frontier_gpu_kernel.h"
#include "frontier/frontier_gpu_text.h"
#include "frontier/frontier_rank.h"
#include "frontier/frontier_rounds.h"
#include "gpu/gpu.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "support/device_text.h"
#include "support/matrices.h"
#include "support/orders.h"

static uint64_t rng;

/* ---- the kernels ---- */

typedef void kernel(const pm_dev_frontier_step *step, const pm_dev_frontier_digit *digits,
                    const long long *tables, long long *scratch, const void *constants,
                    const void *old, void *out, long long first, long long past, long long blocks,
                    long long *cells);

typedef struct {
    void *library;
    kernel *pull, *pull_weighted, *sort, *tables;
} kernels;

static kernel *find(void *library, const char *name)
{
    kernel *k;
    void *symbol = dlsym(library, name);
    assert_non_null(symbol);
    memcpy(&k, &symbol, sizeof k);
    return k;
}

static kernels load(const pm_ring *ring)
{
    char *text = pm_flat_text(ring);
    assert_non_null(text);
    void *library = compile_as_c(text, 1);
    free(text);
    return (kernels){library, find(library, "pm_frontier_pull"),
                     find(library, "pm_frontier_pull_weighted"), find(library, "pm_frontier_sort"),
                     find(library, "pm_frontier_tables")};
}

/* As frontier/frontier_gpu_device.c runs a program; every round in two launches, the later one first,
 * and over memory that holds other things. */
static void run_here(const kernels *k, const pm_frontier_program *p, const pm_flat_program *f,
                     const pm_ring *ring, void *value)
{
    long long *scratch = malloc((size_t)f->scratch * 8 + 8), *cells = malloc(48 << 10);
    int64_t size = ring->value_bytes;
    char *levels = malloc((size_t)(p->room * size));
    memset(levels, 0x5a, (size_t)(p->room * size));
    ring->one(ring, levels + p->levels[0].offset * size);
    for (int32_t i = 0; i < f->nsteps; ++i) {
        const pm_dev_frontier_step *s = &f->steps[i];
        const char *old = levels + p->levels[i].offset * size;
        char *out = levels + p->levels[i + 1].offset * size;
        kernel *go = s->is_permutation ? k->sort : s->is_weighted ? k->pull_weighted : k->pull;
        pm_frontier_rounds rounds = pm_frontier_rounds_of(p, i);
        if (s->is_permutation)
            k->tables(s, f->digits, f->table, scratch, ring->constants, old, out, 0, 0,
                      pm_flat_table_blocks(s), NULL);
        for (int64_t begin, end; pm_frontier_rounds_next(&rounds, &begin, &end);) {
            int64_t blocks = pm_flat_blocks(s, end - begin), split = blocks / 3;
            go(s, f->digits, f->table, scratch, ring->constants, old, out, begin + split * s->chunk,
               end, blocks - split, cells);
            go(s, f->digits, f->table, scratch, ring->constants, old, out, begin, end, split,
               cells);
        }
    }
    memcpy(value, levels + p->levels[p->nsteps].offset * size, (size_t)size);
    free(levels);
    free(scratch);
    free(cells);
}

/* ---- frontier programs ---- */

/* Blocks and batches of any size. */
static void reshape(pm_flat_program *f)
{
    for (int32_t i = 0; i < f->nsteps; ++i) {
        pm_dev_frontier_step *s = &f->steps[i];
        if (pm_rng_below(&rng, 3) == 0)
            s->chunk = 1 + (int)pm_rng_below(&rng, s->states < 500 ? 20 : 2000);
        if (pm_rng_below(&rng, 3) == 0)
            s->batch = 1 + (int)pm_rng_below(&rng, 32);
    }
}

static pm_ring *make_ring(const pm_block *b, const uint64_t *moduli, int lanes, bool is_narrow)
{
    pm_ring *ring;
    pm_status rc = b->a.field == PM_COMPLEX ? pm_ring_complex(b, &ring, NULL)
                   : b->a.field == PM_REAL  ? pm_ring_real(b, &ring, NULL)
                   : is_narrow              ? pm_ring_narrow(b, moduli, lanes, &ring, NULL)
                                            : pm_ring_residues(b, moduli, lanes, &ring, NULL);
    assert_int_equal(rc, PM_OK);
    return ring;
}

/* The value by the rank engine; residues one after the other, with words of 64 bits. */
static void expected(const pm_block *b, const pm_frontier_program *p, const uint64_t *moduli,
                     int lanes, char *value)
{
    pm_run run = {.threads = 1};
    int count = b->a.field <= PM_INTEGER ? lanes : 1;
    for (int i = 0; i < count; ++i) {
        pm_ring *ring = make_ring(b, moduli + i, 1, false);
        assert_int_equal(pm_frontier_rank_run(p, ring, &run, 0, 1, value, NULL), PM_OK);
        value += ring->value_bytes;
        ring->free(ring);
    }
}

/* The same by the rank engine with narrow residues side by side. */
static void assert_narrow_on_cpu(const pm_frontier_program *p, const pm_ring *ring,
                                 const void *value)
{
    pm_run run = {.threads = 1};
    char again[64];
    assert_int_equal(pm_frontier_rank_run(p, ring, &run, 0, 1, again, NULL), PM_OK);
    assert_memory_equal(value, again, (size_t)ring->value_bytes);
}

static int steps_run, permutations_run, twins_run;
static int in_place_run[3]; /* of each kind of step */

/* Compare residues, or all bytes of an inexact number. */
static void assert_same(const pm_ring *ring, const void *value, const void *wanted)
{
    uint64_t r[8];
    if (!ring->lanes) {
        assert_memory_equal(value, wanted, (size_t)ring->value_bytes);
        return;
    }
    ring->finish(ring, value, 0, NULL, r);
    assert_memory_equal(r, wanted, (size_t)ring->lanes * sizeof *r);
}

static void check(const pm_block *b, bool is_searched, bool in_place, const kernels *k,
                  const uint64_t *moduli, int lanes, bool is_narrow)
{
    pm_block_graph g;
    pm_vertex_order o;
    pm_frontier_program p, apart;
    pm_flat_program f;
    char here[64], there[64];
    assert_int_equal(pm_block_graph_make(b, &g, NULL), PM_OK);
    if (is_searched) {
        assert_int_equal(pm_vertex_order_search(&g, 1, 1e-9, no_limits, NULL, &o, NULL), PM_OK);
    } else {
        assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
        random_order(&rng, &g, &o);
    }
    assert_int_equal(pm_frontier_program_compile(&g, &o, 1, in_place, &p, NULL), PM_OK);
    assert_int_equal(pm_frontier_program_compile(&g, &o, 1, false, &apart, NULL), PM_OK);
    assert_int_equal(p.is_zero, apart.is_zero);
    if (!p.is_zero) {
        pm_ring *ring = make_ring(b, moduli, lanes, is_narrow);
        assert_int_equal(pm_flat_make(&p, &f, NULL), PM_OK);
        reshape(&f);
        run_here(k, &p, &f, ring, here);
        expected(b, &apart, moduli, lanes, there);
        assert_same(ring, here, there);
        if (is_narrow)
            assert_narrow_on_cpu(&p, ring, here);
        for (int32_t i = 0; i < p.nsteps; ++i)
            in_place_run[p.steps[i].kind] += p.steps[i].in_place;
        steps_run += f.nsteps;
        permutations_run += p.permuted > 0;
        twins_run += !g.all_single;
        pm_flat_free(&f);
        ring->free(ring);
    }
    pm_frontier_program_free(&p);
    pm_frontier_program_free(&apart);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
}

/* Every block of a random matrix, classes of twins and all. */
static void check_matrix(pm_field field, int n, double p, bool is_searched, const kernels *k,
                         const uint64_t *moduli, int lanes, bool is_narrow)
{
    pm_matrix a;
    pm_reduced r = {0};
    pm_reduce_options steps = {.blocks = true, .twins = true};
    random_matrix(&rng, field, n, n, p, &a);
    assert_int_equal(pm_reduce(&a, &steps, NULL, &r, NULL), PM_OK);
    for (int64_t i = 0; i < r.nblocks && !r.zero; ++i)
        if (r.blocks[i].a.field == field && (field == PM_PATTERN) == !r.blocks[i].a.re)
            for (int in_place = 0; in_place <= (field <= PM_INTEGER); ++in_place)
                check(&r.blocks[i], is_searched, in_place, k, moduli, lanes, is_narrow);
    pm_reduced_free(&r);
    pm_matrix_free(&a);
}

static void check_field(pm_field field, const uint64_t *m, int lanes, bool is_narrow)
{
    pm_matrix one;
    pm_block b;
    random_matrix(&rng, field, 3, 3, 1, &one);
    as_block(&one, &b);
    pm_ring *ring = make_ring(&b, m, lanes, is_narrow);
    kernels k = load(ring);
    for (int i = 0; i < test_rounds(25); ++i)
        check_matrix(field, 2 + (int)pm_rng_below(&rng, 8), 0.2 + 0.6 * pm_rng_unit(&rng), false,
                     &k, m, lanes, is_narrow);
    for (int i = 0; i < test_rounds(2); ++i)
        check_matrix(field, 20 + (int)pm_rng_below(&rng, 4), 0.2 + 0.08 * pm_rng_unit(&rng), true,
                     &k, m, lanes, is_narrow);
    ring->free(ring);
    pm_block_free(&b);
    pm_matrix_free(&one);
    dlclose(k.library);
}

/* The largest prime below `most`, smaller primes and other numbers. */
static void make_moduli(uint64_t most, uint64_t *m)
{
    m[0] = pm_prime_below(most);
    for (int i = 1; i < 8; ++i) /* below 4 there are two primes */
        m[i] = i % 3 ? pm_prime_below(m[i - 1]) : 4 + pm_rng_below(&rng, 1000);
}

static void all_fields(void **state)
{
    (void)state;
    static const int lanes_of[] = {1, 2, 3, 5, 8};
    if (!compiler)
        skip();
    for (int round = 0; round < 9; ++round) {
        pm_field field = round < 7 ? (pm_field)(round % 2) : round == 7 ? PM_REAL : PM_COMPLEX;
        int lanes = round < 7 ? lanes_of[round % 5] : 1;
        uint64_t m[8];
        make_moduli(PM_MODULUS_MAX, m);
        check_field(field, m, lanes, false);
    }
    printf("# %d steps, %d programs with permutations, %d with twins\n", steps_run,
           permutations_run, twins_run);
    printf("# in place: %d vertices, %d swaps, %d drops\n", in_place_run[PM_STEP_VERTEX],
           in_place_run[PM_STEP_PERMUTE], in_place_run[PM_STEP_DROP]);
    assert_true(steps_run > 0);
    assert_true(steps_run < 1000 || in_place_run[PM_STEP_VERTEX] > 0);
}

static void narrow_residues(void **state)
{
    (void)state;
    static const int lanes_of[] = {1, 2, 3, 8};
    if (!compiler)
        skip();
    for (int round = 0; round < 6; ++round) {
        uint64_t m[8];
        make_moduli(UINT64_C(1) << 31, m);
        if (round == 4)
            m[0] = 1;
        check_field((pm_field)(round % 2), m, lanes_of[round % 4], true);
    }
}

/* The primes of a job multiply to more than its bound, and give back its residues. */
static void narrow_moduli(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_block b = {0};
        pm_narrow_moduli w;
        uint64_t moduli[8], wanted[8], got[8], *found;
        double bits = 0;
        pm_job job = {.block = &b, .moduli = moduli, .independent = round % 2};
        job.nmoduli = 1 + (int)pm_rng_below(&rng, 8);
        make_moduli(round % 5 ? PM_MODULUS_MAX : UINT64_C(1) << 31, moduli);
        b.log2_bound = round % 3 ? 400 * pm_rng_unit(&rng) : 1000 * (double)pm_rng_below(&rng, 20);
        assert_int_equal(pm_narrow_moduli_make(&job, &w, NULL), PM_OK);
        assert_int_equal(w.n, pm_narrow_moduli_needed(&job));
        for (int i = 0; i < w.n; ++i) {
            assert_true(w.m[i] < UINT64_C(1) << 31);
            bits += log2((double)w.m[i]);
        }
        assert_true(w.are_of_job || bits > b.log2_bound + 1);
        mpz_t z; /* any value within the bound, of either sign */
        mpz_init(z);
        for (int k = (int)b.log2_bound; k > 0; --k)
            mpz_mul_2exp(z, z, 1), mpz_add_ui(z, z, pm_rng_below(&rng, 2));
        if (round % 2)
            mpz_neg(z, z);
        found = malloc((size_t)w.n * sizeof *found);
        for (int i = 0; i < w.n; ++i)
            found[i] = mpz_fdiv_ui(z, w.m[i]);
        for (int i = 0; i < job.nmoduli; ++i)
            wanted[i] = mpz_fdiv_ui(z, moduli[i]);
        pm_narrow_moduli_finish(&job, &w, found, got);
        assert_memory_equal(got, wanted, (size_t)job.nmoduli * sizeof *got);
        mpz_clear(z);
        free(found);
        pm_narrow_moduli_free(&w);
    }
}

/* As many as may be used: none has fewer bits than is counted on; and not more than those. */
static void many_narrow_moduli(void **state)
{
    (void)state;
    pm_block b = {.log2_bound = 29.998 * 29999};
    pm_narrow_moduli w;
    uint64_t large = PM_MODULUS_MAX - 1;
    pm_job job = {.block = &b, .moduli = &large, .nmoduli = 1, .independent = true};
    assert_int_equal(pm_narrow_moduli_make(&job, &w, NULL), PM_OK);
    assert_int_equal(w.n, 30000);
    assert_true(log2((double)w.m[w.n - 1]) >= 29.998);
    pm_narrow_moduli_free(&w);
    b.log2_bound += 60;
    assert_int_equal(pm_narrow_moduli_needed(&job), 0);
    assert_int_equal(pm_narrow_moduli_make(&job, &w, NULL), PM_UNABLE);
}

/* A vertex with `degree` neighbours comes first, then a chain of the others. */
static void broom_program(int32_t degree, pm_frontier_program *p)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = degree, .ncols = degree};
    pm_matrix a;
    pm_block b;
    pm_block_graph g;
    pm_vertex_order o;
    for (int32_t j = 0; j < degree; ++j)
        assert_int_equal(pm_triples_add(&t, 0, j, 0, NULL, NULL, NULL), PM_OK);
    for (int32_t i = 1; i < degree; ++i)
        for (int32_t j = i - 1; j <= i; ++j)
            assert_int_equal(pm_triples_add(&t, i, j, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "broom", &a, NULL), PM_OK);
    as_block(&a, &b);
    assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
    assert_int_equal(pm_vertex_order_alloc(&g, &o, NULL), PM_OK);
    for (int32_t v = 0; v < g.nv; ++v) {
        o.pos[v] = o.len;
        o.seq[o.len++] = v;
    }
    assert_int_equal(pm_vertex_order_cost_all(&g, &o, NULL), PM_OK);
    assert_int_equal(pm_frontier_program_compile(&g, &o, 8, false, p, NULL), PM_OK);
    pm_vertex_order_free(&o);
    pm_block_graph_free(&g);
    pm_block_free(&b);
    pm_matrix_free(&a);
    pm_triples_free(&t);
}

static void many_neighbours(void **state)
{
    (void)state;
    pm_frontier_program p;
    pm_flat_program f;
    pm_error err;
    broom_program(150, &p);
    assert_int_equal(pm_flat_make(&p, &f, NULL), PM_OK);
    assert_true(pm_flat_shared(&f.steps[0]) <= 48 << 10);
    pm_flat_free(&f);
    pm_frontier_program_free(&p);
    broom_program(250, &p);
    assert_int_equal(pm_flat_make(&p, &f, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "250 neighbours"));
    pm_frontier_program_free(&p);
}

static void out_of_memory(void **state)
{
    (void)state;
    pm_frontier_program p;
    pm_flat_program f;
    pm_status rc = PM_ENOMEM;
    broom_program(20, &p);
    for (int64_t k = 1; rc; ++k) {
        pm_alloc_fail_at(k);
        rc = pm_flat_make(&p, &f, NULL);
        pm_alloc_fail_at(0);
        assert_true(rc == PM_OK || rc == PM_ENOMEM);
        assert_true(k > 1 || rc == PM_ENOMEM);
    }
    pm_flat_free(&f);
    pm_frontier_program_free(&p);
}

/* The text of a ring with so many residues, or with numbers of so many parts. */
static char *text_of_ring(int lanes, int parts, int bits)
{
    static const uint64_t moduli[] = {3, 5, 7, 11, 13, 17, 19, 23};
    pm_matrix a;
    pm_block b;
    pm_ring *ring;
    random_matrix(&rng, lanes ? PM_PATTERN : parts == 1 ? PM_REAL : PM_COMPLEX, 3, 3, 1, &a);
    as_block(&a, &b);
    ring = make_ring(&b, moduli, lanes, bits == 32);
    char *text = pm_flat_text(ring);
    assert_non_null(text);
    ring->free(ring);
    pm_block_free(&b);
    pm_matrix_free(&a);
    return text;
}

/* What the build compiled is found under the text that is run, and is a fat binary. */
static void ahead_of_time(void **state)
{
    (void)state;
    static const int kinds[][3] = {{1, 1, 64}, {2, 1, 64}, {3, 1, 64}, {4, 1, 64},
                                   {5, 1, 64}, {6, 1, 64}, {7, 1, 64}, {8, 1, 64},
                                   {0, 1, 64}, {0, 2, 64}, {1, 1, 32}, {2, 1, 32}};
    static const unsigned char magic[] = {0x50, 0xed, 0x55, 0xba};
    for (int i = 0; i < (int)(sizeof kinds / sizeof *kinds); ++i) {
        pm_gpu_image image = {0};
        char *text = pm_frontier_text(kinds[i][0], kinds[i][1], kinds[i][2]);
        char *of_ring = text_of_ring(kinds[i][0], kinds[i][1], kinds[i][2]);
        assert_non_null(text);
        assert_string_equal(text, of_ring); /* what a run asks for */
        free(of_ring);
#ifdef HAVE_NVCC
        assert_true(pm_gpu_is_precompiled(text));
        assert_int_equal(pm_gpu_compile(text, 7, 5, &image, NULL), PM_OK);
        assert_memory_equal(image.data, magic, sizeof magic);
#else
        (void)magic;
        assert_false(pm_gpu_is_precompiled(text));
#endif
        free(image.data);
        text[0] = ' ';
        assert_false(pm_gpu_is_precompiled(text));
        free(text);
    }
}

static void compiles_for_devices(void **state)
{
    (void)state;
    static const pm_field fields[] = {PM_PATTERN, PM_INTEGER, PM_REAL, PM_COMPLEX, PM_INTEGER};
    enum { TEXTS = sizeof fields / sizeof *fields };
    for (int i = 0; i < TEXTS; ++i) {
        pm_matrix a;
        pm_block b;
        uint64_t m[3] = {101, 103, 107};
        random_matrix(&rng, fields[i], 3, 3, 1, &a);
        as_block(&a, &b);
        pm_ring *ring = make_ring(&b, m, 3, i == 4);
        char *text = pm_flat_text(ring);
        bool has_compiler = text_compiles(text, 4, i, TEXTS);
        free(text);
        ring->free(ring);
        pm_block_free(&b);
        pm_matrix_free(&a);
        if (!has_compiler)
            skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_fields),      cmocka_unit_test(narrow_residues),
        cmocka_unit_test(narrow_moduli),   cmocka_unit_test(many_narrow_moduli),
        cmocka_unit_test(many_neighbours), cmocka_unit_test(out_of_memory),
        cmocka_unit_test(ahead_of_time),   cmocka_unit_test(compiles_for_devices),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
