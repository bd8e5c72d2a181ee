-- Lines of entries in fewer bytes: `read.postings` in place of `read.entry_lines` (docs/decisions/figures-of-periods.md). A line
-- took 335 bytes with its indexes. The code of its transfer stands in its flow, the amount once, and running totals of a flow at
-- the end of every 2048 positions in place of on each line, so that an index of lines goes.
--
-- Nodes of the version before go on with `read.entry_lines` until `caudal rebuild` has built the new tables.

CREATE TABLE read.postings (
    -- Columns by size, so that no bytes are lost to alignment.
    position      bigint           NOT NULL,
    amount        bigint           NOT NULL,
    balance_after bigint           NOT NULL,
    debits_after  bigint           NOT NULL,
    account       integer          NOT NULL,
    flow          integer          NOT NULL,
    line          smallint         NOT NULL,
    tenant        text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, position, line)
);
CREATE INDEX postings_by_account ON read.postings (tenant, account, position, line);

-- The last block of 2048 positions in which the flow has a posting.
ALTER TABLE read.flows ADD COLUMN block integer NOT NULL DEFAULT 0;

-- A flow's total and count at the end of a block of 2048 positions in which it has a posting, but for its last one.
CREATE TABLE read.flow_blocks (
    total  bigint           NOT NULL,
    times  bigint           NOT NULL,
    flow   integer          NOT NULL,
    block  integer          NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, flow, block)
);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['postings', 'flow_blocks'] LOOP
        EXECUTE format('ALTER TABLE read.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE read.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format($policy$
            CREATE POLICY own_tenant ON read.%I
             USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''))$policy$, name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON read.%I TO caudal_node', name);
    END LOOP;
    FOREACH name IN ARRAY ARRAY['flows', 'postings'] LOOP
        EXECUTE format('GRANT SELECT ON read.%I TO caudal_views', name);
        EXECUTE format('CREATE POLICY analysts ON read.%I FOR SELECT TO caudal_views USING (true)', name);
        EXECUTE format($policy$
            CREATE POLICY analysts_tenant ON read.%I AS RESTRICTIVE FOR SELECT TO caudal_views
             USING (tenant = (SELECT l.tenant FROM analytics.logins AS l WHERE l.login = session_user)
                    OR (SELECT pg_has_role(session_user, n.nspowner, 'USAGE')
                          FROM pg_namespace AS n WHERE n.nspname = 'read'))$policy$, name);
    END LOOP;
END
$$;

-- The same columns for analysts.
CREATE OR REPLACE VIEW analytics_v1.entry_lines AS
    SELECT l.position, l.line, l.account, f.code, a.currency,
           CASE WHEN l.line % 2 = 0 THEN l.amount ELSE 0 END AS debit_cents,
           CASE WHEN l.line % 2 = 0 THEN 0 ELSE l.amount END AS credit_cents,
           l.balance_after AS balance_after_cents
      FROM read.postings AS l
      JOIN read.accounts AS a ON a.tenant = l.tenant AND a.number = l.account
      JOIN read.flows AS f ON f.tenant = l.tenant AND f.number = l.flow;

-- A record has a handful of entries, so their order needs no index, and equal causes share an index entry.
CREATE INDEX entries_of_cause ON read.entries (tenant, cause);
DROP INDEX read.entries_by_cause;

-- JSON is never a condition. Comparing 30,000 such values took half of an ANALYZE.
ALTER TABLE read.remittances ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE read.customers ALTER COLUMN details SET STATISTICS 0;
