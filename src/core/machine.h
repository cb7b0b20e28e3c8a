/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/machine.h: the constants of the cost model: predicted seconds, rates and sizes.  (Limits of
 * CUDA devices, such as registers, are with the kernels.)
 *
 * Formulas stay with their methods: a method counts its work in some unit (transitions, terms,
 * operations, bytes) and multiplies it by a constant of this file.  So do the coefficients of
 * formulas that were fitted to measured runs, when they only say how many units a piece of work is.
 * Not here: tolerances and limits of a method.
 *
 * All constants are nominal: fixed, so that the same input gives the same order and, unless the plan is
 * one for the vector unit at hand (algorithm/rates.h), the same plan and the same sequence of operations
 * everywhere.  The CPU constants were measured on one core of an x86-64 processor with AVX-512 at about
 * 3.5 GHz, the GPU constants on an H200 unless the line says otherwise.  Those of the first two lists can
 * be replaced in plans by rates of the machine itself (pm-count --calibrate, algorithm/rates.h); no other
 * constant can.
 *
 * Constants with similar names have different meanings; see their comments.
 *
 * Units: _SECONDS seconds; _RATE bytes a second; _BYTES bytes; _CORES nominal cores; _WORK units of
 * work that the comment names; _REACHED a share of a device's rate (0 .. 1). */
#ifndef PM_MACHINE_H
#define PM_MACHINE_H

/* ---- Rates of one core that --calibrate measures ---- */

/* X(identifier, name in the file of rates, nominal seconds with AVX-512 IFMA, times as many without vectors, times as
 * many with AVX2, unit of work).  AVX-512 without IFMA has the seconds of IFMA: its units of work are others.  The
 * factors were measured with --calibrate on an AMD EPYC that has AVX2 only, so they also hold what its core is slower
 * by. */
#define PM_RATE_TABLE(X)                                                                           \
    X(RANK_UNIT, "rank", 0.8e-9, 1.1, 1.0, "a transition of weight 1, a residue")                  \
    X(RANK_WEIGHTED, "rank-weighted", 2.5e-9, 1.2, 1.1,                                            \
      "a transition of another weight, a residue")                                                 \
    X(RANK_REAL, "rank-real", 10e-9, 1.0, 1.0, "a real transition")                                \
    X(RANK_COMPLEX, "rank-complex", 20e-9, 1.0, 1.0, "a complex transition")                       \
    X(HASH, "hash", 70e-9, 1.1, 1.1, "a transition between keyed states")                          \
    X(GLYNN_EXACT, "glynn-exact", 0.08e-9, 7.0, 4.0,                                               \
      "a row sum of a term, at most 20 rows: integers")                                            \
    X(GLYNN_REAL, "glynn-real", 0.1e-9, 5.5, 2.2, "the same, real, its sum exact")                 \
    X(GLYNN_COMPLEX, "glynn-complex", 0.27e-9, 6.0, 2.1, "the same, complex, its sum exact")       \
    X(DENSE_DOUBLE, "ryser-double", 0.041e-9, 4.7, 1.9,                                            \
      "a row sum of a term: addition and multiplication")                                          \
    X(DENSE_QUAD, "ryser-quad", 0.23e-9, 10, 2.1, "the same in double-double")                     \
    X(DENSE_COMPLEX, "ryser-complex", 0.156e-9, 5.2, 2.1, "the same, complex")                     \
    X(DENSE_COMPLEX_QUAD, "ryser-complex-quad", 1.05e-9, 9.0, 2.2,                                 \
      "the same, complex in double-double")                                                        \
    X(DENSE_SINGLE, "ryser-single", 0.0205e-9, 4.7, 1.9, "the same, real in single precision")     \
    X(DENSE_COMPLEX_SINGLE, "ryser-complex-single", 0.078e-9, 5.2, 2.1,                            \
      "the same, complex in single precision")                                                     \
    X(DENSE_EXACT, "ryser-integers", 0.21e-9, 3.3, 2.1, "a vector instruction of 64 bytes")        \
    X(SPARYSER, "sparyser", 1.85e-9, 1.7, 1.7, "a row sum changed and divided out")                \
    X(SKIPPER, "skipper", 12e-9, 3.0, 3.0, "an index looked at, row sums in bytes")                \
    X(ENUMERATE, "enumerate", 10e-9, 1.6, 1.6, "a node of the search tree")                        \
    X(PLANAR, "planar", 0.7e-9, 3.0, 1.9,                                                          \
      "a multiplication of an elimination, modulo eight primes")                                   \
    X(ROOK, "rook", 1.3e-9, 1.8, 2.0, "a coefficient added to another one, modulo a prime")        \
    X(PRODUCT_TREE, "product-tree", 0.06e-9, 3.8, 2.1,                                             \
      "a value of a term changed, multiplied or kept")                                             \
    X(PRODUCT_TREE_EXACT, "product-tree-exact", 0.06e-9, 5.2, 2.1, "the same modulo a prime")      \
    X(REPEATED, "repeated", 0.16e-9, 5.7, 2.8,                                                     \
      "a vector operation of 64 bytes: eight terms, sixteen in single precision")                  \
    X(HAFNIAN, "hafnian", 0.18e-9, 5.5, 1.2, "a product modulo a prime of 31 bits")                \
    X(HAFNIAN_REAL, "hafnian-real", 0.57e-9, 6.0, 2.1, "a product in double-double")

/* ---- Factors of GPUs that --calibrate measures ---- */

/* Starting the driver and one device, and releasing them in the end: seconds. */
#define PM_GPU_START_SECONDS 0.3
/* The same for each further device of the machine, used or not.  One of two H100s took 0.64 in all, one of
 * two H200s 0.45, four of four H200s 1.7. */
#define PM_GPU_MORE_START_SECONDS 0.3

/* X(identifier, name in the file of rates, nominal value, meaning).  START: seconds.  Every other
 * entry is a factor: measured seconds divided by the seconds predicted from the device's rates
 * (gpu/gpu.h), for one family of kernels. */
#define PM_GPU_RATE_TABLE(X)                                                                       \
    X(START, "gpu-start", PM_GPU_START_SECONDS, "a GPU started and released")                      \
    X(RYSER, "gpu-ryser", 1.0, "a predicted second of inexact full blocks")                        \
    X(RYSER_EXACT, "gpu-ryser-exact", 1.0, "the same modulo primes")                               \
    X(REPEATED, "gpu-repeated", 1.0, "the same with repeated rows and columns, inexact")           \
    X(REPEATED_EXACT, "gpu-repeated-exact", 1.0, "the same modulo primes")                         \
    X(TREE, "gpu-product-tree", 1.0, "a predicted second of inexact trees")                        \
    X(TREE_EXACT, "gpu-product-tree-exact", 1.0, "the same modulo primes")                         \
    X(FRONTIER, "gpu-frontier-real", 1.0, "a predicted second of inexact transitions")             \
    X(FRONTIER_EXACT, "gpu-frontier", 1.0, "the same modulo primes")

/* ---- Planning ---- */

/* Predicted time of planning one block, on one core.  FIRST: all algorithms of the first stage.
 * GLANCE: the first search for a frontier order, at most; GLANCE_ENTRY: each entry, at least, for a
 * few greedy orders.  LONG_SEARCH: a long search for a frontier order, at least.  PLANNING: an algorithm
 * that was named.  Samples, and what comes before other searches, take some seconds for each entry, see
 * below.  pm_block_report.planning_seconds is the sum over the stages that a block needed. */
#define PM_FIRST_SECONDS        1e-5
#define PM_GLANCE_SECONDS       5e-4
#define PM_GLANCE_ENTRY_SECONDS 0.3e-6
#define PM_PLANNING_SECONDS     5e-3
#define PM_LONG_SEARCH_SECONDS  1e-2
/* A stage is left out when it takes more than this share of the best plan so far. */
#define PM_PLANNING_SHARE 0.1
/* Reducing a matrix: at least this, and so much for each entry. */
#define PM_REDUCE_SECONDS       5e-6
#define PM_REDUCE_ENTRY_SECONDS 0.3e-6
/* A complex block whose counts of residues are predicted to take less is planned with one size of primes. */
#define PM_PRIME_SIZE_SECONDS 1e-3
/* Blocks of integers with at most so many rows are counted (algorithm `glynn`) in less time than the
 * reductions of degrees and twins take for them. */
#define PM_SMALL_BLOCK_ROWS 10
/* A search: the share of the predicted run, or of the best other plan, that it may take, and
 * its maximum.  These are no properties of a machine; they are here because the planner predicts
 * with them and the search (order/vertex_search.c) obeys them. */
#define PM_ORDER_SEARCH_SHARE        0.05
#define PM_ORDER_SEARCH_MOST_SECONDS 20

/* One move, comparison or lookup of the search for a frontier order. */
#define PM_ORDER_OPERATION_SECONDS 3e-9
/* A transition, as far as the search for an order is concerned: the budget of the search is a share
 * of the transitions times this.  One residue; one where all entries are 1; one inexact value of a
 * count, one state of a beam. */
#define PM_ORDER_RESIDUE_SECONDS 2e-9
#define PM_ORDER_UNIT_SECONDS    1e-9
#define PM_ORDER_INEXACT_SECONDS 12e-9
#define PM_ORDER_BEAM_SECONDS    8e-9
/* The tables of one sweep over repeated rows and columns. */
#define PM_REPEATED_SETUP_SECONDS 1e-5
/* Of these, real and complex ones are in double-double if that takes at most so long. */
#define PM_REPEATED_QUAD_SECONDS 1e-3
/* Periodic graphs: a state that flows into another one; a product in a sum of products; to find layers, an entry. */
#define PM_LAYERS_TRANSITION_SECONDS 1e-9
#define PM_LAYERS_PRODUCT_SECONDS    0.6e-9
#define PM_LAYERS_ENTRY_SECONDS      30e-9
/* A row sum of a term of repeated rows and columns, about, and the time of a full matrix with multiplicities that is
 * counted at once: no copies are written out and no other algorithm is tried. */
#define PM_REPEATED_SUM_SECONDS   1e-9
#define PM_REPEATED_SHORT_SECONDS 0.5
/* To write a full matrix out and plan takes this times the fourth power of its rows with copies: 3 x 3 with 200, 300 and 400 copies of
 * each line, 0.8, 3.5 and about 9 s. */
#define PM_WRITTEN_OUT_SECONDS 5e-12
/* Planning sums over all signs, each entry. */
#define PM_RYSER_PLANNING_SECONDS    0.15e-6
#define PM_REPEATED_PLANNING_SECONDS 0.1e-6
/* Planning with samples, each entry: densities .15 to .4, n = 20 .. 40.  FINE: with more samples, where
 * the rough prediction is near the best plan (skipper: each orientation). */
#define PM_SKIPPER_PLANNING_SECONDS   6e-6
#define PM_SKIPPER_FINE_SECONDS       9e-6
#define PM_SPARYSER_PLANNING_SECONDS  3.5e-6
#define PM_ENUMERATE_PLANNING_SECONDS 1e-6
#define PM_ENUMERATE_FINE_SECONDS     14e-6
/* Product trees: the first choices, each entry; one candidate of the search. */
#define PM_TREE_PLANNING_SECONDS  4e-6
#define PM_TREE_CANDIDATE_SECONDS 1.3e-6
/* The program of a frontier order, each entry. */
#define PM_FRONTIER_COMPILE_SECONDS 1.5e-6
/* Rook numbers: a look at the pattern, each entry. */
#define PM_ROOK_PLANNING_SECONDS     0.02e-6
#define PM_NECKLACE_PLANNING_SECONDS 0.03e-6
/* A row sum of a necklace, and its part of a product modulo a prime; a word that is looked at. */
#define PM_NECKLACE_PRODUCT_SECONDS 6e-9
#define PM_NECKLACE_WORD_SECONDS    10e-9
/* Planar and nearly planar blocks: a test of planarity, each edge; the planning, each edge; a check whether a term is 0, each edge. */
#define PM_PLANAR_TEST_SECONDS     0.15e-6
#define PM_PLANAR_PLANNING_SECONDS 0.5e-6
#define PM_PLANAR_ZERO_SECONDS     0.05e-6
/* In units of such a test of one edge: a vertex visited in search of a detour, a matching counted.
 * */
#define PM_PLANAR_DETOUR_WORK   0.1
#define PM_PLANAR_MATCHING_WORK 0.1

/* ---- Threads ---- */

/* Shorter runs, and shorter rounds of an order search, stay on one thread. */
#define PM_THREADS_SECONDS       1e-3
#define PM_THREADS_ROUND_SECONDS 5e-3
/* What each thread after the first adds to the speed of a run, as a share of a core. */
#define PM_THREAD_SHARE 0.9

/* ---- Exact counting on a CPU, beside the rates above ---- */

/* Setting up Glynn's formula for at most 20 rows. */
#define PM_GLYNN_SETUP_SECONDS 0.3e-6
/* Hafnians: setting up; the same of the small ones, and a product of theirs; in real products, a complex one and
 * one of the absolute values, which are needed where numbers have different signs. */
#define PM_HAFNIAN_SETUP_SECONDS         5e-6
#define PM_HAFNIAN_SMALL_SECONDS         0.5e-6
#define PM_HAFNIAN_SMALL_PRODUCT_SECONDS 1e-9
#define PM_HAFNIAN_SMALL_REAL_SECONDS    5e-9
#define PM_HAFNIAN_COMPLEX_WORK          3.3
#define PM_HAFNIAN_SIZE_WORK             0.3
/* Frontier, arrays by rank: a span of transitions and each branch of it; a permutation of the states
 * of a level, each state and each byte of its value; one step of the program. */
#define PM_FRONTIER_SPAN_SECONDS    24e-9
#define PM_FRONTIER_BRANCH_SECONDS  12e-9
#define PM_FRONTIER_PERMUTE_SECONDS 10e-9
#define PM_FRONTIER_COPY_SECONDS    0.4e-9
#define PM_FRONTIER_STEP_SECONDS    1e-6
/* Setting up a sweep over a product tree. */
#define PM_TREE_SETUP_SECONDS 30e-6
/* Product trees: work in units of one real value changed, multiplied or kept.  A complex one, one
 * multiplied modulo a prime; a term whatever its tree; a cell whose magnitude is sampled. */
#define PM_TREE_COMPLEX_WORK 2.4
#define PM_TREE_RESIDUE_WORK 2.5
#define PM_TREE_TERM_WORK    2.0
#define PM_TREE_SAMPLED_WORK 12.0
/* The same unit in the search for a tree: a row sum updated, a product, a result kept. */
#define PM_TREE_UPDATE_WORK  1.0
#define PM_TREE_PRODUCT_WORK 1.0
#define PM_TREE_STORE_WORK   1.0
/* Rook numbers: a cell of another value than 1 adds this many additions. */
#define PM_ROOK_WEIGHTED_WORK 1.5
/* Planar: multiplications, each pair of vertices: of a determinant at least; of the signs and
 * fronts of one term of a sum. */
#define PM_PLANAR_LEAST_WORK 200
#define PM_PLANAR_SETUP_WORK 1500
/* A power of an integer with b bits in the result, computed and written in decimal: this times
 * b log2 b. */
#define PM_POWER_BIT_SECONDS 2.5e-9

/* ---- Samplers on a CPU ---- */

/* The unit of the formulas for one sample (src/degree, src/scaling). */
#define PM_SAMPLE_UNIT_SECONDS 1e-9
/* Beam: one edge of one state with keys of one word; each further word. */
#define PM_BEAM_EDGE_SECONDS 8e-9
#define PM_BEAM_WORD_SECONDS 3e-9

/* ---- Time between two checks for a stop ---- */

/* A stop is noticed after about this time.  Pieces and batches are functions of the problem and of
 * nominal rates alone, never of measured ones: digits of sums do not depend on the machine. */
#define PM_PIECE_SECONDS       2e-3   /* a piece of an exact Ryser sum */
#define PM_TREE_PIECE_WORK     0x1p26 /* a piece of a product tree, in its unit: milliseconds */
#define PM_BATCH_SECONDS       0.02   /* a batch of samples */
#define PM_LAUNCH_SECONDS      0.1    /* launches under way on a GPU */
#define PM_WARP_LAUNCH_SECONDS 0.25   /* a launch of samplers that take a warp a sample */

/* ---- GPUs: choosing between CPU and GPU ---- */

/* A second of a GPU counts as this many seconds of one core when plans are compared: a machine with
 * a GPU has so many cores.  This is what a GPU costs, not how fast it is. */
#define PM_GPU_PRICE_CORES 8
/* No GPU is started for a count that takes all these cores less than this time. */
#define PM_GPU_WORTH_SECONDS 1.0
/* Speed of an H200, in nominal cores, when it draws samples: one thread a sample; one warp a sample
 * with lists in shared memory. */
#define PM_GPU_THREAD_SAMPLES_CORES 500
#define PM_GPU_WARP_SAMPLES_CORES   100
/* Words of 32 bits are preferred to doubles for residues where a device does more than this many
 * word operations for one of doubles: primes have fewer bits, but a product takes fewer operations.
 * */
#define PM_GPU_WORDS_WORTH 3.0

/* ---- GPUs: the reference device ---- */

/* An H200: bytes a second of its memory; multiprocessors; shared memory of one. */
#define PM_GPU_MEMORY_RATE     4.8e12
#define PM_GPU_MULTIPROCESSORS 132
#define PM_GPU_SHARED_BYTES    (INT64_C(227) << 10)
/* A device that shares the memory of the processor reports no rate: this one is assumed. */
#define PM_GPU_HOST_MEMORY_RATE 5e10

/* ---- GPUs: the frontier and the beam, at PM_GPU_MEMORY_RATE ---- */

/* A transition: a residue of weight 1, of another weight, a real and a complex value. */
#define PM_GPU_UNIT_SECONDS     2.8e-12
#define PM_GPU_WEIGHTED_SECONDS 4e-12
#define PM_GPU_REAL_SECONDS     15e-12
#define PM_GPU_COMPLEX_SECONDS  24e-12
/* Residues of 32 bits, of weight 1 and of another weight: an estimate, half of the bytes at 0.6 of the
 * rate of the memory. */
#define PM_GPU_NARROW_SECONDS          1.7e-12
#define PM_GPU_NARROW_WEIGHTED_SECONDS 2.2e-12
/* A span of transitions; a state permuted, and each word of its value. */
#define PM_GPU_SPAN_SECONDS    240e-12
#define PM_GPU_PERMUTE_SECONDS 16e-12
#define PM_GPU_COPY_SECONDS    8e-12
/* Each byte of a level that goes to another device: 4.8e-12 on two H100s, about half of what NVLink has.  Where a level lies on more
 * than two devices, each such byte takes PM_GPU_MANY_PEERS_FACTOR times as long: 1.7 to 1.9 on four H100s, two programs. */
#define PM_GPU_PEER_BYTE_SECONDS 5e-12
#define PM_GPU_MANY_PEERS_FACTOR 1.8
/* One step of a program: its launches.  One step where few states are left and one launch does
 * many. */
#define PM_GPU_STEP_SECONDS  20e-6
#define PM_GPU_CHAIN_SECONDS 20e-6
/* Each byte of a new level of the frontier: an estimate from above, until launches are timed. */
#define PM_GPU_LEVEL_BYTE_SECONDS 4e-12
/* A byte that masks read or write: six programs on an H200, half of PM_GPU_MEMORY_RATE. */
#define PM_GPU_MASK_BYTE_SECONDS 0.4e-12
/* Each byte of the states of a beam before an edge: two thirds of PM_GPU_MEMORY_RATE. */
#define PM_GPU_BEAM_BYTE_SECONDS 4e-13

/* ---- GPUs: hafnians ---- */

/* A product of two residues that is added to a sum, in multiplications of 32-bit words: n = 48 to 60 on an H200. */
#define PM_GPU_HAFNIAN_WORK 11.0

/* ---- GPUs: necklaces, in multiplications of 32-bit words ---- */

/* A word that is looked at, and each unit; a row of a term, and each chunk of its row sum: residues of 32 bits, of 64 bits.  Schur matrices
 * of 37 to 47 rows on an H100. */
#define PM_GPU_NECKLACE_WORD_WORK       45.0
#define PM_GPU_NECKLACE_UNIT_WORK       3.0
#define PM_GPU_NECKLACE_ROW_WORK        8.0
#define PM_GPU_NECKLACE_SUM_WORK        2.0
#define PM_GPU_NECKLACE_WIDE_ROW_WORK   140.0
#define PM_GPU_NECKLACE_WIDE_SUM_WORK   4.0
#define PM_GPU_NECKLACE_COMPILE_SECONDS 0.6

/* ---- GPUs: sums over subsets, operations at the rate of the device ---- */

/* Share of the rate that kernels reach.  Full blocks, by kind of arithmetic (gpu_arithmetic.h):
 * double, complex, double-double, complex double-double, single precision, complex single precision,
 * residues in doubles and in words.  Those of single precision are an estimate.  Where
 * all operands of a multiply-add are in registers, their ports are the limit.  Then by the memory
 * that holds the row sums. */
#define PM_GPU_DENSE_REACHED                                                                       \
    {                                                                                              \
        0.92, 0.7, 0.68, 0.57, 0.85, 0.7, 0.95, 0.8                                                \
    }
/* Doubles with more rows than this lose so much of the share with each further row, because their entries
 * do not fit the nearest cache: 0.85 was measured for 48 rows and 0.71 for 56. */
#define PM_GPU_DENSE_CACHED_ROWS 44
#define PM_GPU_DENSE_ROW_LOSS    0.0175
#define PM_GPU_REGISTERS_REACHED 0.5
/* Repeated rows and columns, by kind of arithmetic.  Complex ones were measured (20 x 2); the others are
 * an estimate, nine tenths of full blocks. */
#define PM_GPU_REPEATED_REACHED                                                                    \
    {                                                                                              \
        0.83, 0.8, 0.61, 0.9, 0.77, 0.8, 0.85, 0.72                                                \
    }
/* Of these, real and complex ones are in double-double if that takes at most so many operations: a
 * tenth of a second on the reference device. */
#define PM_GPU_REPEATED_QUAD_WORK 0.8e12
#define PM_GPU_SHARED_REACHED     0.13
#define PM_GPU_GLOBAL_REACHED     0.03
#define PM_GPU_TREE_REACHED       0.85
/* Product trees: operations for each input before the first place of a segment; operations of a
 * term beside its tree, its sum and that of its size. */
#define PM_GPU_TREE_INPUT_WORK 24.0
#define PM_GPU_TREE_TERM_WORK  3.0
/* Compiling the kernel of a full block; the same quickly (PM_GPU_QUICK), for each operation that is
 * written out; the kernel of the frontier. */
#define PM_GPU_DENSE_COMPILE_SECONDS       1.3
#define PM_GPU_DENSE_QUICK_COMPILE_SECONDS 3e-4
#define PM_GPU_FRONTIER_COMPILE_SECONDS    0.7
#define PM_GPU_HAFNIAN_COMPILE_SECONDS     2.0
/* The same, repeated rows and columns: at least, and for each row sum. */
#define PM_GPU_REPEATED_COMPILE_SECONDS     0.2
#define PM_GPU_REPEATED_COMPILE_ROW_SECONDS 0.02
/* Product trees: the compiler, for each operation of a term; on trees of 56 .. 1166 operations. */
#define PM_GPU_TREE_COMPILE_SECONDS       7e-3
#define PM_GPU_TREE_COMPILE_WORDS_SECONDS 10e-3
/* SpaRyser and SkipPer, fitted for n = 36 and 40 and densities .1 to .3: operations of a term or a
 * visited index, of each row sum that it changes, of a segment; factor for complex matrices. */
#define PM_GPU_SPARYSER_TERM_WORK   68.0
#define PM_GPU_SPARYSER_ENTRY_WORK  23.0
#define PM_GPU_SKIPPER_VISIT_WORK   400.0
#define PM_GPU_SKIPPER_ENTRY_WORK   40.0
#define PM_GPU_SKIPPER_SEGMENT_WORK 1.2e4
#define PM_GPU_SPARSE_COMPLEX_WORK  2.5
/* Threads of a warp that skip wait for each other: a factor, times the square root of indices a
 * visit, up to the most. */
#define PM_GPU_SKIPPER_WAIT      0.6
#define PM_GPU_SKIPPER_WAIT_MOST 64.0
/* Operations of an index of both, as far as the length of segments is concerned. */
#define PM_GPU_SPARSE_INDEX_WORK 32.0
/* Operations of a segment, at most: a fifth of a second where a multiprocessor adds two doubles a
 * clock. */
#define PM_GPU_SEGMENT_WORK 0x1p23

/* ---- GPUs: memory ---- */

/* What a plan of a sweep takes: records, text and the driver's own. */
#define PM_GPU_PLAN_BYTES 64e6
/* Left to the driver and to other programs; what is loaded between planning and running. */
#define PM_GPU_RESERVED_BYTES (INT64_C(512) << 20)
#define PM_GPU_LOADED_BYTES   (INT64_C(128) << 20)

/* Seconds to write a byte of a state of an engine to a file and to find its SHA-256, until that has been measured
 * (checkpoint/level_file.h). */
#define PM_STATE_BYTE_SECONDS 5e-9

#endif
