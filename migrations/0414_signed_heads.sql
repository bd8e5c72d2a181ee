-- Heads have a MAC under the key file, over tenant, position, hash and time: the owner of the database could append events whose
-- hashes are right, and every node believed them. Appends of nodes of earlier versions leave a head without one, which is taken
-- until the adoption of heads (`keyring.heads_began`, `keyring.heads_ended`) has ended.
ALTER TABLE journal.heads ADD COLUMN mac bytea CHECK (octet_length(mac) = 32);
ALTER TABLE journal.keyring
    ADD COLUMN heads_began timestamptz,
    ADD COLUMN heads_ended timestamptz,
    ADD COLUMN heads_mac   bytea,
    ADD CONSTRAINT keyring_heads_authenticated
        CHECK ((heads_began IS NULL) = (heads_mac IS NULL) AND (heads_ended IS NULL OR heads_began IS NOT NULL));
GRANT UPDATE (heads_began, heads_ended, heads_mac) ON journal.keyring TO caudal_node;

CREATE FUNCTION journal.signed_head(p_tenant text)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz,
               head_mac bytea)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    IF EXISTS (SELECT FROM journal.placements AS p WHERE p.tenant = p_tenant AND p.state IN ('left', 'arriving')) THEN
        RAISE EXCEPTION 'the tenant % lives in another cell', p_tenant USING ERRCODE = 'CA001';
    END IF;
    RETURN QUERY
        SELECT h.position, h.epoch, h.hash, h.recorded_at, h.mac FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;
REVOKE ALL ON FUNCTION journal.signed_head FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.signed_head TO caudal_node;

CREATE FUNCTION journal.look_signed(p_tenants text[], p_positions bigint[])
RETURNS TABLE (tenant text, head_position bigint, head_hash bytea, head_recorded_at timestamptz,
               end_hash bytea, end_recorded_at timestamptz, known_hash bytea, head_mac bytea)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    place integer;
BEGIN
    FOR place IN 1 .. cardinality(p_tenants) LOOP
        PERFORM set_config('caudal.tenant', p_tenants[place], true);
        RETURN QUERY
            SELECT h.tenant, h.position, h.hash, h.recorded_at, e.hash, e.recorded_at, k.hash, h.mac
              FROM journal.heads AS h
              LEFT JOIN journal.events AS e ON e.tenant = h.tenant AND e.position = h.position
              LEFT JOIN journal.events AS k ON k.tenant = h.tenant AND k.position = p_positions[place]
             WHERE h.tenant = p_tenants[place];
    END LOOP;
    PERFORM set_config('caudal.tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION journal.look_signed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.look_signed TO caudal_node;

CREATE FUNCTION journal.append_signed(
    p_tenant           text,
    p_base_position    bigint,
    p_base_epoch       bigint,
    p_base_hash        bytea,
    p_base_recorded_at timestamptz,
    p_recorded_at      timestamptz,
    p_hash             bytea,
    p_mac              bytea,
    p_events           journal.event_columns,
    p_receipts         journal.receipt_columns,
    p_claims           journal.claim_columns,
    p_keys             journal.key_columns,
    p_credentials      journal.credential_columns,
    p_erased           journal.erased_columns
) RETURNS text
LANGUAGE plpgsql VOLATILE
-- Otherwise every append of one sale would plan its insertions anew, a sixth of its time: arrays of known length look cheaper.
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
    v_done text;
BEGIN
    -- An assignment is evaluated at once; PERFORM would run a query.
    v_done := set_config('caudal.tenant', p_tenant, true);

    UPDATE journal.heads AS h
       SET position = p_base_position + coalesce(cardinality(p_events.hash), 0), hash = p_hash, recorded_at = p_recorded_at,
           mac = p_mac
     WHERE h.tenant = p_tenant AND h.position = p_base_position AND h.epoch = p_base_epoch
       AND h.hash = p_base_hash AND h.recorded_at = p_base_recorded_at;
    IF NOT FOUND THEN
        RETURN (SELECT 'moved' FROM journal.heads AS h WHERE h.tenant = p_tenant);
    END IF;

    -- Columns are unnested in the list of results, row by row: in FROM each would be stored first.
    IF cardinality(p_events.hash) > 0 THEN
        INSERT INTO journal.events
               (tenant, position, aggregate_type, aggregate_id, sequence, event_type, event_version,
                payload, metadata, recorded_at, hash)
        SELECT p_tenant, e.position, e.aggregate_type, e.aggregate_id, e.sequence, e.event_type, e.event_version,
               e.payload::json, e.metadata::json, p_recorded_at, e.hash
          FROM (SELECT generate_series(p_base_position + 1, p_base_position + cardinality(p_events.hash)) AS position,
                       unnest(p_events.aggregate_type) AS aggregate_type, unnest(p_events.aggregate_id) AS aggregate_id,
                       unnest(p_events.sequence) AS sequence, unnest(p_events.event_type) AS event_type,
                       unnest(p_events.event_version) AS event_version, unnest(p_events.payload) AS payload,
                       unnest(p_events.metadata) AS metadata, unnest(p_events.hash) AS hash) AS e;
    END IF;

    IF cardinality(p_receipts.key) > 0 THEN
        INSERT INTO journal.receipts (tenant, actor, key, digest, answer, position, recorded_at, mac)
        SELECT p_tenant, r.actor, r.key, r.digest, r.answer::json, r.position, p_recorded_at, r.mac
          FROM (SELECT unnest(p_receipts.actor) AS actor, unnest(p_receipts.key) AS key,
                       unnest(p_receipts.digest) AS digest, unnest(p_receipts.answer) AS answer,
                       unnest(p_receipts.position) AS position, unnest(p_receipts.mac) AS mac) AS r;
    END IF;

    IF cardinality(p_claims.owner) > 0 THEN
        DELETE FROM journal.claims AS c
         USING unnest(p_claims.kind, p_claims.owner) AS g (kind, owner)
         WHERE c.tenant = p_tenant AND c.kind = g.kind AND c.owner = g.owner;
        INSERT INTO journal.claims (tenant, kind, digest, owner, mac)
        SELECT p_tenant, g.kind, g.digest, g.owner, g.mac
          FROM unnest(p_claims.kind, p_claims.owner, p_claims.digest, p_claims.mac) AS g (kind, owner, digest, mac)
         WHERE g.digest IS NOT NULL;
    END IF;

    IF cardinality(p_keys.subject) > 0 THEN
        INSERT INTO journal.subject_keys (tenant, subject, master, wrapped, mac)
        SELECT p_tenant, k.subject, k.master, k.wrapped, k.mac
          FROM unnest(p_keys.subject, p_keys.master, p_keys.wrapped, p_keys.mac) AS k (subject, master, wrapped, mac);
    END IF;

    IF cardinality(p_credentials.party) > 0 THEN
        INSERT INTO journal.credentials (tenant, party, hash, set_at, mac)
        SELECT p_tenant, c.party, c.hash, p_recorded_at, c.mac
          FROM unnest(p_credentials.party, p_credentials.hash, p_credentials.mac) AS c (party, hash, mac)
        ON CONFLICT (tenant, party) DO UPDATE SET hash = EXCLUDED.hash, set_at = EXCLUDED.set_at, mac = EXCLUDED.mac;
    END IF;

    -- Whom the events forget: the keys become tombstones, and what these people signed in with is deleted.
    IF cardinality(p_erased.subject) > 0 THEN
        INSERT INTO journal.subject_keys AS k (tenant, subject, master, wrapped, forgotten_at, mac)
        SELECT p_tenant, f.subject, NULL, NULL, p_recorded_at, f.mac
          FROM unnest(p_erased.subject, p_erased.mac) AS f (subject, mac)
        ON CONFLICT (tenant, subject)
        DO UPDATE SET master = NULL, wrapped = NULL, forgotten_at = EXCLUDED.forgotten_at, mac = EXCLUDED.mac
         WHERE k.forgotten_at IS NULL;
        -- Sessions first, as all who change both do: the other way round two of them could wait for each other.
        DELETE FROM journal.sessions    AS s WHERE s.tenant = p_tenant AND s.party = ANY (p_erased.subject);
        DELETE FROM journal.credentials AS c WHERE c.tenant = p_tenant AND c.party = ANY (p_erased.subject);
        DELETE FROM journal.reset_codes AS r WHERE r.tenant = p_tenant AND r.party = ANY (p_erased.subject);
    END IF;

    RETURN 'appended';
END
$$;
REVOKE ALL ON FUNCTION journal.append_signed FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append_signed TO caudal_node;

CREATE FUNCTION journal.admit_unsigned() RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM 1 FROM journal.keyring AS k WHERE k.heads_ended IS NULL FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this node writes heads without a MAC, which are no longer taken'
              USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Start the node''s new version.';
    END IF;
END
$$;
REVOKE ALL ON FUNCTION journal.admit_unsigned FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.admit_unsigned TO caudal_node;

-- Appends of earlier versions.
CREATE OR REPLACE FUNCTION journal.append_columns(
    p_tenant           text,
    p_base_position    bigint,
    p_base_epoch       bigint,
    p_base_hash        bytea,
    p_base_recorded_at timestamptz,
    p_recorded_at      timestamptz,
    p_hash             bytea,
    p_events           journal.event_columns,
    p_receipts         journal.receipt_columns,
    p_claims           journal.claim_columns,
    p_keys             journal.key_columns,
    p_credentials      journal.credential_columns,
    p_erased           journal.erased_columns
) RETURNS text
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM journal.admit_unsigned();
    RETURN journal.append_signed(
               p_tenant, p_base_position, p_base_epoch, p_base_hash, p_base_recorded_at, p_recorded_at, p_hash, NULL, p_events,
               p_receipts, p_claims, p_keys, p_credentials, p_erased);
END
$$;

CREATE OR REPLACE FUNCTION journal.append_rows(
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
    v_status text;
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    PERFORM journal.admit_unsigned();
    v_status := journal.append_signed(
        p_tenant, p_base_position, p_base_epoch, p_base_hash, p_base_recorded_at, p_recorded_at, p_hash, NULL,
        ROW(ARRAY(SELECT e.aggregate_type FROM unnest(p_events) AS e),
            ARRAY(SELECT e.aggregate_id FROM unnest(p_events) AS e),
            ARRAY(SELECT e.sequence FROM unnest(p_events) AS e),
            ARRAY(SELECT e.event_type FROM unnest(p_events) AS e),
            ARRAY(SELECT e.event_version FROM unnest(p_events) AS e),
            ARRAY(SELECT e.payload FROM unnest(p_events) AS e),
            ARRAY(SELECT e.metadata FROM unnest(p_events) AS e),
            ARRAY(SELECT e.hash FROM unnest(p_events) AS e))::journal.event_columns,
        ROW(ARRAY(SELECT r.actor FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.key FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.digest FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.answer FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.position FROM unnest(p_receipts) AS r),
            ARRAY(SELECT r.mac FROM unnest(p_receipts) AS r))::journal.receipt_columns,
        ROW(ARRAY(SELECT g.kind FROM unnest(p_claims) AS g),
            ARRAY(SELECT g.owner FROM unnest(p_claims) AS g),
            ARRAY(SELECT g.digest FROM unnest(p_claims) AS g),
            ARRAY(SELECT g.mac FROM unnest(p_claims) AS g))::journal.claim_columns,
        ROW(ARRAY(SELECT k.subject FROM unnest(p_keys) AS k),
            ARRAY(SELECT k.master FROM unnest(p_keys) AS k),
            ARRAY(SELECT k.wrapped FROM unnest(p_keys) AS k),
            ARRAY(SELECT k.mac FROM unnest(p_keys) AS k))::journal.key_columns,
        ROW(ARRAY(SELECT c.party FROM unnest(p_credentials) AS c),
            ARRAY(SELECT c.hash FROM unnest(p_credentials) AS c),
            ARRAY(SELECT c.mac FROM unnest(p_credentials) AS c))::journal.credential_columns,
        ROW(ARRAY(SELECT f.subject FROM unnest(p_erased) AS f),
            ARRAY(SELECT f.mac FROM unnest(p_erased) AS f))::journal.erased_columns);
    RETURN QUERY
        SELECT v_status, h.position, h.epoch, h.hash, h.recorded_at FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;

CREATE OR REPLACE FUNCTION journal.append_batch(
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
DECLARE
    v_status text;
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    PERFORM journal.admit_unsigned();
    v_status := journal.append_signed(
        p_tenant, p_base_position, p_base_epoch, p_base_hash, p_base_recorded_at, p_recorded_at, p_hash, NULL,
        ROW(p_aggregate_types, p_aggregate_ids, p_sequences, p_event_types, p_event_versions, p_payloads, p_metadata,
            p_hashes)::journal.event_columns,
        ROW(p_receipt_actors, p_receipt_keys, p_receipt_digests, p_receipt_answers, p_receipt_positions,
            p_receipt_macs)::journal.receipt_columns,
        ROW(p_claim_kinds, p_claim_owners, p_claim_digests, p_claim_macs)::journal.claim_columns,
        ROW(p_key_subjects, p_key_masters, p_key_wrapped, p_key_macs)::journal.key_columns,
        ROW(p_credential_parties, p_credential_hashes, p_credential_macs)::journal.credential_columns,
        ROW(p_forgotten, p_forgotten_macs)::journal.erased_columns);
    RETURN QUERY
        SELECT v_status, h.position, h.epoch, h.hash, h.recorded_at FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;

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
           SET position = p_position + cardinality(p_event_types), hash = p_hash, recorded_at = p_recorded_at, mac = NULL
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
