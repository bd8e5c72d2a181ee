-- Sessions by which a manager sees what another party sees. Such a session is the party's, and reads only.
CREATE TABLE journal.viewings (
    tenant         text COLLATE "C" NOT NULL,
    session        uuid             NOT NULL,
    viewer         uuid             NOT NULL,
    viewer_session uuid             NOT NULL,
    mac            bytea,
    PRIMARY KEY (tenant, session),
    FOREIGN KEY (tenant, session) REFERENCES journal.sessions (tenant, id) ON DELETE CASCADE
);
ALTER TABLE journal.viewings ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.viewings FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.viewings USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE ON journal.viewings TO caudal_node;
