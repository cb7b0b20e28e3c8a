/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/kernel_text.h: the files of cuda/ as strings, made by build-aux/embed.sh.  pm_text_NAME holds
 * cuda/NAME.cuh or cuda/NAME.h. */
#ifndef PM_KERNEL_TEXT_H
#define PM_KERNEL_TEXT_H

extern const char pm_text_prelude[], pm_text_block[], pm_text_term[], pm_text_dense[],
    pm_text_placed[], pm_text_repeated[], pm_text_sparse[], pm_text_tree[];
extern const char pm_text_frontier_step[], pm_text_residues[], pm_text_narrow[], pm_text_numbers[],
    pm_text_frontier[];
extern const char pm_text_necklace[], pm_text_necklace_step[];
extern const char pm_text_words[], pm_text_philox_block[], pm_text_sample_sequence[],
    pm_text_lanes[], pm_text_degree_masks[], pm_text_thread_launch[], pm_text_thread_samples[],
    pm_text_warp_launch[], pm_text_scaling_warp[], pm_text_degree_thread[],
    pm_text_scaling_thread[], pm_text_degree_warp[], pm_text_warp_samples[];
extern const char pm_text_phases[], pm_text_semiring[];
extern const char pm_text_spmv_arrays[], pm_text_spmv_terms[], pm_text_spmv_coo[],
    pm_text_spmv_csr[];
extern const char pm_text_spgemm_arrays[], pm_text_spgemm_terms[], pm_text_spgemm_rows[],
    pm_text_spgemm_places[];
extern const char pm_text_iteration_arrays[], pm_text_vector_step[], pm_text_linear_entry[],
    pm_text_vectors[], pm_text_message_step[], pm_text_messages[];
extern const char pm_text_hafnian_task[], pm_text_hafnian[];
extern const char pm_text_mask_step[], pm_text_masks[];
extern const char pm_text_thin_rule[], pm_text_beam_step[], pm_text_beam[];

/* Formats a text as printf does.  The caller frees it; NULL when memory ends. */
char *pm_kernel_text_make(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
