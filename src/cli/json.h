/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes one JSON document to a stream, piece by piece; adds the commas, quotes and formats of
 * numbers. */
#ifndef CLUP_CLI_JSON_H
#define CLUP_CLI_JSON_H
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *to;
    int first; /* nothing has been written yet at this level */
} json;

/* Each function takes the key of the value, or NULL inside an array and at the top. */
void json_open(json *json, const char *key, char bracket);
void json_close(json *json, char bracket);
void json_text(json *json, const char *key, const char *text);
void json_whole(json *json, const char *key, uint64_t number);
/* Writes text that is a JSON number, or null, as it stands. */
void json_digits(json *json, const char *key, const char *number);
/* Writes null for NAN and infinities; json_text writes null for NULL. */
void json_number(json *json, const char *key, double number);
void json_flag(json *json, const char *key, int flag);
/* Ends the document with a newline. */
void json_end(json *json);

#endif
