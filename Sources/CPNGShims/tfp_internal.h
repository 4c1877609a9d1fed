#ifndef TFP_INTERNAL_H
#define TFP_INTERNAL_H

#include "tfp_png.h"

#include <png.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

// The state that libpng's hooks use during one call. The outer function owns it, and the inner one sets `jump`.
typedef struct tfp_session {
    jmp_buf jump;
    png_structp png;
    png_infop info;
    tfp_report *report;
    // The reason for the jump. A hook sets it before it raises libpng's error.
    tfp_code code;
    // The number of bytes that libpng has allocated, and the limit.
    size_t memory;
    size_t max_memory;
    // The time limit, in milliseconds of the monotonic clock. 0 means no limit.
    uint64_t deadline;
} tfp_session;

void tfp_session_start(tfp_session *session, tfp_report *report, size_t max_memory, uint64_t max_milliseconds);

// libpng's hooks. The error hook jumps to session->jump.
PNG_NORETURN void tfp_fail(png_structp png, png_const_charp message);
void tfp_warn(png_structp png, png_const_charp message);
png_voidp tfp_allocate(png_structp png, png_alloc_size_t size);
void tfp_deallocate(png_structp png, png_voidp pointer);

// Raises an error of the shim through libpng's error function, so that it ends with the jump.
PNG_NORETURN void tfp_raise(tfp_session *session, tfp_code code, const char *message);

// Raises TFP_TOO_SLOW if the time limit is exceeded.
void tfp_check_time(tfp_session *session);

// Sets the message of a report, which is truncated if it is too long.
void tfp_set_message(tfp_report *report, const char *message);

// Adds a warning to a report, which keeps the first ones.
void tfp_add_warning(tfp_report *report, const char *message);

// The largest width and height, and the largest number of bytes in a chunk (PNG, sections 5.3 and 11.2.1).
enum { TFP_LARGEST_NUMBER = 0x7FFFFFFF };

// Writes a number with its most significant byte first.
void tfp_put_uint32(uint8_t *target, uint32_t number);

// Appends a chunk whose type has four letters. Returns TFP_MISUSE if it is too long.
tfp_code tfp_append_chunk(tfp_buffer *buffer, const char *type, const void *bytes, size_t count);

// Makes room for `extra` more bytes. Returns 0 if there is no memory.
int tfp_reserve(tfp_buffer *buffer, size_t extra);

#endif
