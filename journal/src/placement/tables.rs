//! The rows beside the log, as a move copies them: as JSON that PostgreSQL writes and reads, so that each row arrives as it
//! is, with its MAC.

use caudal_domain::ids::TenantId;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// Rows per statement.
const CHUNK: i32 = 2_000;
/// Age in hours up to which rows are compared that are deleted in time; shorter than any retention.
pub(super) const COMPARED_HOURS: i32 = 24;
/// Cursor of a growing table.
const CURSOR: &str = "moving";

/// Tables that only grow, apart from retention: what changed since the last pass is copied, by the transactions that wrote it.
pub(super) const GROWING: [Growing; 4] = [
    Growing {
        name: "receipts",
        again: "(tenant, actor, key) DO NOTHING",
        dated: Some("recorded_at"),
    },
    Growing {
        name: "answers",
        again: "(tenant, actor, key) DO NOTHING",
        dated: Some("recorded_at"),
    },
    Growing {
        name: "readings",
        again: "(tenant, id) DO NOTHING",
        dated: Some("read_at"),
    },
    Growing {
        name: "subject_keys",
        again: "(tenant, subject) DO UPDATE
                SET master = EXCLUDED.master, wrapped = EXCLUDED.wrapped, forgotten_at = EXCLUDED.forgotten_at,
                    mac = EXCLUDED.mac",
        dated: None,
    },
];

/// Tables that are made equal in each pass, in an order in which a row comes after those that it refers to. `journal.file_totals`
/// follows from the files; snapshots and Merkle nodes are made again from the log. A tenant's own lists for screening are rows of the
/// installation ([`super::own_lists`]).
pub(super) const EQUAL: [Equal; 24] = [
    Equal::replaced("claims"),
    Equal::replaced("credentials"),
    Equal::replaced("sessions"),
    Equal::kept(
        "session_origins",
        "(tenant, session) DO UPDATE SET browser = EXCLUDED.browser, system = EXCLUDED.system, address = EXCLUDED.address",
    ),
    Equal::kept("viewings", "(tenant, session) DO NOTHING"),
    Equal::replaced("sign_on_secrets"),
    Equal::replaced("sign_on_subjects"),
    Equal::replaced("files"),
    Equal::replaced("file_owners"),
    Equal::replaced("reset_codes"),
    Equal::replaced("verifications"),
    Equal::replaced("checkpoints"),
    Equal::kept("api_key_uses", "(tenant, key) DO UPDATE SET used_at = EXCLUDED.used_at"),
    Equal::replaced("webhook_positions"),
    Equal::replaced("webhook_deliveries"),
    Equal::replaced("uploads"),
    Equal::replaced("second_factors"),
    Equal::replaced("passkeys"),
    Equal::replaced("step_ups"),
    Equal::replaced("imports"),
    Equal::replaced("import_chunks"),
    Equal::replaced("import_rows"),
    Equal::replaced("import_profiles"),
    Equal::replaced("import_proofs"),
];

/// Tables cleared in a cell that a tenant has left, or never arrived in: people's keys become unreadable rows below.
pub(super) const DISCARDED: [&str; 18] = [
    "readings",
    "sign_on_secrets",
    "sign_on_subjects",
    "step_ups",
    "second_factors",
    "passkeys",
    "reset_codes",
    "sessions",
    "credentials",
    "answers",
    "snapshots",
    "webhook_positions",
    "webhook_deliveries",
    "import_rows",
    "import_chunks",
    "import_profiles",
    "import_proofs",
    "imports",
];

pub(super) struct Growing {
    pub(super) name: &'static str,
    /// Conflict action for an existing row.
    again: &'static str,
    /// Their time, where retention deletes old rows in both cells by itself: rows of the last [`COMPARED_HOURS`] are compared.
    dated: Option<&'static str>,
}

pub(super) struct Equal {
    pub(super) name: &'static str,
    /// Conflict action for an existing row in tables from which nodes may not delete.
    again: Option<&'static str>,
}

impl Equal {
    const fn replaced(name: &'static str) -> Self {
        Self { name, again: None }
    }

    const fn kept(name: &'static str, again: &'static str) -> Self {
        Self {
            name,
            again: Some(again),
        }
    }

    /// All rows as a JSON array.
    pub(super) async fn read(&self, from: &mut PgConnection, tenant: &TenantId) -> Result<String, sqlx::Error> {
        let read = format!(
            "SELECT coalesce(json_agg(row_to_json(t)), '[]')::text FROM journal.{} AS t WHERE t.tenant = $1",
            self.name
        );
        sqlx::query_scalar(&read).bind(tenant.as_str()).fetch_one(from).await
    }

    /// Deletes the rows that are not among these.
    pub(super) async fn delete(
        &self,
        to: &mut PgConnection,
        tenant: &TenantId,
        rows: &str,
    ) -> Result<u64, sqlx::Error> {
        if self.again.is_some() {
            return Ok(0);
        }
        let table = self.name;
        let delete = format!(
            "DELETE FROM journal.{table} AS t
              WHERE t.tenant = $1
                AND NOT EXISTS (SELECT FROM json_populate_recordset(NULL::journal.{table}, $2::json) AS s
                                 WHERE s::text = t::text)"
        );
        let deleted = sqlx::query(&delete)
            .bind(tenant.as_str())
            .bind(rows)
            .execute(to)
            .await?;
        Ok(deleted.rows_affected())
    }

    /// Inserts the rows that are missing.
    pub(super) async fn insert(
        &self,
        to: &mut PgConnection,
        tenant: &TenantId,
        rows: &str,
    ) -> Result<u64, sqlx::Error> {
        let table = self.name;
        let conflict = self
            .again
            .map_or_else(String::new, |again| format!("ON CONFLICT {again}"));
        let insert = format!(
            "INSERT INTO journal.{table}
             SELECT s.* FROM json_populate_recordset(NULL::journal.{table}, $2::json) AS s
              WHERE NOT EXISTS (SELECT FROM journal.{table} AS t WHERE t.tenant = $1 AND t::text = s::text) {conflict}"
        );
        let inserted = sqlx::query(&insert)
            .bind(tenant.as_str())
            .bind(rows)
            .execute(to)
            .await?;
        Ok(inserted.rows_affected())
    }
}

impl Growing {
    /// Begins to read the rows written by transactions since `since`, the oldest one under way at the last pass.
    pub(super) async fn open(
        &self,
        from: &mut PgConnection,
        tenant: &TenantId,
        since: Option<&str>,
    ) -> Result<(), sqlx::Error> {
        let declare = format!(
            "DECLARE {CURSOR} NO SCROLL CURSOR FOR
             SELECT row_to_json(t)::text FROM journal.{} AS t
              WHERE t.tenant = $1 AND ($2 IS NULL OR age(t.xmin) <= age($2::text::xid))",
            self.name
        );
        sqlx::query(&declare)
            .bind(tenant.as_str())
            .bind(since)
            .execute(from)
            .await?;
        Ok(())
    }

    /// The next rows as a JSON array with their number; `None` at the end.
    pub(super) async fn next(from: &mut PgConnection) -> Result<Option<(String, usize)>, sqlx::Error> {
        let fetch = format!("FETCH {CHUNK} FROM {CURSOR}");
        let rows: Vec<String> = sqlx::query_scalar(&fetch).fetch_all(&mut *from).await?;
        if rows.is_empty() {
            let close = format!("CLOSE {CURSOR}");
            sqlx::query(&close).execute(from).await?;
            return Ok(None);
        }
        Ok(Some((format!("[{}]", rows.join(",")), rows.len())))
    }

    pub(super) async fn write(&self, to: &mut PgConnection, rows: &str) -> Result<(), sqlx::Error> {
        let table = self.name;
        let insert = format!(
            "INSERT INTO journal.{table} SELECT s.* FROM json_populate_recordset(NULL::journal.{table}, $1::json) AS s
             ON CONFLICT {}",
            self.again
        );
        sqlx::query(&insert).bind(rows).execute(to).await?;
        Ok(())
    }
}

/// Number of rows of a table and a sum over their contents, whatever their order; of rows after a moment, where one is given with the
/// column of their time. Both cells are asked for the same moment: between two looks at a clock, rows become too old.
pub(super) async fn sum(
    connection: &mut PgConnection,
    tenant: &TenantId,
    table: &str,
    after: Option<(&str, DateTime<Utc>)>,
) -> Result<(i64, String), sqlx::Error> {
    let condition = after.map_or_else(String::new, |(column, _)| format!("AND t.{column} > $2"));
    let sum = format!(
        "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text
           FROM journal.{table} AS t WHERE t.tenant = $1 {condition}"
    );
    let sum = sqlx::query_as(&sum).bind(tenant.as_str());
    match after {
        Some((_, after)) => sum.bind(after).fetch_one(connection).await,
        None => sum.fetch_one(connection).await,
    }
}

/// The tables to compare, each with the column of its rows' time where old ones are left out.
pub(super) fn compared() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    let growing = GROWING.iter().map(|table| (table.name, table.dated));
    growing.chain(EQUAL.iter().map(|table| (table.name, None)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of which a move copies nothing.
    const LEFT: [&str; 14] = [
        // Copied event by event, with their head.
        "events",
        "heads",
        // Made again from the log and the files.
        "snapshots",
        "merkle_nodes",
        "file_totals",
        // Of the installation, or of a cell.
        "keyring",
        "master_keys",
        "attempts",
        "writer_leases",
        "placements",
        // A tenant in quarantine does not move.
        "quarantines",
        // A cell screens its customers by itself; own lists are copied by themselves.
        "screening_runs",
        "screening_lists",
        "screening_chunks",
    ];

    /// Copied tables without a trigger: their rows are written by an append, which writes the head first.
    const WRITTEN_BY_APPENDS: [&str; 2] = ["claims", "receipts"];

    #[test]
    fn every_copied_table_refuses_writes_where_its_tenant_does_not_live() {
        let schema = include_str!("../../../migrations/schema/journal.sql");
        for (table, _) in compared() {
            let trigger =
                format!("CREATE TRIGGER guard_placement BEFORE INSERT OR UPDATE OR DELETE ON journal.{table}\n");
            assert_ne!(
                schema.contains(&trigger),
                WRITTEN_BY_APPENDS.contains(&table),
                "{table}"
            );
        }
    }

    #[test]
    fn every_table_of_the_journal_is_copied_or_left_for_a_reason() {
        let schema = include_str!("../../../migrations/schema/journal.sql");
        let tables = schema
            .lines()
            .filter_map(|line| line.strip_prefix("CREATE TABLE journal."));
        let tables: Vec<_> = tables
            .filter_map(|line| line.split_once(' '))
            .map(|(name, _)| name)
            .collect();
        assert!(tables.len() > LEFT.len(), "{tables:?}");
        for table in tables {
            let copied = compared().any(|(name, _)| name == table);
            assert_ne!(copied, LEFT.contains(&table), "{table}");
        }
    }
}
