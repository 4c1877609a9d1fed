#include "tfw_webp.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

// cwebp's default for lossless files, where it determines the effort together with the method.
static const float lossless_quality = 75;

static int append(const uint8_t *bytes, size_t count, const WebPPicture *image) {
    tfw_buffer *result = image->custom_ptr;
    if (count > SIZE_MAX - result->count) return 0;
    size_t needed = result->count + count;
    if (needed > result->capacity) {
        size_t capacity = needed > SIZE_MAX / 2 ? needed : needed * 2;
        void *grown = realloc(result->bytes, capacity);
        if (!grown) return 0;
        result->bytes = grown;
        result->capacity = capacity;
    }
    memcpy((uint8_t *)result->bytes + result->count, bytes, count);
    result->count = needed;
    return 1;
}

static tfw_code code_of(WebPEncodingError error) {
    switch (error) {
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
    // The only reason why `append` fails.
    case VP8_ENC_ERROR_BAD_WRITE: return TFW_NO_MEMORY;
    case VP8_ENC_ERROR_PARTITION0_OVERFLOW:
    case VP8_ENC_ERROR_PARTITION_OVERFLOW:
    case VP8_ENC_ERROR_FILE_TOO_BIG: return TFW_UNSUPPORTED;
    default: return TFW_MISUSE;
    }
}

static tfw_code encode(const void *pixels, const tfw_picture *picture, WebPConfig *config, WebPPicture *image) {
    int stride = (int)picture->row_stride;
    int is_imported = picture->channels == 4 ? WebPPictureImportRGBA(image, pixels, stride)
                                             : WebPPictureImportRGB(image, pixels, stride);
    if (!is_imported) return TFW_NO_MEMORY;
    return WebPEncode(config, image) ? TFW_OK : code_of(image->error_code);
}

tfw_code tfw_encode(
    const void *pixels,
    const tfw_picture *picture,
    const tfw_writing *writing,
    tfw_buffer *result
) {
    WebPConfig config;
    WebPPicture image;
    memset(result, 0, sizeof *result);
    if ((picture->channels != 3 && picture->channels != 4) || picture->row_stride > INT_MAX
        || (size_t)picture->width * picture->channels > picture->row_stride || picture->width == 0
        || picture->height == 0 || picture->width > WEBP_MAX_DIMENSION || picture->height > WEBP_MAX_DIMENSION) {
        return TFW_MISUSE;
    }
    if (!WebPConfigInit(&config) || !WebPPictureInit(&image)) return TFW_MISUSE;
    config.method = writing->effort;
    config.lossless = writing->is_lossless;
    config.exact = writing->is_lossless;
    config.quality = writing->is_lossless ? lossless_quality : (float)writing->quality;
    if (!WebPValidateConfig(&config)) return TFW_MISUSE;
    image.use_argb = writing->is_lossless;
    image.width = (int)picture->width;
    image.height = (int)picture->height;
    image.writer = append;
    image.custom_ptr = result;
    tfw_code code = encode(pixels, picture, &config, &image);
    WebPPictureFree(&image);
    if (code != TFW_OK) tfw_free(result);
    return code;
}

void tfw_free(tfw_buffer *buffer) {
    free(buffer->bytes);
    memset(buffer, 0, sizeof *buffer);
}
