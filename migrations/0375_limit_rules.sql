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
ALTER TABLE read.limit_rules ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.limit_rules FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.limit_rules USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON read.limit_rules TO caudal_node;
