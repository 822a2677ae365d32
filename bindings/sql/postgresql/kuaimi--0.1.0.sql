-- docs/sql.md describes the functions. This file is never changed once it has been released: see there for updates.
\echo Use "CREATE EXTENSION kuaimi" to load this file. \quit

CREATE FUNCTION kuaimi_version() RETURNS text
    LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'pg_kuaimi_kuaimi_version';

CREATE FUNCTION sm3(data bytea) RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm3';
CREATE FUNCTION sm3(data text) RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm3';

CREATE FUNCTION sm3_agg_step(internal, bytea) RETURNS internal
    LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm3_agg_step';
CREATE FUNCTION sm3_agg_finish(internal) RETURNS bytea
    LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm3_agg_finish';
CREATE AGGREGATE sm3_agg(data bytea) (
    SFUNC = sm3_agg_step, STYPE = internal, SSPACE = 256, FINALFUNC = sm3_agg_finish, PARALLEL = SAFE
);

CREATE FUNCTION hmac_sm3(data bytea, key bytea) RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'pg_kuaimi_hmac_sm3';

CREATE FUNCTION sm4_encrypt(data bytea, key bytea, aad bytea DEFAULT '') RETURNS bytea
    LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm4_encrypt';
CREATE FUNCTION sm4_decrypt(data bytea, key bytea, aad bytea DEFAULT '') RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm4_decrypt';
CREATE FUNCTION sm4_cbc_encrypt(data bytea, key bytea, iv bytea) RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm4_cbc_encrypt';
CREATE FUNCTION sm4_cbc_decrypt(data bytea, key bytea, iv bytea) RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm4_cbc_decrypt';

CREATE FUNCTION sm2_sign(data bytea, private_key text, identity text DEFAULT '1234567812345678') RETURNS bytea
    LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 500 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm2_sign';
CREATE FUNCTION sm2_sign(data bytea, private_key bytea, identity text DEFAULT '1234567812345678') RETURNS bytea
    LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 500 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm2_sign';
CREATE FUNCTION sm2_verify(data bytea, signature bytea, public_key text, identity text DEFAULT '1234567812345678') RETURNS boolean
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm2_verify';
CREATE FUNCTION sm2_verify(data bytea, signature bytea, public_key bytea, identity text DEFAULT '1234567812345678') RETURNS boolean
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm2_verify';

CREATE FUNCTION sm2_encrypt(data bytea, public_key text, form text DEFAULT 'c1c3c2') RETURNS bytea
    LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 1000 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm2_encrypt';
CREATE FUNCTION sm2_encrypt(data bytea, public_key bytea, form text DEFAULT 'c1c3c2') RETURNS bytea
    LANGUAGE C VOLATILE STRICT PARALLEL SAFE COST 1000 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm2_encrypt';
CREATE FUNCTION sm2_decrypt(data bytea, private_key text, form text DEFAULT 'c1c3c2') RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm2_decrypt';
CREATE FUNCTION sm2_decrypt(data bytea, private_key bytea, form text DEFAULT 'c1c3c2') RETURNS bytea
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS 'MODULE_PATHNAME', 'pg_kuaimi_sm2_decrypt';
