-- Passkeys (docs/decisions/passkeys.md). Which ones are in force stands in the log; a row that is in no event logs nobody in.
CREATE TABLE journal.passkeys (
    tenant          text COLLATE "C" NOT NULL,
    factor          uuid             NOT NULL,
    party           uuid             NOT NULL,
    -- The authenticator's id of the credential, and its public key as COSE.
    credential      bytea            NOT NULL CHECK (octet_length(credential) BETWEEN 1 AND 1023),
    public_key      bytea            NOT NULL CHECK (octet_length(public_key) <= 2048),
    -- Counter of the last signature, 0 from authenticators without one.
    sign_count      bigint           NOT NULL CHECK (sign_count >= 0),
    -- When the challenge of the last signature was made: none of that time or an earlier one is accepted again.
    last_challenge  timestamptz      NOT NULL,
    -- Its owner's name for it, encrypted.
    name            bytea            NOT NULL,
    created_at      timestamptz      NOT NULL,
    used_at         timestamptz,
    mac             bytea,
    PRIMARY KEY (tenant, factor),
    UNIQUE (tenant, credential)
);
CREATE INDEX passkeys_of_a_party ON journal.passkeys (tenant, party);
ALTER TABLE journal.passkeys ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.passkeys FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.passkeys USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.passkeys TO caudal_node;
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.passkeys
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
