/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger: what the owner of a ledger does for a range that a rank asks for, and for one that it has
 * done, when so many ranks have one range each under way; and what a checkpoint is then.
 *
 *     bench_ledger [RANKS...]      default: 1, 192, 1000, 10000 and 100000 ranks
 *
 * Ranges are done in random sequence, so that about half as many separate ranges are noted as there are
 * ranks.  Times are of one core; "bytes" is the text of the ledger. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/rng.h"
#include "ledger/ledger.h"
#include "ledger/ledger_text.h"
#include "pm/alloc.h"

enum { GRAIN = 64, WORDS_MOST = 64, REALS_MOST = 4 };
enum { TURNS = 300000, PUTS = 4 /* of each rank, at least */ };

static const struct {
    const char *name;
    int words, reals;
} kinds[] = {{"one integer of 512 bits", 8, 0}, {"64 residues", 64, 0}, {"real sum", 0, 4}};

static void write_text(pm_ledger *l, long *bytes)
{
    pm_error err;
    FILE *f = tmpfile();
    if (!f)
        must(pm_fail(&err, PM_EIO, "no temporary file"), &err);
    pm_ledger_writer w = pm_ledger_writer_begin(f, "");
    must(pm_ledger_writer_ledger(&w, l, &err), &err);
    pm_ledger_writer_end(&w);
    *bytes = ftell(f);
    fclose(f);
}

static void measure(int64_t ranks, size_t kind)
{
    pm_error err;
    pm_ledger *l;
    pm_ledger_task task;
    uint64_t seed = 1, word[WORDS_MOST];
    pm_exact_sum real[REALS_MOST];
    memset(real, 0, sizeof real);
    for (int i = 0; i < WORDS_MOST; ++i)
        word[i] = pm_rng_next(&seed);
    for (int i = 0; i < REALS_MOST; ++i)
        pm_exact_sum_add(&real[i], pm_rng_unit(&seed));
    pm_range *now = pm_alloc_array(ranks, sizeof *now);
    must(now ? PM_OK : pm_fail_memory(&err, "ranges"), &err);
    must(pm_ledger_make(&l, &err), &err);
    const pm_ledger_scope scope = {l, pm_ledger_key_of(NULL, "bench", 5)};
    const pm_ledger_shape shape = {.what = "bench",
                                   .count = UINT64_C(1) << 62,
                                   .grain = GRAIN,
                                   .words = kinds[kind].words,
                                   .carries = kind == 0,
                                   .reals = kinds[kind].reals};
    must(pm_ledger_task_begin(&scope, &shape, NULL, 0, &task, &err), &err);
    for (int64_t i = 0; i < ranks; ++i)
        pm_ledger_task_take(&task, GRAIN, &now[i]);
    double began = 0;
    const int64_t warm = PUTS * ranks;
    for (int64_t turn = 0; turn < warm + TURNS; ++turn) {
        if (turn == warm)
            began = processor_seconds();
        pm_range *r = &now[pm_rng_below(&seed, (int32_t)ranks)];
        must(pm_ledger_task_put(&task, r->first, r->end, word, real, &err), &err);
        pm_ledger_task_take(&task, GRAIN, r);
    }
    double each = (processor_seconds() - began) / TURNS;
    long bytes;
    began = processor_seconds();
    write_text(l, &bytes);
    printf("%lld\t%s\t%zu\t%.3g\t%ld\t%.3g\n", (long long)ranks, kinds[kind].name,
           (size_t)kinds[kind].words * 8 + (size_t)kinds[kind].reals * sizeof *real, 1e6 * each,
           bytes, 1e3 * (processor_seconds() - began));
    fflush(stdout);
    (void)pm_ledger_task_end(&task, PM_ESTOPPED, NULL, NULL, NULL);
    pm_ledger_free(l);
    free(now);
}

int main(int argc, char **argv)
{
    static const int64_t usual[] = {1, 192, 1000, 10000, 100000};
    bench_start();
    puts("# ranks\tsum\tbytes of it\tmicroseconds of a range\tbytes of a checkpoint\tmilliseconds "
         "of it");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        if (argc > 1)
            for (int i = 1; i < argc; ++i)
                measure(atoll(argv[i]), k);
        else
            for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i)
                measure(usual[i], k);
    return 0;
}
