-- API keys. What authentication reads of a key is in the tenant's state; these rows are for people. `name` is personal data
-- of the party, null after its erasure.
CREATE TABLE read.api_keys (
    tenant              text COLLATE "C" NOT NULL,
    id                  uuid             NOT NULL,
    position            bigint           NOT NULL,
    party               uuid             NOT NULL,
    name                text,
    start               text COLLATE "C" NOT NULL,
    scopes              jsonb            NOT NULL,
    networks            jsonb            NOT NULL,
    requests_per_minute integer          NOT NULL,
    expires_at          timestamptz      NOT NULL,
    created_at          timestamptz      NOT NULL,
    created_by          uuid,
    rotated_at          timestamptz,
    previous_until      timestamptz,
    revoked_at          timestamptz,
    revoked_by          uuid,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX api_keys_by_position ON read.api_keys (tenant, position);
CREATE INDEX api_keys_by_party ON read.api_keys (tenant, party);
ALTER TABLE read.api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.api_keys USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON read.api_keys TO caudal_node;

-- When each API key was last used: only displayed, written at most once in some minutes. Not authenticated by a MAC.
CREATE TABLE journal.api_key_uses (
    tenant  text COLLATE "C" NOT NULL,
    key     uuid             NOT NULL,
    used_at timestamptz      NOT NULL,
    PRIMARY KEY (tenant, key)
);
ALTER TABLE journal.api_key_uses ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.api_key_uses FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.api_key_uses USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE ON journal.api_key_uses TO caudal_node;
