#ifndef TFJ_INTERNAL_H
#define TFJ_INTERNAL_H

#include "tfj_jpeg.h"

#include <stdio.h>

#include <jpeglib.h>
#include <setjmp.h>

// The state that libjpeg's hooks use during one call. The outer function owns it, and the inner one sets `jump`.
typedef struct tfj_session {
    // libjpeg keeps a pointer to this.
    struct jpeg_error_mgr errors;
    jmp_buf jump;
    tfj_report *report;
    // The reason for the jump, set by a hook.
    tfj_code code;
    int is_tolerant;
    // Whether damage was tolerated, and the row of the first damage.
    int is_damaged;
    size_t row;
    size_t damaged_row;
    // The time limit, in milliseconds of the monotonic clock. 0 means no limit.
    uint64_t deadline;
} tfj_session;

// A destination of libjpeg that writes to a buffer.
typedef struct tfj_output {
    // The first member, so that the hooks find the rest.
    struct jpeg_destination_mgr manager;
    tfj_session *session;
    tfj_buffer *result;
} tfj_output;

// Prepares a destination for one call. The buffer is empty.
void tfj_output_start(tfj_output *output, tfj_session *session, tfj_buffer *result);

// Prepares the session and libjpeg's hooks. The caller sets `errors` and `client_data` of its object.
void tfj_session_start(tfj_session *session, tfj_report *report, uint64_t max_milliseconds);

// Ends the call with the jump and a message of the shim.
_Noreturn void tfj_raise(tfj_session *session, tfj_code code, const char *message);

// Raises TFJ_TOO_SLOW if the time limit is exceeded.
void tfj_check_time(tfj_session *session);

#endif
