#include "peers.h"

#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { buffer_size = 1 << 16, largest_row = 1024 };

// Bytes of a COPY that have not been sent yet.
typedef struct {
  PGconn *connection;
  size_t count;
  char bytes[buffer_size + largest_row];
} copy_buffer;

static void put(copy_buffer *buffer, const void *bytes, size_t count) {
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
}

static void put_integer(copy_buffer *buffer, uint64_t value, int size) {
  for (int shift = (size - 1) * 8; shift >= 0; shift -= 8) buffer->bytes[buffer->count++] = (char)(value >> shift);
}

static void put_cell(copy_buffer *buffer, const void *bytes, size_t count) {
  put_integer(buffer, count, 4);
  put(buffer, bytes, count);
}

static int send_rows(copy_buffer *buffer) {
  int code = PQputCopyData(buffer->connection, buffer->bytes, (int)buffer->count);
  buffer->count = 0;
  return code == 1;
}

static int put_row(copy_buffer *buffer, const peers_sealing *sealing, int64_t id) {
  char name[64], rect[128], text[64];
  int name_count = snprintf(name, sizeof name, "Patient %lld", (long long)id);
  int rect_count = snprintf(rect, sizeof rect, "{{%.17g, %.17g}, {%.17g, 4.25}}", (double)id, id / 2.0, id / 3.0);
  int text_count = snprintf(text, sizeof text, "123-45-%lld", (long long)id);
  size_t sealed_count;
  void *sealed = peers_seal(sealing, id, text, (size_t)text_count, &sealed_count);
  if (sealed == NULL) return 0;
  put_integer(buffer, 5, 2);
  put_integer(buffer, 8, 4);
  put_integer(buffer, (uint64_t)id, 8);
  put_integer(buffer, 8, 4);
  put_integer(buffer, 1, 8);
  put_cell(buffer, name, (size_t)name_count);
  put_cell(buffer, rect, (size_t)rect_count);
  put_cell(buffer, sealed, sealed_count);
  free(sealed);
  return buffer->count < buffer_size || send_rows(buffer);
}

static int finish_copy(copy_buffer *buffer) {
  put_integer(buffer, 0xFFFF, 2);
  int ok = send_rows(buffer) && PQputCopyEnd(buffer->connection, NULL) == 1;
  PGresult *result;
  while ((result = PQgetResult(buffer->connection)) != NULL) {
    ok = ok && PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
  }
  return ok;
}

static int run(PGconn *connection, const char *sql, ExecStatusType expected) {
  PGresult *result = PQexec(connection, sql);
  int ok = PQresultStatus(result) == expected;
  PQclear(result);
  return ok;
}

int peers_copy_rows(const char *address, const peers_sealing *sealing, int64_t first, int64_t count) {
  static const char signature[19] = "PGCOPY\n\377\r\n";
  copy_buffer *buffer = malloc(sizeof *buffer);
  if (buffer == NULL) return 0;
  buffer->connection = PQconnectdb(address);
  buffer->count = 0;
  int ok = run(buffer->connection, "SET client_min_messages TO error", PGRES_COMMAND_OK) &&
           run(buffer->connection, "BEGIN", PGRES_COMMAND_OK) &&
           run(buffer->connection,
               "CREATE TABLE IF NOT EXISTS plain (_id bigint PRIMARY KEY, _version bigint, name text COLLATE \"C\","
               " bed bytea, ssn bytea)", PGRES_COMMAND_OK) &&
           run(buffer->connection, "COPY plain FROM STDIN (FORMAT binary)", PGRES_COPY_IN);
  put(buffer, signature, sizeof signature);
  for (int64_t id = first; ok && id < first + count; id++) ok = put_row(buffer, sealing, id);
  ok = ok && finish_copy(buffer) && run(buffer->connection, "COMMIT", PGRES_COMMAND_OK);
  PQfinish(buffer->connection);
  free(buffer);
  return ok;
}

static int64_t integer(const PGresult *result, int row, int column) {
  const unsigned char *bytes = (const unsigned char *)PQgetvalue(result, row, column);
  uint64_t value = 0;
  for (int index = 0; index < 8; index++) value = value << 8 | bytes[index];
  return (int64_t)value;
}

static int add_row(const PGresult *result, int row, const peers_sealing *sealing, double *sum) {
  char rect[128];
  int rect_count = PQgetlength(result, row, 3);
  if (rect_count >= (int)sizeof rect) return 0;
  memcpy(rect, PQgetvalue(result, row, 3), (size_t)rect_count);
  rect[rect_count] = 0;
  double x, y, width, height;
  if (sscanf(rect, "{{%lf, %lf}, {%lf, %lf}}", &x, &y, &width, &height) != 4) return 0;
  size_t text_count;
  void *text = peers_open(
      sealing, integer(result, row, 0), PQgetvalue(result, row, 4), (size_t)PQgetlength(result, row, 4), &text_count);
  if (text == NULL) return 0;
  char *name = strdup(PQgetvalue(result, row, 2));
  *sum += x + y + width + height + (double)text_count + (double)strlen(name);
  free(name);
  free(text);
  return 1;
}

double peers_fetch_rows(const char *address, const char *table, const peers_sealing *sealing) {
  char sql[256];
  double sum = 0;
  snprintf(sql, sizeof sql, "SELECT \"_id\", \"_version\", \"name\", \"bed\", \"ssn\" FROM %s", table);
  PGconn *connection = PQconnectdb(address);
  int ok = PQsendQueryParams(connection, sql, 0, NULL, NULL, NULL, NULL, 1) && PQsetSingleRowMode(connection);
  PGresult *result;
  while (ok && (result = PQgetResult(connection)) != NULL) {
    ExecStatusType status = PQresultStatus(result);
    ok = status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK;
    for (int row = 0; ok && row < PQntuples(result); row++) ok = add_row(result, row, sealing, &sum);
    PQclear(result);
  }
  PQfinish(connection);
  return ok ? sum : -1;
}
