-- Which node writes for a tenant: the other nodes forward its commands there. A lease ends unless it is renewed, by this
-- server's clock. Appends do not look at it. A node reads and renews the leases of all tenants at once: all rows bear the
-- name '*', which no tenant can have.
CREATE TABLE journal.writer_leases (
    tenant    text COLLATE "C" NOT NULL DEFAULT '*' CHECK (tenant = '*'),
    of_tenant text COLLATE "C" NOT NULL,
    node      uuid             NOT NULL,
    address   text             NOT NULL,
    until     timestamptz      NOT NULL,
    mac       bytea            NOT NULL,
    PRIMARY KEY (tenant, of_tenant)
);
ALTER TABLE journal.writer_leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal.writer_leases FORCE ROW LEVEL SECURITY;
CREATE POLICY own_tenant ON journal.writer_leases
    USING (tenant = NULLIF(current_setting('caudal.tenant', true), ''));
GRANT SELECT, INSERT, UPDATE, DELETE ON journal.writer_leases TO caudal_node;

-- Takes a tenant's lease for a node where no other node has it, and tells who has it. Losing the last moments of leases in
-- a crash of the server is borne.
CREATE FUNCTION journal.take_writer_lease(
    p_of_tenant    text,
    p_node         uuid,
    p_address      text,
    p_mac          bytea,
    p_milliseconds bigint
) RETURNS TABLE (of_tenant text, node uuid, address text, mac bytea, milliseconds bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
    v_now   timestamptz := clock_timestamp();
    v_until timestamptz := v_now + p_milliseconds * interval '1 millisecond';
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    INSERT INTO journal.writer_leases AS l (of_tenant, node, address, until, mac)
    VALUES (p_of_tenant, p_node, p_address, v_until, p_mac)
    ON CONFLICT (tenant, of_tenant) DO UPDATE
       SET node = EXCLUDED.node, address = EXCLUDED.address, until = EXCLUDED.until, mac = EXCLUDED.mac
     WHERE l.until <= v_now OR l.node = EXCLUDED.node;
    RETURN QUERY
        SELECT l.of_tenant, l.node, l.address, l.mac, (extract(epoch FROM l.until - v_now) * 1000)::bigint
          FROM journal.writer_leases AS l WHERE l.tenant = '*' AND l.of_tenant = p_of_tenant;
END
$$;
REVOKE ALL ON FUNCTION journal.take_writer_lease FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.take_writer_lease TO caudal_node;

-- Renews a node's leases of these tenants, and tells of all leases that last.
CREATE FUNCTION journal.renew_writer_leases(p_node uuid, p_of_tenants text[], p_milliseconds bigint)
RETURNS TABLE (of_tenant text, node uuid, address text, mac bytea, milliseconds bigint)
LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
    v_now timestamptz := clock_timestamp();
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE journal.writer_leases
       SET until = v_now + p_milliseconds * interval '1 millisecond'
     WHERE tenant = '*' AND of_tenant = ANY (p_of_tenants) AND node = p_node;
    RETURN QUERY
        SELECT l.of_tenant, l.node, l.address, l.mac, (extract(epoch FROM l.until - v_now) * 1000)::bigint
          FROM journal.writer_leases AS l WHERE l.tenant = '*' AND l.until > v_now;
END
$$;
REVOKE ALL ON FUNCTION journal.renew_writer_leases FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.renew_writer_leases TO caudal_node;

-- Gives a node's leases back: it goes down.
CREATE FUNCTION journal.release_writer_leases(p_node uuid) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    PERFORM set_config('synchronous_commit', 'off', true);
    DELETE FROM journal.writer_leases WHERE tenant = '*' AND node = p_node;
END
$$;
REVOKE ALL ON FUNCTION journal.release_writer_leases FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.release_writer_leases TO caudal_node;
