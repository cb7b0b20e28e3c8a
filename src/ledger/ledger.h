/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger/ledger.h: which pieces of a long computation are done, and their sums.
 *
 * A task is a sum over indices 0 .. count - 1.  A method takes ranges of them, computes their sums in
 * any sequence, and puts the sums into the task.  A sum is a vector of words and of exact sums of
 * doubles, so that the total does not depend on how the indices were divided or in which sequence
 * they were done.  (A method with one result for each index has a word for each, and leaves the
 * others 0.)  A task may also keep a list of the largest numbers that its indices had.
 *
 * A ledger holds the tasks of a run, and the values of what has been counted.  It is written to a
 * checkpoint, from which another run goes on (ledger/ledger_text.h).  With pm_ledger_set_part a run
 * does only its share of every task; the ledgers of all parts, added together, are complete.  Ranks of
 * one job divide the tasks while they run.
 *
 * Without a ledger a task is done by the method alone, at no cost worth mentioning.
 *
 * One thread at a time works with a task.  A ledger may be written by another thread meanwhile. */
#ifndef PM_LEDGER_H
#define PM_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sha256.h"
#include "ledger/largest.h"
#include "ledger/ranges.h"
#include "number/exact_sum.h"
#include "pm/run.h"
#include "pm/status.h"
#include "pm/value.h"

typedef struct pm_ledger pm_ledger;

/* A SHA-256 of what defines an input, a computation or a task. */
typedef struct {
    unsigned char byte[PM_SHA256_BYTES];
} pm_ledger_key;

/* A computation whose tasks and value are recorded.  {0}: nothing is. */
typedef struct {
    pm_ledger *ledger; /* borrowed; NULL: none */
    pm_ledger_key key;
} pm_ledger_scope;

/* ---- ledgers ---- */

/* Fails: PM_ENOMEM. */
pm_status pm_ledger_make(pm_ledger **out, pm_error *err);
void pm_ledger_free(pm_ledger *l);

/* Part `part` = 1 .. parts does its share of each task only. */
void pm_ledger_set_part(pm_ledger *l, int part, int parts);
/* Computations that are predicted to take less than this, seconds of one core, are not recorded, and
 * every part and rank does them.  At first 0.1. */
void pm_ledger_set_least(pm_ledger *l, double seconds);
double pm_ledger_least(const pm_ledger *l);
/* The ledger has all parts of a run: a task that it does not have, or not all of, is of another
 * plan. */
void pm_ledger_seal(pm_ledger *l);
/* True after pm_ledger_set_part: others do the rest of the tasks. */
bool pm_ledger_is_part(const pm_ledger *l);

/* The ranks of a job, which divide the tasks of a ledger while they run (src/mpi).  All of them begin the
 * same tasks in the same sequence.  The owner has the ledger; the tasks of the others are empty at first, and
 * their sums go to the owner. */
typedef struct pm_ledger_peers pm_ledger_peers;
/* peers: borrowed.  Before the first task. */
void pm_ledger_set_peers(pm_ledger *l, const pm_ledger_peers *peers);
/* With peers: a time of CLOCK_MONOTONIC at which tasks stop; 0: none.  Clocks differ, so what is done outside of tasks
 * must not look at it; the end of a task tells all ranks. */
void pm_ledger_set_deadline(pm_ledger *l, double deadline);

/* An input that is computed next.  In a ledger that was read, the inputs must be those of the earlier
 * run, in the same sequence.
 * Fails: PM_EDATA it is another input, or an earlier one was; PM_ENOMEM. */
pm_status pm_ledger_add_item(pm_ledger *l, const pm_ledger_key *key, pm_error *err);

/* How many inputs there were. */
int64_t pm_ledger_items(const pm_ledger *l);
/* How many of them this run has added or found again. */
int64_t pm_ledger_position(const pm_ledger *l);
/* From now on the inputs may be others. */
void pm_ledger_forget_items(pm_ledger *l);
/* True when there is nothing to go on from: no value, and no index that is done. */
bool pm_ledger_is_empty(pm_ledger *l);
/* True when this run does all the work: no part, and not the parts of others. */
bool pm_ledger_is_whole(const pm_ledger *l);

/* A computation, or a task of one that is not done. */
typedef struct {
    const char *method, *what; /* what: of the task */
    bool is_done;              /* the value is known, and there is no task */
    uint64_t done, count;      /* indices of the task */
} pm_ledger_line;
/* Calls put for each of them.  The ledger is not in use by others. */
void pm_ledger_list(const pm_ledger *l, void (*put)(void *context, const pm_ledger_line *line),
                    void *context);

/* A digest of size bytes after `before`, which may be NULL. */
pm_ledger_key pm_ledger_key_of(const pm_ledger_key *before, const void *data, size_t size);

/* ---- values ---- */

/* Sets *out, which is initialised, to the recorded value.  Returns false when there is none. */
bool pm_ledger_get_value(const pm_ledger_scope *s, pm_value *out);
/* Records the value, and removes the tasks of the scope, which is done.  method: a name for reports.
 * Fails: PM_ENOMEM. */
pm_status pm_ledger_put_value(const pm_ledger_scope *s, const char *method, const pm_value *v,
                              pm_error *err);
/* The method by which the scope was begun in an earlier run; false when there is none. */
enum { PM_LEDGER_METHOD = 64 };
bool pm_ledger_get_method(const pm_ledger_scope *s, char method[PM_LEDGER_METHOD]);
/* Whether any index of a task of the scope is done. */
bool pm_ledger_has_work(const pm_ledger_scope *s);
/* The share of the indices of its tasks that are done, 0 .. 1; 0 where there are none. */
double pm_ledger_share_done(const pm_ledger_scope *s);
/* Notes the method, before the first task of the scope.  Fails: PM_ENOMEM. */
pm_status pm_ledger_put_method(const pm_ledger_scope *s, const char *method, pm_error *err);
/* What the tasks of the scope are sums of, so that a run on other devices can go on with them: numbers whose meaning
 * belongs to the method of this name. */
enum { PM_LEDGER_PLAN = 160 };
typedef struct {
    char name[PM_LEDGER_METHOD];
    int count;
    int64_t number[PM_LEDGER_PLAN]; /* 0 or more */
} pm_ledger_plan;
/* Returns false when there is none. */
bool pm_ledger_get_plan(const pm_ledger_scope *s, pm_ledger_plan *out);
/* Notes the plan, after the method and before the first task of the scope.  Fails: PM_ENOMEM. */
pm_status pm_ledger_put_plan(const pm_ledger_scope *s, const pm_ledger_plan *plan, pm_error *err);
/* Removes the scope and its tasks, of which none is in use: what they had is recorded elsewhere. */
void pm_ledger_forget(const pm_ledger_scope *s);

/* ---- tasks ---- */

typedef struct {
    const char *what; /* a name for reports, without blanks */
    uint64_t count;   /* indices, at most 2^63 */
    uint64_t grain;   /* ranges begin at multiples of it, and end at one or at count; at least 1 */
    uint64_t share;   /* the shares of --part begin at multiples of it; itself a multiple of the
                       * grain; 0: the grain */
    int64_t words;
    bool carries; /* the words are one integer modulo 2^(64 words), lowest first; else each is added
                   * modulo 2^64 on its own */
    int reals;
    int64_t largest; /* the length of the list of the largest numbers */
} pm_ledger_shape;

/* The sum of the indices that are done.  A ledger owns its records. */
typedef struct {
    pm_ledger_key key, scope;
    char *what;
    pm_ledger_shape shape; /* what: the copy */
    pm_ranges taken, done; /* while the task is at work, done is a part of taken */
    uint64_t *word;
    pm_exact_sum *real;
    pm_largest largest;
} pm_ledger_record;

typedef struct {
    pm_ledger *ledger; /* NULL: none */
    pm_ledger_record *record;
    bool owns_record;
    pm_range
        share; /* the indices that this run does: all, those of its part, or those that the owner
                     * has given to this rank */
} pm_ledger_task;

struct pm_ledger_peers {
    void *context;
    bool is_owner;
    /* t has begun, and stays where it is until its end. */
    void (*begin)(void *context, pm_ledger_task *t);
    /* As pm_ledger_task_take. */
    bool (*take)(void *context, pm_ledger_task *t, uint64_t most, pm_range *out);
    /* Waits for all ranks.  status, err: how the work of this rank went.  Returns how that of all went, and
     * the record has the total then. */
    pm_status (*end)(void *context, pm_ledger_task *t, pm_status status, pm_error *err);
};

/* Begins a task, or goes on with the one of an earlier run.  What was taken and not put is to be done
 * again.
 * scope: NULL, or of the computation.  choice: bytes that define the task within it.
 * out: the caller calls pm_ledger_task_end, also after a failure of anything later.
 * Fails: PM_EDATA the ledger is sealed and does not have all of the task; PM_ENOMEM. */
pm_status pm_ledger_task_begin(const pm_ledger_scope *scope, const pm_ledger_shape *shape,
                               const void *choice, size_t choice_size, pm_ledger_task *out,
                               pm_error *err);
/* The same without a ledger, for the indices first .. end - 1 only. */
pm_status pm_ledger_task_begin_range(const pm_ledger_shape *shape, uint64_t first, uint64_t end,
                                     pm_ledger_task *out, pm_error *err);
/* How the work of a task is to be run: a copy of run, NULL: of {0}, with the deadline of the ledger. */
pm_run pm_ledger_task_run(const pm_ledger_task *t, const pm_run *run);
/* How many indices of this task an earlier run has recorded. */
uint64_t pm_ledger_task_recorded(const pm_ledger_scope *scope, const pm_ledger_shape *shape,
                                 const void *choice, size_t choice_size);
/* The next range to be done, of at most `most` indices, or of one grain if that is more.  Where it is
 * shorter than what is left, it ends at a multiple of `most`, rounded down to one of the grain.
 * Returns false when there is none, or memory has ended; pm_ledger_task_end then fails. */
bool pm_ledger_task_take(pm_ledger_task *t, uint64_t most, pm_range *out);
/* Adds the sum of first .. end - 1, which are done now.  real: may be changed by carries.
 * Fails: PM_ENOMEM. */
pm_status pm_ledger_task_put(pm_ledger_task *t, uint64_t first, uint64_t end, const uint64_t *word,
                             pm_exact_sum *real, pm_error *err);
/* The same for a task without reals, with some of the largest numbers of these indices, at least those
 * that may be among the largest of all. */
pm_status pm_ledger_task_put_listed(pm_ledger_task *t, uint64_t first, uint64_t end,
                                    const uint64_t *word, const pm_wide_key *key, int64_t keys,
                                    pm_error *err);
/* The indices of the share that are done. */
uint64_t pm_ledger_task_done(const pm_ledger_task *t);
/* Ends the task.  status: how its work went.  If all indices are done, word and real get the total;
 * they may be NULL.  After PM_ESTOPPED they get the sum so far.
 * Returns status if it is a failure.
 * Fails: PM_PARTIAL others have to do the rest; PM_ENOMEM. */
pm_status pm_ledger_task_end(pm_ledger_task *t, pm_status status, uint64_t *word,
                             pm_exact_sum *real, pm_error *err);
/* The same for a task without reals; the largest numbers are added to the list. */
pm_status pm_ledger_task_end_listed(pm_ledger_task *t, pm_status status, uint64_t *word,
                                    pm_largest *largest, pm_error *err);

/* ---- ranks that must do the same ---- */

/* With peers, all of them get the words of one, and a failure of one: what depends on the clock or on the
 * devices of a machine.  To be called where nobody is at work with a task.  Nothing is recorded.
 * l: NULL, or without peers: returns status.  status: how it went here.
 * Fails: status; the failure of another rank; PM_ENOMEM. */
pm_status pm_ledger_agree(pm_ledger *l, const char *what, pm_status status, uint64_t *word,
                          int64_t words, pm_error *err);
/* Whether all go on: they stop if the deadline has passed for one of them.
 * l: NULL, or without peers or deadline: PM_OK.  Fails: PM_ESTOPPED; as pm_ledger_agree. */
pm_status pm_ledger_agree_to_go_on(pm_ledger *l, pm_error *err);
/* True when there are peers: then a run stops at a deadline in a task or where all agree, and nowhere else. */
bool pm_ledger_has_peers(const pm_ledger *l);

/* ---- for peers ---- */

/* pm_ledger_task_take without them. */
bool pm_ledger_task_take_here(pm_ledger_task *t, uint64_t most, pm_range *out);
/* How many indices of the share nobody has taken. */
uint64_t pm_ledger_task_left(const pm_ledger_task *t);
/* All indices are done, or those of the share. */
bool pm_ledger_task_is_complete(const pm_ledger_task *t);
bool pm_ledger_task_share_is_done(const pm_ledger_task *t);
/* Forgets what is done, and its sum, after these have gone to the owner. */
void pm_ledger_task_empty(pm_ledger_task *t);
/* The sum of some indices, or of all; arrays as long as the task says. */
typedef struct {
    const uint64_t *word;
    pm_exact_sum *real; /* may be changed by carries */
    const pm_wide_key *key;
    int64_t keys; /* at most the length of the list of the task */
} pm_ledger_sum;
/* pm_ledger_task_put for several ranges, which have one sum. */
pm_status pm_ledger_task_put_ranges(pm_ledger_task *t, const pm_range *range, int64_t count,
                                    const pm_ledger_sum *sum, pm_error *err);
/* What the owner has of the sum takes the place of what is here.  Fails: PM_ENOMEM. */
pm_status pm_ledger_task_set_sum(pm_ledger_task *t, const pm_ledger_sum *sum, pm_error *err);

#endif
