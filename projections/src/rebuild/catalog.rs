//! Schema of the read models, read from PostgreSQL's catalogue and recreated in another schema: columns, keys, indexes,
//! options, statistics, policies and grants, as migrated.

use crate::{
    rows::{EntryRow, FlowBlockRow, HistoryRow, PostingRow, SaleLineRow},
    table::Row as _,
};
use sqlx::{Executor as _, PgConnection, Row as _, postgres::PgRow};

/// Schema in which a rebuild creates the read models.
pub(super) const SHADOW: &str = "read_shadow";

/// Large tables whose rows are written once and not looked up while a log is replayed: their keys are built from all rows.
const ONLY_APPENDED: [&str; 5] = [
    EntryRow::TABLE,
    FlowBlockRow::TABLE,
    HistoryRow::TABLE,
    PostingRow::TABLE,
    SaleLineRow::TABLE,
];

/// A table with the statements that recreate it.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    /// Statements for the table with policies and grants, and with keys where rows are looked up while it is filled.
    create: Vec<String>,
    /// Statements for its other keys and indexes, run after filling.
    pub(super) indexes: Vec<String>,
    /// Statement that ends what holds only while it is filled. It waits for the table's indexes.
    pub(super) end: String,
}

/// Tables of the schema `read`.
pub(super) async fn read(connection: &mut PgConnection) -> Result<Vec<Table>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT c.oid::bigint AS oid, c.relname::text AS name, array_to_string(c.reloptions, ', ') AS options,
                c.relrowsecurity AS secured, c.relforcerowsecurity AS forced
           FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
          WHERE n.nspname = 'read' AND c.relkind = 'r' ORDER BY c.relname",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut tables = Vec::with_capacity(rows.len());
    for row in rows {
        tables.push(table(connection, &row).await?);
    }
    Ok(tables)
}

async fn table(connection: &mut PgConnection, row: &PgRow) -> Result<Table, sqlx::Error> {
    let (oid, name): (i64, String) = (row.try_get("oid")?, row.try_get("name")?);
    let place = format!("{SHADOW}.\"{name}\"");
    let options: Option<String> = row.try_get("options")?;
    let options = options.map(|options| format!("{options}, ")).unwrap_or_default();
    // Autovacuum would analyse a growing table again and again; the rebuild does both when it is worth it.
    let mut create = vec![format!(
        "CREATE TABLE {place} (LIKE read.\"{name}\" INCLUDING ALL EXCLUDING INDEXES EXCLUDING COMMENTS)
         WITH ({options}autovacuum_enabled = off)"
    )];
    let statistics = "SELECT format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS %s', $2::text, attname, attstattarget) AS made
                        FROM pg_attribute
                       WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped AND attstattarget >= 0 ORDER BY attnum";
    create.extend(texts(connection, statistics, oid, &place).await?);
    let keys =
        "SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', $2::text, conname, pg_get_constraintdef(oid)) AS made
                  FROM pg_constraint WHERE conrelid = $1::oid AND contype IN ('p', 'u', 'x') ORDER BY contype, conname";
    let mut later = texts(connection, keys, oid, &place).await?;
    if !ONLY_APPENDED.contains(&name.as_str()) {
        create.append(&mut later);
    }
    let grants = "SELECT format('GRANT %s ON %s TO %s', string_agg(a.privilege_type, ', '), $2::text,
                                 CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END) AS made
                    FROM pg_class AS c
                   CROSS JOIN LATERAL aclexplode(c.relacl) WITH ORDINALITY
                         AS a (grantor, grantee, privilege_type, is_grantable, place)
                   WHERE c.oid = $1::oid AND a.grantee <> c.relowner GROUP BY a.grantee ORDER BY min(a.place)";
    create.extend(texts(connection, grants, oid, &place).await?);
    let policies =
        "SELECT format('CREATE POLICY %I ON %s AS %s FOR %s TO %s%s%s', p.policyname, $2::text, p.permissive, p.cmd,
                                  (SELECT string_agg(CASE WHEN r = 'public' THEN 'PUBLIC' ELSE quote_ident(r) END, ', ')
                                     FROM unnest(p.roles::text[]) AS r),
                                  coalesce(' USING (' || p.qual || ')', ''),
                                  coalesce(' WITH CHECK (' || p.with_check || ')', '')) AS made
                      FROM pg_policies AS p JOIN pg_class AS c ON c.relname = p.tablename
                     WHERE p.schemaname = 'read' AND c.oid = $1::oid ORDER BY p.policyname";
    create.extend(texts(connection, policies, oid, &place).await?);
    if row.try_get("secured")? {
        create.push(format!("ALTER TABLE {place} ENABLE ROW LEVEL SECURITY"));
    }
    if row.try_get("forced")? {
        create.push(format!("ALTER TABLE {place} FORCE ROW LEVEL SECURITY"));
    }
    let indexes =
        "SELECT regexp_replace(pg_get_indexdef(i.indexrelid), ' ON (ONLY )?read\\.\\S+', ' ON ' || $2::text) AS made
                     FROM pg_index AS i
                    WHERE i.indrelid = $1::oid
                      AND NOT EXISTS (SELECT 1 FROM pg_constraint AS k WHERE k.conindid = i.indexrelid)
                    ORDER BY i.indexrelid";
    later.extend(texts(connection, indexes, oid, &place).await?);
    Ok(Table {
        name,
        create,
        indexes: later,
        end: format!("ALTER TABLE {place} RESET (autovacuum_enabled)"),
    })
}

async fn texts(connection: &mut PgConnection, query: &str, oid: i64, place: &str) -> Result<Vec<String>, sqlx::Error> {
    let rows = sqlx::query(query).bind(oid).bind(place).fetch_all(connection).await?;
    rows.iter().map(|row| row.try_get("made")).collect()
}

/// Creates the shadow schema and tables without secondary indexes, dropping the remains of an earlier rebuild.
pub(super) async fn create(owner: &mut PgConnection, tables: &[Table]) -> Result<(), sqlx::Error> {
    owner
        .execute(format!("DROP SCHEMA IF EXISTS {SHADOW} CASCADE; CREATE SCHEMA {SHADOW}").as_str())
        .await?;
    let grants = "SELECT format('GRANT USAGE ON SCHEMA %s TO %I', $2::text, pg_get_userbyid(a.grantee)) AS made
                    FROM pg_namespace AS n CROSS JOIN aclexplode(n.nspacl) AS a
                   WHERE n.oid = $1::oid AND a.grantee NOT IN (0, n.nspowner) AND a.privilege_type = 'USAGE'";
    let oid: i64 = sqlx::query_scalar("SELECT 'read'::regnamespace::oid::bigint")
        .fetch_one(&mut *owner)
        .await?;
    for statement in texts(owner, grants, oid, SHADOW).await? {
        owner.execute(statement.as_str()).await?;
    }
    for statement in tables.iter().flat_map(|table| &table.create) {
        owner.execute(statement.as_str()).await?;
    }
    Ok(())
}
