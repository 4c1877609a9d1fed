#include "peers.h"

#include <webp/decode.h>
#include <webp/encode.h>

void *peers_write_webp(const void *pixels, uint32_t width, uint32_t height, int quality, size_t *webp_count) {
  uint8_t *bytes = NULL;
  *webp_count = WebPEncodeRGB(pixels, (int)width, (int)height, (int)width * 3, (float)quality, &bytes);
  return bytes;
}

void *peers_read_webp(const void *webp, size_t count, size_t *pixel_count) {
  int width = 0, height = 0;
  uint8_t *pixels = WebPDecodeRGB(webp, count, &width, &height);
  *pixel_count = (size_t)width * (size_t)height * 3;
  return pixels;
}
