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
ALTER TABLE read.late_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.late_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.late_changes USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON read.late_changes TO caudal_node;
