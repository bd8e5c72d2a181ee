//! Ending a quarantine: an operator accepts the log as it stands.
//!
//! 1. Both histories are compared: the last place at which the log is what any node had seen, and what is lost after it.
//! 2. The chain is verified from event 1. A head that is not that of the last event is put right; any other fault can only
//!    be put right by restoring the database.
//! 3. The decision is recorded as an event, `HistoryAccepted`, which also keeps numbers from being given out twice.
//! 4. The caller signs the log with that event in it, where signed checkpoints contradict the log.
//! 5. The reports are ended; every node takes that over at its next look, and reads everything anew.
//!
//! A command that is killed between two steps leaves the quarantine in force; the next one finds the recorded decision and
//! goes on from there.

use super::{
    LogPoint,
    quarantine::{Acknowledgement, Quarantine},
    reports::{self, Decision, StoredReport},
};
use crate::{
    beside::receipts::RequestDigest,
    error::{JournalError, SubmitError},
    journal::{Journal, Shared},
    log::chain::Hash,
    proof::verify::Fault,
    submission::Submission,
};
use caudal_domain::{
    AcceptedHistory, Actor, Command, Event, TenantCommand, TenantEvent, books::GivenNumbers, ids::TenantId,
};
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Duration,
};
use uuid::Uuid;

/// How long nodes that run get to report what they had seen: three looks.
const REPORTING: Duration = Duration::from_millis(900);

/// What the operator's decision would mean, or meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The last place at which the log is what the nodes had seen; none where they agree on nothing that is kept.
    pub common: Option<LogPoint>,
    /// The highest position that a node had seen.
    pub known_position: i64,
    /// First position that was seen and is lost; none where nothing is. Where the nodes agree with the log on nothing that
    /// they keep and the log was written on, positions before it may be lost as well.
    pub lost_from: Option<i64>,
    /// Last position that was seen and is lost.
    pub lost_to: Option<i64>,
    /// The places that nodes had seen and the log lacks.
    pub lost: HashSet<LogPoint>,
    /// The highest numbers known to have been given out.
    pub numbers: GivenNumbers,
    /// The log's end as it stands.
    pub end: LogPoint,
    /// Whether the head has to be put right, to be that of the last event.
    pub repairs_head: bool,
}

impl Ended {
    /// The answers that had left for what the log lacks, with when they left, by position. What another node was answered
    /// for events that are in the log is not among them, although they have the same positions.
    #[must_use]
    pub fn lost_answers<'a>(
        &self,
        reports: impl IntoIterator<Item = &'a Quarantine>,
    ) -> Vec<(DateTime<Utc>, &'a Acknowledgement)> {
        let batches = reports.into_iter().flat_map(|report| &report.seen);
        let lost = batches.filter(|batch| self.lost.contains(&batch.point));
        let answers = lost.flat_map(|batch| batch.acknowledged.iter().map(|answer| (batch.at, answer)));
        // A batch may repeat the answer of an earlier position, which is in the log.
        let answers = answers.filter(|(_, answer)| self.lost_from.is_some_and(|from| answer.position >= from));
        // Two processes on one data folder report the same answers.
        let each: BTreeMap<_, _> = answers
            .map(|(at, answer)| ((answer.position, answer.id), (at, answer)))
            .collect();
        each.into_values().collect()
    }
}

/// A decision that is an event of the log, and by which the tenant is not released yet.
#[derive(Clone, Debug)]
pub struct RecordedDecision {
    /// What is given up, and where the accepted log ends.
    pub ended: Ended,
    decision: Decision,
}

/// Why a quarantine was not ended.
#[derive(Debug, thiserror::Error)]
pub enum EndError {
    #[error("the tenant {0} is not in quarantine")]
    NotQuarantined(TenantId),
    #[error("the log is damaged and can't be accepted: {0}. Restore the database from a copy whose log is whole")]
    Damaged(Fault),
    #[error("the decision could not be recorded")]
    Submit(#[from] SubmitError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl From<sqlx::Error> for EndError {
    fn from(error: sqlx::Error) -> Self {
        Self::Journal(error.into())
    }
}

impl Journal {
    /// Tells of a divergence that was noticed outside of the journal: by a projector, or against a signed checkpoint. The
    /// tenant is in quarantine from now on.
    pub fn quarantine(&self, tenant: &TenantId, divergence: super::Divergence) {
        self.shared.diverged(tenant, divergence, None);
    }

    /// A tenant's quarantine as this node knows it; none where it is not in quarantine. Costs no round trip.
    #[must_use]
    pub fn quarantined(&self, tenant: &TenantId) -> Option<Arc<Quarantine>> {
        self.shared.histories.quarantine(tenant)
    }

    /// A number that changes whenever everything that is cached of a tenant's log has to be read again: when its quarantine
    /// begins and ends, and when the database server is another one. Costs no round trip.
    #[must_use]
    pub fn history_generation(&self, tenant: &TenantId) -> u64 {
        self.shared.histories.generation(tenant)
    }

    /// The tenants in quarantine as this node knows them.
    #[must_use]
    pub fn quarantines(&self) -> Vec<Arc<Quarantine>> {
        self.shared.histories.quarantines()
    }

    /// The reports about a tenant, in force and ended, of all nodes; the newest first.
    pub async fn quarantine_reports(&self, tenant: &TenantId) -> Result<Vec<StoredReport>, JournalError> {
        let shared = &self.shared;
        let mut transaction = shared.database.begin_read(tenant.as_str()).await?;
        let mut stored = reports::of_tenant(&mut transaction, &shared.keyring, tenant).await?;
        transaction.commit().await?;
        // A database that was restored has lost the rows; the data folder has not.
        if let Some(own) = shared.histories.quarantine(tenant)
            && !stored.iter().any(|stored| stored.report.id == own.id)
        {
            stored.push(StoredReport {
                report: Quarantine::clone(&own),
                decision: None,
            });
        }
        stored.sort_by_key(|stored| std::cmp::Reverse(stored.report.since));
        Ok(stored)
    }

    /// What a tenant's quarantine is about, against the log as it stands; none where the tenant is not in quarantine. The
    /// chain is not verified.
    pub async fn quarantine_losses(&self, tenant: &TenantId) -> Result<Option<Ended>, JournalError> {
        let reports = self.quarantine_reports(tenant).await?;
        let in_force = in_force(&reports);
        if in_force.is_empty() {
            return Ok(None);
        }
        let end = self.head(tenant).await?.point();
        self.shared.compare(tenant, &in_force, end, false).await.map(Some)
    }

    /// What ending a tenant's quarantine would mean. Nothing is changed.
    ///
    /// # Errors
    /// Where the tenant is not in quarantine, its log is damaged, or the database fails.
    pub async fn assess_quarantine(&self, tenant: &TenantId) -> Result<Ended, EndError> {
        let reports = self.quarantine_reports(tenant).await?;
        let in_force = in_force(&reports);
        if in_force.is_empty() {
            return Err(EndError::NotQuarantined(tenant.clone()));
        }
        let verification = self.verify_chain(tenant, &[], |_, _| {}).await?;
        let repairs_head = match &verification.fault {
            None => false,
            Some(Fault::HeadMoved { .. } | Fault::HeadChanged { .. }) => true,
            Some(fault) => return Err(EndError::Damaged(fault.clone())),
        };
        let end = LogPoint {
            position: verification.events,
            hash: verification.hash,
        };
        Ok(self.shared.compare(tenant, &in_force, end, repairs_head).await?)
    }

    /// Ends a tenant's quarantine where no signed checkpoint contradicts the log: the log is accepted as it stands.
    ///
    /// # Errors
    /// As [`Self::record_decision`] and [`Self::release_quarantine`]; the quarantine is then still in force.
    pub async fn end_quarantine(&self, tenant: &TenantId, reason: &str) -> Result<Ended, EndError> {
        let recorded = self.record_decision(tenant, reason).await?;
        self.release_quarantine(tenant, &recorded).await?;
        Ok(recorded.ended)
    }

    /// Records as an event that an operator accepts the log as it stands. The quarantine is still in force. A decision that
    /// is recorded already, by a command that was killed before it released the tenant, is returned.
    ///
    /// # Errors
    /// As [`Self::assess_quarantine`], or where the decision can't be recorded.
    pub async fn record_decision(&self, tenant: &TenantId, reason: &str) -> Result<RecordedDecision, EndError> {
        self.await_reports(tenant).await?;
        let ended = self.assess_quarantine(tenant).await?;
        let shared = &self.shared;
        if ended.repairs_head {
            shared.repair_head(tenant, ended.end).await?;
        }
        shared.histories.begin_ending(tenant);
        let outcome = self.record(tenant, &ended, reason).await;
        shared.histories.finish_ending(tenant);
        let decision = outcome?;
        Ok(RecordedDecision { ended, decision })
    }

    /// Releases a tenant by a recorded decision: the reports are ended, and the nodes take that over at their next look.
    ///
    /// # Errors
    /// Where the database fails; the quarantine is then still in force.
    pub async fn release_quarantine(&self, tenant: &TenantId, recorded: &RecordedDecision) -> Result<(), JournalError> {
        let (shared, decision) = (&self.shared, &recorded.decision);
        if let Some(own) = shared.histories.quarantine(tenant) {
            reports::publish(&shared.database, &shared.keyring, &own).await?;
        }
        reports::end_all(&shared.database, &shared.keyring, tenant, decision).await?;
        shared
            .histories
            .release(tenant, decision.start(), decision.accepted, decision.at);
        shared.histories.flush();
        Ok(())
    }

    /// Waits until the nodes that run have had the time to report.
    async fn await_reports(&self, tenant: &TenantId) -> Result<(), JournalError> {
        let reports = self.quarantine_reports(tenant).await?;
        if let Some(newest) = in_force(&reports).iter().map(|report| report.since).max() {
            let age = (self.shared.clock.now() - newest).to_std().unwrap_or_default();
            tokio::time::sleep(REPORTING.saturating_sub(age)).await;
        }
        Ok(())
    }

    async fn record(&self, tenant: &TenantId, ended: &Ended, reason: &str) -> Result<Decision, EndError> {
        let shared = &self.shared;
        let accepted = AcceptedHistory {
            position: ended.end.position,
            known_position: ended.known_position,
            lost_from: ended.lost_from,
            lost_to: ended.lost_to,
            numbers: ended.numbers,
            reason: reason.to_owned(),
        };
        // A decision that was recorded before is the log's last event, since nobody else writes meanwhile; its command is
        // answered by its key.
        let recorded = self.recorded_before(tenant, ended).await?;
        let accepts = recorded.unwrap_or(ended.end.position);
        let key = format!("quarantine/{accepts}/{}", ended.known_position);
        let submission = Submission {
            actor: Actor::System,
            command: Command::Tenant(TenantCommand::AcceptHistory(accepted)),
            key: Some(key),
            request_digest: RequestDigest::of([tenant.as_str().as_bytes()]),
            request_id: Uuid::now_v7(),
            credential: None,
            as_of: None,
            expected: None,
        };
        let committed = self.submit(tenant, submission).await?;
        let point = shared.point_at(tenant, committed.position).await?;
        Ok(Decision {
            id: Uuid::now_v7(),
            at: shared.clock.now(),
            accepted: point,
            lost_from: ended.lost_from,
            lost_to: ended.lost_to,
            reason: reason.to_owned(),
        })
    }

    /// The position that the log's last event accepts, where that event is a decision about the same loss.
    async fn recorded_before(&self, tenant: &TenantId, ended: &Ended) -> Result<Option<i64>, JournalError> {
        let before = ended.end.position - 1;
        let last = self.events_after(tenant, before.max(0), 1).await?;
        Ok(match last.first().map(|recorded| &recorded.event) {
            Some(Event::Tenant(TenantEvent::HistoryAccepted(accepted)))
                if accepted.position == before && accepted.known_position == ended.known_position =>
            {
                Some(accepted.position)
            }
            _ => None,
        })
    }
}

/// The reports that no decision has ended.
fn in_force(reports: &[StoredReport]) -> Vec<&Quarantine> {
    let in_force = reports.iter().filter(|stored| stored.decision.is_none());
    in_force.map(|stored| &stored.report).collect()
}

/// The highest numbers that can have been given out up to a position. Where the node that gave the last ones out has not
/// reported, each event that nobody has read may have taken one.
fn given_out(reports: &[&Quarantine], known_position: i64) -> GivenNumbers {
    let known = reports
        .iter()
        .fold(GivenNumbers::default(), |known, report| known.max(report.numbers));
    let read = reports.iter().map(|report| report.numbers_at).max().unwrap_or_default();
    let unread = u64::try_from(known_position - read).unwrap_or_default();
    GivenNumbers {
        remittances: known.remittances + unread,
        movements: known.movements + unread,
        closures: known.closures + unread,
    }
}

impl Shared {
    /// The place of an event.
    async fn point_at(&self, tenant: &TenantId, position: i64) -> Result<LogPoint, JournalError> {
        let hashes = self.hashes(tenant, &[position]).await?;
        let hash = hashes.get(&position).copied();
        let missing = || JournalError::Unexpected(format!("position {position} of {tenant} has no event"));
        Ok(LogPoint {
            position,
            hash: hash.ok_or_else(missing)?,
        })
    }

    /// The hashes of events by their positions; those that are there.
    async fn hashes(&self, tenant: &TenantId, positions: &[i64]) -> Result<BTreeMap<i64, Hash>, JournalError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query("SELECT position, hash FROM journal.events WHERE tenant = $1 AND position = ANY ($2)")
            .bind(tenant.as_str())
            .bind(positions)
            .fetch_all(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let read = rows
            .iter()
            .map(|row| Ok((row.try_get("position")?, row.try_get("hash")?)));
        read.collect::<Result<_, sqlx::Error>>().map_err(JournalError::from)
    }

    /// Compares what nodes had seen with the log.
    async fn compare(
        &self,
        tenant: &TenantId,
        reports: &[&Quarantine],
        end: LogPoint,
        repairs_head: bool,
    ) -> Result<Ended, JournalError> {
        let mut seen: Vec<LogPoint> = Vec::new();
        for report in reports {
            seen.push(report.divergence.known);
            seen.extend(report.seen.iter().map(|batch| batch.point));
        }
        let known_position = seen.iter().map(|point| point.position).max().unwrap_or_default();
        let positions: Vec<i64> = seen.iter().map(|point| point.position).collect();
        let mut hashes = self.hashes(tenant, &positions).await?;
        let genesis = LogPoint::genesis(tenant.as_str());
        hashes.insert(genesis.position, genesis.hash);
        let (kept, lost): (Vec<LogPoint>, Vec<LogPoint>) = seen
            .iter()
            .partition(|point| hashes.get(&point.position) == Some(&point.hash));
        let first_lost = lost.iter().map(|point| point.position).min();
        // A place that agrees after one that does not is another history's.
        let common = kept
            .into_iter()
            .filter(|point| first_lost.is_none_or(|first| point.position < first))
            .max_by_key(|point| point.position);
        // Nodes keep their last batches: where all of them are lost, so is what lies between the log's end and the first.
        let after_common = |first: i64| common.map_or(first.min(end.position + 1), |common| common.position + 1);
        Ok(Ended {
            common,
            known_position,
            lost_from: first_lost.map(after_common),
            lost_to: lost.iter().map(|point| point.position).max(),
            lost: lost.into_iter().collect(),
            numbers: given_out(reports, known_position),
            end,
            repairs_head,
        })
    }

    /// Makes the head that of the last event. The epoch goes up, so that nothing under way takes effect.
    async fn repair_head(&self, tenant: &TenantId, end: LogPoint) -> Result<(), JournalError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.heads AS h SET position = $2, hash = $3, epoch = h.epoch + 1,
                    recorded_at = coalesce((SELECT e.recorded_at FROM journal.events AS e
                                             WHERE e.tenant = $1 AND e.position = $2), h.recorded_at)
              WHERE h.tenant = $1",
        )
        .bind(tenant.as_str())
        .bind(end.position)
        .bind(end.hash)
        .execute(&mut *transaction)
        .await?;
        tracing::warn!(%tenant, position = end.position, "the head was put right");
        Ok(transaction.commit().await?)
    }
}
