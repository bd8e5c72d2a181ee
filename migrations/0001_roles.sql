-- The roles and schemas everything else hangs on. Run by the owner, who may create roles.
--
-- caudal_node    what a node works as (SET ROLE after connecting). It owns nothing.
-- caudal_search  owns the search functions (SECURITY DEFINER): they filter by tenant themselves, because LIKE is not
--                leakproof and a row-level policy would keep trigram indexes from being used.

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['caudal_node', 'caudal_search'] LOOP
        -- Roles belong to the whole server: another database may have made them, even in this instant.
        BEGIN
            EXECUTE format('CREATE ROLE %I NOLOGIN NOINHERIT', role_name);
        EXCEPTION
            WHEN duplicate_object OR unique_violation THEN NULL;
        END;
        IF NOT pg_has_role(current_user, role_name, 'USAGE') THEN
            EXECUTE format('GRANT %I TO CURRENT_USER', role_name);
        END IF;
    END LOOP;
END
$$;

CREATE SCHEMA journal;
COMMENT ON SCHEMA journal IS 'The truth and what is backed up with it: heads, events, receipts, claims, keys, credentials, sessions, files.';

CREATE SCHEMA read;
COMMENT ON SCHEMA read IS 'Read models: disposable, rebuilt from the journal.';

GRANT USAGE ON SCHEMA journal, read TO caudal_node;
GRANT USAGE ON SCHEMA read TO caudal_search;
