//! Rehearsals: many commands are decided one after the other, each on what the ones before would have left. Nothing is
//! written. A rehearsal works beside the writer, on its own connection, so that live commands don't wait for it.

use super::{
    decide::{Draft, repeated},
    load::{LOAD_LIMIT, LoadedFacts},
};
use crate::{
    beside::{
        idempotency_records::{self, IdempotencyRecordKey},
        unique_values::{self, UniqueValueChange},
    },
    clock,
    error::{JournalError, RETRY_AFTER, SubmitError, WithCauses},
    journal::{Journal, Shared},
    log::{postgres::PostgresLog, tenant_log::WantedFacts},
    submission::{Committed, Submission},
};
use caudal_domain::{
    Actor, Command, Preview, TenantState, UniqueValue, UniqueValueKind,
    ids::TenantId,
    party::Party,
    remittance::{RemittanceCommand, SellerReference},
};
use std::{collections::HashSet, sync::Arc};

/// Maximum records that a rehearsal changes and keeps in memory: 50,000 rows with four records each.
const MAX_STREAMS: usize = 200_000;

/// What a rehearsal finds about a command.
#[derive(Clone, Debug)]
pub enum Rehearsed {
    /// It would do this.
    Decided(Box<Preview>),
    /// It was committed before, under the same key.
    Committed(Box<Committed>),
}

/// Commands decided and not written.
pub struct Rehearsal {
    shared: Arc<Shared>,
    tenant: TenantId,
    log: PostgresLog,
    facts: LoadedFacts,
    draft: Draft,
    position: i64,
}

impl Journal {
    /// Begins a rehearsal at the tenant's head.
    ///
    /// # Errors
    /// When the state can't be read, or the tenant is in quarantine.
    pub async fn rehearse(&self, tenant: &TenantId) -> Result<Rehearsal, SubmitError> {
        if self.shared.histories.refuses_writes(tenant) {
            return Err(SubmitError::Quarantined);
        }
        let (state, head) = self.state(tenant).await?;
        let now = clock::recorded_at(self.shared.clock.as_ref(), &head);
        Ok(Rehearsal {
            log: PostgresLog::new(self.shared.clone(), tenant.clone()),
            shared: self.shared.clone(),
            tenant: tenant.clone(),
            facts: LoadedFacts::default(),
            draft: Draft::on(state, head.position, now),
            position: head.position,
        })
    }
}

impl Rehearsal {
    /// Position of the log that it began at.
    #[must_use]
    pub const fn position(&self) -> i64 {
        self.position
    }

    /// The state with what was rehearsed.
    #[must_use]
    pub const fn state(&self) -> &TenantState {
        &self.draft.tenant_state
    }

    /// Loads what commands need in one round trip, so that [`Self::decide`] finds it in memory. Receipts of earlier commands are
    /// dropped.
    ///
    /// # Errors
    /// When the log can't be read.
    pub async fn prefetch(&mut self, submissions: &[Submission]) -> Result<(), SubmitError> {
        self.facts.idempotency_records.clear();
        self.fetch(submissions).await
    }

    async fn fetch(&mut self, submissions: &[Submission]) -> Result<(), SubmitError> {
        let mut wanted = WantedFacts::default();
        let keys: HashSet<_> = submissions.iter().filter_map(IdempotencyRecordKey::of).collect();
        let unknown = keys
            .into_iter()
            .filter(|key| !self.facts.idempotency_records.contains_key(key));
        wanted.idempotency_records = unknown.collect();
        let mut opened = HashSet::new();
        for submission in submissions {
            let command = &submission.command;
            for id in [command.stream()].into_iter().chain(command.reads()) {
                if !self.draft.streams.contains_key(&id) && !self.facts.knows_stream(&id) && opened.insert(id) {
                    wanted.streams.insert(id);
                }
            }
            let unique_value = self.reference_of(submission);
            let unique_value = unique_value
                .map(|unique_value| UniqueValueChange::new(&self.shared.node.keyring, &self.tenant, &unique_value));
            if let Some((kind, Some(digest))) =
                unique_value.map(|unique_value| (unique_value.kind, unique_value.digest))
                && !self.facts.unique_values.contains_key(&(kind, digest))
            {
                wanted.unique_values.insert((kind, digest));
            }
            for (kind, value) in command.looks_up(&self.draft.tenant_state) {
                let key = (
                    kind,
                    unique_values::digest(&self.shared.node.keyring, &self.tenant, kind, &value),
                );
                if !self.facts.unique_values.contains_key(&key) {
                    wanted.unique_values.insert(key);
                }
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        self.load(wanted).await
    }

    /// The unique value that a sale takes. A guess of what the decision takes: one that is missed is loaded by itself.
    fn reference_of(&self, submission: &Submission) -> Option<UniqueValue> {
        let Command::Remittance(id, RemittanceCommand::Create(sale)) = &submission.command else {
            return None;
        };
        let maker = match submission.actor {
            Actor::Party(id) => self.draft.tenant_state.party(id).map(Party::seller),
            Actor::System => None,
        };
        let reference = sale.reference.as_deref()?.trim();
        let value = SellerReference::unique(sale.seller.or(maker)?, reference);
        Some(UniqueValue::take(UniqueValueKind::SellerReference, *id, value))
    }

    async fn load(&mut self, wanted: WantedFacts) -> Result<(), SubmitError> {
        let Self {
            shared,
            tenant,
            log,
            facts,
            ..
        } = self;
        facts.load(log, &shared.node, tenant, wanted).await.map_err(unread)
    }

    /// Decides a command on what the ones before left. A command that needs an approval changes nothing, nor does one that was
    /// committed before.
    ///
    /// # Errors
    /// The refusal, or why the log can't be read.
    pub async fn decide(&mut self, submission: &Submission) -> Result<Rehearsed, SubmitError> {
        self.fetch(std::slice::from_ref(submission)).await?;
        if let Some(key) = IdempotencyRecordKey::of(submission)
            && let Some(Some(idempotency_record)) = self.facts.idempotency_records.get(&key)
        {
            let digest =
                idempotency_records::digest(&self.shared.node.keyring, &self.tenant, &submission.request_digest);
            let committed = repeated(idempotency_record, &digest).map_err(unread)?;
            return committed.map(|committed| Rehearsed::Committed(Box::new(committed)));
        }
        for _ in 0..LOAD_LIMIT {
            let decided = self
                .draft
                .rehearse(&self.shared.node, &self.tenant, &mut self.facts, submission);
            let wanted = std::mem::take(&mut self.draft.wanted);
            if wanted.is_empty() {
                if self.draft.streams.len() > MAX_STREAMS {
                    return Err(SubmitError::Busy {
                        retry_after: RETRY_AFTER,
                    });
                }
                let taken = decided.map(|decided| self.draft.take(&self.facts, &submission.command, decided));
                return taken.map(|preview| Rehearsed::Decided(Box::new(preview)));
            }
            self.load(wanted).await?;
        }
        Err(unread(JournalError::Unexpected(
            "a rehearsal that wants ever more facts".to_owned(),
        )))
    }
}

fn unread(error: JournalError) -> SubmitError {
    tracing::warn!(error = %WithCauses(&error), "a rehearsal can't read the log");
    SubmitError::Unavailable {
        retry_after: RETRY_AFTER,
        source: None,
    }
}
