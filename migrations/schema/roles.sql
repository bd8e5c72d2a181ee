-- The roles that the grants of the schemas name. Run by the owner, who may create roles. Roles belong to the whole
-- server, so that this page may run where they exist.
--
-- caudal_node    what a node works as (SET ROLE after connecting). It owns nothing.
-- caudal_search  owns the search functions (SECURITY DEFINER): they filter by tenant themselves, because LIKE is not
--                leakproof and a row-level policy would keep trigram indexes from being used.
-- caudal_views   owns the views for analysts: policies filter what it reads by the session's login.
-- caudal_analyst what the logins of analysts are members of. It may read the views, and nothing else.

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['caudal_node', 'caudal_search', 'caudal_views', 'caudal_analyst'] LOOP
        -- Roles are server-wide: another database may have created them concurrently.
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
