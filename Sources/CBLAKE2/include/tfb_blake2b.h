#ifndef TFB_BLAKE2B_H
#define TFB_BLAKE2B_H

// BLAKE2b without a key (RFC 7693), for bytes that come in pieces. `b2sum -l 256` gives the same digest.

#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

enum { TFB_DIGEST_SIZE = 32, TFB_BLOCK_SIZE = 128 };

// A digest in the making. The caller owns it; it holds no pointer and needs no freeing.
typedef struct tfb_state {
    uint64_t chain[8];
    uint64_t count[2];
    uint8_t block[TFB_BLOCK_SIZE];
    size_t filled;
} tfb_state;

// Begins a digest of 32 bytes.
void tfb_begin(tfb_state *_Nonnull state);

// Adds bytes; `bytes` may be null where `count` is 0.
void tfb_add(tfb_state *_Nonnull state, const void *_Nullable bytes, size_t count);

// Writes the 32 bytes of the digest; the state must then begin anew.
void tfb_end(tfb_state *_Nonnull state, void *_Nonnull digest);

#endif
