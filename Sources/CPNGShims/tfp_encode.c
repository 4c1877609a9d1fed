#include "tfp_internal.h"
#include "tfp_rows.h"
#include "tfp_stream.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    // A picture of up to this many bytes is compressed in several ways, and the smallest result is used.
    SMALL_PICTURE = 1 << 16,
    // Of a larger picture, 16 of every 128 rows are compressed in several ways. There are more if they have fewer bytes
    // than the first number, and fewer if they have more bytes than the second one.
    SMALLEST_SAMPLE = 1 << 17,
    LARGEST_SAMPLE = 1 << 19,
    SAMPLED_ROWS = 16,
    SAMPLE_DISTANCE = 128,
    // Looking only for runs is best for photographs, whose compressed size is more than this fraction of their size.
    PHOTOGRAPH_RATIO = 6,
};

// A way to compress a picture. The first ones are the best for screenshots, for drawings and gradients, and for
// photographs. None of them is the best for all. The last one is slow.
typedef struct tfp_setting {
    tfp_filtering filtering;
    // Whether zlib looks only for runs of a byte, which takes half of the time.
    int has_only_runs;
} tfp_setting;

static const tfp_setting settings[] = {
    {TFP_FILTER_NONE, 0},
    {TFP_FILTER_SMALLEST_SUM, 0},
    {TFP_FILTER_SMALLEST_SUM, 1},
    {TFP_FILTER_FEWEST_PAIRS, 0},
};

typedef struct tfp_writer {
    const tfp_picture *picture;
    const tfp_writing *writing;
    tfp_rows rows;
    // The number of bytes of all filtered rows.
    uint64_t size;
    // The number of bytes of the filtered rows that the last stream compresses.
    uint64_t appended;
    // For all streams, because allocating it takes as long as compressing an icon.
    struct libdeflate_compressor *compressor;
} tfp_writer;

// libdeflate's levels are a little faster than zlib's. Its slowest one is 12.
static int libdeflate_level(int level) {
    static const int levels[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 12};
    return levels[level < 0 ? 0 : level > 9 ? 9 : level];
}

static uint64_t filtered_size(const tfp_rows *rows) {
    uint64_t size = 0;
    for (int pass = 0; pass < tfp_pass_count(rows); pass++) {
        size += (uint64_t)tfp_pass_height(rows, pass) * (tfp_pass_row_size(rows, pass) + 1);
    }
    return size;
}

static void append_rows(tfp_writer *writer, tfp_stream *stream, int pass, uint32_t first, uint32_t end) {
    size_t size = tfp_pass_row_size(&writer->rows, pass) + 1;
    for (uint32_t y = first; y < end && stream->code == TFP_OK; y++) {
        tfp_stream_append(stream, tfp_filtered_row(&writer->rows, pass, y, y == first), size);
        writer->appended += size;
    }
}

// Appends every `distance`th group of rows, or all rows if `distance` is 0, as a compressed stream.
static tfp_code append_stream(tfp_writer *writer, tfp_setting setting, uint32_t distance, tfp_buffer *result) {
    tfp_stream stream;
    struct libdeflate_compressor *compressor = setting.has_only_runs ? NULL : writer->compressor;
    tfp_code code = tfp_stream_start(&stream, result, compressor, writer->size);
    writer->rows.filtering = setting.filtering;
    writer->appended = 0;
    for (int pass = 0; code == TFP_OK && pass < tfp_pass_count(&writer->rows); pass++) {
        uint32_t height = tfp_pass_height(&writer->rows, pass);
        if (distance == 0) append_rows(writer, &stream, pass, 0, height);
        for (uint64_t y = distance / 2; distance != 0 && y < height; y += distance) {
            uint32_t end = height - y > SAMPLED_ROWS ? (uint32_t)y + SAMPLED_ROWS : height;
            append_rows(writer, &stream, pass, (uint32_t)y, end);
        }
    }
    if (code == TFP_OK) code = tfp_stream_finish(&stream);
    tfp_stream_close(&stream);
    return code;
}

// Returns the number of the settings to try. Without compression, all results have the same size. Filters and looking
// for runs rarely help with indexes and small pictures, and the slow setting is only tried if a small file is worth more
// than the time.
static size_t setting_count(const tfp_writer *writer) {
    const tfp_writing *writing = writer->writing;
    int is_small = writer->size <= SMALL_PICTURE, is_indexed = writing->color_type == 3 || writing->bit_depth < 8;
    if (writing->compression == 0) return 1;
    if (writing->compression > 6) return 4;
    return is_small || is_indexed ? (is_small && is_indexed ? 1 : 2) : 3;
}

// Compresses a sample, or the whole picture if `distance` is 0, with each setting. `best` receives the setting whose
// result is the smallest, and `result` receives that stream.
static tfp_code try_settings(tfp_writer *writer, uint32_t distance, tfp_setting *best, tfp_buffer *result) {
    for (size_t index = 0; index < setting_count(writer); index++) {
        int has_only_runs = settings[index].has_only_runs;
        if (has_only_runs && result->count < writer->appended / PHOTOGRAPH_RATIO) continue;
        tfp_buffer stream = {NULL, 0, 0};
        tfp_code code = append_stream(writer, settings[index], distance, &stream);
        if (code != TFP_OK) {
            tfp_free(&stream);
            return code;
        }
        // Looking for runs takes half of the time, which is worth a hundredth of the size.
        int is_fast = has_only_runs && writer->writing->compression <= 6;
        size_t tolerance = is_fast && distance != 0 ? result->count / 100 : 0;
        if (index == 0 || stream.count < result->count + tolerance) {
            *best = settings[index];
            tfp_free(result);
            *result = stream;
        } else {
            tfp_free(&stream);
        }
    }
    return TFP_OK;
}

static uint32_t sample_distance(const tfp_writer *writer) {
    uint64_t distance = SAMPLE_DISTANCE, height = writer->picture->height;
    while (writer->size / distance * SAMPLED_ROWS > LARGEST_SAMPLE && distance < height) distance *= 2;
    while (writer->size / distance * SAMPLED_ROWS < SMALLEST_SAMPLE && distance > SAMPLED_ROWS) distance /= 2;
    return (uint32_t)(distance < height ? distance : height);
}

// Appends the compressed rows, with the filter that the caller wants, or in the best way.
static tfp_code append_pixels(tfp_writer *writer, tfp_buffer *result) {
    tfp_setting setting = {TFP_FILTER_NONE, 0};
    if (writer->writing->filter < TFP_FILTER_COUNT) {
        setting.filtering = (tfp_filtering)writer->writing->filter;
        return append_stream(writer, setting, 0, result);
    }
    int is_small = writer->size <= SMALL_PICTURE;
    tfp_buffer stream = {NULL, 0, 0};
    tfp_code code = try_settings(writer, is_small ? 0 : sample_distance(writer), &setting, &stream);
    if (code == TFP_OK && !is_small) {
        code = append_stream(writer, setting, 0, result);
    } else if (code == TFP_OK && tfp_reserve(result, stream.count)) {
        memcpy((uint8_t *)result->bytes + result->count, stream.bytes, stream.count);
        result->count += stream.count;
    } else if (code == TFP_OK) {
        code = TFP_NO_MEMORY;
    }
    tfp_free(&stream);
    return code;
}

static tfp_code append_palette(const tfp_writing *writing, tfp_buffer *result) {
    if (writing->color_type != 3) return TFP_OK;
    tfp_code code = tfp_append_chunk(result, "PLTE", writing->palette, writing->palette_count * 3);
    if (code != TFP_OK || writing->palette_alpha_count == 0) return code;
    return tfp_append_chunk(result, "tRNS", writing->palette_alpha, writing->palette_alpha_count);
}

static tfp_code append_header(const tfp_writer *writer, tfp_buffer *result) {
    const tfp_picture *picture = writer->picture;
    const tfp_writing *writing = writer->writing;
    uint8_t header[13] = {0};
    tfp_put_uint32(header, picture->width);
    tfp_put_uint32(header + 4, picture->height);
    header[8] = (uint8_t)writing->bit_depth;
    header[9] = (uint8_t)writing->color_type;
    header[12] = writing->is_interlaced != 0;
    if (!tfp_reserve(result, 8)) return TFP_NO_MEMORY;
    memcpy(result->bytes, "\x89PNG\r\n\x1A\n", 8);
    result->count = 8;
    tfp_code code = tfp_append_chunk(result, "IHDR", header, sizeof header);
    for (size_t index = 0; code == TFP_OK && index < writing->chunk_count; index++) {
        const tfp_chunk *chunk = &writing->chunks[index];
        code = tfp_append_chunk(result, chunk->type, chunk->bytes, chunk->count);
    }
    return code == TFP_OK ? append_palette(writing, result) : code;
}

static tfp_code append_file(tfp_writer *writer, tfp_buffer *result) {
    writer->compressor = libdeflate_alloc_compressor(libdeflate_level(writer->writing->compression));
    tfp_code code = writer->compressor ? append_header(writer, result) : TFP_NO_MEMORY;
    if (code == TFP_OK) code = append_pixels(writer, result);
    return code == TFP_OK ? tfp_append_chunk(result, "IEND", NULL, 0) : code;
}

static int is_depth_of_type(uint32_t depth, uint32_t type) {
    int is_packed = depth == 1 || depth == 2 || depth == 4;
    if (type == 0) return is_packed || depth == 8 || depth == 16;
    if (type == 3) return is_packed || depth == 8;
    return depth == 8 || depth == 16;
}

// Returns what is wrong with the description of a picture, or NULL.
static const char *inconsistency(const tfp_picture *picture, const tfp_writing *writing) {
    static const uint8_t channels[] = {1, 0, 3, 1, 2, 0, 4};
    if (writing->color_type > 6 || channels[writing->color_type] != picture->channels || picture->channels == 0
        || !is_depth_of_type(writing->bit_depth, writing->color_type)) {
        return "the color type and the bit depth do not match the pixels";
    }
    if (picture->bits != (writing->bit_depth == 16 ? 16 : 8)) return "the samples have the wrong size";
    if (picture->width - 1 >= TFP_LARGEST_NUMBER || picture->height - 1 >= TFP_LARGEST_NUMBER) {
        return "the width and the height must be from 1 to 2,147,483,647";
    }
    size_t pixel_size = (size_t)picture->channels * (picture->bits / 8);
    if (picture->width > picture->row_stride / pixel_size) return "the rows overlap";
    if (writing->color_type == 3
        && (writing->palette_count == 0 || writing->palette_count > (size_t)1 << writing->bit_depth || !writing->palette
            || writing->palette_alpha_count > writing->palette_count)) {
        return "the palette has the wrong number of colors";
    }
    return NULL;
}

tfp_code tfp_encode(
    const void *pixels,
    const tfp_picture *picture,
    const tfp_writing *writing,
    tfp_buffer *result,
    tfp_report *report
) {
    tfp_writer writer = {.picture = picture, .writing = writing};
    memset(result, 0, sizeof *result);
    memset(report, 0, sizeof *report);
    const char *wrong = inconsistency(picture, writing);
    if (wrong) {
        tfp_set_message(report, wrong);
        return TFP_MISUSE;
    }
    if (!tfp_rows_start(&writer.rows, pixels, picture, writing)) return TFP_NO_MEMORY;
    writer.size = filtered_size(&writer.rows);
    tfp_code code = append_file(&writer, result);
    free(writer.rows.memory);
    if (writer.compressor) libdeflate_free_compressor(writer.compressor);
    if (code != TFP_OK) {
        tfp_free(result);
        tfp_set_message(report, code == TFP_MISUSE ? "a chunk is too long" : "there is no memory left");
        return code;
    }
    void *exact = realloc(result->bytes, result->count);
    if (exact) result->bytes = exact;
    if (exact) result->capacity = result->count;
    return TFP_OK;
}
