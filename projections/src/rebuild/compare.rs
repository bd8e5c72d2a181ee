//! Comparison of two sets of read models: by a digest per table, then row by row in both directions where digests
//! differ.

use caudal_domain::ids::TenantId;
use sqlx::{PgConnection, Row as _};

/// Differing rows listed per table.
const EXAMPLES: i64 = 3;

/// Table with the read models' positions.
const CHECKPOINTS: &str = "checkpoints";

/// A table that a replay builds differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub table: String,
    /// Rows that are extra or have other values.
    pub unexpected: i64,
    /// Rows that are missing or have other values.
    pub missing: i64,
    /// Keys of some of them.
    pub examples: Vec<String>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            table,
            unexpected,
            missing,
            examples,
        } = self;
        write!(
            f,
            "{table}: {unexpected} rows that should not be so, {missing} that should; for example {}",
            examples.join(", ")
        )
    }
}

/// Compares a tenant's rows in all tables of two schemas, the serving one and the replayed one, on a connection whose
/// transaction sees both at `position`. `told` receives the tables compared and their number.
pub(crate) async fn compare(
    connection: &mut PgConnection,
    [live, built]: [&str; 2],
    tables: &[String],
    tenant: &TenantId,
    position: i64,
    mut told: impl FnMut(usize, usize) + Send,
) -> Result<Vec<Difference>, sqlx::Error> {
    let seed = seed(connection).await?;
    let mut differences = Vec::new();
    for (compared, table) in (1..).zip(tables) {
        // A tenant that was never projected has no position, which equals 0.
        if position == 0 && table == CHECKPOINTS {
            continue;
        }
        let served = digest(connection, live, table, tenant, seed).await?;
        if served == digest(connection, built, table, tenant, seed).await? {
            told(compared, tables.len());
            continue;
        }
        let key = key(connection, table).await?;
        let (unexpected, mut examples) = rows_only_in(connection, live, built, table, &key, tenant).await?;
        let (missing, others) = rows_only_in(connection, built, live, table, &key, tenant).await?;
        if unexpected != 0 || missing != 0 {
            examples.extend(others);
            examples.sort_unstable();
            examples.dedup();
            differences.push(Difference {
                table: table.clone(),
                unexpected,
                missing,
                examples,
            });
        }
        told(compared, tables.len());
    }
    Ok(differences)
}

/// Random prefix of a comparison's hashes, so that collisions can't be prepared.
async fn seed(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT hashtextextended(gen_random_uuid()::text, 0)")
        .fetch_one(connection)
        .await
}

/// Number of a tenant's rows in a table and the sum of their hashes. Rows equal for `EXCEPT ALL` have equal hashes, and
/// no sort is needed, which would take ten times as long. Each row's hash is hashed again: it is a sum over columns,
/// which would not detect values exchanged between two rows.
async fn digest(
    connection: &mut PgConnection,
    schema: &str,
    table: &str,
    tenant: &TenantId,
    seed: i64,
) -> Result<(i64, String), sqlx::Error> {
    let text = format!(
        "SELECT count(*) AS rows, coalesce(sum(hashint8extended(hash_record_extended(one, $2), $2)), 0)::text AS hashes
           FROM {schema}.\"{table}\" AS one WHERE tenant = $1"
    );
    let row = sqlx::query(&text)
        .persistent(false)
        .bind(tenant.as_str())
        .bind(seed)
        .fetch_one(connection)
        .await?;
    Ok((row.try_get("rows")?, row.try_get("hashes")?))
}

/// SQL expression of a row's key without the tenant, for display; keys contain nothing personal.
async fn key(connection: &mut PgConnection, table: &str) -> Result<String, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT quote_ident(a.attname) AS name
           FROM pg_index AS i
           JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
          WHERE i.indrelid = format('read.%I', $1::text)::regclass AND i.indisprimary
          ORDER BY array_position(i.indkey::int2[], a.attnum)",
    )
    .bind(table)
    .fetch_all(connection)
    .await?;
    let names = rows
        .iter()
        .map(|row| row.try_get("name"))
        .collect::<Result<Vec<String>, _>>()?;
    Ok(format!("concat_ws('/', {})", names.join(", ")))
}

async fn rows_only_in(
    connection: &mut PgConnection,
    one: &str,
    other: &str,
    table: &str,
    key: &str,
    tenant: &TenantId,
) -> Result<(i64, Vec<String>), sqlx::Error> {
    let text = format!(
        "SELECT count(*) OVER () AS rows, {key} AS key
           FROM (SELECT * FROM {one}.\"{table}\" WHERE tenant = $1
                 EXCEPT ALL SELECT * FROM {other}.\"{table}\" WHERE tenant = $1) AS different
          LIMIT {EXAMPLES}"
    );
    let found = sqlx::query(&text)
        .persistent(false)
        .bind(tenant.as_str())
        .fetch_all(connection)
        .await?;
    let rows = found.first().map_or(Ok(0), |row| row.try_get("rows"))?;
    let keys = found.iter().map(|row| row.try_get("key")).collect::<Result<_, _>>()?;
    Ok((rows, keys))
}
