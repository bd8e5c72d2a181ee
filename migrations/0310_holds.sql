-- Holds of remittances. `held`: whether one is open. `breach_at`: when a delivery was booked although it was held.
ALTER TABLE read.remittances ADD COLUMN held boolean NOT NULL DEFAULT false;
ALTER TABLE read.remittances ALTER COLUMN held DROP DEFAULT;
ALTER TABLE read.remittances ADD COLUMN breach_at timestamptz;
ALTER TABLE read.remittances ADD COLUMN breach_settled_at timestamptz;
ALTER TABLE read.remittances ADD COLUMN breach_settlement text;
CREATE INDEX remittances_held ON read.remittances (tenant, position) WHERE held;
CREATE INDEX remittances_breached ON read.remittances (tenant, position)
    WHERE breach_at IS NOT NULL AND breach_settled_at IS NULL;

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
    PRIMARY KEY (tenant, remittance, number),
    UNIQUE (tenant, position)
);
CREATE INDEX remittance_holds_by_recipient ON read.remittance_holds (tenant, recipient);
CREATE INDEX remittance_holds_open ON read.remittance_holds (tenant, position)
    WHERE released_at IS NULL AND ended_at IS NULL;
ALTER TABLE read.remittance_holds ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.remittance_holds FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.remittance_holds USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON read.remittance_holds TO caudal_node;
