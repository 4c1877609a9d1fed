#include "tfp_rows.h"

#include <stdlib.h>
#include <string.h>

// The first column and row of each of Adam7's passes, and the distances to the next ones (PNG, section 8.2).
static const uint8_t adam7[7][4] = {
    {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
};
static const uint8_t whole[4] = {0, 0, 1, 1};

enum { PAIR_BYTES = 65536 / 8 };

static const uint8_t *pass_steps(const tfp_rows *rows, int pass) {
    return rows->is_interlaced ? adam7[pass] : whole;
}

static uint32_t count_of(uint32_t all, uint32_t first, uint32_t step) {
    return all > first ? (all - first - 1) / step + 1 : 0;
}

static uint32_t pass_width(const tfp_rows *rows, int pass) {
    const uint8_t *steps = pass_steps(rows, pass);
    return count_of(rows->picture->width, steps[0], steps[2]);
}

static size_t row_size(const tfp_rows *rows, uint32_t width) {
    size_t samples = (size_t)width * rows->picture->channels;
    return rows->bit_depth >= 8 ? samples * (rows->bit_depth / 8) : (samples * rows->bit_depth + 7) / 8;
}

int tfp_pass_count(const tfp_rows *rows) {
    return rows->is_interlaced ? 7 : 1;
}

uint32_t tfp_pass_height(const tfp_rows *rows, int pass) {
    const uint8_t *steps = pass_steps(rows, pass);
    return pass_width(rows, pass) ? count_of(rows->picture->height, steps[1], steps[3]) : 0;
}

size_t tfp_pass_row_size(const tfp_rows *rows, int pass) {
    return row_size(rows, pass_width(rows, pass));
}

int tfp_rows_start(tfp_rows *rows, const void *pixels, const tfp_picture *picture, const tfp_writing *writing) {
    memset(rows, 0, sizeof *rows);
    rows->pixels = pixels;
    rows->picture = picture;
    rows->bit_depth = writing->bit_depth;
    rows->is_interlaced = writing->is_interlaced;
    rows->capacity = row_size(rows, picture->width);
    rows->step = picture->channels * (writing->bit_depth == 16 ? 2 : 1);
    size_t size = rows->step + rows->capacity;
    if (size > (SIZE_MAX - PAIR_BYTES) / (TFP_FILTER_COUNT + 2)) return 0;
    rows->memory = calloc((TFP_FILTER_COUNT + 2) * size + PAIR_BYTES, 1);
    if (!rows->memory) return 0;
    rows->row = rows->memory;
    rows->above = rows->memory + size;
    for (size_t filter = 0; filter < TFP_FILTER_COUNT; filter++) rows->filtered[filter] = rows->memory + (filter + 2) * size;
    rows->pairs = rows->memory + (TFP_FILTER_COUNT + 2) * size;
    return 1;
}

// Packs samples of fewer than 8 bits, the leftmost one into the most significant bits.
static void pack(uint8_t *target, const uint8_t *source, uint32_t width, size_t stride, uint32_t depth) {
    uint32_t bits = 0, filled = 0;
    for (uint32_t x = 0; x < width; x++) {
        bits = bits << depth | (source[x * stride] & ((1u << depth) - 1));
        filled += depth;
        if (filled < 8) continue;
        *target++ = (uint8_t)bits;
        bits = filled = 0;
    }
    if (filled) *target = (uint8_t)(bits << (8 - filled));
}

static void swap_bytes(uint8_t *target, const uint8_t *source, size_t count) {
    for (size_t at = 0; at + 1 < count; at += 2) {
        target[at] = source[at + 1];
        target[at + 1] = source[at];
    }
}

static void load_row(tfp_rows *rows, int pass, uint32_t y, uint8_t *row) {
    const tfp_picture *picture = rows->picture;
    const uint8_t *steps = pass_steps(rows, pass);
    size_t pixel = (size_t)picture->channels * (picture->bits / 8);
    const uint8_t *source = rows->pixels + (size_t)(steps[1] + y * steps[3]) * picture->row_stride + steps[0] * pixel;
    uint32_t width = pass_width(rows, pass);
    uint8_t *target = row + rows->step;
    if (rows->bit_depth < 8) {
        pack(target, source, width, steps[2], rows->bit_depth);
    } else if (rows->bit_depth == 16 && steps[2] == 1) {
        swap_bytes(target, source, width * pixel);
    } else if (steps[2] == 1) {
        memcpy(target, source, width * pixel);
    } else {
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *from = source + x * steps[2] * pixel;
            if (rows->bit_depth == 16) {
                swap_bytes(target + x * pixel, from, pixel);
            } else {
                memcpy(target + x * pixel, from, pixel);
            }
        }
    }
}

static uint8_t paeth(int left, int above, int corner) {
    int of_left = abs(above - corner), of_above = abs(left - corner), of_corner = abs(left + above - 2 * corner);
    int nearest = of_above <= of_corner ? above : corner;
    return (uint8_t)(of_left <= of_above && of_left <= of_corner ? left : nearest);
}

// Writes a filtered row after its filter byte. The loops have no branches, so that they are vectorized.
static void apply(int filter, uint8_t *restrict target, const uint8_t *restrict row, const uint8_t *restrict above,
                  size_t step, size_t size) {
    const uint8_t *restrict now = row + step, *restrict up = above + step;
    switch (filter) {
    case TFP_FILTER_SUB:
        for (size_t at = 0; at < size; at++) target[at] = (uint8_t)(now[at] - row[at]);
        break;
    case TFP_FILTER_UP:
        for (size_t at = 0; at < size; at++) target[at] = (uint8_t)(now[at] - up[at]);
        break;
    case TFP_FILTER_AVERAGE:
        for (size_t at = 0; at < size; at++) target[at] = (uint8_t)(now[at] - ((row[at] + up[at]) >> 1));
        break;
    case TFP_FILTER_PAETH:
        for (size_t at = 0; at < size; at++) target[at] = (uint8_t)(now[at] - paeth(row[at], up[at], above[at]));
        break;
    default: memcpy(target, now, size);
    }
}

static uint64_t sum_of_differences(const uint8_t *bytes, size_t count) {
    uint64_t total = 0;
    for (size_t start = 0; start < count; start += 4096) {
        size_t end = count - start < 4096 ? count : start + 4096;
        uint32_t sum = 0;
        for (size_t at = start; at < end; at++) sum += bytes[at] < 128 ? bytes[at] : 256u - bytes[at];
        total += sum;
    }
    return total;
}

static uint64_t count_of_pairs(const uint8_t *bytes, size_t count, uint8_t *pairs) {
    uint64_t total = 0;
    memset(pairs, 0, PAIR_BYTES);
    for (size_t at = 0; at + 1 < count; at++) {
        uint32_t pair = (uint32_t)bytes[at] << 8 | bytes[at + 1];
        uint8_t bit = (uint8_t)(1u << (pair & 7));
        total += (pairs[pair >> 3] & bit) == 0;
        pairs[pair >> 3] |= bit;
    }
    return total;
}

const uint8_t *tfp_filtered_row(tfp_rows *rows, int pass, uint32_t y, int is_first) {
    uint8_t *last = rows->row;
    rows->row = rows->above;
    rows->above = last;
    size_t size = tfp_pass_row_size(rows, pass), step = rows->step;
    if (y == 0) {
        memset(rows->above, 0, step + size);
    } else if (is_first) {
        load_row(rows, pass, y - 1, rows->above);
    }
    load_row(rows, pass, y, rows->row);
    int first = rows->filtering, best = first;
    if (first > TFP_FILTER_PAETH) first = TFP_FILTER_NONE;
    int end = first == best ? first + 1 : TFP_FILTER_COUNT;
    uint64_t lowest = UINT64_MAX;
    for (int filter = first; filter < end; filter++) {
        uint8_t *target = rows->filtered[filter] + step;
        target[-1] = (uint8_t)filter;
        apply(filter, target, rows->row, rows->above, step, size);
        if (end - first == 1) break;
        uint64_t cost = rows->filtering == TFP_FILTER_SMALLEST_SUM ? sum_of_differences(target, size)
                                                                  : count_of_pairs(target, size, rows->pairs);
        if (cost < lowest) {
            lowest = cost;
            best = filter;
        }
    }
    return rows->filtered[best] + step - 1;
}
