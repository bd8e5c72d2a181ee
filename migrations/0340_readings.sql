-- Who read personal data: opened records, files and dossiers. Deleted after a time (docs/decisions/audit-of-reading.md).
CREATE TABLE journal.readings (
    tenant    text COLLATE "C" NOT NULL,
    id        uuid             NOT NULL,
    read_at   timestamptz      NOT NULL,
    -- Who read, and the party as which it was logged in to see: NULL when it read as itself.
    party     uuid             NOT NULL,
    viewed_as uuid,
    session   uuid             NOT NULL,
    -- 'customer', 'remittance', 'user', 'log', 'dossier', 'file', 'page' or 'viewing'
    kind      text COLLATE "C" NOT NULL,
    -- Record of which data was read; NULL for files of lists.
    subject   uuid,
    -- Path of the call in the contract, and format of a file.
    call      text COLLATE "C" NOT NULL,
    format    text COLLATE "C",
    mac       bytea,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX readings_by_time ON journal.readings (tenant, read_at, id);
CREATE INDEX readings_of_a_record ON journal.readings (tenant, subject, read_at);
CREATE INDEX readings_by_a_party ON journal.readings (tenant, party, read_at);
ALTER TABLE journal.readings ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.readings FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.readings USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, DELETE ON journal.readings TO caudal_node;
GRANT UPDATE (mac) ON journal.readings TO caudal_node;
