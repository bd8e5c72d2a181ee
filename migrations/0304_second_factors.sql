-- Second factors: what a node needs besides the key file to check a party's codes. The secret of the authenticator app is
-- derived from the key file, the party and `salt`: no secret is stored. Which factor is in force stands in the log; a row
-- that is in no event is an enrolment under way.
CREATE TABLE journal.second_factors (
    tenant     text COLLATE "C" NOT NULL,
    factor     uuid             NOT NULL,
    party      uuid             NOT NULL,
    salt       bytea            NOT NULL CHECK (octet_length(salt) = 32),
    -- The time step of the last code used; no code of it or of an earlier one is accepted again. 0 before the first.
    last_step  bigint           NOT NULL CHECK (last_step >= 0),
    -- Keyed hashes of the recovery codes left, 32 bytes each.
    recovery   bytea            NOT NULL CHECK (octet_length(recovery) % 32 = 0),
    created_at timestamptz      NOT NULL,
    mac        bytea,
    PRIMARY KEY (tenant, factor)
);
CREATE INDEX second_factors_of_a_party ON journal.second_factors (tenant, party);
ALTER TABLE journal.second_factors ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.second_factors FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.second_factors USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.second_factors TO caudal_node;
