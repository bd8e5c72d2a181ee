//! Screening: customers with candidates, and the data that a screening compares with lists.

mod cases;
mod own_lists;
mod subjects;

pub use cases::{
    CaseDetail, ProposedReview, PublicPairOutcome, SCREENING_CASES, ScreeningCase, StoredCandidate, StoredDecision,
    get_case, list,
};
pub use own_lists::{OwnListVersion, own_versions};
pub use subjects::{
    Review, ReviewedPair, ScreeningSubject, customers, holds_of, next_subjects, review, subjects, without_holds,
};

use crate::{
    batch::{Batch, actor, existing},
    error::ProjectError,
    rows::{CaseCandidate, CaseDecision, ScreeningCaseRow},
    table::Json,
};
use caudal_domain::customer::{CustomerScreened, PairOutcome, ScreeningCandidate, ScreeningPairDecided};
use caudal_journal::Recorded;
use std::collections::BTreeSet;
use uuid::Uuid;

const OPEN: &str = "open";
const CONFIRMED: &str = "confirmed";
const CLEARED: &str = "cleared";
const ERASED: &str = "erased";

impl ScreeningCaseRow {
    /// Status, score and lists from the candidates.
    fn settle(&mut self, in_review: bool) {
        let candidates = self.candidates.as_ref().map_or(&[][..], |all| &all.0);
        let counts = |candidate: &&CaseCandidate| !in_review || !candidate.is_decided(PairOutcome::Different);
        let lists: BTreeSet<&str> = candidates.iter().filter(counts).map(|own| own.list.as_str()).collect();
        let mut words: String = lists.into_iter().map(|list| format!(" {list}")).collect();
        words.push(' ');
        self.score = candidates.iter().filter(counts).map(|own| i32::from(own.score)).max();
        let is_open = candidates.iter().any(|candidate| candidate.decision.is_none());
        let is_confirmed = candidates.iter().any(|own| own.is_decided(PairOutcome::Same));
        self.lists = Some(words);
        self.status = match (in_review, is_confirmed && !is_open) {
            (false, _) => CLEARED,
            (true, false) => OPEN,
            (true, true) => CONFIRMED,
        }
        .to_owned();
    }
}

/// The candidates of a screening replace those that are not decided; what is decided stays, either way.
pub(crate) fn found(batch: &mut Batch, recorded: &Recorded, screened: &CustomerScreened) {
    let row = batch
        .screening_cases
        .get_or_put((screened.id.0,), |_| ScreeningCaseRow {
            id: screened.id.0,
            position: recorded.position,
            status: CLEARED.to_owned(),
            score: None,
            lists: None,
            candidates: None,
            found_at: recorded.recorded_at,
            decided_at: None,
            decided_by: None,
        });
    let mut known = row.candidates.take().map(|all| all.0).unwrap_or_default();
    let found = screened
        .personal
        .get()
        .map(|found| found.candidates.as_slice())
        .unwrap_or_default();
    known.retain(|own| own.decision.is_some());
    // A log may have screenings that found a confirmed pair again: the decision stands.
    let decided: BTreeSet<_> = known.iter().map(|own| (own.list.clone(), own.entry.clone())).collect();
    let is_new = |own: &&ScreeningCandidate| !decided.contains(&(own.list.clone(), own.entry.clone()));
    let candidates = found.iter().filter(is_new).map(|candidate| CaseCandidate {
        list: candidate.list.clone(),
        entry: candidate.entry.clone(),
        name: candidate.name.clone(),
        score: candidate.score,
        decision: None,
    });
    known.extend(candidates);
    // Where nothing is found beside a confirmed pair, what a reviewer released stays released.
    if !screened.in_review || known.iter().any(|own| own.decision.is_none()) {
        row.position = recorded.position;
        row.found_at = recorded.recorded_at;
    }
    row.candidates = Some(Json(known));
    row.settle(screened.in_review);
}

pub(crate) fn decided(
    batch: &mut Batch,
    recorded: &Recorded,
    decided: &ScreeningPairDecided,
) -> Result<(), ProjectError> {
    let row = existing(&mut batch.screening_cases, recorded, decided.id)?;
    let mut known = row.candidates.take().map(|all| all.0).unwrap_or_default();
    if let Some(pair) = decided.personal.get() {
        let of_pair = known
            .iter_mut()
            .filter(|own| own.list == pair.list && own.entry == pair.entry);
        for candidate in of_pair {
            candidate.decision = Some(CaseDecision {
                outcome: decided.outcome,
                reason: pair.reason.clone(),
                at: recorded.recorded_at,
                by: actor(recorded),
                files: decided.files.clone(),
                listed: pair.listed.clone(),
            });
        }
    }
    row.candidates = Some(Json(known));
    row.decided_at = Some(recorded.recorded_at);
    row.decided_by = actor(recorded);
    row.settle(decided.in_review);
    Ok(())
}

/// Nothing of the candidates stays of an erased person.
pub(crate) fn erased(batch: &mut Batch, customer: Uuid) {
    if let Some(row) = batch.screening_cases.get_mut(&(customer,)) {
        row.status = ERASED.to_owned();
        (row.score, row.lists, row.candidates) = (None, None, None);
    }
}
