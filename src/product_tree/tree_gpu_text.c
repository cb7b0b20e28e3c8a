/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "product_tree/tree_gpu_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/text_stream.h"
#include "gpu/kernel_text.h"
#include "pm/alloc.h"
#include "product_tree/tree_gpu_writer.h"

enum {
    EXACT_SUM = 8 /* so many residues below 2^50 have an exact sum in a double */
};

/* ---- updates ---- */

/* sign: '+', '-', or 's': times the variable s, which is 1 or -1. */
static void put_update(pm_tree_writer *w, const pm_tree_update *u, int part, char sign)
{
    double v = part ? u->im : u->re;
    pm_tree_name cell = pm_tree_cell_name(w, u->cell, part), size = pm_tree_number(w, fabs(v));
    if (v == 0)
        return;
    if (sign == 's' && w->in_words)
        fprintf(w->f, "%s %c= s * %s;\n", cell.s, v < 0 ? '-' : '+', size.s);
    else if (sign == 's')
        fprintf(w->f, "%s = fma(s, %s%s, %s);\n", cell.s, v < 0 ? "-" : "", size.s, cell.s);
    else
        fprintf(w->f, "%s %c= %s;\n", cell.s, (sign == '-') == (v < 0) ? '+' : '-', size.s);
}

static void put_updates(pm_tree_writer *w, const pm_tree_action *a, char sign)
{
    for (int32_t k = a->first_update; k < a->end_update; ++k)
        for (int part = 0; part <= w->is_complex; ++part)
            put_update(w, &w->p->update[k], part, sign);
}

/* ---- the start of a segment ---- */

static void declare(pm_tree_writer *w)
{
    for (int32_t c = 0; c < w->p->ncells; ++c)
        for (int part = 0; part <= w->is_complex; ++part)
            if (w->home[c] != PM_TREE_SHARED)
                fprintf(w->f, "%s %s = 0;\n", pm_tree_type_of(w), pm_tree_cell_name(w, c, part).s);
    for (int32_t k = 0; k < w->p->nterms; ++k)
        fprintf(w->f, w->in_words ? "int t%d = 0;\n" : "double t%d = 0, sum%d = 0;\n", (int)k,
                (int)k);
    if (w->is_complex)
        fputs("double z, zi, ti0 = 0, sumi0 = 0;\n", w->f);
}

static void put_inputs(pm_tree_writer *w)
{
    const pm_tree_program *p = w->p;
    for (int32_t c = 0; c < p->plan.ninputs; ++c)
        for (int part = 0; part <= w->is_complex; ++part)
            fprintf(w->f, w->in_words ? "%s = %.0f;\n" : "%s = %a;\n",
                    pm_tree_cell_name(w, c, part).s, part ? p->im[c] : p->re[c]);
    for (int32_t j = 0; j < w->shape->flips + w->shape->slow; ++j) {
        fprintf(w->f, "if (minus >> %d & 1) {\n", (int)j);
        put_updates(w, &p->action[j], '-');
        fputs("}\n", w->f);
    }
}

/* For a sampled position: the magnitude of the term as computed, `absolute` and the spread. */
static void put_magnitudes(pm_tree_writer *w)
{
    const pm_tree_program *p = w->p;
    fprintf(w->f, "sampled = fabs(t0)%s;\n", w->is_complex ? " + fabs(ti0)" : "");
    fprintf(w->f, "PM_LOOP for (int k = 0; k < %d; ++k) {\n", p->is_exact ? 1 : 2);
    fputs("double raise = k ? 0x1p20 : 0;\n", w->f);
    for (int32_t c = 0; c < p->plan.ninputs; ++c) {
        pm_tree_name re = pm_tree_cell_name(w, c, 0), im = pm_tree_cell_name(w, c, 1);
        if (w->is_complex)
            fprintf(w->f, "double m%d = sqrt(%s * %s + %s * %s)", (int)c, re.s, re.s, im.s, im.s);
        else
            fprintf(w->f, "double m%d = fabs(%s)", (int)c, re.s);
        fprintf(w->f, " + raise * %a;\n", p->inexact[c]);
    }
    w->sizes = true;
    pm_tree_put_steps(w, &p->everything);
    w->sizes = false;
    fputs("if (k)\nspread = (mt0 - absolute) * 0x1p-20;\nelse\nabsolute = mt0;\n}\n", w->f);
}

static void put_start(pm_tree_writer *w)
{
    fputs("const pm_u64 slow = pm_tree_slow_columns(segment);\n", w->f);
    if (w->is_inexact)
        fprintf(w->f,
                "PM_LOOP for (int pass = %s; pass < 2; ++pass) {\n"
                "pm_u64 position = pass ? 0 : pm_sampled_position(segment, PM_FLIPS);\n"
                "pm_u64 minus = (position ^ position >> 1) | slow << PM_FLIPS;\n",
                w->shape->flips ? "(segment >> 5) % PM_TREE_SAMPLED != 0" : "0");
    else
        fputs("{\npm_u64 minus = slow << PM_FLIPS;\n", w->f);
    put_inputs(w);
    pm_tree_put_steps(w, &w->p->everything);
    if (w->is_inexact) {
        fputs("if (pass == 0) {\n", w->f);
        put_magnitudes(w);
        fputs("}\n", w->f);
    }
    fputs("}\n", w->f);
}

/* ---- sums ---- */

static void put_flush(pm_tree_writer *w)
{
    if (w->is_inexact)
        fputs("pm_collect(&high, &low, sum0), sum0 = 0;\n", w->f);
    if (w->is_complex)
        fputs("pm_collect(&highi, &lowi, sumi0), sumi0 = 0;\n", w->f);
    for (int32_t k = 0; k < w->p->nterms && !w->is_inexact; ++k)
        fprintf(w->f, "total%d += (pm_i64)sum%d, sum%d = 0;\n", (int)k, (int)k, (int)k);
}

/* Adds the terms of position i of the inner columns. */
static void put_terms(pm_tree_writer *w, int32_t i)
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

static void put_outer_flips(pm_tree_writer *w)
{
    const pm_tree_shape *h = w->shape;
    if (h->flips == h->inner)
        return;
    fprintf(w->f,
            "if (b) {\nint column = PM_LOW_BIT(b);\n"
            "%s s = b >> (column + 1) & 1 ? 1 : -1;\nswitch (column) {\n",
            pm_tree_type_of(w));
    for (int32_t j = h->inner; j < h->flips; ++j) {
        fprintf(w->f, "case %d:\n", (int)(j - h->inner));
        put_updates(w, &w->p->action[j], 's');
        pm_tree_put_steps(w, &w->p->action[j]);
        fputs("break;\n", w->f);
    }
    fputs("}\n}\n", w->f);
}

/* The last of the inner columns flips once in each round, in alternating directions. */
static void put_inner_flips(pm_tree_writer *w)
{
    int32_t inner = w->shape->inner;
    if (inner)
        fprintf(w->f, "%s s = b & 1 ? 1 : -1;\n", pm_tree_type_of(w));
    put_terms(w, 0);
    for (int32_t i = 1; i < 1 << inner; ++i) {
        int32_t j = __builtin_ctz((unsigned)i);
        put_updates(w, &w->p->action[j], j == inner - 1 ? 's' : i >> (j + 1) & 1 ? '+' : '-');
        pm_tree_put_steps(w, &w->p->action[j]);
        put_terms(w, i);
    }
}

static void put_positions(pm_tree_writer *w)
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

static void put_record(pm_tree_writer *w)
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

static void put_segment(pm_tree_writer *w)
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

static void put_head(const pm_tree_writer *w, FILE *f)
{
    const pm_tree_shape *h = w->shape;
    fprintf(f,
            "#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define PM_TERMS %d\n"
            "#define PM_SHARED_CELLS %d\n#define PM_FLIPS %d\n#define PM_SLOW %d\n"
            "#define PM_LANES %d\n#define PM_TREE_SAMPLED %d\n",
            (int)h->threads, (int)h->blocks, w->is_inexact ? 0 : (int)w->p->nterms,
            (int)w->nshared * (w->is_complex ? 2 : 1), (int)h->flips, (int)h->slow,
            h->slow < PM_TREE_SLOW ? (int)h->slow : PM_TREE_SLOW, 1 << PM_TREE_SAMPLED_LOG2);
    fprintf(f, "#define PM_CELL %s\n%s%s\nPM_TABLE PM_CELL pm_value[%lld];\n", pm_tree_type_of(w),
            pm_text_prelude, pm_text_tree, (long long)w->nvalues + 1);
}

/* The function of a segment is written first, because it determines the values. */
static bool write_all(pm_tree_writer *w, char **text)
{
    pm_text_stream *body = pm_text_stream_open(), *whole = pm_text_stream_open();
    *text = NULL;
    if (body && whole) {
        w->f = pm_text_stream_file(body);
        put_segment(w);
        const char *segment = pm_text_stream_text(body, NULL);
        put_head(w, pm_text_stream_file(whole));
        fprintf(pm_text_stream_file(whole), "%s%s", segment ? segment : "", pm_text_block);
        if (segment && !w->failed) {
            *text = pm_text_stream_close(whole);
            whole = NULL;
        }
    }
    pm_text_stream_free(body);
    pm_text_stream_free(whole);
    return *text;
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
    pm_tree_writer *w = pm_calloc_array(1, sizeof *w);
    if (!w)
        return pm_fail_memory(err, "text of a kernel");
    w->p = p;
    w->shape = shape;
    w->is_inexact = p->nprimes == 0;
    w->is_complex = p->field == PM_COMPLEX;
    w->in_words = shape->in_words && !w->is_inexact;
    pm_tree_find_homes(w);
    if (w->in_words)
        pm_tree_find_factors(w);
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
