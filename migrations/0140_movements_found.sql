-- Movements are found by index, however many there are.

-- By number, as lists are searched: folded, between commas.
CREATE INDEX movements_search ON read.movements
    USING gin ((', ' || replace(lower(number), '-', ' ') || ' ,') public.gin_trgm_ops) WITH (gin_pending_list_limit = 256);
-- By kind, counted and paged through without a look at the rows.
CREATE INDEX movements_by_kind ON read.movements (tenant, kind, position) INCLUDE (to_party, id);

-- Behind its own policy a pattern could use no index. Parties, a few hundred, are looked through behind theirs.
CREATE POLICY search ON read.movements FOR SELECT TO caudal_search USING (true);
GRANT SELECT ON read.movements, read.parties TO caudal_search;

-- Movements whose number has all patterns.
CREATE FUNCTION read.numbered_movements(p_first text, p_all text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan TO off
AS $$
    SELECT m.id FROM read.movements AS m
     WHERE (m.tenant = NULLIF(current_setting('caudal.tenant', true), '')) IS TRUE
       AND ', ' || replace(lower(m.number), '-', ' ') || ' ,' LIKE p_first
       AND ', ' || replace(lower(m.number), '-', ' ') || ' ,' LIKE ALL (p_all)
$$;

-- Movements whose number and whose parties together have all patterns: those where the first is in the number, or in one of
-- the parties, looked at for the others.
CREATE FUNCTION read.search_movements(p_first text, p_all text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
SET enable_seqscan TO off SET enable_hashjoin TO off SET enable_mergejoin TO off
AS $$
    WITH own AS (SELECT NULLIF(current_setting('caudal.tenant', true), '') AS tenant),
         people AS MATERIALIZED (
             SELECT p.id FROM own JOIN read.parties AS p ON p.tenant = own.tenant WHERE p.search LIKE p_first),
         found AS (
             SELECT read.numbered_movements(p_first, ARRAY[p_first]) AS id
             UNION
             SELECT m.id FROM own CROSS JOIN people AS p
               JOIN read.movements AS m ON m.tenant = own.tenant AND m.from_party = p.id
             UNION
             SELECT m.id FROM own CROSS JOIN people AS p
               JOIN read.movements AS m ON m.tenant = own.tenant AND m.to_party = p.id)
    SELECT m.id FROM read.movements AS m
      LEFT JOIN read.parties AS f ON f.tenant = m.tenant AND f.id = m.from_party
      LEFT JOIN read.parties AS t ON t.tenant = m.tenant AND t.id = m.to_party
     WHERE m.tenant = NULLIF(current_setting('caudal.tenant', true), '') AND m.id = ANY (ARRAY(TABLE found))
       AND ', ' || replace(lower(m.number), '-', ' ') || ' ,' || coalesce(f.search, '') || coalesce(t.search, '')
           LIKE ALL (p_all)
$$;

GRANT CREATE ON SCHEMA read TO caudal_search;
ALTER FUNCTION read.numbered_movements(text, text[]) OWNER TO caudal_search;
ALTER FUNCTION read.search_movements(text, text[]) OWNER TO caudal_search;
REVOKE CREATE ON SCHEMA read FROM caudal_search;
REVOKE ALL ON FUNCTION read.numbered_movements(text, text[]), read.search_movements(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read.numbered_movements(text, text[]), read.search_movements(text, text[]) TO caudal_node;

CREATE OR REPLACE FUNCTION read.search_records(p_first text, p_all text[]) RETURNS SETOF text
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
    UNION SELECT id::text FROM read.numbered_movements(p_first, p_all) AS id
    UNION SELECT k.id::text FROM read.closures AS k
           WHERE k.tenant = NULLIF(current_setting('caudal.tenant', true), '')
             AND ', ' || replace(lower(k.number), '-', ' ') || ' ,' LIKE ALL (p_all)
$$;
