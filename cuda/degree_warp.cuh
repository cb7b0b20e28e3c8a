// SPDX-License-Identifier: GPL-3.0-or-later
// degree_warp.cuh: one sample of rasmussen, rasmussen+, look+ or hub+ by one warp, on lists of
// neighbours, with the same choices and weights as src/degree/degree_lists.c.  The threads of the
// warp share the neighbours of a row or column; sums that depend on the order of the neighbours are
// computed by every thread in the same way.  cuda/warp_samples.cuh follows.
//
// Given: PM_N rows; PM_MAX_DEGREE entries in the longest row; PM_VALUES: not all entries are 1;
// PM_IN_SEQUENCE, PM_FORCES: members of pm_degree_lists.
// Digits: those of the CPU.
typedef struct {
    uint64_t part[PM_MAX_DEGREE]; // T(c) v of each neighbour of the chosen row; 0 if it is matched
    uint32_t key[PM_N];           // of each row (sampler/vertex_key.h)
    uint32_t lane[32];            // working memory of pm_min_of_lanes
    uint16_t left[PM_N];          // unmatched rows of each column; 0 if the column is matched
    uint16_t rows[PM_MAX_DEGREE]; // left[] of each neighbour of the chosen row
    uint32_t is_dead;             // a column has no unmatched row left
} pm_dev_warp;

PM_FN void pm_warp_start(pm_dev_warp *w, const pm_warp_launch *p, const char *base)
{
    PM_LANE_EACH(i, PM_N)
    {
        w->key[i] = (uint32_t)PM_ARRAY(int32_t, base, p->row.length)[i] << 16 | (uint32_t)i;
        w->left[i] = (uint16_t)PM_ARRAY(int32_t, base, p->column.length)[i];
    }
    w->is_dead = 0;
    PM_WARP_SYNC();
}

// The unmatched row with the fewest unmatched columns; the first of several.
PM_FN int pm_fewest_row(pm_dev_warp *w)
{
    PM_LANE_EACH(l, 32)
    {
        uint32_t least = PM_KEY_MATCHED;
        for (int i = l; i < PM_N; i += 32)
            least = w->key[i] < least ? w->key[i] : least;
        w->lane[l] = least;
    }
    return (int)(pm_min_of_lanes(w->lane) & 0xffff);
}

// Fills w->part and w->rows for row i.
PM_FN void pm_read_row(pm_dev_warp *w, const pm_warp_launch *p, const char *base, int i, int length)
{
    const uint16_t *at = PM_ARRAY(uint16_t, base, p->row.neighbour) + i;
    const uint32_t *table = PM_ARRAY(uint32_t, base, p->table);
    PM_LANE_EACH(t, length)
    {
        int c = w->left[PM_TABLE_AT(at + t * PM_N)];
        uint64_t part = c ? PM_TABLE_AT(table + c) : 0;
#if PM_VALUES
        part *= PM_TABLE_AT(PM_ARRAY(uint32_t, base, p->row.integer_entry) + (t * PM_N + i));
#endif
        w->rows[t] = (uint16_t)c;
        w->part[t] = part;
    }
    PM_WARP_SYNC();
}

// Chooses a neighbour of the row in w->part and w->rows; returns its index, or -1 at a dead end.
// Multiplies *weight by 1 / probability.
PM_FN int pm_choose_neighbour(const pm_dev_warp *w, int length, pm_sample_sequence *s,
                              pm_wide_product *weight)
{
    int choices = 0, last = -1, must = -1, t = 0;
    uint64_t total = 0;
    for (int k = 0; k < length; ++k) {
        int c = w->rows[k];
        if (c == 0)
            continue;
        if (PM_FORCES && c == 1) {
            if (must >= 0)
                return -1;
            must = k;
        }
        total += w->part[k];
        last = k;
        ++choices;
    }
    if (must >= 0 || choices < 2)
        return must >= 0 ? must : last;
    uint64_t at = pm_sample_sequence_below(s, total);
    for (; w->rows[t] == 0 || at >= w->part[t]; ++t)
        at -= w->part[t];
    pm_wide_product_multiply(weight, (double)total / (double)w->part[t]);
    return t;
}

// Matches row i, which has `length` neighbours, with column j.  Returns false if another column has
// no unmatched row left.
PM_FN bool pm_match(pm_dev_warp *w, const pm_warp_launch *p, const char *base, int i, int j,
                    int length)
{
    const uint16_t *at = PM_ARRAY(uint16_t, base, p->row.neighbour) + i;
    const uint16_t *of = PM_ARRAY(uint16_t, base, p->column.neighbour) + j;
    int rows = PM_TABLE_AT(PM_ARRAY(int32_t, base, p->column.length) + j);
    PM_WARP_SYNC();
    PM_LANE_EACH(t, rows)
    {
        int k = PM_TABLE_AT(of + t * PM_N);
        uint32_t key = w->key[k];
        w->key[k] = k == i || key == PM_KEY_MATCHED ? PM_KEY_MATCHED : key - 0x10000;
    }
    PM_LANE_EACH(t, length)
    {
        int k = PM_TABLE_AT(at + t * PM_N), c = w->left[k];
        if (c == 1 && k != j)
            w->is_dead = 1;
        w->left[k] = (uint16_t)(k == j || c == 0 ? 0 : c - 1);
    }
    PM_WARP_SYNC();
    return !w->is_dead;
}

PM_FN pm_wide_product pm_warp_sample(pm_dev_warp *w, const pm_warp_launch *p, const char *base,
                                     uint64_t sample)
{
    pm_sample_sequence sequence = pm_sample_sequence_of(p->seed, p->block, sample);
    pm_wide_product weight = {1, 0};
    const pm_wide_product dead = {0, 0};
    pm_warp_start(w, p, base);
    PM_LOOP
    for (int step = 0; step < PM_N; ++step) {
        int i = PM_IN_SEQUENCE ? step : pm_fewest_row(w);
        int length = PM_TABLE_AT(PM_ARRAY(int32_t, base, p->row.length) + i);
        pm_read_row(w, p, base, i, length);
        int t = pm_choose_neighbour(w, length, &sequence, &weight);
        if (t < 0)
            return dead;
#if PM_VALUES
        pm_wide_product_multiply(
            &weight, PM_TABLE_AT(PM_ARRAY(double, base, p->row.value) + (t * PM_N + i)));
#endif
        int j = PM_TABLE_AT(PM_ARRAY(uint16_t, base, p->row.neighbour) + (t * PM_N + i));
        if (!pm_match(w, p, base, i, j, length))
            return dead;
    }
    weight.e += p->exponent;
    pm_wide_product_normalise(&weight);
    return weight;
}
