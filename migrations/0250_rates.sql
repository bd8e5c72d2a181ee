-- Changes of exchange rates: scheduled, effective, withdrawn and undone. Nothing personal.
CREATE TABLE read.rate_changes (
    tenant       text COLLATE "C" NOT NULL,
    id           uuid   NOT NULL,
    position     bigint NOT NULL,
    status       text   COLLATE "C" NOT NULL,
    rates        jsonb  NOT NULL,
    skipped      jsonb  NOT NULL,
    at           timestamptz,
    created_at   timestamptz NOT NULL,
    created_by   uuid,
    effective_at timestamptz,
    ended_at     timestamptz,
    ended_by     uuid,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX rate_changes_by_position ON read.rate_changes (tenant, position);
-- Those whose moment is to come, for the task that waits for it.
CREATE INDEX rate_changes_due ON read.rate_changes (at) WHERE status = 'scheduled';

ALTER TABLE read.rate_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.rate_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.rate_changes USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON read.rate_changes TO caudal_node;
-- The directory, under the name '*' that no tenant can have: which tenants have a change that is due.
CREATE POLICY directory ON read.rate_changes FOR SELECT
    USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
