//! Continuous verification, one page at a time for as long as a node runs: each page continues from the saved state.
//! Also compares signed checkpoints with a log directly.

use super::{Fault, LogEnd, Verifier, Walked, end, signed_end};
use crate::{
    error::JournalError,
    journal::Journal,
    log::{
        chain::{self, Hash},
        stored,
    },
    proof::{checkpoint::SignedCheckpoint, merkle::nodes},
};
use caudal_domain::ids::TenantId;
use sqlx::{PgConnection, Row as _};
use std::collections::{HashMap, HashSet};

/// Result of one page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Walk {
    /// No fault; more events follow.
    More,
    /// No fault up to the log's end at this position.
    End(i64),
    /// A fault; the state was not advanced.
    Fault(Fault),
}

impl Journal {
    /// Verifies the next `limit` events after `walked`: chain, checkpoints, stored Merkle nodes and, at the log's end,
    /// the head. The last verified event must still exist.
    ///
    /// # Errors
    /// When the tenant is unknown or the database fails; the state of these events is then unknown.
    pub async fn walk(
        &self,
        tenant: &TenantId,
        walked: &mut Walked,
        checkpoints: &[SignedCheckpoint],
        limit: i64,
    ) -> Result<Walk, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let (end, is_vouched_for) = signed_end(&mut transaction, &self.shared.macs, tenant).await?;
        let overlap = i64::from(walked.position > 0);
        let page = stored::page(&mut transaction, tenant, walked.position - overlap, limit + overlap).await?;
        let mut events = page.iter();
        if overlap > 0 {
            let last = events.next().filter(|last| last.position == walked.position);
            if last.is_none_or(|last| last.hash != Some(walked.hash)) {
                return Ok(Walk::Fault(Fault::WentBack {
                    position: walked.position,
                }));
            }
        }
        let is_last = i64::try_from(events.len()).unwrap_or(limit) < limit;
        let mut verifier = Verifier::resume(tenant, checkpoints, walked);
        for event in events {
            if let Err(fault) = verifier.link(&event.row()) {
                return Ok(Walk::Fault(fault));
            }
        }
        if let Some(node) = nodes::first_changed(&mut transaction, tenant, &verifier.take_nodes()).await? {
            return Ok(Walk::Fault(super::changed(&node)));
        }
        let reached = verifier.walked();
        let fault = if is_last {
            verifier.finish_chain(&end).fault
        } else {
            None
        };
        if is_last && fault.is_none() && !is_vouched_for {
            let position = end.position;
            return Ok(Walk::Fault(Fault::HeadUnsigned { position }));
        }
        *walked = reached;
        if !is_last {
            return Ok(Walk::More);
        }
        if let Some(fault) = fault {
            return Ok(Walk::Fault(fault));
        }
        if let Some(position) = nodes::beyond_the_log(&mut transaction, tenant).await? {
            return Ok(Walk::Fault(Fault::TreeChanged { position }));
        }
        Ok(Walk::End(walked.position))
    }

    /// Checkpoints valid for the current history. Excludes those that contradict the log, if a later checkpoint that
    /// agrees with the log references them: it is signed only when an operator accepts a divergent log.
    pub async fn in_force(
        &self,
        tenant: &TenantId,
        checkpoints: Vec<SignedCheckpoint>,
    ) -> Result<Vec<SignedCheckpoint>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let wrong: HashSet<Hash> = contradicting(&mut transaction, tenant, &checkpoints)
            .await?
            .into_iter()
            .map(SignedCheckpoint::digest)
            .collect();
        let accepts = |checkpoint: &&SignedCheckpoint| {
            let previous = checkpoint.tree.and_then(|tree| tree.previous);
            previous.is_some_and(|previous| wrong.contains(&previous.digest)) && !wrong.contains(&checkpoint.digest())
        };
        let accepted_at = checkpoints
            .iter()
            .filter(accepts)
            .map(|checkpoint| checkpoint.signed_at)
            .max();
        let is_given_up = |checkpoint: &SignedCheckpoint| {
            accepted_at.is_some_and(|at| checkpoint.signed_at <= at) && wrong.contains(&checkpoint.digest())
        };
        Ok(checkpoints
            .into_iter()
            .filter(|checkpoint| !is_given_up(checkpoint))
            .collect())
    }

    /// Compares verified checkpoints with the events at their positions. Returns the fault at the lowest position. One
    /// read, whatever the log's length.
    pub async fn compare(
        &self,
        tenant: &TenantId,
        checkpoints: &[SignedCheckpoint],
    ) -> Result<Option<Fault>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let end = end(&mut transaction, tenant).await?;
        compare_on(&mut transaction, tenant, &end, checkpoints).await
    }
}

/// [`Journal::compare`] on a connection whose transaction has set the tenant and sees the log's end.
pub(crate) async fn compare_on(
    connection: &mut PgConnection,
    tenant: &TenantId,
    end: &LogEnd,
    checkpoints: &[SignedCheckpoint],
) -> Result<Option<Fault>, JournalError> {
    let wrong = contradicting(connection, tenant, checkpoints).await?;
    let first = wrong.iter().min_by_key(|checkpoint| checkpoint.position);
    Ok(first.map(|checkpoint| {
        if checkpoint.position > end.position {
            Fault::Shortened {
                end: end.position,
                signed: checkpoint.position,
            }
        } else {
            Fault::Rewritten {
                position: checkpoint.position,
            }
        }
    }))
}

/// Checkpoints whose hash differs from the event at their position.
async fn contradicting<'a>(
    connection: &mut PgConnection,
    tenant: &TenantId,
    checkpoints: &'a [SignedCheckpoint],
) -> Result<Vec<&'a SignedCheckpoint>, JournalError> {
    let positions: Vec<i64> = checkpoints.iter().map(|checkpoint| checkpoint.position).collect();
    let rows = sqlx::query("SELECT position, hash FROM journal.events WHERE tenant = $1 AND position = ANY($2)")
        .bind(tenant.as_str())
        .bind(positions)
        .fetch_all(connection)
        .await?;
    let mut hashes: HashMap<i64, Hash> = HashMap::from([(0, chain::genesis(tenant.as_str()))]);
    for row in &rows {
        hashes.insert(row.try_get("position")?, row.try_get("hash")?);
    }
    let is_wrong = |checkpoint: &&SignedCheckpoint| hashes.get(&checkpoint.position) != Some(&checkpoint.hash);
    Ok(checkpoints.iter().filter(is_wrong).collect())
}
