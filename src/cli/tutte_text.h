/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/tutte_text.h: prints why a graph on one set of vertices has no perfect matching.  Vertices with a loop may stay alone. */
#ifndef PM_TUTTE_TEXT_H
#define PM_TUTTE_TEXT_H

#include "cli/console.h"
#include "cli/emit.h"
#include "cli/existence_text.h"
#include "general/gallai_edmonds.h"
#include "pm/run.h"
#include "pm/status.h"

/* Prints the witness of Tutte and Berge: the set A of the decomposition, and the odd components without it.  a: the graph; g: of a
 * graph without a perfect matching.
 * Text: "no perfect matching: without the vertices {x, y} there are 3 components with an odd number of vertices, {a}, {b} and
 * {c, d, e}; every matching leaves out at least 1 vertex".
 * JSON: "tutte_berge":{"removed":["x","y"],"odd_components":[["a"],["b"],["c","d","e"]],"left_out":1}
 * Fails: PM_ENOMEM. */
pm_status pm_emit_tutte(pm_emitter *e, const pm_gallai_edmonds *g, const pm_matrix *a,
                        pm_error *err);

/* Prints that there is no matching of this kind, and why.  key: that of the matching in JSON, which becomes null.
 * bipartite: unless general is given; general: of a graph on one set of vertices, else NULL.
 * Text: "# ", the reason and a newline.
 * Fails: PM_ENOMEM. */
pm_status pm_emit_no_matching(pm_emitter *e, const char *key, const pm_matrix *a,
                              pm_matching_kind kind, const pm_existence *bipartite,
                              const pm_gallai_edmonds *general, pm_error *err);

/* Sets *exists to whether a has a perfect matching.  If not, a note of level 1 gives the text above after "where: ", with at most 20
 * vertices of each set and 10 components.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_note_tutte(const pm_matrix *a, const pm_run *run, pm_console *console,
                        const char *where, bool *exists, pm_error *err);

#endif
