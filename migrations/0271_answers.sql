-- What the API answered to a request under an idempotency key, so that the same key has the same answer
-- (docs/decisions/answers-are-repeated.md). `body` is encrypted under the data keys of the people whom it may be about.
CREATE TABLE journal.answers (
    tenant      text COLLATE "C" NOT NULL,
    actor       text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    -- an HMAC of the request
    digest      bytea            NOT NULL CHECK (octet_length(digest) = 32),
    -- the HTTP status
    status      smallint         NOT NULL,
    position    bigint           NOT NULL,
    -- the ids of these people, one after the other
    people      bytea            NOT NULL CHECK (octet_length(people) % 16 = 0),
    body        bytea            NOT NULL,
    recorded_at timestamptz      NOT NULL,
    mac         bytea,
    PRIMARY KEY (tenant, actor, key)
);
CREATE INDEX answers_to_delete ON journal.answers (tenant, recorded_at);
ALTER TABLE journal.answers ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.answers FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.answers
    USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, DELETE ON journal.answers TO caudal_node;
GRANT UPDATE (mac) ON journal.answers TO caudal_node;
