-- Orders and periods that lists and reports are asked for, found by index at any size.
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

CREATE INDEX remittances_by_updated ON read.remittances (tenant, updated_at, position);
CREATE INDEX remittances_by_amount  ON read.remittances (tenant, amount, position);
CREATE INDEX remittances_by_payout  ON read.remittances (tenant, payout, position);
-- When a dealer delivered it, or was given it.
CREATE INDEX remittances_by_handling ON read.remittances
    (tenant, (CASE WHEN completed_at IS NULL THEN assigned_at ELSE completed_at END))
    INCLUDE (completed_at, assigned_at, dealer, status, currency, agency, seller, amount, payout, distribution_fee)
    WHERE dealer IS NOT NULL;
CREATE INDEX remittances_by_representative ON read.remittances (tenant, completed_at) WHERE to_representative;

CREATE INDEX customers_by_name ON read.customers (tenant, kind, search, position);

-- What reports and figures of a period add up is in the index itself.
DROP INDEX read.remittances_by_position;
CREATE UNIQUE INDEX remittances_by_position ON read.remittances (tenant, position)
    INCLUDE (created_at, status, currency, recipient, amount, payout, manager_fee, total_to_pay);

-- Every change has the amounts of the remittance as they were then, so that a period's are added up where they are.
ALTER TABLE read.remittance_history
    ALTER COLUMN amount SET NOT NULL,
    ALTER COLUMN payout SET NOT NULL,
    ALTER COLUMN currency SET NOT NULL;

-- A search of several words finds those who have the three longest, each by index, and not all who have the longest. The
-- tenant is looked at in what is found: by an index of its own it is found by reading all that the tenant has.
CREATE OR REPLACE FUNCTION read.search_customers(p_first text, p_all text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan TO off
AS $$
    SELECT c.id FROM read.customers AS c
     WHERE (c.tenant = NULLIF(current_setting('caudal.tenant', true), '')) IS TRUE
       AND c.search LIKE p_first AND c.search LIKE coalesce(p_all[2], p_first) AND c.search LIKE coalesce(p_all[3], p_first)
       AND c.search LIKE ALL (p_all)
$$;

CREATE OR REPLACE FUNCTION read.search_remittances(p_first text, p_all text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
SET enable_seqscan TO off SET enable_hashjoin TO off SET enable_mergejoin TO off
AS $$
    WITH people AS MATERIALIZED (SELECT read.search_customers(p_first, p_all) AS id),
         own AS (SELECT NULLIF(current_setting('caudal.tenant', true), '') AS tenant)
    SELECT r.id FROM read.remittances AS r
     WHERE (r.tenant = NULLIF(current_setting('caudal.tenant', true), '')) IS TRUE
       AND r.search LIKE p_first AND r.search LIKE coalesce(p_all[2], p_first) AND r.search LIKE ALL (p_all)
    UNION
    SELECT r.id FROM own CROSS JOIN people AS p JOIN read.remittances AS r ON r.tenant = own.tenant AND r.sender = p.id
    UNION
    SELECT r.id FROM own CROSS JOIN people AS p JOIN read.remittances AS r ON r.tenant = own.tenant AND r.recipient = p.id
$$;

-- What is new in these is sorted in when 256 kB of it have come together, some 10 ms of work: at 4 MB, the default, somebody's
-- sale waits for 150 ms.
ALTER INDEX read.remittances_search SET (gin_pending_list_limit = 256);
ALTER INDEX read.customers_search SET (gin_pending_list_limit = 256);

-- Much changes in few rows of these: the newest.
ALTER TABLE read.remittances SET (autovacuum_vacuum_scale_factor = 0.02);
