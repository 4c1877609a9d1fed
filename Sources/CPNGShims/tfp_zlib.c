#include "tfp_internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { STEP = 16384 };

static tfp_code inflate_all(z_stream *stream, size_t limit, tfp_buffer *result) {
    for (;;) {
        if (!tfp_reserve(result, STEP)) return TFP_NO_MEMORY;
        stream->next_out = (Bytef *)result->bytes + result->count;
        stream->avail_out = STEP;
        int status = inflate(stream, Z_NO_FLUSH);
        result->count += STEP - stream->avail_out;
        if (result->count > limit) return TFP_TOO_LARGE;
        if (status == Z_STREAM_END) return TFP_OK;
        if (status == Z_MEM_ERROR) return TFP_NO_MEMORY;
        if (status != Z_OK) return status == Z_BUF_ERROR ? TFP_TRUNCATED : TFP_DAMAGED;
    }
}

tfp_code tfp_inflate(const void *bytes, size_t count, size_t limit, tfp_buffer *result, size_t *produced) {
    memset(result, 0, sizeof *result);
    *produced = 0;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (count > UINT_MAX) return TFP_TOO_LARGE;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    if (inflateInit(&stream) != Z_OK) return TFP_NO_MEMORY;
    tfp_code code = inflate_all(&stream, limit, result);
    inflateEnd(&stream);
    *produced = result->count;
    if (code != TFP_OK) tfp_free(result);
    return code;
}

tfp_code tfp_deflate(const void *bytes, size_t count, int compression, tfp_buffer *result) {
    memset(result, 0, sizeof *result);
    if (count > UINT_MAX) return TFP_TOO_LARGE;
    uLong bound = compressBound((uLong)count);
    if (!tfp_reserve(result, bound)) return TFP_NO_MEMORY;
    int status = compress2(result->bytes, &bound, bytes, (uLong)count, compression);
    result->count = bound;
    if (status == Z_OK) return TFP_OK;
    tfp_free(result);
    return status == Z_MEM_ERROR ? TFP_NO_MEMORY : TFP_MISUSE;
}

uint32_t tfp_crc(const void *bytes, size_t count) {
    return (uint32_t)crc32_z(0, bytes, count);
}
