#ifndef TFP_PNG_H
#define TFP_PNG_H

// Functions that wrap libpng, libdeflate, and zlib. They never jump, never print, and check limits first.
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

// The result code of a function. Only TFP_OK comes with a result.
typedef enum tfp_code {
    TFP_OK = 0,
    // The bytes do not follow the format.
    TFP_DAMAGED = 1,
    // The bytes end before the picture is complete.
    TFP_TRUNCATED = 2,
    // A limit of tfp_limits is exceeded.
    TFP_TOO_LARGE = 3,
    // The system is out of memory.
    TFP_NO_MEMORY = 4,
    // Decoding took longer than tfp_limits allows.
    TFP_TOO_SLOW = 5,
    // The caller's description of the picture does not match the picture.
    TFP_MISUSE = 6,
} tfp_code;

enum { TFP_MESSAGE_SIZE = 160, TFP_WARNING_LIMIT = 8 };

// A report for people. The caller clears it, and a function fills it in.
typedef struct tfp_report {
    // Offset in bytes from the start of the input at which reading stopped.
    size_t offset;
    // Whether tolerant reading returns, or may return, at least a part of the picture.
    int is_recoverable;
    // The number of warnings. Messages are kept only for the first TFP_WARNING_LIMIT.
    size_t warning_count;
    // The failure as NUL-terminated UTF-8, or an empty string after success.
    char message[TFP_MESSAGE_SIZE];
    char warnings[TFP_WARNING_LIMIT][TFP_MESSAGE_SIZE];
} tfp_report;

// The limits of decoding.
typedef struct tfp_limits {
    uint32_t max_width;
    uint32_t max_height;
    // The number of bytes that the library itself may have allocated at any time, without the pixels.
    size_t max_memory;
    // In milliseconds of wall-clock time. 0 means no limit.
    uint64_t max_milliseconds;
} tfp_limits;

// The layout of pixels in memory, row by row. 16-bit samples are little-endian.
typedef struct tfp_picture {
    uint32_t width;
    uint32_t height;
    // Samples per pixel: 1 for gray or an index, 2 for gray and alpha, 3 for RGB, 4 for RGBA.
    uint32_t channels;
    // Bits per sample in memory: 8 or 16.
    uint32_t bits;
    // The number of bytes from the start of a row to the start of the next.
    size_t row_stride;
} tfp_picture;

// A chunk that is written unchanged.
typedef struct tfp_chunk {
    // Four letters, without a NUL.
    char type[4];
    const void *_Nullable bytes;
    size_t count;
} tfp_chunk;

enum { TFP_FILTER_AUTOMATIC = 5 };

// The options for encoding a picture.
typedef struct tfp_writing {
    // The color type and the bits per sample, as in IHDR. A sample of fewer than 8 bits is a byte in
    // memory, and is packed in the file.
    uint32_t color_type;
    uint32_t bit_depth;
    // From 0 (none) to 9 (smallest).
    int compression;
    // The number of the filter (PNG, section 9.2), or TFP_FILTER_AUTOMATIC to try several ways to filter and compress
    // on a sample of the rows, and to use the one with the smallest result.
    uint32_t filter;
    int is_interlaced;
    // For color type 3, the RGB entries and the alpha of the first of them.
    const uint8_t *_Nullable palette;
    size_t palette_count;
    const uint8_t *_Nullable palette_alpha;
    size_t palette_alpha_count;
    // The chunks that precede PLTE, in order.
    const tfp_chunk *_Nullable chunks;
    size_t chunk_count;
} tfp_writing;

// Pixels, and how to write them.
typedef struct tfp_layout {
    const void *_Nonnull pixels;
    tfp_picture picture;
    tfp_writing writing;
} tfp_layout;

// Bytes that a function has allocated. The caller frees them with tfp_free.
typedef struct tfp_buffer {
    void *_Nullable bytes;
    size_t count;
    size_t capacity;
} tfp_buffer;

// Decodes a PNG file into `pixels`, which has row_stride * height bytes in the layout that
// `picture` states. Palettes become colors, transparency becomes an alpha channel, and samples of
// fewer than 8 bits are scaled to 8. Metadata is skipped. `rows` is set to the number of rows that
// were read completely, even on failure. For an interlaced file, it refers to the last pass.
//
// With `is_tolerant`, a failure after the first rows counts as success. The other rows are zero, or, in
// an interlaced file, repeat what previous passes had.
tfp_code tfp_decode(
    const void *_Nonnull bytes,
    size_t count,
    const tfp_picture *_Nonnull picture,
    const tfp_limits *_Nonnull limits,
    int is_tolerant,
    void *_Nonnull pixels,
    size_t *_Nonnull rows,
    tfp_report *_Nonnull report
);

// A picture that is decoded row by row.
typedef struct tfp_reader tfp_reader;

// Begins to decode a PNG file that is not interlaced, for `tfp_read_row`. The bytes must stay where they are until
// `tfp_close`, which the caller must call even after a failure. The other arguments are those of `tfp_decode`, except
// that the stride of rows is ignored.
tfp_code tfp_open(
    const void *_Nonnull bytes,
    size_t count,
    const tfp_picture *_Nonnull picture,
    const tfp_limits *_Nonnull limits,
    tfp_reader *_Nullable *_Nonnull result,
    tfp_report *_Nonnull report
);

// Decodes the next row into `row`, which has room for all pixels of a row. The last row is followed by a check of the
// rest of the file. After a failure, no more rows may be read.
tfp_code tfp_read_row(tfp_reader *_Nonnull reader, void *_Nonnull row, tfp_report *_Nonnull report);

// Frees a reader.
void tfp_close(tfp_reader *_Nullable reader);

// Encodes a picture as a PNG file. If there are several layouts of it, with the same compression, the one that makes
// the smallest file is used. For large pictures, that is estimated from a sample of the rows. On success, the caller
// owns `result` and frees it with tfp_free.
tfp_code tfp_encode(
    const tfp_layout *_Nonnull layouts,
    size_t count,
    tfp_buffer *_Nonnull result,
    tfp_report *_Nonnull report
);

// Inflates a zlib stream to at most `limit` bytes, for compressed text and profiles. On
// success, the caller owns `result` and frees it with tfp_free. `produced` receives the number of
// bytes that were inflated, even if the result is an error.
tfp_code tfp_inflate(
    const void *_Nonnull bytes,
    size_t count,
    size_t limit,
    tfp_buffer *_Nonnull result,
    size_t *_Nonnull produced
);

// Deflates bytes as a zlib stream. On success, the caller owns `result` and frees it with tfp_free.
tfp_code tfp_deflate(const void *_Nonnull bytes, size_t count, int compression, tfp_buffer *_Nonnull result);

// Returns the CRC-32 of a chunk's type and data, which must be contiguous.
uint32_t tfp_crc(const void *_Nonnull bytes, size_t count);

// Frees the bytes in `buffer`, and clears it.
void tfp_free(tfp_buffer *_Nonnull buffer);

// Returns the message of a warning, or an empty string if there is none at `index`. It is valid as long as `report`.
const char *_Nonnull tfp_warning(const tfp_report *_Nonnull report, size_t index);

// Returns the message of the failure. It is valid as long as `report`.
const char *_Nonnull tfp_message(const tfp_report *_Nonnull report);

#ifdef __cplusplus
}
#endif

#endif
