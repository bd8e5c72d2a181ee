//! Views over the read models. A view is bound to tables by OID and would keep reading the retired ones, so the swap
//! replaces each view by itself on the new tables.
//!
//! `CREATE OR REPLACE VIEW` keeps a view's OID, and with it owner, grants, comments and the views that operators made on it.

use sqlx::PgConnection;

/// Statements that bind each view that reads a table of the schema `read`, in any schema, to the tables that have these
/// names when the statements run. To be read before the tables are exchanged.
pub(super) async fn over_read_models(connection: &mut PgConnection) -> Result<Vec<String>, sqlx::Error> {
    // Without a schema on the search path every name in a definition is qualified.
    sqlx::query("SET LOCAL search_path TO pg_catalog")
        .execute(&mut *connection)
        .await?;
    sqlx::query_scalar(
        "SELECT format('CREATE OR REPLACE VIEW %s%s AS %s', v.oid::regclass,
                       ' WITH (' || array_to_string(v.reloptions, ', ') || ')', pg_get_viewdef(v.oid))
           FROM pg_class AS v
          WHERE v.relkind = 'v'
            AND EXISTS (SELECT 1 FROM pg_rewrite AS w
                          JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
                          JOIN pg_class AS t ON d.refclassid = 'pg_class'::regclass AND t.oid = d.refobjid
                         WHERE w.ev_class = v.oid AND t.relnamespace = 'read'::regnamespace)
          ORDER BY v.oid",
    )
    .fetch_all(&mut *connection)
    .await
}
