-- Tallies: how many rows big lists have, by what they can be narrowed by, in blocks of positions. Exact totals and far
-- pages come from them rather than from counting and skipping rows.
--
-- The read models are disposable: they are emptied, and built anew by the projector.

DO $$
DECLARE
    names text;
BEGIN
    SELECT string_agg(format('read.%I', tablename), ', ') INTO names FROM pg_tables WHERE schemaname = 'read';
    EXECUTE 'TRUNCATE ' || names;
END
$$;

-- `part` is a row's state, where the list has one; `amount` adds up what rows have of `currency`.
CREATE TABLE read.tallies (
    tenant    text COLLATE "C" NOT NULL,
    list      text COLLATE "C" NOT NULL,
    dimension text COLLATE "C" NOT NULL,
    value     text COLLATE "C" NOT NULL,
    currency  text COLLATE "C" NOT NULL,
    part      smallint NOT NULL,
    block     integer  NOT NULL,
    rows      bigint   NOT NULL,
    amount    bigint   NOT NULL,
    PRIMARY KEY (tenant, list, dimension, value, currency, part, block)
) WITH (fillfactor = 70);

ALTER TABLE read.tallies ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.tallies FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.tallies USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON read.tallies TO caudal_node;

-- Where a customer was registered: the order of the lists.
ALTER TABLE read.customers ADD COLUMN position bigint NOT NULL;
DROP INDEX read.customers_by_kind, read.customers_by_owner;
CREATE INDEX customers_by_kind  ON read.customers (tenant, kind, position) WHERE NOT deleted;
CREATE INDEX customers_by_owner ON read.customers (tenant, owner, kind, position) WHERE NOT deleted;
