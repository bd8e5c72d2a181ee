-- When a session last gave a code of its party's second factor. Calls that need a fresh code are refused a while later.
CREATE TABLE journal.step_ups (
    tenant   text COLLATE "C" NOT NULL,
    session  uuid             NOT NULL,
    factor   uuid             NOT NULL,
    given_at timestamptz      NOT NULL,
    mac      bytea,
    PRIMARY KEY (tenant, session)
);
CREATE INDEX step_ups_to_delete ON journal.step_ups (tenant, given_at);
ALTER TABLE journal.step_ups ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.step_ups FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.step_ups USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.step_ups TO caudal_node;
