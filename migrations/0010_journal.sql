-- The journal: a tenant's event log, which is the only truth of its business, and what is backed up
-- with it. Every table is keyed by tenant first, and row-level security stands behind the tenant
-- filter of every query. docs/chain-format.md describes how `hash` is computed.

-- One row a tenant: the end of its log. Appending advances it, so that positions are gap-free and in
-- commit order and the hash chain cannot fork. `epoch` fences a statement whose fate is unknown.
CREATE TABLE journal.heads (
    tenant      text COLLATE "C" PRIMARY KEY,
    position    bigint      NOT NULL CHECK (position >= 0),
    hash        bytea       NOT NULL CHECK (octet_length(hash) = 32),
    epoch       bigint      NOT NULL DEFAULT 0,
    recorded_at timestamptz NOT NULL
) WITH (
    -- Updated at every append: room on the page keeps the updates off the index, and a vacuum by
    -- count keeps the page small however few tenants there are.
    fillfactor = 10,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 1000
);

-- The log. Column names are those of postgres-es, with tenant, position, time and hash added.
-- Payload and metadata are `json` and not `jsonb`: their exact text is what is hashed.
CREATE TABLE journal.events (
    tenant         text COLLATE "C" NOT NULL,
    position       bigint      NOT NULL CHECK (position > 0),
    aggregate_type text COLLATE "C" NOT NULL,
    aggregate_id   text COLLATE "C" NOT NULL,
    sequence       bigint      NOT NULL CHECK (sequence > 0),
    event_type     text        NOT NULL,
    event_version  text        NOT NULL,
    payload        json        NOT NULL,
    metadata       json        NOT NULL,
    recorded_at    timestamptz NOT NULL,
    hash           bytea       NOT NULL CHECK (octet_length(hash) = 32),
    PRIMARY KEY (tenant, position),
    UNIQUE (tenant, aggregate_type, aggregate_id, sequence)
);

-- What was answered to a command that carried an idempotency key. `digest` is an HMAC of the request,
-- so that the same key with another request is told apart without keeping the request.
CREATE TABLE journal.receipts (
    tenant      text COLLATE "C" NOT NULL,
    actor       text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    digest      bytea       NOT NULL CHECK (octet_length(digest) = 32),
    answer      json        NOT NULL,
    position    bigint      NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, actor, key)
);

-- Uniqueness: one owner a value, and one value an owner, of each kind. `digest` is an HMAC of the value.
CREATE TABLE journal.claims (
    tenant text COLLATE "C" NOT NULL,
    kind   text COLLATE "C" NOT NULL,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    owner  uuid  NOT NULL,
    PRIMARY KEY (tenant, kind, digest),
    CONSTRAINT claims_one_value_an_owner UNIQUE (tenant, kind, owner)
);

-- A person's data key, wrapped by the master key named in `master`, which is never in the database.
-- A forgotten person keeps the row without its key, so that no new key is ever made for them.
CREATE TABLE journal.subject_keys (
    tenant       text COLLATE "C" NOT NULL,
    subject      uuid NOT NULL,
    master       text,
    wrapped      bytea,
    forgotten_at timestamptz,
    PRIMARY KEY (tenant, subject),
    CONSTRAINT subject_keys_wrapped_or_forgotten
        CHECK ((wrapped IS NULL) = (forgotten_at IS NOT NULL) AND (wrapped IS NULL) = (master IS NULL))
);

-- What a party signs in with: an argon2 hash in its PHC string. Never part of an event.
CREATE TABLE journal.credentials (
    tenant text COLLATE "C" NOT NULL,
    party  uuid        NOT NULL,
    hash   text        NOT NULL,
    set_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, party)
);

-- A disposable cache of the books as of a position: valid only while the log's hash there is `hash`
-- and the state's schema is `fingerprint`.
CREATE TABLE journal.snapshots (
    tenant      text COLLATE "C" NOT NULL,
    fingerprint text        NOT NULL,
    position    bigint      NOT NULL,
    hash        bytea       NOT NULL,
    state       text        NOT NULL,
    written_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, fingerprint)
);

-- One row: proves that a node's key file is the one this database was written with.
CREATE TABLE journal.keyring (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    proof    bytea NOT NULL
);

-- Outside a transaction that has set its tenant no policy lets a row through. (After a SET LOCAL has
-- ended the setting is '' and not NULL.)
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['heads', 'events', 'receipts', 'claims', 'subject_keys', 'credentials', 'snapshots']
    LOOP
        EXECUTE format('ALTER TABLE journal.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE journal.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY own_tenant ON journal.%I USING (tenant = NULLIF(current_setting(''caudal.tenant'', true), ''''))',
            name);
    END LOOP;
END
$$;

-- The directory of tenants is read under the name '*', which no tenant can have.
CREATE POLICY directory ON journal.heads FOR SELECT
    USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

GRANT SELECT, INSERT, UPDATE         ON journal.heads        TO caudal_node;
GRANT SELECT, INSERT                 ON journal.events       TO caudal_node;
GRANT SELECT, INSERT                 ON journal.receipts     TO caudal_node;
GRANT SELECT, INSERT, DELETE         ON journal.claims       TO caudal_node;
GRANT SELECT, INSERT, UPDATE         ON journal.subject_keys TO caudal_node;
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.credentials  TO caudal_node;
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.snapshots    TO caudal_node;
GRANT SELECT, INSERT                 ON journal.keyring      TO caudal_node;

-- Appends one batch in one call, in autocommit: events, receipts, claims, keys and credentials become
-- true together or not at all. Returns one row, 'appended' with the new head or 'moved' with the head
-- that was found instead, and no row when there is no such tenant; it raises only for what should
-- never happen. VOLATILE, so that every statement after the head's lock sees what was committed before.
CREATE FUNCTION journal.append(
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

-- What a batch needs to be decided, in one call: a row a fact, told apart by `fact`.
-- Reads may be newer than the head the caller decides on: the append, or the head's confirmation,
-- then fails and everything is decided again.
CREATE FUNCTION journal.load(
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
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);

    IF cardinality(p_keys) > 0 THEN
        RETURN QUERY
            SELECT 'receipt', r.actor, r.key, NULL::uuid, r.position, NULL::bigint, r.digest, NULL, NULL, r.answer::text
              FROM unnest(p_actors, p_keys) AS w (actor, key)
              JOIN journal.receipts AS r ON r.tenant = p_tenant AND r.actor = w.actor AND r.key = w.key;
    END IF;

    IF cardinality(p_stream_ids) > 0 THEN
        RETURN QUERY
            SELECT 'event', e.aggregate_type, e.aggregate_id, NULL::uuid, e.sequence, e.position, NULL::bytea,
                   e.event_type, e.event_version, e.payload::text
              FROM unnest(p_stream_types, p_stream_ids) AS w (aggregate_type, aggregate_id)
              JOIN journal.events AS e
                ON e.tenant = p_tenant AND e.aggregate_type = w.aggregate_type AND e.aggregate_id = w.aggregate_id
             ORDER BY e.aggregate_type, e.aggregate_id, e.sequence;
    END IF;

    IF cardinality(p_claim_kinds) > 0 THEN
        RETURN QUERY
            SELECT 'claim', c.kind, NULL, c.owner, NULL::bigint, NULL::bigint, c.digest, NULL, NULL, NULL
              FROM unnest(p_claim_kinds, p_claim_digests) AS w (kind, digest)
              JOIN journal.claims AS c ON c.tenant = p_tenant AND c.kind = w.kind AND c.digest = w.digest;
    END IF;

    IF cardinality(p_subjects) > 0 THEN
        RETURN QUERY
            SELECT 'key', k.master, NULL, k.subject, NULL::bigint, NULL::bigint, k.wrapped, NULL, NULL, NULL
              FROM unnest(p_subjects) AS w (subject)
              JOIN journal.subject_keys AS k ON k.tenant = p_tenant AND k.subject = w.subject;
    END IF;
END
$$;

-- A tenant's head, or no row. In autocommit one round trip, with the tenant set for the policies.
CREATE FUNCTION journal.head(p_tenant text)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    RETURN QUERY
        SELECT h.position, h.epoch, h.hash, h.recorded_at FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;

-- Waits for, and from then on refuses, every append that was begun on the present epoch.
CREATE FUNCTION journal.fence(p_tenant text)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    RETURN QUERY
        UPDATE journal.heads AS h SET epoch = h.epoch + 1 WHERE h.tenant = p_tenant
     RETURNING h.position, h.epoch, h.hash, h.recorded_at;
END
$$;

REVOKE ALL ON FUNCTION journal.append, journal.load, journal.head, journal.fence FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.append, journal.load, journal.head, journal.fence TO caudal_node;
