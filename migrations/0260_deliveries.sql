-- Deliveries without a network: the act's own moment, attempts that failed, and deliveries refused when they were sent;
-- and the interface's files of the version before.

-- `delivered_at`: when it was delivered, where that is not when it was recorded.
ALTER TABLE read.remittances ADD COLUMN delivered_at timestamptz;

-- `occurred_at`: when it happened, where it was recorded later. `detail`: why an attempt failed, or the code of a refusal.
ALTER TABLE read.remittance_history ADD COLUMN occurred_at timestamptz;
ALTER TABLE read.remittance_history ADD COLUMN detail text COLLATE "C";

-- One row a delivery that was made without a network and refused when it was sent. `recipient` is whom its proof shows.
CREATE TABLE read.delivery_disputes (
    tenant            text COLLATE "C" NOT NULL,
    remittance        uuid        NOT NULL,
    number            integer     NOT NULL,
    position          bigint      NOT NULL,
    at                timestamptz NOT NULL,
    reported_by       uuid        NOT NULL,
    refused           text        COLLATE "C" NOT NULL,
    delivered_at      timestamptz,
    identification    text        COLLATE "C",
    signature         text        COLLATE "C",
    to_representative boolean     NOT NULL,
    recipient         uuid        NOT NULL,
    settled_at        timestamptz,
    settled_by        uuid,
    settled_role      text        COLLATE "C",
    settlement        text,
    PRIMARY KEY (tenant, remittance, number),
    UNIQUE (tenant, position)
);
CREATE INDEX delivery_disputes_open ON read.delivery_disputes (tenant, position) WHERE settled_at IS NULL;
CREATE INDEX delivery_disputes_by_recipient ON read.delivery_disputes (tenant, recipient);
ALTER TABLE read.delivery_disputes ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.delivery_disputes FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.delivery_disputes
    USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON read.delivery_disputes TO caudal_node;
