//! Screening of a node: what was found about customers is recorded by commands.

pub mod job;

use crate::{
    app::App,
    screening::{Chosen, Lists, ScreeningError, Wanted},
};
use caudal_domain::{
    Actor, Command, StreamKind,
    customer::{CustomerCommand, RecordScreening, ScreeningCandidate},
    ids::{CustomerId, TenantId},
};
use caudal_journal::{Submission, SubmitError};
use caudal_projections::screening::{self as cases, ScreeningSubject};
use std::collections::BTreeSet;

/// A customer, and the candidates that a screening found.
type Finding = (CustomerId, Vec<ScreeningCandidate>);

/// Attempts to record what a screening found when the customer is changed at the same time.
const ATTEMPTS: usize = 5;

impl App {
    /// Screens customers and records what changed; durable when this returns. Does nothing in a tenant without a rule.
    pub async fn screen(&self, tenant: &TenantId, customers: &[CustomerId]) -> Result<(), ScreeningError> {
        if customers.is_empty() {
            return Ok(());
        }
        let (books, _) = self.journal.books(tenant).await?;
        if books.screening_rule().lists.is_empty() {
            return Ok(());
        }
        let chosen = Chosen::of(&books);
        let mut lists = self.screening.lists(tenant, &chosen, Wanted::AtHand).await?;
        drop(books);
        let records: Vec<_> = customers.iter().map(|customer| customer.0).collect();
        let mut left = ATTEMPTS;
        loop {
            let mut snapshot = self.reads.snapshot_of(tenant, StreamKind::Customer, &records).await?;
            let position = snapshot.position();
            let subjects = cases::subjects(&mut snapshot, customers).await?;
            drop(snapshot);
            let changed = self.changed(&lists, subjects).await?;
            if !changed.is_empty() && lists.is_outdated() {
                lists = self.screening.lists(tenant, &chosen, Wanted::Newest).await?;
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
                let found = searched.screen(&subject, &mut scratches);
                let pairs: BTreeSet<_> = found.iter().map(|own| (own.list.clone(), own.entry.clone())).collect();
                (pairs != subject.candidates).then_some((subject.id, found))
            });
            let changed = changed.collect();
            pool.give_back(scratches);
            changed
        });
        screened.await.map_err(|_| ScreeningError::Interrupted)
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
        for (id, candidates) in changed {
            let record = RecordScreening {
                lists: versions.clone(),
                candidates,
            };
            let mut submission = Submission::of(
                Actor::System,
                Command::Customer(id, CustomerCommand::RecordScreening(record)),
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
