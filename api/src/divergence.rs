//! What happens when a log turns out not to be the one that was signed, verified or witnessed: one place for all who find
//! it.

use caudal_domain::ids::TenantId;
use caudal_journal::{Checkpoint, Divergence, DivergenceKind, Fault, Journal, LogPoint};

/// Puts a tenant into quarantine whose log has a fault. `last_good` is the last place that was right before the fault;
/// `checkpoints` are those that the log was held against, one of which may contradict it.
///
/// What is derived from the log (the kept Merkle tree) or can't be read by this program is told and counted, and is no
/// reason to stop the business.
pub async fn diverged(
    journal: &Journal,
    tenant: &TenantId,
    fault: &Fault,
    last_good: LogPoint,
    checkpoints: &[Checkpoint],
) {
    metrics::counter!("caudal_log_divergences_total").increment(1);
    tracing::error!(
        %tenant,
        position = fault.position(),
        %fault,
        "the log is not the one that was signed or verified before: keep this database as it is, and compare it with the \
         checkpoints (docs/audit.md)"
    );
    let signed = |position: i64| {
        let contradicting = checkpoints.iter().find(|checkpoint| checkpoint.position == position);
        contradicting.map_or(last_good, |checkpoint| LogPoint {
            position,
            hash: checkpoint.hash,
        })
    };
    let (kind, known) = match fault {
        Fault::Shortened { signed: position, .. } => (DivergenceKind::Checkpoint, signed(*position)),
        Fault::Rewritten { position } | Fault::RootChanged { position } => {
            (DivergenceKind::Checkpoint, signed(*position))
        }
        Fault::WentBack { .. } => (DivergenceKind::Rewritten, last_good),
        Fault::HeadMoved { .. } | Fault::HeadChanged { .. } => (DivergenceKind::HeadChanged, last_good),
        Fault::Missing { .. } | Fault::Repeated { .. } | Fault::Changed { .. } | Fault::Backwards { .. } => {
            (DivergenceKind::Broken, last_good)
        }
        _ => return,
    };
    let found = found_at(journal, tenant, known.position).await;
    journal.quarantine(tenant, Divergence { kind, known, found });
}

/// What the log has at a position: the event there, or its end where it is shorter.
async fn found_at(journal: &Journal, tenant: &TenantId, position: i64) -> Option<LogPoint> {
    if let Ok(Some((_, event))) = journal.stored(tenant, position).await {
        return event.hash.map(|hash| LogPoint { position, hash });
    }
    let head = journal.head(tenant).await.ok()?;
    Some(LogPoint {
        position: head.position,
        hash: head.hash,
    })
}
