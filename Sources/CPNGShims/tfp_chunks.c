#include "tfp_internal.h"

#include <string.h>

void tfp_put_uint32(uint8_t *target, uint32_t number) {
    for (int index = 0; index < 4; index++) target[index] = (uint8_t)(number >> (24 - 8 * index));
}

tfp_code tfp_append_chunk(tfp_buffer *buffer, const char *type, const void *bytes, size_t count) {
    if (count > TFP_LARGEST_NUMBER) return TFP_MISUSE;
    if (!tfp_reserve(buffer, count + 12)) return TFP_NO_MEMORY;
    uint8_t *target = (uint8_t *)buffer->bytes + buffer->count;
    tfp_put_uint32(target, (uint32_t)count);
    memcpy(target + 4, type, 4);
    if (count) memcpy(target + 8, bytes, count);
    tfp_put_uint32(target + 8 + count, tfp_crc(target + 4, count + 4));
    buffer->count += count + 12;
    return TFP_OK;
}
