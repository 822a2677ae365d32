/*
 * The functions of bindings/sql/common for DuckDB, over its stable C API for extensions. DuckDB calls a function with a vector of rows, so
 * that signatures are verified and messages hashed side by side.
 */
#define DUCKDB_EXTENSION_NAME kuaimi
/* The oldest version of the API that has all that is used here. */
#define DUCKDB_EXTENSION_API_VERSION_MAJOR 1
#define DUCKDB_EXTENSION_API_VERSION_MINOR 2
#define DUCKDB_EXTENSION_API_VERSION_PATCH 0
#include <duckdb_extension.h>

#include "../common/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

DUCKDB_EXTENSION_EXTERN

/* The arguments of a vector of rows. */
typedef struct {
    int count;
    duckdb_string_t *strings[KM_ARGUMENTS_MAX];
    uint64_t *validity[KM_ARGUMENTS_MAX];
} columns;

static void columns_of(duckdb_data_chunk chunk, columns *columns)
{
    columns->count = (int)duckdb_data_chunk_get_column_count(chunk);
    for (int i = 0; i < columns->count; i++) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, (idx_t)i);
        columns->strings[i] = duckdb_vector_get_data(vector);
        columns->validity[i] = duckdb_vector_get_validity(vector);
    }
}

/* The arguments of a row. False if one of them is NULL. */
static bool row_of(const columns *columns, idx_t row, kuaimi_bytes *arguments)
{
    for (int i = 0; i < columns->count; i++) {
        if (columns->validity[i] != NULL && !duckdb_validity_row_is_valid(columns->validity[i], row))
            return false;
        duckdb_string_t *string = &columns->strings[i][row];
        arguments[i] = km_bytes(duckdb_string_t_data(string), duckdb_string_t_length(*string));
    }
    return true;
}

static void set_null(duckdb_vector output, idx_t row)
{
    duckdb_vector_ensure_validity_writable(output);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(output), row);
}

static void fail(duckdb_function_info info, const km_function *function, const km_failure *failure)
{
    char text[sizeof failure->text + 64];
    snprintf(text, sizeof text, "%s: %s", function->name, failure->kind == KM_MEMORY ? "out of memory" : failure->text);
    duckdb_scalar_function_set_error(info, text);
}

/* Any function, row by row. Keys are read once in a vector. */
static void call(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output)
{
    const km_function *function = duckdb_scalar_function_get_extra_info(info);
    const idx_t rows = duckdb_data_chunk_get_size(chunk);
    km_cache cache;
    columns columns;
    km_failure failure;
    uint8_t *out = NULL;
    size_t allocated = 0;
    bool succeeded = true;

    memset(&cache, 0, sizeof cache);
    columns_of(chunk, &columns);
    for (idx_t row = 0; row < rows && succeeded; row++) {
        kuaimi_bytes arguments[KM_ARGUMENTS_MAX];
        size_t size;
        if (!row_of(&columns, row, arguments)) {
            set_null(output, row);
            continue;
        }
        if (!function->size(arguments, &size) || size >= UINT32_MAX) {
            succeeded = km_fail_text(&failure, KM_INVALID_ARGUMENT, "the result would be larger than 4 GB");
            break;
        }
        if (out == NULL || allocated < size) {
            kuaimi_wipe(out, allocated);
            free(out);
            allocated = size + 1;
            out = malloc(allocated);
            if (out == NULL) {
                allocated = 0;
                succeeded = km_fail_text(&failure, KM_MEMORY, "");
                break;
            }
        }
        succeeded = function->run(&cache, arguments, columns.count, out, &size, &failure);
        if (succeeded)
            duckdb_vector_assign_string_element_len(output, row, (const char *)out, size);
    }
    kuaimi_wipe(out, allocated);
    free(out);
    km_cache_clear(&cache);
    if (!succeeded)
        fail(info, function, &failure);
}

/* sm3, the rows of a vector side by side. */
static void call_sm3(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output)
{
    const idx_t rows = duckdb_data_chunk_get_size(chunk);
    kuaimi_bytes *messages = malloc((rows + 1) * sizeof *messages);
    uint8_t *digests = malloc((rows + 1) * KUAIMI_SM3_DIGEST_LEN);
    columns columns;
    km_failure failure;
    bool succeeded = messages != NULL && digests != NULL;

    columns_of(chunk, &columns);
    if (!succeeded)
        km_fail_text(&failure, KM_MEMORY, "");
    else {
        /* A row that is NULL takes part as an empty message. */
        for (idx_t row = 0; row < rows; row++)
            if (!row_of(&columns, row, &messages[row]))
                messages[row] = km_bytes(NULL, 0);
        const kuaimi_error error = kuaimi_sm3_digest_many(messages, rows, digests);
        succeeded = error == KUAIMI_OK || km_fail(&failure, error);
    }
    for (idx_t row = 0; succeeded && row < rows; row++) {
        if (row_of(&columns, row, &messages[row]))
            duckdb_vector_assign_string_element_len(output, row, (const char *)digests + row * KUAIMI_SM3_DIGEST_LEN,
                                                    KUAIMI_SM3_DIGEST_LEN);
        else
            set_null(output, row);
    }
    free(digests);
    free(messages);
    if (!succeeded)
        fail(info, &km_sm3, &failure);
}

/* sm2_verify, the rows of a vector as one batch. */

typedef struct {
    kuaimi_bytes arguments[KM_ARGUMENTS_MAX];
    kuaimi_sm2_verifying_key *key;
    bool owns_key; /* false if a row above has the same */
} verified_row;

static bool same(kuaimi_bytes a, kuaimi_bytes b)
{
    return a.len == b.len && memcmp(a.data, b.data, a.len) == 0;
}

/* The key of a row: that of a row above, if it is the same. `table` has the numbers of rows plus one, at places that their keys give. */
static bool key_of_row(verified_row *rows, size_t row, int count, uint32_t *table, size_t mask, km_failure *failure)
{
    verified_row *it = &rows[row];
    uint64_t hash = km_hash(0, it->arguments[2]);
    if (count > 3)
        hash = km_hash(hash, it->arguments[3]);
    size_t place = (size_t)(hash ^ hash >> 32) & mask;
    for (; table[place] != 0; place = (place + 1) & mask) {
        const verified_row *other = &rows[table[place] - 1];
        if (same(other->arguments[2], it->arguments[2]) && (count <= 3 || same(other->arguments[3], it->arguments[3]))) {
            it->key = other->key;
            return true;
        }
    }
    if (!km_read_verifying_key(it->arguments + 2, count - 2, &it->key, failure))
        return false;
    it->owns_key = true;
    table[place] = (uint32_t)row + 1;
    return true;
}

static void call_sm2_verify(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output)
{
    const idx_t size = duckdb_data_chunk_get_size(chunk);
    size_t places = 4;
    while (places < 2 * size)
        places *= 2;
    verified_row *rows = calloc(size + 1, sizeof *rows);
    kuaimi_sm2_verify_item *items = calloc(size + 1, sizeof *items);
    kuaimi_error *results = calloc(size + 1, sizeof *results);
    uint32_t *table = calloc(places, sizeof *table);
    bool *answers = duckdb_vector_get_data(output);
    columns columns;
    km_failure failure;
    size_t count = 0;
    bool succeeded = (rows != NULL && items != NULL && results != NULL && table != NULL) || km_fail_text(&failure, KM_MEMORY, "");

    columns_of(chunk, &columns);
    for (idx_t row = 0; succeeded && row < size; row++) {
        verified_row *it = &rows[row];
        if (!row_of(&columns, row, it->arguments)) {
            set_null(output, row);
            continue;
        }
        succeeded = key_of_row(rows, row, columns.count, table, places - 1, &failure);
        if (succeeded) {
            items[count].key = it->key;
            items[count].content = it->arguments[0];
            items[count].signature = it->arguments[1];
            items[count].content_kind = KUAIMI_CONTENT_MESSAGE;
            items[count++].form = KUAIMI_SIGNATURE_DER;
        }
    }
    if (succeeded && count > 0) {
        const kuaimi_error error = kuaimi_sm2_verify_batch(items, count, results);
        succeeded = error == KUAIMI_OK || error == KUAIMI_ERROR_INVALID_SIGNATURE || km_fail(&failure, error);
    }
    for (idx_t row = 0, item = 0; succeeded && row < size; row++) {
        if (rows[row].key == NULL)
            continue;
        const kuaimi_error result = results[item++];
        answers[row] = result == KUAIMI_OK;
        succeeded = result == KUAIMI_OK || result == KUAIMI_ERROR_INVALID_SIGNATURE || km_fail(&failure, result);
    }
    for (idx_t row = 0; rows != NULL && row < size; row++)
        if (rows[row].owns_key)
            kuaimi_sm2_verifying_key_free(rows[row].key);
    free(table);
    free(results);
    free(items);
    free(rows);
    if (!succeeded)
        fail(info, &km_sm2_verify, &failure);
}

/* Whether the argument can be given as the type. */
static bool takes(char argument, duckdb_type type)
{
    return type == DUCKDB_TYPE_BLOB ? argument != 't' : argument != 'b';
}

/* Adds the function with `count` arguments, whose types are the bits of `types`: 1 is VARCHAR. */
static bool add(duckdb_scalar_function_set set, const km_function *function, int count, unsigned types)
{
    duckdb_scalar_function scalar = duckdb_create_scalar_function();
    const duckdb_type result = function->flags & KM_BOOLEAN ? DUCKDB_TYPE_BOOLEAN
                               : function->flags & KM_TEXT  ? DUCKDB_TYPE_VARCHAR
                                                            : DUCKDB_TYPE_BLOB;
    duckdb_scalar_function_set_name(scalar, function->name);
    for (int i = -1; i < count; i++) {
        duckdb_logical_type type = duckdb_create_logical_type(i < 0 ? result : types >> i & 1 ? DUCKDB_TYPE_VARCHAR : DUCKDB_TYPE_BLOB);
        if (i < 0)
            duckdb_scalar_function_set_return_type(scalar, type);
        else
            duckdb_scalar_function_add_parameter(scalar, type);
        duckdb_destroy_logical_type(&type);
    }
    /* Without this, constant arguments are computed once. */
    if (function->flags & KM_RANDOM)
        duckdb_scalar_function_set_volatile(scalar);
    duckdb_scalar_function_set_extra_info(scalar, (void *)function, NULL);
    duckdb_scalar_function_set_function(scalar, function == &km_sm2_verify ? call_sm2_verify : function == &km_sm3 ? call_sm3 : call);
    const bool added = duckdb_add_scalar_function_to_set(set, scalar) == DuckDBSuccess;
    duckdb_destroy_scalar_function(&scalar);
    return added;
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info, struct duckdb_extension_access *access)
{
    for (size_t i = 0; i < km_function_count; i++) {
        const km_function *function = km_functions[i];
        duckdb_scalar_function_set set = duckdb_create_scalar_function_set(function->name);
        bool succeeded = true;
        for (int count = function->required; count <= (int)strlen(function->arguments); count++) {
            for (unsigned types = 0; types < 1u << count; types++) {
                bool possible = true;
                for (int j = 0; j < count; j++)
                    possible = possible && takes(function->arguments[j], types >> j & 1 ? DUCKDB_TYPE_VARCHAR : DUCKDB_TYPE_BLOB);
                if (possible)
                    succeeded = succeeded && add(set, function, count, types);
            }
        }
        succeeded = succeeded && duckdb_register_scalar_function_set(connection, set) == DuckDBSuccess;
        duckdb_destroy_scalar_function_set(&set);
        if (!succeeded) {
            access->set_error(info, "kuaimi: a function could not be registered");
            return false;
        }
    }
    return true;
}
