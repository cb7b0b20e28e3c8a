/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/node_lists.h: one file, and lists of nodes that are written to it and read back. */
#ifndef PM_TEST_NODE_LISTS_H
#define PM_TEST_NODE_LISTS_H

#include <stdint.h>
#include <stdio.h>

#include "pm/io.h"

/* ---- the file ---- */

extern char node_path[];
/* Make and remove it: the setup and the teardown of a group of tests. */
int node_file_begin(void **state);
int node_file_end(void **state);
/* For writing, empty. */
FILE *open_file(void);
void put_text(const char *text);
/* All of the file, for free(). */
char *get_text(void);
/* Lines of the heads of matrices have at most 1000 bytes. */
void assert_head_lines_fit(void);

/* ---- lists of nodes ---- */

typedef struct {
    pm_node *e;
    int64_t count, cap;
} node_list;

/* Another node, initialised. */
pm_node *list_add(node_list *l);
void list_free(node_list *l);
/* All nodes of the file but PM_NODE_END. */
pm_status list_read(node_list *l, pm_error *err);
pm_status list_read_as(node_list *l, const pm_read_options *opt, pm_error *err);
/* As a pm stream. */
pm_status list_write(const node_list *l, FILE *f, pm_error *err);
void assert_same_list(const node_list *a, const node_list *b);

/* ---- random nodes; *rng is advanced ---- */

uint32_t below(uint64_t *rng, uint32_t n);
void random_labels(uint64_t *rng, pm_labels *l, int64_t count);
/* At most 5 x 5. */
void random_node_matrix(uint64_t *rng, pm_matrix *a, pm_field field);
/* An order of all vertices of the matrix of e. */
void random_node_order(uint64_t *rng, pm_node *e);
/* Up to four trees of nodes. */
void random_list(uint64_t *rng, node_list *l);

#endif
