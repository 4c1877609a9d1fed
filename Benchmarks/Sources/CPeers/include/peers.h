// What our code is measured beside: the same work in plain C on the same libraries.
//
// Functions that give bytes allocate them with malloc; the caller frees them. NULL means failure.
#ifndef TRANSFORMABLE_PEERS_H
#define TRANSFORMABLE_PEERS_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// libsodium ---------------------------------------------------------------------------------------------------------

// What is the same for all sealed values of one attribute: subkey, start of the header, commitment, binding.
typedef struct {
  uint8_t key[32];
  uint8_t start[16];
  uint8_t commitment[32];
  uint8_t place[24];
} peers_sealing;

// Derives what an attribute's values share, as the sealed format says. Gives 0, or -1 on failure.
//
// The key has 32 bytes, its id 8, and the place 24: the store's UUID, the entity and the attribute.
int peers_derive(peers_sealing *sealing, const uint8_t *key, const uint8_t *key_id, const uint8_t *place);

// Seals a text for an object: header of 72 bytes, padded ciphertext, tag.
void *_Nullable peers_seal(
    const peers_sealing *sealing, int64_t object, const void *_Nullable text, size_t count, size_t *sealed_count);

// Opens what peers_seal gave.
void *_Nullable peers_open(
    const peers_sealing *sealing, int64_t object, const void *_Nullable sealed, size_t count, size_t *text_count);

// SHA-256, 32 bytes.
void *_Nullable peers_sha256(const void *_Nullable bytes, size_t count);

// Writes the SHA-256 digest to 32 bytes.
void peers_sha256_into(void *_Nullable digest, const void *_Nullable bytes, size_t count);

// zlib --------------------------------------------------------------------------------------------------------------

// Compresses to a gzip member (window bits 31) at a level.
void *_Nullable peers_gzip(const void *_Nullable bytes, size_t count, int level, size_t *gzip_count);

// Inflates a gzip member of a known size.
void *_Nullable peers_gunzip(const void *gzip, size_t count, size_t size);

// libpng and libjpeg, for pictures of three bytes a pixel without bytes between rows; failures of libjpeg exit.

// Writes a PNG with libpng's own choices but the level of compression.
void *_Nullable peers_write_png(
    const void *pixels, uint32_t width, uint32_t height, int level, size_t *png_count);

// Reads the pixels of a PNG, with the colors of a palette.
void *_Nullable peers_read_png(const void *png, size_t count, size_t *pixel_count);

// Writes a JPEG with libjpeg's own choices but the quality.
void *_Nullable peers_write_jpeg(
    const void *pixels, uint32_t width, uint32_t height, int quality, size_t *jpeg_count);

// Reads the pixels of a JPEG.
void *_Nullable peers_read_jpeg(const void *jpeg, size_t count, size_t *pixel_count);

// The width that a JPEG's header says.
uint32_t peers_jpeg_width(const void *jpeg, size_t count);

// libwebp, for the same pictures, with its own choices but the quality.

// Writes a lossy WebP file.
void *_Nullable peers_write_webp(
    const void *pixels, uint32_t width, uint32_t height, int quality, size_t *webp_count);

// Reads the pixels of a WebP file.
void *_Nullable peers_read_webp(const void *webp, size_t count, size_t *pixel_count);

// SQLite ------------------------------------------------------------------------------------------------------------

// Writes rows of a name, a rect as text and a sealed text to a new database, in one transaction.
//
// The name of row i is “Patient i”, its rect {{i, i / 2}, {i / 3, 4.25}}, its text “123-45-i”. Gives 0, or SQLite's
// code.
int peers_write_rows(const char *path, const peers_sealing *sealing, int64_t count);

// Reads the rows back, with rects as numbers and texts opened, and gives the sum of all rects' numbers and of the
// lengths of names and texts; negative on failure.
double peers_read_rows(const char *path, const peers_sealing *sealing);

// libpq -------------------------------------------------------------------------------------------------------------

// Copies the same rows, from a number on, into the table “plain” of a PostgreSQL database, which is created if it is
// missing, in one transaction. Gives whether that worked.
//
// The address is a connection string.
int peers_copy_rows(const char *address, const peers_sealing *sealing, int64_t first, int64_t count);

// Reads all rows of a table, whose name is quoted SQL, and gives the same sum as peers_read_rows; negative on failure.
double peers_fetch_rows(const char *address, const char *table, const peers_sealing *sealing);

// glibc -------------------------------------------------------------------------------------------------------------

// Gives memory that is free back to the system.
void peers_trim_memory(void);

#pragma clang assume_nonnull end

#endif
