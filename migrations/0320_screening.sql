-- Lists that customers are screened against, of the installation (`scope` '*') or of one tenant. `digest` covers the chunks,
-- `mac` the row: a list that was written without the key file is not used. Of the installation: see writer_leases.
CREATE TABLE journal.screening_lists (
    tenant    text COLLATE "C" NOT NULL DEFAULT '*' CHECK (tenant = '*'),
    scope     text COLLATE "C" NOT NULL,
    name      text COLLATE "C" NOT NULL,
    digest    bytea            NOT NULL,
    format    text COLLATE "C" NOT NULL,
    entries   integer          NOT NULL,
    names     integer          NOT NULL,
    published text,
    loaded_at timestamptz      NOT NULL,
    mac       bytea            NOT NULL,
    PRIMARY KEY (tenant, scope, name)
);
-- The entries of a list, some thousands a row.
CREATE TABLE journal.screening_chunks (
    tenant  text COLLATE "C" NOT NULL DEFAULT '*' CHECK (tenant = '*'),
    digest  bytea            NOT NULL,
    number  integer          NOT NULL,
    content text             NOT NULL,
    PRIMARY KEY (tenant, digest, number)
);
-- The screening of all customers of a tenant against the lists named by `lists`, and how far it is: a node holds the row
-- until `held_until`, so that one node at a time screens. `after` is the last customer screened. Without MAC: a changed row
-- screens people again or later; sales are screened without it.
CREATE TABLE journal.screening_runs (
    tenant      text COLLATE "C" NOT NULL,
    lists       bytea            NOT NULL,
    after       uuid,
    screened    integer          NOT NULL,
    total       integer          NOT NULL,
    found       integer          NOT NULL,
    started_at  timestamptz      NOT NULL,
    finished_at timestamptz,
    holder      uuid             NOT NULL,
    held_until  timestamptz      NOT NULL,
    PRIMARY KEY (tenant)
);
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['screening_lists', 'screening_chunks', 'screening_runs']
    LOOP
        EXECUTE format('ALTER TABLE journal.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE journal.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format($policy$
            CREATE POLICY own_tenant ON journal.%I
             USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''))$policy$, name);
    END LOOP;
END
$$;
GRANT SELECT, INSERT, UPDATE, DELETE
    ON journal.screening_lists, journal.screening_chunks, journal.screening_runs TO caudal_node;

-- Customers with candidates of a screening. `status`: open (one is not decided), confirmed (all that are left are the same
-- person), cleared or erased. `lists` names those of the candidates, with spaces around each; it, `score` and `candidates` are
-- personal data, null after erasure.
CREATE TABLE read.screening_cases (
    tenant     text COLLATE "C" NOT NULL,
    id         uuid             NOT NULL,
    position   bigint           NOT NULL,
    status     text COLLATE "C" NOT NULL,
    score      integer,
    lists      text COLLATE "C",
    candidates jsonb,
    found_at   timestamptz      NOT NULL,
    decided_at timestamptz,
    decided_by uuid,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX screening_cases_by_position ON read.screening_cases (tenant, position);
ALTER TABLE read.screening_cases ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.screening_cases FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.screening_cases USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON read.screening_cases TO caudal_node;
