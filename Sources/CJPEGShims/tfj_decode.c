#include "tfj_internal.h"

#include <jerror.h>
#include <limits.h>
#include <string.h>

typedef struct tfj_reader {
    // The first member, so that the hooks find it through the object's client data.
    tfj_session session;
    struct jpeg_decompress_struct object;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    const uint8_t *bytes;
    size_t count;
    const tfj_picture *picture;
    const tfj_limits *limits;
    const tfj_reading *reading;
    uint8_t *pixels;
} tfj_reader;

// An end-of-image marker for libjpeg to find where the bytes end.
static const JOCTET end_of_image[] = {0xFF, JPEG_EOI};

static void start_source(j_decompress_ptr object) {
    (void)object;
}

static boolean fill_source(j_decompress_ptr object) {
    WARNMS(object, JWRN_JPEG_EOF);
    object->src->next_input_byte = end_of_image;
    object->src->bytes_in_buffer = sizeof end_of_image;
    return TRUE;
}

static void skip_source(j_decompress_ptr object, long count) {
    struct jpeg_source_mgr *source = object->src;
    if (count <= 0) return;
    if ((size_t)count > source->bytes_in_buffer) {
        source->next_input_byte += source->bytes_in_buffer;
        source->bytes_in_buffer = 0;
        fill_source(object);
        return;
    }
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
}

static void end_source(j_decompress_ptr object) {
    (void)object;
}

// libjpeg calls this after every few rows of each scan.
static void watch(j_common_ptr common) {
    tfj_reader *reader = common->client_data;
    struct jpeg_decompress_struct *object = &reader->object;
    if (object->input_scan_number > 0 && (uint32_t)object->input_scan_number > reader->limits->max_scans) {
        tfj_raise(&reader->session, TFJ_TOO_LARGE, "the file has too many scans");
    }
    tfj_check_time(&reader->session);
}

static void set_source(tfj_reader *reader) {
    reader->source.init_source = start_source;
    reader->source.fill_input_buffer = fill_source;
    reader->source.skip_input_data = skip_source;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = end_source;
    reader->source.next_input_byte = reader->bytes;
    reader->source.bytes_in_buffer = reader->count;
    reader->object.src = &reader->source;
    reader->progress.progress_monitor = watch;
    reader->object.progress = &reader->progress;
}

// Requests the layout that the caller expects from libjpeg, and checks that libjpeg uses it.
static void agree_on_layout(tfj_reader *reader) {
    struct jpeg_decompress_struct *object = &reader->object;
    const tfj_picture *picture = reader->picture;
    switch (picture->channels) {
    case 1: object->out_color_space = JCS_GRAYSCALE; break;
    case 3: object->out_color_space = JCS_RGB; break;
    default: object->out_color_space = JCS_CMYK; break;
    }
    object->scale_num = reader->reading->eighths;
    object->scale_denom = 8;
    object->dct_method = JDCT_ISLOW;
    jpeg_calc_output_dimensions(object);
    if (object->output_width != picture->width || object->output_height != picture->height
        || (uint32_t)object->out_color_components != picture->channels
        || (size_t)picture->width * picture->channels > picture->row_stride) {
        tfj_raise(&reader->session, TFJ_MISUSE, "the header was read differently");
    }
}

static void invert(uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) {
        bytes[index] = (uint8_t)~bytes[index];
    }
}

static void read_rows(tfj_reader *reader) {
    struct jpeg_decompress_struct *object = &reader->object;
    const tfj_picture *picture = reader->picture;
    // Adobe's programs write full ink as 0, and mark their files.
    int is_inverted = picture->channels == 4 && object->saw_Adobe_marker;
    while (object->output_scanline < object->output_height) {
        uint8_t *row = reader->pixels + (size_t)object->output_scanline * picture->row_stride;
        JSAMPROW rows[] = {row};
        reader->session.row = object->output_scanline;
        if (jpeg_read_scanlines(object, rows, 1) != 1) tfj_raise(&reader->session, TFJ_DAMAGED, "no rows are left");
        if (is_inverted) invert(row, (size_t)picture->width * 4);
    }
}

// Everything below may jump back to this frame. Its local variables are not changed after setjmp.
static tfj_code read_picture(tfj_reader *reader) {
    struct jpeg_decompress_struct *object = &reader->object;
    if (setjmp(reader->session.jump)) return reader->session.code;
    jpeg_create_decompress(object);
    object->mem->max_memory_to_use = reader->limits->max_memory > LONG_MAX ? LONG_MAX : (long)reader->limits->max_memory;
    set_source(reader);
    jpeg_read_header(object, TRUE);
    agree_on_layout(reader);
    jpeg_start_decompress(object);
    read_rows(reader);
    jpeg_finish_decompress(object);
    return TFJ_OK;
}

static size_t offset_of(const tfj_reader *reader) {
    if (!reader->object.src) return 0;
    const uint8_t *next = reader->source.next_input_byte;
    int is_within = next != end_of_image && next != end_of_image + 1 && next != end_of_image + 2;
    return is_within ? reader->count - reader->source.bytes_in_buffer : reader->count;
}

// Returns whether a failure came after the first rows, so that a part of the picture is left.
static int has_part(const tfj_reader *reader, tfj_code code) {
    return (code == TFJ_DAMAGED || code == TFJ_TRUNCATED) && reader->object.output_scanline > 0;
}

// Ends the picture where reading ended. Unless all rows were read, this counts as damage.
static void end_picture(tfj_reader *reader) {
    size_t row = reader->object.output_scanline;
    size_t height = reader->picture->height;
    if (row < height) {
        memset(reader->pixels + row * reader->picture->row_stride, 0, (height - row) * reader->picture->row_stride);
        if (!reader->session.is_damaged) reader->session.damaged_row = row;
        reader->session.is_damaged = 1;
    }
    tfj_report *report = reader->session.report;
    if (report->warning_count < TFJ_WARNING_LIMIT) {
        memcpy(report->warnings[report->warning_count], report->message, TFJ_MESSAGE_SIZE);
    }
    report->warning_count += 1;
    report->message[0] = 0;
}

tfj_code tfj_decode(
    const void *bytes,
    size_t count,
    const tfj_picture *picture,
    const tfj_limits *limits,
    const tfj_reading *reading,
    void *pixels,
    size_t *rows,
    tfj_report *report
) {
    tfj_reader reader;
    memset(&reader, 0, sizeof reader);
    reader.bytes = bytes;
    reader.count = count;
    reader.picture = picture;
    reader.limits = limits;
    reader.reading = reading;
    reader.pixels = pixels;
    tfj_session_start(&reader.session, report, limits->max_milliseconds);
    reader.session.is_tolerant = reading->is_tolerant;
    reader.object.err = &reader.session.errors;
    reader.object.client_data = &reader;
    tfj_code code = read_picture(&reader);
    if (has_part(&reader, code)) {
        report->is_recoverable = 1;
        if (reading->is_tolerant) {
            end_picture(&reader);
            code = TFJ_OK;
        }
    }
    if (code == TFJ_OK) {
        *rows = reader.session.is_damaged ? reader.session.damaged_row : picture->height;
    } else {
        *rows = reader.session.row;
    }
    report->offset = offset_of(&reader);
    jpeg_destroy_decompress(&reader.object);
    return code;
}
