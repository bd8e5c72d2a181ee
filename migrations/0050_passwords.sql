-- Passwords that are changed, forgotten and set anew, and refresh tokens that survive a lost answer.

-- When its party last logged in or renewed a session; it outlives the sessions.
ALTER TABLE journal.credentials ADD COLUMN last_access timestamptz;

-- `password_of` is the `set_at` of the password that the session was opened with: another password ends it. NULL where
-- the session is older than this column; its own beginning counts then.
-- `previous_hash` is the token before the one in force, which was made from it with `rotation_salt` at `rotated_at`.
ALTER TABLE journal.sessions
    ADD COLUMN password_of   timestamptz,
    ADD COLUMN previous_hash bytea CHECK (octet_length(previous_hash) = 32),
    ADD COLUMN rotation_salt bytea CHECK (octet_length(rotation_salt) = 32),
    ADD COLUMN rotated_at    timestamptz,
    ADD CONSTRAINT sessions_rotated_whole
        CHECK ((previous_hash IS NULL) = (rotated_at IS NULL) AND (rotation_salt IS NULL) = (rotated_at IS NULL));

-- One-time codes by mail, one a party: the newest. Only a keyed hash of the code is kept.
CREATE TABLE journal.reset_codes (
    tenant     text COLLATE "C" NOT NULL,
    party      uuid        NOT NULL,
    code_hash  bytea       NOT NULL CHECK (octet_length(code_hash) = 32),
    tries      smallint    NOT NULL DEFAULT 0 CHECK (tries >= 0),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, party)
);
CREATE INDEX reset_codes_to_forget ON journal.reset_codes (tenant, expires_at);

ALTER TABLE journal.reset_codes ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.reset_codes FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.reset_codes
    USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.reset_codes TO caudal_node;
