/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/environment.h"

#include <ctype.h>
#include <errno.h>
#include <gmp.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <unistd.h>

#include "pm/memory.h"
#include "pm/settings.h"
#include "pm/status.h"
#include "process/signals.h"

/* ---- settings ---- */

enum { PATH_ROOM = PM_ENVIRONMENT_PATH_MAX };

/* NULL when no variable names a folder. */
static const char *cache_folder(char path[PATH_ROOM])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (cache && cache[0] == '/')
        length = snprintf(path, PATH_ROOM, "%s/pmkit", cache);
    else if (home && home[0])
        length = snprintf(path, PATH_ROOM, "%s/.cache/pmkit", home);
    return length > 0 && length < PATH_ROOM ? path : NULL;
}

bool pm_environment_own_path(char path[PM_ENVIRONMENT_PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_ROOM - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 && length < PATH_ROOM - 1;
}

static bool has_helper(const char *folder)
{
    char path[PATH_ROOM];
    int length = snprintf(path, sizeof path, "%s/pm-igraph-read", folder);
    return length < (int)sizeof path && access(path, X_OK) == 0;
}

/* A copy of an installation in another place has the folder ../libexec/pmkit beside that of its
 * programs; in a build tree the helpers are beside the programs.  NULL: the configured folder. */
static const char *helper_folder(char folder[PATH_ROOM])
{
    static const char *const places[] = {"/../libexec/pmkit", ""};
    char self[PATH_ROOM];
    const char *given = getenv("PM_LIBEXEC");
    if ((given && *given) || has_helper(PM_LIBEXECDIR) || !pm_environment_own_path(self))
        return given;
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
        if (snprintf(folder, PATH_ROOM, "%s%s", self, places[i]) < PATH_ROOM && has_helper(folder))
            return folder;
    return NULL;
}

/* OMP_STACKSIZE, or GOMP_STACKSIZE, as GCC's OpenMP library reads them: a number, perhaps blanks, and
 * B, K, M or G; without a letter KiB.  0 where the library ignores the variable. */
static int64_t thread_stack(const char *name)
{
    static const char letters[] = "bkmg";
    const char *text = getenv(name);
    if (!text || !*(text += strspn(text, " \t\n\v\f\r")))
        return 0;
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text)
        return 0;
    end += strspn(end, " \t\n\v\f\r");
    const char *letter = *end ? strchr(letters, tolower((unsigned char)*end)) : letters + 1;
    if (!letter || (*end && end[1 + strspn(end + 1, " \t\n\v\f\r")]))
        return 0;
    int shift = 10 * (int)(letter - letters);
    return value > (unsigned long)INT64_MAX >> shift ? 0 : (int64_t)(value << shift);
}

/* Random bits.  Where the system has none to give yet (during its start), those that the kernel
 * gave to this process. */
static void make_hash_seed(uint64_t seed[2])
{
    enum { BYTES = 16 };
    if (getrandom(seed, BYTES, GRND_NONBLOCK) == BYTES)
        return;
    const void *of_process = (const void *)getauxval(AT_RANDOM); /* 16 bytes */
    if (of_process)
        memcpy(seed, of_process, BYTES);
}

void pm_environment_read(void)
{
    static char path[PATH_ROOM], helpers[PATH_ROOM];
    pm_settings settings = {
        .isa = getenv("PM_ISA"),
        .gpu_integers = getenv("PM_GPU_INTEGERS"),
        .nvrtc = getenv("PM_NVRTC"),
        .libexec = helper_folder(helpers),
        .cache_folder = cache_folder(path),
        .thread_stack = thread_stack("OMP_STACKSIZE"),
        .long_steps = pm_signals_long_steps(),
        .whole_steps = pm_signals_whole_steps(),
        .hint = {[PM_HINT_MEMORY] = " (see --max-memory)",
                 [PM_HINT_COST] = " (see --max-cost)",
                 [PM_HINT_ALGORITHM] = " (see --list)",
                 [PM_HINT_TWINS] = ": leave them out of --reduce",
                 [PM_HINT_MAXIMUM] = " (--count=maximum)",
                 [PM_HINT_PATTERN] = ": give --pattern to the first filter",
                 [PM_HINT_ONE_SET] =
                     " (--graph: one set of vertices; --bipartite or -q: without this line)",
                 [PM_HINT_DUPLICATES] =
                     "; --duplicates=sum adds repeated edges, --duplicates=ignore keeps one",
                 [PM_HINT_DENSE] = " (--from=dense)",
                 [PM_HINT_CSV] = " (--from=csv)",
                 [PM_HINT_TABS] = " (--from=csv --delimiter=tab)",
                 [PM_HINT_COMMENT] = "; --from=edges reads it as a comment",
                 [PM_HINT_LABEL] = "; --from=edges reads it as a name",
                 [PM_HINT_EDGES] = "; --from=edges or -q: without this line",
                 [PM_HINT_FORMAT] = "; --from=FORMAT names the format, pm-count(1) lists them",
                 [PM_HINT_ONE_SET_WANTED] = "; --graph reads one set",
                 [PM_HINT_LOOPS_SAID] = "; with --graph only --loops says it",
                 [PM_HINT_LOOPS] = "; --loops counts with them",
                 [PM_HINT_GENERAL] = "; pm-count counts graphs with odd cycles",
                 [PM_HINT_TWO_SIDES] = "; without --graph rows and columns are two sides",
                 [PM_HINT_SIDES_FOUND] = "; without --bipartite its two sides are found",
                 [PM_HINT_DELIMITER] = "; --delimiter=CHAR gives another character",
                 [PM_HINT_COLUMNS] = "; --columns=LEFT,RIGHT[,WEIGHT] chooses them",
                 [PM_HINT_HEADER] = " (--header=yes or --header=no)",
                 [PM_HINT_TABLE] = "; --header=no or -q: without this line",
                 [PM_HINT_LABELS] = " (--json, or Matrix Market where it can be written, can)",
                 [PM_HINT_NO_WEIGHTS] = "; --pattern counts without weights",
                 [PM_HINT_WITHOUT_STREAM] =
                     "; --precision=exact of the program that wrote it keeps them",
                 [PM_HINT_MODULUS] = "; --mod=M prints it modulo M",
                 [PM_HINT_METHOD] = "; without --algorithm another method may be taken",
                 [PM_HINT_CPU] = "; --backend=cpu needs no GPU",
                 [PM_HINT_ESTIMATE] = "; pm-approx prints an estimate",
                 [PM_HINT_EXACT] = "; pm-count counts exactly",
                 [PM_HINT_STATES] = " (see --states and --max-memory)",
                 [PM_HINT_SEED] = "; another --seed may succeed",
                 [PM_HINT_PARTS] = ": give all parts to pm-count --merge",
                 [PM_HINT_PLAN] = ": --backend=cpu, or cuda, takes the same plan everywhere"},
    };
    if (settings.thread_stack == 0)
        settings.thread_stack = thread_stack("GOMP_STACKSIZE");
    make_hash_seed(settings.hash_seed);
    pm_settings_set(&settings);
}

/* ---- GMP ---- */

static const char *program_name;

static void gmp_out_of_memory(void)
{
    fprintf(stderr, "%s: out of memory: a large integer does not fit%s\n", program_name,
            pm_memory_limit() > 0 ? pm_hint_text(PM_HINT_MEMORY) : "");
    pm_signals_end(pm_exit_status(PM_ENOMEM));
}

static void *gmp_alloc(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p)
        gmp_out_of_memory();
    return p;
}

static void *gmp_realloc(void *old, size_t old_bytes, size_t bytes)
{
    (void)old_bytes;
    void *p = realloc(old, bytes);
    if (!p)
        gmp_out_of_memory();
    return p;
}

static void *gmp_alloc_bounded(size_t bytes)
{
    if (!pm_memory_allows_last(bytes))
        gmp_out_of_memory();
    return gmp_alloc(bytes);
}

static void *gmp_realloc_bounded(void *old, size_t old_bytes, size_t bytes)
{
    if (bytes > old_bytes && !pm_memory_allows_last(bytes - old_bytes))
        gmp_out_of_memory();
    return gmp_realloc(old, old_bytes, bytes);
}

static void gmp_free(void *p, size_t bytes)
{
    (void)bytes;
    free(p);
}

/* Blocks of a mebibyte and more get pages of their own, which go back to the system when they are freed: the vectors of a graph with
 * millions of edges would else stay in the memory of the process, in holes that larger arrays do not fit in. */
static void give_back_large(void)
{
    enum { LARGE = 1 << 20, KEPT = 8 << 20 /* free, at the end of the memory of small blocks */ };
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, KEPT);
#endif
}

/* Large blocks have pages of their own already, so the pages of the process are about what is counted. */
void pm_environment_limit_memory(int64_t bytes)
{
    enum { PROGRAM = 16 << 20 };
    mp_set_memory_functions(gmp_alloc_bounded, gmp_realloc_bounded, gmp_free);
    pm_memory_set_limit(bytes > INT64_MAX - PROGRAM ? INT64_MAX : bytes + PROGRAM);
}

void pm_environment_name_limit(pm_status status, pm_error *err)
{
    size_t used = strlen(err->msg);
    if (status == PM_ENOMEM && pm_memory_limit() > 0)
        snprintf(err->msg + used, sizeof err->msg - used, "%s", pm_hint_text(PM_HINT_MEMORY));
}

void pm_environment_start(const char *program)
{
    program_name = program;
    give_back_large();
    mp_set_memory_functions(gmp_alloc, gmp_realloc, gmp_free);
    pm_environment_read();
}
