/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_gpu_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/kernel_text.h"
#include "pm/alloc.h"
#include "sweep/gpu_arithmetic.h"

enum {
    EXACT_SUM = 8 /* so many residues below 2^50 have an exact sum in a double */
};

/* Where a cell is stored: in a variable used only at the start of a segment, in shared memory, in a
 * register. */
typedef enum { LOCAL, SHARED, REGISTER } home;

typedef struct {
    const pm_tree_program *p;
    const pm_tree_shape *shape;
    FILE *f;
    bool is_complex, is_inexact;
    bool sizes; /* write the magnitudes: cells m0, m1, ... */
    bool in_words;
    int32_t factors[PM_TREE_PROGRAM_CELLS]; /* words: of each cell, its factors of 2^-32 */
    home home[PM_TREE_PROGRAM_CELLS];
    int32_t slot[PM_TREE_PROGRAM_CELLS]; /* number among the cells in shared memory */
    int32_t nshared;
    double *value; /* the contents of pm_value */
    int64_t nvalues, cap;
    bool failed; /* memory ended */
} writer;

/* ---- where cells are stored ---- */

static void use(writer *w, int32_t cell, home where)
{
    if (w->home[cell] < where)
        w->home[cell] = where;
}

static void use_action(writer *w, const pm_tree_action *a, home where)
{
    const pm_tree_program *p = w->p;
    for (int32_t k = a->first_update; k < a->end_update; ++k)
        use(w, p->update[k].cell, where);
    for (int32_t s = a->first_step; s < a->end_step; ++s) {
        for (int32_t k = p->step[s].first; k < p->step[s].end; ++k)
            use(w, p->operand[k], where);
        if (s < a->end_step - p->nterms)
            use(w, p->step[s].out, where);
    }
}

static void find_homes(writer *w)
{
    for (int32_t j = 0; j < w->shape->flips; ++j)
        use_action(w, &w->p->action[j], j < w->shape->inner ? REGISTER : SHARED);
    int32_t room = w->shape->shared_cells / (w->is_complex ? 2 : 1);
    for (int32_t c = 0; c < w->p->ncells; ++c) {
        if (w->home[c] == SHARED && w->nshared == room)
            w->home[c] = REGISTER;
        if (w->home[c] == SHARED)
            w->slot[c] = w->nshared++;
    }
}

/* ---- names and numbers ---- */

typedef struct {
    char s[40];
} name;

/* part: 0 real, 1 imaginary */
static name cell_name(const writer *w, int32_t cell, int part)
{
    name n;
    int32_t parts = w->is_complex ? 2 : 1;
    if (w->sizes)
        snprintf(n.s, sizeof n.s, "m%d", (int)cell);
    else if (w->home[cell] == SHARED)
        snprintf(n.s, sizeof n.s, "shared[%d * PM_THREADS]", (int)(w->slot[cell] * parts + part));
    else
        snprintf(n.s, sizeof n.s, "%c%d", part ? 'i' : 'c', (int)cell);
    return n;
}

static int64_t intern(writer *w, double v)
{
    for (int64_t i = 0; i < w->nvalues; ++i)
        if (w->value[i] == v)
            return i;
    if (PM_GROW(w->value, w->cap, w->nvalues + 1)) {
        w->failed = true;
        return 0;
    }
    w->value[w->nvalues] = v;
    return w->nvalues++;
}

/* True for numbers of at most 20 bits, which can be part of an instruction. */
static bool is_short(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (bits & UINT32_MAX) == 0;
}

static name interned(writer *w, double v)
{
    name n;
    snprintf(n.s, sizeof n.s, "pm_value[%lld]", (long long)intern(w, v));
    return n;
}

/* v >= 0, as a literal or an element of pm_value. */
static name number(writer *w, double v)
{
    name n;
    if (w->in_words)
        snprintf(n.s, sizeof n.s, "%.0f", v);
    else if (is_short(v))
        snprintf(n.s, sizeof n.s, "%a", v);
    else
        n = interned(w, v);
    return n;
}

/* Primes are elements of pm_value, so that one text can be used for all primes. */
static name prime_of(writer *w, const pm_tree_step *s)
{
    double p = w->p->prime[s->prime];
    return w->in_words ? interned(w, p) : number(w, p);
}

static name inverse_of(writer *w, const pm_tree_step *s)
{
    return w->in_words ? interned(w, pm_word_inverse((uint64_t)w->p->prime[s->prime]))
                       : number(w, w->p->inverse[s->prime]);
}

static const char *type_of(const writer *w)
{
    return w->in_words ? "int" : "double";
}

/* ---- factors of 2^-32 ---- */

/* The cell of operand k of a step; the result of the previous step, if it is used, is operand 0. */
static int32_t operand_cell(const writer *w, const pm_tree_step *s, int32_t k)
{
    if (s->follows)
        return k ? w->p->operand[s->first + k - 1] : s[-1].out;
    return w->p->operand[s->first + k];
}

/* Each multiplication modulo a prime leaves one factor of 2^-32; differences bring both operands to
 * the same number of factors. */
static void find_factors(writer *w)
{
    const pm_tree_action *all = &w->p->everything;
    for (int32_t i = all->first_step; i < all->end_step; ++i) {
        const pm_tree_step *s = &w->p->step[i];
        int32_t count = s->end - s->first + s->follows, sum = 0, most = 0;
        for (int32_t k = 0; k < count; ++k) {
            int32_t f = w->factors[operand_cell(w, s, k)];
            sum += f;
            most = f > most ? f : most;
        }
        w->factors[s->out] = s->kind == PM_TREE_RESIDUE_PRODUCT ? sum + count - 1 : most;
    }
}

/* 2^(32 count) modulo the prime of a step. */
static double power_of(const writer *w, const pm_tree_step *s, int32_t count)
{
    uint64_t p = (uint64_t)w->p->prime[s->prime], power = 1;
    for (; count > 0; --count)
        power = (power << 32) % p;
    for (; count < 0; ++count)
        for (int bit = 0; bit < 32; ++bit)
            power = (power & 1 ? power + p : power) / 2;
    return (double)power;
}

/* ---- steps ---- */

static int32_t operand(const writer *w, const pm_tree_step *s, int32_t k)
{
    return w->p->operand[s->first + k];
}

/* Writes the product of the operands first .. end - 1 of a step, balanced or one after another. */
static void put_factors(writer *w, const pm_tree_step *s, int32_t first, int32_t end)
{
    int32_t middle = w->shape->in_turn ? end - 1 : (first + end) / 2;
    if (end - first == 1) {
        fputs(cell_name(w, operand(w, s, first), 0).s, w->f);
        return;
    }
    fputc('(', w->f);
    put_factors(w, s, first, middle);
    fputs(" * ", w->f);
    put_factors(w, s, middle, end);
    fputc(')', w->f);
}

/* Writes the product of all operands; the previous result, if it is used, is the last factor. */
static void put_product(writer *w, const pm_tree_step *s, const char *before)
{
    int32_t count = s->end - s->first;
    if (count)
        put_factors(w, s, 0, count);
    if (before)
        fprintf(w->f, "%s%s", count ? " * " : "", before);
}

static void put_residue_product(writer *w, const pm_tree_step *s, const char *before)
{
    int32_t count = s->end - s->first, products = count - 1 + (before != NULL);
    name prime = prime_of(w, s), inverse = inverse_of(w, s);
    for (int32_t k = 0; k < products; ++k)
        fputs(w->in_words ? "pm_montgomery(" : "pm_multiply(", w->f);
    fputs(cell_name(w, operand(w, s, 0), 0).s, w->f);
    for (int32_t k = 1; k <= products; ++k)
        fprintf(w->f, ", %s, %s, %s)", k < count ? cell_name(w, operand(w, s, k), 0).s : before,
                prime.s, inverse.s);
}

static void put_difference(writer *w, const pm_tree_step *s, const char *before, int part)
{
    int32_t k = 0, count = s->end - s->first;
    fputs(before ? before : cell_name(w, operand(w, s, k++), part).s, w->f);
    if (k < count)
        fprintf(w->f, " %c %s", w->sizes ? '+' : '-', cell_name(w, operand(w, s, k), part).s);
}

/* Writes operand k of a difference, with as many factors of 2^-32 as the result has. */
static void put_aligned(writer *w, const pm_tree_step *s, int32_t k)
{
    int32_t cell = operand_cell(w, s, k), missing = w->factors[s->out] - w->factors[cell];
    name at = cell_name(w, cell, 0);
    if (missing)
        fprintf(w->f, "pm_montgomery(%s, %s, %s, %s)", at.s,
                interned(w, power_of(w, s, 1 - missing)).s, prime_of(w, s).s, inverse_of(w, s).s);
    else
        fputs(at.s, w->f);
}

static void put_word_difference(writer *w, const pm_tree_step *s)
{
    fputs("pm_within(", w->f);
    put_aligned(w, s, 0);
    if (s->end - s->first + s->follows > 1) {
        fputs(" - ", w->f);
        put_aligned(w, s, 1);
    }
    fprintf(w->f, ", %s)", prime_of(w, s).s);
}

static void put_real_step(writer *w, const pm_tree_step *s, const char *out, const char *before)
{
    fprintf(w->f, "%s%s = ", w->sizes ? "double " : "", out);
    if (s->kind == PM_TREE_PRODUCT) {
        put_product(w, s, before);
    } else if (s->kind == PM_TREE_RESIDUE_PRODUCT) {
        put_residue_product(w, s, before);
    } else if (s->kind == PM_TREE_RESIDUE_DIFFERENCE && w->in_words) {
        put_word_difference(w, s);
    } else {
        bool reduces = s->kind == PM_TREE_RESIDUE_DIFFERENCE;
        fputs(reduces ? "pm_reduce(" : "", w->f);
        put_difference(w, s, before, 0);
        if (reduces)
            fprintf(w->f, ", %s, %s)", number(w, w->p->prime[s->prime]).s,
                    number(w, w->p->inverse[s->prime]).s);
    }
    fputs(";\n", w->f);
}

/* Writes a complex step; the result is computed in z, zi and copied to out. */
static void put_complex_step(writer *w, const pm_tree_step *s, const name *out, const name *before)
{
    int32_t count = s->end - s->first, k = before ? 0 : 1;
    if (s->kind != PM_TREE_PRODUCT) {
        for (int part = 0; part < 2; ++part) {
            fprintf(w->f, "%s = ", part ? "zi" : "z");
            put_difference(w, s, before ? before[part].s : NULL, part);
            fputs(";\n", w->f);
        }
    } else {
        name first[2] = {{""}, {""}};
        for (int part = 0; part < 2; ++part)
            first[part] = before ? before[part] : cell_name(w, operand(w, s, 0), part);
        fprintf(w->f, "z = %s, zi = %s;\n", first[0].s, first[1].s);
        for (; k < count; ++k)
            fprintf(w->f, "pm_multiply_complex(&z, &zi, %s, %s);\n",
                    cell_name(w, operand(w, s, k), 0).s, cell_name(w, operand(w, s, k), 1).s);
    }
    fprintf(w->f, "%s = z, %s = zi;\n", out[0].s, out[1].s);
}

/* Writes the steps of an action.  The terms go to t0, t1, ... (ti0: imaginary part). */
static void put_steps(writer *w, const pm_tree_action *a)
{
    const pm_tree_program *p = w->p;
    int32_t nterms = p->nterms;
    for (int32_t i = a->first_step; i < a->end_step; ++i) {
        const pm_tree_step *s = &p->step[i], *last = s - 1;
        name out[2], before[2];
        for (int part = 0; part < 2; ++part) {
            if (i < a->end_step - nterms)
                out[part] = cell_name(w, s->out, part);
            else
                snprintf(out[part].s, sizeof out[part].s, "%s%d",
                         w->sizes ? "mt"
                         : part   ? "ti"
                                  : "t",
                         (int)(i - (a->end_step - nterms)));
            if (s->follows)
                before[part] = cell_name(w, last->out, part);
        }
        if (w->is_complex && !w->sizes)
            put_complex_step(w, s, out, s->follows ? before : NULL);
        else
            put_real_step(w, s, out[0].s, s->follows ? before[0].s : NULL);
    }
}

/* ---- updates ---- */

/* sign: '+', '-', or 's': times the variable s, which is 1 or -1. */
static void put_update(writer *w, const pm_tree_update *u, int part, char sign)
{
    double v = part ? u->im : u->re;
    name cell = cell_name(w, u->cell, part), size = number(w, fabs(v));
    if (v == 0)
        return;
    if (sign == 's' && w->in_words)
        fprintf(w->f, "%s %c= s * %s;\n", cell.s, v < 0 ? '-' : '+', size.s);
    else if (sign == 's')
        fprintf(w->f, "%s = fma(s, %s%s, %s);\n", cell.s, v < 0 ? "-" : "", size.s, cell.s);
    else
        fprintf(w->f, "%s %c= %s;\n", cell.s, (sign == '-') == (v < 0) ? '+' : '-', size.s);
}

static void put_updates(writer *w, const pm_tree_action *a, char sign)
{
    for (int32_t k = a->first_update; k < a->end_update; ++k)
        for (int part = 0; part <= w->is_complex; ++part)
            put_update(w, &w->p->update[k], part, sign);
}

/* ---- the start of a segment ---- */

static void declare(writer *w)
{
    for (int32_t c = 0; c < w->p->ncells; ++c)
        for (int part = 0; part <= w->is_complex; ++part)
            if (w->home[c] != SHARED)
                fprintf(w->f, "%s %s = 0;\n", type_of(w), cell_name(w, c, part).s);
    for (int32_t k = 0; k < w->p->nterms; ++k)
        fprintf(w->f, w->in_words ? "int t%d = 0;\n" : "double t%d = 0, sum%d = 0;\n", (int)k,
                (int)k);
    if (w->is_complex)
        fputs("double z, zi, ti0 = 0, sumi0 = 0;\n", w->f);
}

static void put_inputs(writer *w)
{
    const pm_tree_program *p = w->p;
    for (int32_t c = 0; c < p->plan.ninputs; ++c)
        for (int part = 0; part <= w->is_complex; ++part)
            fprintf(w->f, w->in_words ? "%s = %.0f;\n" : "%s = %a;\n", cell_name(w, c, part).s,
                    part ? p->im[c] : p->re[c]);
    for (int32_t j = 0; j < w->shape->flips + w->shape->slow; ++j) {
        fprintf(w->f, "if (minus >> %d & 1) {\n", (int)j);
        put_updates(w, &p->action[j], '-');
        fputs("}\n", w->f);
    }
}

/* For a sampled position: the magnitude of the term as computed, `absolute` and the spread. */
static void put_magnitudes(writer *w)
{
    const pm_tree_program *p = w->p;
    fprintf(w->f, "sampled = fabs(t0)%s;\n", w->is_complex ? " + fabs(ti0)" : "");
    fprintf(w->f, "PM_LOOP for (int k = 0; k < %d; ++k) {\n", p->is_exact ? 1 : 2);
    fputs("double raise = k ? 0x1p20 : 0;\n", w->f);
    for (int32_t c = 0; c < p->plan.ninputs; ++c) {
        name re = cell_name(w, c, 0), im = cell_name(w, c, 1);
        if (w->is_complex)
            fprintf(w->f, "double m%d = sqrt(%s * %s + %s * %s)", (int)c, re.s, re.s, im.s, im.s);
        else
            fprintf(w->f, "double m%d = fabs(%s)", (int)c, re.s);
        fprintf(w->f, " + raise * %a;\n", p->inexact[c]);
    }
    w->sizes = true;
    put_steps(w, &p->everything);
    w->sizes = false;
    fputs("if (k)\nspread = (mt0 - absolute) * 0x1p-20;\nelse\nabsolute = mt0;\n}\n", w->f);
}

static void put_start(writer *w)
{
    if (w->is_inexact)
        fprintf(w->f,
                "PM_LOOP for (int pass = %s; pass < 2; ++pass) {\n"
                "pm_u64 position = pass ? 0 : pm_sampled_position(segment, PM_FLIPS);\n"
                "pm_u64 minus = (position ^ position >> 1) | segment << PM_FLIPS;\n",
                w->shape->flips ? "(segment >> 5) % PM_TREE_SAMPLED != 0" : "0");
    else
        fputs("{\npm_u64 minus = segment << PM_FLIPS;\n", w->f);
    put_inputs(w);
    put_steps(w, &w->p->everything);
    if (w->is_inexact) {
        fputs("if (pass == 0) {\n", w->f);
        put_magnitudes(w);
        fputs("}\n", w->f);
    }
    fputs("}\n", w->f);
}

/* ---- sums ---- */

static void put_flush(writer *w)
{
    if (w->is_inexact)
        fputs("pm_collect(&high, &low, sum0), sum0 = 0;\n", w->f);
    if (w->is_complex)
        fputs("pm_collect(&highi, &lowi, sumi0), sumi0 = 0;\n", w->f);
    for (int32_t k = 0; k < w->p->nterms && !w->is_inexact; ++k)
        fprintf(w->f, "total%d += (pm_i64)sum%d, sum%d = 0;\n", (int)k, (int)k, (int)k);
}

/* Adds the terms of position i of the inner columns. */
static void put_terms(writer *w, int32_t i)
{
    int32_t chunk = w->is_inexact ? 1 << w->shape->chunk : EXACT_SUM;
    char sign = i % 2 ? '-' : '+';
    for (int32_t k = 0; k < w->p->nterms; ++k)
        fprintf(w->f, "%s%d %c= t%d;\n", w->in_words ? "total" : "sum", (int)k, sign, (int)k);
    if (w->in_words)
        return;
    if (w->is_inexact)
        fputs("size += fabs(t0);\n", w->f);
    if (w->is_complex)
        fprintf(w->f, "sumi0 %c= ti0;\nsize += fabs(ti0);\n", sign);
    if ((i + 1) % chunk == 0 || i + 1 == 1 << w->shape->inner)
        put_flush(w);
}

/* ---- positions ---- */

static void put_outer_flips(writer *w)
{
    const pm_tree_shape *h = w->shape;
    if (h->flips == h->inner)
        return;
    fprintf(w->f,
            "if (b) {\nint column = PM_LOW_BIT(b);\n"
            "%s s = b >> (column + 1) & 1 ? 1 : -1;\nswitch (column) {\n",
            type_of(w));
    for (int32_t j = h->inner; j < h->flips; ++j) {
        fprintf(w->f, "case %d:\n", (int)(j - h->inner));
        put_updates(w, &w->p->action[j], 's');
        put_steps(w, &w->p->action[j]);
        fputs("break;\n", w->f);
    }
    fputs("}\n}\n", w->f);
}

/* The last of the inner columns flips once in each round, in alternating directions. */
static void put_inner_flips(writer *w)
{
    int32_t inner = w->shape->inner;
    if (inner)
        fprintf(w->f, "%s s = b & 1 ? 1 : -1;\n", type_of(w));
    put_terms(w, 0);
    for (int32_t i = 1; i < 1 << inner; ++i) {
        int32_t j = __builtin_ctz((unsigned)i);
        put_updates(w, &w->p->action[j], j == inner - 1 ? 's' : i >> (j + 1) & 1 ? '+' : '-');
        put_steps(w, &w->p->action[j]);
        put_terms(w, i);
    }
}

static void put_positions(writer *w)
{
    const pm_tree_shape *h = w->shape;
    fprintf(w->f, "PM_LOOP for (unsigned b = 0; b < %uu; ++b) {\n", 1u << (h->flips - h->inner));
    put_outer_flips(w);
    put_inner_flips(w);
    for (int32_t k = 0; k < w->p->nterms && !w->is_inexact; ++k)
        fprintf(w->f, "pm_tree_flush(&total%d, &out->high[%d], &out->low[%d]);\n", (int)k, (int)k,
                (int)k);
    fputs("}\n", w->f);
}

/* ---- the whole text ---- */

static void put_record(writer *w)
{
    if (!w->is_inexact)
        fputs("pm_tree_finish(segment, out);\n", w->f);
    else
        fputs("{\nconst double re[2] = {high, low}, im[2] = {highi, lowi};\n"
              "pm_tree_finish(segment, re, im, out);\n}\n"
              "out->size = size, out->sampled = sampled;\n"
              "out->absolute = absolute, out->spread = spread;\n",
              w->f);
}

static void put_segment(writer *w)
{
    fputs("PM_FN void pm_dev_segment(pm_u64 segment, PM_CELL *shared, pm_record *out)\n{\n", w->f);
    if (w->is_inexact)
        fputs("double high = 0, low = 0, highi = 0, lowi = 0, size = 0;\n"
              "double sampled = 0, absolute = 0, spread = 0;\n",
              w->f);
    for (int32_t k = 0; k < w->p->nterms && !w->is_inexact; ++k)
        fprintf(w->f, "pm_i64 total%d = 0;\nout->high[%d] = out->low[%d] = 0;\n", (int)k, (int)k,
                (int)k);
    fputs("(void)shared;\n", w->f);
    declare(w);
    put_start(w);
    put_positions(w);
    put_record(w);
    fputs("}\n", w->f);
}

static void put_head(const writer *w, FILE *f)
{
    const pm_tree_shape *h = w->shape;
    fprintf(f,
            "#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define PM_TERMS %d\n"
            "#define PM_SHARED_CELLS %d\n#define PM_FLIPS %d\n#define PM_TREE_SAMPLED %d\n",
            (int)h->threads, (int)h->blocks, w->is_inexact ? 0 : (int)w->p->nterms,
            (int)w->nshared * (w->is_complex ? 2 : 1), (int)h->flips, 1 << PM_TREE_SAMPLED_LOG2);
    fprintf(f, "#define PM_CELL %s\n%s%s\nPM_TABLE PM_CELL pm_value[%lld];\n", type_of(w),
            pm_text_prelude, pm_text_tree, (long long)w->nvalues + 1);
}

/* The function of a segment is written first, because it determines the values. */
static bool write_all(writer *w, char **text)
{
    char *segment = NULL;
    size_t size;
    bool is_whole = false;
    w->f = open_memstream(&segment, &size);
    if (!w->f)
        return false;
    put_segment(w);
    FILE *f = fclose(w->f) == 0 && !w->failed ? open_memstream(text, &size) : NULL;
    if (f) {
        put_head(w, f);
        fprintf(f, "%s%s", segment, pm_text_block);
        is_whole = fclose(f) == 0;
    }
    free(segment);
    return is_whole;
}

void pm_tree_gpu_source_free(pm_tree_gpu_source *t)
{
    free(t->text);
    free(t->value);
    *t = (pm_tree_gpu_source){0};
}

pm_status pm_tree_gpu_text(const pm_tree_program *p, const pm_tree_shape *shape,
                           pm_tree_gpu_source *out, pm_error *err)
{
    pm_tree_gpu_source t = {0};
    writer *w = pm_calloc_array(1, sizeof *w);
    if (!w)
        return pm_fail_memory(err, "text of a kernel");
    w->p = p;
    w->shape = shape;
    w->is_inexact = p->nprimes == 0;
    w->is_complex = p->field == PM_COMPLEX;
    w->in_words = shape->in_words && !w->is_inexact;
    find_homes(w);
    if (w->in_words)
        find_factors(w);
    bool is_whole = write_all(w, &t.text);
    t.value = w->value;
    t.nvalues = w->nvalues;
    for (int32_t k = 0; k < p->nterms && w->in_words; ++k)
        t.shift_of[k] = 32 * w->factors[p->step[p->everything.end_step - p->nterms + k].out];
    t.shared_cells = w->nshared * (w->is_complex ? 2 : 1);
    free(w);
    if (is_whole) {
        *out = t;
        return PM_OK;
    }
    pm_tree_gpu_source_free(&t);
    return pm_fail_memory(err, "text of a kernel");
}
