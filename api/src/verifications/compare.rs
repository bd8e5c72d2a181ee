//! What a verification compares: the log with what was signed of it, the rows beside it, and the read models.

use super::{Outcome, Phase};
use crate::{
    app::App,
    checkpoints::{Evidence, Flaw},
    divergence::diverged,
    findings::Finding,
    rows_beside::verify_rows,
};
use caudal_domain::ids::TenantId;
use caudal_journal::{LogPoint, RowsVerified, Verification, WithCauses};
use caudal_projections::verify::{Difference, replay};
use tokio::sync::mpsc;

/// Maximum findings per verification.
const MAX_FINDINGS: usize = 100;
/// Code of a finding about something that could not be compared.
const UNREACHABLE: &str = "checkpoint_unreachable";

/// Progress of a verification.
#[derive(Clone, Copy, Debug)]
pub(super) struct VerificationProgress {
    pub(super) phase: Phase,
    pub(super) position: i64,
    pub(super) head: i64,
}

/// Result of a verification.
#[derive(Debug)]
pub(super) struct VerificationResult {
    pub(super) outcome: Outcome,
    pub(super) findings: Vec<Finding>,
    pub(super) hash: Option<[u8; 32]>,
    /// Number of checkpoints compared with the log.
    pub(super) checkpoints: Option<i64>,
}

impl VerificationResult {
    /// Undetermined.
    pub(super) const fn failed() -> Self {
        Self {
            outcome: Outcome::Failed,
            findings: Vec::new(),
            hash: None,
            checkpoints: None,
        }
    }
}

/// Findings of a verification.
pub(super) async fn found(
    app: &App,
    tenant: &TenantId,
    telling: mpsc::UnboundedSender<VerificationProgress>,
) -> VerificationResult {
    let tell = |phase| {
        let telling = telling.clone();
        move |position, head| {
            // The receiver lives as long as the verification.
            let _ = telling.send(VerificationProgress { phase, position, head });
        }
    };
    let generation = app.journal.history_generation(tenant);
    let Evidence { checkpoints, flaws, .. } = match app.checkpoints.evidence(tenant).await {
        Ok(evidence) => evidence,
        Err(error) => {
            tracing::error!(%tenant, error = %WithCauses(&error), "a verification failed");
            return VerificationResult::failed();
        }
    };
    let verification = match app.journal.verify(tenant, &checkpoints, tell(Phase::Chain)).await {
        Ok(verification) => verification,
        Err(error) => {
            tracing::error!(%tenant, error = %WithCauses(&error), "a verification failed");
            return VerificationResult::failed();
        }
    };
    if let Some(fault) = &verification.fault {
        let last_good = LogPoint {
            position: verification.events,
            hash: verification.hash,
        };
        diverged(&app.journal, tenant, generation, fault, last_good, &checkpoints).await;
    }
    let compared = i64::try_from(checkpoints.len()).unwrap_or(i64::MAX);
    let ended = |outcome, findings, hash| VerificationResult {
        outcome,
        findings,
        hash,
        checkpoints: Some(compared),
    };
    let mut findings = of_log(&verification, &flaws);
    let quarantines = app.journal.quarantines();
    if let Some(report) = quarantines.iter().find(|report| report.tenant == *tenant) {
        findings.push(Finding::of_quarantine(report));
    }
    // What could not be compared is neither right nor wrong.
    if !findings.is_empty() && findings.iter().all(|finding| finding.code == UNREACHABLE) {
        return ended(Outcome::Failed, findings, Some(verification.hash));
    }
    if !findings.is_empty() {
        let hash = verification.fault.is_none().then_some(verification.hash);
        return ended(Outcome::Wrong, findings, hash);
    }
    let findings = match verify_rows(&app.journal, &app.screening.store, tenant).await {
        Ok(rows) => of_rows(&rows),
        Err(error) => {
            tracing::error!(%tenant, error = %WithCauses(&error), "a verification failed");
            return ended(Outcome::Failed, Vec::new(), Some(verification.hash));
        }
    };
    if !findings.is_empty() {
        return ended(Outcome::Wrong, findings, Some(verification.hash));
    }
    let replayed = replay(&app.database, &app.journal, tenant, tell(Phase::ReadModels)).await;
    match replayed {
        Ok(differences) => {
            let findings: Vec<_> = differences.iter().take(MAX_FINDINGS).map(of_difference).collect();
            let outcome = if findings.is_empty() {
                Outcome::Whole
            } else {
                Outcome::Wrong
            };
            ended(outcome, findings, Some(verification.hash))
        }
        Err(error) => {
            tracing::error!(%tenant, error = %WithCauses(&error), "a verification failed");
            ended(Outcome::Failed, Vec::new(), Some(verification.hash))
        }
    }
}

fn of_log(verification: &Verification, flaws: &[Flaw]) -> Vec<Finding> {
    let fault = verification.fault.iter().map(Finding::of_fault);
    let violations = verification.violations.iter().map(|violation| Finding {
        code: "invariant".to_owned(),
        position: None,
        detail: violation.to_string(),
    });
    let flaws = flaws.iter().map(Finding::of_flaw);
    fault.chain(violations).chain(flaws).take(MAX_FINDINGS).collect()
}

fn of_rows(rows: &RowsVerified) -> Vec<Finding> {
    let faults = rows.faults.iter().map(Finding::of_row);
    let not_compared = rows.not_compared.iter().map(|reason| Finding {
        code: "rows_not_compared".to_owned(),
        position: None,
        detail: format!("the rows beside the log could not be compared with it: {reason}"),
    });
    faults.chain(not_compared).take(MAX_FINDINGS).collect()
}

fn of_difference(difference: &Difference) -> Finding {
    Finding {
        code: "read_model".to_owned(),
        position: None,
        detail: difference.to_string(),
    }
}
