/* overlap.c - the overlap tests are exact: compared with counting every place. */
#include "test.h"

enum { PLACES = 4096, MIDDLE = 2048 };

typedef struct places {
    uint8_t count[PLACES]; /* how many indices touch the place, up to 2 */
    bool twice;
} places;

/* Touch every byte of every element, one index after the other. */
static void touch(places *seen, int64_t at, int64_t itemsize, int64_t ndim, const int64_t *sizes, const int64_t *steps) {
    if (ndim > 0) {
        for (int64_t i = 0; i < sizes[0]; i++)
            touch(seen, at + i * steps[0], itemsize, ndim - 1, sizes + 1, steps + 1);
        return;
    }
    for (int64_t b = 0; b < itemsize; b++) {
        CHECK(at + b >= 0 && at + b < PLACES);
        if (seen->count[at + b]++) {
            seen->twice = true;
            seen->count[at + b] = 2;
        }
    }
}

static int64_t random_layout(int64_t max_ndim, int64_t most, int64_t *sizes, int64_t *strides) {
    int64_t ndim = test_random_between(0, max_ndim);
    for (int64_t d = 0; d < ndim; d++) {
        sizes[d] = test_random_between(0, 19) == 0 ? 0 : test_random_between(1, 5);
        strides[d] = test_random_between(-most, most);
    }
    return ndim;
}

TEST_SAMPLED(a_geometry_overlaps_itself_exactly_when_two_indices_meet) {
    int64_t answers[2] = {0, 0};
    for (int round = 0; round < 30000; round++) {
        int64_t sizes[4], strides[4], ndim = random_layout(4, round % 2 ? 60 : 12, sizes, strides);
        places seen = {.twice = false};
        touch(&seen, MIDDLE, 1, ndim, sizes, strides);
        CHECK_INT(tn_geometry_overlaps_itself(ndim, sizes, strides, 0), seen.twice ? TN_OVERLAP_YES : TN_OVERLAP_NO);
        answers[seen.twice]++;
    }
    CHECK(answers[0] > 5000 && answers[1] > 5000);
}

TEST_SAMPLED(two_regions_overlap_exactly_when_they_share_a_byte) {
    int64_t answers[2] = {0, 0};
    for (int round = 0; round < 30000; round++) {
        tn_region regions[2];
        int64_t sizes[2][3], strides[2][3], steps[3];
        places seen[2] = {{.twice = false}, {.twice = false}};
        for (int r = 0; r < 2; r++) {
            int64_t ndim = random_layout(3, 12, sizes[r], strides[r]), itemsize = INT64_C(1) << test_random_between(0, 3);
            int64_t unit = test_random_between(0, 1) ? itemsize : test_random_between(1, 4) * 3;
            int64_t at = MIDDLE + test_random_between(-40, 40);
            regions[r] = (tn_region){(uintptr_t)at, itemsize, unit, ndim, sizes[r], strides[r]};
            for (int64_t d = 0; d < ndim; d++)
                steps[d] = strides[r][d] * unit;
            touch(&seen[r], at, itemsize, ndim, sizes[r], steps);
        }
        bool shared = false;
        for (int place = 0; place < PLACES; place++)
            shared = shared || (seen[0].count[place] && seen[1].count[place]);
        CHECK_INT(tn_regions_overlap(&regions[0], &regions[1], 0), shared ? TN_OVERLAP_YES : TN_OVERLAP_NO);
        CHECK_INT(tn_regions_overlap(&regions[1], &regions[0], 0), shared ? TN_OVERLAP_YES : TN_OVERLAP_NO);
        answers[shared]++;
    }
    CHECK(answers[0] > 5000 && answers[1] > 5000);
}

TEST_SAMPLED(the_index_of_a_place_leads_back_to_it_and_only_elements_have_one) {
    for (int round = 0; round < 3000; round++) {
        tn_geometry geometry;
        geometry.ndim = random_layout(4, 25, geometry.sizes, geometry.strides);
        geometry.offset = MIDDLE;
        tn_geometry_ref from = tn_geometry_ref_of(&geometry);
        places seen = {.twice = false};
        touch(&seen, MIDDLE, 1, geometry.ndim, geometry.sizes, geometry.strides);
        for (int64_t place = MIDDLE - 200; place < MIDDLE + 200; place++) {
            int64_t index[4], back = -1;
            tn_geometry_result result = tn_geometry_index_of(from, place, 0, index);
            CHECK_INT(result, seen.count[place] ? TN_GEOMETRY_OK : TN_GEOMETRY_NOT_AN_ELEMENT);
            if (result != TN_GEOMETRY_OK)
                continue;
            for (int64_t d = 0; d < geometry.ndim; d++)
                CHECK(index[d] >= 0 && index[d] < geometry.sizes[d]);
            CHECK_INT(tn_geometry_offset_of(from, (tn_dims){index, geometry.ndim}, &back), TN_GEOMETRY_OK);
            CHECK_INT(back, place);
        }
    }
}

TEST(layouts_that_views_make_are_settled_at_once) {
    const int64_t sizes[] = {512, 256, 1024, 64};
    CHECK_INT(tn_geometry_overlaps_itself(0, NULL, NULL, 1), TN_OVERLAP_NO);
    CHECK_INT(tn_geometry_overlaps_itself(4, sizes, (const int64_t[]){256 * 1024 * 64, 1024 * 64, 64, 1}, 1), TN_OVERLAP_NO);
    CHECK_INT(tn_geometry_overlaps_itself(4, sizes, (const int64_t[]){1, 512 * 3, -512 * 3 * 256, 512 * 3 * 256 * 1024}, 1),
              TN_OVERLAP_NO);
    CHECK_INT(tn_geometry_overlaps_itself(2, sizes, (const int64_t[]){1, 0}, 1), TN_OVERLAP_YES);
    CHECK_INT(tn_geometry_overlaps_itself(2, sizes, (const int64_t[]){7, -7}, 1), TN_OVERLAP_YES);
    CHECK_INT(tn_geometry_overlaps_itself(2, (const int64_t[]){3, 0}, (const int64_t[]){0, 0}, 1), TN_OVERLAP_NO);
    CHECK_INT(tn_geometry_overlaps_itself(2, (const int64_t[]){1, 9}, (const int64_t[]){0, 2}, 1), TN_OVERLAP_NO);
    /* Windows of 4 at every second place. */
    CHECK_INT(tn_geometry_overlaps_itself(2, (const int64_t[]){1000000, 4}, (const int64_t[]){2, 1}, 10), TN_OVERLAP_YES);
    /* The columns left and right of the middle of one matrix, interleaved in memory. */
    static char memory[8];
    tn_region left = {(uintptr_t)memory, 4, 4, 2, (const int64_t[]){1 << 20, 500}, (const int64_t[]){1000, 1}}, right = left;
    right.address += 500 * 4;
    CHECK_INT(tn_regions_overlap(&left, &right, 10), TN_OVERLAP_NO);
    right.address -= 4;
    CHECK_INT(tn_regions_overlap(&left, &right, 10), TN_OVERLAP_YES);
    right.address += 3;
    CHECK_INT(tn_regions_overlap(&left, &right, 10), TN_OVERLAP_YES);
    /* Every second element, and the ones between. */
    tn_region even = {(uintptr_t)memory, 8, 8, 1, (const int64_t[]){1000000}, (const int64_t[]){2}}, odd = even;
    odd.address += 8;
    CHECK_INT(tn_regions_overlap(&even, &odd, 10), TN_OVERLAP_NO);
    odd.strides = (const int64_t[]){-2};
    odd.address += 16 * 5000;
    CHECK_INT(tn_regions_overlap(&even, &odd, 10), TN_OVERLAP_NO);
    odd.itemsize = 16;
    CHECK_INT(tn_regions_overlap(&even, &odd, 10), TN_OVERLAP_YES);
    odd.itemsize = 0;
    CHECK_INT(tn_regions_overlap(&even, &odd, 10), TN_OVERLAP_NO);
}

TEST(the_limits_of_64_bits_are_still_exact_or_unknown) {
    CHECK_INT(tn_geometry_overlaps_itself(2, (const int64_t[]){2, 2}, (const int64_t[]){INT64_MIN, INT64_MAX}, 0),
              TN_OVERLAP_NO);
    CHECK_INT(tn_geometry_overlaps_itself(2, (const int64_t[]){2, 2}, (const int64_t[]){INT64_MAX, -INT64_MAX}, 0),
              TN_OVERLAP_YES);
    CHECK_INT(tn_geometry_overlaps_itself(3, (const int64_t[]){2, 2, 2}, (const int64_t[]){INT64_MIN, INT64_MAX, 1}, 0),
              TN_OVERLAP_YES);
    CHECK_INT(tn_geometry_overlaps_itself(2, (const int64_t[]){INT64_MAX, INT64_MAX}, (const int64_t[]){6, 10}, 0),
              TN_OVERLAP_YES);
    CHECK_INT(tn_geometry_overlaps_itself(1, (const int64_t[]){INT64_MAX}, (const int64_t[]){INT64_MIN}, 0), TN_OVERLAP_NO);
    int64_t many[TN_MAX_DIMS], apart[TN_MAX_DIMS];
    for (int64_t d = 0; d < TN_MAX_DIMS; d++) {
        many[d] = INT64_MAX;
        apart[d] = INT64_MAX - d;
    }
    CHECK_INT(tn_geometry_overlaps_itself(TN_MAX_DIMS, many, apart, 0), TN_OVERLAP_UNKNOWN);

    tn_region everything = {0, INT64_MAX, 1, 1, (const int64_t[]){2}, (const int64_t[]){INT64_MAX}}, end = everything, beyond;
    end.address = UINTPTR_MAX;
    end.itemsize = 1;
    end.ndim = 0;
    CHECK_INT(tn_regions_overlap(&everything, &end, 0), TN_OVERLAP_NO);
    end.address = UINTPTR_MAX - 2;
    CHECK_INT(tn_regions_overlap(&everything, &end, 0), TN_OVERLAP_YES);
    beyond = everything;
    beyond.address = 100;
    CHECK_INT(tn_regions_overlap(&everything, &beyond, 0), TN_OVERLAP_UNKNOWN);
    beyond.strides = (const int64_t[]){INT64_MIN};
    CHECK_INT(tn_regions_overlap(&beyond, &everything, 0), TN_OVERLAP_UNKNOWN);
    beyond.unit = INT64_MAX;
    beyond.sizes = (const int64_t[]){INT64_MAX};
    CHECK_INT(tn_regions_overlap(&beyond, &everything, 0), TN_OVERLAP_UNKNOWN);
    beyond.sizes = (const int64_t[]){0};
    CHECK_INT(tn_regions_overlap(&beyond, &everything, 0), TN_OVERLAP_NO);

    int64_t index[2];
    tn_geometry_ref ends = {2, 0, (const int64_t[]){2, 2}, (const int64_t[]){INT64_MIN, INT64_MAX}};
    CHECK_INT(tn_geometry_index_of(ends, -1, 0, index), TN_GEOMETRY_OK);
    CHECK(index[0] == 1 && index[1] == 1);
    CHECK_INT(tn_geometry_index_of(ends, INT64_MIN, 0, index), TN_GEOMETRY_OK);
    CHECK(index[0] == 1 && index[1] == 0);
    CHECK_INT(tn_geometry_index_of(ends, 5, 0, index), TN_GEOMETRY_NOT_AN_ELEMENT);
    tn_geometry_ref too_large = {TN_MAX_DIMS, 0, many, many};
    int64_t large_index[TN_MAX_DIMS];
    CHECK_INT(tn_geometry_index_of(too_large, 5, 0, large_index), TN_GEOMETRY_OVERFLOW);
}

/* Strides of a similar size without a common divisor: a knapsack. What is answered within the limit stays an answer with
 * more work; what is not is unknown, never wrong. */
TEST_SAMPLED(a_contrived_layout_ends_at_the_work_limit_with_unknown) {
    int64_t unknown = 0;
    for (int round = 0; round < 300; round++) {
        int64_t sizes[12], strides[12], index[12];
        for (int d = 0; d < 12; d++) {
            sizes[d] = 2;
            strides[d] = test_random_between(100000, 200000);
        }
        tn_overlap quick = tn_geometry_overlaps_itself(12, sizes, strides, 20);
        tn_overlap slow = tn_geometry_overlaps_itself(12, sizes, strides, 10000000);
        CHECK(slow != TN_OVERLAP_UNKNOWN);
        CHECK(quick == TN_OVERLAP_UNKNOWN || quick == slow);
        unknown += quick == TN_OVERLAP_UNKNOWN;
        tn_geometry_ref from = {12, 0, sizes, strides};
        int64_t target = 0;
        for (int d = 0; d < 12; d += 2)
            target += strides[d];
        CHECK_INT(tn_geometry_index_of(from, target, 10000000, index), TN_GEOMETRY_OK);
        tn_geometry_result limited = tn_geometry_index_of(from, target, 3, index);
        CHECK(limited == TN_GEOMETRY_TOO_HARD || limited == TN_GEOMETRY_OK);
        tn_region one = {1000000, 1, 1, 12, sizes, strides}, other = {1000000 + (uintptr_t)target, 1, 1, 0, NULL, NULL};
        CHECK_INT(tn_regions_overlap(&one, &other, 10000000), TN_OVERLAP_YES);
        CHECK(tn_regions_overlap(&one, &other, 3) != TN_OVERLAP_NO);
    }
    CHECK(unknown > 50);
}
