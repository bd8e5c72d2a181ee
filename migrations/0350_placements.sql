-- Placements: where a tenant lives, of several cells that share a key file (docs/decisions/cells.md). A tenant without a row
-- in any cell lives in the home cell. `epoch` counts its residences: it lives where its highest epoch is. States:
--   here       lives in this cell
--   copying    lives here, and is being copied to the cell `peer`
--   closing    the same; nodes keep new writes waiting
--   held       nothing is written until `until`, when the cell takes writes again by itself
--   left       lives in `peer` since the move `move`; nothing is written here any more
--   arriving   is being copied here from `peer`; only the move `move` writes
-- Only the step from `held` to `left` moves a tenant, in one row of the cell that it leaves.
CREATE TABLE journal.placements (
    tenant text COLLATE "C" PRIMARY KEY,
    state  text COLLATE "C" NOT NULL CHECK (state IN ('here', 'copying', 'closing', 'held', 'left', 'arriving')),
    epoch  bigint           NOT NULL CHECK (epoch >= 0),
    peer   text COLLATE "C" NOT NULL,
    move   uuid             NOT NULL,
    since  timestamptz      NOT NULL DEFAULT clock_timestamp(),
    until  timestamptz,
    -- HMAC of all but the times
    mac    bytea            NOT NULL CHECK (octet_length(mac) = 32),
    CONSTRAINT placements_held_for_a_time CHECK ((state = 'held') = (until IS NOT NULL))
);
CREATE POLICY directory ON journal.placements FOR SELECT USING (NULLIF(current_setting('caudal.tenant', true), '') = '*');
ALTER TABLE journal.placements ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.placements FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.placements USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE ON journal.placements TO caudal_node;

-- Refuses statements that write for a tenant that does not live here. The shared lock makes the change of a placement wait
-- for every transaction that has written, and for no other tenant. Appends write the head first: events and the rows
-- written with them need no trigger of their own.
CREATE FUNCTION journal.guard_placement() RETURNS trigger
LANGUAGE plpgsql
AS $$
DECLARE
    v_tenant text := current_setting('caudal.tenant', true);
    v_state  text;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('caudal placement ' || coalesce(v_tenant, ''), 0));
    SELECT p.state INTO v_state FROM journal.placements AS p
     WHERE p.tenant = v_tenant
       AND (p.state = 'left' OR p.state = 'arriving' OR p.state = 'held' AND p.until > clock_timestamp())
       AND p.move::text IS DISTINCT FROM NULLIF(current_setting('caudal.move', true), '');
    IF v_state IS NOT NULL THEN
        RAISE EXCEPTION 'the tenant % is moving or has moved to another cell (%)', v_tenant, v_state USING ERRCODE = 'CA001';
    END IF;
    RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION journal.guard_placement FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.guard_placement TO caudal_node;

-- Changes a tenant's placement if it is as expected (NULL for none), once all transactions that wrote for it have ended.
-- Returns whether it did. A hold that has run out can't become `left`: writes may have followed it.
CREATE FUNCTION journal.place_tenant(
    p_tenant       text,
    p_from_state   text,
    p_from_move    uuid,
    p_state        text,
    p_epoch        bigint,
    p_peer         text,
    p_move         uuid,
    p_mac          bytea,
    p_milliseconds bigint
) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
    v_until timestamptz;
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    PERFORM pg_advisory_xact_lock(hashtextextended('caudal placement ' || p_tenant, 0));
    v_until := clock_timestamp() + p_milliseconds * interval '1 millisecond';
    IF p_from_state IS NULL THEN
        INSERT INTO journal.placements (tenant, state, epoch, peer, move, until, mac)
        VALUES (p_tenant, p_state, p_epoch, p_peer, p_move, v_until, p_mac)
        ON CONFLICT (tenant) DO NOTHING;
    ELSE
        UPDATE journal.placements AS p
           SET state = p_state, epoch = p_epoch, peer = p_peer, move = p_move, since = clock_timestamp(), until = v_until,
               mac = p_mac
         WHERE p.tenant = p_tenant AND p.state = p_from_state AND p.move = p_from_move
           AND (p_state <> 'left' OR p.until > clock_timestamp());
    END IF;
    RETURN FOUND;
END
$$;
REVOKE ALL ON FUNCTION journal.place_tenant FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.place_tenant TO caudal_node;

CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.heads
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.subject_keys
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.credentials
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.sessions
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.session_origins
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.answers
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.files
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.file_owners
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.reset_codes
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.verifications
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.api_key_uses
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.webhook_positions
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.webhook_deliveries
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.uploads
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.second_factors
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.step_ups
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();
CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.quarantines
    FOR EACH STATEMENT EXECUTE FUNCTION journal.guard_placement();

-- A refusal is confirmed by the head: a cell that a tenant has left confirms none.
CREATE OR REPLACE FUNCTION journal.head(p_tenant text)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    IF EXISTS (SELECT FROM journal.placements AS p WHERE p.tenant = p_tenant AND p.state IN ('left', 'arriving')) THEN
        RAISE EXCEPTION 'the tenant % lives in another cell', p_tenant USING ERRCODE = 'CA001';
    END IF;
    RETURN QUERY
        SELECT h.position, h.epoch, h.hash, h.recorded_at FROM journal.heads AS h WHERE h.tenant = p_tenant;
END
$$;
