#include "tfj_internal.h"

#include <jerror.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now_in_milliseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void copy_text(char *target, const char *text) {
    size_t length = strlen(text);
    if (length >= TFJ_MESSAGE_SIZE) length = TFJ_MESSAGE_SIZE - 1;
    memcpy(target, text, length);
    target[length] = 0;
}

static void copy_message(j_common_ptr object, char *target) {
    char text[JMSG_LENGTH_MAX];
    object->err->format_message(object, text);
    copy_text(target, text);
}

// Returns the result code for one of libjpeg's message codes.
static tfj_code code_of(int message) {
    switch (message) {
    case JERR_OUT_OF_MEMORY: return TFJ_NO_MEMORY;
    case JERR_NO_BACKING_STORE:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW: return TFJ_TOO_LARGE;
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED: return TFJ_UNSUPPORTED;
    case JERR_INPUT_EMPTY:
    case JERR_INPUT_EOF:
    case JWRN_JPEG_EOF: return TFJ_TRUNCATED;
    default: return TFJ_DAMAGED;
    }
}

// Returns whether a warning means that a part of the picture is lost, rather than that a file is unusual.
static int is_damage(int message) {
    switch (message) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC: return 1;
    default: return 0;
    }
}

_Noreturn static void fail(j_common_ptr object) {
    tfj_session *session = object->client_data;
    session->code = code_of(object->err->msg_code);
    copy_message(object, session->report->message);
    longjmp(session->jump, 1);
}

static void emit(j_common_ptr object, int level) {
    if (level >= 0) return;
    tfj_session *session = object->client_data;
    tfj_report *report = session->report;
    if (is_damage(object->err->msg_code)) {
        report->is_recoverable = 1;
        if (!session->is_tolerant) fail(object);
        if (!session->is_damaged) session->damaged_row = session->row;
        session->is_damaged = 1;
    }
    if (report->warning_count < TFJ_WARNING_LIMIT) copy_message(object, report->warnings[report->warning_count]);
    report->warning_count += 1;
    object->err->num_warnings += 1;
}

static void output(j_common_ptr object) {
    (void)object;
}

void tfj_session_start(tfj_session *session, tfj_report *report, uint64_t max_milliseconds) {
    memset(session, 0, sizeof *session);
    memset(report, 0, sizeof *report);
    session->report = report;
    session->code = TFJ_DAMAGED;
    session->deadline = max_milliseconds ? now_in_milliseconds() + max_milliseconds : 0;
    jpeg_std_error(&session->errors);
    session->errors.error_exit = fail;
    session->errors.emit_message = emit;
    session->errors.output_message = output;
}

void tfj_raise(tfj_session *session, tfj_code code, const char *message) {
    session->code = code;
    copy_text(session->report->message, message);
    longjmp(session->jump, 1);
}

void tfj_check_time(tfj_session *session) {
    if (session->deadline && now_in_milliseconds() > session->deadline) {
        tfj_raise(session, TFJ_TOO_SLOW, "time is up");
    }
}

void tfj_free(tfj_buffer *buffer) {
    free(buffer->bytes);
    memset(buffer, 0, sizeof *buffer);
}

const char *tfj_warning(const tfj_report *report, size_t index) {
    return index < TFJ_WARNING_LIMIT && index < report->warning_count ? report->warnings[index] : "";
}

const char *tfj_message(const tfj_report *report) {
    return report->message;
}
