//! In-memory record of what this node has seen of each tenant's log.

use super::{
    Divergence, LogPoint,
    evidence::{Evidence, Line, Loaded},
    quarantine::{Acknowledgement, Quarantine, SeenBatch},
    watch::Signs,
};
use crate::{beside::authenticity::Adopted, error::JournalError};
use caudal_domain::{ids::TenantId, tenant_state::GivenNumbers};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};
use uuid::Uuid;

/// Batches retained per tenant to name what a rollback lost: some minutes of a busy tenant, under 1 MB.
pub const RECENT_BATCHES: usize = 500;

/// The decision that began a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TermStart {
    pub(crate) decision: Uuid,
    /// Time of the decision.
    pub(crate) at: DateTime<Utc>,
}

/// Points of one tenant's log that this node has seen.
#[derive(Clone, Debug)]
pub(crate) struct History {
    /// Number of operator decisions that accepted a divergent log. Observations of earlier terms no longer count.
    pub(crate) term: u32,
    /// `None` in the first term.
    pub(crate) began_by: Option<TermStart>,
    /// Last point seen.
    pub(crate) point: LogPoint,
    /// Upper bounds of the numbers issued, as far as known.
    pub(crate) numbers: GivenNumbers,
    /// Position up to which `numbers` is exact.
    pub(crate) numbers_at: i64,
    /// Last batches, oldest first.
    pub(crate) recent: VecDeque<SeenBatch>,
}

impl History {
    pub(crate) fn at(point: LogPoint) -> Self {
        Self {
            term: 0,
            began_by: None,
            point,
            numbers: GivenNumbers::default(),
            numbers_at: 0,
            recent: VecDeque::new(),
        }
    }

    pub(crate) fn push(&mut self, batch: SeenBatch) {
        if self.recent.len() >= RECENT_BATCHES {
            self.recent.pop_front();
        }
        self.recent.push_back(batch);
    }
}

/// One tenant's entry.
#[derive(Debug, Default)]
struct Entry {
    history: Option<History>,
    quarantine: Option<Arc<Quarantine>>,
    /// Incremented when everything cached of the tenant must be read again.
    generation: u64,
    /// Whether this process is writing the operator's decision.
    is_ending: bool,
    /// Whether the data folder had evidence of the tenant at the start.
    has_evidence: bool,
    /// Whether this node has evidence of its own, or has found the tenant's reports unchanged: reports that are changed later
    /// tell it nothing.
    knows_reports: bool,
}

/// Points of all tenants' logs that this node has seen.
#[derive(Debug)]
pub(crate) struct Histories {
    node: Uuid,
    tenants: Mutex<HashMap<TenantId, Entry>>,
    evidence: Option<Evidence>,
    are_reports_checked: AtomicBool,
}

impl Histories {
    /// Starts from the data folder's evidence; without a folder nothing survives the process.
    pub(crate) fn new(evidence: Option<(Evidence, Loaded)>) -> Self {
        let mut tenants: HashMap<TenantId, Entry> = HashMap::new();
        let evidence = evidence.map(|(evidence, loaded)| {
            for (tenant, history) in loaded.histories {
                let entry = tenants.entry(tenant).or_default();
                (entry.history, entry.knows_reports) = (Some(history), true);
                entry.has_evidence = true;
            }
            for quarantine in loaded.quarantines {
                let entry = tenants.entry(quarantine.tenant.clone()).or_default();
                (entry.quarantine, entry.knows_reports) = (Some(Arc::new(quarantine)), true);
            }
            evidence
        });
        let histories = Self {
            node: Uuid::now_v7(),
            tenants: Mutex::new(tenants),
            evidence,
            are_reports_checked: AtomicBool::new(false),
        };
        histories.count_quarantines(&histories.entries());
        histories
    }

    /// Whether this data folder has seen the database with all rows or heads authenticated.
    pub(crate) fn remembers_adoption_ended(&self, what: Adopted) -> bool {
        let evidence = self.evidence.as_ref();
        evidence.is_some_and(|evidence| evidence.remembers_adoption_ended(what))
    }

    /// Remembers that rows or heads without a MAC are refused from now on.
    pub(crate) fn remember_adoption_ended(&self, what: Adopted) -> Result<(), JournalError> {
        let Some(evidence) = &self.evidence else { return Ok(()) };
        evidence.remember_adoption_ended(what).map_err(JournalError::Evidence)
    }

    /// The signs under which all chains were verified from event 1, by this process or an earlier one on its data folder.
    pub(crate) fn verified_under(&self) -> Option<Signs> {
        self.evidence.as_ref()?.verified_under()
    }

    /// Remembers that all chains were verified from event 1.
    pub(crate) fn remember_verified(&self, signs: Signs) {
        if let Some(evidence) = &self.evidence
            && let Err(error) = evidence.remember_verified(signs)
        {
            tracing::warn!(%error, "the next start of this node verifies all logs again");
        }
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<TenantId, Entry>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn history(&self, tenant: &TenantId) -> Option<History> {
        self.entries().get(tenant)?.history.clone()
    }

    /// Last seen points of all tenants that are not quarantined, with their generations.
    pub(crate) fn known_points(&self) -> Vec<(TenantId, LogPoint, u64)> {
        let entries = self.entries();
        let known = entries.iter().filter(|(_, entry)| entry.quarantine.is_none());
        known
            .filter_map(|(tenant, entry)| Some((tenant.clone(), entry.history.as_ref()?.point, entry.generation)))
            .collect()
    }

    /// Changes when everything cached of a tenant must be read again.
    pub(crate) fn generation(&self, tenant: &TenantId) -> u64 {
        self.entries().get(tenant).map_or(0, |entry| entry.generation)
    }

    /// Invalidates the caches of all tenants: the server has changed.
    pub(crate) fn distrust_caches(&self) {
        for entry in self.entries().values_mut() {
            entry.generation += 1;
        }
    }

    /// Records a point that extends what was seen, and the answers sent for it.
    pub(crate) fn saw(
        &self,
        tenant: &TenantId,
        point: LogPoint,
        numbers: Option<GivenNumbers>,
        at: DateTime<Utc>,
        acknowledged: Vec<Acknowledgement>,
    ) {
        let mut entries = self.entries();
        let entry = entries.entry(tenant.clone()).or_default();
        if entry.quarantine.is_some() {
            return;
        }
        let history = entry.history.get_or_insert_with(|| History::at(point));
        let is_news = history.recent.is_empty() || point.position > history.point.position;
        if !is_news && acknowledged.is_empty() {
            return;
        }
        if point.position > history.point.position {
            history.point = point;
        }
        if let Some(numbers) = numbers {
            history.numbers = history.numbers.max(numbers);
            history.numbers_at = history.numbers_at.max(point.position);
        }
        let batch = SeenBatch {
            point,
            at,
            acknowledged,
        };
        if let Some(evidence) = &self.evidence {
            evidence.note(Line::of(tenant, history, batch.clone()));
        }
        history.push(batch);
    }

    /// Records answers that were sent again, or first sent after the writing node ended. Known answers are skipped, and
    /// old ones, which would displace newer batches.
    pub(crate) fn repeated(
        &self,
        tenant: &TenantId,
        point: LogPoint,
        at: DateTime<Utc>,
        mut answers: Vec<Acknowledgement>,
    ) {
        if answers.is_empty() {
            return;
        }
        let oldest = point.position - i64::try_from(RECENT_BATCHES).unwrap_or(i64::MAX);
        answers.retain(|answer| answer.position > oldest);
        if let Some(history) = self.history(tenant) {
            let noted: HashSet<(i64, Uuid)> = history
                .recent
                .iter()
                .flat_map(|batch| &batch.acknowledged)
                .map(|answer| (answer.position, answer.id))
                .collect();
            answers.retain(|answer| !noted.contains(&(answer.position, answer.id)));
        }
        if !answers.is_empty() {
            self.saw(tenant, point, None, at, answers);
        }
    }

    /// A tenant's quarantine; none where it is not in quarantine.
    pub(crate) fn quarantine(&self, tenant: &TenantId) -> Option<Arc<Quarantine>> {
        self.entries().get(tenant)?.quarantine.clone()
    }

    pub(crate) fn quarantines(&self) -> Vec<Arc<Quarantine>> {
        let entries = self.entries();
        entries.values().filter_map(|entry| entry.quarantine.clone()).collect()
    }

    /// Quarantines a tenant for a divergence noticed by this node. Returns the report unless already quarantined.
    ///
    /// A comparison with an earlier generation's history is ignored: an operator may have decided since. A true
    /// divergence is found again.
    pub(crate) fn diverged(
        &self,
        tenant: &TenantId,
        divergence: Divergence,
        generation: Option<u64>,
        now: DateTime<Utc>,
    ) -> Option<Arc<Quarantine>> {
        let history = self.history(tenant);
        let report = Quarantine {
            id: Uuid::now_v7(),
            tenant: tenant.clone(),
            node: self.node,
            since: now,
            divergence,
            numbers: history
                .as_ref()
                .map_or_else(GivenNumbers::default, |history| history.numbers),
            numbers_at: history.as_ref().map_or(0, |history| history.numbers_at),
            seen: history.map_or_else(Vec::new, |history| history.recent.into()),
        };
        self.enter(report, generation)
    }

    /// Allows this process alone to write to a quarantined tenant: the operator's decision.
    pub(crate) fn begin_ending(&self, tenant: &TenantId) {
        let mut entries = self.entries();
        let entry = entries.entry(tenant.clone()).or_default();
        entry.is_ending = true;
        entry.generation += 1;
    }

    pub(crate) fn is_ending(&self, tenant: &TenantId) -> bool {
        self.entries().get(tenant).is_some_and(|entry| entry.is_ending)
    }

    /// The decision is written, or has failed.
    pub(crate) fn finish_ending(&self, tenant: &TenantId) {
        let mut entries = self.entries();
        let entry = entries.entry(tenant.clone()).or_default();
        entry.is_ending = false;
        entry.generation += 1;
    }

    /// Whether writes to a tenant are refused.
    pub(crate) fn refuses_writes(&self, tenant: &TenantId) -> bool {
        let entries = self.entries();
        entries
            .get(tenant)
            .is_some_and(|entry| entry.quarantine.is_some() && !entry.is_ending)
    }

    /// The point that a log must extend; `None` in quarantine, when the log is read as stored.
    pub(crate) fn expected(&self, tenant: &TenantId) -> Option<LogPoint> {
        let entries = self.entries();
        let entry = entries.get(tenant).filter(|entry| entry.quarantine.is_none())?;
        Some(entry.history.as_ref()?.point)
    }

    /// Quarantines a tenant for another node's report, adding this node's own observations. Reports older than an
    /// adopted decision are ignored.
    pub(crate) fn adopt(&self, other: &Quarantine, now: DateTime<Utc>) -> Option<Arc<Quarantine>> {
        let began_by = self.history(&other.tenant).and_then(|history| history.began_by);
        if began_by.is_some_and(|start| other.since <= start.at) {
            return None;
        }
        self.diverged(&other.tenant, other.divergence, None, now)
    }

    /// Quarantines a tenant whose reports were changed in the database, unless this node knows better: they may have told of a
    /// quarantine in force.
    pub(crate) fn reports_changed(&self, tenant: &TenantId, now: DateTime<Utc>) {
        if !self.entries().get(tenant).is_some_and(|entry| entry.knows_reports) {
            self.diverged(tenant, Divergence::of_changed_report(tenant), None, now);
        }
    }

    /// Whether this node remembered the tenant's log when it started.
    pub(crate) fn has_evidence(&self, tenant: &TenantId) -> bool {
        self.entries().get(tenant).is_some_and(|entry| entry.has_evidence)
    }

    /// The tenant's reports were found unchanged.
    pub(crate) fn reports_are_authentic(&self, tenant: &TenantId) {
        self.entries().entry(tenant.clone()).or_default().knows_reports = true;
    }

    /// Whether the reports of all tenants are to be checked: the first time.
    pub(crate) fn must_check_reports(&self) -> bool {
        !self.are_reports_checked.load(Ordering::Acquire)
    }

    pub(crate) fn reports_are_checked(&self) {
        self.are_reports_checked.store(true, Ordering::Release);
    }

    fn enter(&self, quarantine: Quarantine, generation: Option<u64>) -> Option<Arc<Quarantine>> {
        let tenant = quarantine.tenant.clone();
        let report = Arc::new(quarantine);
        let mut entries = self.entries();
        let entry = entries.entry(tenant.clone()).or_default();
        if entry.quarantine.is_some() || generation.is_some_and(|generation| generation != entry.generation) {
            return None;
        }
        entry.quarantine = Some(report.clone());
        entry.generation += 1;
        self.count_quarantines(&entries);
        drop(entries);
        metrics::counter!("caudal_divergences_total", "kind" => report.divergence.kind.as_str()).increment(1);
        tracing::error!(
            %tenant,
            divergence = %report.divergence,
            "the log does not extend what was seen: the tenant is in quarantine, nothing is written until an operator \
             ends it (caudal quarantine show {tenant})"
        );
        if let Some(evidence) = &self.evidence
            && let Err(error) = evidence.keep(&report)
        {
            tracing::error!(%tenant, %error, "the quarantine could not be kept in the data folder");
        }
        Some(report)
    }

    /// Replaces a report by one of the same content that is later than an operator's decision, which did not know all of it.
    /// `None` when another report is in force, or none.
    pub(crate) fn report_again(&self, own: &Quarantine, since: DateTime<Utc>) -> Option<Arc<Quarantine>> {
        let report = Arc::new(Quarantine {
            id: Uuid::now_v7(),
            since,
            ..own.clone()
        });
        let mut entries = self.entries();
        let entry = entries.get_mut(&own.tenant)?;
        if entry.quarantine.as_ref().is_none_or(|current| current.id != own.id) {
            return None;
        }
        entry.quarantine = Some(report.clone());
        drop(entries);
        tracing::error!(
            tenant = %own.tenant,
            known = %own.divergence.known,
            "this node has seen more of the lost history than the operator's decision knew: the tenant is in quarantine again \
             (caudal quarantine show {})", own.tenant
        );
        if let Some(evidence) = &self.evidence
            && let Err(error) = evidence.keep(&report)
        {
            tracing::error!(tenant = %own.tenant, %error, "the quarantine could not be kept in the data folder");
        }
        Some(report)
    }

    /// Ends a quarantine by an operator's decision: the log counts from the accepted point. Nothing happens when another report
    /// than `own` is in force.
    pub(crate) fn release(
        &self,
        tenant: &TenantId,
        own: Uuid,
        began_by: TermStart,
        accepted: LogPoint,
        now: DateTime<Utc>,
    ) {
        let mut entries = self.entries();
        let entry = entries.entry(tenant.clone()).or_default();
        let Some(ended) = entry.quarantine.take_if(|report| report.id == own) else {
            return;
        };
        entry.generation += 1;
        let before = entry.history.take();
        let mut history = History::at(accepted);
        history.term = before.as_ref().map_or(0, |before| before.term) + 1;
        history.began_by = Some(began_by);
        history.numbers = before.map_or_else(GivenNumbers::default, |before| before.numbers);
        let batch = SeenBatch {
            point: accepted,
            at: now,
            acknowledged: Vec::new(),
        };
        if let Some(evidence) = &self.evidence {
            evidence.note(Line::of(tenant, &history, batch.clone()));
            if let Err(error) = evidence.end(&ended) {
                tracing::error!(%tenant, %error, "the ended quarantine could not be moved aside in the data folder");
            }
        }
        history.push(batch);
        (entry.history, entry.knows_reports) = (Some(history), true);
        self.count_quarantines(&entries);
        tracing::warn!(%tenant, %accepted, "the quarantine has ended");
    }

    fn count_quarantines(&self, entries: &HashMap<TenantId, Entry>) {
        let count = entries.values().filter(|entry| entry.quarantine.is_some()).count();
        metrics::gauge!("caudal_quarantined_tenants").set(count as f64);
    }

    /// Waits until observations are written to the data folder.
    pub(crate) fn flush(&self) {
        if let Some(evidence) = &self.evidence {
            evidence.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::DivergenceKind;

    #[test]
    fn a_divergence_from_before_the_operators_decision_begins_no_quarantine_after_it() {
        let histories = Histories::new(None);
        let tenant: TenantId = "worked".parse().unwrap();
        let at = DateTime::UNIX_EPOCH;
        let point = |position| LogPoint {
            position,
            hash: [1; 32],
        };
        histories.saw(&tenant, point(9), None, at, Vec::new());
        let compared_in = histories.generation(&tenant);
        let divergence = Divergence {
            kind: DivergenceKind::Shortened,
            known: point(9),
            found: Some(point(6)),
        };
        let report = histories.diverged(&tenant, divergence, Some(compared_in), at).unwrap();
        let decision = TermStart {
            decision: Uuid::now_v7(),
            at,
        };
        histories.release(&tenant, Uuid::now_v7(), decision, point(7), at);
        assert!(histories.quarantine(&tenant).is_some(), "another report is in force");
        histories.release(&tenant, report.id, decision, point(7), at);
        // A comparison that began before the decision and ends after it.
        assert!(histories.diverged(&tenant, divergence, Some(compared_in), at).is_none());
        assert!(histories.quarantine(&tenant).is_none());
        // A comparison with the accepted log counts.
        let now = histories.generation(&tenant);
        assert!(histories.diverged(&tenant, divergence, Some(now), at).is_some());
    }
}
