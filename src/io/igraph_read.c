/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-igraph-read FORMAT < graph: the helper program of io/foreign.c, where its output is described; with the format layout that of
 * io/graph_layout.c.
 * Exit status: 0; 64 usage; 65 bad input, with one line "LINE: message" or "message" on standard
 * error; 69 a format that this igraph was built without; 71 out of memory; 74 cannot write. */
#include "config.h"

#include <errno.h>
#include <igraph.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "io/graph_layout.h"
#include "pm/alloc.h"
#include "pm/matrix.h"
#include "pm/status.h"
#include "text/escape.h"

/* igraph's handlers have no context: the first error and the first warning are kept here. */
static char first_error[400], first_warning[200];

static void keep(char *to, size_t room, const char *reason)
{
    if (*to)
        return;
    snprintf(to, room, "%s", reason);
    to[strcspn(to, "\n")] = '\0';
}

static void on_error(const char *reason, const char *file, int line, igraph_error_t code)
{
    (void)file;
    (void)line;
    (void)code;
    keep(first_error, sizeof first_error, reason);
    IGRAPH_FINALLY_FREE();
}

static void on_warning(const char *reason, const char *file, int line)
{
    (void)file;
    (void)line;
    keep(first_warning, sizeof first_warning, reason);
}

/* ---- the graph ---- */

typedef struct {
    igraph_t graph;
    igraph_vector_t weight, type, id; /* of edges; of vertices */
    igraph_vector_bool_t flag;        /* a boolean type */
    igraph_strvector_t name;
    bool has_weight, has_type, has_id, has_flag, has_name;
    pm_field field;
} input;

/* Prints "3: reason" when the reason names line 3. */
static pm_status fail(pm_error *err, const char *reason)
{
    for (const char *p = reason; (p = strcasestr(p, "line ")); ++p) {
        long line = strtol(p + 5, NULL, 10);
        if (line > 0)
            return pm_fail(err, PM_EDATA, "%ld: %s", line, reason);
    }
    return pm_fail(err, PM_EDATA, "%s", reason);
}

/* igraph looks for the first <graph> of the file. */
static const char *explain(const char *reason)
{
    return strstr(reason, "Graph index was too large")
               ? "expected an element <graph>, found none: the file holds no graph"
               : reason;
}

static pm_status check(igraph_error_t code, pm_error *err)
{
    if (code == IGRAPH_SUCCESS)
        return PM_OK;
    if (code == IGRAPH_ENOMEM)
        return pm_fail_memory(err, "graph");
    if (code == IGRAPH_UNIMPLEMENTED)
        return pm_fail(err, PM_UNABLE, "%s", first_error);
    return fail(err, *first_error ? explain(first_error) : igraph_strerror(code));
}

static igraph_error_t read_named(const char *format, igraph_t *g, bool *known)
{
    *known = true;
    if (strcmp(format, "graphml") == 0)
        return igraph_read_graph_graphml(g, stdin, 0);
    if (strcmp(format, "gml") == 0)
        return igraph_read_graph_gml(g, stdin);
    if (strcmp(format, "pajek") == 0)
        return igraph_read_graph_pajek(g, stdin);
    if (strcmp(format, "ncol") == 0)
        return igraph_read_graph_ncol(g, stdin, NULL, true, IGRAPH_ADD_WEIGHTS_IF_PRESENT, false);
    if (strcmp(format, "lgl") == 0)
        return igraph_read_graph_lgl(g, stdin, true, IGRAPH_ADD_WEIGHTS_IF_PRESENT, false);
    *known = false;
    return IGRAPH_SUCCESS;
}

/* ---- attributes ---- */

/* The type of the attribute, or IGRAPH_ATTRIBUTE_UNSPECIFIED when there is none. */
static pm_status find_attribute(const igraph_t *g, bool of_edges, const char *name,
                                igraph_attribute_type_t *type, pm_error *err)
{
    igraph_strvector_t names[3];
    igraph_vector_int_t types[3];
    *type = IGRAPH_ATTRIBUTE_UNSPECIFIED;
    for (int k = 0; k < 3; ++k)
        if (igraph_strvector_init(&names[k], 0) || igraph_vector_int_init(&types[k], 0))
            return pm_fail_memory(err, "attributes");
    pm_status status = check(
        igraph_cattribute_list(g, &names[0], &types[0], &names[1], &types[1], &names[2], &types[2]),
        err);
    int side = of_edges ? 2 : 1;
    for (igraph_integer_t k = 0; !status && k < igraph_strvector_size(&names[side]); ++k)
        if (strcmp(igraph_strvector_get(&names[side], k), name) == 0)
            *type = (igraph_attribute_type_t)VECTOR(types[side])[k];
    for (int k = 0; k < 3; ++k) {
        igraph_strvector_destroy(&names[k]);
        igraph_vector_int_destroy(&types[k]);
    }
    return status;
}

static bool is_whole(double x)
{
    return x == floor(x);
}

/* igraph keeps weights as doubles: integers are exact up to 2^53. */
static pm_status read_weights(input *in, const char *format, pm_error *err)
{
    igraph_attribute_type_t type;
    pm_status status = find_attribute(&in->graph, true, "weight", &type, err);
    in->field = PM_PATTERN;
    if (status || type == IGRAPH_ATTRIBUTE_UNSPECIFIED)
        return status;
    if (type != IGRAPH_ATTRIBUTE_NUMERIC)
        return fail(err, "expected numbers as the edge attribute 'weight'");
    if (igraph_vector_init(&in->weight, 0))
        return pm_fail_memory(err, "weights");
    in->has_weight = true;
    status = check(igraph_cattribute_EANV(&in->graph, "weight", igraph_ess_all(IGRAPH_EDGEORDER_ID),
                                          &in->weight),
                   err);
    bool is_line_format = strcmp(format, "ncol") == 0 || strcmp(format, "lgl") == 0;
    in->field = PM_INTEGER;
    for (igraph_integer_t k = 0; !status && k < igraph_vector_size(&in->weight); ++k) {
        double w = VECTOR(in->weight)[k];
        if (!isfinite(w))
            status =
                pm_fail(err, PM_EDATA, "expected a finite weight on edge %lld", (long long)k + 1);
        else if (w == 0 && is_line_format) /* also what igraph says for a missing one */
            status = pm_fail(err, PM_EDATA, "expected a weight other than 0 on edge %lld",
                             (long long)k + 1);
        else if (!is_whole(w))
            in->field = PM_REAL;
    }
    for (igraph_integer_t k = 0; !status && k < igraph_vector_size(&in->weight); ++k)
        if (in->field == PM_INTEGER && fabs(VECTOR(in->weight)[k]) > 0x1p53)
            status =
                pm_fail(err, PM_EDATA,
                        "expected an integer weight up to 2^53 on edge %lld: this format gives "
                        "no more digits",
                        (long long)k + 1);
    return status;
}

/* The bipartite "type", boolean or 0 and 1; an attribute of that name with other values is
 * something else. */
static pm_status read_types(input *in, pm_error *err)
{
    igraph_attribute_type_t type;
    pm_status status = find_attribute(&in->graph, false, "type", &type, err);
    if (status)
        return status;
    if (type == IGRAPH_ATTRIBUTE_BOOLEAN) {
        if (igraph_vector_bool_init(&in->flag, 0))
            return pm_fail_memory(err, "types");
        in->has_flag = true;
        return check(igraph_cattribute_VABV(&in->graph, "type", igraph_vss_all(), &in->flag), err);
    }
    if (type != IGRAPH_ATTRIBUTE_NUMERIC)
        return PM_OK;
    if (igraph_vector_init(&in->type, 0))
        return pm_fail_memory(err, "types");
    in->has_type = true;
    status = check(igraph_cattribute_VANV(&in->graph, "type", igraph_vss_all(), &in->type), err);
    bool binary = true;
    for (igraph_integer_t k = 0; !status && k < igraph_vector_size(&in->type); ++k)
        binary = binary && (VECTOR(in->type)[k] == 0 || VECTOR(in->type)[k] == 1);
    if (!status && !binary) {
        igraph_vector_destroy(&in->type);
        in->has_type = false;
    }
    return status;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names are used when no two are equal and none is empty. */
static bool are_distinct(const igraph_strvector_t *names)
{
    igraph_integer_t n = igraph_strvector_size(names);
    const char **text = pm_alloc_array(n, sizeof *text);
    bool good = text != NULL;
    for (igraph_integer_t k = 0; good && k < n; ++k) {
        text[k] = igraph_strvector_get(names, k);
        good = *text[k] != '\0';
    }
    if (good)
        qsort(text, (size_t)n, sizeof *text, by_text);
    for (igraph_integer_t k = 1; good && k < n; ++k)
        good = strcmp(text[k - 1], text[k]) != 0;
    free(text);
    return good;
}

static pm_status read_names(input *in, pm_error *err)
{
    static const char *const attribute[] = {"name", "label", "id"};
    igraph_attribute_type_t type;
    pm_status status = PM_OK;
    if (igraph_strvector_init(&in->name, 0))
        return pm_fail_memory(err, "names");
    in->has_name = true;
    for (int k = 0; k < 3 && !status; ++k) {
        status = find_attribute(&in->graph, false, attribute[k], &type, err);
        if (status || type != IGRAPH_ATTRIBUTE_STRING)
            continue;
        status = check(
            igraph_cattribute_VASV(&in->graph, attribute[k], igraph_vss_all(), &in->name), err);
        if (!status && are_distinct(&in->name))
            return PM_OK;
    }
    igraph_strvector_destroy(&in->name);
    in->has_name = false;
    if (status || type != IGRAPH_ATTRIBUTE_NUMERIC)
        return status;
    if (igraph_vector_init(&in->id, 0))
        return pm_fail_memory(err, "names");
    in->has_id = true;
    return check(igraph_cattribute_VANV(&in->graph, "id", igraph_vss_all(), &in->id), err);
}

/* ---- output ---- */

static pm_status write_vertex(const input *in, igraph_integer_t v, pm_error *err)
{
    bool labelled = in->has_name || in->has_id;
    if (in->has_flag || in->has_type)
        printf("%d%s", in->has_flag ? VECTOR(in->flag)[v] != 0 : VECTOR(in->type)[v] != 0,
               labelled ? " " : "");
    if (in->has_id)
        printf("%.17g", VECTOR(in->id)[v]);
    if (in->has_name) {
        char *text = pm_escape_text(igraph_strvector_get(&in->name, v));
        if (!text)
            return pm_fail_memory(err, "names");
        fputs(text, stdout);
        free(text);
    }
    putchar('\n');
    return PM_OK;
}

static pm_status write_answer(const input *in, pm_error *err)
{
    igraph_integer_t n = igraph_vcount(&in->graph), m = igraph_ecount(&in->graph);
    bool typed = in->has_flag || in->has_type, labelled = in->has_name || in->has_id;
    printf("pm-onesided %lld %lld %s %d %d\n", (long long)n, (long long)m, pm_field_name(in->field),
           typed, labelled);
    for (igraph_integer_t v = 0; v < n && (typed || labelled); ++v) {
        pm_status status = write_vertex(in, v, err);
        if (status)
            return status;
    }
    for (igraph_integer_t k = 0; k < m; ++k) {
        printf("%lld %lld", (long long)IGRAPH_FROM(&in->graph, k) + 1,
               (long long)IGRAPH_TO(&in->graph, k) + 1);
        if (in->field == PM_INTEGER)
            printf(" %.0f", VECTOR(in->weight)[k]);
        if (in->field == PM_REAL)
            printf(" %.17g", VECTOR(in->weight)[k]);
        putchar('\n');
    }
    puts("end");
    if (fflush(stdout) != 0 || ferror(stdout))
        return pm_fail(err, PM_EIO, "cannot write the graph");
    return PM_OK;
}

/* ---- a layout ---- */

static igraph_error_t lay_out(const igraph_t *g, igraph_matrix_t *to)
{
    enum { SEED = 1, SPRING_STEPS = 50, STEPS = 1000 };
    const igraph_integer_t n = igraph_vcount(g);
    const double temperature = sqrt((double)n);
    igraph_rng_seed(igraph_rng_default(), SEED);
    return n <= PM_LAYOUT_SPRINGS
               ? igraph_layout_kamada_kawai(g, to, false, SPRING_STEPS * n, 0, (double)n, NULL,
                                            NULL, NULL, NULL, NULL)
               : igraph_layout_fruchterman_reingold(g, to, false, STEPS, temperature,
                                                    IGRAPH_LAYOUT_AUTOGRID, NULL, NULL, NULL, NULL,
                                                    NULL);
}

static pm_status write_layout(const igraph_t *g, pm_error *err)
{
    igraph_matrix_t place;
    if (igraph_matrix_init(&place, 0, 2))
        return pm_fail_memory(err, "layout");
    pm_status status = check(lay_out(g, &place), err);
    for (igraph_integer_t v = 0; !status && v < igraph_matrix_nrow(&place); ++v)
        printf("%.9g %.9g\n", MATRIX(place, v, 0), MATRIX(place, v, 1));
    igraph_matrix_destroy(&place);
    if (!status && (fflush(stdout) != 0 || ferror(stdout)))
        status = pm_fail(err, PM_EIO, "cannot write the layout");
    return status;
}

static pm_status run_layout(pm_error *err)
{
    igraph_t graph;
    long long n;
    if (scanf("%lld", &n) != 1 || n < 0 || n > PM_LAYOUT_MOST)
        return pm_fail(err, PM_EDATA, "expected a number of vertices up to %d", PM_LAYOUT_MOST);
    pm_status status =
        check(igraph_read_graph_edgelist(&graph, stdin, (igraph_integer_t)n, false), err);
    if (status)
        return status;
    status = write_layout(&graph, err);
    igraph_destroy(&graph);
    return status;
}

static pm_status run(const char *format, input *in, pm_error *err)
{
    bool known;
    igraph_set_error_handler(on_error);
    igraph_set_warning_handler(on_warning);
    if (strcmp(format, "layout") == 0)
        return run_layout(err);
    igraph_set_attribute_table(&igraph_cattribute_table);
    igraph_error_t code = read_named(format, &in->graph, &known);
    if (!known)
        return pm_fail(err, PM_EUSAGE, "there is no format '%s'", format);
    pm_status status = check(code, err);
    if (status)
        return status;
    /* the command must have written its whole input before it reads */
    while (getchar() != EOF)
        continue;
    status = read_weights(in, format, err);
    if (!status)
        status = read_types(in, err);
    if (!status)
        status = read_names(in, err);
    if (!status)
        status = write_answer(in, err);
    igraph_destroy(&in->graph);
    return status;
}

static void input_free(input *in)
{
    if (in->has_weight)
        igraph_vector_destroy(&in->weight);
    if (in->has_type)
        igraph_vector_destroy(&in->type);
    if (in->has_id)
        igraph_vector_destroy(&in->id);
    if (in->has_flag)
        igraph_vector_bool_destroy(&in->flag);
    if (in->has_name)
        igraph_strvector_destroy(&in->name);
}

/* What igraph allocates is not counted by pm/memory.h. */
static pm_status limit_memory(const char *bytes, pm_error *err)
{
    char *end;
    errno = 0;
    unsigned long long most = strtoull(bytes, &end, 10);
    struct rlimit limit;
    if (*end || end == bytes || errno || getrlimit(RLIMIT_DATA, &limit) != 0)
        return pm_fail(err, PM_EUSAGE, "expected a number of bytes, not %s", bytes);
    if (most < limit.rlim_cur)
        limit.rlim_cur = most;
    return setrlimit(RLIMIT_DATA, &limit) == 0
               ? PM_OK
               : pm_fail(err, PM_EINTERNAL, "limit of memory: %s", strerror(errno));
}

int main(int argc, char **argv)
{
    input in = {.field = PM_PATTERN};
    pm_error err = {.msg = ""};
    pm_status status = PM_OK;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a signal may end the program that waits for the answer */
    if (argc < 2 || argc > 3)
        status = pm_fail(&err, PM_EUSAGE,
                         "usage: pm-igraph-read graphml|gml|pajek|ncol|lgl|layout [BYTES]");
    if (!status && argc == 3)
        status = limit_memory(argv[2], &err);
    if (!status)
        status = run(argv[1], &in, &err);
    input_free(&in);
    if (status)
        fprintf(stderr, "%s\n", err.msg);
    else if (*first_warning)
        fprintf(stderr, "%s\n", first_warning);
    return pm_exit_status(status);
}
