/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/settings.h: settings of the whole process.  The library reads no environment variable and
 * knows no command-line option: a program that has them passes their values on here. */
#ifndef PM_SETTINGS_H
#define PM_SETTINGS_H

#include <stdatomic.h>
#include <stdint.h>

/* What a refusal can depend on.  A program that has an option for it can add its name to messages.
 * */
typedef enum {
    PM_HINT_MEMORY,         /* pm_run.max_memory */
    PM_HINT_COST,           /* pm_run.max_cost */
    PM_HINT_ALGORITHM,      /* the names of the algorithms */
    PM_HINT_TWINS,          /* pm_reduce_options.twins */
    PM_HINT_MAXIMUM,        /* pm_count_options.kind PM_MATCHING_MAXIMUM */
    PM_HINT_PATTERN,        /* pm_read_options.pattern */
    PM_HINT_ONE_SET,        /* pm_read_options.graph and .bipartite */
    PM_HINT_DUPLICATES,     /* pm_read_options.duplicates */
    PM_HINT_DENSE,          /* pm_read_options.from for a block of numbers */
    PM_HINT_CSV,            /* pm_read_options.from for fields between commas */
    PM_HINT_TABS,           /* pm_read_options.from for fields between TABs */
    PM_HINT_EDGES,          /* pm_read_options.from for an edge list */
    PM_HINT_COMMENT,        /* the same, where a comment is refused */
    PM_HINT_LABEL,          /* the same, where a label is refused */
    PM_HINT_FORMAT,         /* pm_read_options.from for an input that was not recognised */
    PM_HINT_ONE_SET_WANTED, /* pm_read_options.graph, where it is not set */
    PM_HINT_LOOPS_SAID,     /* the same, where the input says which loops it has */
    PM_HINT_LOOPS,          /* pm_read_options.loops, where loops are left out */
    PM_HINT_GENERAL,        /* a program that takes graphs with odd cycles */
    PM_HINT_TWO_SIDES,      /* pm_read_options.graph, where it is set */
    PM_HINT_SIDES_FOUND,    /* pm_read_options.bipartite, where it is set */
    PM_HINT_DELIMITER,      /* pm_read_options.delimiter */
    PM_HINT_COLUMNS,        /* pm_read_options.columns */
    PM_HINT_HEADER,         /* pm_read_options.header */
    PM_HINT_TABLE,          /* pm_read_options.header, for a table that may be a matrix */
    PM_HINT_LABELS,         /* another form of an answer, where labels do not fit */
    PM_HINT_NO_WEIGHTS,     /* pm_read_options.pattern, where weights are not wanted */
    PM_HINT_QUOTIENT,       /* pm_read_options.exact, where a number is a quotient */
    PM_HINT_WITHOUT_STREAM, /* pm_read_options.exact, where it is set and the input is a stream */
    PM_HINT_MODULUS,        /* pm_count_options.modulus */
    PM_HINT_METHOD,         /* pm_count_options.algorithm, where it is set */
    PM_HINT_CPU,            /* the backend, where a GPU is demanded */
    PM_HINT_ESTIMATE,       /* an estimate, where a count is refused */
    PM_HINT_EXACT,          /* a count, where an estimate is refused */
    PM_HINT_STATES,         /* the number of states of a beam, and pm_run.max_memory */
    PM_HINT_SEED,           /* the seed of an estimate */
    PM_HINT_PARTS,          /* an input that is a part of a count */
    PM_HINT_PLAN,           /* parts that were made by another plan */
    PM_HINT_SANDBOX,        /* files that the process has given up */
    PM_HINTS
} pm_hint;

/* Strings belong to the caller and must stay valid while they are set.  Zeroed = the defaults. */
typedef struct {
    /* The best vector unit to use: "portable", "avx2", "avx512" or "avx512ifma"; NULL, or a unit that the
     * processor does not have: the best of the processor. */
    const char *isa;
    /* The arithmetic of exact GPU kernels: "words" or "doubles"; NULL: the faster one of the device. */
    const char *gpu_integers;
    /* For plans alone: they are made for devices of this model (gpu/gpu_model.h), which need not be there;
     * NULL: for those of this machine. */
    const char *planned_gpu;
    /* For plans alone: so many devices, if this machine has fewer, all like its first one; or of the model.
     * 0: as many as there are, or one of the model. */
    int planned_gpus;
    const char *nvrtc;   /* file name of the run-time compiler of CUDA; NULL: search for it */
    const char *libexec; /* folder of the helper programs; NULL: the installed one */
    /* A folder for files that can be made again, absolute; it and its parent are created when needed;
     * NULL: no such files are written. */
    const char *cache_folder;
    /* Counts the operations that run and cannot be stopped; NULL: they are not counted. */
    atomic_int *long_steps;
    /* Counts the operations that run and must not be cut; NULL: they are not counted. */
    atomic_int *whole_steps;
    int64_t thread_stack; /* bytes of the stack of an OpenMP thread; 0: as of any other thread */
    /* Secret and random in programs that read what strangers write: without a secret seed, keys of hash
     * tables can be chosen so that they collide.  No answer depends on it. */
    uint64_t hash_seed[2];
    const char *hint[PM_HINTS]; /* text that ends a refusal, e.g. " (--max-memory)"; NULL: none */
} pm_settings;

/* Copies *s.  Not thread-safe: call it before any other function of the library, and while no other
 * thread is in one. */
void pm_settings_set(const pm_settings *s);
/* The current settings; never NULL. */
const pm_settings *pm_settings_get(void);
/* From now on there is no text for h: the program has no such option.  When to call it: as pm_settings_set. */
void pm_hint_drop(pm_hint h);
/* A program says it in other words.  text: static. */
void pm_hint_replace(pm_hint h, const char *text);
/* The text for h, or "". */
const char *pm_hint_text(pm_hint h);

#endif
