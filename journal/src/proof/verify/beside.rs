//! Verification of the rows beside a tenant's log: each against its MAC, and against the log where the log implies it.
//!
//! | Detected | By |
//! |---|---|
//! | a row changed or written without the key file | its MAC |
//! | a missing unique value, or one without an event | the events that take and release unique values |
//! | an erased person without a tombstone | the events that erase people |
//! | a person without a key, whose data is then unreadable | the events with an encrypted part |
//! | an idempotency record from beyond the log's end | the head |
//! | a total of files that differs from the files | their sum |
//! | a changed report of a quarantine, or a changed placement | their own MACs |
//!
//! One read transaction, paged; memory grows with parties, currencies, payment groups and identified persons. Rows of other tables
//! that were deleted or reset to an earlier version are in no event, and not detected. A deleted idempotency record
//! past its retention is therefore no fault; a changed one is, whatever its age.

use super::{PAGE, end};
use crate::{
    beside::{
        authenticity::{self, KeyedRow, NotAuthentic, Table, Which},
        implied::{Holding, Implied},
    },
    error::JournalError,
    history::reports,
    journal::Journal,
    log::{
        chain::to_hex,
        read::{self, Range, Recorded},
    },
    placement,
};
use caudal_domain::ids::{SubjectId, TenantId};
use sqlx::{PgConnection, Row as _};
use std::collections::BTreeSet;
use uuid::Uuid;

/// Maximum faults listed per verification; more are counted.
const MAX_FAULTS: usize = 1_000;

/// Fault of a row beside the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowProblem {
    /// Its MAC does not match, or its digest.
    Changed,
    /// Written without the key file.
    WithoutMac,
    /// Implied by the log, but missing.
    Missing,
    /// Contradicts the log.
    Contradicts,
    /// `journal.file_totals` is not the sum of the files.
    WrongTotal,
}

impl RowProblem {
    /// Stable code, translated by interfaces.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Changed => "row_changed",
            Self::WithoutMac => "row_without_mac",
            Self::Missing => "row_missing",
            Self::Contradicts => "row_contradicts_log",
            Self::WrongTotal => "row_wrong_total",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Changed => "was changed: its MAC does not fit",
            Self::WithoutMac => "has no MAC: it was written without the key file",
            Self::Missing => "is missing: the log says that it is there",
            Self::Contradicts => "is not what the log says",
            Self::WrongTotal => "is not the sum of the tenant's files",
        }
    }
}

/// A faulty row beside the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("journal.{table}, row ({key}): {}", .problem.text())]
pub struct RowFault {
    /// Name in schema `journal`.
    pub table: &'static str,
    /// Values of the key columns, without the tenant.
    pub key: String,
    pub problem: RowProblem,
}

/// Result of verifying the rows beside a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowsVerified {
    /// Rows checked.
    pub rows: u64,
    /// At most a thousand.
    pub faults: Vec<RowFault>,
    /// Number of faulty rows.
    pub wrong: u64,
    /// Why the rows could not be compared with the log; `None` when they were.
    pub not_compared: Option<String>,
}

impl RowsVerified {
    /// No fault, and the comparison took place.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.wrong == 0 && self.not_compared.is_none()
    }

    fn add_missing(&mut self, missing: Vec<Holding>) {
        for Holding {
            value: (kind, digest), ..
        } in missing
        {
            self.add(
                Table::UniqueValues,
                unique_value_text(kind.as_str(), &digest),
                RowProblem::Missing,
            );
        }
    }

    fn add(&mut self, table: Table, key: String, problem: RowProblem) {
        self.add_fault(table.as_str(), key, problem);
    }

    fn add_fault(&mut self, table: &'static str, key: String, problem: RowProblem) {
        self.wrong += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(RowFault { table, key, problem });
        }
    }

    /// Adds a table whose rows are checked by another MAC than the journal's: their number, and the keys of the changed ones.
    pub fn add_checked(&mut self, table: &'static str, rows: u64, changed: impl IntoIterator<Item = String>) {
        self.rows += rows;
        for key in changed {
            self.add_fault(table, key, RowProblem::Changed);
        }
    }
}

impl Journal {
    /// Verifies the rows beside a tenant's log.
    ///
    /// # Errors
    /// When the tenant is unknown or the database fails; the rows' state is then unknown.
    pub async fn verify_rows(&self, tenant: &TenantId) -> Result<RowsVerified, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let head = end(&mut transaction, tenant).await?.position;
        let mut verified = RowsVerified::default();
        let implied = match self.compare_with_log(&mut transaction, tenant, &mut verified).await {
            Ok(implied) => Some(implied),
            // The database failed, and with it the read transaction.
            Err(error @ (JournalError::Database(_) | JournalError::Begin(_))) => return Err(error),
            Err(error) => {
                verified.not_compared = Some(error.to_string());
                None
            }
        };
        for table in Table::ALL {
            let mut after = None;
            loop {
                let page = authenticity::page(&mut transaction, table, tenant, after.as_deref(), Which::All).await?;
                verified.rows += page.len() as u64;
                for found in &page {
                    self.check_mac(tenant, table, found, &mut verified)?;
                    if table == Table::IdempotencyRecords && !(0..=head).contains(&found.row.try_get("position")?) {
                        verified.add(table, found.key.join(", "), RowProblem::Contradicts);
                    }
                }
                if let Some(implied) = implied.as_ref().filter(|_| table == Table::UniqueValues) {
                    for (kind, digest) in implied.contradicting(&mut transaction, &page).await? {
                        verified.add(table, unique_value_text(&kind, &digest), RowProblem::Contradicts);
                    }
                }
                match page.into_iter().last() {
                    Some(last) => after = Some(last.key),
                    None => break,
                }
            }
        }
        check_file_total(&mut transaction, tenant, &mut verified).await?;
        let keyring = &self.shared.keyring;
        let (reports, changed) = reports::check(&mut transaction, keyring, tenant).await?;
        verified.add_checked("quarantines", reports, changed.iter().map(ToString::to_string));
        if let Some(is_authentic) = placement::is_authentic(&mut transaction, keyring, tenant).await? {
            let changed = (!is_authentic).then(|| tenant.to_string());
            verified.add_checked("placements", 1, changed);
        }
        Ok(verified)
    }

    fn check_mac(
        &self,
        tenant: &TenantId,
        table: Table,
        found: &KeyedRow,
        verified: &mut RowsVerified,
    ) -> Result<(), sqlx::Error> {
        // A result of a verification without a MAC is one of an earlier version, and counts for nothing.
        if table == Table::Verifications && found.stored_mac()?.is_none() {
            return Ok(());
        }
        let expected = authenticity::expected_mac(&self.shared.macs, table, tenant, &found.row)?;
        if let Err(NotAuthentic { key, has_mac, .. }) = expected.compare(found.stored_mac()?) {
            let problem = if has_mac {
                RowProblem::Changed
            } else {
                RowProblem::WithoutMac
            };
            verified.add(table, key, problem);
        }
        Ok(())
    }

    /// Walks the log and looks up the rows that its events imply.
    async fn compare_with_log<'a>(
        &'a self,
        connection: &mut PgConnection,
        tenant: &'a TenantId,
        verified: &mut RowsVerified,
    ) -> Result<Implied<'a>, JournalError> {
        let mut implied = Implied::new(&self.shared, tenant);
        let mut position = 0;
        loop {
            let range = Range::After { position, limit: PAGE };
            let events = read::sealed(connection, tenant, range).await?;
            let Some(last) = events.last() else { break };
            position = last.position;
            self.check_people(connection, tenant, &events, verified).await?;
            let missing = implied.take(connection, events).await?;
            verified.add_missing(missing);
        }
        let missing = implied.finish(connection).await?;
        verified.add_missing(missing);
        Ok(implied)
    }

    /// Every person with an encrypted part has a key or a tombstone, every erased person a tombstone.
    async fn check_people(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        events: &[Recorded],
        verified: &mut RowsVerified,
    ) -> Result<(), JournalError> {
        let parts = events.iter().filter_map(|recorded| recorded.event.personal());
        let sealed: BTreeSet<Uuid> = parts
            .filter(|part| part.sealed().is_some())
            .map(|part| part.subject().0)
            .collect();
        let erases = events.iter().filter_map(|recorded| recorded.event.erases());
        let forgotten: BTreeSet<Uuid> = erases.map(|SubjectId(id)| id).collect();
        let all: Vec<Uuid> = sealed.union(&forgotten).copied().collect();
        let rows = sqlx::query(
            "SELECT w.subject, k.subject IS NOT NULL AS is_there, k.forgotten_at IS NOT NULL AS is_forgotten
               FROM unnest($2::uuid[]) AS w (subject)
               LEFT JOIN journal.subject_keys AS k ON k.tenant = $1 AND k.subject = w.subject",
        )
        .bind(tenant.as_str())
        .bind(all)
        .fetch_all(connection)
        .await?;
        for row in rows {
            let subject: Uuid = row.try_get("subject")?;
            let problem = if !row.try_get::<bool, _>("is_there")? {
                RowProblem::Missing
            } else if forgotten.contains(&subject) && !row.try_get::<bool, _>("is_forgotten")? {
                RowProblem::Contradicts
            } else {
                continue;
            };
            let fault = RowFault {
                table: Table::SubjectKeys.as_str(),
                key: subject.to_string(),
                problem,
            };
            // A person occurs in many pages.
            if !verified.faults.contains(&fault) {
                verified.add_fault(fault.table, fault.key, fault.problem);
            }
        }
        Ok(())
    }
}

/// The stored total bounds uploads; a trigger maintains it.
async fn check_file_total(
    connection: &mut PgConnection,
    tenant: &TenantId,
    verified: &mut RowsVerified,
) -> Result<(), sqlx::Error> {
    let is_right: bool = sqlx::query_scalar(
        "SELECT (coalesce(t.files, 0), coalesce(t.bytes, 0)) = (f.files, f.bytes)
           FROM (SELECT count(*) AS files, coalesce(sum(size), 0)::bigint AS bytes
                   FROM journal.files WHERE tenant = $1) AS f
           LEFT JOIN journal.file_totals AS t ON t.tenant = $1",
    )
    .bind(tenant.as_str())
    .fetch_one(connection)
    .await?;
    if !is_right {
        verified.add(Table::Files, "journal.file_totals".to_owned(), RowProblem::WrongTotal);
    }
    Ok(())
}

fn unique_value_text(kind: &str, digest: &[u8]) -> String {
    let digest = digest.try_into().map(|digest| to_hex(&digest));
    format!("{kind}, {}", digest.unwrap_or_default())
}
