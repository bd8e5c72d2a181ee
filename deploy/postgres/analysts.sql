-- Prepares a database of Caudal for logins of analysts (docs/analytics.md). Run by a superuser of PostgreSQL, in each
-- database of Caudal, after `caudal migrate` and before `caudal analysts grant`:
--
--     psql --set=ON_ERROR_STOP=1 --dbname=caudal --file=deploy/postgres/analysts.sql
--
-- PostgreSQL lets every login take advisory locks, write large objects and create temporary tables. Writes of a tenant
-- wait for an advisory lock that another session holds (`journal.guard_placement`), and large objects and temporary
-- tables fill the disk. This script takes these rights from PUBLIC. `caudal_node`, the role of servers, and the owner of
-- the tables keep the advisory locks and the temporary tables.
--
-- Functions that release advisory locks stay with everybody: pools of connections call them. The script may be run again.

DO $$
DECLARE
    owner_name name;
    allowed    record;
BEGIN
    -- Without the right, REVOKE would only warn.
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        RAISE EXCEPTION 'run this as a superuser of PostgreSQL: nobody else takes its functions from PUBLIC';
    END IF;
    SELECT pg_get_userbyid(nspowner) INTO owner_name FROM pg_namespace WHERE nspname = 'journal';
    IF owner_name IS NULL THEN
        RAISE EXCEPTION 'the database % has no schema of Caudal: run `caudal migrate` first', current_database();
    END IF;
    FOR allowed IN
        SELECT p.oid::regprocedure AS function, p.proname LIKE '%advisory%' AS is_lock
          FROM pg_proc AS p
         WHERE p.pronamespace = 'pg_catalog'::regnamespace
           AND (p.proname ~ '^pg_(try_)?advisory_(xact_)?lock(_shared)?$'
                OR p.proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import', 'lo_open', 'lo_put',
                                 'lo_truncate', 'lo_truncate64', 'lo_unlink', 'lowrite'))
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', allowed.function);
        IF allowed.is_lock THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO caudal_node, %I', allowed.function, owner_name);
        END IF;
    END LOOP;
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO caudal_node, %I', current_database(), owner_name);
END
$$;
