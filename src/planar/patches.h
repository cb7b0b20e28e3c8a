/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/patches.h: an embedding that is put together from patches.
 *
 * A patch consists of the vertices that are not farther than a radius from its centre, and of the edges
 * between them.  A graph on a surface whose small parts are planar and well connected has patches
 * that can be drawn in the plane in one way only, but for reflection, near the centre.  The sequence
 * of the edges around a vertex is then the same in the patch as on the surface, or reversed.  So the
 * first patch is drawn, and then patches around vertices whose sequence is known, each reflected if it
 * has to be, until all sequences are known.
 *
 * Nothing is proved by that: the caller counts the faces and so finds on which surface the graph is. */
#ifndef PM_PATCHES_H
#define PM_PATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "planar/embedding.h"
#include "pm/status.h"

enum { PM_PATCH_SIZES = 5 }; /* of patches, the largest first */

typedef struct pm_patches pm_patches;

/* d must outlive *out.  Fails: PM_ENOMEM, and then *out is NULL. */
pm_status pm_patches_open(const pm_drawn_graph *d, pm_patches **out, pm_error *err);
void pm_patches_close(pm_patches *p); /* NULL is allowed */

/* A rotation system of d (planar/embedding.h) from patches of this size, 0 .. PM_PATCH_SIZES - 1.
 * next: 2 * nnz entries, the caller's.
 * *is_covered: false if there is none: a patch is not planar or has too many vertices, or two patches
 * do not agree, or d is not connected.
 * Cost: as a few planarity tests of d.  Fails: PM_ENOMEM; PM_EINTERNAL as pm_embedding_in_plane. */
pm_status pm_patches_cover(pm_patches *p, int size, int32_t *next, bool *is_covered, pm_error *err);

#endif
