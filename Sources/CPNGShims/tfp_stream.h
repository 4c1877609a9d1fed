#ifndef TFP_STREAM_H
#define TFP_STREAM_H

#include "tfp_png.h"

#include <zlib.h>

struct libdeflate_compressor;

// A zlib stream that is appended to a buffer as IDAT chunks.
typedef struct tfp_stream {
    tfp_buffer *result;
    tfp_code code;
    // The offset of the chunk that is being written.
    size_t chunk;
    uint32_t checksum;
    // The compressor of blocks. If it is NULL, zlib looks for runs.
    struct libdeflate_compressor *compressor;
    z_stream zlib;
    int has_zlib;
    // The bytes of the current block.
    uint8_t *block;
    size_t count;
    size_t capacity;
} tfp_stream;

// Starts a stream of at most `size` bytes. Without a compressor, zlib looks for runs. The compressor stays the caller's.
tfp_code tfp_stream_start(
    tfp_stream *stream, tfp_buffer *result, struct libdeflate_compressor *compressor, uint64_t size
);

// Appends bytes. Failures are remembered.
void tfp_stream_append(tfp_stream *stream, const uint8_t *bytes, size_t count);

// Ends the stream and its last chunk, and returns the first failure.
tfp_code tfp_stream_finish(tfp_stream *stream);

// Frees everything except the result.
void tfp_stream_close(tfp_stream *stream);

#endif
