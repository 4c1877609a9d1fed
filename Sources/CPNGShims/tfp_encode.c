#include "tfp_choice.h"
#include "tfp_internal.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

// libdeflate's levels are a little faster than zlib's. Its slowest one is 12.
static int libdeflate_level(int level) {
    static const int levels[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 12};
    return levels[level < 0 ? 0 : level > 9 ? 9 : level];
}

static tfp_code append_palette(const tfp_writing *writing, tfp_buffer *result) {
    if (writing->color_type != 3) return TFP_OK;
    tfp_code code = tfp_append_chunk(result, "PLTE", writing->palette, writing->palette_count * 3);
    if (code != TFP_OK || writing->palette_alpha_count == 0) return code;
    return tfp_append_chunk(result, "tRNS", writing->palette_alpha, writing->palette_alpha_count);
}

static tfp_code append_header(const tfp_layout *layout, tfp_buffer *result) {
    const tfp_picture *picture = &layout->picture;
    const tfp_writing *writing = &layout->writing;
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

static tfp_code append_file(const tfp_layout *layouts, size_t count, tfp_buffer *result) {
    // A single compressor for everything, because allocating it takes as long as compressing an icon.
    struct libdeflate_compressor *compressor
        = libdeflate_alloc_compressor(libdeflate_level(layouts[0].writing.compression));
    if (!compressor) return TFP_NO_MEMORY;
    tfp_choice choice;
    tfp_code code = tfp_choose(layouts, count, compressor, &choice);
    if (code == TFP_OK) code = append_header(choice.layout, result);
    if (code == TFP_OK) code = tfp_append_choice(&choice, compressor, result);
    if (code == TFP_OK) code = tfp_append_chunk(result, "IEND", NULL, 0);
    tfp_free(&choice.stream);
    libdeflate_free_compressor(compressor);
    return code;
}

static int is_depth_of_type(uint32_t depth, uint32_t type) {
    int is_packed = depth == 1 || depth == 2 || depth == 4;
    if (type == 0) return is_packed || depth == 8 || depth == 16;
    if (type == 3) return is_packed || depth == 8;
    return depth == 8 || depth == 16;
}

// Returns what is wrong with the description of a picture, or NULL.
static const char *inconsistency(const tfp_layout *layout) {
    const tfp_picture *picture = &layout->picture;
    const tfp_writing *writing = &layout->writing;
    static const uint8_t channels[] = {1, 0, 3, 1, 2, 0, 4};
    if (writing->color_type > 6 || channels[writing->color_type] != picture->channels || picture->channels == 0
        || !is_depth_of_type(writing->bit_depth, writing->color_type)) {
        return "the color type and the bit depth do not match the pixels";
    }
    if (picture->bits != (writing->bit_depth == 16 ? 16 : 8)) return "the samples have the wrong size";
    if (picture->width - 1 >= TFP_LARGEST_NUMBER || picture->height - 1 >= TFP_LARGEST_NUMBER) {
        return "the width and the height must be between 1 and 2,147,483,647";
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

tfp_code tfp_encode(const tfp_layout *layouts, size_t count, tfp_buffer *result, tfp_report *report) {
    memset(result, 0, sizeof *result);
    memset(report, 0, sizeof *report);
    const char *wrong = count == 0 ? "there are no pixels" : NULL;
    for (size_t index = 0; index < count && !wrong; index++) wrong = inconsistency(&layouts[index]);
    if (wrong) {
        tfp_set_message(report, wrong);
        return TFP_MISUSE;
    }
    tfp_code code = append_file(layouts, count, result);
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
