-- Schemas `analytics` and `analytics_v1`: views for analysts, documented in docs/analytics.md. This page is the current
-- definition, from which a new database is made, after the page of `read`.
--
-- Names, columns and types of `analytics_v1` are a contract. Columns may be added at a view's end; anything else needs a
-- schema `analytics_v2` beside it. The column comments are the documentation: a test compares docs/analytics.md with them.
--
-- A login sees one tenant: the one that `analytics.logins` names for it. The views belong to `caudal_views`, and the policies
-- of the tables below filter what that role reads by the session's login. `caudal.tenant`, which every session may set, gives
-- that role no more rows.
--
-- A rebuild replaces the tables and re-creates each view on the new ones in the swap's transaction
-- (projections/src/rebuild/views.rs).

CREATE SCHEMA analytics;
COMMENT ON SCHEMA analytics IS 'Tenants of analysts'' logins.';

-- The tenant of an analyst's login. Written by `caudal analysts`.
CREATE TABLE analytics.logins (
    login      text COLLATE "C" PRIMARY KEY,
    tenant     text COLLATE "C" NOT NULL,
    granted_at timestamptz      NOT NULL DEFAULT now()
);
GRANT SELECT ON analytics.logins TO caudal_views;

CREATE SCHEMA analytics_v1;
COMMENT ON SCHEMA analytics_v1 IS 'Views for analysts, version 1.';
GRANT USAGE ON SCHEMA analytics_v1 TO caudal_analyst;

-- Policies add up, and `own_tenant` is everybody's: only a restrictive one keeps the views to the login's tenant. It holds for
-- members of `caudal_views` too, and the owner of the schema is one: the owner reads as before.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY[
        'accounts', 'checkpoints', 'currencies', 'customers', 'debits', 'entries', 'entry_lines', 'flows', 'movements',
        'municipalities', 'parties', 'payment_groups', 'postings', 'provinces', 'remittance_history', 'remittances',
        'tenants'
    ] LOOP
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

CREATE VIEW analytics_v1.business AS
    SELECT t.tenant, t.name, t.time_zone, t.opened_at, c.position
      FROM read.tenants AS t JOIN read.checkpoints AS c ON c.tenant = t.tenant;
COMMENT ON VIEW analytics_v1.business IS 'One row: the business, and how far the views are.';
COMMENT ON COLUMN analytics_v1.business.tenant IS 'Id of the tenant';
COMMENT ON COLUMN analytics_v1.business.name IS 'Name of the business';
COMMENT ON COLUMN analytics_v1.business.time_zone IS 'IANA time zone of its days, for `AT TIME ZONE`';
COMMENT ON COLUMN analytics_v1.business.opened_at IS 'Time of the first event';
COMMENT ON COLUMN analytics_v1.business.position IS 'Position in the log of the last event that the views contain';

CREATE VIEW analytics_v1.parties AS
    SELECT id, role, agency AS agency_id, dealer AS dealer_id, is_active, deleted AS is_deleted, name,
           province AS province_id, created_at, updated_at
      FROM read.parties;
COMMENT ON VIEW analytics_v1.parties IS 'Agencies, agents, dealers, delivery men and logins of the business.';
COMMENT ON COLUMN analytics_v1.parties.id IS 'Id of the party';
COMMENT ON COLUMN analytics_v1.parties.role IS 'Role, as in the API';
COMMENT ON COLUMN analytics_v1.parties.agency_id IS 'Agency of an agent';
COMMENT ON COLUMN analytics_v1.parties.dealer_id IS 'Dealer of a delivery man';
COMMENT ON COLUMN analytics_v1.parties.is_active IS 'Whether the party may work';
COMMENT ON COLUMN analytics_v1.parties.is_deleted IS 'Whether it was deleted';
COMMENT ON COLUMN analytics_v1.parties.name IS 'Name; null after erasure. The only personal value of these views';
COMMENT ON COLUMN analytics_v1.parties.province_id IS 'Province of the party';
COMMENT ON COLUMN analytics_v1.parties.created_at IS 'Time of the registration';
COMMENT ON COLUMN analytics_v1.parties.updated_at IS 'Time of the last change';

CREATE VIEW analytics_v1.customers AS
    SELECT id, CASE kind WHEN 0 THEN 'sender' WHEN 1 THEN 'recipient' END AS kind, owner AS owner_id,
           sender AS sender_id, is_active, deleted AS is_deleted, province AS province_id,
           municipality AS municipality_id, created_at, updated_at, position
      FROM read.customers;
COMMENT ON VIEW analytics_v1.customers IS 'Senders and recipients, without names, telephones and documents.';
COMMENT ON COLUMN analytics_v1.customers.id IS 'Id of the customer';
COMMENT ON COLUMN analytics_v1.customers.kind IS '`sender` or `recipient`';
COMMENT ON COLUMN analytics_v1.customers.owner_id IS 'Party whose customer it is';
COMMENT ON COLUMN analytics_v1.customers.sender_id IS 'Sender of a recipient';
COMMENT ON COLUMN analytics_v1.customers.is_active IS 'Whether remittances may be sold to it';
COMMENT ON COLUMN analytics_v1.customers.is_deleted IS 'Whether it was deleted';
COMMENT ON COLUMN analytics_v1.customers.province_id IS 'Province of the address';
COMMENT ON COLUMN analytics_v1.customers.municipality_id IS 'Municipality of the address';
COMMENT ON COLUMN analytics_v1.customers.created_at IS 'Time of the registration';
COMMENT ON COLUMN analytics_v1.customers.updated_at IS 'Time of the last change';
COMMENT ON COLUMN analytics_v1.customers.position IS 'Position in the log of the registration';

CREATE VIEW analytics_v1.currencies AS
    SELECT id, code, symbol, exchange_rate, enabled AS is_enabled, removed AS is_removed FROM read.currencies;
COMMENT ON VIEW analytics_v1.currencies IS 'Currencies, with their present reference rates.';
COMMENT ON COLUMN analytics_v1.currencies.id IS 'Id of the currency';
COMMENT ON COLUMN analytics_v1.currencies.code IS 'Code, as in the other views';
COMMENT ON COLUMN analytics_v1.currencies.symbol IS 'Symbol';
COMMENT ON COLUMN analytics_v1.currencies.exchange_rate IS 'Units for one USD';
COMMENT ON COLUMN analytics_v1.currencies.is_enabled IS 'Whether it is in use';
COMMENT ON COLUMN analytics_v1.currencies.is_removed IS 'Whether it was removed';

CREATE VIEW analytics_v1.provinces AS
    SELECT id, code, iso, name, enabled AS is_enabled FROM read.provinces;
COMMENT ON VIEW analytics_v1.provinces IS 'Provinces.';
COMMENT ON COLUMN analytics_v1.provinces.id IS 'Id of the province';
COMMENT ON COLUMN analytics_v1.provinces.code IS 'Official code';
COMMENT ON COLUMN analytics_v1.provinces.iso IS 'ISO 3166-2 code';
COMMENT ON COLUMN analytics_v1.provinces.name IS 'Name';
COMMENT ON COLUMN analytics_v1.provinces.is_enabled IS 'Whether remittances go there';

CREATE VIEW analytics_v1.municipalities AS
    SELECT id, province AS province_id, code, name, enabled AS is_enabled FROM read.municipalities;
COMMENT ON VIEW analytics_v1.municipalities IS 'Municipalities.';
COMMENT ON COLUMN analytics_v1.municipalities.id IS 'Id of the municipality';
COMMENT ON COLUMN analytics_v1.municipalities.province_id IS 'Its province';
COMMENT ON COLUMN analytics_v1.municipalities.code IS 'Official code';
COMMENT ON COLUMN analytics_v1.municipalities.name IS 'Name';
COMMENT ON COLUMN analytics_v1.municipalities.is_enabled IS 'Whether remittances go there';

CREATE VIEW analytics_v1.payment_groups AS
    SELECT id, name, currency, exchange_rate, is_active, removed AS is_removed FROM read.payment_groups;
COMMENT ON VIEW analytics_v1.payment_groups IS 'Payment groups, with their present rates.';
COMMENT ON COLUMN analytics_v1.payment_groups.id IS 'Id of the payment group';
COMMENT ON COLUMN analytics_v1.payment_groups.name IS 'Name';
COMMENT ON COLUMN analytics_v1.payment_groups.currency IS 'Currency of the payout';
COMMENT ON COLUMN analytics_v1.payment_groups.exchange_rate IS 'Units for one USD';
COMMENT ON COLUMN analytics_v1.payment_groups.is_active IS 'Whether it is sold';
COMMENT ON COLUMN analytics_v1.payment_groups.is_removed IS 'Whether it was removed';

CREATE VIEW analytics_v1.remittances AS
    SELECT id, position, code,
           CASE status WHEN 0 THEN 'pending' WHEN 1 THEN 'canceled' WHEN 2 THEN 'shipping' WHEN 3 THEN 'completed'
                       WHEN 4 THEN 'error' END AS status,
           seller AS seller_id, agency AS agency_id, agent AS agent_id, sender AS sender_id,
           recipient AS recipient_id, group_id AS payment_group_id, amount AS amount_cents,
           payout AS payout_cents, currency AS payout_currency, exchange_rate, manager_fee AS manager_fee_cents,
           agency_fee AS agency_fee_cents, agent_fee AS agent_fee_cents, total_fee AS total_fee_cents,
           total_to_pay AS total_to_pay_cents, margin AS margin_cents, method, province AS province_id,
           municipality AS municipality_id, dealer AS dealer_id, delivery_man AS delivery_man_id,
           distribution_fee AS distribution_fee_cents, to_representative, created_at, updated_at, assigned_at,
           completed_at, canceled_at, delivered_at
      FROM read.remittances;
COMMENT ON VIEW analytics_v1.remittances IS 'Remittances as they are now.';
COMMENT ON COLUMN analytics_v1.remittances.id IS 'Id of the remittance';
COMMENT ON COLUMN analytics_v1.remittances.position IS 'Position in the log of the sale';
COMMENT ON COLUMN analytics_v1.remittances.code IS 'Code on the receipt';
COMMENT ON COLUMN analytics_v1.remittances.status IS '`pending`, `shipping`, `completed`, `error` or `canceled`';
COMMENT ON COLUMN analytics_v1.remittances.seller_id IS 'Party that sold it';
COMMENT ON COLUMN analytics_v1.remittances.agency_id IS 'Agency of the sale';
COMMENT ON COLUMN analytics_v1.remittances.agent_id IS 'Agent of the sale';
COMMENT ON COLUMN analytics_v1.remittances.sender_id IS 'Customer who sends';
COMMENT ON COLUMN analytics_v1.remittances.recipient_id IS 'Customer who receives';
COMMENT ON COLUMN analytics_v1.remittances.payment_group_id IS 'Payment group';
COMMENT ON COLUMN analytics_v1.remittances.amount_cents IS 'Amount sent, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.remittances.payout_cents IS 'Amount received, in hundredths of `payout_currency`';
COMMENT ON COLUMN analytics_v1.remittances.payout_currency IS 'Currency of the payout';
COMMENT ON COLUMN analytics_v1.remittances.exchange_rate IS 'Rate of the sale: units for one USD';
COMMENT ON COLUMN analytics_v1.remittances.manager_fee_cents IS 'The manager''s fee, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.remittances.agency_fee_cents IS 'The agency''s fee, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.remittances.agent_fee_cents IS 'The agent''s fee, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.remittances.total_fee_cents IS 'Sum of the fees, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.remittances.total_to_pay_cents IS 'Paid by the sender, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.remittances.margin_cents IS 'Margin of the exchange at the reference rate of the sale, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.remittances.method IS 'Delivery method, as in the API';
COMMENT ON COLUMN analytics_v1.remittances.province_id IS 'Province of the delivery';
COMMENT ON COLUMN analytics_v1.remittances.municipality_id IS 'Municipality of the delivery';
COMMENT ON COLUMN analytics_v1.remittances.dealer_id IS 'Dealer who delivers';
COMMENT ON COLUMN analytics_v1.remittances.delivery_man_id IS 'Delivery man who delivers';
COMMENT ON COLUMN analytics_v1.remittances.distribution_fee_cents IS 'Fee of the delivery, in hundredths of `payout_currency`; null before it';
COMMENT ON COLUMN analytics_v1.remittances.to_representative IS 'Whether a representative received it';
COMMENT ON COLUMN analytics_v1.remittances.created_at IS 'Time of the sale';
COMMENT ON COLUMN analytics_v1.remittances.updated_at IS 'Time of the last change';
COMMENT ON COLUMN analytics_v1.remittances.assigned_at IS 'Time of the assignment to a dealer';
COMMENT ON COLUMN analytics_v1.remittances.completed_at IS 'Time at which the delivery was recorded';
COMMENT ON COLUMN analytics_v1.remittances.canceled_at IS 'Time of the cancellation';
COMMENT ON COLUMN analytics_v1.remittances.delivered_at IS 'Time of an offline delivery; null when recorded at once';

CREATE VIEW analytics_v1.remittance_changes AS
    SELECT remittance AS remittance_id, position, at, change, actor AS actor_id, role,
           CASE from_status WHEN 0 THEN 'pending' WHEN 1 THEN 'canceled' WHEN 2 THEN 'shipping'
                            WHEN 3 THEN 'completed' WHEN 4 THEN 'error' END AS from_status,
           CASE to_status WHEN 0 THEN 'pending' WHEN 1 THEN 'canceled' WHEN 2 THEN 'shipping'
                          WHEN 3 THEN 'completed' WHEN 4 THEN 'error' END AS to_status,
           dealer AS dealer_id, delivery_man AS delivery_man_id, amount AS amount_cents, payout AS payout_cents,
           currency AS payout_currency
      FROM read.remittance_history;
COMMENT ON VIEW analytics_v1.remittance_changes IS 'One row per event of a remittance, with its figures after the event.';
COMMENT ON COLUMN analytics_v1.remittance_changes.remittance_id IS 'Id of the remittance';
COMMENT ON COLUMN analytics_v1.remittance_changes.position IS 'Position of the event in the log';
COMMENT ON COLUMN analytics_v1.remittance_changes.at IS 'Time of the event';
COMMENT ON COLUMN analytics_v1.remittance_changes.change IS 'Kind of the change, as in the API''s history';
COMMENT ON COLUMN analytics_v1.remittance_changes.actor_id IS 'Party that did it; null for the server';
COMMENT ON COLUMN analytics_v1.remittance_changes.role IS 'Its role';
COMMENT ON COLUMN analytics_v1.remittance_changes.from_status IS 'Status before; null for a sale';
COMMENT ON COLUMN analytics_v1.remittance_changes.to_status IS 'Status after';
COMMENT ON COLUMN analytics_v1.remittance_changes.dealer_id IS 'Dealer after a change `assigned` or `completed`; null for other changes';
COMMENT ON COLUMN analytics_v1.remittance_changes.delivery_man_id IS 'Delivery man after a change `assigned` or `completed`; null for other changes';
COMMENT ON COLUMN analytics_v1.remittance_changes.amount_cents IS 'Amount sent, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.remittance_changes.payout_cents IS 'Amount received, in hundredths of `payout_currency`';
COMMENT ON COLUMN analytics_v1.remittance_changes.payout_currency IS 'Currency of the payout';

CREATE VIEW analytics_v1.accounts AS
    SELECT number, account, kind, owner AS owner_id, group_id AS payment_group_id, currency,
           balance AS balance_cents, debits AS debits_cents, credits AS credits_cents, last_at
      FROM read.accounts;
COMMENT ON VIEW analytics_v1.accounts IS 'Accounts of the ledger, one per currency.';
COMMENT ON COLUMN analytics_v1.accounts.number IS 'Number of the account, for `entry_lines`';
COMMENT ON COLUMN analytics_v1.accounts.account IS 'Name of the account';
COMMENT ON COLUMN analytics_v1.accounts.kind IS 'Kind of the account';
COMMENT ON COLUMN analytics_v1.accounts.owner_id IS 'Party whose account it is; null for the manager''s';
COMMENT ON COLUMN analytics_v1.accounts.payment_group_id IS 'Payment group of a prepaid balance';
COMMENT ON COLUMN analytics_v1.accounts.currency IS 'Currency';
COMMENT ON COLUMN analytics_v1.accounts.balance_cents IS 'Debits less credits, in hundredths of `currency`';
COMMENT ON COLUMN analytics_v1.accounts.debits_cents IS 'Sum of the debits';
COMMENT ON COLUMN analytics_v1.accounts.credits_cents IS 'Sum of the credits';
COMMENT ON COLUMN analytics_v1.accounts.last_at IS 'Time of the last posting';

CREATE VIEW analytics_v1.entries AS
    SELECT position, at, event_type, cause_kind, cause AS cause_id, actor AS actor_id, role, reversal AS is_reversal
      FROM read.entries;
COMMENT ON VIEW analytics_v1.entries IS 'Entries of the ledger: one row per event with postings.';
COMMENT ON COLUMN analytics_v1.entries.position IS 'Position of the event in the log';
COMMENT ON COLUMN analytics_v1.entries.at IS 'Time of the event';
COMMENT ON COLUMN analytics_v1.entries.event_type IS 'Type of the event';
COMMENT ON COLUMN analytics_v1.entries.cause_kind IS 'Kind of the record that caused it';
COMMENT ON COLUMN analytics_v1.entries.cause_id IS 'Id of that record';
COMMENT ON COLUMN analytics_v1.entries.actor_id IS 'Party that did it; null for the server';
COMMENT ON COLUMN analytics_v1.entries.role IS 'Its role';
COMMENT ON COLUMN analytics_v1.entries.is_reversal IS 'Whether it reverses an earlier entry';

CREATE VIEW analytics_v1.entry_lines AS
    SELECT l.position, l.line, l.account, f.code, a.currency,
           CASE WHEN l.line % 2 = 0 THEN l.amount ELSE 0 END AS debit_cents,
           CASE WHEN l.line % 2 = 0 THEN 0 ELSE l.amount END AS credit_cents,
           l.balance_after AS balance_after_cents
      FROM read.postings AS l
      JOIN read.accounts AS a ON a.tenant = l.tenant AND a.number = l.account
      JOIN read.flows AS f ON f.tenant = l.tenant AND f.number = l.flow;
COMMENT ON VIEW analytics_v1.entry_lines IS 'Lines of the entries. The debits of an entry equal its credits in each currency.';
COMMENT ON COLUMN analytics_v1.entry_lines.position IS 'Position of the entry';
COMMENT ON COLUMN analytics_v1.entry_lines.line IS 'Number of the line within the entry';
COMMENT ON COLUMN analytics_v1.entry_lines.account IS '`number` of the account';
COMMENT ON COLUMN analytics_v1.entry_lines.code IS 'What the transfer is for';
COMMENT ON COLUMN analytics_v1.entry_lines.currency IS 'Currency of the account';
COMMENT ON COLUMN analytics_v1.entry_lines.debit_cents IS 'Debit, in hundredths of `currency`';
COMMENT ON COLUMN analytics_v1.entry_lines.credit_cents IS 'Credit, in hundredths of `currency`';
COMMENT ON COLUMN analytics_v1.entry_lines.balance_after_cents IS 'Balance of the account after the line';

CREATE VIEW analytics_v1.movements AS
    SELECT m.id, m.position, m.number,
           (CASE m.kind WHEN 'deposit' THEN 'managerDeposit' WHEN 'assignment' THEN 'balanceAssignment'
                        WHEN 'cash_assignment'
                        THEN CASE WHEN t.role = 'delivery_man' THEN 'deliveryDeposit' ELSE 'dealerDeposit' END
                        WHEN 'transfer' THEN 'dealerTransfer' WHEN 'exchange' THEN 'dealerExchange'
                        WHEN 'return' THEN 'dealerReturn' WHEN 'expense' THEN 'expense'
                        WHEN 'payment' THEN 'debitPayment' WHEN 'opening' THEN 'openingBalance' END) COLLATE "C" AS kind,
           m.actor AS actor_id, m.role, m.from_party AS from_party_id, m.to_party AS to_party_id,
           m.group_id AS payment_group_id, m.amount AS amount_cents, m.currency,
           m.counter_amount AS counter_amount_cents, m.counter_currency, m.counter_rate, m.on_credit AS is_on_credit,
           m.created_at, m.reversed_at
      FROM read.movements AS m LEFT JOIN read.parties AS t ON t.tenant = m.tenant AND t.id = m.to_party;
COMMENT ON VIEW analytics_v1.movements IS 'Movements of funds, without notes.';
COMMENT ON COLUMN analytics_v1.movements.id IS 'Id of the movement';
COMMENT ON COLUMN analytics_v1.movements.position IS 'Position in the log';
COMMENT ON COLUMN analytics_v1.movements.number IS 'Number on the receipt';
COMMENT ON COLUMN analytics_v1.movements.kind IS 'Kind, as in the API';
COMMENT ON COLUMN analytics_v1.movements.actor_id IS 'Party that did it';
COMMENT ON COLUMN analytics_v1.movements.role IS 'Its role';
COMMENT ON COLUMN analytics_v1.movements.from_party_id IS 'Party whose funds decrease; null for the manager';
COMMENT ON COLUMN analytics_v1.movements.to_party_id IS 'Party whose funds increase; null for the manager';
COMMENT ON COLUMN analytics_v1.movements.payment_group_id IS 'Payment group of a prepaid balance';
COMMENT ON COLUMN analytics_v1.movements.amount_cents IS 'Amount, in hundredths of `currency`';
COMMENT ON COLUMN analytics_v1.movements.currency IS 'Currency';
COMMENT ON COLUMN analytics_v1.movements.counter_amount_cents IS 'Amount received by an exchange, or price of a balance assignment, in hundredths of `counter_currency`';
COMMENT ON COLUMN analytics_v1.movements.counter_currency IS 'Currency received by an exchange; USD for a balance assignment';
COMMENT ON COLUMN analytics_v1.movements.counter_rate IS 'Units of `counter_currency` for one of `currency`; for a balance assignment, units of `currency` for one USD';
COMMENT ON COLUMN analytics_v1.movements.is_on_credit IS 'Whether it opened an obligation';
COMMENT ON COLUMN analytics_v1.movements.created_at IS 'Time of the movement';
COMMENT ON COLUMN analytics_v1.movements.reversed_at IS 'Time of its reversal';

CREATE VIEW analytics_v1.obligations AS
    SELECT id, position, debtor AS debtor_id, creditor AS creditor_id, amount AS amount_cents, paid AS paid_cents,
           void AS is_void, origin, origin_id, opened_at, settled_at
      FROM read.debits;
COMMENT ON VIEW analytics_v1.obligations IS 'What parties owe.';
COMMENT ON COLUMN analytics_v1.obligations.id IS 'Id of the obligation';
COMMENT ON COLUMN analytics_v1.obligations.position IS 'Position in the log';
COMMENT ON COLUMN analytics_v1.obligations.debtor_id IS 'Party that owes';
COMMENT ON COLUMN analytics_v1.obligations.creditor_id IS 'Agency that is owed; null for the manager';
COMMENT ON COLUMN analytics_v1.obligations.amount_cents IS 'Amount, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.obligations.paid_cents IS 'Paid of it, in hundredths of a USD';
COMMENT ON COLUMN analytics_v1.obligations.is_void IS 'Whether it was annulled';
COMMENT ON COLUMN analytics_v1.obligations.origin IS 'Kind of the record that opened it';
COMMENT ON COLUMN analytics_v1.obligations.origin_id IS 'Id of that record';
COMMENT ON COLUMN analytics_v1.obligations.opened_at IS 'Time of its opening';
COMMENT ON COLUMN analytics_v1.obligations.settled_at IS 'Time at which it was paid in full';

GRANT SELECT ON ALL TABLES IN SCHEMA analytics_v1 TO caudal_analyst;

-- Only a role that may create in a schema can own a view in it.
GRANT CREATE ON SCHEMA analytics_v1 TO caudal_views;
DO $$
DECLARE
    name text;
BEGIN
    FOR name IN SELECT viewname FROM pg_views WHERE schemaname = 'analytics_v1' LOOP
        EXECUTE format('ALTER VIEW analytics_v1.%I OWNER TO caudal_views', name);
    END LOOP;
END
$$;
REVOKE CREATE ON SCHEMA analytics_v1 FROM caudal_views;
