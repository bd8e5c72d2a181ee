-- Figures of periods. What moves an account for one reason is a flow, whose running total stands on every line; what a
-- seller sells in a group has running totals likewise. Between any two positions a figure is one running total less
-- another, so that a day, a year and a closure cost the same.
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

-- An account's transfers of one code on one side. A reversal counts against the side that its transfer had first.
CREATE TABLE read.flows (
    tenant  text COLLATE "C" NOT NULL,
    account integer NOT NULL,
    code    text    COLLATE "C" NOT NULL,
    debited boolean NOT NULL,
    number  integer NOT NULL,
    total   bigint  NOT NULL,
    times   bigint  NOT NULL,
    PRIMARY KEY (tenant, account, code, debited),
    UNIQUE (tenant, number)
) WITH (fillfactor = 70);

-- The flow that a line belongs to, and how much and how often it flowed up to and with the line.
ALTER TABLE read.entry_lines
    ADD COLUMN flow       integer NOT NULL,
    ADD COLUMN flow_total bigint  NOT NULL,
    ADD COLUMN flow_times bigint  NOT NULL;
CREATE INDEX entry_lines_by_flow ON read.entry_lines (tenant, flow, position, line);

-- What a remittance leaves at the reference rate of the moment when it was quoted, in USD.
ALTER TABLE read.remittances ADD COLUMN margin bigint NOT NULL;

-- What a seller sold in a group so far. `sold` and `canceled` are counts, `amount` and `returned` USD sent; payouts,
-- fees and margin are net of what was canceled or edited away.
CREATE TABLE read.sales (
    tenant      text COLLATE "C" NOT NULL,
    seller      uuid    NOT NULL,
    group_id    uuid    NOT NULL,
    currency    text    COLLATE "C" NOT NULL,
    number      integer NOT NULL,
    sold        bigint  NOT NULL,
    canceled    bigint  NOT NULL,
    amount      bigint  NOT NULL,
    returned    bigint  NOT NULL,
    payout      bigint  NOT NULL,
    manager_fee bigint  NOT NULL,
    agency_fee  bigint  NOT NULL,
    agent_fee   bigint  NOT NULL,
    margin      bigint  NOT NULL,
    PRIMARY KEY (tenant, seller, group_id),
    UNIQUE (tenant, number)
) WITH (fillfactor = 70);

-- The same after each event that sells or takes back.
CREATE TABLE read.sale_lines (
    tenant      text COLLATE "C" NOT NULL,
    position    bigint   NOT NULL,
    line        smallint NOT NULL,
    sales       integer  NOT NULL,
    sold        bigint   NOT NULL,
    canceled    bigint   NOT NULL,
    amount      bigint   NOT NULL,
    returned    bigint   NOT NULL,
    payout      bigint   NOT NULL,
    manager_fee bigint   NOT NULL,
    agency_fee  bigint   NOT NULL,
    agent_fee   bigint   NOT NULL,
    margin      bigint   NOT NULL,
    PRIMARY KEY (tenant, position, line)
);
CREATE INDEX sale_lines_by_sales ON read.sale_lines (tenant, sales, position, line);

-- The remittances created on a local day and not canceled since, by who sold them. `amount` is what was sent, in USD.
CREATE TABLE read.remittance_days (
    tenant      text COLLATE "C" NOT NULL,
    day         date   NOT NULL,
    seller      uuid   NOT NULL,
    sold_by     uuid   NOT NULL,
    currency    text   COLLATE "C" NOT NULL,
    agency      uuid,
    remittances bigint NOT NULL,
    amount      bigint NOT NULL,
    payout      bigint NOT NULL,
    PRIMARY KEY (tenant, day, seller, sold_by, currency)
) WITH (fillfactor = 70);
CREATE INDEX remittance_days_by_agency ON read.remittance_days (tenant, agency, day) WHERE agency IS NOT NULL;
CREATE INDEX remittance_days_by_seller ON read.remittance_days (tenant, seller, day);

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['flows', 'sales', 'sale_lines', 'remittance_days']
    LOOP
        EXECUTE format('ALTER TABLE read.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE read.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format(
            'CREATE POLICY own_tenant ON read.%I USING (tenant = NULLIF(current_setting(''caudal.tenant'', true), ''''))',
            name);
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON read.%I TO caudal_node', name);
    END LOOP;
END
$$;
