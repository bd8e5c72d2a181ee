-- A fence raises the epoch past that of the append whose answer was lost. After a failover that lost an earlier fence, the
-- epoch is lower than one that was there before, and the next number could be that append's own.
CREATE FUNCTION journal.fence_past(p_tenant text, p_epoch bigint)
RETURNS TABLE (head_position bigint, head_epoch bigint, head_hash bytea, head_recorded_at timestamptz)
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
    PERFORM set_config('caudal.tenant', p_tenant, true);
    RETURN QUERY
        UPDATE journal.heads AS h SET epoch = greatest(h.epoch, p_epoch) + 1 WHERE h.tenant = p_tenant
     RETURNING h.position, h.epoch, h.hash, h.recorded_at;
END
$$;
REVOKE ALL ON FUNCTION journal.fence_past FROM PUBLIC;
GRANT EXECUTE ON FUNCTION journal.fence_past TO caudal_node;
