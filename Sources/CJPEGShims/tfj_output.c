#include "tfj_internal.h"

#include <stdlib.h>

static void grow(tfj_output *output) {
    tfj_buffer *result = output->result;
    size_t capacity = result->capacity ? result->capacity * 2 : 65536;
    void *bytes = capacity > result->capacity ? realloc(result->bytes, capacity) : NULL;
    if (!bytes) tfj_raise(output->session, TFJ_NO_MEMORY, "there is no memory left");
    output->manager.next_output_byte = (JOCTET *)bytes + result->capacity;
    output->manager.free_in_buffer = capacity - result->capacity;
    result->bytes = bytes;
    result->capacity = capacity;
}

static void start_output(j_compress_ptr object) {
    grow((tfj_output *)object->dest);
}

// libjpeg calls this when the buffer is full.
static boolean empty_output(j_compress_ptr object) {
    grow((tfj_output *)object->dest);
    return TRUE;
}

static void end_output(j_compress_ptr object) {
    tfj_output *output = (tfj_output *)object->dest;
    output->result->count = output->result->capacity - output->manager.free_in_buffer;
}

void tfj_output_start(tfj_output *output, tfj_session *session, tfj_buffer *result) {
    output->session = session;
    output->result = result;
    output->manager.init_destination = start_output;
    output->manager.empty_output_buffer = empty_output;
    output->manager.term_destination = end_output;
}
