#include "tfj_internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct tfj_writer {
    // The first member, so that the hooks find it through the object's client data.
    tfj_session session;
    struct jpeg_compress_struct object;
    tfj_output output;
    const uint8_t *pixels;
    const tfj_picture *picture;
    const tfj_writing *writing;
    // A row of CMYK as Adobe's programs write it. The outer function frees it.
    uint8_t *inverted_row;
} tfj_writer;

static void set_parameters(tfj_writer *writer) {
    struct jpeg_compress_struct *object = &writer->object;
    const tfj_writing *writing = writer->writing;
    jpeg_set_defaults(object);
    jpeg_set_quality(object, writing->quality, TRUE);
    object->dct_method = JDCT_ISLOW;
    object->optimize_coding = writing->is_optimized ? TRUE : FALSE;
    object->density_unit = (UINT8)writing->density_unit;
    object->X_density = (UINT16)writing->density_x;
    object->Y_density = (UINT16)writing->density_y;
    if (object->num_components == 3) {
        object->comp_info[0].h_samp_factor = writing->horizontal_subsampling;
        object->comp_info[0].v_samp_factor = writing->vertical_subsampling;
    }
    if (writing->is_progressive) jpeg_simple_progression(object);
}

static void set_layout(tfj_writer *writer) {
    static const J_COLOR_SPACE spaces[] = {JCS_UNKNOWN, JCS_GRAYSCALE, JCS_UNKNOWN, JCS_RGB, JCS_CMYK};
    struct jpeg_compress_struct *object = &writer->object;
    const tfj_picture *picture = writer->picture;
    object->image_width = picture->width;
    object->image_height = picture->height;
    object->input_components = (int)picture->channels;
    object->in_color_space = spaces[picture->channels];
}

static void write_rows(tfj_writer *writer) {
    struct jpeg_compress_struct *object = &writer->object;
    const tfj_picture *picture = writer->picture;
    while (object->next_scanline < object->image_height) {
        const uint8_t *row = writer->pixels + (size_t)object->next_scanline * picture->row_stride;
        if (writer->inverted_row) {
            for (size_t index = 0; index < (size_t)picture->width * 4; index++) {
                writer->inverted_row[index] = (uint8_t)~row[index];
            }
            row = writer->inverted_row;
        }
        // libjpeg does not write to the rows that it encodes.
        JSAMPROW rows[] = {(JSAMPROW)row};
        jpeg_write_scanlines(object, rows, 1);
    }
}

// Everything below may jump back to this frame. Its local variables are not changed after setjmp.
static tfj_code write_picture(tfj_writer *writer) {
    struct jpeg_compress_struct *object = &writer->object;
    if (setjmp(writer->session.jump)) return writer->session.code;
    jpeg_create_compress(object);
    object->dest = &writer->output.manager;
    set_layout(writer);
    set_parameters(writer);
    jpeg_start_compress(object, TRUE);
    for (size_t index = 0; index < writer->writing->marker_count; index++) {
        const tfj_marker *marker = &writer->writing->markers[index];
        jpeg_write_marker(object, (int)marker->code, marker->bytes, (unsigned int)marker->count);
    }
    write_rows(writer);
    jpeg_finish_compress(object);
    return TFJ_OK;
}

static int is_consistent(const tfj_picture *picture, const tfj_writing *writing) {
    if (picture->channels != 1 && picture->channels != 3 && picture->channels != 4) return 0;
    if (picture->width == 0 || picture->height == 0) return 0;
    if (picture->width > picture->row_stride / picture->channels) return 0;
    for (size_t index = 0; index < writing->marker_count; index++) {
        if (writing->markers[index].count > 65533) return 0;
    }
    return 1;
}

tfj_code tfj_encode(
    const void *pixels,
    const tfj_picture *picture,
    const tfj_writing *writing,
    tfj_buffer *result,
    tfj_report *report
) {
    tfj_writer writer;
    memset(&writer, 0, sizeof writer);
    memset(result, 0, sizeof *result);
    tfj_session_start(&writer.session, report, 0);
    if (!is_consistent(picture, writing)) return TFJ_MISUSE;
    writer.pixels = pixels;
    writer.picture = picture;
    writer.writing = writing;
    tfj_output_start(&writer.output, &writer.session, result);
    writer.object.err = &writer.session.errors;
    writer.object.client_data = &writer;
    if (picture->channels == 4) {
        writer.inverted_row = malloc((size_t)picture->width * 4);
        if (!writer.inverted_row) return TFJ_NO_MEMORY;
    }
    tfj_code code = write_picture(&writer);
    jpeg_destroy_compress(&writer.object);
    free(writer.inverted_row);
    if (code != TFJ_OK) tfj_free(result);
    return code;
}
