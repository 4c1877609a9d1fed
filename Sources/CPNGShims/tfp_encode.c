#include "tfp_internal.h"

#include <string.h>
#include <zlib.h>

typedef struct tfp_writer {
    tfp_session session;
    const uint8_t *pixels;
    const tfp_picture *picture;
    const tfp_writing *writing;
    tfp_buffer *result;
} tfp_writer;

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    tfp_writer *writer = png_get_io_ptr(png);
    if (!tfp_reserve(writer->result, count)) {
        tfp_raise(&writer->session, TFP_NO_MEMORY, "there is no memory left");
    }
    memcpy((uint8_t *)writer->result->bytes + writer->result->count, bytes, count);
    writer->result->count += count;
}

static void flush(png_structp png) {
    (void)png;
}

static void set_palette(tfp_writer *writer) {
    const tfp_writing *writing = writer->writing;
    png_color colors[256];
    if (writing->palette_count == 0 || writing->palette_count > 256 || !writing->palette
        || writing->palette_alpha_count > writing->palette_count) {
        tfp_raise(&writer->session, TFP_MISUSE, "a palette must have 1 to 256 colors");
    }
    for (size_t index = 0; index < writing->palette_count; index++) {
        colors[index].red = writing->palette[index * 3];
        colors[index].green = writing->palette[index * 3 + 1];
        colors[index].blue = writing->palette[index * 3 + 2];
    }
    png_set_PLTE(writer->session.png, writer->session.info, colors, (int)writing->palette_count);
    if (writing->palette_alpha_count && writing->palette_alpha) {
        png_set_tRNS(
            writer->session.png, writer->session.info, writing->palette_alpha, (int)writing->palette_alpha_count, NULL
        );
    }
}

static void write_header(tfp_writer *writer) {
    png_structp png = writer->session.png;
    png_infop info = writer->session.info;
    const tfp_writing *writing = writer->writing;
    int interlace = writing->is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE;
    png_set_IHDR(
        png, info, writer->picture->width, writer->picture->height, (int)writing->bit_depth, (int)writing->color_type,
        interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT
    );
    if (writing->color_type == PNG_COLOR_TYPE_PALETTE) set_palette(writer);
    png_set_compression_level(png, writing->compression);
    // libpng prefers zlib's strategy for filtered data, which takes a seventh longer for photographs, and
    // produces files that are up to a twentieth smaller or larger.
    png_set_compression_strategy(png, Z_DEFAULT_STRATEGY);
    if (writing->filters) png_set_filter(png, PNG_FILTER_TYPE_BASE, writing->filters);
    png_write_info_before_PLTE(png, info);
    for (size_t index = 0; index < writing->chunk_count; index++) {
        const tfp_chunk *chunk = &writing->chunks[index];
        png_write_chunk(png, (png_const_bytep)chunk->type, chunk->bytes, chunk->count);
    }
    png_write_info(png, info);
}

static void write_rows(tfp_writer *writer) {
    png_structp png = writer->session.png;
    const tfp_picture *picture = writer->picture;
    if (writer->writing->bit_depth < 8) png_set_packing(png);
    if (writer->writing->bit_depth == 16) png_set_swap(png);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t row = 0; row < picture->height; row++) {
            png_write_row(png, writer->pixels + (size_t)row * picture->row_stride);
        }
    }
}

// Everything below may jump back to this frame. Its local variables are not changed after setjmp.
static tfp_code write_picture(tfp_writer *writer) {
    tfp_session *session = &writer->session;
    if (setjmp(session->jump)) return session->code;
    session->png = png_create_write_struct_2(
        PNG_LIBPNG_VER_STRING, session, tfp_fail, tfp_warn, session, tfp_allocate, tfp_deallocate
    );
    if (!session->png) return TFP_NO_MEMORY;
    session->info = png_create_info_struct(session->png);
    if (!session->info) return TFP_NO_MEMORY;
    png_set_user_limits(session->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_write_fn(session->png, writer, write_bytes, flush);
    write_header(writer);
    write_rows(writer);
    png_write_end(session->png, NULL);
    return TFP_OK;
}

// Returns whether rows of the layout in memory contain everything that libpng will read from them.
static int is_consistent(const tfp_picture *picture, const tfp_writing *writing) {
    static const uint8_t channels[] = {1, 0, 3, 1, 2, 0, 4};
    if (writing->color_type > 6 || channels[writing->color_type] != picture->channels) return 0;
    if (picture->bits != (writing->bit_depth == 16 ? 16 : 8)) return 0;
    if (picture->width == 0 || picture->width > PNG_UINT_31_MAX || picture->height == 0) return 0;
    size_t pixel_size = (size_t)picture->channels * (picture->bits / 8);
    return picture->width <= picture->row_stride / pixel_size;
}

tfp_code tfp_encode(
    const void *pixels,
    const tfp_picture *picture,
    const tfp_writing *writing,
    tfp_buffer *result,
    tfp_report *report
) {
    tfp_writer writer;
    memset(&writer, 0, sizeof writer);
    memset(result, 0, sizeof *result);
    writer.pixels = pixels;
    writer.picture = picture;
    writer.writing = writing;
    writer.result = result;
    tfp_session_start(&writer.session, report, SIZE_MAX, 0);
    if (!is_consistent(picture, writing)) return TFP_MISUSE;
    tfp_code code = write_picture(&writer);
    png_destroy_write_struct(&writer.session.png, &writer.session.info);
    if (code != TFP_OK) tfp_free(result);
    return code;
}
