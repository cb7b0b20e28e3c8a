/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-count/count_options.h"

#include <string.h>

#include "cli/whole.h"
#include "cli/words.h"
#include "gpu/gpu_model.h"
#include "pm/algorithms.h"

static pm_status set_algorithm(void *field, const char *arg, pm_error *err)
{
    const char *name;
    if (strcmp(arg, "auto") == 0) {
        *(const char **)field = NULL;
        return PM_OK;
    }
    for (int i = 0; (name = pm_algorithm_name(i)); ++i)
        if (strcmp(name, arg) == 0)
            return pm_set_text(field, name, err);
    return pm_fail(err, PM_EUSAGE, "there is no algorithm '%s' (see --list)", arg);
}

static pm_status set_modulus(void *field, const char *arg, pm_error *err)
{
    uint64_t v;
    if (!pm_whole_parse(arg, strlen(arg), &v) || v < 2 || v >= UINT64_C(1) << 62)
        return pm_fail(err, PM_EUSAGE, "'%s' is not a whole number from 2 to 2^62-1", arg);
    *(uint64_t *)field = v;
    return PM_OK;
}

static pm_status set_order(void *field, const char *arg, pm_error *err)
{
    static const char *const words[] = {"auto", "given", NULL};
    int order;
    pm_status status = pm_word_among(arg, words, &order, err);
    if (!status)
        *(bool *)field = order == 1;
    return status;
}

enum { BITS_LEAST = 64, BITS_MOST = 1000000, DIGITS_MOST = 1000000 };

static void set_to(pm_precision_setting *set, pm_precision how, int64_t bits)
{
    set->how = how;
    set->bits = bits;
    *set->reads_exact = how == PM_EXACT;
}

static pm_status set_precision(void *field, const char *arg, pm_error *err)
{
    static const char *const words[] = {"single", "double", "kahan", "dq", "quad", "exact", NULL};
    static const pm_precision precisions[] = {PM_SINGLE, PM_DOUBLE, PM_KAHAN,
                                              PM_DQ,     PM_QUAD,   PM_EXACT};
    pm_precision_setting *set = field;
    int precision;
    uint64_t bits;
    if (pm_whole_parse(arg, strlen(arg), &bits)) {
        set_to(set, PM_EXACT, (int64_t)bits);
        return bits >= BITS_LEAST && bits <= BITS_MOST
                   ? PM_OK
                   : pm_fail(err, PM_EUSAGE, "'%s' is not a number of bits from %d to %d", arg,
                             BITS_LEAST, BITS_MOST);
    }
    pm_error why;
    pm_status status = pm_word_among(arg, words, &precision, &why);
    if (status)
        pm_fail_after(&why, err, status, "%s, nor a number of bits from %d to %d", why.msg,
                      BITS_LEAST, BITS_MOST);
    else
        set_to(set, precisions[precision], 0);
    return status;
}

static pm_status set_digits(void *field, const char *arg, pm_error *err)
{
    uint64_t v;
    if (!pm_whole_parse(arg, strlen(arg), &v) || v < 1 || v > DIGITS_MOST)
        return pm_fail(err, PM_EUSAGE, "'%s' is not a whole number from 1 to %d", arg, DIGITS_MOST);
    *(int64_t *)field = (int64_t)v;
    return PM_OK;
}

/* The memory named by the first `length` letters of arg; PM_IN_ANY when it is not one of from ..
 * to. */
static pm_memory memory_of(const char *arg, size_t length, pm_memory from, pm_memory to)
{
    static const char *const names[] = {"", "registers", "shared", "global", "constant"};
    for (pm_memory m = from; m <= to; ++m)
        if (strlen(names[m]) == length && memcmp(names[m], arg, length) == 0)
            return m;
    return PM_IN_ANY;
}

static pm_status set_placement(void *field, const char *arg, pm_error *err)
{
    pm_placement *p = field;
    size_t sums = strcspn(arg, ",");
    const char *rest = arg[sums] ? arg + sums + 1 : NULL;
    size_t matrix = rest ? strcspn(rest, ",") : 0;
    const char *last = rest && rest[matrix] ? rest + matrix + 1 : NULL;
    p->sums = memory_of(arg, sums, PM_IN_REGISTERS, PM_IN_GLOBAL);
    p->matrix = rest ? memory_of(rest, matrix, PM_IN_SHARED, PM_IN_CONSTANT) : PM_IN_ANY;
    p->is_unaligned = last && strcmp(last, "unaligned") == 0;
    if (!p->sums || (rest && !p->matrix) || (last && !p->is_unaligned))
        return pm_fail(
            err, PM_EUSAGE,
            "'%s' is not one of registers, shared, global, with or without a comma and one"
            " of shared, global, constant, and a comma and unaligned",
            arg);
    return PM_OK;
}

static pm_status set_calibrate(void *field, const char *arg, pm_error *err)
{
    pm_calibrate *how = field;
    *how = arg ? PM_CALIBRATE_AGAIN : PM_CALIBRATE_ONCE;
    if (arg && strcmp(arg, "again") != 0)
        return pm_fail(err, PM_EUSAGE, "expected 'again' or nothing, not '%s'", arg);
    return PM_OK;
}

static bool *reduction(pm_reduce_options *r, const char *name, size_t length)
{
    const struct {
        const char *name;
        bool *flag;
    } table[] = {{"dm", &r->blocks},
                 {"degree1", &r->degree1},
                 {"degree2", &r->degree2},
                 {"twins", &r->twins}};
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0)
            return table[i].flag;
    return NULL;
}

static pm_status set_reduce(void *field, const char *arg, pm_error *err)
{
    pm_reduce_setting *set = field;
    *set = (pm_reduce_setting){.is_given = true};
    if (strcmp(arg, "all") == 0)
        set->what = pm_reduce_all();
    if (strcmp(arg, "all") == 0 || strcmp(arg, "none") == 0)
        return PM_OK;
    for (const char *name = arg;;) {
        size_t length = strcspn(name, ",");
        bool *flag = reduction(&set->what, name, length);
        if (!flag)
            return pm_fail(err, PM_EUSAGE,
                           "'%s' is neither all nor none nor a list of dm, degree1, degree2, twins",
                           arg);
        *flag = true;
        if (!name[length])
            return PM_OK;
        name += length + 1;
    }
}

/* field: the settings. */
static pm_status set_plan(void *field, const char *arg, pm_error *err)
{
    pm_count_settings *set = field;
    const char *name;
    set->plan = true;
    set->planned_gpu = NULL;
    if (!arg)
        return PM_OK;
    for (int i = 0; (name = pm_gpu_model_name(i)); ++i)
        if (strcmp(name, arg) == 0)
            return pm_set_text(&set->planned_gpu, name, err);
    return pm_fail(err, PM_EUSAGE, "no rates are known of '%s', only of h100 and h200", arg);
}

#define IN_COUNT(field) offsetof(pm_count_settings, field)

const pm_option pm_options_question[] = {
    {0, "mod", "M", "count modulo M, from 2 to 2^62-1", set_modulus, IN_COUNT(modulus)},
    {0, "exists", NULL, "print yes or no: is there a perfect matching?", pm_set_flag,
     IN_COUNT(exists)},
    {0, "matching", NULL, "print one perfect matching, or why there is none", pm_set_flag,
     IN_COUNT(matching)},
    {0, "plan", "[=DEVICE]",
     "print what would be done, and the predicted time and memory; DEVICE: on GPUs of this model,"
     " h100 or h200, which need not be there",
     set_plan, 0},
    {0, "row-times", "LIST",
     "repeat row i LIST[i] times: 2,0,1, or @FILE with such a text or a NumPy array", pm_set_text,
     IN_COUNT(row_times)},
    {0, "col-times", "LIST", "the same for the columns", pm_set_text, IN_COUNT(col_times)},
    {0, "vertex-times", "LIST", "the same for the vertices of a graph on one set of vertices",
     pm_set_text, IN_COUNT(vertex_times)},
    {0, "list", NULL, "list the algorithms", pm_set_flag, IN_COUNT(list)},
    {0},
};

const pm_option pm_options_method[] = {
    {0, "algorithm", "NAME",
     "auto (default): the cheapest algorithm, or one of --list for every block", set_algorithm,
     IN_COUNT(algorithm)},
    {0, "backend", "WHERE", "auto (default): a GPU for long counts; cpu; or cuda: a GPU",
     pm_set_backend, IN_COUNT(backend)},
    {0, "gpus", "N", "use N GPUs, or all; one by default; with --plan more than there are",
     pm_set_planned_gpus, IN_COUNT(gpus)},
    {0, "placement", "WHERE",
     "registers, shared or global memory for the row sums of ryser on a GPU, and after a comma"
     " shared, global or constant memory for the matrix; after another comma, unaligned: threads"
     " flip different columns",
     set_placement, IN_COUNT(placement)},
    {0, "precision", "HOW",
     "single, double, kahan (default), dq or quad: arithmetic of the Ryser family on real and "
     "complex"
     " matrices; exact: decimals and p/q mean themselves, and the answer is a fraction; or so many"
     " bits of that fraction, from 64 to 1000000",
     set_precision, IN_COUNT(precision)},
    {0, "digits", "N",
     "with --precision=exact: print N significant digits and a bound of the error", set_digits,
     IN_COUNT(digits)},
    {0, "order", "HOW", "auto (default): search for an order; given: the order of the input",
     set_order, IN_COUNT(order_is_given)},
    {0, "reduce", "WHAT",
     "all (default), none, or a list of dm,degree1,degree2,twins: simplify before counting",
     set_reduce, IN_COUNT(reduce)},
    {0, "transpose", NULL, "exchange rows and columns", pm_set_flag, IN_COUNT(transpose)},
    {0, "verify", NULL,
     "count again with other primes, another order and, if possible, another algorithm",
     pm_set_flag, IN_COUNT(verify)},
    {0, "calibrate", "[=again]",
     "plan with the rates of this machine, which are measured once, or again, and stored in a file",
     set_calibrate, IN_COUNT(calibrate)},
    {0},
};

pm_count_settings pm_count_settings_defaults(void)
{
    return (pm_count_settings){.reduce.what = pm_reduce_all(), .backend = PM_BACKEND_AUTO};
}

int64_t pm_count_settings_digits(const pm_count_settings *set)
{
    const double digits_of_bit = 0.30103; /* more than log10(2) */
    return set->precision.bits ? 2 + (int64_t)((double)set->precision.bits * digits_of_bit)
                               : set->digits;
}

static bool allows_placement(const pm_count_settings *set)
{
    return set->backend == PM_BACKEND_CUDA && set->algorithm
           && strcmp(set->algorithm, "ryser") == 0;
}

pm_status pm_count_precision_check(const pm_count_settings *set, pm_error *err)
{
    if (set->digits && (set->precision.how != PM_EXACT || set->precision.bits))
        return pm_fail(err, PM_EUSAGE, "--digits needs --precision=exact");
    if (set->precision.how == PM_EXACT && (set->exists || set->matching))
        return pm_fail(err, PM_EUSAGE,
                       "--precision=exact has no meaning for --exists and --matching");
    return PM_OK;
}

pm_status pm_count_settings_check(const pm_count_settings *set, pm_error *err)
{
    if (set->exists + set->matching + set->plan > 1)
        return pm_fail(err, PM_EUSAGE, "--exists, --matching and --plan exclude each other");
    if (set->vertex_times && (set->row_times || set->col_times))
        return pm_fail(err, PM_EUSAGE, "--vertex-times excludes --row-times and --col-times");
    if (set->vertex_times && set->long_run.merge)
        return pm_fail(err, PM_EUSAGE,
                       "--vertex-times excludes --merge: the parts have the copies");
    if (set->modulus && (set->exists || set->matching))
        return pm_fail(err, PM_EUSAGE, "--mod has no meaning for --exists and --matching");
    if (set->order_is_given && (set->transpose || set->reduce.is_given))
        return pm_fail(err, PM_EUSAGE, "--order=given excludes --transpose and --reduce");
    if (set->gpus && set->backend == PM_BACKEND_CPU)
        return pm_fail(err, PM_EUSAGE, "--gpus has no meaning for --backend=cpu");
    if (set->gpus > PM_GPU_MAX && !set->plan)
        return pm_fail(err, PM_EUSAGE, "a count uses at most %d GPUs; --plan is for more",
                       PM_GPU_MAX);
    if (set->planned_gpu && set->backend == PM_BACKEND_CPU)
        return pm_fail(err, PM_EUSAGE, "--plan=%s has no meaning for --backend=cpu",
                       set->planned_gpu);
    if (set->planned_gpu && (set->calibrate || set->gpus < 0))
        return pm_fail(err, PM_EUSAGE,
                       "--calibrate and --gpus=all are for the GPUs of this machine, not for"
                       " --plan=%s",
                       set->planned_gpu);
    if (set->algorithm && !pm_algorithm_is_on(set->algorithm, set->backend))
        return pm_fail(err, PM_EUSAGE, "%s %s (see --list)", set->algorithm,
                       set->backend == PM_BACKEND_CUDA ? "does not run on a GPU"
                                                       : "runs on a GPU only");
    if (set->placement.sums && !allows_placement(set))
        return pm_fail(err, PM_EUSAGE, "--placement is for --algorithm=ryser --backend=cuda");
    if ((set->exists || set->matching || set->plan)
        && (set->long_run.checkpoint || set->long_run.parts || set->long_run.merge))
        return pm_fail(
            err, PM_EUSAGE,
            "--checkpoint, --part and --merge need a count: no --exists, --matching, --plan");
    if (set->calibrate && (set->long_run.parts || set->long_run.merge))
        return pm_fail(err, PM_EUSAGE,
                       "--part and --merge need the same plan everywhere: no --calibrate");
    if (set->verify && (set->exists || set->matching || set->plan))
        return pm_fail(err, PM_EUSAGE, "--verify needs a count: no --exists, --matching, --plan");
    return pm_long_settings_check(&set->long_run, err);
}

pm_task pm_count_task(const pm_count_settings *set)
{
    return set->exists ? pm_task_exists : set->matching ? pm_task_matching : NULL;
}

pm_layout pm_count_layout(const pm_count_settings *set)
{
    return set->matching || set->plan ? PM_LAYOUT_BLOCKS : PM_LAYOUT_LINES;
}

pm_count_options pm_count_settings_options(const pm_count_settings *set)
{
    pm_count_options opt = pm_count_defaults();
    opt.algorithm = set->algorithm;
    opt.reduce = set->reduce.what;
    opt.modulus = set->modulus;
    opt.transpose = set->transpose;
    opt.precision = set->precision.how;
    opt.backend = set->backend;
    opt.gpus = set->gpus;
    opt.placement = set->placement;
    opt.plan_only = set->plan;
    if (set->seed.is_given)
        opt.seed = set->seed.value;
    return opt;
}

static void list_rates(FILE *f, const pm_rates *rates)
{
    fputs("# rate\tseconds\tnominal\tunit\n", f);
    for (int r = 0; r < PM_RATES; ++r)
        fprintf(f, "%s\t%.3g\t%.3g\t%s\n", pm_rate_name((pm_rate)r), rates->seconds[r],
                pm_rates_nominal_of(rates->isa)->seconds[r], pm_rate_unit((pm_rate)r));
    if (!*rates->gpu_name)
        return;
    fprintf(f, "# rates of %s\tseconds\tnominal\tunit\n", rates->gpu_name);
    for (int r = 0; r < PM_GPU_RATES; ++r)
        fprintf(f, "%s\t%.3g\t%.3g\t%s\n", pm_gpu_rate_name((pm_gpu_rate)r), rates->gpu[r],
                pm_rates_nominal.gpu[r], pm_gpu_rate_unit((pm_gpu_rate)r));
}

void pm_count_list(FILE *f, const pm_rates *rates)
{
    const char *name;
    fputs("# algorithm\tbackend\tsummary\tgraphs\n", f);
    for (int i = 0; (name = pm_algorithm_name(i)); ++i)
        fprintf(f, "%s\t%s\t%s\t%s\n", name, pm_backend_name(pm_algorithm_backend(i)),
                pm_algorithm_summary(i), pm_algorithm_is_general(i) ? "general" : "bipartite");
    if (rates)
        list_rates(f, rates);
}
