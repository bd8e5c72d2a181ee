-- Rows beside the log are authenticated, and an append names the hash that it builds on.
--
-- `mac` is an HMAC-SHA-256, under a key of the key file, of the table's name, the tenant and the row's columns. A node
-- refuses a row that does not fit its MAC. Without the key file nobody can make one.
-- The tables in the order in which nodes write them, so that nodes at work and this migration do not wait for each other.
ALTER TABLE journal.snapshots    ADD COLUMN mac bytea;
ALTER TABLE journal.receipts     ADD COLUMN mac bytea;
ALTER TABLE journal.claims       ADD COLUMN mac bytea;
ALTER TABLE journal.subject_keys ADD COLUMN mac bytea;
ALTER TABLE journal.sessions     ADD COLUMN mac bytea;
-- Without `last_access`, which is shown and decides nothing: the MAC would change at every login.
ALTER TABLE journal.credentials  ADD COLUMN mac bytea;
ALTER TABLE journal.reset_codes  ADD COLUMN mac bytea;
ALTER TABLE journal.files        ADD COLUMN mac bytea;
ALTER TABLE journal.file_owners  ADD COLUMN mac bytea;

-- Rows of before have no MAC. From `adoption_began` to `adoption_ended` they are given one; afterwards a row without a
-- MAC is refused. `adoption_mac` binds both moments, so that neither can be moved or taken back without the key file.
ALTER TABLE journal.keyring
    ADD COLUMN adoption_began timestamptz,
    ADD COLUMN adoption_ended timestamptz,
    ADD COLUMN adoption_mac   bytea,
    ADD CONSTRAINT keyring_adoption_authenticated
        CHECK ((adoption_began IS NULL) = (adoption_mac IS NULL) AND (adoption_ended IS NULL OR adoption_began IS NOT NULL));
GRANT UPDATE (adoption_began, adoption_ended, adoption_mac) ON journal.keyring TO caudal_node;

-- Giving MACs to rows that have none.
GRANT UPDATE (mac) ON journal.receipts, journal.claims, journal.files, journal.file_owners TO caudal_node;

-- A moment in microseconds since 1970, which is what a MAC covers; NULL for 'infinity', which is no moment.
CREATE FUNCTION journal.micros(moment timestamptz) RETURNS bigint
LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT CASE WHEN isfinite(moment) THEN (extract(epoch FROM moment) * 1000000)::bigint END $$;

-- A node of before changes rows and leaves the MAC of what stood there. Such a row counts as one without a MAC.
CREATE FUNCTION journal.drop_stale_mac() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
    IF NEW IS DISTINCT FROM OLD THEN
        NEW.mac := NULL;
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER drop_stale_mac BEFORE UPDATE ON journal.subject_keys FOR EACH ROW
    WHEN (NEW.mac IS NOT DISTINCT FROM OLD.mac) EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER drop_stale_mac BEFORE UPDATE OF party, hash, set_at ON journal.credentials FOR EACH ROW
    WHEN (NEW.mac IS NOT DISTINCT FROM OLD.mac) EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER drop_stale_mac BEFORE UPDATE ON journal.snapshots FOR EACH ROW
    WHEN (NEW.mac IS NOT DISTINCT FROM OLD.mac) EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER drop_stale_mac BEFORE UPDATE ON journal.sessions FOR EACH ROW
    WHEN (NEW.mac IS NOT DISTINCT FROM OLD.mac) EXECUTE FUNCTION journal.drop_stale_mac();
CREATE TRIGGER drop_stale_mac BEFORE UPDATE ON journal.reset_codes FOR EACH ROW
    WHEN (NEW.mac IS NOT DISTINCT FROM OLD.mac) EXECUTE FUNCTION journal.drop_stale_mac();

-- Appends one batch in one call, in autocommit: events and all rows beside them become true together or not at all.
-- The head advances only where its position, epoch, hash and time are those that the batch was decided on.
-- Returns one row, 'appended' with the new head or 'moved' with the head that was found instead, and no row when there
-- is no such tenant; it raises only for what should never happen. VOLATILE, so that every statement after the head's
-- lock sees what was committed before.
CREATE FUNCTION journal.append_batch(
    p_tenant             text,
    p_base_position      bigint,
    p_base_epoch         bigint,
    p_base_hash          bytea,
    p_base_recorded_at   timestamptz,
    p_recorded_at        timestamptz,
    p_hash               bytea,
    p_aggregate_types    text[],
    p_aggregate_ids      text[],
    p_sequences          bigint[],
    p_event_types        text[],
    p_event_versions     text[],
    p_payloads           text[],
    p_metadata           text[],
    p_hashes             bytea[],
    p_receipt_actors     text[],
    p_receipt_keys       text[],
    p_receipt_digests    bytea[],
    p_receipt_answers    text[],
    p_receipt_positions  bigint[],
    p_receipt_macs       bytea[],
    p_claim_kinds        text[],
    p_claim_owners       uuid[],
    p_claim_digests      bytea[],
    p_claim_macs         bytea[],
    p_key_subjects       uuid[],
    p_key_masters        text[],
    p_key_wrapped        bytea[],
    p_key_macs           bytea[],
    p_credential_parties uuid[],
    p_credential_hashes  text[],
    p_credential_macs    bytea[],
    p_forgotten          uuid[],
    p_forgotten_macs     bytea[]
) RETURNS TABLE (status text, head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    RETURN QUERY
        UPDATE journal.heads AS h
           SET position = p_base_position + cardinality(p_event_types), hash = p_hash, recorded_at = p_recorded_at
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
    SELECT p_tenant, p_base_position + e.n, e.aggregate_type, e.aggregate_id, e.sequence, e.event_type, e.event_version,
           e.payload::json, e.metadata::json, p_recorded_at, e.hash
      FROM unnest(p_aggregate_types, p_aggregate_ids, p_sequences, p_event_types, p_event_versions,
                  p_payloads, p_metadata, p_hashes) WITH ORDINALITY
           AS e (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, hash, n);

    IF cardinality(p_receipt_keys) > 0 THEN
        INSERT INTO journal.receipts (tenant, actor, key, digest, answer, position, recorded_at, mac)
        SELECT p_tenant, r.actor, r.key, r.digest, r.answer::json, r.position, p_recorded_at, r.mac
          FROM unnest(p_receipt_actors, p_receipt_keys, p_receipt_digests, p_receipt_answers, p_receipt_positions,
                      p_receipt_macs)
               AS r (actor, key, digest, answer, position, mac);
    END IF;

    IF cardinality(p_claim_kinds) > 0 THEN
        DELETE FROM journal.claims AS c
         USING unnest(p_claim_kinds, p_claim_owners) AS g (kind, owner)
         WHERE c.tenant = p_tenant AND c.kind = g.kind AND c.owner = g.owner;
        INSERT INTO journal.claims (tenant, kind, digest, owner, mac)
        SELECT p_tenant, g.kind, g.digest, g.owner, g.mac
          FROM unnest(p_claim_kinds, p_claim_owners, p_claim_digests, p_claim_macs) AS g (kind, owner, digest, mac)
         WHERE g.digest IS NOT NULL;
    END IF;

    IF cardinality(p_key_subjects) > 0 THEN
        INSERT INTO journal.subject_keys (tenant, subject, master, wrapped, mac)
        SELECT p_tenant, k.subject, k.master, k.wrapped, k.mac
          FROM unnest(p_key_subjects, p_key_masters, p_key_wrapped, p_key_macs) AS k (subject, master, wrapped, mac);
    END IF;

    IF cardinality(p_credential_parties) > 0 THEN
        INSERT INTO journal.credentials (tenant, party, hash, set_at, mac)
        SELECT p_tenant, c.party, c.hash, p_recorded_at, c.mac
          FROM unnest(p_credential_parties, p_credential_hashes, p_credential_macs) AS c (party, hash, mac)
        ON CONFLICT (tenant, party) DO UPDATE SET hash = EXCLUDED.hash, set_at = EXCLUDED.set_at, mac = EXCLUDED.mac;
    END IF;

    -- Whom the events forget: the keys become tombstones, and what these people signed in with is deleted.
    IF cardinality(p_forgotten) > 0 THEN
        INSERT INTO journal.subject_keys AS k (tenant, subject, master, wrapped, forgotten_at, mac)
        SELECT p_tenant, f.subject, NULL, NULL, p_recorded_at, f.mac
          FROM unnest(p_forgotten, p_forgotten_macs) AS f (subject, mac)
        ON CONFLICT (tenant, subject)
        DO UPDATE SET master = NULL, wrapped = NULL, forgotten_at = EXCLUDED.forgotten_at, mac = EXCLUDED.mac
         WHERE k.forgotten_at IS NULL;
        -- Sessions first, as all who change both do: the other way round two of them could wait for each other.
        DELETE FROM journal.sessions    AS s WHERE s.tenant = p_tenant AND s.party = ANY (p_forgotten);
        DELETE FROM journal.credentials AS c WHERE c.tenant = p_tenant AND c.party = ANY (p_forgotten);
        DELETE FROM journal.reset_codes AS r WHERE r.tenant = p_tenant AND r.party = ANY (p_forgotten);
    END IF;
END
$$;

-- Nodes of before append as they did, without MACs, until the adoption has ended. The lock makes the end wait for them.
CREATE OR REPLACE FUNCTION journal.append(
    p_tenant            text,
    p_position          bigint,
    p_epoch             bigint,
    p_recorded_at       timestamptz,
    p_hash              bytea,
    p_aggregate_types   text[],
    p_aggregate_ids     text[],
    p_sequences         bigint[],
    p_event_types       text[],
    p_event_versions    text[],
    p_payloads          text[],
    p_metadata          text[],
    p_hashes            bytea[],
    p_receipt_actors    text[],
    p_receipt_keys      text[],
    p_receipt_digests   bytea[],
    p_receipt_answers   text[],
    p_receipt_positions bigint[],
    p_claim_kinds       text[],
    p_claim_owners      uuid[],
    p_claim_digests     bytea[],
    p_key_subjects      uuid[],
    p_key_masters       text[],
    p_key_wrapped       bytea[],
    p_credential_parties uuid[],
    p_credential_hashes  text[]
) RETURNS TABLE (status text, head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    PERFORM 1 FROM journal.keyring AS k WHERE k.adoption_ended IS NULL FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this node writes rows without a MAC, which are no longer taken'
              USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Start the node''s new version.';
    END IF;

    RETURN QUERY
        UPDATE journal.heads AS h
           SET position = p_position + cardinality(p_event_types), hash = p_hash, recorded_at = p_recorded_at
         WHERE h.tenant = p_tenant AND h.position = p_position AND h.epoch = p_epoch
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
    SELECT p_tenant, p_position + e.n, e.aggregate_type, e.aggregate_id, e.sequence, e.event_type, e.event_version,
           e.payload::json, e.metadata::json, p_recorded_at, e.hash
      FROM unnest(p_aggregate_types, p_aggregate_ids, p_sequences, p_event_types, p_event_versions,
                  p_payloads, p_metadata, p_hashes) WITH ORDINALITY
           AS e (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata, hash, n);

    IF cardinality(p_receipt_keys) > 0 THEN
        INSERT INTO journal.receipts (tenant, actor, key, digest, answer, position, recorded_at)
        SELECT p_tenant, r.actor, r.key, r.digest, r.answer::json, r.position, p_recorded_at
          FROM unnest(p_receipt_actors, p_receipt_keys, p_receipt_digests, p_receipt_answers, p_receipt_positions)
               AS r (actor, key, digest, answer, position);
    END IF;

    IF cardinality(p_claim_kinds) > 0 THEN
        DELETE FROM journal.claims AS c
         USING unnest(p_claim_kinds, p_claim_owners) AS g (kind, owner)
         WHERE c.tenant = p_tenant AND c.kind = g.kind AND c.owner = g.owner;
        INSERT INTO journal.claims (tenant, kind, digest, owner)
        SELECT p_tenant, g.kind, g.digest, g.owner
          FROM unnest(p_claim_kinds, p_claim_owners, p_claim_digests) AS g (kind, owner, digest)
         WHERE g.digest IS NOT NULL;
    END IF;

    IF cardinality(p_key_subjects) > 0 THEN
        INSERT INTO journal.subject_keys (tenant, subject, master, wrapped)
        SELECT p_tenant, k.subject, k.master, k.wrapped
          FROM unnest(p_key_subjects, p_key_masters, p_key_wrapped) AS k (subject, master, wrapped);
    END IF;

    IF cardinality(p_credential_parties) > 0 THEN
        INSERT INTO journal.credentials (tenant, party, hash, set_at)
        SELECT p_tenant, c.party, c.hash, p_recorded_at
          FROM unnest(p_credential_parties, p_credential_hashes) AS c (party, hash)
        ON CONFLICT (tenant, party) DO UPDATE SET hash = EXCLUDED.hash, set_at = EXCLUDED.set_at;
    END IF;
END
$$;

-- What a batch needs to be decided, in one call: a row a fact, told apart by `fact`, with what authenticates it. An
-- event comes with the hash that it has to follow from; a row beside the log with its MAC.
-- It takes the place of `journal.load`, which nodes of before go on calling, and finds rows by their keys as that does.
CREATE FUNCTION journal.load_facts(
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
    body    text,    -- answer     | payload         | –       | –
    micros  bigint,  -- recorded_at | recorded_at   | –       | forgotten_at
    proof   bytea,   -- mac        | hash            | mac     | mac
    before  bytea,   -- –          | hash before     | –       | –
    context text     -- –          | metadata        | –       | –
)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    IF cardinality(p_keys) > 0 THEN
        RETURN QUERY
            SELECT 'receipt', r.actor, r.key, NULL::uuid, r.position, NULL::bigint, r.digest, NULL, NULL, r.answer::text,
                   journal.micros(r.recorded_at), r.mac, NULL::bytea, NULL
              FROM unnest(p_actors, p_keys) AS w (actor, key)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.receipts AS x
                                  WHERE x.tenant = p_tenant AND x.actor = w.actor AND x.key = w.key OFFSET 0) AS r;
    END IF;

    IF cardinality(p_stream_ids) > 0 THEN
        RETURN QUERY
            SELECT 'event', e.aggregate_type, e.aggregate_id, NULL::uuid, e.sequence, e.position, NULL::bytea,
                   e.event_type, e.event_version, e.payload::text,
                   journal.micros(e.recorded_at), e.hash,
                   (SELECT p.hash FROM journal.events AS p WHERE p.tenant = p_tenant AND p.position = e.position - 1),
                   e.metadata::text
              FROM unnest(p_stream_types, p_stream_ids) AS w (aggregate_type, aggregate_id)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.events AS x
                                  WHERE x.tenant = p_tenant AND x.aggregate_type = w.aggregate_type
                                    AND x.aggregate_id = w.aggregate_id
                                  ORDER BY x.sequence OFFSET 0) AS e;
    END IF;

    IF cardinality(p_claim_kinds) > 0 THEN
        RETURN QUERY
            SELECT 'claim', c.kind, NULL, c.owner, NULL::bigint, NULL::bigint, c.digest, NULL, NULL, NULL,
                   NULL::bigint, c.mac, NULL::bytea, NULL
              FROM unnest(p_claim_kinds, p_claim_digests) AS w (kind, digest)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.claims AS x
                                  WHERE x.tenant = p_tenant AND x.kind = w.kind AND x.digest = w.digest OFFSET 0) AS c;
    END IF;

    IF cardinality(p_subjects) > 0 THEN
        RETURN QUERY
            SELECT 'key', k.master, NULL, k.subject, NULL::bigint, NULL::bigint, k.wrapped, NULL, NULL, NULL,
                   journal.micros(k.forgotten_at), k.mac, NULL::bytea, NULL
              FROM unnest(p_subjects) AS w (subject)
             CROSS JOIN LATERAL (SELECT x.* FROM journal.subject_keys AS x
                                  WHERE x.tenant = p_tenant AND x.subject = w.subject OFFSET 0) AS k;
    END IF;
END
$$;

REVOKE ALL ON FUNCTION journal.append_batch, journal.load_facts, journal.micros, journal.drop_stale_mac FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append_batch, journal.load_facts, journal.micros TO caudal_node;
