/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/expression.h: expressions: sums and products of permanents, given as one node after another.
 *
 * An expression is a tree.  It is given as a sequence of nodes: a leaf is one node; a group is a
 * node that opens it, the nodes inside, and a node that closes it.  A sequence may hold several
 * expressions; each is an *item* and is answered by itself.  The whole tree is never held in
 * memory: a reader of the sequence keeps one record for each open group, so sums of millions of
 * terms need the memory of one term.
 *
 * This header has the node, the record of the open groups (pm_groups), and the walk that calls
 * functions of a visitor for the nodes of a sequence (pm_walk). */
#ifndef PM_EXPRESSION_H
#define PM_EXPRESSION_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm/fraction.h"
#include "pm/matching_kind.h"
#include "pm/matrix.h"
#include "pm/period.h"
#include "pm/run.h"
#include "pm/status.h"

/* The most groups that may be open at the same time. */
enum { PM_DEPTH_MAX = 1000 };

/* ---- nodes ---- */

typedef enum {
    PM_NODE_MATRIX,  /* a leaf: the matchings of `matrix` */
    PM_NODE_NUMBER,  /* a leaf: the factor alone */
    PM_NODE_PRODUCT, /* opens a group */
    PM_NODE_SUM,     /* opens a group */
    PM_NODE_CLOSE,   /* closes the innermost group */
    PM_NODE_END      /* the end of the sequence; no group is open */
} pm_node_kind;

/* The numbers that an exact value was made of; the form in which it is printed depends on them. */
typedef enum {
    PM_NUMBERS_UNSAID, /* integers, or the node does not say it */
    PM_NUMBERS_REAL,
    PM_NUMBERS_COMPLEX, /* fractions with the imaginary unit */
    PM_NUMBERS_ROOTS    /* other roots of unity too */
} pm_numbers;

/* The value of a matrix is its permanent, or the weighted number of its matchings of another kind;
 * that of a number is 1; that of a group is the sum or the product of its nodes.  A node
 * contributes
 *     (factor * value)^times   in a product and outside any group,
 *     factor * value * times   in a sum. */
typedef struct {
    pm_node_kind kind;
    pm_fraction factor;    /* 1 unless given */
    pm_field factor_field; /* the kind of the factor: PM_INTEGER (rational), PM_REAL, PM_COMPLEX */
    mpz_t times;           /* repetitions, 0 or more; 1 unless given */
    /* What the node, or the one that it was made of, had; the numbers of this node and of all nodes of the group mean themselves
     * then.  Set by readers only with pm_read_options.exact, or for parts. */
    pm_numbers numbers;
    pm_matrix matrix; /* of PM_NODE_MATRIX; else empty */
    bool one_set;     /* of PM_NODE_MATRIX: its sides are colour classes of a graph on one set of
                   * vertices, which were found; a component may have either class on the left */
    /* Of PM_NODE_MATRIX: the symmetric adjacency matrix of a graph on one set of vertices, with an odd cycle or with
     * loops on the diagonal; the value is its (loop) hafnian.  Set by readers only with pm_read_options.general. */
    bool general;
    /* Of PM_NODE_MATRIX: how often each row and each column occurs, as in pm_matrix_repeat; or NULL:
     * once.  The answer is that of the matrix with its copies written out.  Set by readers only with
     * pm_read_options.keep_repeats. */
    int64_t *row_times, *col_times;
    /* Of a general matrix with row_times, which are those of the vertices: n x 1, of the same field, the weights of leaving a copy of
     * each vertex alone; zeroed: none.  The diagonal of the matrix then has the weights of the edges between two copies. */
    pm_matrix loops;
    /* Of PM_NODE_MATRIX: the matrix is one part of a periodic graph, in its own columns; or NULL.  The answer is
     * that of the whole graph.  Set by readers only with pm_read_options.keep_repeats. */
    pm_period *period;
    pm_matching_kind matchings; /* of PM_NODE_MATRIX: which matchings are counted */
    int32_t *order;             /* vertex order given for the matrix (pm/matrix.h), or NULL */
    int64_t order_len;          /* its length: rows + columns, or 0 */
    char *name;                 /* label of the node, or NULL */
    int64_t line;               /* text line where the node begins, from 1; for messages */
} pm_node;

/* PM_NODE_END with factor 1 and times 1. */
void pm_node_init(pm_node *node);
/* Frees all that the node holds.  May be called again. */
void pm_node_clear(pm_node *node);
/* *out, which is initialised, = node.  Fails: PM_ENOMEM; *out can be cleared then. */
pm_status pm_node_copy(const pm_node *node, pm_node *out, pm_error *err);
/* Frees what the node holds, and sets it to what pm_node_init does.  Short numbers keep their memory. */
void pm_node_reset(pm_node *node);
/* Which matchings of the matrix of the node are counted.  A node that says so itself decides;
 * otherwise `asked` is for whole graphs, and a matrix in a group is a part of a graph with a perfect
 * matching.  is_item: the node is outside any group. */
pm_matching_kind pm_node_matchings(const pm_node *node, bool is_item, pm_matching_kind asked);
/* For messages: "input:line", or "input" where its first line begins the graph.  Returns out. */
enum { PM_PLACE = 1024 };
const char *pm_node_place(const char *input, int64_t line, char out[PM_PLACE]);
/* input: for the message.
 * Fails: PM_UNABLE a side is to be covered, and node->one_set: the answer would depend on the order
 * of the input; or node->general: there are no sides. */
pm_status pm_node_check_sides(const pm_node *node, pm_matching_kind kind, const char *input,
                              pm_error *err);
/* The same, and PM_UNABLE: the graph is general, and other matchings than perfect ones are to be counted. */
pm_status pm_node_check_kind(const pm_node *node, pm_matching_kind kind, const char *input,
                             pm_error *err);
/* Fails: PM_UNABLE the graph is general and has loops, so that a matching need not be perfect. */
pm_status pm_node_check_loops(const pm_node *node, const char *input, pm_error *err);
/* Writes out the copies of rows and columns, and the parts of a periodic graph.
 * Fails: as pm_matrix_repeat and pm_period_write_out. */
pm_status pm_node_write_out(pm_node *node, pm_error *err);
/* The field of the matrix, or the widest one of a periodic graph. */
pm_field pm_node_field(const pm_node *node);
/* The widest of node->numbers, its factor and its matrices. */
pm_numbers pm_node_numbers(const pm_node *node);
/* "real", "complex" or "roots"; NULL for PM_NUMBERS_UNSAID. */
const char *pm_numbers_name(pm_numbers numbers);
/* PM_NODE_PRODUCT or PM_NODE_SUM. */
bool pm_node_opens_group(const pm_node *node);
/* Moves factor, factor_field and times out of the node and sets them to 1, PM_INTEGER and 1
 * there.  *factor and times are initialised by the caller. */
void pm_node_take_factor(pm_node *node, pm_fraction *factor, pm_field *factor_field, mpz_t times);

/* Where nodes come from: a reader (pm_reader_source in pm/io.h) or a test. */
typedef struct {
    /* The next node of the sequence, PM_NODE_END after the last.  *out is initialised by the caller
     * and is reset first.  The function checks the nesting of the groups. */
    pm_status (*next)(void *context, pm_node *out, pm_error *err);
    void *context;
    const char *name; /* of the input, for messages */
} pm_node_source;

/* ---- open groups ---- */

/* The groups that are open at some place of a sequence, the path from the root.  Each has a frame:
 * frame_size bytes that belong to the user. */
typedef struct {
    size_t frame_size;  /* set by the user before use, the rest zeroed; may be 0 */
    int64_t depth, cap; /* depth: the number of open groups */
    char *frames;       /* the outermost group first */
} pm_groups;

typedef enum {
    PM_NESTING_GOOD,
    PM_NESTING_TOO_DEEP,  /* a group inside PM_DEPTH_MAX others */
    PM_NESTING_NOT_OPEN,  /* PM_NODE_CLOSE outside any group */
    PM_NESTING_NOT_CLOSED /* PM_NODE_END inside a group */
} pm_nesting;

/* Whether a node of this kind may come next. */
pm_nesting pm_groups_check(const pm_groups *groups, pm_node_kind kind);
/* Opens a group; its frame is zeroed.  Fails: PM_ENOMEM. */
pm_status pm_groups_open(pm_groups *groups, pm_error *err);
/* Closes the innermost group, whose frame becomes invalid.  depth > 0. */
void pm_groups_close(pm_groups *groups);
/* The frame of the innermost group, or NULL outside any group.  Valid until the next call of
 * pm_groups_open or pm_groups_close. */
void *pm_groups_innermost(const pm_groups *groups);
/* Frees the memory; no group is open afterwards. */
void pm_groups_free(pm_groups *groups);

/* ---- walks ---- */

/* Where a visited node is. */
typedef struct {
    void *frame;   /* enter and leave: the frame of the group itself; leaf: NULL */
    void *outer;   /* the frame of the group around it; NULL outside any group */
    int64_t depth; /* the number of groups around the node: 0 outside any group */
} pm_position;

typedef pm_status pm_visit(void *context, const pm_position *at, pm_node *node, pm_error *err);

/* The functions that a walk calls; each may be NULL.  The context is the user's.  The functions may
 * move things out of the node.  A walk ends with the first status that is not PM_OK. */
typedef struct {
    size_t frame_size; /* of the frames of open groups, zeroed before `enter` */
    /* Before the first node of an item. */
    pm_status (*begin_item)(void *context, pm_node *first, pm_error *err);
    pm_visit *enter; /* node: PM_NODE_PRODUCT or PM_NODE_SUM.  After a failure the frame is not
                      * freed. */
    pm_visit *leaf;  /* node: PM_NODE_MATRIX or PM_NODE_NUMBER */
    pm_visit *leave; /* node: PM_NODE_CLOSE */
    /* After the last node of an item. */
    pm_status (*end_item)(void *context, pm_error *err);
    /* Frees what a frame holds: after `leave`, and for groups that are open when a walk ends. */
    void (*free_frame)(void *frame);
} pm_visitor;

/* A walk that is given one node after another. */
typedef struct {
    const pm_visitor *visitor;
    void *context;
    pm_groups groups;
} pm_walk;

pm_walk pm_walk_make(const pm_visitor *visitor, void *context);
/* Visits the next node of a sequence.
 * Fails: PM_UNABLE more than PM_DEPTH_MAX groups; PM_EINTERNAL groups that do not match; PM_ENOMEM;
 * what the visitor fails with. */
pm_status pm_walk_put(pm_walk *walk, pm_node *node, pm_error *err);
void pm_walk_free(pm_walk *walk);

/* Walks over the next item of the source.
 * run:  stops early with PM_ESTOPPED, and without a message, when run->stop is set; may be NULL.
 * *got: true when an item was visited to its end; false at the end of the source, or on failure.
 * Fails: what the source and the visitor fail with. */
pm_status pm_walk_item(const pm_node_source *source, const pm_visitor *visitor, void *context,
                       const pm_run *run, bool *got, pm_error *err);
/* Walks over all items that are left in the source. */
pm_status pm_walk_all(const pm_node_source *source, const pm_visitor *visitor, void *context,
                      const pm_run *run, pm_error *err);

#endif
