//! Verification of the rows beside a tenant's log: those of the journal, and the lists that its customers are screened against.

use crate::screening::store::{Store, StoreError};
use caudal_domain::ids::TenantId;
use caudal_journal::{Journal, JournalError, RowsVerified};

/// Why the state of rows is unknown.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Lists(#[from] StoreError),
}

/// Verifies the rows beside a tenant's log.
///
/// # Errors
/// When the tenant is unknown or the database fails.
pub async fn verify_rows(journal: &Journal, lists: &Store, tenant: &TenantId) -> Result<RowsVerified, RowsError> {
    let mut verified = journal.verify_rows(tenant).await?;
    let (count, changed) = lists.check(tenant).await?;
    verified.add_checked("screening_lists", count, changed);
    Ok(verified)
}
