#include "peers.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const schema =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
    "CREATE TABLE Patient (_id INTEGER PRIMARY KEY AUTOINCREMENT, _version INTEGER, name TEXT, bed BLOB, ssn BLOB);"
    "BEGIN IMMEDIATE";

static int write_row(sqlite3_stmt *insert, const peers_sealing *sealing, int64_t id) {
  char name[64], rect[128], text[64];
  int name_count = snprintf(name, sizeof name, "Patient %lld", (long long)id);
  int rect_count =
      snprintf(rect, sizeof rect, "{{%.17g, %.17g}, {%.17g, 4.25}}", (double)id, id / 2.0, id / 3.0);
  int text_count = snprintf(text, sizeof text, "123-45-%lld", (long long)id);
  size_t sealed_count;
  void *sealed = peers_seal(sealing, id, text, (size_t)text_count, &sealed_count);
  if (sealed == NULL) return SQLITE_NOMEM;
  sqlite3_bind_int64(insert, 1, id);
  sqlite3_bind_int64(insert, 2, 1);
  sqlite3_bind_text(insert, 3, name, name_count, SQLITE_STATIC);
  sqlite3_bind_blob(insert, 4, rect, rect_count, SQLITE_STATIC);
  sqlite3_bind_blob(insert, 5, sealed, (int)sealed_count, SQLITE_STATIC);
  int code = sqlite3_step(insert);
  free(sealed);
  sqlite3_reset(insert);
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

int peers_write_rows(const char *path, const peers_sealing *sealing, int64_t count) {
  sqlite3 *database = NULL;
  sqlite3_stmt *insert = NULL;
  int code = sqlite3_open(path, &database);
  if (code == SQLITE_OK) code = sqlite3_exec(database, schema, NULL, NULL, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(database, "INSERT INTO Patient VALUES (?, ?, ?, ?, ?)", -1, &insert, NULL);
  for (int64_t id = 1; id <= count && code == SQLITE_OK; id++) code = write_row(insert, sealing, id);
  sqlite3_finalize(insert);
  if (code == SQLITE_OK) code = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(database);
  return code;
}

static int read_row(sqlite3_stmt *select, const peers_sealing *sealing, double *sum) {
  char rect[128];
  int rect_count = sqlite3_column_bytes(select, 3);
  if (rect_count >= (int)sizeof rect) return 0;
  memcpy(rect, sqlite3_column_blob(select, 3), (size_t)rect_count);
  rect[rect_count] = 0;
  double x, y, width, height;
  if (sscanf(rect, "{{%lf, %lf}, {%lf, %lf}}", &x, &y, &width, &height) != 4) return 0;
  size_t text_count;
  void *text = peers_open(
      sealing, sqlite3_column_int64(select, 0), sqlite3_column_blob(select, 4),
      (size_t)sqlite3_column_bytes(select, 4), &text_count);
  if (text == NULL) return 0;
  char *name = strdup((const char *)sqlite3_column_text(select, 2));
  *sum += x + y + width + height + (double)text_count + (double)strlen(name);
  free(name);
  free(text);
  return 1;
}

double peers_read_rows(const char *path, const peers_sealing *sealing) {
  sqlite3 *database = NULL;
  sqlite3_stmt *select = NULL;
  double sum = 0;
  int code = sqlite3_open(path, &database);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(database, "SELECT _id, _version, name, bed, ssn FROM Patient", -1, &select, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(select)) == SQLITE_ROW)
    code = read_row(select, sealing, &sum) ? SQLITE_OK : SQLITE_ERROR;
  sqlite3_finalize(select);
  sqlite3_close(database);
  return code == SQLITE_DONE ? sum : -1;
}
