-- What a command needs is looked up key by key, whatever the statistics say. For a tenant that the planner has not heard of
-- yet (a new one, or one that grew since the last ANALYZE) it expects one row in all, takes any index that begins with
-- the tenant, and reads the tenant's whole log to find ten streams of it: some 600 ms at 40,000 events, at every batch.
--
-- So the keys drive the loop, each looks up one stream in its order, which only the streams' own index has, and the plan
-- is made once for all tenants.
CREATE OR REPLACE FUNCTION journal.load(
    p_tenant        text,
    p_actors        text[],
    p_keys          text[],
    p_stream_types  text[],
    p_stream_ids    text[],
    p_claim_kinds   text[],
    p_claim_digests bytea[],
    p_subjects      uuid[]
) RETURNS TABLE (
    fact    text,    -- 'receipt'  | 'event'         | 'claim' | 'key'
    name    text,    -- actor      | aggregate_type  | kind    | master
    detail  text,    -- key        | aggregate_id    | –       | –
    id      uuid,    -- –          | –               | owner   | subject
    number  bigint,  -- position   | sequence        | –       | –
    place   bigint,  -- –          | position        | –       | –
    bytes   bytea,   -- digest     | –               | digest  | wrapped, NULL when forgotten
    label   text,    -- –          | event_type      | –       | –
    version text,    -- –          | event_version   | –       | –
    body    text     -- answer     | payload         | –       | –
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    IF cardinality(p_keys) > 0 THEN
        RETURN QUERY
            SELECT 'receipt', r.actor, r.key, NULL::uuid, r.position, NULL::bigint, r.digest, NULL, NULL, r.answer::text
              FROM unnest(p_actors, p_keys) AS w (actor, key)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.receipts AS x
                                  WHERE x.tenant = p_tenant AND x.actor = w.actor AND x.key = w.key OFFSET 0) AS r;
    END IF;

    IF cardinality(p_stream_ids) > 0 THEN
        RETURN QUERY
            SELECT 'event', e.aggregate_type, e.aggregate_id, NULL::uuid, e.sequence, e.position, NULL::bytea,
                   e.event_type, e.event_version, e.payload::text
              FROM unnest(p_stream_types, p_stream_ids) AS w (aggregate_type, aggregate_id)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.events AS x
                                  WHERE x.tenant = p_tenant AND x.aggregate_type = w.aggregate_type
                                    AND x.aggregate_id = w.aggregate_id
                                  ORDER BY x.sequence OFFSET 0) AS e;
    END IF;

    IF cardinality(p_claim_kinds) > 0 THEN
        RETURN QUERY
            SELECT 'claim', c.kind, NULL, c.owner, NULL::bigint, NULL::bigint, c.digest, NULL, NULL, NULL
              FROM unnest(p_claim_kinds, p_claim_digests) AS w (kind, digest)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.claims AS x
                                  WHERE x.tenant = p_tenant AND x.kind = w.kind AND x.digest = w.digest OFFSET 0) AS c;
    END IF;

    IF cardinality(p_subjects) > 0 THEN
        RETURN QUERY
            SELECT 'key', k.master, NULL, k.subject, NULL::bigint, NULL::bigint, k.wrapped, NULL, NULL, NULL
              FROM unnest(p_subjects) AS w (subject)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.subject_keys AS x
                                  WHERE x.tenant = p_tenant AND x.subject = w.subject OFFSET 0) AS k;
    END IF;
END
$$;
