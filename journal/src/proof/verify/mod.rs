//! Verification of a tenant's log: every event in order, in one read transaction and bounded memory. Covers the chain,
//! signed checkpoints, and the invariants of the folded ledger.

mod beside;
mod copy;
mod fault;
mod readers;
mod verifier;
mod walk;

pub use beside::{RowFault, RowProblem, RowsVerified};
pub(crate) use copy::Row;
pub use fault::Fault;
pub(crate) use verifier::stream;
pub use verifier::{LogEnd, Verifier, Walked};
pub use walk::Walk;
pub(crate) use walk::compare_on;

use crate::{
    beside::authenticity::RowMacs,
    error::JournalError,
    journal::Journal,
    log::{
        chain::Hash,
        head::{self, StoredHead},
        stored,
    },
    proof::{
        checkpoint::SignedCheckpoint,
        merkle::{Node, nodes},
    },
};
use caudal_domain::{ids::TenantId, tenant_state::invariants::Violation};
use readers::Readers;
use sqlx::PgConnection;

/// Events per page.
pub(crate) const PAGE: i64 = 5_000;

/// Result of a verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Events verified before the first fault.
    pub events: i64,
    /// Hash of the last of them.
    pub hash: Hash,
    pub fault: Option<Fault>,
    /// Violated ledger invariants (1 to 5); not checked after a fault.
    pub violations: Vec<Violation>,
}

impl Verification {
    /// Neither a fault nor a violation.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.fault.is_none() && self.violations.is_empty()
    }
}

/// The end of a log, on a connection whose transaction has set the tenant.
pub(crate) async fn end(connection: &mut PgConnection, tenant: &TenantId) -> Result<LogEnd, JournalError> {
    Ok(log_end(&stored_end(connection, tenant).await?))
}

/// [`end`], and whether its MAC is valid.
pub(crate) async fn signed_end(
    connection: &mut PgConnection,
    macs: &RowMacs,
    tenant: &TenantId,
) -> Result<(LogEnd, bool), JournalError> {
    let found = stored_end(connection, tenant).await?;
    Ok((log_end(&found), found.is_vouched_for(macs, tenant)))
}

/// The head with its MAC, on a connection whose transaction has set the tenant.
pub(crate) async fn stored_end(connection: &mut PgConnection, tenant: &TenantId) -> Result<StoredHead, JournalError> {
    let found = head::read_on(connection, tenant).await?;
    found.ok_or_else(|| JournalError::UnknownTenant(tenant.clone()))
}

const fn log_end(found: &StoredHead) -> LogEnd {
    LogEnd {
        position: found.head.position,
        hash: found.head.hash,
        recorded_at: found.head.recorded_at,
    }
}

/// Adds the check of the head's MAC, after all others: what contradicts the log itself is named first.
fn with_the_head(mut verification: Verification, is_vouched_for: bool) -> Verification {
    if verification.fault.is_none() && !is_vouched_for {
        verification.fault = Some(Fault::HeadUnsigned {
            position: verification.events,
        });
    }
    verification
}

/// Fault for a wrong stored Merkle node.
pub(crate) fn changed(node: &Node) -> Fault {
    Fault::TreeChanged {
        position: (node.number << node.level) + 1,
    }
}

/// Adds the check for stored Merkle nodes beyond the log's end.
async fn with_the_tree(
    connection: &mut PgConnection,
    tenant: &TenantId,
    mut verification: Verification,
) -> Result<Verification, JournalError> {
    if verification.fault.is_none() {
        let beyond = nodes::beyond_the_log(connection, tenant).await?;
        verification.fault = beyond.map(|position| Fault::TreeChanged { position });
    }
    Ok(verification)
}

impl Journal {
    /// Recomputes a tenant's chain from event 1 and compares it with head and checkpoints like [`Self::verify`],
    /// without decoding events or checking the ledger. Several times as fast.
    ///
    /// # Errors
    /// When the tenant is unknown or the database fails; the log's state is then unknown.
    pub async fn verify_chain(
        &self,
        tenant: &TenantId,
        checkpoints: &[SignedCheckpoint],
        mut progress: impl FnMut(i64, i64) + Send,
    ) -> Result<Verification, JournalError> {
        let (mut readers, end, is_vouched_for) = Readers::begin(&self.shared, tenant).await?;
        let mut verifier = Verifier::new(tenant, checkpoints).taking_nodes();
        while readers.has_more() {
            let mut rows = copy::Rows::default();
            while let Some(bytes) = readers.next().await? {
                rows.push(&bytes);
                while let Some(row) = rows.next()? {
                    if let Err(fault) = verifier.link(&row) {
                        return Ok(verifier.stop(fault));
                    }
                }
            }
            progress(verifier.position(), end.position);
            let completed = verifier.take_nodes();
            if !completed.is_empty() {
                let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
                if let Some(node) = nodes::first_changed(&mut transaction, tenant, &completed).await? {
                    return Ok(verifier.stop(changed(&node)));
                }
            }
            // Events are missing: look for the next one at once, since it, or the head, may be anywhere.
            if readers.through().is_some_and(|through| verifier.position() < through) {
                drop(readers);
                let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
                let next = stored::page(&mut transaction, tenant, verifier.position(), 1).await?;
                let fault = next.first().and_then(|next| verifier.link(&next.row()).err());
                return Ok(match fault {
                    Some(fault) => verifier.stop(fault),
                    None => with_the_head(verifier.finish_chain(&end), is_vouched_for),
                });
            }
        }
        let verification = verifier.finish_chain(&end);
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let verification = with_the_tree(&mut transaction, tenant, verification).await?;
        Ok(with_the_head(verification, is_vouched_for))
    }

    /// Recomputes a tenant's chain from event 1, compares it with head and checkpoints, and checks the ledger.
    /// `progress` receives the position reached and the head's, page by page.
    ///
    /// # Errors
    /// When the tenant is unknown or the database fails; the log's state is then unknown.
    pub async fn verify(
        &self,
        tenant: &TenantId,
        checkpoints: &[SignedCheckpoint],
        mut progress: impl FnMut(i64, i64) + Send,
    ) -> Result<Verification, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let (end, is_vouched_for) = signed_end(&mut transaction, &self.shared.macs, tenant).await?;
        let mut verifier = Verifier::new(tenant, checkpoints).taking_nodes();
        loop {
            let events = stored::page(&mut transaction, tenant, verifier.position(), PAGE).await?;
            for event in &events {
                if let Err(fault) = verifier.take(event) {
                    return Ok(verifier.stop(fault));
                }
            }
            progress(verifier.position(), end.position);
            if let Some(node) = nodes::first_changed(&mut transaction, tenant, &verifier.take_nodes()).await? {
                return Ok(verifier.stop(changed(&node)));
            }
            if events.is_empty() {
                let verification = with_the_tree(&mut transaction, tenant, verifier.finish(&end)).await?;
                return Ok(with_the_head(verification, is_vouched_for));
            }
        }
    }
}
