//! Rows beside the log that belong to events which an operator has given up. A restored database has taken them back with its
//! events; where the log alone was cut they would tell of events that never were.

use crate::{
    beside::{
        authenticity::{self, Table, Which},
        implied::Implied,
    },
    error::JournalError,
    journal::Shared,
    log::read::{self, Range},
    proof::verify::PAGE,
};
use caudal_domain::ids::TenantId;
use sqlx::PgConnection;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Tables whose rows name positions, with the statement that takes them back to `$2`, the first lost position. Rows of events
/// that were written since, on the accepted log, stay.
const BY_POSITION: [(&str, &str); 5] = [
    // A repeated key would be answered as if the command were carried out. A record and its event have one time.
    (
        "receipts",
        "DELETE FROM journal.receipts AS r
          WHERE r.tenant = $1 AND r.position >= $2
            AND NOT EXISTS (SELECT FROM journal.events AS e
                             WHERE e.tenant = r.tenant AND e.position = r.position AND e.recorded_at = r.recorded_at)",
    ),
    (
        "answers",
        "DELETE FROM journal.answers AS a
          WHERE a.tenant = $1 AND a.position >= $2
            AND NOT EXISTS (SELECT FROM journal.receipts AS r
                             WHERE r.tenant = a.tenant AND r.actor = a.actor AND r.key = a.key AND r.position = a.position)",
    ),
    // Caches of states that are none.
    (
        "snapshots",
        "DELETE FROM journal.snapshots WHERE tenant = $1 AND position >= $2",
    ),
    // Computed again when a root is asked for.
    (
        "merkle_nodes",
        "DELETE FROM journal.merkle_nodes WHERE tenant = $1 AND (number + 1) << level::integer >= $2",
    ),
    // Shown with the body of the event at their position, which is another one now. An event's id has the start of its hash.
    (
        "webhook_deliveries",
        "DELETE FROM journal.webhook_deliveries AS d
          WHERE d.tenant = $1 AND d.position >= $2
            AND NOT EXISTS (SELECT FROM journal.events AS e
                             WHERE e.tenant = d.tenant AND e.position = d.position
                               AND d.event_id = e.position || '-' || left(encode(e.hash, 'hex'), 16))",
    ),
];

/// Takes endpoints of webhooks back to `$2`, the first position that was lost since the last decision. Deliveries go on with the
/// event that took its place. Whoever delivers holds the endpoint no more. A lost replay or resumption is marked by its negative
/// position: a later one counts (`api/src/webhooks/positions.rs`).
const ENDPOINTS: (&str, &str) = (
    "webhook_positions",
    "UPDATE journal.webhook_positions
        SET position = least(position, $2 - 1), attempts = 0, failing_since = NULL, next_at = now(),
            holder = NULL, held_until = NULL,
            replay_event = CASE WHEN replay_event >= $2 THEN 1 - $2 ELSE replay_event END,
            resume_event = CASE WHEN resume_event >= $2 THEN 1 - $2 ELSE resume_event END
      WHERE tenant = $1 AND (position >= $2 OR replay_event >= $2 OR resume_event >= $2)",
);

/// Tables whose rows are a party's: those of parties that the log does not know are deleted. Sessions first, as all who change
/// them and credentials do.
const BY_PARTY: [&str; 6] = [
    "sessions",
    "credentials",
    "reset_codes",
    "second_factors",
    "passkeys",
    "sign_on_subjects",
];

impl Shared {
    /// Takes the rows beside a tenant's log back to the log that an operator accepts.
    pub(super) async fn take_rows_back(
        &self,
        tenant: &TenantId,
        from: i64,
        lost_since: Option<i64>,
    ) -> Result<(), JournalError> {
        let mut transaction = self.database.begin_long_write(tenant.as_str()).await?;
        // A node that does not know of the quarantine appends nothing meanwhile.
        sqlx::query("SELECT FROM journal.heads WHERE tenant = $1 FOR UPDATE")
            .bind(tenant.as_str())
            .execute(&mut *transaction)
            .await?;
        let endpoints = lost_since.map(|since| (ENDPOINTS.1, since));
        let statements = BY_POSITION.iter().map(|(_, statement)| (*statement, from));
        for (statement, from) in statements.chain(endpoints) {
            sqlx::query(statement)
                .bind(tenant.as_str())
                .bind(from)
                .execute(&mut *transaction)
                .await?;
        }
        match self.derive_unique_values(&mut transaction, tenant).await {
            Ok(parties) => {
                let parties: Vec<Uuid> = parties.into_iter().collect();
                for table in BY_PARTY {
                    sqlx::query(&format!(
                        "DELETE FROM journal.{table} WHERE tenant = $1 AND party <> ALL ($2)"
                    ))
                    .bind(tenant.as_str())
                    .bind(&parties)
                    .execute(&mut *transaction)
                    .await?;
                }
            }
            Err(error @ (JournalError::Database(_) | JournalError::Begin(_))) => return Err(error),
            // An event that this version can't read must not keep the tenant in quarantine for ever.
            Err(error) => {
                tracing::error!(
                    %tenant, %error,
                    "the unique values of lost events stay taken: the log can't be read; run `caudal verify {tenant}`"
                );
            }
        }
        Ok(transaction.commit().await?)
    }

    /// Makes the index of unique values equal to what the log says. Returns the parties that the log knows.
    async fn derive_unique_values(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
    ) -> Result<BTreeSet<Uuid>, JournalError> {
        let mut implied = Implied::new(self, tenant);
        let mut missing = Vec::new();
        let mut position = 0;
        loop {
            let range = Range::After { position, limit: PAGE };
            let events = read::sealed(connection, tenant, range).await?;
            let Some(last) = events.last() else { break };
            position = last.position;
            missing.extend(implied.take(connection, events).await?);
        }
        missing.extend(implied.finish(connection).await?);
        let mut contradicting = Vec::new();
        let mut after = None;
        loop {
            let page =
                authenticity::page(connection, Table::UniqueValues, tenant, after.as_deref(), Which::All).await?;
            contradicting.extend(implied.contradicting(connection, &page).await?);
            match page.into_iter().last() {
                Some(last) => after = Some(last.key),
                None => break,
            }
        }
        implied.write(connection, &contradicting, &missing).await?;
        Ok(implied.into_parties())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables that are left as they are, and why.
    const KEPT: &[(&str, &str)] = &[
        ("events", "the accepted log"),
        ("heads", "the accepted log's end"),
        ("quarantines", "the reports of the loss"),
        ("checkpoints", "evidence: what was signed stays signed"),
        (
            "verifications",
            "a result names the position and hash that were verified",
        ),
        (
            "subject_keys",
            "a key is never deleted, and an erasure never undone; a repeated command finds its person's key",
        ),
        ("step_ups", "of a session that is deleted, or of one that stays"),
        ("session_origins", "deleted with their sessions"),
        ("viewings", "deleted with their sessions"),
        ("files", "the store keeps what was uploaded"),
        (
            "file_owners",
            "they give access to those who see the owner: nobody sees a lost one",
        ),
        ("file_totals", "the sum of the files"),
        ("uploads", "what was uploaded counts"),
        ("readings", "who read what then"),
        ("sign_on_secrets", "in force with the event that names it"),
        ("api_key_uses", "displayed with a key that the log knows"),
        ("imports", "progress of a file; what it adds is decided by the log"),
        ("import_chunks", "content of a file"),
        ("import_proofs", "content of a file"),
        (
            "import_rows",
            "what was told of a row then; the quarantine names the answers that are lost",
        ),
        ("import_profiles", "how columns were mapped"),
        ("screening_runs", "how far a screening is; the next one begins anew"),
        ("keyring", "of the installation"),
        ("master_keys", "of the installation"),
        ("attempts", "of no tenant"),
        ("writer_leases", "of no event"),
        ("placements", "of no event: a tenant in quarantine does not move"),
        ("screening_lists", "of the installation"),
        ("screening_chunks", "of the installation"),
    ];

    #[test]
    fn of_every_table_of_the_journal_it_is_said_what_a_loss_does_to_it() {
        let page = include_str!("../../../migrations/schema/journal.sql");
        let tables = page
            .lines()
            .filter_map(|line| line.strip_prefix("CREATE TABLE journal."));
        let mut tables: Vec<_> = tables.filter_map(|line| line.split(' ').next()).collect();
        let by_position = BY_POSITION.iter().map(|(table, _)| *table);
        let kept = KEPT.iter().map(|(table, _)| *table);
        let others = [ENDPOINTS.0, "claims"];
        let mut known: Vec<_> = by_position.chain(BY_PARTY).chain(others).chain(kept).collect();
        tables.sort_unstable();
        known.sort_unstable();
        assert_eq!(known, tables);
    }
}
