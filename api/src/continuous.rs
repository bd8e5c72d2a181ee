//! Continuous verification: a background task of every node walks each tenant's chain at a limited rate and compares it
//! with all available checkpoints.
//!
//! A walk starts at event 1, follows the log's end, and restarts a day after its start. Its state is in memory: a
//! restarted node verifies everything again.

use crate::{
    checkpoints::{Checkpoints, Evidence, Flaw},
    divergence::diverged,
    findings::Finding,
};
use caudal_domain::ids::TenantId;
use caudal_journal::{Clock, Fault, Journal, JournalError, SignedCheckpoint, Walk, Walked, WithCauses};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::watch;
use utoipa::ToSchema;

/// Events per step: some 600 KB of the log, 20 ms of work.
const PAGE: i64 = 1_000;
/// Default rate in events per second: some 2 % of a processor.
pub const DEFAULT_RATE: u32 = 2_000;
/// Pause after each round over all tenants.
const ROUND: Duration = Duration::from_secs(1);
/// Pause between two tenants, which bounds the load of many idle ones.
const BETWEEN: Duration = Duration::from_millis(20);
/// Reload interval of checkpoints; buckets charge per request.
const EVIDENCE_EVERY: TimeDelta = TimeDelta::minutes(5);
/// Interval between starts of walks at event 1.
const WALK_EVERY: TimeDelta = TimeDelta::hours(24);
/// Pause before a faulty log is walked from event 1 again.
const FAULT_PAUSE: TimeDelta = TimeDelta::minutes(5);

/// State of a tenant's continuous verification on this node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContinuousVerification {
    /// Last position verified in the current walk from event 1.
    #[schema(examples(12345))]
    pub position: i64,
    /// Start of the current walk, RFC 3339 in UTC.
    pub started_at: DateTime<Utc>,
    /// Time at which a walk last reached the log's end; null when none has since the node started.
    pub reached_end_at: Option<DateTime<Utc>>,
    /// Number of signed checkpoints compared with the log.
    pub checkpoints: usize,
    /// Time at which they were last read; null when not read yet.
    pub compared_at: Option<DateTime<Utc>>,
    /// Findings: a fault of the log, invalid checkpoints (`checkpoint_invalid`) or unreadable ones
    /// (`checkpoint_unreachable`). Empty when none.
    pub findings: Vec<Finding>,
}

/// States of all tenants. Clones share it.
#[derive(Clone, Default)]
pub struct Continuous(Arc<Mutex<HashMap<TenantId, ContinuousVerification>>>);

impl Continuous {
    /// State of a tenant; `None` before its first turn, or when this node does not verify.
    #[must_use]
    pub fn of(&self, tenant: &TenantId) -> Option<ContinuousVerification> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(tenant).cloned()
    }

    fn set(&self, tenant: &TenantId, verification: ContinuousVerification) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(tenant.clone(), verification);
    }
}

/// Walk of one tenant's log.
struct Tour {
    walked: Walked,
    started_at: DateTime<Utc>,
    reached_end_at: Option<DateTime<Utc>>,
    checkpoints: Vec<SignedCheckpoint>,
    flaws: Vec<Flaw>,
    compared_at: Option<DateTime<Utc>>,
    fault: Option<(Fault, DateTime<Utc>)>,
    /// Generation of the history that is walked.
    generation: u64,
}

impl Tour {
    fn new(tenant: &TenantId, generation: u64, now: DateTime<Utc>) -> Self {
        Self {
            generation,
            walked: Walked::genesis(tenant),
            started_at: now,
            reached_end_at: None,
            checkpoints: Vec::new(),
            flaws: Vec::new(),
            compared_at: None,
            fault: None,
        }
    }

    /// Restarts at event 1 and reloads checkpoints: an operator may have abandoned a history.
    fn start_again(&mut self, tenant: &TenantId, generation: u64, now: DateTime<Utc>) {
        (self.walked, self.started_at, self.compared_at) = (Walked::genesis(tenant), now, None);
        self.generation = generation;
    }

    fn told(&self) -> ContinuousVerification {
        let fault = self.fault.iter().map(|(fault, _)| Finding::of_fault(fault));
        ContinuousVerification {
            position: self.walked.position(),
            started_at: self.started_at,
            reached_end_at: self.reached_end_at,
            checkpoints: self.checkpoints.len(),
            compared_at: self.compared_at,
            findings: fault.chain(self.flaws.iter().map(Finding::of_flaw)).collect(),
        }
    }
}

/// The background task.
pub struct Patrol {
    pub journal: Journal,
    pub checkpoints: Checkpoints,
    pub clock: Arc<dyn Clock>,
    /// Events per second over all tenants.
    pub rate: u32,
    /// Publishes the states.
    pub known: Continuous,
}

impl Patrol {
    /// Verifies until `stop` turns true.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let rounds = async {
            let mut tours = HashMap::new();
            loop {
                self.round(&mut tours).await;
                tokio::time::sleep(ROUND).await;
            }
        };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => {}
            () = rounds => {}
        }
    }

    /// One step per tenant.
    async fn round(&self, tours: &mut HashMap<TenantId, Tour>) {
        let tenants = match self.journal.tenants().await {
            Ok(tenants) => tenants,
            Err(error) => {
                tracing::warn!(error = %WithCauses(&error), "continuous verification can't list the tenants");
                return;
            }
        };
        for tenant in tenants {
            let tour = tours
                .entry(tenant.clone())
                .or_insert_with(|| Tour::new(&tenant, self.journal.history_generation(&tenant), self.clock.now()));
            if let Err(error) = self.visit(&tenant, tour).await {
                tracing::warn!(%tenant, error = %WithCauses(&error), "continuous verification can't read a log");
            }
            self.known.set(&tenant, tour.told());
            tokio::time::sleep(BETWEEN).await;
        }
        let now = self.clock.now();
        let oldest = tours
            .values()
            .map(|tour| now - tour.reached_end_at.unwrap_or(tour.started_at))
            .max();
        let seconds = oldest.unwrap_or_default().num_seconds().max(0);
        metrics::gauge!("caudal_verification_age_seconds").set(f64::from(u32::try_from(seconds).unwrap_or(u32::MAX)));
        let faulty = tours.values().filter(|tour| tour.fault.is_some()).count();
        metrics::gauge!("caudal_verification_faulty_tenants").set(f64::from(u32::try_from(faulty).unwrap_or(u32::MAX)));
    }

    async fn visit(&self, tenant: &TenantId, tour: &mut Tour) -> Result<(), JournalError> {
        let now = self.clock.now();
        let is_paused = |tour: &Tour| {
            let fault = tour.fault.as_ref();
            fault.is_some_and(|(_, found_at)| now - *found_at < FAULT_PAUSE)
        };
        if !is_paused(tour) && (tour.fault.is_some() || now - tour.started_at >= WALK_EVERY) {
            tour.start_again(tenant, self.journal.history_generation(tenant), now);
        }
        if tour.compared_at.is_none_or(|at| now - at >= EVIDENCE_EVERY) {
            match self.checkpoints.evidence(tenant).await {
                Ok(evidence) => self.compare(tenant, tour, evidence, now).await?,
                Err(error) => {
                    tracing::warn!(%tenant, error = %WithCauses(&error), "the checkpoints at hand can't be read");
                }
            }
        }
        if is_paused(tour) {
            return Ok(());
        }
        let before = tour.walked.position();
        let walk = self
            .journal
            .walk(tenant, &mut tour.walked, &tour.checkpoints, PAGE)
            .await?;
        match walk {
            Walk::More => {}
            Walk::End(_) => {
                tour.reached_end_at = Some(now);
                if tour.fault.take().is_some() {
                    tracing::warn!(%tenant, "continuous verification finds the log whole again");
                }
            }
            Walk::Fault(fault) => self.found(tenant, tour, fault, now).await,
        }
        self.keep_the_rate(tour.walked.position() - before).await;
        Ok(())
    }

    /// Compares the available checkpoints with the log.
    async fn compare(
        &self,
        tenant: &TenantId,
        tour: &mut Tour,
        evidence: Evidence,
        now: DateTime<Utc>,
    ) -> Result<(), JournalError> {
        for flaw in evidence.flaws.iter().filter(|flaw| !tour.flaws.contains(flaw)) {
            metrics::counter!("caudal_checkpoint_conflicts_total").increment(1);
            tracing::error!(%tenant, %flaw, "a checkpoint at hand is no evidence");
        }
        tour.flaws = evidence.flaws;
        tour.checkpoints = evidence.checkpoints;
        tour.compared_at = Some(now);
        if let Some(fault) = self.journal.compare(tenant, &tour.checkpoints).await? {
            self.found(tenant, tour, fault, now).await;
        }
        Ok(())
    }

    /// Reports a fault, once while it lasts.
    async fn found(&self, tenant: &TenantId, tour: &mut Tour, fault: Fault, now: DateTime<Utc>) {
        let generation = self.journal.history_generation(tenant);
        if generation != tour.generation && self.journal.quarantined(tenant).is_none() {
            // The walk began before an operator's decision about the log, or on another database server: what it remembers may
            // be of the history that was given up. It begins at event 1, where a fault of this log is found again.
            tour.start_again(tenant, generation, now);
            tour.fault = None;
            return;
        }
        if tour.fault.as_ref().is_none_or(|(known, _)| *known != fault) {
            metrics::counter!("caudal_verification_faults_total").increment(1);
            diverged(
                &self.journal,
                tenant,
                generation,
                &fault,
                tour.walked.point(),
                &tour.checkpoints,
            )
            .await;
        }
        tour.fault = Some((fault, now));
    }

    async fn keep_the_rate(&self, events: i64) {
        let events = u32::try_from(events).unwrap_or_default();
        tokio::time::sleep(Duration::from_secs(1) * events / self.rate.max(1)).await;
    }
}
