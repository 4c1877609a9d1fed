#ifndef TFJ_JPEG_H
#define TFJ_JPEG_H

// libjpeg behind functions that never jump, never print, and check their limits first.
//
// Every function may be called from any number of threads at once. Pointers are used only during
// the call.

#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__)
#define _Nonnull
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

// What a function returns. Only TFJ_OK leaves a result behind.
typedef enum tfj_code {
    TFJ_OK = 0,
    // The bytes are not what the format demands.
    TFJ_DAMAGED = 1,
    // The bytes end before the picture does.
    TFJ_TRUNCATED = 2,
    // A limit of tfj_limits is exceeded.
    TFJ_TOO_LARGE = 3,
    // The system has no memory left.
    TFJ_NO_MEMORY = 4,
    // More time passed than tfj_limits allows.
    TFJ_TOO_SLOW = 5,
    // The caller's description of the picture does not fit the picture.
    TFJ_MISUSE = 6,
    // A kind of JPEG that the library does not read.
    TFJ_UNSUPPORTED = 7,
} tfj_code;

enum { TFJ_MESSAGE_SIZE = 208, TFJ_WARNING_LIMIT = 8 };

// What happened, for a person. A function clears and fills it.
typedef struct tfj_report {
    // Offset in bytes from the start of the input at which reading stopped.
    size_t offset;
    // Whether a tolerant reading gives a part of the picture at least, or may do so.
    int is_recoverable;
    // How many warnings there were; texts are kept for the first TFJ_WARNING_LIMIT.
    size_t warning_count;
    // What failed, as text with a NUL; empty after success.
    char message[TFJ_MESSAGE_SIZE];
    char warnings[TFJ_WARNING_LIMIT][TFJ_MESSAGE_SIZE];
} tfj_report;

// What decoding may use.
typedef struct tfj_limits {
    // Scans of a progressive or multi-scan file.
    uint32_t max_scans;
    // Bytes for the coefficients of a multi-scan file.
    size_t max_memory;
    // Milliseconds of wall clock; 0 for no limit.
    uint64_t max_milliseconds;
} tfj_limits;

// Pixels in memory, row after row, 8 bits a sample.
typedef struct tfj_picture {
    uint32_t width;
    uint32_t height;
    // Samples of a pixel: 1 grey, 3 RGB, 4 CMYK with 0 for no ink.
    uint32_t channels;
    // Bytes from the start of a row to the start of the next.
    size_t row_stride;
} tfj_picture;

// How a file is read.
typedef struct tfj_reading {
    // Eighths of the size to decode at, 1 to 8: libjpeg scales while it decodes. Width and height
    // of the picture are then rounded up.
    uint32_t eighths;
    // Damaged data is reported as a warning instead of being an error, and what cannot be read at all ends
    // the picture: rows from there on are cleared.
    int is_tolerant;
} tfj_reading;

// A marker segment to be written as it is.
typedef struct tfj_marker {
    // 0xE0 to 0xEF for APPn, 0xFE for a comment.
    uint32_t code;
    const void *_Nullable bytes;
    // At most 65,533.
    size_t count;
} tfj_marker;

// How a picture is written.
typedef struct tfj_writing {
    // 0 to 100.
    int quality;
    // Samples of brightness for one of colour, across and down: 1, 2 or 4. Of use for RGB only.
    int horizontal_subsampling;
    int vertical_subsampling;
    int is_progressive;
    int is_optimized;
    // JFIF's: 0 for a mere ratio, 1 for dots per inch, 2 for dots per centimetre.
    uint32_t density_unit;
    uint32_t density_x;
    uint32_t density_y;
    const tfj_marker *_Nullable markers;
    size_t marker_count;
} tfj_writing;

// Bytes that a function allocated; the caller frees them with tfj_free.
typedef struct tfj_buffer {
    void *_Nullable bytes;
    size_t count;
    size_t capacity;
} tfj_buffer;

// Decodes a JPEG file into `pixels`, which has row_stride * height bytes of the layout that
// `picture` states: grey as it is, YCbCr as RGB, four channels as CMYK with Adobe's inversion
// undone. Metadata is skipped. `rows` gets the number of rows that were read before the first
// damage, also on failure; of a multi-scan file, those of the scan in which it occurred.
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

// Encodes pixels as a JPEG file. On success the caller owns `result` and frees it with tfj_free.
tfj_code tfj_encode(
    const void *_Nonnull pixels,
    const tfj_picture *_Nonnull picture,
    const tfj_writing *_Nonnull writing,
    tfj_buffer *_Nonnull result,
    tfj_report *_Nonnull report
);

// Frees what a function left in `buffer`, and clears it.
void tfj_free(tfj_buffer *_Nonnull buffer);

// The text of a warning; an empty one if there is none at `index`. It lives as long as `report`.
const char *_Nonnull tfj_warning(const tfj_report *_Nonnull report, size_t index);

// The text of the failure; it lives as long as `report`.
const char *_Nonnull tfj_message(const tfj_report *_Nonnull report);

#ifdef __cplusplus
}
#endif

#endif
