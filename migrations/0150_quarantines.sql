-- Quarantines: a tenant whose log does not extend what a node had seen of it is written to by nobody until an operator
-- decides. Each node reports what it had seen; the reports are how nodes tell one another. Every row bears a MAC under the
-- key file, so that whoever owns the database can neither make nor end a quarantine. A restore of the database takes the
-- rows back; what the nodes keep in their data folders stays.
CREATE TABLE journal.quarantines (
    tenant     text COLLATE "C" NOT NULL,
    -- the report's id
    report     uuid        NOT NULL,
    noticed_at timestamptz NOT NULL,
    -- what the node had seen, as JSON
    content    text        NOT NULL,
    ended_at   timestamptz,
    -- the operator's decision, as JSON
    ending     text,
    -- HMAC of tenant, report, content and ending
    mac        bytea       NOT NULL CHECK (octet_length(mac) = 32),
    PRIMARY KEY (tenant, report),
    CONSTRAINT quarantines_ended_by_a_decision CHECK ((ended_at IS NULL) = (ending IS NULL))
);

ALTER TABLE journal.quarantines ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.quarantines FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.quarantines
    USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
-- Every node looks at the reports of all tenants.
CREATE POLICY directory ON journal.quarantines FOR SELECT
    USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
GRANT SELECT, INSERT, UPDATE ON journal.quarantines TO caudal_node;

-- What nodes compare with what they have seen, for many tenants in one round trip: each tenant's head, the hash of the
-- event at the head's position, and the hash at a position that the caller names; NULL where there is no such event.
CREATE FUNCTION journal.look(p_tenants text[], p_positions bigint[])
RETURNS TABLE (tenant text, head_position bigint, head_hash bytea, head_recorded_at timestamptz,
               end_hash bytea, end_recorded_at timestamptz, known_hash bytea)
LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    place integer;
BEGIN
    FOR place IN 1 .. cardinality(p_tenants) LOOP
        PERFORM set_config('caudal.tenant', p_tenants[place], true);
        RETURN QUERY
            SELECT h.tenant, h.position, h.hash, h.recorded_at, e.hash, e.recorded_at, k.hash
              FROM journal.heads AS h
              LEFT JOIN journal.events AS e ON e.tenant = h.tenant AND e.position = h.position
              LEFT JOIN journal.events AS k ON k.tenant = h.tenant AND k.position = p_positions[place]
             WHERE h.tenant = p_tenants[place];
    END LOOP;
    PERFORM set_config('caudal.tenant', '', true);
END
$$;
REVOKE ALL ON FUNCTION journal.look FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.look TO caudal_node;

-- The hash of the last event that a projector applied, and its position: read models that contain events which the log
-- does not have are noticed. A projector of before this column moves `position` alone; the hash counts where `hash_at` is
-- the position.
ALTER TABLE read.checkpoints
    ADD COLUMN hash    bytea,
    ADD COLUMN hash_at bigint;
