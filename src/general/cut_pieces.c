/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A depth-first search numbers the vertices.  The subtree of a child t of c is a piece of c if no edge leads from it to a vertex
 * above c.  All else that c is connected with, over its parent, is one more piece.
 *
 * The edges of a block (a largest part without a cut vertex) lead, from each of its vertices, into one piece of this vertex.  A block
 * is known by its head: its top vertex is the parent of the head, and the piece of the top is the subtree of the head. */
#include "config.h"

#include "general/cut_pieces.h"

#include <stdlib.h>

#include "pm/alloc.h"

typedef struct {
    int32_t number; /* in the order of the search, from 1; 0: not seen */
    int32_t low;    /* the smallest number that the subtree is joined to */
    int32_t parent; /* or -1 */
    int32_t size;   /* of the subtree */
    int32_t rest;   /* the size of the piece over the parent */
    int32_t head;   /* of the block of the edge to the parent */
    int64_t next;   /* the entry to be looked at next */
} vertex;

typedef struct {
    const pm_matrix *a;
    const bool *is_marked;
    vertex *vertex;
    int32_t *order; /* vertices by their numbers */
    int32_t count;
} search;

static void see(search *s, int32_t v, int32_t parent)
{
    s->order[s->count++] = v;
    s->vertex[v] = (vertex){
        .number = s->count, .low = s->count, .parent = parent, .size = 1, .next = s->a->rowptr[v]};
}

static void lower(vertex *x, int32_t number)
{
    if (number < x->low)
        x->low = number;
}

/* Sets number, low, parent and size in the component of root. */
static void visit(search *s, int32_t root)
{
    const pm_matrix *a = s->a;
    see(s, root, -1);
    for (int32_t v = root; v >= 0;) {
        vertex *x = &s->vertex[v];
        if (x->next == a->rowptr[v + 1]) {
            if (x->parent >= 0) {
                lower(&s->vertex[x->parent], x->low);
                s->vertex[x->parent].size += x->size;
            }
            v = x->parent;
            continue;
        }
        if (s->is_marked[x->next++])
            continue;
        const int32_t u = a->colind[x->next - 1];
        if (s->vertex[u].number) {
            if (u != x->parent)
                lower(x, s->vertex[u].number);
        } else {
            see(s, u, v);
            v = u;
        }
    }
}

/* Is the subtree of v, which has a parent, a piece of the parent? */
static bool is_piece(const search *s, int32_t v)
{
    const vertex *x = &s->vertex[v];
    return x->low >= s->vertex[x->parent].number;
}

/* Sets rest and head in the component whose numbers begin after `first`. */
static void find_pieces(search *s, int32_t first)
{
    const int32_t size = s->count - first;
    for (int32_t k = first; k < s->count; ++k)
        s->vertex[s->order[k]].rest = size - 1;
    for (int32_t k = first + 1; k < s->count; ++k) {
        const int32_t v = s->order[k];
        vertex *x = &s->vertex[v], *parent = &s->vertex[x->parent];
        x->head = is_piece(s, v) ? v : parent->head;
        if (x->head == v)
            parent->rest -= x->size;
    }
}

/* The size of the piece of v into which the edges of this block lead. */
static int32_t piece_of(const search *s, int32_t v, int32_t head)
{
    return s->vertex[head].parent == v ? s->vertex[head].size : s->vertex[v].rest;
}

static bool leads_into_even(const search *s, int32_t v, int32_t u)
{
    const bool is_below = s->vertex[u].number > s->vertex[v].number;
    const int32_t head = s->vertex[is_below ? u : v].head;
    return piece_of(s, v, head) % 2 == 0 || piece_of(s, u, head) % 2 == 0;
}

pm_status pm_cut_pieces_mark(const pm_matrix *a, bool *is_marked, int64_t *marked, pm_error *err)
{
    search s = {.a = a, .is_marked = is_marked};
    s.vertex = pm_calloc_array(a->nrows, sizeof *s.vertex);
    s.order = pm_alloc_array(a->nrows, sizeof *s.order);
    pm_status status = s.vertex && s.order ? PM_OK : pm_fail_memory(err, "the cut vertices");
    *marked = 0;
    for (int32_t v = 0; v < a->nrows && !status; ++v)
        if (!s.vertex[v].number) {
            const int32_t first = s.count;
            visit(&s, v);
            find_pieces(&s, first);
        }
    for (int32_t v = 0; v < a->nrows && !status; ++v)
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k) {
            const int32_t u = a->colind[k];
            if (u == v || is_marked[k] || !leads_into_even(&s, v, u))
                continue;
            is_marked[k] = true;
            *marked += u > v;
        }
    free(s.vertex);
    free(s.order);
    return status;
}
