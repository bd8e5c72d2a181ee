//! Reaction to a log that contradicts what was signed, verified or witnessed: the single entry for all detectors.

use caudal_domain::ids::TenantId;
use caudal_journal::{Divergence, DivergenceKind, Fault, Journal, LogPoint, SignedCheckpoint};

/// Quarantines a tenant whose log has a fault. `last_good` is the last valid point before it; `checkpoints` are those
/// compared, one of which may contradict the log.
///
/// `generation` is that of the tenant's history from before the comparison: after an operator's decision meanwhile nothing is
/// quarantined.
///
/// Faults of derived data (the stored Merkle tree), and events that this version can't decode, are logged and counted
/// without a quarantine.
pub async fn diverged(
    journal: &Journal,
    tenant: &TenantId,
    generation: u64,
    fault: &Fault,
    last_good: LogPoint,
    checkpoints: &[SignedCheckpoint],
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
        // Nothing vouches for any of it.
        Fault::HeadUnsigned { .. } => (DivergenceKind::HeadUnsigned, LogPoint::genesis(tenant.as_str())),
        Fault::Missing { .. } | Fault::Repeated { .. } | Fault::Changed { .. } | Fault::Backwards { .. } => {
            (DivergenceKind::Broken, last_good)
        }
        _ => return,
    };
    let found = found_at(journal, tenant, known.position).await;
    journal.quarantine_in_generation(tenant, Divergence { kind, known, found }, generation);
}

/// The log's event at a position, or its end when shorter.
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
