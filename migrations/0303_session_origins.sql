-- Where each session was last renewed: only displayed, to its owner and to managers. Not authenticated by a MAC. Deleted
-- with its session.
CREATE TABLE journal.session_origins (
    tenant  text COLLATE "C" NOT NULL,
    session uuid             NOT NULL,
    browser text COLLATE "C" NOT NULL,
    system  text COLLATE "C" NOT NULL,
    address text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, session),
    FOREIGN KEY (tenant, session) REFERENCES journal.sessions (tenant, id) ON DELETE CASCADE
);
ALTER TABLE journal.session_origins ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.session_origins FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.session_origins USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE ON journal.session_origins TO caudal_node;
