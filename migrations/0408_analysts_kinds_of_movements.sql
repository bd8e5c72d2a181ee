-- Kinds of movements as the API names them: a receiver's role distinguishes two of them. The view keeps its owner and grants.
CREATE OR REPLACE VIEW analytics_v1.movements AS
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

-- What the columns have had from the start.
COMMENT ON COLUMN analytics_v1.movements.counter_amount_cents IS 'Amount received by an exchange, or price of a balance assignment, in hundredths of `counter_currency`';
COMMENT ON COLUMN analytics_v1.movements.counter_currency IS 'Currency received by an exchange; USD for a balance assignment';
COMMENT ON COLUMN analytics_v1.movements.counter_rate IS 'Units of `counter_currency` for one of `currency`; for a balance assignment, units of `currency` for one USD';
COMMENT ON COLUMN analytics_v1.remittance_changes.dealer_id IS 'Dealer after a change `assigned` or `completed`; null for other changes';
COMMENT ON COLUMN analytics_v1.remittance_changes.delivery_man_id IS 'Delivery man after a change `assigned` or `completed`; null for other changes';
