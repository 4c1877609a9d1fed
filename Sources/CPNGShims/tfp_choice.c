#include "tfp_choice.h"

#include "tfp_internal.h"
#include "tfp_stream.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum {
    // A picture of up to this many bytes is compressed in several ways, and the smallest result is used.
    SMALL_PICTURE = 1 << 16,
    // Of a larger picture, 16 of every 128 rows are compressed in several ways. There are more if they have fewer bytes
    // than the first number, and fewer if they have more bytes than the second one.
    SMALLEST_SAMPLE = 1 << 16,
    LARGEST_SAMPLE = 1 << 19,
    SAMPLED_ROWS = 16,
    SAMPLE_DISTANCE = 128,
    // The settings for photographs are only tried if the compressed size is more than this fraction of the size.
    PHOTOGRAPH_RATIO = 6,
    FIRST_FOR_PHOTOGRAPHS = 2,
    // The slowest level at which time counts.
    BALANCED_LEVEL = 6,
    // The best result of a small picture is compressed again, more slowly, if that takes at most 4 milliseconds. Icons
    // become 4 % smaller.
    ICON = 1 << 14,
    ICON_LEVEL = 10,
};

// The first setting is the best for screenshots, the second one for drawings and gradients, and the others for
// photographs. None of them is the best for all.
static const tfp_setting settings[] = {
    {TFP_FILTER_NONE, 0, 0},
    {TFP_FILTER_SMALLEST_SUM, 0, 0},
    {TFP_FILTER_SMALLEST_SUM, 1, -10},
    {TFP_FILTER_FEWEST_PAIRS, 0, 10},
};

typedef struct tfp_writer {
    const tfp_layout *layout;
    tfp_rows rows;
    // The number of bytes of all filtered rows.
    uint64_t size;
    // The number of bytes of the filtered rows that the last stream compresses.
    uint64_t appended;
    struct libdeflate_compressor *compressor;
} tfp_writer;

static int start(tfp_writer *writer, const tfp_layout *layout, struct libdeflate_compressor *compressor) {
    memset(writer, 0, sizeof *writer);
    writer->layout = layout;
    writer->compressor = compressor;
    if (!tfp_rows_start(&writer->rows, layout->pixels, &layout->picture, &layout->writing)) return 0;
    for (int pass = 0; pass < tfp_pass_count(&writer->rows); pass++) {
        uint64_t height = tfp_pass_height(&writer->rows, pass);
        writer->size += height * (tfp_pass_row_size(&writer->rows, pass) + 1);
    }
    return 1;
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
        // A pass can be too low for a group in its middle.
        uint64_t first = distance / 2 < height ? distance / 2 : 0;
        for (uint64_t y = first; distance != 0 && y < height; y += distance) {
            uint32_t end = height - y > SAMPLED_ROWS ? (uint32_t)y + SAMPLED_ROWS : height;
            append_rows(writer, &stream, pass, (uint32_t)y, end);
        }
    }
    if (code == TFP_OK) code = tfp_stream_finish(&stream);
    tfp_stream_close(&stream);
    return code;
}

static int has_fixed_filter(const tfp_writing *writing) {
    return writing->filter < TFP_FILTER_COUNT;
}

static tfp_setting setting_at(const tfp_writing *writing, size_t index) {
    if (has_fixed_filter(writing)) return (tfp_setting){(tfp_filtering)writing->filter, 0, 0};
    return settings[index];
}

// Returns the number of the settings to try. Without compression, all results have the same size. Filters and looking
// for runs rarely help with indexes and small pictures.
static size_t setting_count(const tfp_writer *writer) {
    const tfp_writing *writing = &writer->layout->writing;
    int is_small = writer->size <= SMALL_PICTURE, is_indexed = writing->color_type == 3 || writing->bit_depth < 8;
    if (writing->compression == 0 || has_fixed_filter(writing)) return 1;
    if (writing->compression <= BALANCED_LEVEL && is_small) return is_indexed ? 1 : 2;
    if (writing->compression <= BALANCED_LEVEL && is_indexed) return 2;
    return sizeof settings / sizeof settings[0];
}

// Whether a setting can be the best of a picture of which another setting compressed a sample to `count` bytes.
static int is_worth_trying(const tfp_writer *writer, size_t index, size_t count) {
    if (index < FIRST_FOR_PHOTOGRAPHS || writer->layout->writing.compression > BALANCED_LEVEL) return 1;
    // Noise stays as large as it is.
    return count >= writer->appended / PHOTOGRAPH_RATIO
        && (settings[index].handicap <= 0 || count < writer->appended - writer->appended / 16);
}

static int is_smaller(const tfp_writer *writer, tfp_setting setting, uint32_t distance, size_t count, size_t best) {
    int is_fair = distance == 0 || writer->layout->writing.compression > BALANCED_LEVEL;
    uint64_t parts = (uint64_t)(1000 + (is_fair ? 0 : setting.handicap));
    return (uint64_t)count * parts < (uint64_t)best * 1000;
}

// Compresses a sample, or the whole picture if `distance` is 0, with each setting. `best` receives the setting whose
// result is the smallest, and `result` receives that stream.
static tfp_code try_settings(tfp_writer *writer, uint32_t distance, tfp_setting *best, tfp_buffer *result) {
    for (size_t index = 0; index < setting_count(writer); index++) {
        if (index > 0 && !is_worth_trying(writer, index, result->count)) continue;
        tfp_setting setting = setting_at(&writer->layout->writing, index);
        tfp_buffer stream = {NULL, 0, 0};
        tfp_code code = append_stream(writer, setting, distance, &stream);
        if (code != TFP_OK) {
            tfp_free(&stream);
            return code;
        }
        if (index == 0 || is_smaller(writer, setting, distance, stream.count, result->count)) {
            *best = setting;
            tfp_free(result);
            *result = stream;
        } else {
            tfp_free(&stream);
        }
    }
    return TFP_OK;
}

// The number of bytes of the file, estimated from those of a stream of some rows, without what all layouts have.
static uint64_t file_size(const tfp_writer *writer, size_t count) {
    enum { CHUNK_OVERHEAD = 12 };
    const tfp_writing *writing = &writer->layout->writing;
    double scale = writer->appended ? (double)writer->size / (double)writer->appended : 1;
    uint64_t size = (uint64_t)((double)count * scale);
    if (writing->color_type == 3) size += CHUNK_OVERHEAD + writing->palette_count * 3;
    if (writing->color_type == 3 && writing->palette_alpha_count) size += CHUNK_OVERHEAD + writing->palette_alpha_count;
    for (size_t index = 0; index < writing->chunk_count; index++) size += CHUNK_OVERHEAD + writing->chunks[index].count;
    return size;
}

static uint32_t sample_distance(const tfp_writer *writer) {
    if (writer->size <= SMALL_PICTURE) return 0;
    uint64_t distance = SAMPLE_DISTANCE, height = writer->layout->picture.height;
    while (writer->size / distance * SAMPLED_ROWS > LARGEST_SAMPLE && distance < height) distance *= 2;
    while (writer->size / distance * SAMPLED_ROWS < SMALLEST_SAMPLE && distance > SAMPLED_ROWS) distance /= 2;
    return (uint32_t)(distance < height ? distance : height);
}

// Whether a picture that was compressed to `count` bytes is an icon, or as flat as one. Fast levels and the slowest level,
// which is slower still, are left as they are.
static int is_icon(const tfp_writer *writer, size_t count) {
    int level = writer->layout->writing.compression;
    if (writer->size > SMALL_PICTURE || level < BALANCED_LEVEL || level >= 9) return 0;
    return writer->size <= ICON || count < writer->size / PHOTOGRAPH_RATIO;
}

// Compresses the whole picture again, as a smaller stream if possible.
static tfp_code refine(tfp_choice *choice) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(ICON_LEVEL);
    tfp_writer writer;
    tfp_code code = compressor && start(&writer, choice->layout, compressor) ? TFP_OK : TFP_NO_MEMORY;
    if (code == TFP_OK) {
        tfp_buffer stream = {NULL, 0, 0};
        code = append_stream(&writer, choice->setting, 0, &stream);
        free(writer.rows.memory);
        if (code == TFP_OK && stream.count < choice->stream.count) {
            tfp_buffer former = choice->stream;
            choice->stream = stream;
            stream = former;
        }
        tfp_free(&stream);
    }
    libdeflate_free_compressor(compressor);
    return code;
}

tfp_code tfp_choose(
    const tfp_layout *layouts, size_t count, struct libdeflate_compressor *compressor, tfp_choice *choice
) {
    memset(choice, 0, sizeof *choice);
    uint64_t smallest = UINT64_MAX;
    uint32_t distance = 0;
    int is_small = 0;
    tfp_code code = TFP_OK;
    for (size_t index = 0; index < count && code == TFP_OK; index++) {
        tfp_writer writer;
        if (!start(&writer, &layouts[index], compressor)) return TFP_NO_MEMORY;
        tfp_setting setting = setting_at(&layouts[index].writing, 0);
        tfp_buffer stream = {NULL, 0, 0};
        int is_only = count == 1 && setting_count(&writer) == 1 && !is_icon(&writer, 0);
        // All layouts are compared on the same rows.
        if (index == 0) distance = sample_distance(&writer);
        if (!is_only) code = try_settings(&writer, distance, &setting, &stream);
        uint64_t size = is_only ? 0 : file_size(&writer, stream.count);
        if (code == TFP_OK && size < smallest) {
            is_small = is_icon(&writer, stream.count);
            tfp_free(&choice->stream);
            *choice = (tfp_choice){&layouts[index], setting, stream, !is_only && distance == 0};
            smallest = size;
        } else {
            tfp_free(&stream);
        }
        free(writer.rows.memory);
    }
    return code == TFP_OK && is_small && choice->is_complete ? refine(choice) : code;
}

tfp_code tfp_append_choice(const tfp_choice *choice, struct libdeflate_compressor *compressor, tfp_buffer *result) {
    if (choice->is_complete) {
        if (!tfp_reserve(result, choice->stream.count)) return TFP_NO_MEMORY;
        memcpy((uint8_t *)result->bytes + result->count, choice->stream.bytes, choice->stream.count);
        result->count += choice->stream.count;
        return TFP_OK;
    }
    tfp_writer writer;
    if (!start(&writer, choice->layout, compressor)) return TFP_NO_MEMORY;
    tfp_code code = append_stream(&writer, choice->setting, 0, result);
    free(writer.rows.memory);
    return code;
}
