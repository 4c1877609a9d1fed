#include "tfb_blake2b.h"

#include <string.h>

static const uint64_t start[8] = {
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
};

// RFC 7693, section 2.7. Rounds 10 and 11 use the first two rows again.
static const uint8_t order[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

// Compilers make a single load of it.
static uint64_t load(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--) word = word << 8 | bytes[i];
    return word;
}

static uint64_t rotated(uint64_t word, int count) { return word >> count | word << (64 - count); }

#define MIX(a, b, c, d, x, y) \
    do { \
        v[a] += v[b] + (x); \
        v[d] = rotated(v[d] ^ v[a], 32); \
        v[c] += v[d]; \
        v[b] = rotated(v[b] ^ v[c], 24); \
        v[a] += v[b] + (y); \
        v[d] = rotated(v[d] ^ v[a], 16); \
        v[c] += v[d]; \
        v[b] = rotated(v[b] ^ v[c], 63); \
    } while (0)

static void compress(tfb_state *state, const uint8_t *block, int is_last) {
    uint64_t m[16];
    uint64_t v[16];
    for (int i = 0; i < 16; i++) m[i] = load(block + 8 * i);
    memcpy(v, state->chain, 64);
    memcpy(v + 8, start, 64);
    v[12] ^= state->count[0];
    v[13] ^= state->count[1];
    if (is_last) v[14] = ~v[14];
    for (int round = 0; round < 12; round++) {
        const uint8_t *s = order[round % 10];
        MIX(0, 4, 8, 12, m[s[0]], m[s[1]]);
        MIX(1, 5, 9, 13, m[s[2]], m[s[3]]);
        MIX(2, 6, 10, 14, m[s[4]], m[s[5]]);
        MIX(3, 7, 11, 15, m[s[6]], m[s[7]]);
        MIX(0, 5, 10, 15, m[s[8]], m[s[9]]);
        MIX(1, 6, 11, 12, m[s[10]], m[s[11]]);
        MIX(2, 7, 8, 13, m[s[12]], m[s[13]]);
        MIX(3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (int i = 0; i < 8; i++) state->chain[i] ^= v[i] ^ v[i + 8];
}

static void advance(tfb_state *state, size_t count) {
    state->count[0] += count;
    if (state->count[0] < count) state->count[1]++;
}

void tfb_begin(tfb_state *state) {
    memset(state, 0, sizeof *state);
    memcpy(state->chain, start, sizeof start);
    // No key, no tree, a digest of 32 bytes.
    state->chain[0] ^= 0x01010000 ^ TFB_DIGEST_SIZE;
}

void tfb_add(tfb_state *state, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    while (count > 0) {
        // A full block waits for what follows: the last one is compressed otherwise.
        if (state->filled == TFB_BLOCK_SIZE) {
            advance(state, TFB_BLOCK_SIZE);
            compress(state, state->block, 0);
            state->filled = 0;
        }
        if (state->filled == 0) {
            while (count > TFB_BLOCK_SIZE) {
                advance(state, TFB_BLOCK_SIZE);
                compress(state, next, 0);
                next += TFB_BLOCK_SIZE;
                count -= TFB_BLOCK_SIZE;
            }
        }
        size_t part = TFB_BLOCK_SIZE - state->filled;
        if (part > count) part = count;
        memcpy(state->block + state->filled, next, part);
        state->filled += part;
        next += part;
        count -= part;
    }
}

void tfb_end(tfb_state *state, void *digest) {
    advance(state, state->filled);
    memset(state->block + state->filled, 0, TFB_BLOCK_SIZE - state->filled);
    compress(state, state->block, 1);
    uint8_t *out = digest;
    for (int i = 0; i < TFB_DIGEST_SIZE; i++) out[i] = (uint8_t)(state->chain[i / 8] >> (8 * (i % 8)));
}
