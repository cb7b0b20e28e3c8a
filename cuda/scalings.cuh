// SPDX-License-Identifier: GPL-3.0-or-later
// scalings.cuh: samples of scaling, scaling+ and scaling++ (src/scaling/scaling.c), a warp a sample.
//
// Lists of neighbours are those of the whole matrix: a line that has left has the scale 0, and adds
// nothing to a sum.  Lanes take the lines that are left, one each, for a sweep, and the
// neighbours of a line for a choice.  Scales are single precision: any share > 0 that divides
// the weight too leaves its mean where it is; choices and weights are double precision.
//
// Up to 64 lines of ones: a sum over neighbours is one of sixteen numbers for each four places of a
// mask, and all lanes make these first.
//
// Given: PM_N; PM_MASKS, PM_VALUES: there are masks, entries; PM_IN_SEQUENCE, PM_TWO_SIDES;
// PM_INTERVAL, PM_SWEEPS; PM_COMPLETE last rows that are counted.  warps.cuh follows.
// Digits: the same on every GPU.
#define PM_LARGE       1e18f // products of two scales are finite
#define PM_LEAST_SHARE 0x1p-40f
#define PM_QUADS       ((PM_N + 3) / 4)

typedef struct {
    float scale[4 * PM_QUADS];
    uint32_t key[PM_N];               // 2^16 neighbours left + line; PM_GONE
    uint16_t line[PM_N], place[PM_N]; // the lines left; line[place[i]] = i
} pm_warp_side;

// What a warp works on, and the same with a side and its other side.
typedef struct {
    double ways[1 << PM_COMPLETE];
    double entry[PM_COMPLETE * PM_COMPLETE + 1];
    pm_warp_side row, column;
    float score[PM_N];
    uint32_t lane[32];
#if PM_MASKS
    float some[16 * PM_QUADS]; // of four scales
#endif
    uint32_t columns[PM_COMPLETE + 1];
    uint32_t is_dead;
} pm_dev_warp;

// ---- lines ----

PM_FN void pm_side_start(pm_warp_side *s, const char *base, const pm_lines_side *from)
{
    PM_LANE_EACH(i, PM_N)
    {
        s->scale[i] = PM_PLACE(float, base, from->scale)[i];
        s->key[i] = (uint32_t)PM_PLACE(int32_t, base, from->length)[i] << 16 | (uint32_t)i;
        s->line[i] = s->place[i] = (uint16_t)i;
    }
    PM_LANE_EACH(i, 4 * PM_QUADS - PM_N)
    s->scale[PM_N + i] = 0;
}

// The least key of n, for all lanes.
PM_FN uint32_t pm_least_key(pm_dev_warp *w, const uint32_t *key, const uint32_t *more)
{
    PM_LANE_EACH(l, 32)
    {
        uint32_t least = PM_GONE;
        for (int i = l; i < PM_N; i += 32) {
            least = key[i] < least ? key[i] : least;
            if (more && more[i] != PM_GONE)
                least = more[i] + 0x8000 < least ? more[i] + 0x8000 : least;
        }
        w->lane[l] = least;
    }
    return pm_least_of_lanes(w->lane);
}

// ---- scaling ----

#if PM_MASKS
// Sums of four scales each, of all sixteen sets of them.
PM_FN void pm_make_some(float *some, const float *scale)
{
    PM_LANE_EACH(t, 16 * PM_QUADS)
    {
        const float *x = scale + t / 16 * 4;
        float low = (t & 1 ? x[0] : 0) + (t & 2 ? x[1] : 0);
        some[t] = low + ((t & 4 ? x[2] : 0) + (t & 8 ? x[3] : 0));
    }
    PM_WARP_SYNC();
}
#endif

// Of the neighbours of line i, by their scales.
PM_FN float pm_line_sum(const pm_dev_warp *w, const char *base, const pm_lines_side *from,
                        const float *scale, int i)
{
    float sum = 0;
#if PM_MASKS
    uint64_t mask = PM_TABLE_AT(PM_PLACE(uint64_t, base, from->mask) + i);
    PM_UNROLL
    for (int q = 0; q < PM_QUADS; ++q)
        sum += w->some[16 * q + (int)(mask >> 4 * q & 15)];
#else
    int length = PM_TABLE_AT(PM_PLACE(int32_t, base, from->length) + i);
    const uint16_t *at = PM_PLACE(uint16_t, base, from->at) + i;
    for (int t = 0; t < length; ++t) {
        float s = scale[PM_TABLE_AT(at + t * PM_N)];
#if PM_VALUES
        s *= PM_TABLE_AT(PM_PLACE(float, base, from->share) + (t * PM_N + i));
#endif
        sum += s;
    }
#endif
    return sum;
}

PM_FN void pm_balance(pm_dev_warp *w, const char *base, const pm_lines_side *from,
                      pm_warp_side *own, const pm_warp_side *other, int left)
{
#if PM_MASKS
    pm_make_some(w->some, other->scale);
#endif
    PM_LANE_EACH(k, left)
    {
        int i = own->line[k];
        float sum = pm_line_sum(w, base, from, other->scale, i);
        float scale = sum > 1 / PM_LARGE ? 1 / sum : PM_LARGE;
        own->scale[i] = scale > 1 / PM_LARGE ? scale : 1 / PM_LARGE;
    }
    PM_WARP_SYNC();
}

// ---- a choice ----

PM_FN float pm_share(float s)
{
#if PM_TWO_SIDES
    s = s < 1 ? s : 1;
    s /= 1 - 0.5f * s;
#endif
    s = s < PM_LARGE ? s : PM_LARGE; // also of entries that are large themselves
    return s > PM_LEAST_SHARE ? s : PM_LEAST_SHARE;
}

// A neighbour of line i that is left, by its share; the weight gets 1 / probability and the entry.
PM_FN int pm_choose(pm_dev_warp *w, const char *base, const pm_lines_side *from,
                    const pm_warp_side *own, const pm_warp_side *other, int i,
                    pm_sample_sequence *s, pm_wide_product *weight)
{
    int length = PM_TABLE_AT(PM_PLACE(int32_t, base, from->length) + i), chosen = -1;
    const uint16_t *at = PM_PLACE(uint16_t, base, from->at) + i;
    PM_LANE_EACH(t, length)
    {
        int j = PM_TABLE_AT(at + t * PM_N);
        float share = own->scale[i] * other->scale[j];
#if PM_VALUES
        share *= PM_TABLE_AT(PM_PLACE(float, base, from->share) + (t * PM_N + i));
#endif
        w->score[t] = other->key[j] == PM_GONE ? 0 : pm_share(share);
    }
    PM_WARP_SYNC();
    double total = 0, score = 0;
    for (int t = 0; t < length; ++t)
        total += (double)w->score[t];
    double u = own->key[i] >> 16 > 1 ? pm_sample_sequence_unit(s) * total : 0;
    for (int t = 0; t < length; ++t) {
        double x = (double)w->score[t];
        if (x > 0) {
            chosen = t;
            score = x;
            if (u < x)
                break;
            u -= x;
        }
    }
    PM_WARP_SYNC();
    if (own->key[i] >> 16 > 1)
        pm_wide_product_multiply(weight, total / score);
#if PM_VALUES
    pm_wide_product_multiply(
        weight, PM_TABLE_AT(PM_PLACE(double, base, from->value) + (chosen * PM_N + i)));
#endif
    return PM_TABLE_AT(at + chosen * PM_N);
}

// The neighbours of line i lose it; not `partner`, which leaves.
PM_FN void pm_part_from(pm_dev_warp *w, const char *base, const pm_lines_side *from,
                        pm_warp_side *other, int i, int partner)
{
    int length = PM_TABLE_AT(PM_PLACE(int32_t, base, from->length) + i);
    const uint16_t *at = PM_PLACE(uint16_t, base, from->at) + i;
    PM_LANE_EACH(t, length)
    {
        int j = PM_TABLE_AT(at + t * PM_N);
        uint32_t key = other->key[j];
        if (key != PM_GONE && j != partner) {
            other->key[j] = key - 0x10000;
            if (key < 0x20000)
                w->is_dead = 1;
        }
    }
}

PM_FN void pm_leave(pm_warp_side *s, int i, int left)
{
    int place = s->place[i], moved = s->line[left - 1];
    PM_WARP_SYNC();
    PM_LANE_EACH(l, 1)
    {
        s->line[place] = (uint16_t)moved;
        s->place[moved] = (uint16_t)place;
        s->key[i] = PM_GONE;
        s->scale[i] = 0;
    }
}

// Row i and column j leave.  False: a line of what is left is empty.
PM_FN bool pm_take(pm_dev_warp *w, const pm_lines_launch *p, const char *base, int i, int j,
                   int left)
{
    pm_part_from(w, base, &p->row, &w->column, i, j);
    pm_part_from(w, base, &p->column, &w->row, j, i);
    pm_leave(&w->row, i, left);
    pm_leave(&w->column, j, left);
    PM_WARP_SYNC();
    return !w->is_dead;
}

// ---- the last rows ----

#if PM_COMPLETE
// Of the rows in their places the columns left, as sets of places, and r_i a_ij c_j.
PM_FN void pm_read_rows(pm_dev_warp *w, const pm_lines_launch *p, const char *base, int left)
{
    PM_LANE_EACH(k, left)
    {
        int i = w->row.line[k];
        int length = PM_PLACE(int32_t, base, p->row.length)[i];
        const uint16_t *at = PM_PLACE(uint16_t, base, p->row.at) + i;
        uint32_t columns = 0;
        for (int t = 0; t < length; ++t) {
            int j = PM_TABLE_AT(at + t * PM_N);
            if (w->column.key[j] == PM_GONE)
                continue;
            columns |= 1u << w->column.place[j];
#if PM_VALUES
            w->entry[k * left + w->column.place[j]] =
                (double)w->row.scale[i] * PM_PLACE(double, base, p->row.value)[t * PM_N + i]
                * (double)w->column.scale[j];
#endif
        }
        w->columns[k] = columns;
    }
    PM_WARP_SYNC();
}

// The sum over ways of the first |S| rows to have the columns S; sets of one size at a time.
PM_FN double pm_count_ways(pm_dev_warp *w, const uint16_t *sets, int left)
{
    int first = 0, size = 1;
    w->ways[0] = 1;
    PM_WARP_SYNC();
    for (int rows = 1; rows <= left; ++rows) {
        size = size * (PM_COMPLETE - rows + 1) / rows; // sets of so many of PM_COMPLETE
        PM_LANE_EACH(k, size)
        {
            uint32_t set = PM_TABLE_AT(sets + first + k);
            double sum = 0;
            if (set >> left)
                continue;
            for (uint32_t rest = set & w->columns[rows - 1]; rest; rest &= rest - 1) {
                double ways = w->ways[set ^ (rest & (0 - rest))];
#if PM_VALUES
                ways *= w->entry[(rows - 1) * left + PM_LOW_BIT(rest)];
#endif
                sum += ways;
            }
            w->ways[set] = sum;
        }
        first += size;
        PM_WARP_SYNC();
    }
    return w->ways[((uint32_t)1 << left) - 1];
}

// What is left, counted.
PM_FN void pm_finish(pm_dev_warp *w, const pm_lines_launch *p, const char *base, int left,
                     pm_wide_product *weight)
{
    pm_read_rows(w, p, base, left);
    pm_wide_product_multiply(weight, pm_count_ways(w, PM_PLACE(uint16_t, base, p->sets), left));
#if PM_VALUES
    for (int k = 0; k < left; ++k) {
        pm_wide_product_multiply(weight, 1 / (double)w->row.scale[w->row.line[k]]);
        pm_wide_product_multiply(weight, 1 / (double)w->column.scale[w->column.line[k]]);
    }
#endif
}
#endif

// ---- a sample ----

// Columns have the vertices 0x8000 + j.
PM_FN uint32_t pm_next_key(pm_dev_warp *w, int step)
{
#if PM_IN_SEQUENCE
    (void)step;
    return w->row.key[step];
#elif PM_TWO_SIDES
    return pm_least_key(w, w->row.key, w->column.key);
#else
    return pm_least_key(w, w->row.key, 0);
#endif
}

PM_FN void pm_start(pm_dev_warp *w, const pm_lines_launch *p, const char *base)
{
    pm_side_start(&w->row, base, &p->row);
    pm_side_start(&w->column, base, &p->column);
    w->is_dead = 0;
    PM_WARP_SYNC();
}

PM_FN pm_wide_product pm_warp_sample(pm_dev_warp *w, const pm_lines_launch *p, const char *base,
                                     uint64_t sample)
{
    pm_sample_sequence sequence = pm_sample_sequence_of(p->seed, p->block, sample);
    pm_wide_product weight = {1, 0};
    const pm_wide_product dead = {0, 0};
    int left = PM_N;
    pm_start(w, p, base);
    PM_LOOP
    for (int step = 0; left > PM_COMPLETE; ++step, --left) {
        uint32_t key = pm_next_key(w, step);
        int v = (int)(key & 0xffff), i = v, j = v - 0x8000;
        if (step % PM_INTERVAL == 0 && (!PM_TWO_SIDES || key >= 0x20000)) {
            PM_LOOP
            for (int sweep = 0; sweep < PM_SWEEPS; ++sweep) {
                pm_balance(w, base, &p->column, &w->column, &w->row, left);
                pm_balance(w, base, &p->row, &w->row, &w->column, left);
            }
        }
        if (v < 0x8000)
            j = pm_choose(w, base, &p->row, &w->row, &w->column, i, &sequence, &weight);
        else
            i = pm_choose(w, base, &p->column, &w->column, &w->row, j, &sequence, &weight);
        if (!pm_take(w, p, base, i, j, left))
            return dead;
    }
#if PM_COMPLETE
    pm_finish(w, p, base, left, &weight);
#endif
    weight.e += p->exponent;
    pm_wide_product_normalise(&weight);
    return weight;
}
