/* The functions of bindings/sql/common for PostgreSQL, and the aggregate sm3_agg. */
#include "postgres.h"

#include "fmgr.h"
#include "utils/memutils.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

#include "../common/functions.h"

PG_MODULE_MAGIC;

/* What this call of the function in a query keeps: the keys that it has read, until the query ends. */
typedef struct {
    MemoryContextCallback at_end;
    km_cache cache;
} call_site;

static void end_of_call_site(void *site)
{
    km_cache_clear(&((call_site *)site)->cache);
}

static km_cache *cache_of(FunctionCallInfo fcinfo)
{
    FmgrInfo *function = fcinfo->flinfo;
    /* The function can be called without, by C code of other extensions. */
    if (function == NULL)
        return NULL;
    if (function->fn_extra == NULL) {
        call_site *site = MemoryContextAllocZero(function->fn_mcxt, sizeof *site);
        site->at_end.func = end_of_call_site;
        site->at_end.arg = site;
        MemoryContextRegisterResetCallback(function->fn_mcxt, &site->at_end);
        function->fn_extra = site;
    }
    return &((call_site *)function->fn_extra)->cache;
}

/* Does not return. */
static void report(const char *name, const km_failure *failure)
{
    int code = ERRCODE_INTERNAL_ERROR;
    switch (failure->kind) {
    case KM_INVALID_ARGUMENT:
        code = ERRCODE_INVALID_PARAMETER_VALUE;
        break;
    case KM_DECRYPTION_FAILED:
        code = ERRCODE_EXTERNAL_ROUTINE_EXCEPTION;
        break;
    case KM_SYSTEM:
        code = ERRCODE_SYSTEM_ERROR;
        break;
    case KM_MEMORY:
        code = ERRCODE_OUT_OF_MEMORY;
        break;
    }
    ereport(ERROR, (errcode(code), errmsg("%s: %s", name, failure->text)));
}

/*
 * All of PostgreSQL that may leave by longjmp is outside of `run`: the arguments are detoasted and the result is allocated before it, and
 * errors are reported after it. So no handle of the library is lost.
 */
static Datum call(FunctionCallInfo fcinfo, const km_function *function)
{
    kuaimi_bytes arguments[KM_ARGUMENTS_MAX];
    struct varlena *values[KM_ARGUMENTS_MAX];
    const int count = PG_NARGS();
    km_cache *cache = function->flags & KM_HAS_KEYS ? cache_of(fcinfo) : NULL;
    km_failure failure;
    size_t size, allocated;
    struct varlena *result;
    bool succeeded;

    Assert(count <= KM_ARGUMENTS_MAX);
    for (int i = 0; i < count; i++) {
        values[i] = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(i));
        arguments[i] = km_bytes(VARDATA_ANY(values[i]), VARSIZE_ANY_EXHDR(values[i]));
    }
    if (!function->size(arguments, &size) || size > MaxAllocSize - VARHDRSZ)
        ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("%s: the result would be larger than 1 GB", function->name)));
    allocated = size;
    result = palloc(VARHDRSZ + size + 1);

    succeeded = function->run(cache, arguments, count, (uint8_t *)VARDATA(result), &size, &failure);

    for (int i = 0; i < count; i++) {
        if ((Pointer)values[i] == DatumGetPointer(PG_GETARG_DATUM(i)))
            continue;
        /* A copy, which was compressed or in another table. */
        if (function->flags & KM_SECRET)
            kuaimi_wipe((uint8_t *)values[i], VARSIZE_ANY(values[i]));
        pfree(values[i]);
    }
    if (!succeeded) {
        kuaimi_wipe((uint8_t *)VARDATA(result), allocated);
        report(function->name, &failure);
    }
    if (function->flags & KM_BOOLEAN) {
        const bool answer = *(uint8_t *)VARDATA(result) != 0;
        pfree(result);
        PG_RETURN_BOOL(answer);
    }
    SET_VARSIZE(result, VARHDRSZ + size);
    PG_RETURN_POINTER(result);
}

/* The names are not the library's: both are in one process. */
#define KUAIMI_FUNCTION(name)                  \
    PG_FUNCTION_INFO_V1(pg_kuaimi_##name);     \
    Datum pg_kuaimi_##name(PG_FUNCTION_ARGS)   \
    {                                          \
        return call(fcinfo, &km_##name);       \
    }

KUAIMI_FUNCTION(sm3)
KUAIMI_FUNCTION(hmac_sm3)
KUAIMI_FUNCTION(sm4_encrypt)
KUAIMI_FUNCTION(sm4_decrypt)
KUAIMI_FUNCTION(sm4_cbc_encrypt)
KUAIMI_FUNCTION(sm4_cbc_decrypt)
KUAIMI_FUNCTION(sm2_sign)
KUAIMI_FUNCTION(sm2_verify)
KUAIMI_FUNCTION(sm2_encrypt)
KUAIMI_FUNCTION(sm2_decrypt)
KUAIMI_FUNCTION(kuaimi_version)

/* sm3_agg: the digest of all rows' bytes, one after another. */

typedef struct {
    MemoryContextCallback at_end;
    kuaimi_sm3 *hash;
} digest_state;

static void end_of_digest(void *state)
{
    kuaimi_sm3_free(((digest_state *)state)->hash);
}

static void check(kuaimi_error error)
{
    km_failure failure;
    if (error != KUAIMI_OK) {
        km_fail(&failure, error);
        report("sm3_agg", &failure);
    }
}

PG_FUNCTION_INFO_V1(pg_kuaimi_sm3_agg_step);
Datum pg_kuaimi_sm3_agg_step(PG_FUNCTION_ARGS)
{
    digest_state *state = PG_ARGISNULL(0) ? NULL : (digest_state *)PG_GETARG_POINTER(0);
    MemoryContext context;
    struct varlena *value;

    if (!AggCheckCallContext(fcinfo, &context))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("sm3_agg_step is called by the aggregate sm3_agg alone")));
    if (PG_ARGISNULL(1)) {
        if (state == NULL)
            PG_RETURN_NULL();
        PG_RETURN_POINTER(state);
    }
    value = PG_DETOAST_DATUM_PACKED(PG_GETARG_DATUM(1));
    if (state == NULL) {
        /* The callback is there before the handle, which is freed with the aggregate's memory, also after an error. */
        state = MemoryContextAllocZero(context, sizeof *state);
        state->at_end.func = end_of_digest;
        state->at_end.arg = state;
        MemoryContextRegisterResetCallback(context, &state->at_end);
        check(kuaimi_sm3_new(&state->hash));
    }
    check(kuaimi_sm3_update(state->hash, (const uint8_t *)VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)));
    if ((Pointer)value != DatumGetPointer(PG_GETARG_DATUM(1)))
        pfree(value);
    PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(pg_kuaimi_sm3_agg_finish);
Datum pg_kuaimi_sm3_agg_finish(PG_FUNCTION_ARGS)
{
    kuaimi_sm3 *copy = NULL;
    kuaimi_error error;
    struct varlena *result;

    if (!AggCheckCallContext(fcinfo, NULL))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("sm3_agg_finish is called by the aggregate sm3_agg alone")));
    if (PG_ARGISNULL(0))
        PG_RETURN_NULL();
    result = palloc(VARHDRSZ + KUAIMI_SM3_DIGEST_LEN);
    SET_VARSIZE(result, VARHDRSZ + KUAIMI_SM3_DIGEST_LEN);
    /* A window goes on with the state after this. */
    error = kuaimi_sm3_clone(((digest_state *)PG_GETARG_POINTER(0))->hash, &copy);
    if (error == KUAIMI_OK)
        error = kuaimi_sm3_finish(copy, (uint8_t *)VARDATA(result));
    kuaimi_sm3_free(copy);
    check(error);
    PG_RETURN_POINTER(result);
}
