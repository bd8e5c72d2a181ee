-- The signed ends of logs that were taken, for the auditor to see which there are and to fetch one again. They prove
-- nothing here: what counts is the copy that stands elsewhere.
CREATE TABLE journal.checkpoints (
    tenant    text COLLATE "C" NOT NULL,
    position  bigint      NOT NULL,
    hash      bytea       NOT NULL,
    -- the name of the key that signed
    key       text COLLATE "C" NOT NULL,
    signed_at timestamptz NOT NULL,
    -- the file, as it was signed
    content   text        NOT NULL,
    -- A log that has not grown since is not kept twice; one that was rewritten shows up beside what it was.
    PRIMARY KEY (tenant, position, hash, key)
);
CREATE INDEX checkpoints_by_time ON journal.checkpoints (tenant, signed_at);

ALTER TABLE journal.checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.checkpoints FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.checkpoints
    USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, DELETE ON journal.checkpoints TO caudal_node;
