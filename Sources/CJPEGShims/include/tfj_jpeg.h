#ifndef TFJ_JPEG_H
#define TFJ_JPEG_H

// Functions that wrap libjpeg. They never jump, never print, and check limits first.
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

// The result code of a function. Only TFJ_OK comes with a result.
typedef enum tfj_code {
    TFJ_OK = 0,
    // The bytes do not follow the format.
    TFJ_DAMAGED = 1,
    // The bytes end before the picture is complete.
    TFJ_TRUNCATED = 2,
    // A limit of tfj_limits is exceeded.
    TFJ_TOO_LARGE = 3,
    // The system is out of memory.
    TFJ_NO_MEMORY = 4,
    // Decoding took longer than tfj_limits allows.
    TFJ_TOO_SLOW = 5,
    // The caller's description of the picture does not match the picture.
    TFJ_MISUSE = 6,
    // The library does not support this kind of JPEG.
    TFJ_UNSUPPORTED = 7,
} tfj_code;

enum { TFJ_MESSAGE_SIZE = 208, TFJ_WARNING_LIMIT = 8 };

// A report for people. A function clears it and fills it in.
typedef struct tfj_report {
    // Offset in bytes from the start of the input at which reading stopped.
    size_t offset;
    // Whether tolerant reading returns, or may return, at least a part of the picture.
    int is_recoverable;
    // The number of warnings. Messages are kept only for the first TFJ_WARNING_LIMIT.
    size_t warning_count;
    // The failure as NUL-terminated text, or an empty string after success.
    char message[TFJ_MESSAGE_SIZE];
    char warnings[TFJ_WARNING_LIMIT][TFJ_MESSAGE_SIZE];
} tfj_report;

// The limits of decoding.
typedef struct tfj_limits {
    // The number of scans in a progressive or multi-scan file.
    uint32_t max_scans;
    // The number of bytes for the coefficients of a multi-scan file.
    size_t max_memory;
    // In milliseconds of wall-clock time. 0 means no limit.
    uint64_t max_milliseconds;
} tfj_limits;

// The layout of pixels in memory, row by row, with 8 bits per sample.
typedef struct tfj_picture {
    uint32_t width;
    uint32_t height;
    // Samples per pixel: 1 for gray, 3 for RGB, 4 for CMYK, where 0 means no ink.
    uint32_t channels;
    // The number of bytes from the start of a row to the start of the next.
    size_t row_stride;
} tfj_picture;

// The options for decoding a file.
typedef struct tfj_reading {
    // The scale to decode at in eighths, from 1 to 8. libjpeg scales while it decodes. The width and
    // height of the picture are rounded up.
    uint32_t eighths;
    // Whether damaged data is reported as a warning instead of an error. Data that cannot be read at all ends
    // the picture, and the remaining rows are cleared.
    int is_tolerant;
} tfj_reading;

// A marker segment that is written unchanged.
typedef struct tfj_marker {
    // 0xE0 to 0xEF for APPn, 0xFE for a comment.
    uint32_t code;
    const void *_Nullable bytes;
    // At most 65,533.
    size_t count;
} tfj_marker;

// The options for encoding a picture.
typedef struct tfj_writing {
    // 0 to 100.
    int quality;
    // The number of luminance samples per chrominance sample, horizontally and vertically: 1, 2, or 4. Used for
    // RGB only.
    int horizontal_subsampling;
    int vertical_subsampling;
    int is_progressive;
    int is_optimized;
    // As in JFIF: 0 for an aspect ratio only, 1 for dots per inch, 2 for dots per centimeter.
    uint32_t density_unit;
    uint32_t density_x;
    uint32_t density_y;
    const tfj_marker *_Nullable markers;
    size_t marker_count;
} tfj_writing;

// Bytes that a function has allocated. The caller frees them with tfj_free.
typedef struct tfj_buffer {
    void *_Nullable bytes;
    size_t count;
    size_t capacity;
} tfj_buffer;

// Decodes a JPEG file into `pixels`, which has row_stride * height bytes in the layout that
// `picture` states: gray unchanged, YCbCr as RGB, and four channels as CMYK without Adobe's
// inversion. Metadata is skipped. `rows` is set to the number of rows that were read before the
// first damage, even on failure. For a multi-scan file, it refers to the scan with the damage.
tfj_code tfj_decode(
    const void *_Nonnull bytes,
    size_t count,
    const tfj_picture *_Nonnull picture,
    const tfj_limits *_Nonnull limits,
    const tfj_reading *_Nonnull reading,
    void *_Nonnull pixels,
    size_t *_Nonnull rows,
    tfj_report *_Nonnull report
);

// Encodes pixels as a JPEG file. On success, the caller owns `result` and frees it with tfj_free.
tfj_code tfj_encode(
    const void *_Nonnull pixels,
    const tfj_picture *_Nonnull picture,
    const tfj_writing *_Nonnull writing,
    tfj_buffer *_Nonnull result,
    tfj_report *_Nonnull report
);

// The changes to make to a picture, in this order.
typedef struct tfj_turn {
    // Whether rows and columns are exchanged.
    int transposes;
    // Whether each row is reversed.
    int mirrors_columns;
    // Whether the order of rows is reversed.
    int mirrors_rows;
} tfj_turn;

// Writes a JPEG file again with the same coefficients, turned, and with optimal codes. No quality is lost. Of `writing`,
// the quality and the sampling are ignored. The result is TFJ_UNSUPPORTED if blocks that are only partly inside of the
// picture would come to its other side. On success, the caller owns `result` and frees it with tfj_free.
tfj_code tfj_rewrite(
    const void *_Nonnull bytes,
    size_t count,
    const tfj_limits *_Nonnull limits,
    const tfj_turn *_Nonnull turn,
    const tfj_writing *_Nonnull writing,
    tfj_buffer *_Nonnull result,
    tfj_report *_Nonnull report
);

// Frees the bytes in `buffer`, and clears it.
void tfj_free(tfj_buffer *_Nonnull buffer);

// Returns the message of a warning, or an empty string if there is none at `index`. It is valid as long as `report`.
const char *_Nonnull tfj_warning(const tfj_report *_Nonnull report, size_t index);

// Returns the message of the failure. It is valid as long as `report`.
const char *_Nonnull tfj_message(const tfj_report *_Nonnull report);

#ifdef __cplusplus
}
#endif

#endif
