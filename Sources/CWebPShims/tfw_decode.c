#include "tfw_webp.h"

#include <string.h>
#include <time.h>
#include <webp/decode.h>

// The number of bytes to decode between two looks at the clock.
enum { STEP = 1 << 16 };

static uint64_t now_in_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static tfw_code code_of(VP8StatusCode status) {
    switch (status) {
    case VP8_STATUS_OK: return TFW_OK;
    case VP8_STATUS_OUT_OF_MEMORY: return TFW_NO_MEMORY;
    // All bytes were given, so the decoder waits for bytes that do not exist.
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return TFW_TRUNCATED;
    default: return TFW_DAMAGED;
    }
}

// Gives the decoder more and more bytes, until it is done, fails, or takes too long.
static tfw_code run(WebPIDecoder *decoder, const uint8_t *bytes, size_t count, uint64_t deadline) {
    for (size_t given = 0;;) {
        given = count - given > STEP ? given + STEP : count;
        VP8StatusCode status = WebPIUpdate(decoder, bytes, given);
        if (status != VP8_STATUS_SUSPENDED || given == count) return code_of(status);
        if (deadline && now_in_milliseconds() > deadline) return TFW_TOO_SLOW;
    }
}

tfw_code tfw_decode(
    const void *bytes,
    size_t count,
    const tfw_picture *picture,
    uint64_t max_milliseconds,
    void *pixels
) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return TFW_MISUSE;
    VP8StatusCode status = WebPGetFeatures(bytes, count, &config.input);
    if (status != VP8_STATUS_OK) return code_of(status);
    if (config.input.has_animation || (uint32_t)config.input.width != picture->width
        || (uint32_t)config.input.height != picture->height) {
        return TFW_MISUSE;
    }
    if ((picture->channels != 3 && picture->channels != 4) || picture->row_stride > INT32_MAX
        || (size_t)picture->width * picture->channels > picture->row_stride) {
        return TFW_MISUSE;
    }
    config.output.colorspace = picture->channels == 4 ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = pixels;
    config.output.u.RGBA.stride = (int)picture->row_stride;
    config.output.u.RGBA.size = picture->row_stride * picture->height;
    // Without bytes, the decoder does not parse the header again.
    WebPIDecoder *decoder = WebPIDecode(NULL, 0, &config);
    if (!decoder) return TFW_NO_MEMORY;
    uint64_t deadline = max_milliseconds ? now_in_milliseconds() + max_milliseconds : 0;
    tfw_code code = run(decoder, bytes, count, deadline);
    WebPIDelete(decoder);
    WebPFreeDecBuffer(&config.output);
    return code;
}
