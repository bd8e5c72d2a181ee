-- `journal.micros` failed for times from 294247 on, whose microseconds since 1970 are no bigint, and so did every query over a table in
-- which somebody had written one: the reports of all tenants, and `caudal verify`.
CREATE OR REPLACE FUNCTION journal.micros(moment timestamptz) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN isfinite(moment) AND moment < timestamptz '200000-01-01 00:00:00+00'
                THEN (extract(epoch FROM moment) * 1000000)::bigint END
$$;
