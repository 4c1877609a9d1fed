#ifndef TFP_PNG_H
#define TFP_PNG_H

// libpng and zlib behind functions that never jump, never print, and check their limits first.
//
// Every function may be called from any number of threads at once. Pointers that are not marked
// as kept are used only during the call.

#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What a function returns. Only TFP_OK leaves a result behind.
typedef enum tfp_code {
    TFP_OK = 0,
    // The bytes are not what the format demands.
    TFP_DAMAGED = 1,
    // The bytes end before the picture does.
    TFP_TRUNCATED = 2,
    // A limit of tfp_limits is exceeded.
    TFP_TOO_LARGE = 3,
    // The system has no memory left.
    TFP_NO_MEMORY = 4,
    // More time passed than tfp_limits allows.
    TFP_TOO_SLOW = 5,
    // The caller's description of the picture does not fit the picture.
    TFP_MISUSE = 6,
} tfp_code;

enum { TFP_MESSAGE_SIZE = 160, TFP_WARNING_LIMIT = 8 };

// What happened, for a person. The caller clears it, a function fills it.
typedef struct tfp_report {
    // Offset in bytes from the start of the input at which reading stopped.
    size_t offset;
    // How many warnings there were; texts are kept for the first TFP_WARNING_LIMIT.
    size_t warning_count;
    // What failed, as UTF-8 with a NUL; empty after success.
    char message[TFP_MESSAGE_SIZE];
    char warnings[TFP_WARNING_LIMIT][TFP_MESSAGE_SIZE];
} tfp_report;

// What decoding may use.
typedef struct tfp_limits {
    uint32_t max_width;
    uint32_t max_height;
    // Bytes that the library itself may hold at any time, the pixels not counted.
    size_t max_memory;
    // Milliseconds of wall clock; 0 for no limit.
    uint64_t max_milliseconds;
} tfp_limits;

// Pixels in memory, row after row. Samples of 16 bits are little-endian.
typedef struct tfp_picture {
    uint32_t width;
    uint32_t height;
    // Samples of a pixel: 1 grey or index, 2 grey and alpha, 3 RGB, 4 RGBA.
    uint32_t channels;
    // Bits of a sample in memory: 8 or 16.
    uint32_t bits;
    // Bytes from the start of a row to the start of the next.
    size_t row_stride;
} tfp_picture;

// A chunk to be written as it is.
typedef struct tfp_chunk {
    // Four letters, without a NUL.
    char type[4];
    const void *_Nullable bytes;
    size_t count;
} tfp_chunk;

// How a picture is written.
typedef struct tfp_writing {
    // Colour type and bits of a sample as IHDR has them. A sample of fewer than 8 bits is a byte in
    // memory, and is packed.
    uint32_t color_type;
    uint32_t bit_depth;
    // zlib's level, 0 to 9.
    int compression;
    // PNG_FILTER_NONE to PNG_ALL_FILTERS as a mask of 8, 16, 32, 64, 128; 0 leaves it to libpng.
    int filters;
    int is_interlaced;
    // RGB entries and the alpha of the first of them, for colour type 3; else a key colour.
    const uint8_t *_Nullable palette;
    size_t palette_count;
    const uint8_t *_Nullable palette_alpha;
    size_t palette_alpha_count;
    // Chunks that go before PLTE, in order.
    const tfp_chunk *_Nullable chunks;
    size_t chunk_count;
} tfp_writing;

// Bytes that a function allocated; the caller frees them with tfp_free.
typedef struct tfp_buffer {
    void *_Nullable bytes;
    size_t count;
    size_t capacity;
} tfp_buffer;

// Decodes a PNG file into `pixels`, which has row_stride * height bytes of the layout that
// `picture` states. Palettes become colours, transparency becomes an alpha channel, samples of
// fewer than 8 bits are scaled to 8. Metadata is skipped. `rows` gets the number of rows that were
// read whole, also on failure (of the last pass, where interlaced).
tfp_code tfp_decode(
    const void *_Nonnull bytes,
    size_t count,
    const tfp_picture *_Nonnull picture,
    const tfp_limits *_Nonnull limits,
    void *_Nonnull pixels,
    size_t *_Nonnull rows,
    tfp_report *_Nonnull report
);

// Encodes pixels as a PNG file. On success the caller owns `result` and frees it with tfp_free.
tfp_code tfp_encode(
    const void *_Nonnull pixels,
    const tfp_picture *_Nonnull picture,
    const tfp_writing *_Nonnull writing,
    tfp_buffer *_Nonnull result,
    tfp_report *_Nonnull report
);

// Inflates a zlib stream to at most `limit` bytes, as compressed text and profiles need. On
// success the caller owns `result` and frees it with tfp_free.
tfp_code tfp_inflate(const void *_Nonnull bytes, size_t count, size_t limit, tfp_buffer *_Nonnull result);

// Deflates bytes as a zlib stream. On success the caller owns `result` and frees it with tfp_free.
tfp_code tfp_deflate(const void *_Nonnull bytes, size_t count, int compression, tfp_buffer *_Nonnull result);

// The CRC-32 of a chunk's type and data, which lie together.
uint32_t tfp_crc(const void *_Nonnull bytes, size_t count);

// Frees what a function left in `buffer`, and clears it.
void tfp_free(tfp_buffer *_Nonnull buffer);

// The text of a warning; an empty one if there is none at `index`. It lives as long as `report`.
const char *_Nonnull tfp_warning(const tfp_report *_Nonnull report, size_t index);

// The text of the failure; it lives as long as `report`.
const char *_Nonnull tfp_message(const tfp_report *_Nonnull report);

#ifdef __cplusplus
}
#endif

#endif
