// SPDX-License-Identifier: GPL-3.0-or-later
// scaling_warp.cuh: one sample of scaling, scaling+ or scaling++ (src/scaling/scaling.c) by one
// warp. cuda/warp_samples.cuh follows.
//
// Lists of neighbours are those of the whole matrix.  A line (row or column) that has been matched
// has the scale 0, so it adds nothing to a sum.  In an iteration of the scaling every thread scales
// one unmatched line after another; in a choice the threads share the neighbours of one line.
// Scales are
// in single precision: the mean of the weights is the permanent for any shares > 0, as long as the
// weight is divided by the probability that was used.  Choices and weights are in double precision.
//
// For patterns of up to 64 rows (PM_MASKS) the neighbours are bit masks.  A sum over neighbours
// then adds one of sixteen precomputed sums for every four bits of the mask.
//
// Given: PM_N rows; PM_MASKS; PM_VALUES: not all entries are 1; PM_IN_SEQUENCE, PM_TWO_SIDES,
// PM_INTERVAL, PM_ITERATIONS: members of pm_scaling_model; PM_COMPLETE last rows that are counted
// exactly.
// Digits: the same on every GPU.
#define PM_LARGE       1e18f // products of two scales are finite
#define PM_LEAST_SHARE 0x1p-40f
#define PM_QUADS       ((PM_N + 3) / 4)

typedef struct {
    float scale[4 * PM_QUADS];           // 0 for matched lines
    uint32_t key[PM_N];                  // of each line (sampler/vertex_key.h)
    uint16_t line[PM_N], position[PM_N]; // the unmatched lines; line[position[i]] = i
} pm_warp_side;

typedef struct {
    double permanent[1 << PM_COMPLETE];          // of the first rows and a set of columns
    double entry[PM_COMPLETE * PM_COMPLETE + 1]; // of the last rows
    pm_warp_side row, column;
    float share[PM_N]; // of the neighbours of the chosen line
    uint32_t lane[32]; // working memory of pm_min_of_lanes
#if PM_MASKS
    float partial[16 * PM_QUADS]; // [quad][set]: sums of the scales in subsets of four lines
#endif
    uint32_t columns[PM_COMPLETE + 1]; // of each of the last rows, as a set of positions
    uint32_t is_dead;                  // a line has no unmatched neighbour left
} pm_dev_warp;

// ---- lines ----

PM_FN void pm_side_start(pm_warp_side *s, const char *base, const pm_list_offsets *from)
{
    PM_LANE_EACH(i, PM_N)
    {
        s->scale[i] = PM_ARRAY(float, base, from->scale)[i];
        s->key[i] = (uint32_t)PM_ARRAY(int32_t, base, from->length)[i] << 16 | (uint32_t)i;
        s->line[i] = s->position[i] = (uint16_t)i;
    }
    PM_LANE_EACH(i, 4 * PM_QUADS - PM_N)
    s->scale[PM_N + i] = 0;
}

// The smallest key of one side, or of both sides when `more` is given; returned to all threads.
// Line j of `more` counts as vertex 0x8000 + j.
PM_FN uint32_t pm_least_key(pm_dev_warp *w, const uint32_t *key, const uint32_t *more)
{
    PM_LANE_EACH(l, 32)
    {
        uint32_t least = PM_KEY_MATCHED;
        for (int i = l; i < PM_N; i += 32) {
            least = key[i] < least ? key[i] : least;
            if (more && more[i] != PM_KEY_MATCHED)
                least = more[i] + 0x8000 < least ? more[i] + 0x8000 : least;
        }
        w->lane[l] = least;
    }
    return pm_min_of_lanes(w->lane);
}

// ---- scaling ----

#if PM_MASKS
// partial[16 q + set] = the sum of the scales of lines 4 q + k with bit k in the set.
PM_FN void pm_make_partial_sums(float *partial, const float *scale)
{
    PM_LANE_EACH(t, 16 * PM_QUADS)
    {
        const float *x = scale + t / 16 * 4;
        float low = (t & 1 ? x[0] : 0) + (t & 2 ? x[1] : 0);
        partial[t] = low + ((t & 4 ? x[2] : 0) + (t & 8 ? x[3] : 0));
    }
    PM_WARP_SYNC();
}
#endif

// The sum over the neighbours of line i of entry times scale.
PM_FN float pm_line_sum(const pm_dev_warp *w, const char *base, const pm_list_offsets *from,
                        const float *scale, int i)
{
    float sum = 0;
#if PM_MASKS
    uint64_t mask = PM_TABLE_AT(PM_ARRAY(uint64_t, base, from->mask) + i);
    PM_UNROLL
    for (int q = 0; q < PM_QUADS; ++q)
        sum += w->partial[16 * q + (int)(mask >> 4 * q & 15)];
#else
    int length = PM_TABLE_AT(PM_ARRAY(int32_t, base, from->length) + i);
    const uint16_t *at = PM_ARRAY(uint16_t, base, from->neighbour) + i;
    for (int t = 0; t < length; ++t) {
        float s = scale[PM_TABLE_AT(at + t * PM_N)];
#if PM_VALUES
        s *= PM_TABLE_AT(PM_ARRAY(float, base, from->single_value) + (t * PM_N + i));
#endif
        sum += s;
    }
#endif
    return sum;
}

// Half an iteration: scales the unmatched lines of `own` to sums of 1.
PM_FN void pm_balance(pm_dev_warp *w, const char *base, const pm_list_offsets *from,
                      pm_warp_side *own, const pm_warp_side *other, int left)
{
#if PM_MASKS
    pm_make_partial_sums(w->partial, other->scale);
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

// The share of a neighbour from its scaled entry s; as share_of in src/scaling/scaling.c.
PM_FN float pm_dev_share(float s)
{
#if PM_TWO_SIDES
    s = s < 1 ? s : 1;
    s /= 1 - 0.5f * s;
#endif
    s = s < PM_LARGE ? s : PM_LARGE; // large entries may give large products
    return s > PM_LEAST_SHARE ? s : PM_LEAST_SHARE;
}

// Chooses an unmatched neighbour of line i with probability proportional to its share.  Multiplies
// *weight by the entry / probability.
PM_FN int pm_choose_neighbour(pm_dev_warp *w, const char *base, const pm_list_offsets *from,
                              const pm_warp_side *own, const pm_warp_side *other, int i,
                              pm_sample_sequence *s, pm_wide_product *weight)
{
    int length = PM_TABLE_AT(PM_ARRAY(int32_t, base, from->length) + i), chosen = -1;
    const uint16_t *at = PM_ARRAY(uint16_t, base, from->neighbour) + i;
    PM_LANE_EACH(t, length)
    {
        int j = PM_TABLE_AT(at + t * PM_N);
        float share = own->scale[i] * other->scale[j];
#if PM_VALUES
        share *= PM_TABLE_AT(PM_ARRAY(float, base, from->single_value) + (t * PM_N + i));
#endif
        w->share[t] = other->key[j] == PM_KEY_MATCHED ? 0 : pm_dev_share(share);
    }
    PM_WARP_SYNC();
    double total = 0, score = 0;
    for (int t = 0; t < length; ++t)
        total += (double)w->share[t];
    double u = own->key[i] >> 16 > 1 ? pm_sample_sequence_unit(s) * total : 0;
    for (int t = 0; t < length; ++t) {
        double x = (double)w->share[t];
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
        weight, PM_TABLE_AT(PM_ARRAY(double, base, from->value) + (chosen * PM_N + i)));
#endif
    return PM_TABLE_AT(at + chosen * PM_N);
}

// Line i is matched with `partner`: its other neighbours, on the side `other`, have one neighbour
// less.
PM_FN void pm_remove_from_neighbours(pm_dev_warp *w, const char *base, const pm_list_offsets *from,
                                     pm_warp_side *other, int i, int partner)
{
    int length = PM_TABLE_AT(PM_ARRAY(int32_t, base, from->length) + i);
    const uint16_t *at = PM_ARRAY(uint16_t, base, from->neighbour) + i;
    PM_LANE_EACH(t, length)
    {
        int j = PM_TABLE_AT(at + t * PM_N);
        uint32_t key = other->key[j];
        if (key != PM_KEY_MATCHED && j != partner) {
            other->key[j] = key - 0x10000;
            if (key < 0x20000)
                w->is_dead = 1;
        }
    }
}

// Removes line i from the `left` unmatched lines.
PM_FN void pm_remove_line(pm_warp_side *s, int i, int left)
{
    int position = s->position[i], moved = s->line[left - 1];
    PM_WARP_SYNC();
    PM_LANE_EACH(l, 1)
    {
        s->line[position] = (uint16_t)moved;
        s->position[moved] = (uint16_t)position;
        s->key[i] = PM_KEY_MATCHED;
        s->scale[i] = 0;
    }
}

// Matches row i with column j; `left` rows are unmatched before.  Returns false if an unmatched
// line has no unmatched neighbour left.
PM_FN bool pm_match(pm_dev_warp *w, const pm_warp_launch *p, const char *base, int i, int j,
                    int left)
{
    pm_remove_from_neighbours(w, base, &p->row, &w->column, i, j);
    pm_remove_from_neighbours(w, base, &p->column, &w->row, j, i);
    pm_remove_line(&w->row, i, left);
    pm_remove_line(&w->column, j, left);
    PM_WARP_SYNC();
    return !w->is_dead;
}

// ---- the last rows ----

#if PM_COMPLETE
// The remaining `left` rows: their unmatched columns as sets of positions, and r_i a_ij c_j.
PM_FN void pm_read_rows(pm_dev_warp *w, const pm_warp_launch *p, const char *base, int left)
{
    PM_LANE_EACH(k, left)
    {
        int i = w->row.line[k];
        int length = PM_ARRAY(int32_t, base, p->row.length)[i];
        const uint16_t *at = PM_ARRAY(uint16_t, base, p->row.neighbour) + i;
        uint32_t columns = 0;
        for (int t = 0; t < length; ++t) {
            int j = PM_TABLE_AT(at + t * PM_N);
            if (w->column.key[j] == PM_KEY_MATCHED)
                continue;
            columns |= 1u << w->column.position[j];
#if PM_VALUES
            w->entry[k * left + w->column.position[j]] =
                (double)w->row.scale[i] * PM_ARRAY(double, base, p->row.value)[t * PM_N + i]
                * (double)w->column.scale[j];
#endif
        }
        w->columns[k] = columns;
    }
    PM_WARP_SYNC();
}

// The permanent of the remaining rows: permanent[S] is that of the first |S| rows and the columns
// S, computed for the sets of one size after another.
PM_FN double pm_remaining_permanent(pm_dev_warp *w, const uint16_t *sets, int left)
{
    int first = 0, size = 1;
    w->permanent[0] = 1;
    PM_WARP_SYNC();
    for (int rows = 1; rows <= left; ++rows) {
        size = size * (PM_COMPLETE - rows + 1) / rows; // number of sets with `rows` elements
        PM_LANE_EACH(k, size)
        {
            uint32_t set = PM_TABLE_AT(sets + first + k);
            double sum = 0;
            if (set >> left)
                continue;
            for (uint32_t rest = set & w->columns[rows - 1]; rest; rest &= rest - 1) {
                double product = w->permanent[set ^ (rest & (0 - rest))];
#if PM_VALUES
                product *= w->entry[(rows - 1) * left + PM_LOW_BIT(rest)];
#endif
                sum += product;
            }
            w->permanent[set] = sum;
        }
        first += size;
        PM_WARP_SYNC();
    }
    return w->permanent[((uint32_t)1 << left) - 1];
}

// Multiplies *weight by the permanent of the remaining rows.
PM_FN void pm_finish(pm_dev_warp *w, const pm_warp_launch *p, const char *base, int left,
                     pm_wide_product *weight)
{
    pm_read_rows(w, p, base, left);
    pm_wide_product_multiply(weight,
                             pm_remaining_permanent(w, PM_ARRAY(uint16_t, base, p->sets), left));
#if PM_VALUES
    for (int k = 0; k < left; ++k) {
        pm_wide_product_multiply(weight, 1 / (double)w->row.scale[w->row.line[k]]);
        pm_wide_product_multiply(weight, 1 / (double)w->column.scale[w->column.line[k]]);
    }
#endif
}
#endif

// ---- a sample ----

// The key of the line that is matched in this step.  Column j is the vertex 0x8000 + j.
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

PM_FN void pm_warp_start(pm_dev_warp *w, const pm_warp_launch *p, const char *base)
{
    pm_side_start(&w->row, base, &p->row);
    pm_side_start(&w->column, base, &p->column);
    w->is_dead = 0;
    PM_WARP_SYNC();
}

PM_FN pm_wide_product pm_warp_sample(pm_dev_warp *w, const pm_warp_launch *p, const char *base,
                                     uint64_t sample)
{
    pm_sample_sequence sequence = pm_sample_sequence_of(p->seed, p->block, sample);
    pm_wide_product weight = {1, 0};
    const pm_wide_product dead = {0, 0};
    int left = PM_N;
    pm_warp_start(w, p, base);
    PM_LOOP
    for (int step = 0; left > PM_COMPLETE; ++step, --left) {
        uint32_t key = pm_next_key(w, step);
        int v = (int)(key & 0xffff), i = v, j = v - 0x8000;
        if (step % PM_INTERVAL == 0 && (!PM_TWO_SIDES || key >= 0x20000)) {
            PM_LOOP
            for (int k = 0; k < PM_ITERATIONS; ++k) {
                pm_balance(w, base, &p->column, &w->column, &w->row, left);
                pm_balance(w, base, &p->row, &w->row, &w->column, left);
            }
        }
        if (v < 0x8000)
            j = pm_choose_neighbour(w, base, &p->row, &w->row, &w->column, i, &sequence, &weight);
        else
            i = pm_choose_neighbour(w, base, &p->column, &w->column, &w->row, j, &sequence,
                                    &weight);
        if (!pm_match(w, p, base, i, j, left))
            return dead;
    }
#if PM_COMPLETE
    pm_finish(w, p, base, left, &weight);
#endif
    weight.e += p->exponent;
    pm_wide_product_normalise(&weight);
    return weight;
}
