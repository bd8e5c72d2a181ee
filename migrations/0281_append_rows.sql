-- An append takes one array of rows a table. Nodes of the version before go on calling journal.append_batch.

-- What an append writes, a type a table. Types of their own and not the tables', because nodes send them field by field: a
-- column that is added to a table changes nothing for the nodes that run. A field that an append gets later is a new type and
-- a new function beside these.
CREATE TYPE journal.new_event AS (
    aggregate_type text,
    aggregate_id   text,
    sequence       bigint,
    event_type     text,
    event_version  text,
    payload        text,
    metadata       text,
    hash           bytea
);
CREATE TYPE journal.new_receipt AS (actor text, key text, digest bytea, answer text, "position" bigint, mac bytea);
-- What an owner holds of a kind from now on; nothing where `digest` is NULL.
CREATE TYPE journal.claim_change AS (kind text, owner uuid, digest bytea, mac bytea);
CREATE TYPE journal.new_key AS (subject uuid, master text, wrapped bytea, mac bytea);
CREATE TYPE journal.new_credential AS (party uuid, hash text, mac bytea);
-- A person whose data key is destroyed, and the MAC of the row that stays.
CREATE TYPE journal.erased_key AS (subject uuid, mac bytea);

-- Appends one batch in one call, in autocommit: events and all rows beside them become true together or not at all.
-- The head advances only where its position, epoch, hash and time are those that the batch was decided on.
-- Returns one row, 'appended' with the new head or 'moved' with the head that was found instead, and no row when there
-- is no such tenant; it raises only for what should never happen. VOLATILE, so that every statement after the head's
-- lock sees what was committed before.
CREATE FUNCTION journal.append_rows(
    p_tenant           text,
    p_base_position    bigint,
    p_base_epoch       bigint,
    p_base_hash        bytea,
    p_base_recorded_at timestamptz,
    p_recorded_at      timestamptz,
    p_hash             bytea,
    p_events           journal.new_event[],
    p_receipts         journal.new_receipt[],
    p_claims           journal.claim_change[],
    p_keys             journal.new_key[],
    p_credentials      journal.new_credential[],
    p_erased           journal.erased_key[]
) RETURNS TABLE (status text, head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    v_erased uuid[] := ARRAY(SELECT f.subject FROM unnest(p_erased) AS f);
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    RETURN QUERY
        UPDATE journal.heads AS h
           SET position = p_base_position + cardinality(p_events), hash = p_hash, recorded_at = p_recorded_at
         WHERE h.tenant = p_tenant AND h.position = p_base_position AND h.epoch = p_base_epoch
           AND h.hash = p_base_hash AND h.recorded_at = p_base_recorded_at
     RETURNING 'appended', h.position, h.epoch, h.hash, h.recorded_at;
    IF NOT FOUND THEN
        RETURN QUERY
            SELECT 'moved', h.position, h.epoch, h.hash, h.recorded_at
              FROM journal.heads AS h WHERE h.tenant = p_tenant;
        RETURN;
    END IF;

    INSERT INTO journal.events
           (tenant, position, aggregate_type, aggregate_id, sequence, event_type, event_version,
            payload, metadata, recorded_at, hash)
    SELECT p_tenant, p_base_position + e.ordinality, e.aggregate_type, e.aggregate_id, e.sequence, e.event_type,
           e.event_version, e.payload::json, e.metadata::json, p_recorded_at, e.hash
      FROM unnest(p_events) WITH ORDINALITY AS e;

    IF cardinality(p_receipts) > 0 THEN
        INSERT INTO journal.receipts (tenant, actor, key, digest, answer, position, recorded_at, mac)
        SELECT p_tenant, r.actor, r.key, r.digest, r.answer::json, r.position, p_recorded_at, r.mac
          FROM unnest(p_receipts) AS r;
    END IF;

    IF cardinality(p_claims) > 0 THEN
        DELETE FROM journal.claims AS c
         USING unnest(p_claims) AS g
         WHERE c.tenant = p_tenant AND c.kind = g.kind AND c.owner = g.owner;
        INSERT INTO journal.claims (tenant, kind, digest, owner, mac)
        SELECT p_tenant, g.kind, g.digest, g.owner, g.mac FROM unnest(p_claims) AS g WHERE g.digest IS NOT NULL;
    END IF;

    IF cardinality(p_keys) > 0 THEN
        INSERT INTO journal.subject_keys (tenant, subject, master, wrapped, mac)
        SELECT p_tenant, k.subject, k.master, k.wrapped, k.mac FROM unnest(p_keys) AS k;
    END IF;

    IF cardinality(p_credentials) > 0 THEN
        INSERT INTO journal.credentials (tenant, party, hash, set_at, mac)
        SELECT p_tenant, c.party, c.hash, p_recorded_at, c.mac FROM unnest(p_credentials) AS c
        ON CONFLICT (tenant, party) DO UPDATE SET hash = EXCLUDED.hash, set_at = EXCLUDED.set_at, mac = EXCLUDED.mac;
    END IF;

    -- Whom the events forget: the keys become tombstones, and what these people signed in with is deleted.
    IF cardinality(p_erased) > 0 THEN
        INSERT INTO journal.subject_keys AS k (tenant, subject, master, wrapped, forgotten_at, mac)
        SELECT p_tenant, f.subject, NULL, NULL, p_recorded_at, f.mac FROM unnest(p_erased) AS f
        ON CONFLICT (tenant, subject)
        DO UPDATE SET master = NULL, wrapped = NULL, forgotten_at = EXCLUDED.forgotten_at, mac = EXCLUDED.mac
         WHERE k.forgotten_at IS NULL;
        -- Sessions first, as all who change both do: the other way round two of them could wait for each other.
        DELETE FROM journal.sessions    AS s WHERE s.tenant = p_tenant AND s.party = ANY (v_erased);
        DELETE FROM journal.credentials AS c WHERE c.tenant = p_tenant AND c.party = ANY (v_erased);
        DELETE FROM journal.reset_codes AS r WHERE r.tenant = p_tenant AND r.party = ANY (v_erased);
    END IF;
END
$$;
REVOKE ALL ON FUNCTION journal.append_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append_rows TO caudal_node;
