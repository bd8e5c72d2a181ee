-- The auditor's view: events by time, a search over records of every kind, and verifications that were asked for.

-- Events come in the order of time, so that ranges of blocks say enough, and an append pays next to nothing.
CREATE INDEX events_by_time ON journal.events USING brin (recorded_at);

-- The streams, by id, whose record is found by its number, its name or what else lists of it are searched by.
CREATE FUNCTION read.search_records(p_first text, p_all text[]) RETURNS SETOF text
LANGUAGE sql STABLE SET search_path = pg_catalog, public
AS $$
    SELECT id::text FROM read.search_remittances(p_first, p_all) AS id
    UNION SELECT id::text FROM read.search_customers(p_first, p_all) AS id
    UNION SELECT p.id::text FROM read.parties AS p
           WHERE p.tenant = NULLIF(current_setting('caudal.tenant', true), '') AND p.search LIKE ALL (p_all)
    UNION SELECT g.id::text FROM read.payment_groups AS g
           WHERE g.tenant = NULLIF(current_setting('caudal.tenant', true), '') AND g.search LIKE ALL (p_all)
    UNION SELECT c.id::text FROM read.currencies AS c
           WHERE c.tenant = NULLIF(current_setting('caudal.tenant', true), '') AND c.search LIKE ALL (p_all)
    UNION SELECT m.id::text FROM read.movements AS m
           WHERE m.tenant = NULLIF(current_setting('caudal.tenant', true), '')
             AND ', ' || replace(lower(m.number), '-', ' ') || ' ,' LIKE ALL (p_all)
    UNION SELECT k.id::text FROM read.closures AS k
           WHERE k.tenant = NULLIF(current_setting('caudal.tenant', true), '')
             AND ', ' || replace(lower(k.number), '-', ' ') || ' ,' LIKE ALL (p_all)
$$;
REVOKE ALL ON FUNCTION read.search_records(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read.search_records(text, text[]) TO caudal_node;

-- Verifications asked for in the interface: one at a time a tenant, and the last ones. A node that dies leaves its
-- row unfinished; `told_at` shows that nobody works on it any more.
CREATE TABLE journal.verifications (
    tenant      text COLLATE "C" NOT NULL,
    id          uuid        NOT NULL,
    asked_by    uuid        NOT NULL,
    started_at  timestamptz NOT NULL,
    told_at     timestamptz NOT NULL,
    finished_at timestamptz,
    -- 'chain', then 'read_models'
    phase       text        NOT NULL,
    position    bigint      NOT NULL,
    head        bigint      NOT NULL,
    hash        bytea,
    -- 'whole', 'wrong' or 'failed', once it is finished
    outcome     text,
    findings    json        NOT NULL,
    PRIMARY KEY (tenant, id),
    CONSTRAINT verifications_finished_with_an_outcome CHECK ((finished_at IS NULL) = (outcome IS NULL))
);
CREATE UNIQUE INDEX verifications_one_at_a_time ON journal.verifications (tenant) WHERE finished_at IS NULL;
CREATE INDEX verifications_by_time ON journal.verifications (tenant, started_at);

ALTER TABLE journal.verifications ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.verifications FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.verifications
    USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.verifications TO caudal_node;
