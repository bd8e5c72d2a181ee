-- The read models: disposable, rebuilt from the journal by the projector. Every table is keyed by tenant first, and
-- row-level security stands behind the tenant filter of every query. Programs name the tables unqualified, with `read`
-- on the search path, so that a shadow can stand in for them.
--
-- Amounts are minor units (hundredths). `search` columns hold folded words (lower case, no accents), one field after
-- the other: ', maria perez , 5355512345 ,'.

CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;

-- How far a tenant's read models have got, and of which version they are. A projector of another version stands aside.
CREATE TABLE read.checkpoints (
    tenant   text COLLATE "C" PRIMARY KEY,
    position bigint  NOT NULL CHECK (position >= 0),
    version  integer NOT NULL
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE TABLE read.tenants (
    tenant    text COLLATE "C" PRIMARY KEY,
    name      text NOT NULL,
    time_zone text NOT NULL,
    opened_at timestamptz NOT NULL
);

CREATE TABLE read.currencies (
    tenant            text COLLATE "C" NOT NULL,
    id                uuid    NOT NULL,
    code              text    COLLATE "C" NOT NULL,
    symbol            text    NOT NULL,
    exchange_rate     numeric NOT NULL,
    distribution_rate bigint  NOT NULL,
    accounted         boolean NOT NULL,
    enabled           boolean NOT NULL,
    removed           boolean NOT NULL,
    search            text    COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE read.provinces (
    tenant  text COLLATE "C" NOT NULL,
    id      uuid    NOT NULL,
    code    text    COLLATE "C" NOT NULL,
    iso     text    COLLATE "C" NOT NULL,
    name    text    NOT NULL,
    enabled boolean NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE read.municipalities (
    tenant       text COLLATE "C" NOT NULL,
    id           uuid    NOT NULL,
    province     uuid    NOT NULL,
    code         text    COLLATE "C" NOT NULL,
    name         text    NOT NULL,
    fee          bigint,
    fee_currency text    COLLATE "C",
    enabled      boolean NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE read.payment_groups (
    tenant             text COLLATE "C" NOT NULL,
    id                 uuid    NOT NULL,
    name               text    NOT NULL,
    currency           text    COLLATE "C" NOT NULL,
    exchange_rate      numeric NOT NULL,
    manager_commission jsonb   NOT NULL,
    agency_commission  jsonb   NOT NULL,
    agent_commission   jsonb   NOT NULL,
    is_active          boolean NOT NULL,
    removed            boolean NOT NULL,
    search             text    COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, id)
);

-- `details` is what is personal: NULL once the person is forgotten, as are `name` and `search`.
CREATE TABLE read.parties (
    tenant     text COLLATE "C" NOT NULL,
    id         uuid    NOT NULL,
    role       text    COLLATE "C" NOT NULL,
    agency     uuid,
    dealer     uuid,
    is_active  boolean NOT NULL,
    province   uuid,
    zones      uuid[]  NOT NULL,
    handle_mlc boolean NOT NULL,
    name       text,
    details    jsonb,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    search     text    COLLATE "C",
    PRIMARY KEY (tenant, id)
);
CREATE INDEX parties_by_role   ON read.parties (tenant, role, created_at, id);
CREATE INDEX parties_by_agency ON read.parties (tenant, agency) WHERE agency IS NOT NULL;
CREATE INDEX parties_by_dealer ON read.parties (tenant, dealer) WHERE dealer IS NOT NULL;

CREATE TABLE read.party_terms (
    tenant        text COLLATE "C" NOT NULL,
    party         uuid    NOT NULL,
    group_id      uuid    NOT NULL,
    exchange_rate numeric NOT NULL,
    commission    jsonb   NOT NULL,
    name          text,
    is_active     boolean NOT NULL,
    credit_limit  bigint  NOT NULL,
    PRIMARY KEY (tenant, party, group_id)
);

CREATE TABLE read.customers (
    tenant         text COLLATE "C" NOT NULL,
    id             uuid    NOT NULL,
    kind           smallint NOT NULL,
    owner          uuid    NOT NULL,
    sender         uuid,
    is_active      boolean NOT NULL,
    deleted        boolean NOT NULL,
    province       uuid,
    municipality   uuid,
    name           text,
    phone          text,
    identification text,
    details        jsonb,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    search         text    COLLATE "C",
    PRIMARY KEY (tenant, id)
);
CREATE INDEX customers_by_kind   ON read.customers (tenant, kind, created_at, id) WHERE NOT deleted;
CREATE INDEX customers_by_owner  ON read.customers (tenant, owner, kind, created_at, id) WHERE NOT deleted;
CREATE INDEX customers_by_sender ON read.customers (tenant, sender) WHERE sender IS NOT NULL AND NOT deleted;
CREATE INDEX customers_search    ON read.customers USING gin (search public.gin_trgm_ops);

-- Card numbers are personal and kept in clear: NULL once the person is forgotten.
CREATE TABLE read.cards (
    tenant   text COLLATE "C" NOT NULL,
    id       uuid NOT NULL,
    customer uuid NOT NULL,
    brand    text COLLATE "C" NOT NULL,
    number   text,
    added_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX cards_by_customer ON read.cards (tenant, customer, added_at, id);

-- `position` is where it was sold: the order of creation and of the codes. Names are joined, so that renames show.
CREATE TABLE read.remittances (
    tenant           text COLLATE "C" NOT NULL,
    id               uuid     NOT NULL,
    position         bigint   NOT NULL,
    code             text     COLLATE "C" NOT NULL,
    status           smallint NOT NULL,
    seller           uuid     NOT NULL,
    agency           uuid,
    agent            uuid,
    sender           uuid     NOT NULL,
    recipient        uuid     NOT NULL,
    group_id         uuid     NOT NULL,
    reference        text,
    terms            jsonb    NOT NULL,
    amount           bigint   NOT NULL,
    payout           bigint   NOT NULL,
    currency         text     COLLATE "C" NOT NULL,
    exchange_rate    numeric  NOT NULL,
    manager_fee      bigint   NOT NULL,
    agency_fee       bigint   NOT NULL,
    agent_fee        bigint   NOT NULL,
    total_fee        bigint   NOT NULL,
    total_to_pay     bigint   NOT NULL,
    method           text     COLLATE "C" NOT NULL,
    province         uuid,
    municipality     uuid,
    card             uuid,
    brand            text     COLLATE "C",
    dealer           uuid,
    delivery_man     uuid,
    delivered_by     uuid,
    distribution_fee bigint,
    identification   text,
    signature        text,
    to_representative boolean NOT NULL,
    address          text,
    notes            text,
    reason           text,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    assigned_at      timestamptz,
    completed_at     timestamptz,
    canceled_at      timestamptz,
    search           text     COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX remittances_by_position ON read.remittances (tenant, position);
CREATE INDEX remittances_by_status       ON read.remittances (tenant, status, position);
CREATE INDEX remittances_by_agency       ON read.remittances (tenant, agency, position) WHERE agency IS NOT NULL;
CREATE INDEX remittances_by_seller       ON read.remittances (tenant, seller, position);
CREATE INDEX remittances_by_dealer       ON read.remittances (tenant, dealer, position) WHERE dealer IS NOT NULL;
CREATE INDEX remittances_by_delivery_man ON read.remittances (tenant, delivery_man, position) WHERE delivery_man IS NOT NULL;
CREATE INDEX remittances_by_sender       ON read.remittances (tenant, sender, position);
CREATE INDEX remittances_by_recipient    ON read.remittances (tenant, recipient, position);
CREATE INDEX remittances_by_created      ON read.remittances (tenant, created_at);
CREATE INDEX remittances_search          ON read.remittances USING gin (search public.gin_trgm_ops);

-- One row an event of a remittance.
CREATE TABLE read.remittance_history (
    tenant       text COLLATE "C" NOT NULL,
    remittance   uuid     NOT NULL,
    position     bigint   NOT NULL,
    at           timestamptz NOT NULL,
    change       text     COLLATE "C" NOT NULL,
    actor        uuid,
    role         text     COLLATE "C" NOT NULL,
    from_status  smallint,
    to_status    smallint NOT NULL,
    reason       text,
    dealer       uuid,
    delivery_man uuid,
    amount       bigint,
    payout       bigint,
    currency     text     COLLATE "C",
    PRIMARY KEY (tenant, remittance, position)
);
CREATE INDEX remittance_history_by_time ON read.remittance_history (tenant, at, position);

-- `balance` is debits less credits. `assigned` and `spent` count what a prepaid balance was given and sold, and what
-- cash was handed to a field party and delivered by it. `number` is the order in which accounts were first touched.
CREATE TABLE read.accounts (
    tenant   text COLLATE "C" NOT NULL,
    account  text COLLATE "C" NOT NULL,
    number   integer  NOT NULL,
    code     smallint NOT NULL,
    kind     text     COLLATE "C" NOT NULL,
    owner    uuid,
    group_id uuid,
    currency text     COLLATE "C" NOT NULL,
    balance  bigint   NOT NULL,
    debits   bigint   NOT NULL,
    credits  bigint   NOT NULL,
    assigned bigint   NOT NULL,
    spent    bigint   NOT NULL,
    last_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant, account),
    UNIQUE (tenant, number)
) WITH (fillfactor = 70);
CREATE INDEX accounts_by_owner ON read.accounts (tenant, owner) WHERE owner IS NOT NULL;

-- One row an event that moves money; its transfers are its lines, two by two: debited, credited.
CREATE TABLE read.entries (
    tenant     text COLLATE "C" NOT NULL,
    position   bigint  NOT NULL,
    at         timestamptz NOT NULL,
    event_type text    COLLATE "C" NOT NULL,
    cause_kind text    COLLATE "C" NOT NULL,
    cause      uuid    NOT NULL,
    actor      uuid,
    role       text    COLLATE "C" NOT NULL,
    reversal   boolean NOT NULL,
    PRIMARY KEY (tenant, position)
);
CREATE INDEX entries_by_time  ON read.entries (tenant, at, position);
CREATE INDEX entries_by_cause ON read.entries (tenant, cause, position);

-- The account's running figures after each line answer any past moment without adding anything up.
CREATE TABLE read.entry_lines (
    tenant        text COLLATE "C" NOT NULL,
    position      bigint   NOT NULL,
    line          smallint NOT NULL,
    account       integer  NOT NULL,
    code          text     COLLATE "C" NOT NULL,
    debit         bigint   NOT NULL,
    credit        bigint   NOT NULL,
    balance_after bigint   NOT NULL,
    debits_after  bigint   NOT NULL,
    PRIMARY KEY (tenant, position, line)
);
CREATE INDEX entry_lines_by_account ON read.entry_lines (tenant, account, position, line);

CREATE TABLE read.movements (
    tenant           text COLLATE "C" NOT NULL,
    id               uuid    NOT NULL,
    position         bigint  NOT NULL,
    number           text    COLLATE "C" NOT NULL,
    kind             text    COLLATE "C" NOT NULL,
    actor            uuid    NOT NULL,
    role             text    COLLATE "C" NOT NULL,
    from_party       uuid,
    to_party         uuid,
    group_id         uuid,
    amount           bigint  NOT NULL,
    currency         text    COLLATE "C" NOT NULL,
    counter_amount   bigint,
    counter_currency text    COLLATE "C",
    counter_rate     numeric,
    on_credit        boolean NOT NULL,
    debit            uuid,
    note             text,
    created_at       timestamptz NOT NULL,
    reversed_at      timestamptz,
    reversed_by      uuid,
    reverse_reason   text,
    PRIMARY KEY (tenant, id)
);
CREATE UNIQUE INDEX movements_by_position ON read.movements (tenant, position);
CREATE INDEX movements_by_from    ON read.movements (tenant, from_party, position) WHERE from_party IS NOT NULL;
CREATE INDEX movements_by_to      ON read.movements (tenant, to_party, position) WHERE to_party IS NOT NULL;
CREATE INDEX movements_by_created ON read.movements (tenant, created_at);

-- `creditor` is the agency that is owed; the manager where NULL.
CREATE TABLE read.debits (
    tenant      text COLLATE "C" NOT NULL,
    id          uuid    NOT NULL,
    position    bigint  NOT NULL,
    debtor      uuid    NOT NULL,
    creditor    uuid,
    amount      bigint  NOT NULL,
    paid        bigint  NOT NULL,
    void        boolean NOT NULL,
    origin      text    COLLATE "C" NOT NULL,
    origin_id   uuid    NOT NULL,
    opened_at   timestamptz NOT NULL,
    settled_at  timestamptz,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX debits_by_position ON read.debits (tenant, position);
CREATE INDEX debits_by_debtor   ON read.debits (tenant, debtor, position);
CREATE INDEX debits_by_creditor ON read.debits (tenant, creditor, position) WHERE creditor IS NOT NULL;

-- `movement` paid so much of `debit`; a payment taken back stays, undone.
CREATE TABLE read.debit_payments (
    tenant   text COLLATE "C" NOT NULL,
    movement uuid    NOT NULL,
    debit    uuid    NOT NULL,
    amount   bigint  NOT NULL,
    paid_at  timestamptz NOT NULL,
    undone_at timestamptz,
    PRIMARY KEY (tenant, movement, debit)
);
CREATE INDEX debit_payments_by_debit ON read.debit_payments (tenant, debit);

CREATE TABLE read.closures (
    tenant       text COLLATE "C" NOT NULL,
    id           uuid   NOT NULL,
    position     bigint NOT NULL,
    number       text   COLLATE "C" NOT NULL,
    party        uuid   NOT NULL,
    from_at      timestamptz,
    cut_at       timestamptz NOT NULL,
    through      date   NOT NULL,
    groups       jsonb  NOT NULL,
    totals       jsonb  NOT NULL,
    debit        uuid,
    agency_debit uuid,
    created_at   timestamptz NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX closures_by_position ON read.closures (tenant, position);
CREATE INDEX closures_by_party    ON read.closures (tenant, party, position);

-- What changed, for live streams: one row an event. `audience` are the parties in whose scope it is, the manager
-- aside, who sees all; everybody where NULL. Nothing personal.
CREATE TABLE read.changes (
    tenant   text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    kind     text   COLLATE "C" NOT NULL,
    id       uuid   NOT NULL,
    audience uuid[],
    PRIMARY KEY (tenant, position)
);

-- Outside a transaction that has set its tenant no policy lets a row through.
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'read' ORDER BY tablename
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

-- The directory, under the name '*' that no tenant can have: which tenants are behind.
CREATE POLICY directory ON read.checkpoints FOR SELECT
    USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- Searching. LIKE is not leakproof, so behind a policy it could use no trigram index: these functions run as a role that
-- sees all rows, and filter by tenant themselves. A row is found where its search text has all patterns; the first
-- pattern, which the caller makes the most selective one, finds it by index.
CREATE POLICY search ON read.customers   FOR SELECT TO caudal_search USING (true);
CREATE POLICY search ON read.remittances FOR SELECT TO caudal_search USING (true);
GRANT SELECT ON read.customers, read.remittances TO caudal_search;

CREATE FUNCTION read.search_customers(p_first text, p_all text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
    SELECT c.id FROM read.customers AS c
     WHERE c.tenant = NULLIF(current_setting('caudal.tenant', true), '')
       AND c.search LIKE p_first AND c.search LIKE ALL (p_all)
$$;

CREATE FUNCTION read.search_remittances(p_first text, p_all text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
    WITH people AS MATERIALIZED (SELECT read.search_customers(p_first, p_all) AS id),
         own AS (SELECT NULLIF(current_setting('caudal.tenant', true), '') AS tenant)
    SELECT r.id FROM own JOIN read.remittances AS r ON r.tenant = own.tenant
     WHERE r.search LIKE p_first AND r.search LIKE ALL (p_all)
    UNION
    SELECT r.id FROM own CROSS JOIN people AS p JOIN read.remittances AS r ON r.tenant = own.tenant AND r.sender = p.id
    UNION
    SELECT r.id FROM own CROSS JOIN people AS p JOIN read.remittances AS r ON r.tenant = own.tenant AND r.recipient = p.id
$$;

-- Handing a function to a role needs that role to be allowed to create in the schema, for a moment.
GRANT CREATE ON SCHEMA read TO caudal_search;
ALTER FUNCTION read.search_customers(text, text[]) OWNER TO caudal_search;
ALTER FUNCTION read.search_remittances(text, text[]) OWNER TO caudal_search;
REVOKE CREATE ON SCHEMA read FROM caudal_search;

REVOKE ALL ON FUNCTION read.search_customers(text, text[]), read.search_remittances(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read.search_customers(text, text[]), read.search_remittances(text, text[]) TO caudal_node;
