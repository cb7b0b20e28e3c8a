/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/paired_matrix.h"

#include <stdlib.h>

void pm_paired_matrix_free(pm_paired_matrix *p)
{
    free(p->rowptr);
    free(p->colind);
    free(p->source);
    free(p->sign);
    *p = (pm_paired_matrix){0};
}
