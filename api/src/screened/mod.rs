//! Screening of a node: what was found about customers is recorded by commands.
//!
//! A screening finds at most [`MAX_CANDIDATES`] people. Before the last of them is decided, the customer is screened again without
//! them ([`App::finds_others`]): nothing is released while others remain.

pub mod job;

use crate::{
    app::App,
    screening::{Chosen, ListFreshness, Lists, ScreeningError},
};
use caudal_domain::{
    Actor, Command, StreamKind,
    customer::{CustomerCommand, RecordScreening, ScreeningCandidate, screening::MAX_CANDIDATES},
    ids::{CustomerId, TenantId},
};
use caudal_journal::{Submission, SubmitError};
use caudal_projections::screening::{self as cases, ScreeningSubject};
use std::collections::BTreeSet;

/// What a screening found of a customer.
struct Finding {
    id: CustomerId,
    candidates: Vec<ScreeningCandidate>,
    /// Whether a reviewer found the customer to be a listed person.
    is_confirmed: bool,
}

/// Attempts to record what a screening found when the customer is changed at the same time.
const ATTEMPTS: usize = 5;

impl App {
    /// Screens customers and records what changed; durable when this returns. Does nothing in a tenant without a rule.
    pub async fn screen(&self, tenant: &TenantId, customers: &[CustomerId]) -> Result<(), ScreeningError> {
        if customers.is_empty() {
            return Ok(());
        }
        let (state, _) = self.journal.state(tenant).await?;
        if state.screening_rule().lists.is_empty() {
            return Ok(());
        }
        let chosen = Chosen::of(&state);
        let mut lists = self.screening.lists(tenant, &chosen, ListFreshness::AtHand).await?;
        drop(state);
        let records: Vec<_> = customers.iter().map(|customer| customer.0).collect();
        let mut left = ATTEMPTS;
        loop {
            let mut transaction = self
                .reads
                .begin_with_changes_of(tenant, StreamKind::Customer, &records)
                .await?;
            let position = transaction.position();
            let subjects = cases::subjects(&self.journal, &mut transaction, customers).await?;
            drop(transaction);
            let changed = self.changed(&lists, subjects).await?;
            if !changed.is_empty() && lists.is_outdated() {
                lists = self.screening.lists(tenant, &chosen, ListFreshness::Newest).await?;
                continue;
            }
            match self.record(tenant, &lists, changed, position).await {
                Err(error) if left > 1 && is_changed_meanwhile(&error) => left -= 1,
                Err(error) if is_changed_meanwhile(&error) => return Err(ScreeningError::Contention),
                outcome => return outcome.map(|_| ()),
            }
        }
    }

    /// Screens customers as of a position, records what changed, and returns how many changed.
    async fn screen_subjects(
        &self,
        tenant: &TenantId,
        lists: &Lists,
        subjects: Vec<ScreeningSubject>,
        position: i64,
    ) -> Result<i32, ScreeningError> {
        let changed = self.changed(lists, subjects).await?;
        self.record(tenant, lists, changed, position).await
    }

    /// Customers of whom something else is found than what is known.
    async fn changed(&self, lists: &Lists, subjects: Vec<ScreeningSubject>) -> Result<Vec<Finding>, ScreeningError> {
        let (searched, pool) = (lists.clone(), self.screening.scratches.clone());
        let screened = tokio::task::spawn_blocking(move || {
            let mut scratches = pool.take();
            let changed = subjects.into_iter().filter_map(|subject| {
                let candidates = searched.screen(&subject, &mut scratches);
                let pair = |own: &ScreeningCandidate| (own.list.clone(), own.entry.clone());
                let pairs: BTreeSet<_> = candidates.iter().map(pair).collect();
                let in_review = subject.is_confirmed || !pairs.is_empty();
                let is_known = pairs == subject.candidates && in_review == subject.in_review;
                (!is_known).then_some(Finding {
                    id: subject.id,
                    candidates,
                    is_confirmed: subject.is_confirmed,
                })
            });
            let changed = changed.collect();
            pool.give_back(scratches);
            changed
        });
        screened.await.map_err(|_| ScreeningError::Interrupted)
    }

    /// Whether a search finds anybody else than the decided pairs of a customer and one more that is about to be decided. What
    /// it finds is recorded beside that pair where `records`, so that the review goes on with it: a decision as of before is
    /// then refused, and made again.
    pub async fn finds_others(
        &self,
        tenant: &TenantId,
        customer: CustomerId,
        pair: &ScreeningCandidate,
        records: bool,
    ) -> Result<bool, ScreeningError> {
        let (state, _) = self.journal.state(tenant).await?;
        let chosen = Chosen::of(&state);
        drop(state);
        if chosen.rule.lists.is_empty() {
            return Ok(false);
        }
        let lists = self.screening.lists(tenant, &chosen, ListFreshness::Newest).await?;
        let reads = &self.reads;
        let mut transaction = reads
            .begin_with_changes_of(tenant, StreamKind::Customer, &[customer.0])
            .await?;
        let position = transaction.position();
        let subjects = cases::subjects(&self.journal, &mut transaction, &[customer]).await?;
        drop(transaction);
        let Some(mut subject) = subjects.into_iter().next() else {
            return Ok(false);
        };
        let is_open = subject.candidates.contains(&(pair.list.clone(), pair.entry.clone()));
        subject.decided.insert((pair.list.clone(), pair.entry.clone()));
        // Nobody is known, so that everybody who is found is a change.
        subject.candidates.clear();
        subject.in_review = subject.is_confirmed;
        let Some(mut found) = self.changed(&lists, vec![subject]).await?.pop() else {
            return Ok(false);
        };
        if records {
            if is_open {
                found.candidates.insert(0, pair.clone());
                found.candidates.truncate(MAX_CANDIDATES);
            }
            self.record(tenant, &lists, vec![found], position).await?;
        }
        Ok(true)
    }

    async fn record(
        &self,
        tenant: &TenantId,
        lists: &Lists,
        changed: Vec<Finding>,
        position: i64,
    ) -> Result<i32, ScreeningError> {
        let versions = lists.versions();
        let mut count = 0;
        let mut last = 0;
        for found in changed {
            let record = RecordScreening {
                lists: versions.clone(),
                candidates: found.candidates,
                is_confirmed: found.is_confirmed,
            };
            let mut submission = Submission::of(
                Actor::System,
                Command::Customer(found.id, CustomerCommand::RecordScreening(record)),
            );
            submission.as_of = Some(position);
            self.checkpoints.compare_before_writing(tenant).await;
            last = self.journal.submit(tenant, submission).await?.position;
            count += 1;
        }
        if count > 0 {
            // The next screening compares with what was found.
            self.until_projected(tenant, last).await;
        }
        Ok(count)
    }
}

const fn is_changed_meanwhile(error: &ScreeningError) -> bool {
    matches!(error, ScreeningError::Submit(SubmitError::Changed))
}
