//! Deciding: the commands of a batch one after the other, each over what those before it staged.
//!
//! Nothing here waits for anything. What turns out to be unknown - the holder of a value that a decision takes, the
//! key of a person that an event names - is noted, loaded, and the batch is decided again. That an idempotency key is
//! new, and the stream that a command opens empty, is presumed: where it is not so the log's constraints refuse the
//! batch, and it is decided again without presuming anything.

use super::{CommandJob, load::Facts};
use crate::{
    beside::{
        claims::{ClaimChange, StagedClaims},
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
    Actor, Books, Context, Decision, Event, Preview, Refusal, StreamId, Streams,
    ids::{PartyId, SubjectId, TenantId},
};
use chrono::{DateTime, Utc};
use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    sync::Arc,
};

/// What became of a command, if the head is where it was decided.
#[derive(Debug)]
pub(super) enum Outcome {
    /// It ends with this.
    Ends(Box<Result<Committed, SubmitError>>),
    /// It repeats another command of the batch, by that one's place.
    Repeats(usize),
}

impl Outcome {
    fn ends(result: Result<Committed, SubmitError>) -> Self {
        Self::Ends(Box::new(result))
    }
}

/// An event that is decided, not yet sealed.
#[derive(Debug)]
struct Drafted {
    stream: StreamId,
    sequence: i64,
    metadata: Arc<Written>,
    event: Event,
}

/// Who caused events, and as it is written.
#[derive(Debug)]
struct Written {
    metadata: Metadata,
    text: String,
}

/// A batch decided, over a state that stays as it is until the batch is committed.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) outcomes: Vec<Outcome>,
    /// The books with the batch applied.
    pub(super) books: Books,
    /// The streams that the batch changes.
    pub(super) streams: HashMap<StreamId, Arc<Stream>>,
    /// What was unknown, and taken for free or usable.
    pub(super) wanted: Wanted,
    now: DateTime<Utc>,
    position: i64,
    events: Vec<Drafted>,
    claims: StagedClaims,
    receipts: Vec<NewReceipt>,
    receipt_places: HashMap<ReceiptKey, (usize, [u8; 32])>,
    credentials: HashMap<PartyId, String>,
    /// Whom the batch forgets.
    forgotten: HashSet<SubjectId>,
    /// Whether a command that wants anything unknown is left out.
    leaves_out: bool,
}

/// What the events of a batch need to be written down.
pub(super) struct Sealed {
    pub(super) append: Append,
    /// The keys of the people that the batch is the first to name.
    pub(super) keys: HashMap<SubjectId, Secret>,
    /// The events as they will be read, for the log's subscribers in this process; `None` without subscribers.
    pub(super) newest: Option<Vec<Recorded>>,
}

impl Sealed {
    /// Nothing yet, after a head.
    pub(super) fn after(node: &Node, tenant: &TenantId, head: Head, recorded_at: DateTime<Utc>) -> Self {
        Self {
            append: Append::new(head, recorded_at),
            keys: HashMap::new(),
            newest: node.wakes.takes_newest(tenant).then(Vec::new),
        }
    }
}

impl Draft {
    /// A batch without commands, on the books as of a position, at a time.
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

    /// Decides one more command. What it wants is noted; once it is known, the batch has to be decided again.
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

    /// Decides one more command, unless it wants anything unknown: then it is left out, and this is false.
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

    /// Whether it forgets anybody.
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
        if decision.events.is_empty() {
            self.want_certainty(facts, job);
        }
        if self.leaves_out && !self.wanted.is_empty() {
            return Ok(Outcome::ends(Err(SubmitError::OutcomeUnknown)));
        }
        self.stage(facts, job, decision, &claims)
            .map(|committed| Outcome::ends(Ok(committed)))
    }

    /// What a command would do. What the decision wants is noted; once it is known, the preview has to be made again.
    pub(super) fn preview(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        submission: &Submission,
    ) -> Result<Preview, SubmitError> {
        let (decision, _) = self.decided(node, tenant, facts, submission)?;
        let caller = match submission.actor {
            Actor::System => None,
            Actor::Party(id) => self.books.party(id),
        };
        Ok(Preview::of(&decision, &self.books, caller))
    }

    /// Decides a command and checks the values and people that its events name. Nothing is staged.
    fn decided(
        &mut self,
        node: &Node,
        tenant: &TenantId,
        facts: &mut Facts,
        submission: &Submission,
    ) -> Result<(Decision<Event>, Vec<ClaimChange>), SubmitError> {
        if submission
            .as_of
            .is_some_and(|read| self.stream(facts, submission.command.stream()).position > read)
        {
            return Err(SubmitError::Changed);
        }
        let decision = self.decide(facts, submission).map_err(SubmitError::Refused)?;
        let claims: Vec<_> = decision
            .claims
            .iter()
            .map(|claim| ClaimChange::new(&node.keyring, tenant, claim))
            .collect();
        self.permit(node, tenant, facts, &decision.events, &claims)
            .map_err(SubmitError::Refused)?;
        Ok((decision, claims))
    }

    /// Wants what was presumed about a command: that its key is new, and its stream empty. Where a command writes, the
    /// log's constraints tell whether it was so; a refusal, or an answer that writes nothing, has to know.
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

    fn decide(&self, facts: &Facts, submission: &Submission) -> Result<Decision<Event>, Refusal> {
        let command = &submission.command;
        let mut streams = Streams::default();
        for id in command.reads() {
            streams.insert(id, self.stream(facts, id).state.clone());
        }
        let context = Context {
            books: &self.books,
            actor: submission.actor,
            now: self.now,
            streams: &streams,
            expected: submission.expected,
        };
        caudal_domain::decide(command, &self.stream(facts, command.stream()).state, &context)
    }

    /// Refuses what takes another's value or writes about a person who was forgotten.
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
        let metadata = self.metadata(job);
        let text = serde_json::to_string(&metadata)?;
        let metadata = Arc::new(Written { metadata, text });
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
            changed.state.apply(&event);
            changed.sequence += 1;
            self.position += 1;
            changed.position = self.position;
            self.forgotten.extend(event.forgets());
            self.events.push(Drafted {
                stream: id,
                sequence: changed.sequence,
                metadata: metadata.clone(),
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

    /// Writes down what was decided since the last time: personal parts sealed under their people's keys, events
    /// chained to those before.
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
            // One that is sealed already, or is about somebody forgotten, is left to be read.
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

    /// Adds what becomes true with the events.
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

    /// The answers, now that the batch is what happened.
    pub(super) fn into_results(outcomes: Vec<Outcome>) -> Vec<Result<Committed, SubmitError>> {
        let mut results: Vec<Result<Committed, SubmitError>> = Vec::with_capacity(outcomes.len());
        for outcome in outcomes {
            let result = match outcome {
                Outcome::Ends(result) => *result,
                // Only a command that was accepted is repeated, and it stands before its repetition.
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

/// A person's key: the one that the database holds, or a new one.
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

/// Whether an event is as it will be read from the log: nothing of it is sealed, and nobody forgotten.
fn reads_as_it_is(event: &Event) -> bool {
    event.forgets().is_none() && event.personal().is_none_or(|part| part.sealed().is_none())
}

fn subject_in_clear(event: &Event) -> Option<SubjectId> {
    event
        .personal()
        .filter(|part| part.sealed().is_none())
        .map(|part| part.subject())
}

fn repeated(receipt: &Receipt, digest: &[u8; 32]) -> Result<Result<Committed, SubmitError>, JournalError> {
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
