#ifndef TFW_WEBP_H
#define TFW_WEBP_H

// Functions that wrap libwebp. They never print, and check limits first.
//
// Every function can be called from any number of threads at the same time. Pointers are used only
// during the call.

#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The result code of a function. Only TFW_OK comes with a result.
typedef enum tfw_code {
    TFW_OK = 0,
    // The bytes do not follow the format.
    TFW_DAMAGED = 1,
    // The bytes end before the picture is complete.
    TFW_TRUNCATED = 2,
    // The system is out of memory.
    TFW_NO_MEMORY = 3,
    // Decoding took longer than allowed.
    TFW_TOO_SLOW = 4,
    // The caller's description of the picture does not match the picture.
    TFW_MISUSE = 5,
    // The picture cannot be represented, for example because a part of the file would be too large.
    TFW_UNSUPPORTED = 6,
} tfw_code;

// The layout of pixels in memory, row by row, with 8 bits per sample.
typedef struct tfw_picture {
    // At most 16,383, as the format requires.
    uint32_t width;
    uint32_t height;
    // Samples per pixel: 3 for RGB, 4 for RGB and alpha, which is straight.
    uint32_t channels;
    // The number of bytes from the start of a row to the start of the next.
    size_t row_stride;
} tfw_picture;

// The options for encoding a picture.
typedef struct tfw_writing {
    // 0 to 100. Ignored for a lossless file.
    int quality;
    // 0 (fastest) to 6 (smallest).
    int effort;
    // Whether all pixels are kept exactly, including the colors of transparent ones.
    int is_lossless;
} tfw_writing;

// Bytes that a function has allocated. The caller frees them with tfw_free.
typedef struct tfw_buffer {
    void *_Nullable bytes;
    size_t count;
    size_t capacity;
} tfw_buffer;

// Decodes a WebP file with a single picture into `pixels`, which has row_stride * height bytes in the layout that
// `picture` states. `max_milliseconds` limits the wall-clock time, and 0 means no limit.
tfw_code tfw_decode(
    const void *_Nonnull bytes,
    size_t count,
    const tfw_picture *_Nonnull picture,
    uint64_t max_milliseconds,
    void *_Nonnull pixels
);

// Encodes pixels as a WebP file without metadata. On success, the caller owns `result` and frees it with tfw_free.
tfw_code tfw_encode(
    const void *_Nonnull pixels,
    const tfw_picture *_Nonnull picture,
    const tfw_writing *_Nonnull writing,
    tfw_buffer *_Nonnull result
);

// Frees the bytes in `buffer`, and clears it.
void tfw_free(tfw_buffer *_Nonnull buffer);

#ifdef __cplusplus
}
#endif

#endif
