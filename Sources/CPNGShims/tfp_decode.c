#include "tfp_internal.h"

#include <string.h>

typedef struct tfp_reader {
    tfp_session session;
    const uint8_t *bytes;
    size_t count;
    size_t position;
    const tfp_picture *picture;
    const tfp_limits *limits;
    uint8_t *pixels;
    size_t rows;
} tfp_reader;

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    tfp_reader *reader = png_get_io_ptr(png);
    if (count > reader->count - reader->position) {
        reader->position = reader->count;
        tfp_raise(&reader->session, TFP_TRUNCATED, "the bytes end before the picture does");
    }
    memcpy(target, reader->bytes + reader->position, count);
    reader->position += count;
}

// Requests the layout that the caller expects from libpng, and checks that libpng uses it.
static void agree_on_layout(tfp_reader *reader) {
    png_structp png = reader->session.png;
    png_infop info = reader->session.info;
    const tfp_picture *picture = reader->picture;
    if (png_get_image_width(png, info) != picture->width || png_get_image_height(png, info) != picture->height) {
        tfp_raise(&reader->session, TFP_MISUSE, "the header was read differently");
    }
    int color_type = png_get_color_type(png, info);
    int has_alpha = (color_type & PNG_COLOR_MASK_ALPHA) != 0 || png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    png_set_expand(png);
    if (picture->bits == 16) png_set_swap(png);
    // If libpng rejects a transparency chunk, the picture is opaque.
    if (!has_alpha && picture->channels % 2 == 0) png_set_add_alpha(png, 0xFFFF, PNG_FILLER_AFTER);
}

static void read_rows(tfp_reader *reader) {
    png_structp png = reader->session.png;
    png_infop info = reader->session.info;
    const tfp_picture *picture = reader->picture;
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    if (png_get_channels(png, info) != picture->channels || png_get_bit_depth(png, info) != picture->bits
        || png_get_rowbytes(png, info) > picture->row_stride) {
        tfp_raise(&reader->session, TFP_MISUSE, "the pixel format was read differently");
    }
    for (int pass = 0; pass < passes; pass++) {
        reader->rows = 0;
        for (uint32_t row = 0; row < picture->height; row++) {
            png_read_row(png, reader->pixels + (size_t)row * picture->row_stride, NULL);
            reader->rows += 1;
            if (row % 64 == 0) tfp_check_time(&reader->session);
        }
    }
}

// Everything below may jump back to this frame. Its local variables are not changed after setjmp.
static tfp_code read_picture(tfp_reader *reader) {
    tfp_session *session = &reader->session;
    if (setjmp(session->jump)) return session->code;
    session->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, session, tfp_fail, tfp_warn, session, tfp_allocate, tfp_deallocate
    );
    if (!session->png) return TFP_NO_MEMORY;
    session->info = png_create_info_struct(session->png);
    if (!session->info) return TFP_NO_MEMORY;
    png_set_user_limits(session->png, reader->limits->max_width, reader->limits->max_height);
    png_set_chunk_malloc_max(session->png, reader->limits->max_memory);
    // -1 stands for all ancillary chunks except tRNS and sRGB. Metadata is read elsewhere.
    png_set_keep_unknown_chunks(session->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_benign_errors(session->png, 1);
    png_set_read_fn(session->png, reader, read_bytes);
    png_read_info(session->png, session->info);
    agree_on_layout(reader);
    read_rows(reader);
    png_read_end(session->png, NULL);
    return TFP_OK;
}

tfp_code tfp_decode(
    const void *bytes,
    size_t count,
    const tfp_picture *picture,
    const tfp_limits *limits,
    void *pixels,
    size_t *rows,
    tfp_report *report
) {
    tfp_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.bytes = bytes;
    reader.count = count;
    reader.picture = picture;
    reader.limits = limits;
    reader.pixels = pixels;
    tfp_session_start(&reader.session, report, limits->max_memory, limits->max_milliseconds);
    tfp_code code = read_picture(&reader);
    png_destroy_read_struct(&reader.session.png, &reader.session.info, NULL);
    *rows = reader.rows;
    report->offset = reader.position;
    return code;
}
