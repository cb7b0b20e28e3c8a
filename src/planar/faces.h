/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/faces.h: the faces of a rotation system (planar/embedding.h). */
#ifndef PM_FACES_H
#define PM_FACES_H

#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

typedef struct {
    int64_t narcs, count;
    int32_t *of;    /* narcs entries: the face on whose boundary walk an arc is */
    int32_t *start; /* count + 1 entries: where the arcs of a face begin in walk */
    int32_t
        *walk; /* narcs entries: the arcs, face by face, each face in the sequence of its walk */
    int64_t parts;   /* connected components, vertices without an edge left out */
    int64_t handles; /* of the surface, all components together: 0 the plane, 1 one torus */
} pm_faces;

/* next: of a.  Cost: linear.
 * Fails: PM_EINTERNAL next is no rotation system (some walk does not close); PM_ENOMEM. */
pm_status pm_faces_walk(const pm_matrix *a, const int32_t *next, pm_faces *out, pm_error *err);
void pm_faces_free(pm_faces *f);

#endif
