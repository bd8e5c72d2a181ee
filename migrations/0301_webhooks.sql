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
ALTER TABLE read.webhooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE read.webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON read.webhooks USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
-- The directory, under the name '*' that no tenant can have: which endpoints wait for events.
CREATE POLICY directory ON read.webhooks FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
GRANT SELECT, INSERT, UPDATE, DELETE ON read.webhooks TO caudal_node;

-- How far the deliveries to each endpoint are: `position` is the last one delivered or passed over. A node that delivers
-- holds the row until `held_until`, so that one node at a time does. Without MAC: a changed position sends events again or
-- leaves them out.
CREATE TABLE journal.webhook_positions (
    tenant        text COLLATE "C" NOT NULL,
    webhook       uuid             NOT NULL,
    replay_event  bigint           NOT NULL,
    resume_event  bigint           NOT NULL,
    position      bigint           NOT NULL,
    attempts      integer          NOT NULL DEFAULT 0,
    failing_since timestamptz,
    next_at       timestamptz      NOT NULL,
    holder        uuid,
    held_until    timestamptz,
    PRIMARY KEY (tenant, webhook)
);
ALTER TABLE journal.webhook_positions ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.webhook_positions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.webhook_positions
 USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
CREATE POLICY directory ON journal.webhook_positions FOR SELECT
 USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.webhook_positions TO caudal_node;

-- The latest deliveries to each endpoint, for its screen: the last answer to each event. The body is read from the log, so
-- that no copy of personal data is here. Without MAC: displayed only.
CREATE TABLE journal.webhook_deliveries (
    tenant       text COLLATE "C" NOT NULL,
    webhook      uuid             NOT NULL,
    position     bigint           NOT NULL,
    event_id     text COLLATE "C" NOT NULL,
    event_type   text COLLATE "C" NOT NULL,
    attempts     integer          NOT NULL,
    at           timestamptz      NOT NULL,
    delivered    boolean          NOT NULL,
    status       integer,
    failure      text COLLATE "C",
    answer       text,
    milliseconds integer          NOT NULL,
    PRIMARY KEY (tenant, webhook, position)
);
CREATE INDEX webhook_deliveries_by_time ON journal.webhook_deliveries (tenant, webhook, at);
ALTER TABLE journal.webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.webhook_deliveries
 USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.webhook_deliveries TO caudal_node;
