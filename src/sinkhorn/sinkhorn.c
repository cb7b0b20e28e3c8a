/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/sinkhorn.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "pm/memory.h"
#include "sinkhorn/linear_step.h"
#include "sinkhorn/single_step.h"
#include "spmv/conjugate_gradients.h"

enum {
    FIRST_SWEEPS = 10, /* before Newton's steps, which need a point that is not too far */
    SWEEPS = 10,       /* after a step that brought nothing */
    FAR_SWEEPS = 3, /* after a step that ends FAR from the goal: it is too long in a few places */
    FAILURES = 4,   /* such steps in a row before it gives up */
    PARTS = 4, /* a step for a large matrix takes at most one of so many parts of all products, */
    PART_LEAST = 200, /* or as many as this */
    HOPELESS =
        4, /* without coarse systems it ends after one of so many parts of them if more remains than at the beginning */
    MANY_STEPS = 25,  /* of conjugate gradients: then there are coarse systems */
    MANY_ON_GPU = 200 /* on a GPU, where steps take little time: then the host goes on */
};
/* A step first changes no logarithm by more than FIRST_PIECE.  In a large lattice the factors are smooth and far from 1, so that long steps
 * are right: what is left of it follows in pieces, each at most twice as long as the one before, while f falls by LEAST_SLOPE of what the
 * first piece brought for its length and no row of stored entries sums to less than LEAST_SUM (sweeps after a step raise such sums).  Then
 * a sum becomes at least exp(-2 FIRST_PIECE) LEAST_SUM, a float, and exp(LONGEST_PIECE) times a factor (workspace.h) is a double.  A piece
 * longer than SAFE_PIECE after which f is not smaller is halved. */
#define FIRST_PIECE   30.0
#define LONGEST_PIECE 300.0
#define LEAST_SLOPE   0x1p-4
#define LEAST_SUM     0x1p-20
#define SAFE_PIECE    2.0
#define COLUMN_PIECES                                                                              \
    1000.0 /* at most, in which the factors of the columns change after a linear step */
#define LEAST_LEFT 0x1p-20 /* of a step: what is left below this does not count */
/* Coarse systems are made again when steps have changed a logarithm by more than this: to make them takes as long as some twenty
 * products, but old ones cost hundreds where few rows have changed much. */
#define COARSE_STEPS 1.0
/* A step that brings nothing leaves more of the residual and makes f less smaller. */
#define LEAST_GAIN     0.9
#define LEAST_DECREASE 0x1p-10
#define FAR            0.1 /* residual */
#define EASY           0.1 /* share of the equations of a first step that may remain */
#define ROUNDING       0x1p-56
/* The least target of the residual for which entries are rounded to single precision. */
#define LEAST_FOLDED 0x1p-18
/* Sums that differ less from 1 after the first rows are not improved by sweeps: regular graphs, and the
 * probabilities of converged messages. */
#define SCALED        0x1p-40
#define SCALED_NARROW 0x1p-20 /* of rounded entries */

/* Vectors of the workspace.  Those from STEP on are for Newton's method: they are not written, so take no memory, where sweeps
 * are enough.  Nor are two vectors of the other four before the first sweeps end, and one where these are enough. */
enum {
    COL,
    ROW, /* the factors so far */
    C,
    R,    /* changes of them */
    STEP, /* of Newton's method: the changes of logarithms of the rows */
    REST,
    DIAGONAL,
    SOLVER,
    VECTORS = SOLVER + PM_CONJUGATE_GRADIENTS_VECTORS,
    SUM = C, /* of the rows: after the changes of the columns */
    Q = R,   /* of a step: the rows change after it */
    FACTORS = ROW + 1,
    OF_A_STEP = C,      /* from here on all are lost at its end, but for the sums */
    SPARE = VECTORS - 1 /* has no values that are needed while the columns are summed */
};

/* The factors on the host are the vectors themselves; the others are there while they are used. */
static void use_vectors(pm_sinkhorn *s)
{
    s->row = s->drops_row ? NULL : s->on.vector[ROW];
    s->col = s->on.vector[COL];
    pm_workspace_drop(&s->on, s->drops_row ? ROW : FACTORS);
}

/* Coarse systems during an improvement. */
typedef struct {
    pm_coarse systems;
    bool is_made;
    double change; /* of logarithms of row factors since then, at most */
} coarse_state;

static void forget_coarse(coarse_state *c)
{
    if (c->is_made)
        pm_coarse_free(&c->systems);
    *c = (coarse_state){.is_made = false};
}

/* What is there during an improvement. */
typedef struct {
    double target;    /* of the residual */
    int64_t most;     /* products */
    bool is_cut;      /* the equations of the step needed more products than it may take, */
    bool is_hopeless; /* or brought less and less */
    coarse_state coarse;
    float
        *single; /* the step, if it was computed in single precision; else it is the vector STEP */
} newton_state;

static void forget_step(newton_state *t)
{
    free(t->single);
    t->single = NULL;
}

static void forget_all(newton_state *t)
{
    forget_coarse(&t->coarse);
    forget_step(t);
}

pm_status pm_sinkhorn_make(const pm_matrix *a, int device, const pm_run *run, pm_sinkhorn *out,
                           pm_error *err)
{
    int64_t n = a->nrows;
    *out = (pm_sinkhorn){.run = run};
    pm_status status = pm_workspace_make(a, VECTORS, device, run, &out->on, err);
    if (status)
        return status;
    out->x = out->on.x.a.value;
    pm_workspace_lend(&out->on, SPARE);
    if (!out->on.gpu) {
        use_vectors(out);
        return PM_OK;
    }
    out->row = pm_alloc_array(n, sizeof *out->row);
    out->col = pm_alloc_array(n, sizeof *out->col);
    if (out->row && out->col)
        return PM_OK;
    pm_sinkhorn_free(out);
    return pm_fail_memory(err, "Sinkhorn's scaling");
}

pm_status pm_sinkhorn_make_ones(const pm_matrix *a, const pm_run *run, pm_sinkhorn *out,
                                pm_error *err)
{
    *out = (pm_sinkhorn){.run = run};
    pm_status status = pm_workspace_make_product(a, VECTORS, ROW, COL, run, &out->on, err);
    if (status)
        return status;
    pm_workspace_lend(&out->on, SPARE);
    use_vectors(out);
    return PM_OK;
}

void pm_sinkhorn_drop_rows(pm_sinkhorn *s)
{
    s->drops_row = true;
    if (s->on.gpu) {
        free(s->row);
        s->row = NULL;
    } else {
        use_vectors(s);
    }
}

static int exponent(const pm_sinkhorn *s, int side, int64_t at)
{
    const int16_t *shift = s->on.shift[side];
    return shift ? PM_SHIFT * shift[at] : 0;
}

int pm_sinkhorn_row_exponent(const pm_sinkhorn *s, int64_t i)
{
    return exponent(s, 0, i);
}

int pm_sinkhorn_col_exponent(const pm_sinkhorn *s, int64_t j)
{
    return exponent(s, 1, j);
}

void pm_sinkhorn_drop_entries(pm_sinkhorn *s)
{
    pm_workspace_drop_entries(&s->on);
    s->x = NULL;
}

void pm_sinkhorn_free(pm_sinkhorn *s)
{
    if (s->on.gpu) {
        free(s->row);
        free(s->col);
    }
    pm_workspace_free(&s->on);
    *s = (pm_sinkhorn){0};
}

static void fill(pm_sinkhorn *s, double value, int x)
{
    pm_workspace_map(&s->on, PM_MAP_FILL, value, x, x, x);
}

static void invert(pm_sinkhorn *s, int x)
{
    pm_workspace_map(&s->on, PM_MAP_INVERT, 0, x, x, x);
}

static void start(pm_sinkhorn *s, const double *value)
{
    if (!s->on.is_product)
        pm_workspace_set(&s->on, value);
    s->is_slow = s->has_no_coarse = s->is_wide = s->is_stuck = s->is_far = s->is_linear =
        false; /* other entries may be easier, or have clusters */
    if (s->on.is_product) {
        fill(s, 1, ROW);
    } else if (!s->on.gpu) {
        pm_workspace_drop(&s->on, ROW);
        s->row = NULL;
    }
    s->residual = INFINITY;
    s->products = 0;
}

void pm_sinkhorn_start(pm_sinkhorn *s, const double *value)
{
    start(s, value);
    pm_workspace_drop_shifts(&s->on);
    fill(s, 1, COL);
}

void pm_sinkhorn_start_again(pm_sinkhorn *s, const double *value)
{
    start(s, value);
    if (s->on.gpu)
        pm_workspace_put(&s->on, COL, s->col);
}

void pm_sinkhorn_start_from(pm_sinkhorn *s, const double *value)
{
    pm_sinkhorn_start_again(s, value);
    pm_workspace_drop_shifts(&s->on);
}

void pm_sinkhorn_step_linearly(pm_sinkhorn *s)
{
    assert(!s->on.gpu && !s->on.is_product && s->drops_row);
    s->is_linear = true;
}

/* The row factors that are stored are all 1 before, or there are none yet. */
static bool is_first(const pm_sinkhorn *s)
{
    return isinf(s->residual);
}

static void by_columns(pm_sinkhorn *s, int x, int y)
{
    pm_workspace_multiply(&s->on, true, x, y);
    ++s->products;
}

static void sum_rows(pm_sinkhorn *s, int y)
{
    pm_workspace_sum_rows(&s->on, y);
}

/* The columns are divided by their sums with the rows multiplied by R; then the matrix and the residual
 * are up to date; R is lost before there are factors of the rows.  Returns how much smaller f has become. */
static double finish(pm_sinkhorn *s)
{
    by_columns(s, R, C);
    double decrease = pm_workspace_reduce(&s->on, PM_REDUCE_LOG_RATIOS, R, C);
    invert(s, C);
    if (!s->on.is_product)
        pm_workspace_scale(&s->on, R, C);
    if (is_first(s) && !s->drops_row)
        pm_workspace_move(&s->on, R, ROW);
    else if (!s->drops_row)
        pm_workspace_map(&s->on, PM_MAP_MULTIPLY, 0, ROW, R, ROW);
    pm_workspace_map(&s->on, PM_MAP_MULTIPLY, 0, COL, C, COL);
    sum_rows(s, SUM);
    ++s->products;
    double most = pm_workspace_reduce(&s->on, PM_REDUCE_FROM_ONE, SUM, SUM);
    s->residual = isfinite(most) ? most : NAN;
    return decrease;
}

static void sweep(pm_sinkhorn *s, int count)
{
    for (int done = 1; done <= count; ++done) {
        if (done == 1)
            sum_rows(s, R);
        else
            pm_workspace_multiply(&s->on, false, C, R);
        ++s->products;
        invert(s, R);
        if (done == count)
            break;
        by_columns(s, R, C);
        if (done == 1
            && pm_workspace_reduce(&s->on, PM_REDUCE_FROM_ONE, C, C)
                   <= (s->on.x.a.narrow ? SCALED_NARROW : SCALED))
            break;
        invert(s, C);
    }
    finish(s);
}

/* ---- Newton's method ---- */

/* y = (diag(SUM) - X X^T) x; returns x^T y. */
static double multiply_on_gpu(pm_workspace *w, int x, int y)
{
    double along;
    const pm_vector_step step[] = {pm_step_multiply(Q, y), pm_step_map(PM_MAP_REST, 0, SUM, x, y),
                                   pm_step_reduce(PM_REDUCE_DOT, x, y)};
    pm_workspace_multiply(w, true, x, Q);
    pm_workspace_run(w, step, 3, &along);
    return along;
}

/* The same on the host, where SUM has no memory meanwhile. */
static double multiply(pm_workspace *w, int x, int y)
{
    double along;
    const pm_vector_step step[] = {pm_step_differences(Q, x, y),
                                   pm_step_reduce(PM_REDUCE_DOT, x, y)};
    pm_workspace_multiply(w, true, x, Q);
    pm_workspace_run(w, step, 2, &along);
    return along;
}

/* x = the diagonal of the second derivative */
static void set_diagonal(pm_sinkhorn *s, int x)
{
    pm_workspace_squares(&s->on, x);
    pm_workspace_map(&s->on, PM_MAP_REMAINDER, 0, SUM, SUM, x);
}

/* Conjugate gradients for (diag(SUM) - X X^T) STEP = 1 - SUM, at most `steps` of them, until what remains is `share` of the right
 * side.  On the host SUM is lost: REST takes its memory.  Returns whether they ended before that. */
static bool solve_double(pm_sinkhorn *s, double share, int64_t steps)
{
    set_diagonal(s, DIAGONAL);
    const int sum = s->on.gpu ? SUM : REST;
    if (sum != SUM)
        pm_workspace_move(&s->on, SUM, sum);
    pm_workspace_map(&s->on, PM_MAP_FROM_ONE, 0, sum, sum, REST);
    const pm_symmetric_system system = {.on = &s->on,
                                        .multiply = s->on.gpu ? multiply_on_gpu : multiply,
                                        .diagonal = DIAGONAL,
                                        .work = SOLVER,
                                        .run = s->run};
    const double n = (double)s->on.x.a.nrows;
    const double size = sqrt(pm_workspace_reduce(&s->on, PM_REDUCE_DOT, REST, REST));
    const int64_t taken =
        pm_conjugate_gradients(&system, fmax(share * size, ROUNDING * sqrt(n)), steps, REST, STEP);
    if (sum != SUM)
        pm_workspace_move(&s->on, sum, SUM);
    s->products += 2 * taken;
    return taken < steps;
}

/* Steps of conjugate gradients, of two products each, that are left.  In a large matrix one system does not take them all: where weights
 * differ by many magnitudes, equations of a sum that hardly matters may take thousands.  A linear step that is cut short brings too little. */
static int64_t steps_left(const pm_sinkhorn *s, const newton_state *t)
{
    const int64_t left = t->most - s->products;
    const int64_t part = t->most / PARTS > PART_LEAST ? t->most / PARTS : PART_LEAST;
    const bool is_cut = !s->is_linear && s->on.x.a.nrows >= PM_SINGLE_ROWS && part < left;
    return (is_cut ? part : left) / 2;
}

static bool is_single(const pm_sinkhorn *s)
{
    return !s->on.gpu && !s->is_wide && s->on.x.a.nrows >= PM_SINGLE_ROWS;
}

/* Entries that are stored are rounded where the scaling need not be exact.  So a residual is not made much smaller
 * than 2^-24, which is far below these targets. */
static void fold(pm_sinkhorn *s, const newton_state *t)
{
    if (s->on.is_product || t->target < LEAST_FOLDED)
        return;
    pm_workspace_narrow(&s->on);
    s->x = NULL;
}

/* Where that fails there are no entries, as if they had been dropped. */
static pm_status unfold(pm_sinkhorn *s, pm_error *err)
{
    pm_status status = pm_workspace_widen(&s->on, err);
    s->x = s->on.x.a.value;
    return status;
}

/* Lines of rounded entries differ from 1 by their rounding; where sums are made exact, such differences would add up along long paths.
 * So a sweep in double precision is the last one. */
static pm_status unfold_and_finish(pm_sinkhorn *s, pm_error *err)
{
    if (s->on.gpu || !s->on.x.a.narrow)
        return PM_OK;
    pm_status status = unfold(s, err);
    if (!status)
        status = pm_workspace_take(&s->on, C, err);
    if (status)
        return status;
    pm_workspace_divide_rows(&s->on, s->drops_row ? -1 : ROW);
    pm_workspace_divide_columns(&s->on, C);
    pm_workspace_map(&s->on, PM_MAP_MULTIPLY, 0, COL, C, COL);
    s->products += 2;
    use_vectors(s);
    return PM_OK;
}

/* The equations in single precision; the vectors of a step have no memory meanwhile.  coarse: NULL, or systems beside the diagonal. */
static pm_status solve_single(pm_sinkhorn *s, double share, int64_t steps, const pm_coarse *coarse,
                              newton_state *t, bool *ended, pm_error *err)
{
    pm_single_end end = {0};
    pm_workspace_drop(&s->on, OF_A_STEP);
    fold(s, t);
    forget_step(t);
    const int64_t some = steps < PART_LEAST / 2 ? steps : PART_LEAST / 2;
    const int64_t hopeless = s->has_no_coarse ? (s->is_linear ? some : steps) / HOPELESS : 0;
    const pm_single_equations equations = {&s->on, coarse, share, steps, hopeless, s->run};
    t->single = pm_alloc_array(s->on.x.a.nrows, sizeof *t->single);
    pm_status status = t->single ? pm_single_step(&equations, t->single, &end, err)
                                 : pm_fail_memory(err, "vectors");
    if (status)
        return status;
    s->products += 2 * end.taken;
    *ended = end.taken < steps && !end.is_hopeless;
    if (s->is_linear && end.is_worse) /* it would spoil the sums */
        memset(t->single, 0, (size_t)s->on.x.a.nrows * sizeof *t->single);
    t->is_hopeless = end.is_hopeless;
    s->is_wide = end.is_broken;
    s->is_slow = s->is_slow && !s->is_wide;
    return PM_OK;
}

/* Where single precision is not enough, the equations are solved again in double precision, without coarse systems and in as many steps as
 * are left. */
static pm_status solve_within(pm_sinkhorn *s, double share, int64_t steps, const pm_coarse *coarse,
                              newton_state *t, bool *ended, pm_error *err)
{
    if (is_single(s)) {
        pm_status status = solve_single(s, share, steps, coarse, t, ended, err);
        if (status || !s->is_wide)
            return status;
        status = unfold(s, err);
        if (!status)
            status = pm_workspace_take(&s->on, OF_A_STEP, err);
        if (status)
            return status;
        sum_rows(s, SUM);
        steps = steps_left(s, t);
    }
    forget_step(t);
    *ended = solve_double(s, share, steps);
    return PM_OK;
}

/* The factors have arrays of their own only while a GPU has the vectors. */
static pm_status leave_gpu(pm_sinkhorn *s, pm_error *err)
{
    if (!s->on.gpu)
        return PM_OK;
    free(s->row);
    free(s->col);
    pm_status status = pm_workspace_leave_gpu(&s->on, OF_A_STEP, err);
    if (s->drops_row && !status)
        pm_workspace_drop(&s->on, OF_A_STEP - 1);
    s->row = s->drops_row ? NULL : s->on.vector[ROW];
    s->col = s->on.vector[COL];
    return status;
}

/* Coarse systems for the matrix as it is, or as it was some short steps ago.  They are for single precision, so the vectors of the
 * step have no memory from here on. */
static pm_status use_coarse(pm_sinkhorn *s, newton_state *t, pm_error *err)
{
    coarse_state *c = &t->coarse;
    if (c->is_made && c->change <= COARSE_STEPS)
        return PM_OK;
    forget_coarse(c);
    pm_status status = leave_gpu(s, err);
    if (status)
        return status;
    pm_workspace_drop(&s->on, OF_A_STEP);
    fold(s, t);
    status = pm_coarse_make(&s->on, &c->systems, &c->is_made, err);
    pm_memory_give_back(); /* of the levels while they were made */
    s->is_slow = c->is_made;
    s->has_no_coarse = !c->is_made;
    return status;
}

/* Solves these equations, as well as products permit.  A system that takes many steps gets coarse ones, and so do those
 * of the later steps; products on a GPU that brought no solution are not counted. */
static pm_status solve(pm_sinkhorn *s, double share, newton_state *t, pm_error *err)
{
    const int64_t steps = steps_left(s, t), before = s->products;
    const int many = s->on.gpu ? MANY_ON_GPU : MANY_STEPS;
    pm_status status = PM_OK;
    bool ended = false;
    if (is_single(s))
        pm_workspace_drop(&s->on, OF_A_STEP);
    if (!s->is_slow) {
        bool is_possible = !s->has_no_coarse && !s->is_wide && steps > many;
        status = is_possible ? pm_coarse_check(&s->on, &is_possible, err) : PM_OK;
        if (!status)
            status = solve_within(s, share, is_possible ? many : steps, NULL, t, &ended, err);
        t->is_cut = !ended;
        if (status || ended || !is_possible || s->is_wide)
            return status;
    }
    if (s->on.gpu)
        s->products = before;
    forget_step(t);
    status = use_coarse(s, t, err);
    if (!status)
        status = solve_within(s, share, steps_left(s, t), s->is_slow ? &t->coarse.systems : NULL, t,
                              &ended, err);
    t->is_cut = !ended;
    return status;
}

/* ---- steps ---- */

/* The largest change of a logarithm. */
static double largest_change(pm_sinkhorn *s, const float *single)
{
    if (!single)
        return pm_workspace_reduce(&s->on, PM_REDUCE_LARGEST, STEP, STEP);
    double most = 0;
    for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
        most = pm_reduce_join(PM_REDUCE_LARGEST, most, fabsf(single[i]));
    return most;
}

/* R = exp(part times the step).  A step in single precision is freed; then R has the exponential of another part of it. */
static void set_rows(pm_sinkhorn *s, newton_state *t, bool is_single, double part, double before)
{
    const int threads = s->on.threads;
    double *to = s->on.vector[R];
    if (!is_single) {
        pm_workspace_map(&s->on, PM_MAP_EXP, part, STEP, STEP, R);
    } else if (t->single) {
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
            to[i] = exp(part * t->single[i]);
        forget_step(t);
    } else {
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
            to[i] = pow(to[i], part / before);
    }
}

static pm_status keep_range(pm_sinkhorn *s, pm_error *err)
{
    return pm_workspace_keep_range(&s->on, s->drops_row ? -1 : ROW, COL, err);
}

/* Whether the next piece may turn entries of a row to 0.  Not for products, whose factors have shifts.  On the host only. */
static bool loses_rows(const pm_sinkhorn *s)
{
    const double *sum = s->on.vector[SUM];
    double least = INFINITY;
    if (s->on.is_product)
        return false;
    for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
        least = fmin(least, sum[i]);
    return least < LEAST_SUM;
}

/* Applies the step, piece by piece.  On a GPU, where factors have no shifts, only the first one.  *change: of a logarithm, at most. */
static pm_status go(pm_sinkhorn *s, newton_state *t, double *decrease, double *change,
                    pm_error *err)
{
    const bool is_single = t->single;
    const double largest = largest_change(s, t->single);
    double part = largest > FIRST_PIECE ? FIRST_PIECE / largest : 1;
    const double whole = s->on.gpu ? part : 1;
    const double longest = s->on.x.a.narrow ? FIRST_PIECE : LONGEST_PIECE;
    double before = part, done = 0, gain = 0, slope = 0;
    pm_status status = PM_OK;
    *decrease = 0;
    while (part > 0 && !(status = keep_range(s, err))) {
        set_rows(s, t, is_single, part, before);
        gain = finish(s);
        *decrease += gain;
        slope = done == 0 ? gain / part : slope;
        done += part;
        before = part;
        if (!(gain > LEAST_SLOPE * slope * part))
            break;
        part = fmin(fmin(2 * part, longest / largest), whole - done);
        if (!(part > ROUNDING) || loses_rows(s)) /* nothing is left, or it may not be taken */
            break;
    }
    while (!status && !(gain > 0) && part * largest > SAFE_PIECE) {
        part /= 2;
        set_rows(s, t, is_single, -part, before);
        before = -part;
        done -= part;
        const double more = finish(s);
        gain += more;
        *decrease += more;
    }
    *change = done * largest;
    s->is_far = !(done >= 1 - LEAST_LEFT) || (t->is_cut && s->residual > FAR);
    return status;
}

/* Divides the factors of the columns by the exponentials of the vector w, which is lost, in pieces that stay in range. */
static pm_status change_columns(pm_sinkhorn *s, int w, pm_error *err)
{
    const double most = pm_workspace_reduce(&s->on, PM_REDUCE_LARGEST, w, w);
    const int pieces = (int)fmin(ceil(most / LONGEST_PIECE), COLUMN_PIECES);
    pm_status status = PM_OK;
    if (!(most > 0))
        return PM_OK;
    if (!(most <= LONGEST_PIECE * COLUMN_PIECES))
        return pm_fail(err, PM_UNABLE, "a factor of the scaling is out of range");
    pm_workspace_map(&s->on, PM_MAP_EXP, -1.0 / pieces, w, w, w);
    for (int piece = 0; piece < pieces && !status; ++piece) {
        pm_workspace_map(&s->on, PM_MAP_MULTIPLY, 0, COL, w, COL);
        status = keep_range(s, err);
    }
    return status;
}

/* Applies the step to the entries, linearly.  Coarse systems are kept: entries change less than by other steps. */
static pm_status go_linearly(pm_sinkhorn *s, newton_state *t, pm_error *err)
{
    if (t->single) {
        for (int64_t i = 0; i < s->on.x.a.nrows; ++i)
            s->on.vector[R][i] = t->single[i];
        forget_step(t);
    } else {
        pm_workspace_move(&s->on, STEP, R);
    }
    by_columns(s, R, C);
    pm_linear_step(&s->on.x.a, s->on.vector[R], s->on.vector[C], s->on.threads);
    pm_status status = change_columns(s, C, err);
    if (status)
        return status;
    fill(s, 1, R);
    finish(s);
    s->is_far = t->is_cut && s->residual > FAR;
    return PM_OK;
}

/* One step, whose equations are solved up to `share`.  The matrix has columns that sum to 1.  *decrease: how
 * much smaller f has become. */
static pm_status newton(pm_sinkhorn *s, double share, newton_state *t, double *decrease,
                        pm_error *err)
{
    double change = 0;
    pm_status status = solve(s, share, t, err);
    if (!status && t->single)
        status = pm_workspace_take(&s->on, OF_A_STEP, err);
    if (!status && s->is_linear)
        status = go_linearly(s, t, err);
    else if (!status)
        status = go(s, t, decrease, &change, err);
    t->coarse.change += change;
    return status;
}

/* How well to solve the equations of a step: not much better than the last step was (Eisenstat and Walker
 * 1996, choice 2), nor than what is wanted. */
static double share_of(double gain, double wanted)
{
    return fmax(fmin(EASY, gain * gain), wanted / 4);
}

/* How far sums are from 1: the residual.  Where steps are linear it is the root of the sum of squares, since the same line may stay the worst
 * one for many steps while all others improve. */
static double distance(const pm_sinkhorn *s)
{
    double squares = 0;
    if (!s->is_linear)
        return s->residual;
    for (int64_t i = 0; i < s->on.x.a.nrows; ++i) {
        const double off = 1 - s->on.vector[SUM][i];
        squares += off * off;
    }
    return sqrt(squares);
}

/* From a start, or from where the last improvement ended.  A step that brought nothing although it took as many products as it may is
 * the last one: the next ones would bring nothing either; and so is one that hardly changed the residual and that was given up. */
static pm_status improve(pm_sinkhorn *s, newton_state *t, pm_error *err)
{
    const double target = t->target;
    int failures = 0;
    double gain = 1; /* of the last step */
    if (!s->products)
        sweep(s, FIRST_SWEEPS);
    while (s->residual > target && s->products < t->most && failures < FAILURES) {
        double before = distance(s), decrease = 0;
        pm_status status = newton(s, share_of(gain, target / s->residual), t, &decrease, err);
        if (status)
            return status;
        if (s->residual > FAR)
            sweep(s, FAR_SWEEPS);
        gain = distance(s) / before;
        if (pm_run_stopped(s->run))
            return pm_fail(err, PM_ESTOPPED, "stopped during Sinkhorn's scaling");
        if (gain < LEAST_GAIN || (decrease > LEAST_DECREASE && !t->is_hopeless)) {
            failures = 0;
            continue;
        }
        failures = t->is_cut ? FAILURES : failures + 1;
        s->is_stuck = t->is_cut;
        if (s->residual > target)
            sweep(s, SWEEPS);
    }
    return PM_OK;
}

pm_status pm_sinkhorn_improve(pm_sinkhorn *s, double target, int64_t most, pm_error *err)
{
    newton_state t = {.target = target, .most = most};
    pm_status status = pm_workspace_take(&s->on, s->drops_row ? FACTORS : ROW, err);
    if (!status && s->products)
        sum_rows(s, SUM);
    if (!status && is_single(s))
        fold(s, &t);
    if (!status)
        status = improve(s, &t, err);
    forget_all(&t);
    if (!s->on.gpu)
        use_vectors(s);
    if (is_single(s))
        pm_memory_give_back(); /* of coarse systems: vectors that are not written would be there */
    if (!status)
        status = unfold_and_finish(s, err);
    if (status)
        return status;
    pm_workspace_fetch(&s->on);
    if (s->on.gpu) {
        if (s->row)
            pm_workspace_get(&s->on, ROW, s->row);
        pm_workspace_get(&s->on, COL, s->col);
    }
    return pm_workspace_check(&s->on, err);
}
