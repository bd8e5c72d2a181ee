-- Schema `read`: the read models, built from the journal by the projector and rebuilt by `caudal rebuild`. This page is
-- the current definition, from which a new database is made. The numbered migrations bring an older database to the
-- same schema, and a test compares the two.
--
-- Every table is keyed by tenant first; row-level security backs the tenant filter of every query. Programs use
-- unqualified table names with `read` on the search path, so that a shadow schema can replace it during a rebuild.
--
-- Amounts are in minor units (hundredths). `search` columns hold folded words (lower case, no accents), one field after
-- the other: ', maria perez , 5355512345 ,'.

CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;

CREATE SCHEMA read;
COMMENT ON SCHEMA read IS 'Read models: disposable, rebuilt from the journal.';
GRANT USAGE ON SCHEMA read TO caudal_node, caudal_search;

-- Position and version of a tenant's read models. A projector of another version does not touch them.
CREATE TABLE read.checkpoints (
    tenant   text COLLATE "C" PRIMARY KEY,
    position bigint           NOT NULL CHECK (position >= 0),
    version  integer          NOT NULL,
    -- Hash of the last projected event, with its position: detects read models with events that the log lacks. A
    -- projector older than this column moves `position` alone; the hash is valid while `hash_at` equals the position.
    hash     bytea,
    hash_at  bigint
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- The directory, under the name '*' that no tenant can have: which tenants lag.
CREATE POLICY directory ON read.checkpoints FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

CREATE TABLE read.tenants (
    tenant    text COLLATE "C" PRIMARY KEY,
    name      text             NOT NULL,
    time_zone text             NOT NULL,
    opened_at timestamptz      NOT NULL
);

CREATE TABLE read.currencies (
    tenant            text COLLATE "C" NOT NULL,
    id                uuid             NOT NULL,
    code              text COLLATE "C" NOT NULL,
    symbol            text             NOT NULL,
    exchange_rate     numeric          NOT NULL,
    distribution_rate bigint           NOT NULL,
    accounted         boolean          NOT NULL,
    enabled           boolean          NOT NULL,
    removed           boolean          NOT NULL,
    search            text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE read.provinces (
    tenant  text COLLATE "C" NOT NULL,
    id      uuid             NOT NULL,
    code    text COLLATE "C" NOT NULL,
    iso     text COLLATE "C" NOT NULL,
    name    text             NOT NULL,
    enabled boolean          NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE read.municipalities (
    tenant       text COLLATE "C" NOT NULL,
    id           uuid             NOT NULL,
    province     uuid             NOT NULL,
    code         text COLLATE "C" NOT NULL,
    name         text             NOT NULL,
    fee          bigint,
    fee_currency text COLLATE "C",
    enabled      boolean          NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE read.payment_groups (
    tenant             text COLLATE "C" NOT NULL,
    id                 uuid             NOT NULL,
    name               text             NOT NULL,
    currency           text COLLATE "C" NOT NULL,
    exchange_rate      numeric          NOT NULL,
    manager_commission jsonb            NOT NULL,
    agency_commission  jsonb            NOT NULL,
    agent_commission   jsonb            NOT NULL,
    is_active          boolean          NOT NULL,
    removed            boolean          NOT NULL,
    search             text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, id)
);

-- `details` is personal data: NULL after erasure, like `name` and `search`.
CREATE TABLE read.parties (
    tenant     text COLLATE "C" NOT NULL,
    id         uuid             NOT NULL,
    role       text COLLATE "C" NOT NULL,
    agency     uuid,
    dealer     uuid,
    is_active  boolean          NOT NULL,
    province   uuid,
    zones      uuid[]           NOT NULL,
    handle_mlc boolean          NOT NULL,
    name       text,
    details    jsonb,
    created_at timestamptz      NOT NULL,
    updated_at timestamptz      NOT NULL,
    search     text COLLATE "C",
    deleted    boolean          NOT NULL DEFAULT false,
    permission_set    text COLLATE "C",
    access_expires_at timestamptz,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX parties_by_agency ON read.parties (tenant, agency) WHERE agency IS NOT NULL;
CREATE INDEX parties_by_dealer ON read.parties (tenant, dealer) WHERE dealer IS NOT NULL;
CREATE INDEX parties_by_role ON read.parties (tenant, role, created_at, id);

CREATE TABLE read.party_terms (
    tenant        text COLLATE "C" NOT NULL,
    party         uuid             NOT NULL,
    group_id      uuid             NOT NULL,
    exchange_rate numeric          NOT NULL,
    commission    jsonb            NOT NULL,
    name          text,
    is_active     boolean          NOT NULL,
    credit_limit  bigint           NOT NULL,
    PRIMARY KEY (tenant, party, group_id)
);

CREATE TABLE read.customers (
    tenant         text COLLATE "C" NOT NULL,
    id             uuid             NOT NULL,
    -- 0 sender, 1 recipient (domain/src/customer)
    kind           smallint         NOT NULL,
    owner          uuid             NOT NULL,
    sender         uuid,
    is_active      boolean          NOT NULL,
    deleted        boolean          NOT NULL,
    province       uuid,
    municipality   uuid,
    name           text,
    phone          text,
    identification text,
    details        jsonb,
    created_at     timestamptz      NOT NULL,
    updated_at     timestamptz      NOT NULL,
    search         text COLLATE "C",
    -- Position of the registration: the order of the lists.
    position       bigint           NOT NULL,
    -- Hashes of the pictures of the present document.
    document_pictures jsonb,
    -- Type, country and number of the document as limits compare them: customers with one value are one person.
    document       text COLLATE "C",
    PRIMARY KEY (tenant, id)
);
ALTER TABLE read.customers ALTER COLUMN details SET STATISTICS 0;
CREATE INDEX customers_by_kind ON read.customers (tenant, kind, position) WHERE NOT deleted;
CREATE INDEX customers_by_name ON read.customers (tenant, kind, search, position);
CREATE INDEX customers_by_owner ON read.customers (tenant, owner, kind, position) WHERE NOT deleted;
CREATE INDEX customers_by_expiry ON read.customers (tenant, (details ->> 'personalIdentificationExpirationDate'))
    WHERE details ->> 'personalIdentificationExpirationDate' IS NOT NULL;
CREATE INDEX customers_by_sender ON read.customers (tenant, sender) WHERE sender IS NOT NULL AND NOT deleted;
CREATE INDEX customers_search ON read.customers USING gin (search gin_trgm_ops) WITH (gin_pending_list_limit='256');
-- Search functions. LIKE is not leakproof, so behind a policy it could use no trigram index: these functions run as a
-- role that sees all rows, and filter by tenant themselves. A row matches if its search text has all patterns; the
-- first pattern, chosen by the caller as the most selective one, is looked up by index.
CREATE POLICY search ON read.customers FOR SELECT TO caudal_search USING (true);

-- Card numbers are personal data in clear: NULL after erasure.
CREATE TABLE read.cards (
    tenant   text COLLATE "C" NOT NULL,
    id       uuid             NOT NULL,
    customer uuid             NOT NULL,
    brand    text COLLATE "C" NOT NULL,
    number   text,
    added_at timestamptz      NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX cards_by_customer ON read.cards (tenant, customer, added_at, id);

-- `position` is that of the sale: the order of creation and of the codes. Names are joined, so that renames show.
CREATE TABLE read.remittances (
    tenant            text COLLATE "C" NOT NULL,
    id                uuid             NOT NULL,
    position          bigint           NOT NULL,
    code              text COLLATE "C" NOT NULL,
    -- 0 pending, 1 canceled, 2 shipping, 3 completed, 4 error (domain/src/remittance/status.rs)
    status            smallint         NOT NULL,
    seller            uuid             NOT NULL,
    agency            uuid,
    agent             uuid,
    sender            uuid             NOT NULL,
    recipient         uuid             NOT NULL,
    group_id          uuid             NOT NULL,
    reference         text,
    terms             jsonb            NOT NULL,
    amount            bigint           NOT NULL,
    payout            bigint           NOT NULL,
    currency          text COLLATE "C" NOT NULL,
    exchange_rate     numeric          NOT NULL,
    manager_fee       bigint           NOT NULL,
    agency_fee        bigint           NOT NULL,
    agent_fee         bigint           NOT NULL,
    total_fee         bigint           NOT NULL,
    total_to_pay      bigint           NOT NULL,
    method            text COLLATE "C" NOT NULL,
    province          uuid,
    municipality      uuid,
    card              uuid,
    brand             text COLLATE "C",
    dealer            uuid,
    delivery_man      uuid,
    delivered_by      uuid,
    distribution_fee  bigint,
    identification    text,
    signature         text,
    to_representative boolean          NOT NULL,
    address           text,
    notes             text,
    reason            text,
    created_at        timestamptz      NOT NULL,
    updated_at        timestamptz      NOT NULL,
    assigned_at       timestamptz,
    completed_at      timestamptz,
    canceled_at       timestamptz,
    search            text COLLATE "C" NOT NULL,
    -- Margin at the reference rate when quoted, in USD.
    margin            bigint           NOT NULL,
    -- `delivered_at`: time of an offline delivery; NULL when recorded at once.
    delivered_at      timestamptz,
    -- Whether a hold is open.
    held              boolean          NOT NULL,
    -- When its delivery was booked although it was held.
    breach_at         timestamptz,
    breach_settled_at timestamptz,
    breach_settlement text,
    PRIMARY KEY (tenant, id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
-- JSON is never a condition, and takes long to compare.
ALTER TABLE read.remittances ALTER COLUMN terms SET STATISTICS 0;
-- Delivered although held, and not settled.
CREATE INDEX remittances_breached ON read.remittances (tenant, position)
    WHERE breach_at IS NOT NULL AND breach_settled_at IS NULL;
-- Waiting for a review.
CREATE INDEX remittances_held ON read.remittances (tenant, position) WHERE held;
-- The list of an agency, and filtered by one.
CREATE INDEX remittances_by_agency ON read.remittances (tenant, agency, position) WHERE agency IS NOT NULL;
-- Sorted by the amount sent.
CREATE INDEX remittances_by_amount ON read.remittances (tenant, amount, position);
-- The counts and sums of a period: dashboard, reports.
CREATE INDEX remittances_by_created ON read.remittances (tenant, created_at);
-- The desk of a dealer, and the list filtered by one.
CREATE INDEX remittances_by_dealer ON read.remittances (tenant, dealer, position) WHERE dealer IS NOT NULL;
-- The round of a delivery man.
CREATE INDEX remittances_by_delivery_man ON read.remittances (tenant, delivery_man, position)
    WHERE delivery_man IS NOT NULL;
-- When a dealer delivered it, or was given it.
CREATE INDEX remittances_by_handling ON read.remittances
    (tenant, (CASE WHEN completed_at IS NULL THEN assigned_at ELSE completed_at END))
    INCLUDE (completed_at, assigned_at, dealer, status, currency, agency, seller, amount, payout, distribution_fee)
    WHERE dealer IS NOT NULL;
-- Sorted by the amount to be received. A page of 400,000: 0.4 ms; without the index 104 ms, all of them read and sorted.
CREATE INDEX remittances_by_payout ON read.remittances (tenant, payout, position);
-- The list of the manager in its own order, with what its rows and sums show.
CREATE UNIQUE INDEX remittances_by_position ON read.remittances (tenant, position)
    INCLUDE (created_at, status, currency, recipient, amount, payout, manager_fee, total_to_pay);
-- The remittances of one recipient.
CREATE INDEX remittances_by_recipient ON read.remittances (tenant, recipient, position);
-- The report of deliveries to representatives.
CREATE INDEX remittances_by_representative ON read.remittances (tenant, completed_at) WHERE to_representative;
-- The list of an external agent, and its sums. A page of 400,000, of which 363 are the agent's: 0.5 ms; without the index
-- 27 ms, 60,000 of others passed over, and 71 ms for the sums.
CREATE INDEX remittances_by_seller ON read.remittances (tenant, seller, position);
-- The remittances of one sender.
CREATE INDEX remittances_by_sender ON read.remittances (tenant, sender, position);
-- Filtered by status.
CREATE INDEX remittances_by_status ON read.remittances (tenant, status, position);
-- Sorted by the last change.
CREATE INDEX remittances_by_updated ON read.remittances (tenant, updated_at, position);
-- Searches.
CREATE INDEX remittances_search ON read.remittances USING gin (search gin_trgm_ops) WITH (gin_pending_list_limit='256');
CREATE POLICY search ON read.remittances FOR SELECT TO caudal_search USING (true);

-- One row per event of a remittance.
CREATE TABLE read.remittance_history (
    tenant       text COLLATE "C" NOT NULL,
    remittance   uuid             NOT NULL,
    position     bigint           NOT NULL,
    at           timestamptz      NOT NULL,
    change       text COLLATE "C" NOT NULL,
    actor        uuid,
    role         text COLLATE "C" NOT NULL,
    -- numbers of statuses, as in `remittances`
    from_status  smallint,
    to_status    smallint         NOT NULL,
    reason       text,
    dealer       uuid,
    delivery_man uuid,
    amount       bigint           NOT NULL,
    payout       bigint           NOT NULL,
    currency     text COLLATE "C" NOT NULL,
    subject      uuid,
    -- Details after a sale or an edit, compared by the next edit; NULL for other events.
    group_id     uuid,
    method       text COLLATE "C",
    province     uuid,
    municipality uuid,
    card         uuid,
    address      text,
    notes        text,
    -- `occurred_at`: time of an offline act. `detail`: reason of a failed attempt or of a hold, or refusal code.
    occurred_at  timestamptz,
    detail       text COLLATE "C",
    -- The seller's own reference before an edit that changed it, and from then on; null for anything else.
    reference_before text,
    reference        text,
    -- Hashes of the files of a review.
    review_files     jsonb,
    -- Who approved what the change waited for.
    approver     uuid,
    PRIMARY KEY (tenant, remittance, position)
);
CREATE INDEX remittance_history_by_subject ON read.remittance_history (tenant, subject) WHERE subject IS NOT NULL;
CREATE INDEX remittance_history_by_time ON read.remittance_history (tenant, at, position);

-- `balance` is debits less credits. `assigned` and `spent` count what a prepaid balance received and sold, and what
-- cash a field party received and delivered. `number` is the order of accounts' first postings.
CREATE TABLE read.accounts (
    tenant   text COLLATE "C" NOT NULL,
    account  text COLLATE "C" NOT NULL,
    number   integer          NOT NULL,
    code     smallint         NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    owner    uuid,
    group_id uuid,
    currency text COLLATE "C" NOT NULL,
    balance  bigint           NOT NULL,
    debits   bigint           NOT NULL,
    credits  bigint           NOT NULL,
    assigned bigint           NOT NULL,
    spent    bigint           NOT NULL,
    last_at  timestamptz      NOT NULL,
    PRIMARY KEY (tenant, account),
    UNIQUE (tenant, number)
) WITH (fillfactor = 70);
CREATE INDEX accounts_by_owner ON read.accounts (tenant, owner) WHERE owner IS NOT NULL;

-- One row per event with postings; its transfers are pairs of lines: debited, credited.
CREATE TABLE read.entries (
    tenant     text COLLATE "C" NOT NULL,
    position   bigint           NOT NULL,
    at         timestamptz      NOT NULL,
    event_type text COLLATE "C" NOT NULL,
    cause_kind text COLLATE "C" NOT NULL,
    cause      uuid             NOT NULL,
    actor      uuid,
    role       text COLLATE "C" NOT NULL,
    reversal   boolean          NOT NULL,
    PRIMARY KEY (tenant, position)
);
CREATE INDEX entries_of_cause ON read.entries (tenant, cause);
CREATE INDEX entries_by_time ON read.entries (tenant, at, position);

-- The account's running figures after each line: any past balance is read without summing. A line with an even number is a
-- debit; the one after it is the credit of the same transfer. Columns by size, so that no bytes are lost to alignment.
CREATE TABLE read.postings (
    position      bigint           NOT NULL,
    -- Above 0.
    amount        bigint           NOT NULL,
    balance_after bigint           NOT NULL,
    debits_after  bigint           NOT NULL,
    account       integer          NOT NULL,
    -- The line's flow, which says the code of the transfer.
    flow          integer          NOT NULL,
    line          smallint         NOT NULL,
    tenant        text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, position, line)
);
CREATE INDEX postings_by_account ON read.postings (tenant, account, position, line);

-- Empty: the lines of nodes from before `postings`, which write them until `caudal rebuild`. To be dropped once no such node runs.
CREATE TABLE read.entry_lines (
    tenant        text COLLATE "C" NOT NULL,
    position      bigint           NOT NULL,
    line          smallint         NOT NULL,
    account       integer          NOT NULL,
    code          text COLLATE "C" NOT NULL,
    debit         bigint           NOT NULL,
    credit        bigint           NOT NULL,
    balance_after bigint           NOT NULL,
    debits_after  bigint           NOT NULL,
    -- The line's flow, and the flow's running amount and count including the line.
    flow          integer          NOT NULL,
    flow_total    bigint           NOT NULL,
    flow_times    bigint           NOT NULL,
    PRIMARY KEY (tenant, position, line)
);
CREATE INDEX entry_lines_by_account ON read.entry_lines (tenant, account, position, line);
CREATE INDEX entry_lines_by_flow ON read.entry_lines (tenant, flow, position, line);

CREATE TABLE read.movements (
    tenant           text COLLATE "C" NOT NULL,
    id               uuid             NOT NULL,
    position         bigint           NOT NULL,
    number           text COLLATE "C" NOT NULL,
    kind             text COLLATE "C" NOT NULL,
    actor            uuid             NOT NULL,
    role             text COLLATE "C" NOT NULL,
    from_party       uuid,
    to_party         uuid,
    group_id         uuid,
    amount           bigint           NOT NULL,
    currency         text COLLATE "C" NOT NULL,
    counter_amount   bigint,
    counter_currency text COLLATE "C",
    counter_rate     numeric,
    on_credit        boolean          NOT NULL,
    debit            uuid,
    note             text,
    created_at       timestamptz      NOT NULL,
    reversed_at      timestamptz,
    reversed_by      uuid,
    reverse_reason   text,
    -- Who approved it, where it waited for that.
    approver         uuid,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX movements_by_created ON read.movements (tenant, created_at);
CREATE INDEX movements_by_from ON read.movements (tenant, from_party, position) WHERE from_party IS NOT NULL;
-- By kind, counted and paged without reading rows.
CREATE INDEX movements_by_kind ON read.movements (tenant, kind, position) INCLUDE (to_party, id);
CREATE UNIQUE INDEX movements_by_position ON read.movements (tenant, position);
CREATE INDEX movements_by_to ON read.movements (tenant, to_party, position) WHERE to_party IS NOT NULL;
-- By number, as lists are searched: folded, between commas.
CREATE INDEX movements_search ON read.movements
    USING gin (((', ' || replace(lower(number), '-', ' ')) || ' ,') gin_trgm_ops) WITH (gin_pending_list_limit='256');
-- Behind its own policy a pattern could use no index. Parties, a few hundred, are scanned behind theirs.
CREATE POLICY search ON read.movements FOR SELECT TO caudal_search USING (true);

-- `creditor` is the creditor agency; NULL for the manager.
CREATE TABLE read.debits (
    tenant     text COLLATE "C" NOT NULL,
    id         uuid             NOT NULL,
    position   bigint           NOT NULL,
    debtor     uuid             NOT NULL,
    creditor   uuid,
    amount     bigint           NOT NULL,
    paid       bigint           NOT NULL,
    void       boolean          NOT NULL,
    origin     text COLLATE "C" NOT NULL,
    origin_id  uuid             NOT NULL,
    opened_at  timestamptz      NOT NULL,
    settled_at timestamptz,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX debits_by_creditor ON read.debits (tenant, creditor, position) WHERE creditor IS NOT NULL;
CREATE INDEX debits_by_debtor ON read.debits (tenant, debtor, position);
CREATE INDEX debits_by_position ON read.debits (tenant, position);

-- Payment of `debit` by `movement`; an undone payment stays, marked.
CREATE TABLE read.debit_payments (
    tenant    text COLLATE "C" NOT NULL,
    movement  uuid             NOT NULL,
    debit     uuid             NOT NULL,
    amount    bigint           NOT NULL,
    paid_at   timestamptz      NOT NULL,
    undone_at timestamptz,
    PRIMARY KEY (tenant, movement, debit)
);
CREATE INDEX debit_payments_by_debit ON read.debit_payments (tenant, debit);

CREATE TABLE read.closures (
    tenant       text COLLATE "C" NOT NULL,
    id           uuid             NOT NULL,
    position     bigint           NOT NULL,
    number       text COLLATE "C" NOT NULL,
    party        uuid             NOT NULL,
    from_at      timestamptz,
    cut_at       timestamptz      NOT NULL,
    through      date             NOT NULL,
    groups       jsonb            NOT NULL,
    totals       jsonb            NOT NULL,
    debit        uuid,
    agency_debit uuid,
    created_at   timestamptz      NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX closures_by_party ON read.closures (tenant, party, position);
CREATE INDEX closures_by_position ON read.closures (tenant, position);

-- Changes for live streams: one row per event. `audience` are the parties in whose scope it is, besides managers, who
-- see all; NULL for everyone. No personal data. The newest 20,000 positions are kept, and fewer than 500 more.
CREATE TABLE read.changes (
    tenant   text COLLATE "C" NOT NULL,
    position bigint           NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    id       uuid             NOT NULL,
    audience uuid[],
    PRIMARY KEY (tenant, position)
);

-- An account's transfers of one code on one side. A reversal is subtracted from the original transfer's side. `block` is the
-- last block of 2048 positions in which it has a posting.
CREATE TABLE read.flows (
    tenant  text COLLATE "C" NOT NULL,
    account integer          NOT NULL,
    code    text COLLATE "C" NOT NULL,
    debited boolean          NOT NULL,
    number  integer          NOT NULL,
    total   bigint           NOT NULL,
    times   bigint           NOT NULL,
    block   integer          NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, account, code, debited),
    UNIQUE (tenant, number)
) WITH (fillfactor = 70);

-- A flow's total and count at the end of a block in which it has a posting, but for its last one.
CREATE TABLE read.flow_blocks (
    total  bigint           NOT NULL,
    times  bigint           NOT NULL,
    flow   integer          NOT NULL,
    block  integer          NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, flow, block)
);

-- Running totals of a seller in a group. `sold` and `canceled` are counts, `amount` and `returned` USD sent; payouts,
-- fees and margin are net of cancellations and edits.
CREATE TABLE read.sales (
    tenant      text COLLATE "C" NOT NULL,
    seller      uuid             NOT NULL,
    group_id    uuid             NOT NULL,
    currency    text COLLATE "C" NOT NULL,
    number      integer          NOT NULL,
    sold        bigint           NOT NULL,
    canceled    bigint           NOT NULL,
    amount      bigint           NOT NULL,
    returned    bigint           NOT NULL,
    payout      bigint           NOT NULL,
    manager_fee bigint           NOT NULL,
    agency_fee  bigint           NOT NULL,
    agent_fee   bigint           NOT NULL,
    margin      bigint           NOT NULL,
    PRIMARY KEY (tenant, seller, group_id),
    UNIQUE (tenant, number)
) WITH (fillfactor = 70);

-- Running totals after each event that sells or takes back.
CREATE TABLE read.sale_lines (
    tenant      text COLLATE "C" NOT NULL,
    position    bigint           NOT NULL,
    line        smallint         NOT NULL,
    sales       integer          NOT NULL,
    sold        bigint           NOT NULL,
    canceled    bigint           NOT NULL,
    amount      bigint           NOT NULL,
    returned    bigint           NOT NULL,
    payout      bigint           NOT NULL,
    manager_fee bigint           NOT NULL,
    agency_fee  bigint           NOT NULL,
    agent_fee   bigint           NOT NULL,
    margin      bigint           NOT NULL,
    PRIMARY KEY (tenant, position, line)
);
CREATE INDEX sale_lines_by_sales ON read.sale_lines (tenant, sales, position, line);

-- Remittances created on a local day and not canceled since, by seller. `amount` is the amount sent, in USD.
CREATE TABLE read.remittance_days (
    tenant      text COLLATE "C" NOT NULL,
    day         date             NOT NULL,
    seller      uuid             NOT NULL,
    sold_by     uuid             NOT NULL,
    currency    text COLLATE "C" NOT NULL,
    agency      uuid,
    remittances bigint           NOT NULL,
    amount      bigint           NOT NULL,
    payout      bigint           NOT NULL,
    PRIMARY KEY (tenant, day, seller, sold_by, currency)
) WITH (fillfactor = 70);
CREATE INDEX remittance_days_by_agency ON read.remittance_days (tenant, agency, day) WHERE agency IS NOT NULL;
CREATE INDEX remittance_days_by_seller ON read.remittance_days (tenant, seller, day);
-- Covering index for the dashboard's chart of a year: sums some hundred sellers' rows per day without fetching them.
CREATE INDEX remittance_days_counted ON read.remittance_days (tenant, day) INCLUDE (remittances);

-- `part` is the row's state, for lists with one; `amount` sums the rows' amounts in `currency`.
CREATE TABLE read.tallies (
    tenant    text COLLATE "C" NOT NULL,
    list      text COLLATE "C" NOT NULL,
    dimension text COLLATE "C" NOT NULL,
    value     text COLLATE "C" NOT NULL,
    currency  text COLLATE "C" NOT NULL,
    part      smallint         NOT NULL,
    block     integer          NOT NULL,
    rows      bigint           NOT NULL,
    amount    bigint           NOT NULL,
    PRIMARY KEY (tenant, list, dimension, value, currency, part, block)
) WITH (fillfactor = 70);

-- Changes of exchange rates: scheduled, effective, canceled and undone. No personal data.
CREATE TABLE read.rate_changes (
    tenant       text COLLATE "C" NOT NULL,
    id           uuid             NOT NULL,
    position     bigint           NOT NULL,
    status       text COLLATE "C" NOT NULL,
    rates        jsonb            NOT NULL,
    skipped      jsonb            NOT NULL,
    at           timestamptz,
    created_at   timestamptz      NOT NULL,
    created_by   uuid,
    effective_at timestamptz,
    ended_at     timestamptz,
    ended_by     uuid,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX rate_changes_by_position ON read.rate_changes (tenant, position);
-- Scheduled changes, for the scheduler.
CREATE INDEX rate_changes_due ON read.rate_changes (at) WHERE status = 'scheduled';
-- The directory, under the name '*' that no tenant can have: which tenants have a due change.
CREATE POLICY directory ON read.rate_changes FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- API keys, for people: authentication reads the tenant's state. `name` is personal data of the party, null after its
-- erasure.
CREATE TABLE read.api_keys (
    tenant              text COLLATE "C" NOT NULL,
    id                  uuid             NOT NULL,
    position            bigint           NOT NULL,
    party               uuid             NOT NULL,
    name                text,
    start               text COLLATE "C" NOT NULL,
    scopes              jsonb            NOT NULL,
    networks            jsonb            NOT NULL,
    requests_per_minute integer          NOT NULL,
    expires_at          timestamptz      NOT NULL,
    created_at          timestamptz      NOT NULL,
    created_by          uuid,
    rotated_at          timestamptz,
    previous_until      timestamptz,
    revoked_at          timestamptz,
    revoked_by          uuid,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX api_keys_by_position ON read.api_keys (tenant, position);
CREATE INDEX api_keys_by_party ON read.api_keys (tenant, party);

-- Endpoints of webhooks. `name` and `url` are personal data of the party, null after its erasure. `replay_event` is the
-- position of the event that set where deliveries begin, `replay_after` that place, and `resume_event` the position of the
-- event after which a failed delivery is tried at once.
CREATE TABLE read.webhooks (
    tenant         text COLLATE "C" NOT NULL,
    id             uuid             NOT NULL,
    position       bigint           NOT NULL,
    party          uuid             NOT NULL,
    name           text,
    url            text,
    types          jsonb            NOT NULL,
    created_at     timestamptz      NOT NULL,
    created_by     uuid,
    rotated_at     timestamptz,
    previous_until timestamptz,
    paused         text COLLATE "C",
    paused_at      timestamptz,
    removed_at     timestamptz,
    replay_event   bigint           NOT NULL,
    replay_after   bigint           NOT NULL,
    resume_event   bigint           NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX webhooks_by_position ON read.webhooks (tenant, position);
CREATE INDEX webhooks_by_party ON read.webhooks (tenant, party);
-- The directory, under the name '*' that no tenant can have: which endpoints wait for events.
CREATE POLICY directory ON read.webhooks FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

-- Commands that wait, or waited, for an approval. The command itself is in the log only. `subject` is the person that it is
-- about, and `person` who is registered by it; `reason` is personal data of the maker. `status` is waiting, approved,
-- rejected, withdrawn, expired (of a person's, others by their time) or erased.
CREATE TABLE read.proposals (
    tenant      text COLLATE "C" NOT NULL,
    id          uuid             NOT NULL,
    position    bigint           NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    rule        uuid             NOT NULL,
    maker       uuid             NOT NULL,
    approvers   text COLLATE "C" NOT NULL,
    stream_kind text COLLATE "C" NOT NULL,
    stream_id   uuid             NOT NULL,
    subject     uuid             NOT NULL,
    person      uuid,
    amount      bigint,
    figures     jsonb            NOT NULL,
    transfers   jsonb            NOT NULL,
    created_at  timestamptz      NOT NULL,
    expires_at  timestamptz      NOT NULL,
    status      text COLLATE "C" NOT NULL,
    decided_at  timestamptz,
    decided_by  uuid,
    record      uuid,
    number      text COLLATE "C",
    reason      text,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX proposals_by_position ON read.proposals (tenant, position);
CREATE INDEX proposals_by_maker ON read.proposals (tenant, maker, position);
CREATE INDEX proposals_waiting ON read.proposals (tenant, position) WHERE status = 'waiting';
CREATE INDEX proposals_by_subject ON read.proposals (tenant, subject);
-- The directory, under the name '*' that no tenant can have: which tenants have a person to forget.
CREATE POLICY directory ON read.proposals FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');

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

-- Limit rules as they were set last, also after their removal. `groups` is empty for all payment groups.
CREATE TABLE read.limit_rules (
    tenant text COLLATE "C" NOT NULL,
    id     uuid             NOT NULL,
    side   text COLLATE "C" NOT NULL,
    span   text COLLATE "C" NOT NULL,
    amount bigint,
    count  integer,
    groups uuid[]           NOT NULL,
    PRIMARY KEY (tenant, id)
);

-- One row per offline delivery that was refused when synchronised. `recipient` is the person shown by its proof.
CREATE TABLE read.delivery_disputes (
    tenant            text COLLATE "C" NOT NULL,
    remittance        uuid             NOT NULL,
    number            integer          NOT NULL,
    position          bigint           NOT NULL,
    at                timestamptz      NOT NULL,
    reported_by       uuid             NOT NULL,
    refused           text COLLATE "C" NOT NULL,
    delivered_at      timestamptz,
    identification    text COLLATE "C",
    signature         text COLLATE "C",
    to_representative boolean          NOT NULL,
    recipient         uuid             NOT NULL,
    settled_at        timestamptz,
    settled_by        uuid,
    settled_role      text COLLATE "C",
    settlement        text,
    PRIMARY KEY (tenant, remittance, number),
    UNIQUE (tenant, position)
);
CREATE INDEX delivery_disputes_by_recipient ON read.delivery_disputes (tenant, recipient);
CREATE INDEX delivery_disputes_open ON read.delivery_disputes (tenant, position) WHERE settled_at IS NULL;

-- One row per hold. `recipient` is the subject of note and review.
CREATE TABLE read.remittance_holds (
    tenant        text COLLATE "C" NOT NULL,
    remittance    uuid             NOT NULL,
    number        integer          NOT NULL,
    position      bigint           NOT NULL,
    at            timestamptz      NOT NULL,
    reason        text COLLATE "C" NOT NULL,
    reference     uuid,
    recipient     uuid             NOT NULL,
    held_by       uuid,
    held_role     text COLLATE "C" NOT NULL,
    note          text,
    reviewed_at   timestamptz,
    reviewed_by   uuid,
    reviewed_role text COLLATE "C",
    review        text,
    released_at   timestamptz,
    ended_at      timestamptz,
    review_files  jsonb,
    PRIMARY KEY (tenant, remittance, number),
    UNIQUE (tenant, position)
);
CREATE INDEX remittance_holds_by_recipient ON read.remittance_holds (tenant, recipient);
CREATE INDEX remittance_holds_open ON read.remittance_holds (tenant, position)
    WHERE released_at IS NULL AND ended_at IS NULL;

-- What was done to a day after it was over: one row per event. `concerns_at` is the time whose day it is about; `days` is how
-- many local days later it was recorded. `parties` are those whose closures cover it.
CREATE TABLE read.late_changes (
    tenant       text COLLATE "C" NOT NULL,
    position     bigint           NOT NULL,
    at           timestamptz      NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    record_type  text COLLATE "C" NOT NULL,
    record       uuid             NOT NULL,
    record_name  text COLLATE "C",
    concerns_at  timestamptz      NOT NULL,
    days         integer          NOT NULL,
    actor        uuid,
    role         text COLLATE "C" NOT NULL,
    amount       bigint,
    currency     text COLLATE "C",
    amount_after bigint,
    parties      uuid[]           NOT NULL,
    PRIMARY KEY (tenant, position)
);
CREATE INDEX late_changes_by_days ON read.late_changes (tenant, days, position);

-- Row-level security: a transaction sees and writes only rows of its own tenant.
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'read' LOOP
        EXECUTE format('ALTER TABLE read.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE read.%I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format($policy$
            CREATE POLICY own_tenant ON read.%I
             USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''))$policy$, name);
    END LOOP;
END
$$;

-- Privileges of nodes, and of the search functions.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA read TO caudal_node;
GRANT SELECT ON read.parties, read.customers, read.remittances, read.movements TO caudal_search;

-- A search of several words looks up the three longest by index and intersects them. The tenant is checked on the
-- result: an index by tenant would read all rows of the tenant.
CREATE FUNCTION read.search_customers(p_first text, p_all text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan TO off
AS $$
    SELECT c.id FROM read.customers AS c
     WHERE (c.tenant = NULLIF(current_setting('caudal.tenant', true), '')) IS TRUE
       AND c.search LIKE p_first AND c.search LIKE coalesce(p_all[2], p_first) AND c.search LIKE coalesce(p_all[3], p_first)
       AND c.search LIKE ALL (p_all)
$$;
REVOKE ALL ON FUNCTION read.search_customers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read.search_customers TO caudal_node;

CREATE FUNCTION read.search_remittances(p_first text, p_all text[]) RETURNS SETOF uuid
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
REVOKE ALL ON FUNCTION read.search_remittances FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read.search_remittances TO caudal_node;

-- Movements whose number has all patterns.
CREATE FUNCTION read.numbered_movements(p_first text, p_all text[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public SET enable_seqscan TO off
AS $$
    SELECT m.id FROM read.movements AS m
     WHERE (m.tenant = NULLIF(current_setting('caudal.tenant', true), '')) IS TRUE
       AND ', ' || replace(lower(m.number), '-', ' ') || ' ,' LIKE p_first
       AND ', ' || replace(lower(m.number), '-', ' ') || ' ,' LIKE ALL (p_all)
$$;
REVOKE ALL ON FUNCTION read.numbered_movements FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read.numbered_movements TO caudal_node;

-- Movements whose number and parties together have all patterns: candidates have the first pattern in the number or in
-- a party, and are checked for the others.
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
REVOKE ALL ON FUNCTION read.search_movements FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read.search_movements TO caudal_node;

-- Streams, by id, whose record matches by number, name or other searched fields.
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
    UNION SELECT id::text FROM read.numbered_movements(p_first, p_all) AS id
    UNION SELECT k.id::text FROM read.closures AS k
           WHERE k.tenant = NULLIF(current_setting('caudal.tenant', true), '')
             AND ', ' || replace(lower(k.number), '-', ' ') || ' ,' LIKE ALL (p_all)
$$;
REVOKE ALL ON FUNCTION read.search_records FROM PUBLIC;
GRANT EXECUTE ON FUNCTION read.search_records TO caudal_node;

-- The search functions' owner sees all rows of the searched tables. Only a role that may create in a schema can own a
-- function in it.
GRANT CREATE ON SCHEMA read TO caudal_search;
ALTER FUNCTION read.search_customers OWNER TO caudal_search;
ALTER FUNCTION read.search_remittances OWNER TO caudal_search;
ALTER FUNCTION read.numbered_movements OWNER TO caudal_search;
ALTER FUNCTION read.search_movements OWNER TO caudal_search;
REVOKE CREATE ON SCHEMA read FROM caudal_search;
