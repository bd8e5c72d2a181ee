//! End of a quarantine: an operator accepts the current log.
//!
//! 1. Compare the histories: the last common point, and what is lost after it.
//! 2. Verify the chain from event 1. A head that is not the last event's, or has no valid MAC, is repaired; any other fault
//!    requires restoring the database.
//! 3. Record the decision as an event, `HistoryAccepted`, which also prevents reissuing numbers.
//! 4. The caller signs the log including that event, when signed checkpoints contradict the log.
//! 5. End the reports; every node adopts that at its next check and reads everything again.
//!
//! A command killed between two steps leaves the quarantine in force; the next one finds the recorded decision and
//! continues.

use super::{
    LogPoint,
    quarantine::{Acknowledgement, Quarantine},
    reports::{self, Decision, StoredReport},
    settled::{Loss, later_decisions},
};
use crate::{
    beside::idempotency_records::RequestDigest,
    error::{JournalError, SubmitError},
    journal::{Journal, Shared},
    log::chain::Hash,
    proof::verify::{self, Fault},
    submission::Submission,
};
use caudal_domain::{
    AcceptedHistory, Actor, Command, Event, TenantCommand, TenantEvent, ids::TenantId, tenant_state::GivenNumbers,
};
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Duration,
};
use uuid::Uuid;

/// Time for running nodes to report what they have seen: three checks.
const REPORTING: Duration = Duration::from_millis(900);

/// Effect of the operator's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Last common point; `None` when no retained point agrees.
    pub common: Option<LogPoint>,
    /// Highest position seen by any node.
    pub known_position: i64,
    /// First seen position that is lost; `None` when nothing is. When no retained point agrees and the log was written
    /// on, earlier positions may be lost as well.
    pub lost_from: Option<i64>,
    /// Last seen position that is lost.
    pub lost_to: Option<i64>,
    /// First position that was lost since the last decision: what was lost before is known again by a node that was down then.
    pub lost_since: Option<i64>,
    /// Seen points that the log lacks.
    pub lost: HashSet<LogPoint>,
    /// Upper bounds of the numbers issued.
    pub numbers: GivenNumbers,
    pub end: LogPoint,
    /// Whether the head must be repaired.
    pub repairs_head: bool,
    /// First position after the last one that a node had seen; `None` when a node had seen the log's end. Where the head has no
    /// valid MAC, nothing vouches for the events from there on.
    pub unseen_from: Option<i64>,
    /// Whether the head has no valid MAC.
    pub is_unsigned: bool,
}

impl Ended {
    /// First position that an operator has to accept by itself: no node had seen it, and the head has no valid MAC. `None` where
    /// something is lost: with the loss the log is accepted as it is found.
    #[must_use]
    pub fn unsigned_from(&self) -> Option<i64> {
        self.unseen_from
            .filter(|_| self.is_unsigned && self.lost_from.is_none())
    }

    fn loss(&self) -> Option<Loss> {
        self.lost_from.zip(self.lost_to).map(|(first, last)| Loss {
            first,
            last,
            numbers: self.numbers,
        })
    }

    /// Answers sent for lost events, by position, with the time of sending. Answers of other nodes for events that are
    /// in the log are excluded, although their positions are equal.
    #[must_use]
    pub fn lost_answers<'a>(
        &self,
        reports: impl IntoIterator<Item = &'a Quarantine>,
    ) -> Vec<(DateTime<Utc>, &'a Acknowledgement)> {
        let batches = reports.into_iter().flat_map(|report| &report.seen);
        let lost = batches.filter(|batch| self.lost.contains(&batch.point));
        let answers = lost.flat_map(|batch| batch.acknowledged.iter().map(|answer| (batch.at, answer)));
        // A batch may repeat the answer of an earlier, kept position.
        let answers = answers.filter(|(_, answer)| self.lost_from.is_some_and(|from| answer.position >= from));
        // Two processes on one data folder report the same answers.
        let each: BTreeMap<_, _> = answers
            .map(|(at, answer)| ((answer.position, answer.id), (at, answer)))
            .collect();
        each.into_values().collect()
    }
}

/// A decision recorded in the log whose quarantine is still in force.
#[derive(Clone, Debug)]
pub struct RecordedDecision {
    /// The events given up, and the end of the accepted log.
    pub ended: Ended,
    decision: Decision,
}

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
    /// Reports a divergence noticed outside the journal, by a projector or by a signed checkpoint. The tenant is
    /// quarantined at once.
    pub fn quarantine(&self, tenant: &TenantId, divergence: super::Divergence) {
        self.shared.diverged(tenant, divergence, None);
    }

    /// [`Self::quarantine`], unless the tenant's history has another generation than the compared one: an operator may have
    /// decided since.
    pub fn quarantine_in_generation(&self, tenant: &TenantId, divergence: super::Divergence, generation: u64) {
        self.shared.diverged(tenant, divergence, Some(generation));
    }

    /// A tenant's quarantine as known to this node, without a round trip.
    #[must_use]
    pub fn quarantined(&self, tenant: &TenantId) -> Option<Arc<Quarantine>> {
        self.shared.histories.quarantine(tenant)
    }

    /// Whether the data folder had evidence of a tenant's log when this node started.
    #[must_use]
    pub fn has_evidence(&self, tenant: &TenantId) -> bool {
        self.shared.histories.has_evidence(tenant)
    }

    /// Generation of everything cached from a tenant's log: changes when a quarantine begins or ends and when the
    /// database server changes. Without a round trip.
    #[must_use]
    pub fn history_generation(&self, tenant: &TenantId) -> u64 {
        self.shared.histories.generation(tenant)
    }

    /// All quarantines known to this node.
    #[must_use]
    pub fn quarantines(&self) -> Vec<Arc<Quarantine>> {
        self.shared.histories.quarantines()
    }

    /// Reports about a tenant by all nodes, current and ended, newest first.
    pub async fn quarantine_reports(&self, tenant: &TenantId) -> Result<Vec<StoredReport>, JournalError> {
        let shared = &self.shared;
        let mut transaction = shared.database.begin_read(tenant.as_str()).await?;
        let mut stored = reports::of_tenant(&mut transaction, &shared.keyring, tenant)
            .await?
            .stored;
        transaction.commit().await?;
        // A restored database has lost the rows; the data folder has not.
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

    /// What a tenant's quarantine is about, compared with the current log; `None` when not quarantined. Does not verify
    /// the chain.
    pub async fn quarantine_losses(&self, tenant: &TenantId) -> Result<Option<Ended>, JournalError> {
        let reports = self.quarantine_reports(tenant).await?;
        let in_force = in_force(&reports);
        if in_force.is_empty() {
            return Ok(None);
        }
        let end = self.head(tenant).await?.point();
        self.shared.compare(tenant, &reports, end, false).await.map(Some)
    }

    /// Effect of ending a tenant's quarantine; changes nothing but the stored Merkle tree, which is derived from the log.
    ///
    /// # Errors
    /// When the tenant is not quarantined, its log is damaged, or the database fails.
    pub async fn assess_quarantine(&self, tenant: &TenantId) -> Result<Ended, EndError> {
        let reports = self.quarantine_reports(tenant).await?;
        let in_force = in_force(&reports);
        if in_force.is_empty() {
            return Err(EndError::NotQuarantined(tenant.clone()));
        }
        let mut verification = self.verify_chain(tenant, &[], |_, _| {}).await?;
        if let Some(Fault::TreeChanged { .. }) = verification.fault {
            // The tree still counts events that the log has lost.
            self.drop_nodes_after(tenant, 0).await?;
            verification = self.verify_chain(tenant, &[], |_, _| {}).await?;
        }
        let repairs_head = match &verification.fault {
            None => false,
            Some(Fault::HeadMoved { .. } | Fault::HeadChanged { .. } | Fault::HeadUnsigned { .. }) => true,
            Some(fault) => return Err(EndError::Damaged(fault.clone())),
        };
        let end = LogPoint {
            position: verification.events,
            hash: verification.hash,
        };
        Ok(self.shared.compare(tenant, &reports, end, repairs_head).await?)
    }

    /// For tests: both steps of the command at once, without its record for the operator. Accepts the current log and ends the
    /// quarantine, when no signed checkpoint contradicts the log.
    ///
    /// # Errors
    /// As [`Self::record_decision`] and [`Self::release_quarantine`]; the quarantine stays in force.
    #[doc(hidden)]
    pub async fn end_quarantine(&self, tenant: &TenantId, reason: &str) -> Result<Ended, EndError> {
        let recorded = self.record_decision(tenant, reason).await?;
        self.release_quarantine(tenant, &recorded).await?;
        Ok(recorded.ended)
    }

    /// Records as an event that an operator accepts the current log. The quarantine stays in force. Returns an earlier
    /// decision whose command was killed before the release.
    ///
    /// # Errors
    /// As [`Self::assess_quarantine`], or when the event can't be written.
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

    /// Releases a tenant by a recorded decision: ends the reports, which nodes adopt at their next check.
    ///
    /// # Errors
    /// When the database fails; the quarantine stays in force.
    pub async fn release_quarantine(&self, tenant: &TenantId, recorded: &RecordedDecision) -> Result<(), JournalError> {
        let (shared, decision) = (&self.shared, &recorded.decision);
        if let Some(from) = decision.lost_from {
            shared.take_rows_back(tenant, from, recorded.ended.lost_since).await?;
        }
        let own = shared.histories.quarantine(tenant);
        if let Some(own) = &own {
            reports::publish(&shared.database, &shared.keyring, own).await?;
        }
        reports::end_all(&shared.database, &shared.keyring, tenant, decision).await?;
        if let Some(own) = own {
            shared
                .histories
                .release(tenant, own.id, decision.start(), decision.accepted, decision.at);
        }
        shared.histories.flush();
        Ok(())
    }

    /// Waits for running nodes to report.
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
        // A decision recorded before is the log's last event, because no other writer is active; its idempotency key
        // answers it.
        let recorded = self.recorded_before(tenant, ended).await?;
        let accepts = recorded.unwrap_or(ended.end.position);
        let key = format!("quarantine/{accepts}/{}", ended.known_position);
        let submission = Submission {
            key: Some(key),
            request_digest: RequestDigest::of([tenant.as_str().as_bytes()]),
            ..Submission::of(Actor::System, Command::Tenant(TenantCommand::AcceptHistory(accepted)))
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

    /// Position that the log's last event accepts, when that event is a decision that knew of this loss.
    async fn recorded_before(&self, tenant: &TenantId, ended: &Ended) -> Result<Option<i64>, JournalError> {
        let before = ended.end.position - 1;
        let last = self.events_after(tenant, before.max(0), 1).await?;
        Ok(match last.first().map(|recorded| &recorded.event) {
            Some(Event::Tenant(TenantEvent::HistoryAccepted(accepted)))
                if accepted.position == before
                    && accepted.known_position == ended.known_position
                    && ended.loss().is_none_or(|loss| loss.is_known_to(accepted)) =>
            {
                Some(accepted.position)
            }
            _ => None,
        })
    }
}

/// Reports that no decision has ended.
fn in_force(reports: &[StoredReport]) -> Vec<&Quarantine> {
    let in_force = reports.iter().filter(|stored| stored.decision.is_none());
    in_force.map(|stored| &stored.report).collect()
}

/// Upper bounds of the numbers issued up to a position. When the issuing node has not reported, each unread event
/// counts as one number of every kind.
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

/// Where seen points part from the log: the last common one, at most before a position, and the first lost position.
fn parting(
    seen: &[LogPoint],
    is_lost: impl Fn(&LogPoint) -> bool,
    before: Option<i64>,
    end: LogPoint,
) -> (Option<LogPoint>, Option<i64>) {
    let lost = seen.iter().filter(|point| is_lost(point));
    let first_lost = lost.map(|point| point.position).min();
    let kept = seen.iter().filter(|point| !is_lost(point));
    // An agreement after a disagreement belongs to another history.
    let bounds = [first_lost, before];
    let common = kept
        .filter(|point| bounds.iter().flatten().all(|bound| point.position < *bound))
        .max_by_key(|point| point.position);
    // Nodes retain their last batches: when all of them are lost, so is everything between the log's end and the first.
    let after_common = |first: i64| common.map_or(first.min(end.position + 1), |common| common.position + 1);
    (common.copied(), first_lost.map(after_common))
}

impl Shared {
    /// Point of an event.
    async fn point_at(&self, tenant: &TenantId, position: i64) -> Result<LogPoint, JournalError> {
        let hashes = self.hashes(tenant, &[position]).await?;
        let hash = hashes.get(&position).copied();
        let missing = || JournalError::Unexpected(format!("position {position} of {tenant} has no event"));
        Ok(LogPoint {
            position,
            hash: hash.ok_or_else(missing)?,
        })
    }

    /// Hashes of the existing events among the positions.
    pub(super) async fn hashes(
        &self,
        tenant: &TenantId,
        positions: &[i64],
    ) -> Result<BTreeMap<i64, Hash>, JournalError> {
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

    /// Compares the points of reports in force with the log.
    async fn compare(
        &self,
        tenant: &TenantId,
        stored: &[StoredReport],
        end: LogPoint,
        repairs_head: bool,
    ) -> Result<Ended, JournalError> {
        let reports = in_force(stored);
        let seen: Vec<LogPoint> = reports.iter().flat_map(|report| report.points()).collect();
        let known_position = seen.iter().map(|point| point.position).max().unwrap_or_default();
        let hashes = self.hashes_or_genesis(tenant, &seen).await?;
        let is_lost = |point: &LogPoint| hashes.get(&point.position) != Some(&point.hash);
        // What a node had seen before an earlier decision has nothing in common with the log from that decision on.
        let mut decided_from: Option<i64> = None;
        let mut since = Vec::new();
        for report in &reports {
            let decided = report.points().iter().any(is_lost).then(|| {
                let decisions = later_decisions(stored, report);
                decisions.iter().map(|decision| decision.accepted.position).min()
            });
            match decided.flatten() {
                Some(from) => decided_from = Some(decided_from.map_or(from, |other| other.min(from))),
                None => since.extend(report.seen.iter().map(|batch| batch.point)),
            }
        }
        let kept = seen.iter().filter(|point| !is_lost(point));
        let last_kept = kept.map(|point| point.position).max().unwrap_or_default();
        let is_unsigned = !self.is_head_vouched_for(tenant).await?;
        let (common, lost_from) = parting(&seen, is_lost, decided_from, end);
        let lost_since = match decided_from {
            None => lost_from,
            Some(_) => parting(&since, is_lost, None, end).1,
        };
        let lost: HashSet<LogPoint> = seen.into_iter().filter(is_lost).collect();
        Ok(Ended {
            common,
            known_position,
            lost_from,
            lost_to: lost.iter().map(|point| point.position).max(),
            lost_since,
            lost,
            numbers: given_out(&reports, known_position),
            end,
            repairs_head,
            unseen_from: (last_kept < end.position).then_some(last_kept + 1),
            is_unsigned,
        })
    }

    async fn is_head_vouched_for(&self, tenant: &TenantId) -> Result<bool, JournalError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let (_, is_vouched_for) = verify::signed_end(&mut transaction, &self.macs, tenant).await?;
        transaction.commit().await?;
        Ok(is_vouched_for)
    }

    /// Sets the head to the last event, and signs it. Raises the epoch, so that no pending append takes effect.
    async fn repair_head(&self, tenant: &TenantId, end: LogPoint) -> Result<(), JournalError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let recorded_at: DateTime<Utc> = sqlx::query_scalar(
            "UPDATE journal.heads AS h SET position = $2, hash = $3, epoch = h.epoch + 1,
                    recorded_at = coalesce((SELECT e.recorded_at FROM journal.events AS e
                                             WHERE e.tenant = $1 AND e.position = $2), h.recorded_at)
              WHERE h.tenant = $1
          RETURNING h.recorded_at",
        )
        .bind(tenant.as_str())
        .bind(end.position)
        .bind(end.hash)
        .fetch_one(&mut *transaction)
        .await?;
        sqlx::query("UPDATE journal.heads SET mac = $2 WHERE tenant = $1")
            .bind(tenant.as_str())
            .bind(self.macs.head(tenant, end, recorded_at))
            .execute(&mut *transaction)
            .await?;
        tracing::warn!(%tenant, position = end.position, "the head was put right");
        Ok(transaction.commit().await?)
    }
}
