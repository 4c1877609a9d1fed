#include "peers.h"

#include <stdlib.h>
#include <zlib.h>

enum { gzip_window_bits = 15 + 16 };

void *peers_gzip(const void *bytes, size_t count, int level, size_t *gzip_count) {
  z_stream stream = {0};
  if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) return NULL;
  size_t bound = deflateBound(&stream, count);
  uint8_t *gzip = malloc(bound);
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = gzip;
  stream.avail_out = (uInt)bound;
  int code = gzip == NULL ? Z_MEM_ERROR : deflate(&stream, Z_FINISH);
  *gzip_count = stream.total_out;
  deflateEnd(&stream);
  if (code == Z_STREAM_END) return gzip;
  free(gzip);
  return NULL;
}

void *peers_gunzip(const void *gzip, size_t count, size_t size) {
  z_stream stream = {0};
  if (inflateInit2(&stream, gzip_window_bits) != Z_OK) return NULL;
  uint8_t *bytes = malloc(size > 0 ? size : 1);
  stream.next_in = (Bytef *)gzip;
  stream.avail_in = (uInt)count;
  stream.next_out = bytes;
  stream.avail_out = (uInt)size;
  int code = bytes == NULL ? Z_MEM_ERROR : inflate(&stream, Z_FINISH);
  size_t total = stream.total_out;
  inflateEnd(&stream);
  if (code == Z_STREAM_END && total == size) return bytes;
  free(bytes);
  return NULL;
}
