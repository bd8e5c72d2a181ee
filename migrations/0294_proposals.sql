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
ALTER TABLE read.proposals ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.proposals FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.proposals USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
-- The directory, under the name '*' that no tenant can have: which tenants have a person to forget.
CREATE POLICY directory ON read.proposals FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
GRANT SELECT, INSERT, UPDATE, DELETE ON read.proposals TO caudal_node;
