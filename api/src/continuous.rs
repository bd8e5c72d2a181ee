//! Continuous verification: a task of every node that walks along every tenant's chain, slowly, for as long as the node
//! runs, and holds it against every checkpoint at hand.
//!
//! A walk begins at event 1, follows the log's end once it is there, and begins again a day after it began. Where each walk
//! stands is in memory: a node that starts verifies everything itself.

use crate::{
    checkpoints::{Checkpoints, Evidence, Flaw},
    divergence::diverged,
    verifications::Finding,
};
use caudal_domain::ids::TenantId;
use caudal_journal::{Checkpoint, Clock, Fault, Journal, JournalError, Walk, Walked, WithCauses};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::watch;
use utoipa::ToSchema;

/// How many events are verified at a time: some 600 KB of the log, 20 ms of work.
const PAGE: i64 = 1_000;
/// How many events a second where the operator says nothing: some 2 % of a processor.
pub const DEFAULT_RATE: u32 = 2_000;
/// The pause after every tenant has had its turn.
const ROUND: Duration = Duration::from_secs(1);
/// The pause between two tenants: fifty a second, so that very many idle ones are no load.
const BETWEEN: Duration = Duration::from_millis(20);
/// How often the checkpoints at hand are read again: files of a bucket are paid by the request.
const EVIDENCE_EVERY: TimeDelta = TimeDelta::minutes(5);
/// How long after a walk began the next one begins at event 1.
const WALK_EVERY: TimeDelta = TimeDelta::hours(24);
/// How long a log with a fault is left alone before it is walked from event 1 once more.
const FAULT_PAUSE: TimeDelta = TimeDelta::minutes(5);

/// What continuous verification knows of a tenant's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContinuousVerification {
    /// The last position that this node has verified in the present walk from event 1.
    #[schema(examples(12345))]
    pub position: i64,
    /// When the present walk began.
    pub started_at: DateTime<Utc>,
    /// When a walk last arrived at the log's end, or was there still; null where none has since the node started.
    pub reached_end_at: Option<DateTime<Utc>>,
    /// How many signed checkpoints the log was held against.
    pub checkpoints: usize,
    /// When they were read last; null where they could not be read yet.
    pub compared_at: Option<DateTime<Utc>>,
    /// What is wrong: a fault of the log, checkpoints that prove nothing (`checkpoint_invalid`) or can't be read
    /// (`checkpoint_unreachable`). Empty where all is well.
    pub findings: Vec<Finding>,
}

/// What continuous verification knows of every tenant. Clones share it.
#[derive(Clone, Default)]
pub struct Continuous(Arc<Mutex<HashMap<TenantId, ContinuousVerification>>>);

impl Continuous {
    /// What is known of a tenant; none where its turn has not come since the node started, or this node does not verify.
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

/// The walk along one tenant's log.
struct Tour {
    walked: Walked,
    started_at: DateTime<Utc>,
    reached_end_at: Option<DateTime<Utc>>,
    checkpoints: Vec<Checkpoint>,
    flaws: Vec<Flaw>,
    compared_at: Option<DateTime<Utc>>,
    fault: Option<(Fault, DateTime<Utc>)>,
}

impl Tour {
    fn new(tenant: &TenantId, now: DateTime<Utc>) -> Self {
        Self {
            walked: Walked::genesis(tenant),
            started_at: now,
            reached_end_at: None,
            checkpoints: Vec::new(),
            flaws: Vec::new(),
            compared_at: None,
            fault: None,
        }
    }

    /// Begins at event 1 once more, with checkpoints that are read anew: an operator may have given up a history meanwhile.
    fn start_again(&mut self, tenant: &TenantId, now: DateTime<Utc>) {
        (self.walked, self.started_at, self.compared_at) = (Walked::genesis(tenant), now, None);
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

/// The task.
pub struct Patrol {
    /// The log.
    pub journal: Journal,
    /// What was signed.
    pub checkpoints: Checkpoints,
    /// The clock of the node.
    pub clock: Arc<dyn Clock>,
    /// Events a second over all tenants.
    pub rate: u32,
    /// Where it tells what it knows.
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

    /// Gives every tenant its turn.
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
                .or_insert_with(|| Tour::new(&tenant, self.clock.now()));
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
            tour.start_again(tenant, now);
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

    /// Holds the checkpoints at hand against the log.
    async fn compare(
        &self,
        tenant: &TenantId,
        tour: &mut Tour,
        evidence: Evidence,
        now: DateTime<Utc>,
    ) -> Result<(), JournalError> {
        for flaw in evidence.flaws.iter().filter(|flaw| !tour.flaws.contains(flaw)) {
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

    /// Tells of a fault, once for as long as it lasts.
    async fn found(&self, tenant: &TenantId, tour: &mut Tour, fault: Fault, now: DateTime<Utc>) {
        if tour.fault.as_ref().is_none_or(|(known, _)| *known != fault) {
            metrics::counter!("caudal_verification_faults_total").increment(1);
            diverged(&self.journal, tenant, &fault, tour.walked.point(), &tour.checkpoints).await;
        }
        tour.fault = Some((fault, now));
    }

    async fn keep_the_rate(&self, events: i64) {
        let events = u32::try_from(events).unwrap_or_default();
        tokio::time::sleep(Duration::from_secs(1) * events / self.rate.max(1)).await;
    }
}
