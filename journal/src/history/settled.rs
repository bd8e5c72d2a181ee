//! Settled reports: whether an operator's decision knew all that a node's report knows.
//!
//! A decision knows the lost positions and the numbers that its event names. A node that was down may know more: its report
//! then stays in force, as one that is later than the decision, so that the operator decides again.

use super::{
    LogPoint,
    quarantine::Quarantine,
    reports::{Decision, StoredReport},
};
use crate::{
    error::JournalError,
    journal::Shared,
    log::read::{self, Range},
};
use caudal_domain::{AcceptedHistory, Event, TenantEvent, ids::TenantId, tenant_state::GivenNumbers};
use std::collections::BTreeMap;

/// Points seen by some node that the log has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loss {
    pub(super) first: i64,
    pub(super) last: i64,
    /// Upper bounds of the numbers issued.
    pub(super) numbers: GivenNumbers,
}

impl Loss {
    /// Whether a decision knew of the loss.
    pub(super) fn is_known_to(&self, decision: &AcceptedHistory) -> bool {
        decision.lost_from.is_some_and(|from| from <= self.first)
            && decision.lost_to.is_some_and(|to| self.last <= to)
            && decision.numbers.max(self.numbers) == decision.numbers
    }
}

/// Decisions about a tenant that are not older than everything in a report, newest first.
pub(super) fn later_decisions(stored: &[StoredReport], own: &Quarantine) -> Vec<Decision> {
    let last_seen = own.seen.last().map_or(own.since, |batch| batch.at);
    let of_tenant = stored.iter().filter(|stored| stored.report.tenant == own.tenant);
    let decisions = of_tenant.filter_map(|stored| Some((stored.report.id, stored.decision.as_ref()?)));
    let later = decisions.filter(|(report, decision)| *report == own.id || decision.at > last_seen);
    let mut later: Vec<Decision> = later.map(|(_, decision)| decision.clone()).collect();
    later.sort_by_key(|decision| (std::cmp::Reverse(decision.at), decision.id));
    later.dedup_by_key(|decision| decision.id);
    later
}

impl Shared {
    /// The decision that a node with a report adopts: the newest of `decisions` that is in the log, once it or an earlier one of
    /// them knew all that the report knows.
    pub(super) async fn settled<'a>(
        &self,
        own: &Quarantine,
        decisions: &'a [Decision],
    ) -> Result<Option<&'a Decision>, JournalError> {
        if decisions.is_empty() {
            return Ok(None);
        }
        let loss = self.loss(own).await?;
        let mut newest = None;
        for decision in decisions {
            let Some(accepted) = self.accepted_by(&own.tenant, decision).await? else {
                continue;
            };
            newest = newest.or(Some(decision));
            if loss.is_none_or(|loss| loss.is_known_to(&accepted)) {
                return Ok(newest);
            }
        }
        Ok(None)
    }

    /// Points of a report that the log lacks. Event numbers that the log has are counted as present.
    async fn loss(&self, report: &Quarantine) -> Result<Option<Loss>, JournalError> {
        let seen = report.points();
        let hashes = self.hashes_or_genesis(&report.tenant, &seen).await?;
        let lost = seen
            .iter()
            .filter(|point| hashes.get(&point.position) != Some(&point.hash));
        let positions = lost.map(|point| point.position);
        Ok(positions.clone().min().zip(positions.max()).map(|(first, last)| Loss {
            first,
            last,
            numbers: report.numbers,
        }))
    }

    /// The event of a decision; `None` when the log does not have it, which went back once more.
    async fn accepted_by(
        &self,
        tenant: &TenantId,
        decision: &Decision,
    ) -> Result<Option<AcceptedHistory>, JournalError> {
        let LogPoint { position, hash } = decision.accepted;
        let genesis = LogPoint::genesis(tenant.as_str());
        let hashes = self.hashes(tenant, &[position - 1]).await?;
        let before = match hashes.get(&(position - 1)) {
            Some(hash) => LogPoint {
                position: position - 1,
                hash: *hash,
            },
            None if position == 1 => genesis,
            None => return Ok(None),
        };
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let range = Range::Following {
            after: before,
            limit: 1,
            checks_head: false,
        };
        let found = match read::sealed(&mut transaction, tenant, range).await {
            Ok(found) => found,
            Err(error @ (JournalError::Database(_) | JournalError::Begin(_))) => return Err(error),
            // An event that was changed decides nothing, and keeps no other tenant's reports waiting.
            Err(_) => return Ok(None),
        };
        transaction.commit().await?;
        let event = found.into_iter().find(|recorded| recorded.hash == hash);
        Ok(match event.map(|recorded| recorded.event) {
            Some(Event::Tenant(TenantEvent::HistoryAccepted(accepted))) => Some(accepted),
            _ => None,
        })
    }

    /// Hashes of the existing events among the points' positions, and that before the first event.
    pub(super) async fn hashes_or_genesis(
        &self,
        tenant: &TenantId,
        points: &[LogPoint],
    ) -> Result<BTreeMap<i64, crate::log::chain::Hash>, JournalError> {
        let positions: Vec<i64> = points.iter().map(|point| point.position).collect();
        let mut hashes = self.hashes(tenant, &positions).await?;
        let genesis = LogPoint::genesis(tenant.as_str());
        hashes.insert(genesis.position, genesis.hash);
        Ok(hashes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(movements: u64) -> GivenNumbers {
        GivenNumbers {
            movements,
            ..GivenNumbers::default()
        }
    }

    #[test]
    fn a_decision_knew_of_a_loss_when_it_names_its_positions_and_its_numbers() {
        let decision = |lost: Option<(i64, i64)>| AcceptedHistory {
            position: 5,
            known_position: 12,
            lost_from: lost.map(|(from, _)| from),
            lost_to: lost.map(|(_, to)| to),
            numbers: numbers(4),
            reason: "the standby lagged".into(),
        };
        let loss = Loss {
            first: 6,
            last: 8,
            numbers: numbers(4),
        };
        for (lost, is_known) in [
            (Some((6, 8)), true),
            (Some((4, 12)), true),
            (Some((7, 8)), false),
            (Some((6, 7)), false),
            (None, false),
        ] {
            assert_eq!(loss.is_known_to(&decision(lost)), is_known, "{lost:?}");
        }
        let more = Loss {
            numbers: numbers(5),
            ..loss
        };
        assert!(!more.is_known_to(&decision(Some((6, 8)))));
    }
}
