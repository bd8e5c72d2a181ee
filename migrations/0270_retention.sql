-- Idempotency records are deleted once they are old (docs/decisions/what-is-deleted-in-time.md): a node finds them by time.
CREATE INDEX receipts_to_delete ON journal.receipts (tenant, recorded_at);
GRANT DELETE ON journal.receipts TO caudal_node;

-- Of the changes for live streams the newest stay, by their place in the log: 20,000, and fewer than 500 more. From now on
-- the projector deletes the older ones as it goes.
DO $$
DECLARE
    name text;
BEGIN
    PERFORM set_config('caudal.tenant', '*', true);
    FOR name IN SELECT tenant FROM journal.heads LOOP
        PERFORM set_config('caudal.tenant', name, true);
        DELETE FROM read.changes AS c
         USING read.checkpoints AS p
         WHERE c.tenant = name AND p.tenant = name AND c.position <= (p.position - 20000) / 500 * 500;
    END LOOP;
    PERFORM set_config('caudal.tenant', '', true);
END
$$;
