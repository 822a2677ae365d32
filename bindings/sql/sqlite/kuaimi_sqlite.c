/* The functions of bindings/sql/common for SQLite 3.31 and newer, and the aggregate sm3_agg. */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "../common/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTEGRITY_FLAGS(function) \
    (((function)->flags & (KM_RANDOM | KM_STABLE) ? 0 : SQLITE_DETERMINISTIC) \
     | ((function)->flags & KM_SECRET ? SQLITE_DIRECTONLY : SQLITE_INNOCUOUS))

/* A function of one connection. SQLite calls it under the connection's lock. */
typedef struct {
    const km_function *function;
    km_cache cache;
} registered;

static void registered_free(void *it)
{
    km_cache_clear(&((registered *)it)->cache);
    sqlite3_free(it);
}

static void cache_free(void *cache)
{
    km_cache_clear(cache);
    sqlite3_free(cache);
}

static void fail(sqlite3_context *context, const char *name, const km_failure *failure)
{
    char text[sizeof failure->text + 64];
    if (failure->kind == KM_MEMORY) {
        sqlite3_result_error_nomem(context);
        return;
    }
    snprintf(text, sizeof text, "%s: %s", name, failure->text);
    sqlite3_result_error(context, text, -1);
}

static bool take(int position, char kind, sqlite3_value *value, kuaimi_bytes *bytes, km_failure *failure)
{
    const int type = sqlite3_value_type(value);
    const void *data;
    if (type == SQLITE_BLOB && kind != 't')
        data = sqlite3_value_blob(value);
    else if (type == SQLITE_TEXT && kind != 'b')
        data = sqlite3_value_text(value); /* in UTF-8, whatever the database has */
    else {
        failure->kind = KM_INVALID_ARGUMENT;
        snprintf(failure->text, sizeof failure->text, "argument %d must be %s", position,
                 kind == 'b' ? "a BLOB" : kind == 't' ? "TEXT" : "a BLOB or TEXT");
        return false;
    }
    *bytes = km_bytes(data, (size_t)sqlite3_value_bytes(value));
    /* No bytes are a null pointer, too, but no others are. */
    if (data == NULL && (bytes->len > 0 || type == SQLITE_TEXT))
        return km_fail_text(failure, KM_MEMORY, "");
    return true;
}

/*
 * Public keys stay for as long as the connection has the function: they may come from a column. A private key stays for the statement, and
 * only if it is a constant or a parameter there, because SQLite then keeps it itself.
 */
static km_cache *cache_of(sqlite3_context *context, registered *it, int key)
{
    km_cache *cache;
    if (!(it->function->flags & KM_SECRET))
        return &it->cache;
    cache = sqlite3_get_auxdata(context, key);
    if (cache == NULL) {
        cache = sqlite3_malloc64(sizeof *cache);
        if (cache != NULL) {
            memset(cache, 0, sizeof *cache);
            sqlite3_set_auxdata(context, key, cache, cache_free);
            /* It frees what it does not keep. */
            cache = sqlite3_get_auxdata(context, key);
        }
    }
    return cache;
}

static void call(sqlite3_context *context, int count, sqlite3_value **values)
{
    registered *it = sqlite3_user_data(context);
    const km_function *function = it->function;
    kuaimi_bytes arguments[KM_ARGUMENTS_MAX];
    km_cache *cache = NULL;
    km_failure failure;
    size_t size, allocated;
    uint8_t *out;

    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(values[i]) == SQLITE_NULL)
            return; /* the result is NULL */
    for (int i = 0; i < count; i++) {
        if (!take(i + 1, function->arguments[i], values[i], &arguments[i], &failure)) {
            fail(context, function->name, &failure);
            return;
        }
        if (function->arguments[i] == 'k')
            cache = cache_of(context, it, i);
    }
    if (!function->size(arguments, &size) || size >= INT32_MAX) {
        sqlite3_result_error_toobig(context);
        return;
    }
    allocated = size + 1;
    out = sqlite3_malloc64(allocated);
    if (out == NULL) {
        sqlite3_result_error_nomem(context);
        return;
    }
    if (!function->run(cache, arguments, count, out, &size, &failure)) {
        kuaimi_wipe(out, allocated);
        sqlite3_free(out);
        fail(context, function->name, &failure);
    } else if (function->flags & KM_BOOLEAN) {
        sqlite3_result_int(context, out[0]);
        sqlite3_free(out);
    } else if (function->flags & KM_TEXT) {
        sqlite3_result_text64(context, (const char *)out, size, sqlite3_free, SQLITE_UTF8);
    } else {
        sqlite3_result_blob64(context, out, size, sqlite3_free);
    }
}

/* sm3_agg: the digest of all rows' bytes, one after another. */

static void aggregate_fail(sqlite3_context *context, kuaimi_error error)
{
    km_failure failure;
    km_fail(&failure, error);
    fail(context, "sm3_agg", &failure);
}

static void aggregate_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    kuaimi_sm3 **hash;
    kuaimi_bytes bytes;
    kuaimi_error error = KUAIMI_OK;
    km_failure failure;
    (void)count;
    if (sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    hash = sqlite3_aggregate_context(context, sizeof *hash);
    if (hash == NULL)
        sqlite3_result_error_nomem(context);
    else if (!take(1, 'm', values[0], &bytes, &failure))
        fail(context, "sm3_agg", &failure);
    else if ((*hash == NULL && (error = kuaimi_sm3_new(hash)) != KUAIMI_OK)
             || (error = kuaimi_sm3_update(*hash, bytes.data, bytes.len)) != KUAIMI_OK)
        aggregate_fail(context, error);
}

/* SQLite calls this once for each group, also after an error. */
static void aggregate_finish(sqlite3_context *context)
{
    kuaimi_sm3 **hash = sqlite3_aggregate_context(context, 0);
    uint8_t digest[KUAIMI_SM3_DIGEST_LEN];
    if (hash == NULL || *hash == NULL)
        return;
    const kuaimi_error error = kuaimi_sm3_finish(*hash, digest);
    kuaimi_sm3_free(*hash);
    *hash = NULL;
    if (error == KUAIMI_OK)
        sqlite3_result_blob(context, digest, sizeof digest, SQLITE_TRANSIENT);
    else
        aggregate_fail(context, error);
}

#ifdef _WIN32
__declspec(dllexport)
#elif defined(__GNUC__)
__attribute__((visibility("default")))
#endif
int sqlite3_kuaimi_init(sqlite3 *database, char **message, const sqlite3_api_routines *api)
{
    int status = SQLITE_OK;
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < 3031000) {
        *message = sqlite3_mprintf("kuaimi needs SQLite 3.31 or newer");
        return SQLITE_ERROR;
    }
    for (size_t i = 0; i < km_function_count; i++) {
        const km_function *function = km_functions[i];
        for (int count = function->required; count <= (int)strlen(function->arguments) && status == SQLITE_OK; count++) {
            registered *it = sqlite3_malloc64(sizeof *it);
            if (it == NULL)
                return SQLITE_NOMEM;
            memset(it, 0, sizeof *it);
            it->function = function;
            /* It frees the data also where it fails. */
            status = sqlite3_create_function_v2(database, function->name, count, SQLITE_UTF8 | INTEGRITY_FLAGS(function), it, call, NULL,
                                                NULL, registered_free);
        }
    }
    if (status == SQLITE_OK)
        status = sqlite3_create_function_v2(database, "sm3_agg", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, NULL,
                                            aggregate_step, aggregate_finish, NULL);
    /* Unloaded and loaded again with each connection, the library would make what it keeps for the process anew each time. */
    return status == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : status;
}
