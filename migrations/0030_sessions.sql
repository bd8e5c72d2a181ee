-- Sessions: a login and the refresh tokens that follow from it, one after the other. Only the hash of the
-- token in force is kept. A token presented that is not the one in force was used before, by its owner or by
-- whoever copied it, so the whole session ends.
CREATE TABLE journal.sessions (
    tenant     text COLLATE "C" NOT NULL,
    id         uuid        NOT NULL,
    party      uuid        NOT NULL,
    token_hash bytea       NOT NULL CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL,
    renewed_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at   timestamptz,
    -- 'logout', 'reuse', 'password' or 'limit'
    ended_by   text,
    PRIMARY KEY (tenant, id),
    CONSTRAINT sessions_ended_with_a_reason CHECK ((ended_at IS NULL) = (ended_by IS NULL))
);

CREATE INDEX sessions_of_a_party ON journal.sessions (tenant, party, created_at) WHERE ended_at IS NULL;
CREATE INDEX sessions_to_forget ON journal.sessions (tenant, expires_at);

-- Files: what was uploaded, by the hash of its content, which is also its name in the store.
CREATE TABLE journal.files (
    tenant     text COLLATE "C" NOT NULL,
    hash       text COLLATE "C" NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    media_type text        NOT NULL,
    size       bigint      NOT NULL CHECK (size > 0),
    stored_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant, hash)
);

-- Whose a file is: who may see one of its owners may see it. An uploader owns what it uploaded.
CREATE TABLE journal.file_owners (
    tenant text COLLATE "C" NOT NULL,
    hash   text COLLATE "C" NOT NULL,
    -- 'party' or 'remittance'
    kind   text COLLATE "C" NOT NULL,
    owner  uuid NOT NULL,
    PRIMARY KEY (tenant, hash, kind, owner),
    FOREIGN KEY (tenant, hash) REFERENCES journal.files (tenant, hash)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['sessions', 'files', 'file_owners']
    LOOP
        EXECUTE format('ALTER TABLE journal.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE journal.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY own_tenant ON journal.%I USING (tenant = NULLIF(current_setting(''caudal.tenant'', true), ''''))',
            name);
    END LOOP;
END
$$;

GRANT SELECT, INSERT, UPDATE, DELETE ON journal.sessions    TO caudal_node;
GRANT SELECT, INSERT                 ON journal.files       TO caudal_node;
GRANT SELECT, INSERT                 ON journal.file_owners TO caudal_node;
