-- Client secrets of providers of single sign-on, encrypted under a key of the key file. Which provider is in force stands in
-- the log.
CREATE TABLE journal.sign_on_secrets (
    tenant   text COLLATE "C" NOT NULL,
    provider uuid             NOT NULL,
    sealed   bytea            NOT NULL,
    mac      bytea,
    PRIMARY KEY (tenant, provider)
);
ALTER TABLE journal.sign_on_secrets ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.sign_on_secrets FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.sign_on_secrets USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.sign_on_secrets TO caudal_node;

-- Which login of a provider is which party: keyed hash of the provider's name for it. Bound at the first login, by its
-- verified e-mail address.
CREATE TABLE journal.sign_on_subjects (
    tenant   text COLLATE "C" NOT NULL,
    provider uuid             NOT NULL,
    subject  bytea            NOT NULL CHECK (octet_length(subject) = 32),
    party    uuid             NOT NULL,
    bound_at timestamptz      NOT NULL,
    mac      bytea,
    PRIMARY KEY (tenant, provider, subject)
);
CREATE UNIQUE INDEX sign_on_subjects_of_a_party ON journal.sign_on_subjects (tenant, provider, party);
ALTER TABLE journal.sign_on_subjects ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.sign_on_subjects FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.sign_on_subjects USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.sign_on_subjects TO caudal_node;
