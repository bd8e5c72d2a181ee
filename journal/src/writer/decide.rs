//! Deciding: each command of a batch is decided over the changes staged by the commands before it.
//!
//! Nothing here does I/O. A fact that a decision needs and that is not in memory - the holder of a unique value, the
//! key of a person - is noted and loaded, and the batch is decided again. Decisions presume that an idempotency key
//! is new and that the stream opened by a command is empty. Where a presumption is wrong, the log's constraints
//! refuse the batch, and it is decided again with every fact looked up.

use super::{CommandJob, load::Facts};
use crate::{
    beside::{
        claims::{self, ClaimChange, StagedClaims},
        receipts::{NewReceipt, Receipt, ReceiptKey},
    },
    error::{JournalError, SubmitError},
    journal::Node,
    keys::Secret,
    log::{
        append::{Append, NewEvent},
        head::Head,
        read::{Metadata, Recorded},
        tenant_log::Wanted,
    },
    people::{seal, subjects::SubjectKey},
    submission::{Committed, Submission},
    writer::{
        faults::{Fault, is_planted},
        state::Stream,
    },
};
use caudal_domain::{
    Actor, Books, ClaimKind, Command, Context, Customers, Decision, Event, Holders, Preview, Refusal, StreamId,
    StreamKind,
    approval::{self, NeededApproval, ProposalCommand, Proposing},
    ids::{PartyId, ProposalId, SubjectId, TenantId},
};
use chrono::{DateTime, Utc};
use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    sync::Arc,
};
use uuid::Uuid;

/// Outcome of a command, valid if the head is where the command was decided.
#[derive(Debug)]
pub(super) enum Outcome {
    Ends(Box<Result<Committed, SubmitError>>),
    /// The command repeats an earlier command of the batch, given by its index.
    Repeats(usize),
}

impl Outcome {
    fn ends(result: Result<Committed, SubmitError>) -> Self {
        Self::Ends(Box::new(result))
    }
}

/// A command's effect, the unique values that it takes, and the approval that it needs first.
type Judged = (Decision<Event>, Vec<ClaimChange>, Option<NeededApproval>);

/// A command decided for a rehearsal, and not applied.
pub(super) struct Rehearsing {
    preview: Preview,
    decision: Decision<Event>,
    claims: Vec<ClaimChange>,
}

/// An event that is decided and not sealed.
#[derive(Debug)]
struct Drafted {
    stream: StreamId,
    sequence: i64,
    metadata: Arc<Written>,
    event: Event,
}

/// Actor of events, with its stored form.
#[derive(Debug)]
struct Written {
    metadata: Metadata,
    text: String,
}

impl Written {
    fn new(metadata: Metadata) -> Result<Arc<Self>, JournalError> {
        let text = serde_json::to_string(&metadata)?;
        Ok(Arc::new(Self { metadata, text }))
    }
}

/// A decided batch. The state under it does not change until the batch is committed.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) outcomes: Vec<Outcome>,
    /// The state with the batch applied.
    pub(super) books: Books,
    /// Streams changed by the batch.
    pub(super) streams: HashMap<StreamId, Arc<Stream>>,
    /// Facts that were not in memory; decisions presumed that values are free and keys usable.
    pub(super) wanted: Wanted,
    now: DateTime<Utc>,
    position: i64,
    events: Vec<Drafted>,
    claims: StagedClaims,
    receipts: Vec<NewReceipt>,
    receipt_places: HashMap<ReceiptKey, (usize, [u8; 32])>,
    credentials: HashMap<PartyId, String>,
    /// People whom the batch forgets.
    forgotten: HashSet<SubjectId>,
    /// Whether a command that needs a fact not in memory is left out of the batch.
    leaves_out: bool,
}

/// Sealed events of a batch, with what their rows need.
pub(super) struct Sealed {
    pub(super) append: Append,
    /// Keys of people whom no event named before this batch.
    pub(super) keys: HashMap<SubjectId, Secret>,
    /// The events in decoded form, for the log's subscribers in this process; `None` without subscribers.
    pub(super) newest: Option<Vec<Recorded>>,
}

impl Sealed {
    /// An empty batch after a head.
    pub(super) fn after(node: &Node, tenant: &TenantId, head: Head, recorded_at: DateTime<Utc>) -> Self {
        Self {
            append: Append::new(head, recorded_at),
            keys: HashMap::new(),
            newest: node.wakes.takes_newest(tenant).then(Vec::new),
        }
    }
}

impl Draft {
    /// An empty batch on a state as of a position, at a time.
    pub(super) fn on(books: Books, position: i64, now: DateTime<Utc>) -> Self {
        Self {
            outcomes: Vec::new(),
            books,
            streams: HashMap::new(),
            wanted: Wanted::default(),
            now,
            position,
            events: Vec::new(),
            claims: StagedClaims::default(),
            receipts: Vec::new(),
            receipt_places: HashMap::new(),
            credentials: HashMap::new(),
            forgotten: HashSet::new(),
            leaves_out: false,
        }
    }

    /// Decides one more command. Facts not in memory are noted: once they are loaded, the batch must be decided
    /// again.
    pub(super) fn add(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        job: &CommandJob,
    ) -> Result<(), JournalError> {
        let outcome = self.run(node, tenant, facts, job)?;
        self.outcomes.push(outcome);
        Ok(())
    }

    /// Decides one more command. Returns `false`, and leaves the command out, where it needs a fact not in memory.
    pub(super) fn add_if_known(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        job: &CommandJob,
    ) -> Result<bool, JournalError> {
        self.leaves_out = true;
        let outcome = self.run(node, tenant, facts, job)?;
        self.leaves_out = false;
        let is_known = std::mem::take(&mut self.wanted).is_empty();
        if is_known {
            self.outcomes.push(outcome);
        }
        Ok(is_known)
    }

    /// Whether the batch forgets a person.
    pub(super) fn forgets(&self) -> bool {
        !self.forgotten.is_empty()
    }

    fn run(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        job: &CommandJob,
    ) -> Result<Outcome, JournalError> {
        if let Some((key, digest)) = &job.receipt {
            if let Some(Some(receipt)) = facts.receipts.get(key)
                && !is_planted(Fault::RecordIgnored)
            {
                return Ok(Outcome::ends(repeated(receipt, digest)?));
            }
            match self.receipt_places.get(key) {
                Some((first, same)) if same == digest => return Ok(Outcome::Repeats(*first)),
                Some(_) => return Ok(Outcome::ends(Err(SubmitError::KeyReused))),
                None => {}
            }
        }
        let (decision, claims) = match self.decided(node, tenant, facts, &job.submission) {
            Ok(decided) => decided,
            Err(error) => {
                self.want_certainty(facts, job);
                return Ok(Outcome::ends(Err(error)));
            }
        };
        // The constraint on sequences checks only streams that are written; a proposal writes another stream.
        if decision.events.is_empty() || decision.answer.proposal.is_some() {
            self.want_certainty(facts, job);
        }
        if self.leaves_out && !self.wanted.is_empty() {
            return Ok(Outcome::ends(Err(SubmitError::OutcomeUnknown)));
        }
        self.stage(facts, job, decision, &claims)
            .map(|committed| Outcome::ends(Ok(committed)))
    }

    /// Decides a command for a preview. Facts not in memory are noted: once they are loaded, the preview must be
    /// repeated.
    pub(super) fn preview(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        submission: &Submission,
    ) -> Result<Preview, SubmitError> {
        let (decision, _, needed) = self.judged(node, tenant, facts, submission)?;
        let caller = match submission.actor {
            Actor::System => None,
            Actor::Party(id) => self.books.party(id),
        };
        Ok(Preview {
            approval: needed.map(|needed| needed.rule),
            ..Preview::of(&decision, &self.books, caller)
        })
    }

    /// Decides a command for a rehearsal. Facts not in memory are noted: once they are loaded, it must be repeated.
    pub(super) fn rehearse(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        submission: &Submission,
    ) -> Result<Rehearsing, SubmitError> {
        let (decision, claims, needed) = self.judged(node, tenant, facts, submission)?;
        let caller = match submission.actor {
            Actor::System => None,
            Actor::Party(id) => self.books.party(id),
        };
        let preview = Preview {
            approval: needed.map(|needed| needed.rule),
            ..Preview::of(&decision, &self.books, caller)
        };
        Ok(Rehearsing {
            preview,
            decision,
            claims,
        })
    }

    /// Applies what was rehearsed, unless it waits for an approval.
    pub(super) fn take(&mut self, facts: &Facts, command: &Command, rehearsed: Rehearsing) -> Preview {
        let Rehearsing {
            preview,
            decision,
            claims,
        } = rehearsed;
        if preview.approval.is_some() {
            return preview;
        }
        for event in &decision.events {
            let id = command.stream_of(event);
            let mut stream = self.stream(facts, id);
            let changed = Arc::make_mut(&mut stream);
            self.books.apply(event, self.now);
            self.position += 1;
            changed.apply(event, self.position);
            self.forgotten.extend(event.forgets());
            self.streams.insert(id, stream);
        }
        for claim in &claims {
            self.claims.apply(claim);
        }
        preview
    }

    /// Decides a command; one that a rule covers becomes a proposal. Stages nothing.
    fn decided(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        submission: &Submission,
    ) -> Result<(Decision<Event>, Vec<ClaimChange>), SubmitError> {
        let (decision, claims, needed) = self.judged(node, tenant, facts, submission)?;
        let Some(needed) = needed else {
            return Ok((decision, claims));
        };
        let proposal = self
            .in_context(facts, submission, &Holders::default(), |ctx| {
                let proposing = Proposing {
                    id: ProposalId::generate(),
                    as_of: submission.as_of,
                };
                let ctx = Context {
                    proposing: Some(proposing),
                    ..*ctx
                };
                approval::propose(&submission.command, decision, needed, &ctx)
            })
            .map_err(SubmitError::Refused)?;
        self.permit(node, tenant, facts, &proposal.events, &[])
            .map_err(SubmitError::Refused)?;
        // The unique values are taken with the approval.
        Ok((proposal, Vec::new()))
    }

    /// Refuses a command whose record changed since its maker read it, or that was made without a rule that there is.
    fn require_unchanged(&self, facts: &Facts, submission: &Submission) -> Result<(), SubmitError> {
        if submission.presumes_no_checks && self.books.checks_customers() {
            return Err(SubmitError::Changed);
        }
        let command = &submission.command;
        let changed = |read| self.stream(facts, command.stream()).changed_at(command) > read;
        if submission.as_of.is_some_and(changed) {
            return Err(SubmitError::Changed);
        }
        if let Command::Proposal(id, ProposalCommand::Approve(_)) = command
            && let Some(proposal) = self.books.proposal(*id)
            && proposal.as_of.is_some_and(changed)
        {
            return Err(SubmitError::Refused(Refusal::conflict("proposal_outdated")));
        }
        Ok(())
    }

    /// Decides a command's effect, and checks the unique values and people that its events name.
    fn judged(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        submission: &Submission,
    ) -> Result<Judged, SubmitError> {
        self.require_unchanged(facts, submission)?;
        let holders = self.holders(node, tenant, facts, &submission.command);
        let (decision, needed) = self
            .in_context(facts, submission, &holders, |ctx| {
                let own = self.stream(facts, submission.command.stream());
                caudal_domain::judged(&submission.command, &own.state, ctx)
            })
            .map_err(SubmitError::Refused)?;
        let claims: Vec<_> = decision
            .claims
            .iter()
            .map(|claim| ClaimChange::new(&node.keyring, tenant, claim))
            .collect();
        self.permit(node, tenant, facts, &decision.events, &claims)
            .map_err(SubmitError::Refused)?;
        Ok((decision, claims, needed))
    }

    /// Requires the facts that were presumed about a command: that its key is new and its stream empty. For a command
    /// that writes, the log's constraints check both; a refusal, or an answer that writes nothing, must look them up.
    fn want_certainty(&mut self, facts: &Facts, job: &CommandJob) {
        if let Some((key, _)) = &job.receipt
            && !facts.receipts.contains_key(key)
        {
            self.wanted.receipts.push(key.clone());
        }
        let own = job.submission.command.stream();
        if !self.streams.contains_key(&own) && !facts.knows_stream(&own) {
            self.wanted.streams.insert(own);
        }
    }

    fn stream(&self, facts: &Facts, id: StreamId) -> Arc<Stream> {
        self.streams.get(&id).cloned().unwrap_or_else(|| facts.stream(id))
    }

    /// Who holds the unique values that a command looks up. Those not in memory are noted, and presumed free.
    fn holders(&mut self, node: &Node, tenant: &TenantId, facts: &Facts, command: &Command) -> Holders {
        let mut holders: Vec<((ClaimKind, String), Uuid)> = Vec::new();
        for (kind, value) in command.looks_up(&self.books) {
            let key = (kind, claims::digest(&node.keyring, tenant, kind, &value));
            let known = facts.claims.get(&key);
            if known.is_none() {
                self.wanted.claims.insert(key);
            }
            if let Some(holder) = self.claims.holder(key, known.copied().flatten()) {
                holders.push(((kind, value), holder));
            }
        }
        holders.into_iter().collect()
    }

    fn in_context<T>(
        &self,
        facts: &Facts,
        submission: &Submission,
        holders: &Holders,
        decide: impl FnOnce(&Context<'_>) -> T,
    ) -> T {
        let command = &submission.command;
        let reads = command.reads().into_iter();
        let customers: Customers = reads
            .filter_map(|id| self.stream(facts, id).state.customer().cloned())
            .collect();
        let context = Context {
            books: &self.books,
            actor: submission.actor,
            now: self.now,
            customers: &customers,
            holders,
            expected: submission.expected,
            proposing: None,
            lacks_code: submission.lacks_code,
        };
        decide(&context)
    }

    /// Refuses an event that takes a unique value of somebody else, or that names a forgotten person.
    fn permit(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        events: &[Event],
        claims: &[ClaimChange],
    ) -> Result<(), Refusal> {
        for claim in claims {
            let stored = claim.digest.and_then(|digest| {
                let value = (claim.kind, digest);
                let known = facts.claims.get(&value);
                if known.is_none() {
                    self.wanted.claims.insert(value);
                }
                known.copied().flatten()
            });
            if self.claims.is_taken(claim, stored) && !is_planted(Fault::UniqueValueIgnored) {
                return Err(claim.kind.taken());
            }
        }
        for subject in events.iter().filter_map(subject_in_clear) {
            if self.forgotten.contains(&subject) {
                return Err(Refusal::conflict("person_forgotten"));
            }
            match facts.key(node, tenant, subject) {
                None => {
                    self.wanted.subjects.insert(subject);
                }
                Some(Some(SubjectKey::Forgotten)) => return Err(Refusal::conflict("person_forgotten")),
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn stage(
        &mut self,
        facts: &Facts,
        job: &CommandJob,
        decision: Decision<Event>,
        claims: &[ClaimChange],
    ) -> Result<Committed, JournalError> {
        let metadata = Written::new(self.metadata(job))?;
        let by_maker = self.metadata_of_maker(job).map(Written::new).transpose()?;
        let command = &job.submission.command;
        let mut id = command.stream();
        let mut stream = self.stream(facts, id);
        for event in decision.events {
            let of_event = command.stream_of(&event);
            if of_event != id {
                let done = std::mem::replace(&mut stream, self.stream(facts, of_event));
                self.streams.insert(id, done);
                id = of_event;
            }
            let changed = Arc::make_mut(&mut stream);
            self.books.apply(&event, self.now);
            self.position += 1;
            changed.apply(&event, self.position);
            self.forgotten.extend(event.forgets());
            self.events.push(Drafted {
                stream: id,
                sequence: changed.sequence,
                metadata: match &by_maker {
                    Some(by_maker) if id.kind != StreamKind::Proposal => by_maker.clone(),
                    _ => metadata.clone(),
                },
                event,
            });
        }
        self.streams.insert(id, stream);
        for claim in claims {
            self.claims.apply(claim);
        }
        if let Some(credential) = &job.submission.credential {
            self.credentials.insert(credential.party, credential.hash.clone());
        }
        if let Some((key, digest)) = &job.receipt {
            let answer = serde_json::to_string(&decision.answer)?;
            self.receipt_places.insert(key.clone(), (self.outcomes.len(), *digest));
            self.receipts.push(NewReceipt {
                key: key.clone(),
                digest: *digest,
                answer,
                position: self.position,
            });
        }
        Ok(Committed {
            answer: decision.answer,
            position: self.position,
            replayed: false,
        })
    }

    fn metadata(&self, job: &CommandJob) -> Metadata {
        let role = match job.submission.actor {
            Actor::System => None,
            Actor::Party(id) => self.books.party(id).map(|party| party.role),
        };
        let submission = &job.submission;
        Metadata::new(submission.actor, role, submission.request_id, submission.api_key)
    }

    /// Metadata of an approved command's effect: by its maker, with the proposal and its approver.
    fn metadata_of_maker(&self, job: &CommandJob) -> Option<Metadata> {
        let submission = &job.submission;
        let Command::Proposal(id, ProposalCommand::Approve(_)) = &submission.command else {
            return None;
        };
        let maker = self.books.proposal(*id)?.maker;
        let role = self.books.party(maker).map(|party| party.role);
        let metadata = Metadata::new(Actor::Party(maker), role, submission.request_id, submission.api_key);
        Some(metadata.approved(*id, submission.actor))
    }

    /// Seals the events decided since the last call: personal parts under their people's keys, events chained to
    /// those before.
    pub(super) fn seal(&mut self, tenant: &TenantId, facts: &Facts, sealed: &mut Sealed) -> Result<(), JournalError> {
        let Sealed { append, keys, newest } = sealed;
        for Drafted {
            stream,
            sequence,
            metadata,
            mut event,
        } in self.events.drain(..)
        {
            let (event_type, event_version) = (event.event_type(), event.event_version());
            // An event that is encrypted already, or is about a forgotten person, is not handed over: subscribers
            // read it from the log.
            let handed = newest
                .as_ref()
                .filter(|_| reads_as_it_is(&event))
                .map(|_| event.clone());
            if let Some(part) = event.personal_mut()
                && let Some(clear) = part.clear_json()
            {
                let subject = part.subject();
                let place = seal::Place {
                    tenant,
                    stream,
                    sequence,
                    event_type,
                    subject,
                };
                let sealed = seal::seal(key(facts, keys, subject)?, &place, &clear?)?;
                part.seal(sealed);
            }
            let payload = event.encode()?;
            append.push(
                tenant,
                NewEvent {
                    stream,
                    sequence,
                    event_type,
                    event_version,
                    payload,
                    metadata: metadata.text.clone(),
                },
            );
            let recorded = handed.map(|event| Recorded {
                position: append.end().position,
                stream,
                sequence,
                recorded_at: append.end().recorded_at,
                metadata: metadata.metadata.clone(),
                hash: append.end().hash,
                event,
            });
            match (recorded, newest.as_mut()) {
                (Some(recorded), Some(newest)) => newest.push(recorded),
                _ => *newest = None,
            }
        }
        Ok(())
    }

    /// Adds the rows beside the events: new keys, idempotency records, unique values, credentials, forgotten people.
    pub(super) fn close(&mut self, node: &Node, tenant: &TenantId, sealed: &mut Sealed) -> Result<(), JournalError> {
        let Sealed { append, keys, .. } = sealed;
        for (subject, key) in keys.iter() {
            append
                .keys
                .push((*subject, seal::wrap(&node.keyring, tenant, *subject, key)?));
        }
        append.receipts = std::mem::take(&mut self.receipts);
        append.claims = std::mem::take(&mut self.claims).into_changes();
        append.credentials = self.credentials.drain().collect();
        append.forgotten = self.forgotten.iter().copied().collect();
        Ok(())
    }

    /// The answers, once the batch is committed.
    pub(super) fn into_results(outcomes: Vec<Outcome>) -> Vec<Result<Committed, SubmitError>> {
        let mut results: Vec<Result<Committed, SubmitError>> = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            let result = match outcome {
                Outcome::Ends(result) => *result,
                // Only an accepted command can be repeated, and its result stands before that of the repetition.
                Outcome::Repeats(first) => match results.get(first) {
                    Some(Ok(committed)) => Ok(Committed {
                        replayed: true,
                        ..committed.clone()
                    }),
                    Some(Err(error)) => Err(error.clone()),
                    None => Err(SubmitError::OutcomeUnknown),
                },
            };
            results.push(result);
        }
        if is_planted(Fault::AnswersExchanged) {
            results.reverse();
        }
        results
    }
}

/// A person's key: the stored one or a new one.
fn key<'a>(
    facts: &'a Facts,
    new: &'a mut HashMap<SubjectId, Secret>,
    subject: SubjectId,
) -> Result<&'a Secret, JournalError> {
    match facts.keys.get(&subject) {
        Some(Some(SubjectKey::Known(key))) => Ok(key),
        Some(None) => match new.entry(subject) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => Ok(entry.insert(Secret::generate()?)),
        },
        Some(Some(SubjectKey::Locked)) => Err(JournalError::LockedKey(subject)),
        Some(Some(SubjectKey::Forgotten)) | None => Err(JournalError::Unexpected(format!(
            "an event about {subject}, whose key was not asked for"
        ))),
    }
}

/// Whether an event handed over in memory equals the event read from the log: it has no encrypted part and forgets
/// nobody.
fn reads_as_it_is(event: &Event) -> bool {
    event.forgets().is_none() && event.personal().is_none_or(|part| part.sealed().is_none())
}

fn subject_in_clear(event: &Event) -> Option<SubjectId> {
    event
        .personal()
        .filter(|part| part.sealed().is_none())
        .map(|part| part.subject())
}

pub(super) fn repeated(receipt: &Receipt, digest: &[u8; 32]) -> Result<Result<Committed, SubmitError>, JournalError> {
    if receipt.digest != digest {
        return Ok(Err(SubmitError::KeyReused));
    }
    let answer = serde_json::from_str(&receipt.answer)?;
    Ok(Ok(Committed {
        answer,
        position: receipt.position,
        replayed: true,
    }))
}
