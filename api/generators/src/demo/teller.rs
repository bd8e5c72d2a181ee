//! Submits the demonstration's commands in sequence, each at its time.

use super::DemoError;
use caudal_domain::{
    Actor, Answer, Command, Refusal, TenantState,
    ids::{PartyId, TenantId},
};
use caudal_journal::{Clock, Credential, Journal, RequestDigest, Submission, SubmitError};
use chrono::{DateTime, Utc};
use std::sync::{Arc, Mutex, PoisonError};

/// A settable clock.
#[derive(Debug)]
pub struct DemoClock(Mutex<DateTime<Utc>>);

impl DemoClock {
    pub const fn at(time: DateTime<Utc>) -> Self {
        Self(Mutex::new(time))
    }

    pub fn move_to(&self, time: DateTime<Utc>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = time;
    }
}

impl Clock for DemoClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Idempotency keys of commands.
#[derive(Clone, Copy, Debug)]
enum Keys {
    Numbered,
    Once(&'static str),
    None,
}

/// Submits commands. During the cast each has a numbered key, so that an interrupted run resumes; the ids that count
/// are those of the answers.
pub struct Teller {
    journal: Journal,
    tenant: TenantId,
    clock: Arc<DemoClock>,
    step: u32,
    keys: Keys,
    password_hash: String,
    pub manager: PartyId,
}

impl Teller {
    pub const fn new(
        journal: Journal,
        tenant: TenantId,
        clock: Arc<DemoClock>,
        manager: PartyId,
        password_hash: String,
    ) -> Self {
        Self {
            journal,
            tenant,
            clock,
            step: 0,
            keys: Keys::Numbered,
            password_hash,
            manager,
        }
    }

    pub fn move_to(&self, time: DateTime<Utc>) {
        self.clock.move_to(time);
    }

    /// Current state.
    pub async fn state(&self) -> Result<TenantState, DemoError> {
        let (state, _) = self.journal.state(&self.tenant).await.map_err(DemoError::Submit)?;
        Ok(state)
    }

    /// A party's command, which must succeed.
    pub async fn tell(&mut self, by: PartyId, command: Command) -> Result<Answer, DemoError> {
        let step = format!("{} {command:.60?}", self.step + 1);
        match self.try_tell(by, command).await? {
            Ok(answer) => Ok(answer),
            Err(refusal) => Err(DemoError::Refused { step, refusal }),
        }
    }

    /// A party's command, which may be refused.
    pub async fn try_tell(&mut self, by: PartyId, command: Command) -> Result<Result<Answer, Refusal>, DemoError> {
        self.submit(Actor::Party(by), command, None).await
    }

    /// Registers a party with the demonstration's password.
    pub async fn register(&mut self, id: PartyId, command: Command) -> Result<PartyId, DemoError> {
        let credential = Credential {
            party: id,
            hash: self.password_hash.clone(),
        };
        let by = Actor::Party(self.manager);
        match self.submit(by, command, Some(credential)).await? {
            Ok(answer) => Ok(PartyId(answer.id)),
            Err(refusal) => Err(DemoError::Refused {
                step: self.step.to_string(),
                refusal,
            }),
        }
    }

    /// Starts the part in which only the first command has a key.
    pub const fn begin(&mut self, key: &'static str) {
        self.keys = Keys::Once(key);
    }

    async fn submit(
        &mut self,
        actor: Actor,
        command: Command,
        credential: Option<Credential>,
    ) -> Result<Result<Answer, Refusal>, DemoError> {
        self.step += 1;
        let key = match self.keys {
            Keys::Numbered => Some(format!("demo/{:05}", self.step)),
            Keys::Once(key) => Some(key.to_owned()),
            Keys::None => None,
        };
        let submission = Submission {
            request_digest: RequestDigest::of(key.iter().map(|key| key.as_bytes())),
            key,
            credential,
            ..Submission::of(actor, command)
        };
        match self.journal.submit(&self.tenant, submission).await {
            Ok(committed) => {
                if matches!(self.keys, Keys::Once(_)) {
                    self.keys = Keys::None;
                }
                Ok(Ok(committed.answer))
            }
            Err(SubmitError::Refused(refusal)) => Ok(Err(refusal)),
            Err(error) => Err(DemoError::Submit(error)),
        }
    }
}
