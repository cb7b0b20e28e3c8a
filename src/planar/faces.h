/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planar/faces.h: the faces of a rotation system (planar/embedding.h). */
#ifndef PM_FACES_H
#define PM_FACES_H

#include <stdint.h>

#include "planar/embedding.h"
#include "pm/status.h"

typedef struct {
    int64_t narcs, count;
    int32_t *of;     /* of each arc: the face whose boundary walk it is in */
    int32_t *start;  /* count + 1: the walk of face f is walk[start[f]] .. walk[start[f + 1] - 1] */
    int32_t *walk;   /* narcs: the arcs, face by face, each face in the sequence of its walk */
    int64_t parts;   /* connected components that have an edge */
    int64_t handles; /* of the surfaces of all components: 0 for the plane, 1 for one torus */
} pm_faces;

/* next: a rotation system of d.  Cost: linear.
 * Fails: PM_EINTERNAL next is no rotation system (a walk does not close); PM_ENOMEM. */
pm_status pm_faces_walk(const pm_drawn_graph *d, const int32_t *next, pm_faces *out, pm_error *err);
void pm_faces_free(pm_faces *f);

#endif
