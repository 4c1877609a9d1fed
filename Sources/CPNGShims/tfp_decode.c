#include "tfp_internal.h"

#include <stdlib.h>
#include <string.h>

struct tfp_reader {
    tfp_session session;
    const uint8_t *bytes;
    size_t count;
    size_t position;
    tfp_picture picture;
    tfp_limits limits;
    uint8_t *pixels;
    int is_tolerant;
    int passes;
    // Whether a row of any pass was read.
    int has_part;
    size_t rows;
};

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
    const tfp_picture *picture = &reader->picture;
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

static void start(tfp_reader *reader) {
    tfp_session *session = &reader->session;
    png_set_user_limits(session->png, reader->limits.max_width, reader->limits.max_height);
    png_set_chunk_malloc_max(session->png, reader->limits.max_memory);
    // -1 stands for all ancillary chunks except tRNS and sRGB. Metadata is read elsewhere.
    png_set_keep_unknown_chunks(session->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_benign_errors(session->png, 1);
    png_set_read_fn(session->png, reader, read_bytes);
    png_read_info(session->png, session->info);
    agree_on_layout(reader);
    reader->passes = png_set_interlace_handling(session->png);
    png_read_update_info(session->png, session->info);
    const tfp_picture *picture = &reader->picture;
    if (png_get_channels(session->png, session->info) != picture->channels
        || png_get_bit_depth(session->png, session->info) != picture->bits
        || png_get_rowbytes(session->png, session->info) > picture->row_stride) {
        tfp_raise(session, TFP_MISUSE, "the pixel format was read differently");
    }
}

static void read_rows(tfp_reader *reader) {
    png_structp png = reader->session.png;
    const tfp_picture *picture = &reader->picture;
    // Every pass of a damaged file fills the whole picture, because it may be the last one.
    int fills = reader->is_tolerant && reader->passes > 1;
    for (int pass = 0; pass < reader->passes; pass++) {
        for (uint32_t row = 0; row < picture->height; row++) {
            uint8_t *target = reader->pixels + (size_t)row * picture->row_stride;
            png_read_row(png, fills ? NULL : target, fills ? target : NULL);
            reader->has_part = 1;
            if (pass == reader->passes - 1) reader->rows += 1;
            if (row % 64 == 0) tfp_check_time(&reader->session);
        }
    }
}

// The functions with setjmp may jump back to their frames. Their local variables are not changed after setjmp.
static tfp_code open_picture(tfp_reader *reader) {
    tfp_session *session = &reader->session;
    if (setjmp(session->jump)) return session->code;
    session->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, session, tfp_fail, tfp_warn, session, tfp_allocate, tfp_deallocate
    );
    if (!session->png) return TFP_NO_MEMORY;
    session->info = png_create_info_struct(session->png);
    if (!session->info) return TFP_NO_MEMORY;
    start(reader);
    return TFP_OK;
}

static tfp_code read_picture(tfp_reader *reader) {
    if (setjmp(reader->session.jump)) return reader->session.code;
    read_rows(reader);
    png_read_end(reader->session.png, NULL);
    return TFP_OK;
}

static tfp_code read_next(tfp_reader *reader, uint8_t *row) {
    if (setjmp(reader->session.jump)) return reader->session.code;
    png_read_row(reader->session.png, row, NULL);
    reader->rows += 1;
    if (reader->rows % 64 == 0) tfp_check_time(&reader->session);
    if (reader->rows == reader->picture.height) png_read_end(reader->session.png, NULL);
    return TFP_OK;
}

static void prepare(
    tfp_reader *reader,
    const void *bytes,
    size_t count,
    const tfp_picture *picture,
    const tfp_limits *limits,
    tfp_report *report
) {
    memset(reader, 0, sizeof *reader);
    reader->bytes = bytes;
    reader->count = count;
    reader->picture = *picture;
    reader->limits = *limits;
    tfp_session_start(&reader->session, report, limits->max_memory, limits->max_milliseconds);
}

tfp_code tfp_open(
    const void *bytes,
    size_t count,
    const tfp_picture *picture,
    const tfp_limits *limits,
    tfp_reader **result,
    tfp_report *report
) {
    *result = malloc(sizeof **result);
    if (!*result) return TFP_NO_MEMORY;
    tfp_reader *reader = *result;
    prepare(reader, bytes, count, picture, limits, report);
    reader->picture.row_stride = SIZE_MAX;
    tfp_code code = open_picture(reader);
    if (code == TFP_OK && reader->passes > 1) {
        tfp_set_message(report, "an interlaced picture cannot be read row by row");
        code = TFP_MISUSE;
    }
    report->offset = reader->position;
    return code;
}

tfp_code tfp_read_row(tfp_reader *reader, void *row, tfp_report *report) {
    reader->session.report = report;
    reader->session.code = TFP_DAMAGED;
    if (reader->rows >= reader->picture.height) return TFP_MISUSE;
    tfp_code code = read_next(reader, row);
    report->offset = reader->position;
    return code;
}

void tfp_close(tfp_reader *reader) {
    if (!reader) return;
    png_destroy_read_struct(&reader->session.png, &reader->session.info, NULL);
    free(reader);
}

tfp_code tfp_decode(
    const void *bytes,
    size_t count,
    const tfp_picture *picture,
    const tfp_limits *limits,
    int is_tolerant,
    void *pixels,
    size_t *rows,
    tfp_report *report
) {
    tfp_reader reader;
    prepare(&reader, bytes, count, picture, limits, report);
    reader.pixels = pixels;
    reader.is_tolerant = is_tolerant;
    if (is_tolerant) memset(pixels, 0, picture->row_stride * picture->height);
    tfp_code code = open_picture(&reader);
    if (code == TFP_OK) code = read_picture(&reader);
    png_destroy_read_struct(&reader.session.png, &reader.session.info, NULL);
    *rows = reader.rows;
    report->offset = reader.position;
    if ((code == TFP_DAMAGED || code == TFP_TRUNCATED) && reader.has_part) {
        report->is_recoverable = 1;
        if (is_tolerant) {
            tfp_add_warning(report, report->message);
            report->message[0] = 0;
            code = TFP_OK;
        }
    }
    return code;
}
