//! The lists of a tenant's own that its customers are screened against: rows of the installation, of which a move copies those
//! of its tenant.

use super::relocation::MoveError;
use caudal_domain::ids::TenantId;
use caudal_postgres::Database;

/// Lists and their entries, as JSON that PostgreSQL writes and reads.
pub(super) struct OwnLists {
    lists: String,
    chunks: String,
}

impl OwnLists {
    pub(super) async fn read(from: &Database, tenant: &TenantId) -> Result<Self, MoveError> {
        let mut read = from.begin_directory().await?;
        let lists = sqlx::query_scalar(
            "SELECT coalesce(json_agg(row_to_json(l)), '[]')::text FROM journal.screening_lists AS l
              WHERE l.tenant = '*' AND l.scope = $1",
        )
        .bind(tenant.as_str())
        .fetch_one(&mut *read)
        .await?;
        let chunks = sqlx::query_scalar(
            "SELECT coalesce(json_agg(row_to_json(c)), '[]')::text FROM journal.screening_chunks AS c
              WHERE c.tenant = '*'
                AND c.digest IN (SELECT l.digest FROM journal.screening_lists AS l
                                  WHERE l.tenant = '*' AND l.scope = $1)",
        )
        .bind(tenant.as_str())
        .fetch_one(&mut *read)
        .await?;
        Ok(Self { lists, chunks })
    }

    /// Makes the lists of a cell equal to these. Entries that no list has any more are left to the next change of a list.
    pub(super) async fn write(&self, to: &Database, tenant: &TenantId) -> Result<(), MoveError> {
        let mut write = to.begin_directory_write().await?;
        sqlx::query(
            "INSERT INTO journal.screening_chunks
             SELECT * FROM json_populate_recordset(NULL::journal.screening_chunks, $1::json) ON CONFLICT DO NOTHING",
        )
        .bind(&self.chunks)
        .execute(&mut *write)
        .await?;
        sqlx::query("DELETE FROM journal.screening_lists WHERE tenant = '*' AND scope = $1")
            .bind(tenant.as_str())
            .execute(&mut *write)
            .await?;
        sqlx::query(
            "INSERT INTO journal.screening_lists
             SELECT * FROM json_populate_recordset(NULL::journal.screening_lists, $1::json)",
        )
        .bind(&self.lists)
        .execute(&mut *write)
        .await?;
        write.commit().await?;
        Ok(())
    }

    /// Removes a tenant's lists from a cell that it has left.
    pub(super) async fn discard(from: &Database, tenant: &TenantId) -> Result<(), MoveError> {
        let none = Self {
            lists: "[]".to_owned(),
            chunks: "[]".to_owned(),
        };
        none.write(from, tenant).await
    }
}
