#ifndef TFJ_INTERNAL_H
#define TFJ_INTERNAL_H

#include "tfj_jpeg.h"

#include <stdio.h>

#include <jpeglib.h>
#include <setjmp.h>

// What libjpeg's hooks see, for one call. The outer function owns it; the inner one sets `jump`.
typedef struct tfj_session {
    // libjpeg keeps a pointer to this.
    struct jpeg_error_mgr errors;
    jmp_buf jump;
    tfj_report *report;
    // What the jump means; a hook sets it.
    tfj_code code;
    int is_tolerant;
    // Whether damage was passed over, and the row at which the first was.
    int is_damaged;
    size_t row;
    size_t damaged_row;
    // Milliseconds of the monotonic clock at which time is up; 0 for never.
    uint64_t deadline;
} tfj_session;

// Prepares the session and libjpeg's hooks; the caller sets `errors` and `client_data` of its object.
void tfj_session_start(tfj_session *session, tfj_report *report, uint64_t max_milliseconds);

// Ends the call by the jump, with a message of ours.
_Noreturn void tfj_raise(tfj_session *session, tfj_code code, const char *message);

// Raises TFJ_TOO_SLOW if time is up.
void tfj_check_time(tfj_session *session);

#endif
