#include "peers.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
} output;

static void append(png_structp png, png_bytep bytes, size_t count) {
  output *out = png_get_io_ptr(png);
  if (out->count + count > out->capacity) {
    out->capacity = (out->count + count) * 2;
    out->bytes = realloc(out->bytes, out->capacity);
  }
  memcpy(out->bytes + out->count, bytes, count);
  out->count += count;
}

static void flush(png_structp png) { (void)png; }

void *peers_write_png(const void *pixels, uint32_t width, uint32_t height, int level, size_t *png_count) {
  output out = {0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return NULL;
  }
  png_set_write_fn(png, &out, append, flush);
  png_set_IHDR(
      png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, level);
  png_write_info(png, info);
  for (uint32_t row = 0; row < height; row++) {
    png_write_row(png, (png_const_bytep)pixels + (size_t)row * width * 3);
  }
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  *png_count = out.count;
  return out.bytes;
}

typedef struct {
  const uint8_t *bytes;
  size_t left;
} input;

static void take(png_structp png, png_bytep bytes, size_t count) {
  input *in = png_get_io_ptr(png);
  if (count > in->left) png_error(png, "truncated");
  memcpy(bytes, in->bytes, count);
  in->bytes += count;
  in->left -= count;
}

void *peers_read_png(const void *file, size_t count, size_t *pixel_count) {
  input in = {file, count};
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return NULL;
  }
  png_set_read_fn(png, &in, take);
  png_read_info(png, info);
  png_set_expand(png);
  png_read_update_info(png, info);
  size_t row_size = png_get_rowbytes(png, info), height = png_get_image_height(png, info);
  uint8_t *pixels = malloc(row_size * height);
  for (size_t row = 0; pixels != NULL && row < height; row++) png_read_row(png, pixels + row * row_size, NULL);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  *pixel_count = row_size * height;
  return pixels;
}

void *peers_write_jpeg(const void *pixels, uint32_t width, uint32_t height, int quality, size_t *jpeg_count) {
  struct jpeg_compress_struct object;
  struct jpeg_error_mgr errors;
  unsigned char *bytes = NULL;
  unsigned long count = 0;
  object.err = jpeg_std_error(&errors);
  jpeg_create_compress(&object);
  jpeg_mem_dest(&object, &bytes, &count);
  object.image_width = width;
  object.image_height = height;
  object.input_components = 3;
  object.in_color_space = JCS_RGB;
  jpeg_set_defaults(&object);
  jpeg_set_quality(&object, quality, TRUE);
  jpeg_start_compress(&object, TRUE);
  while (object.next_scanline < height) {
    JSAMPROW row = (JSAMPROW)pixels + (size_t)object.next_scanline * width * 3;
    jpeg_write_scanlines(&object, &row, 1);
  }
  jpeg_finish_compress(&object);
  jpeg_destroy_compress(&object);
  *jpeg_count = count;
  return bytes;
}

void *peers_read_jpeg(const void *file, size_t count, size_t *pixel_count) {
  struct jpeg_decompress_struct object;
  struct jpeg_error_mgr errors;
  object.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&object);
  jpeg_mem_src(&object, file, count);
  jpeg_read_header(&object, TRUE);
  object.out_color_space = JCS_RGB;
  jpeg_start_decompress(&object);
  size_t row_size = (size_t)object.output_width * 3;
  *pixel_count = row_size * object.output_height;
  uint8_t *pixels = malloc(*pixel_count);
  while (pixels != NULL && object.output_scanline < object.output_height) {
    JSAMPROW row = pixels + object.output_scanline * row_size;
    jpeg_read_scanlines(&object, &row, 1);
  }
  if (pixels != NULL) jpeg_finish_decompress(&object);
  jpeg_destroy_decompress(&object);
  return pixels;
}

uint32_t peers_jpeg_width(const void *file, size_t count) {
  struct jpeg_decompress_struct object;
  struct jpeg_error_mgr errors;
  object.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&object);
  jpeg_mem_src(&object, file, count);
  jpeg_read_header(&object, TRUE);
  uint32_t width = object.image_width;
  jpeg_destroy_decompress(&object);
  return width;
}
