-- Deleted parties leave the lists, and an edit of a remittance says what it changed. The read models are disposable: they
-- are emptied, and built anew by the projector.
DO $$
DECLARE
    names text;
BEGIN
    SELECT string_agg(format('read.%I', tablename), ', ') INTO names FROM pg_tables WHERE schemaname = 'read';
    EXECUTE 'TRUNCATE ' || names;
END
$$;

ALTER TABLE read.parties ADD COLUMN deleted boolean NOT NULL DEFAULT false;

-- The details after a sale or an edit, by which the next one tells what it changed; null for anything else.
ALTER TABLE read.remittance_history
    ADD COLUMN group_id     uuid,
    ADD COLUMN method       text COLLATE "C",
    ADD COLUMN province     uuid,
    ADD COLUMN municipality uuid,
    ADD COLUMN card         uuid,
    ADD COLUMN address      text,
    ADD COLUMN notes        text;
