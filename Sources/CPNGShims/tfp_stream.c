#include "tfp_stream.h"

#include "tfp_internal.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    // The bytes that libdeflate compresses at once. Each block costs a window of matches.
    BLOCK_SIZE = 1 << 20,
    ZLIB_STEP = 1 << 16,
    // All levels of zlib find the same runs.
    RUN_LEVEL = 6,
    // A chunk has at most 2^31 - 1 bytes.
    CHUNK_SIZE = 1 << 30,
};

static uint8_t *reserve(tfp_stream *stream, size_t count) {
    if (!tfp_reserve(stream->result, count)) stream->code = TFP_NO_MEMORY;
    return stream->code == TFP_OK ? (uint8_t *)stream->result->bytes + stream->result->count : NULL;
}

static void begin_chunk(tfp_stream *stream) {
    stream->chunk = stream->result->count;
    uint8_t *target = reserve(stream, 8);
    if (!target) return;
    memcpy(target + 4, "IDAT", 4);
    stream->result->count += 8;
}

static void end_chunk(tfp_stream *stream) {
    uint8_t *target = reserve(stream, 4);
    if (!target) return;
    uint8_t *start = (uint8_t *)stream->result->bytes + stream->chunk;
    size_t size = stream->result->count - stream->chunk - 4;
    tfp_put_uint32(start, (uint32_t)(size - 4));
    tfp_put_uint32(target, tfp_crc(start + 4, size));
    stream->result->count += 4;
}

tfp_code tfp_stream_start(
    tfp_stream *stream, tfp_buffer *result, struct libdeflate_compressor *compressor, uint64_t size
) {
    memset(stream, 0, sizeof *stream);
    stream->result = result;
    stream->compressor = compressor;
    stream->checksum = (uint32_t)adler32(0, NULL, 0);
    begin_chunk(stream);
    if (!compressor) {
        stream->has_zlib = deflateInit2(&stream->zlib, RUN_LEVEL, Z_DEFLATED, 15, 8, Z_RLE) == Z_OK;
        return stream->has_zlib && stream->code == TFP_OK ? TFP_OK : TFP_NO_MEMORY;
    }
    stream->capacity = size < BLOCK_SIZE ? (size_t)size + 1 : BLOCK_SIZE;
    stream->block = malloc(stream->capacity);
    uint8_t *target = reserve(stream, 2);
    if (!stream->block || !target) return TFP_NO_MEMORY;
    // The header of zlib: deflate, a window of 32 KB, the default level (RFC 1950, section 2.2).
    target[0] = 0x78;
    target[1] = 0x9C;
    result->count += 2;
    return TFP_OK;
}

static void run_zlib(tfp_stream *stream, int flush) {
    int status = Z_OK;
    do {
        uint8_t *target = reserve(stream, ZLIB_STEP);
        if (!target) return;
        stream->zlib.next_out = target;
        stream->zlib.avail_out = ZLIB_STEP;
        status = deflate(&stream->zlib, flush);
        stream->result->count += ZLIB_STEP - stream->zlib.avail_out;
    } while (stream->zlib.avail_out == 0 && status == Z_OK);
    if (stream->result->count - stream->chunk > CHUNK_SIZE && flush == Z_NO_FLUSH) {
        end_chunk(stream);
        begin_chunk(stream);
    }
}

// Makes a finished deflate stream continue: its last block is no longer marked as the last, and an empty stored block
// aligns its end to a byte (RFC 1951, section 3.2.3). zlib finds the last block by inflating the stream into `scratch`.
// Returns the new number of bytes, of which there must be room for 6 more, or 0 if zlib fails.
static size_t open_end(uint8_t *bytes, size_t count, uint8_t *scratch, size_t size) {
    z_stream zlib;
    memset(&zlib, 0, sizeof zlib);
    if (inflateInit2(&zlib, -15) != Z_OK) return 0;
    zlib.next_in = bytes;
    zlib.avail_in = (uInt)count;
    zlib.next_out = scratch;
    zlib.avail_out = (uInt)size;
    size_t last = 0;
    int status;
    while ((status = inflate(&zlib, Z_BLOCK)) == Z_OK && (zlib.data_type & 128) != 0 && (zlib.data_type & 64) == 0) {
        last = (count - zlib.avail_in) * 8 - (size_t)(zlib.data_type & 7);
    }
    // After the last block, zlib needs another call to notice the end.
    size_t end = (count - zlib.avail_in) * 8 - (size_t)(zlib.data_type & 7);
    int is_at_end = status == Z_STREAM_END || (status == Z_OK && (zlib.data_type & 64) != 0);
    inflateEnd(&zlib);
    if (!is_at_end) return 0;
    bytes[last / 8] &= (uint8_t)~(1u << (last % 8));
    size_t aligned = (end + 3 + 7) / 8;
    memset(bytes + (end + 7) / 8, 0, aligned - (end + 7) / 8);
    memcpy(bytes + aligned, "\0\0\xFF\xFF", 4);
    return aligned + 4;
}

static void compress_block(tfp_stream *stream, int is_last) {
    if (stream->code != TFP_OK) return;
    size_t bound = libdeflate_deflate_compress_bound(stream->compressor, stream->count) + 16;
    uint8_t *target = reserve(stream, bound);
    if (!target) return;
    stream->checksum = libdeflate_adler32(stream->checksum, stream->block, stream->count);
    size_t size = libdeflate_deflate_compress(stream->compressor, stream->block, stream->count, target, bound - 16);
    if (size != 0 && !is_last) size = open_end(target, size, stream->block, stream->count);
    if (size == 0) stream->code = TFP_NO_MEMORY;
    stream->result->count += size;
    stream->count = 0;
    if (stream->result->count - stream->chunk > CHUNK_SIZE && !is_last) {
        end_chunk(stream);
        begin_chunk(stream);
    }
}

void tfp_stream_append(tfp_stream *stream, const uint8_t *bytes, size_t count) {
    if (!stream->compressor) {
        while (count > 0 && stream->code == TFP_OK) {
            uInt part = count < CHUNK_SIZE ? (uInt)count : CHUNK_SIZE;
            stream->zlib.next_in = (Bytef *)bytes;
            stream->zlib.avail_in = part;
            run_zlib(stream, Z_NO_FLUSH);
            bytes += part;
            count -= part;
        }
        return;
    }
    while (count > 0 && stream->code == TFP_OK) {
        // A full block waits for more bytes, because the last one is compressed differently.
        if (stream->count == stream->capacity) compress_block(stream, 0);
        size_t part = stream->capacity - stream->count < count ? stream->capacity - stream->count : count;
        memcpy(stream->block + stream->count, bytes, part);
        stream->count += part;
        bytes += part;
        count -= part;
    }
}

tfp_code tfp_stream_finish(tfp_stream *stream) {
    if (!stream->compressor) {
        stream->zlib.avail_in = 0;
        run_zlib(stream, Z_FINISH);
    } else {
        compress_block(stream, 1);
        uint8_t *target = reserve(stream, 4);
        if (target) {
            tfp_put_uint32(target, stream->checksum);
            stream->result->count += 4;
        }
    }
    end_chunk(stream);
    return stream->code;
}

void tfp_stream_close(tfp_stream *stream) {
    if (stream->has_zlib) deflateEnd(&stream->zlib);
    free(stream->block);
}
