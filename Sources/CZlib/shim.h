// zlib's sizes are macros over sizeof, which Swift does not import; these pass the struct's size on.
#ifndef TRANSFORMABLE_CZLIB_SHIM_H
#define TRANSFORMABLE_CZLIB_SHIM_H

#include <zlib.h>

// Starts compression; what deflateInit2 returns.
static inline int tfz_deflate_init(z_stream *_Nonnull stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

// Starts decompression; what inflateInit2 returns.
static inline int tfz_inflate_init(z_stream *_Nonnull stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

#endif
