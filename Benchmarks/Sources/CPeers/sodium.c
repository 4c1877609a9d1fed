#include "peers.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { header_count = 72, nonce_offset = 16, commitment_offset = 40, binding_count = 32, tag_count = 16 };

// The length a text is padded to with its marker: multiples of 32 up to 1 KiB, Padmé's lengths above.
static size_t padded(size_t count) {
  size_t marked = count + 1, step = 32;
  if (marked > 1024) {
    int exponent = 63 - __builtin_clzll(marked);
    int digits = 64 - __builtin_clzll((unsigned long long)exponent);
    step = (size_t)1 << (exponent - digits);
  }
  return (marked + step - 1) & ~(step - 1);
}

int peers_derive(peers_sealing *sealing, const uint8_t *key, const uint8_t *key_id, const uint8_t *place) {
  static const uint8_t start[8] = {0x8F, 'T', 'F', 'S', 1, 1, 1, 0x0F};
  static const uint8_t personal[16] = "tfm sealed 1";
  static const char label[] = "transformable sealed commitment 1";
  uint8_t message[25] = {1}, salt[16] = {0};
  memcpy(message + 1, place, sizeof sealing->place);
  memcpy(salt, key_id, 8);
  memcpy(sealing->start, start, sizeof start);
  memcpy(sealing->start + sizeof start, key_id, 8);
  memcpy(sealing->place, place, sizeof sealing->place);
  if (sodium_init() < 0) return -1;
  int code = crypto_generichash_blake2b_salt_personal(
      sealing->key, sizeof sealing->key, message, sizeof message, key, 32, salt, personal);
  return code | crypto_generichash_blake2b(
      sealing->commitment, sizeof sealing->commitment, (const uint8_t *)label, sizeof label - 1, sealing->key,
      sizeof sealing->key);
}

static void write_associated(uint8_t *associated, const uint8_t *header, const peers_sealing *sealing, int64_t object) {
  memcpy(associated, header, header_count);
  memcpy(associated + header_count, sealing->place, sizeof sealing->place);
  memcpy(associated + header_count + sizeof sealing->place, &object, sizeof object);
}

void *peers_seal(const peers_sealing *sealing, int64_t object, const void *text, size_t count, size_t *sealed_count) {
  size_t body = padded(count);
  *sealed_count = header_count + body + tag_count;
  uint8_t *sealed = calloc(1, *sealed_count);
  if (sealed == NULL) return NULL;
  memcpy(sealed, sealing->start, sizeof sealing->start);
  randombytes_buf(sealed + nonce_offset, crypto_aead_xchacha20poly1305_ietf_NPUBBYTES);
  memcpy(sealed + commitment_offset, sealing->commitment, sizeof sealing->commitment);
  memcpy(sealed + header_count, text, count);
  sealed[header_count + count] = 0x80;
  uint8_t associated[header_count + binding_count];
  write_associated(associated, sealed, sealing, object);
  crypto_aead_xchacha20poly1305_ietf_encrypt(
      sealed + header_count, NULL, sealed + header_count, body, associated, sizeof associated, NULL,
      sealed + nonce_offset, sealing->key);
  return sealed;
}

void *peers_open(const peers_sealing *sealing, int64_t object, const void *value, size_t count, size_t *text_count) {
  const uint8_t *sealed = value;
  if (count < header_count + tag_count) return NULL;
  if (sodium_memcmp(sealed + commitment_offset, sealing->commitment, sizeof sealing->commitment) != 0) return NULL;
  size_t body = count - header_count - tag_count;
  uint8_t *text = malloc(body > 0 ? body : 1);
  if (text == NULL) return NULL;
  uint8_t associated[header_count + binding_count];
  write_associated(associated, sealed, sealing, object);
  int code = crypto_aead_xchacha20poly1305_ietf_decrypt(
      text, NULL, NULL, sealed + header_count, count - header_count, associated, sizeof associated,
      sealed + nonce_offset, sealing->key);
  while (code == 0 && body > 0 && text[body - 1] == 0) body -= 1;
  if (code != 0 || body == 0 || text[body - 1] != 0x80) {
    free(text);
    return NULL;
  }
  *text_count = body - 1;
  return text;
}

void peers_sha256_into(void *digest, const void *bytes, size_t count) {
  crypto_hash_sha256(digest, bytes, count);
}

void *peers_sha256(const void *bytes, size_t count) {
  uint8_t *digest = malloc(crypto_hash_sha256_BYTES);
  if (digest != NULL) peers_sha256_into(digest, bytes, count);
  return digest;
}
