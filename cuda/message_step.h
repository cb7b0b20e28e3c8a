/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/message_step.h: one message of belief propagation (bounds/bethe.h).  The text is C for the CPU and
 * CUDA C++ for kernels, after a prelude that defines PM_FN, so that both do the same. */
#ifndef PM_MESSAGE_STEP_H
#define PM_MESSAGE_STEP_H

#ifndef PM_FN
#define PM_FN static inline
#endif

/* The message along an edge with this value: sum is that of the messages to its end, own the one that came
 * along the edge. */
PM_FN double pm_message(double value, double sum, double own, double least_share)
{
    double rest = sum - own, least = least_share * sum;
    return value / (rest > least ? rest : least);
}

/* That the edge is used, from the messages in both directions. */
PM_FN double pm_message_probability(double value, double to_col, double to_row)
{
    double both = to_col * to_row;
    return both / (value + both);
}

#endif
