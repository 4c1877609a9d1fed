#include "tfp_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Every block that libpng allocates begins with its size, so that the total is known.
typedef union tfp_header {
    size_t size;
    max_align_t alignment;
} tfp_header;

static uint64_t now_in_milliseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void copy_text(char *target, const char *text) {
    size_t length = text ? strlen(text) : 0;
    if (length >= TFP_MESSAGE_SIZE) length = TFP_MESSAGE_SIZE - 1;
    if (length) memcpy(target, text, length);
    target[length] = 0;
}

void tfp_session_start(tfp_session *session, tfp_report *report, size_t max_memory, uint64_t max_milliseconds) {
    memset(session, 0, sizeof *session);
    memset(report, 0, sizeof *report);
    session->report = report;
    session->code = TFP_DAMAGED;
    session->max_memory = max_memory;
    session->deadline = max_milliseconds ? now_in_milliseconds() + max_milliseconds : 0;
}

void tfp_fail(png_structp png, png_const_charp message) {
    tfp_session *session = png_get_error_ptr(png);
    copy_text(session->report->message, message);
    longjmp(session->jump, 1);
}

void tfp_warn(png_structp png, png_const_charp message) {
    tfp_session *session = png_get_error_ptr(png);
    tfp_add_warning(session->report, message);
}

void tfp_add_warning(tfp_report *report, const char *message) {
    if (report->warning_count < TFP_WARNING_LIMIT) copy_text(report->warnings[report->warning_count], message);
    report->warning_count += 1;
}

png_voidp tfp_allocate(png_structp png, png_alloc_size_t size) {
    tfp_session *session = png_get_mem_ptr(png);
    if (size > session->max_memory || session->memory > session->max_memory - size) {
        session->code = TFP_TOO_LARGE;
        return NULL;
    }
    tfp_header *header = size <= SIZE_MAX - sizeof *header ? malloc(sizeof *header + size) : NULL;
    if (!header) {
        session->code = TFP_NO_MEMORY;
        return NULL;
    }
    header->size = size;
    session->memory += size;
    return header + 1;
}

void tfp_deallocate(png_structp png, png_voidp pointer) {
    if (!pointer) return;
    tfp_session *session = png_get_mem_ptr(png);
    tfp_header *header = (tfp_header *)pointer - 1;
    session->memory -= header->size;
    free(header);
}

void tfp_raise(tfp_session *session, tfp_code code, const char *message) {
    session->code = code;
    png_error(session->png, message);
}

void tfp_check_time(tfp_session *session) {
    if (session->deadline && now_in_milliseconds() > session->deadline) {
        tfp_raise(session, TFP_TOO_SLOW, "time is up");
    }
}

int tfp_reserve(tfp_buffer *buffer, size_t extra) {
    if (extra <= buffer->capacity - buffer->count) return 1;
    if (extra > SIZE_MAX / 4 || buffer->count > SIZE_MAX / 4) return 0;
    size_t capacity = buffer->capacity + buffer->capacity / 2;
    if (capacity < buffer->count + extra) capacity = buffer->count + extra;
    void *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) return 0;
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return 1;
}

void tfp_set_message(tfp_report *report, const char *message) {
    copy_text(report->message, message);
}

void tfp_free(tfp_buffer *buffer) {
    free(buffer->bytes);
    memset(buffer, 0, sizeof *buffer);
}

const char *tfp_warning(const tfp_report *report, size_t index) {
    return index < TFP_WARNING_LIMIT && index < report->warning_count ? report->warnings[index] : "";
}

const char *tfp_message(const tfp_report *report) {
    return report->message;
}
