//! Concurrent submission of commands.

use crate::demo::DemoError;
use caudal_domain::{
    Actor, Answer, Command, Refusal, TenantState,
    ids::{PartyId, TenantId},
};
use caudal_journal::{Clock, Credential, Journal, RequestDigest, Submission, SubmitError};
use chrono::{DateTime, Duration, Utc};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// Commands in flight: several full batches, below the writer's queue limit.
const IN_FLIGHT: usize = 768;
/// Step of the clock per reading; the writer reads it once per batch.
const TICK: Duration = Duration::seconds(7);

/// A clock that advances with each reading, up to a limit.
#[derive(Debug)]
pub struct TickingClock(Mutex<(DateTime<Utc>, DateTime<Utc>)>);

impl TickingClock {
    pub const fn at(time: DateTime<Utc>) -> Self {
        Self(Mutex::new((time, time)))
    }

    /// Moves to a time, from which it ticks until another.
    pub fn begin(&self, from: DateTime<Utc>, until: DateTime<Utc>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (from, until);
    }
}

impl Clock for TickingClock {
    fn now(&self) -> DateTime<Utc> {
        let mut time = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (now, until) = *time;
        *time = ((now + TICK).min(until), until);
        now
    }
}

/// Submits commands concurrently.
pub struct Crowd {
    journal: Journal,
    tenant: TenantId,
    pub clock: Arc<TickingClock>,
    commands: AtomicU64,
}

/// A command with its caller.
pub type Given = (PartyId, Command);

impl Crowd {
    pub const fn new(journal: Journal, tenant: TenantId, clock: Arc<TickingClock>) -> Self {
        Self {
            journal,
            tenant,
            clock,
            commands: AtomicU64::new(0),
        }
    }

    pub fn commands(&self) -> u64 {
        self.commands.load(Ordering::Relaxed)
    }

    /// Current state.
    pub async fn state(&self) -> Result<TenantState, DemoError> {
        let (state, _) = self.journal.state(&self.tenant).await.map_err(DemoError::Submit)?;
        Ok(state)
    }

    /// One command, which must succeed.
    pub async fn tell(
        &self,
        by: PartyId,
        command: Command,
        credential: Option<Credential>,
    ) -> Result<Answer, DemoError> {
        let step = format!("{command:.60?}");
        self.submit(by, command, credential)
            .await?
            .map_err(|refusal| DemoError::Refused { step, refusal })
    }

    /// Concurrent commands; outcomes in their order.
    pub async fn all(&self, given: Vec<Given>) -> Result<Vec<Result<Answer, Refusal>>, DemoError> {
        let told = given.into_iter().map(|(by, command)| self.submit(by, command, None));
        stream::iter(told).buffered(IN_FLIGHT).try_collect().await
    }

    /// Concurrent commands, each of which must succeed or be refused with a named code.
    pub async fn all_or(&self, given: Vec<Given>, unless: &[&str]) -> Result<Vec<Option<Answer>>, DemoError> {
        let outcomes = self.all(given).await?;
        let of_outcome = |outcome: Result<Answer, Refusal>| match outcome {
            Ok(answer) => Ok(Some(answer)),
            Err(refusal) if unless.contains(&refusal.code) => Ok(None),
            Err(refusal) => Err(DemoError::Refused {
                step: self.commands().to_string(),
                refusal,
            }),
        };
        outcomes.into_iter().map(of_outcome).collect()
    }

    async fn submit(
        &self,
        by: PartyId,
        command: Command,
        credential: Option<Credential>,
    ) -> Result<Result<Answer, Refusal>, DemoError> {
        let number = self.commands.fetch_add(1, Ordering::Relaxed);
        // The interface sends a key with commands that move money; remittances are the most numerous.
        let key = matches!(command, Command::Remittance(..)).then(|| format!("volume/{number}"));
        let submission = Submission {
            request_digest: RequestDigest::of(key.iter().map(|key| key.as_bytes())),
            key,
            credential,
            ..Submission::of(Actor::Party(by), command)
        };
        match self.journal.submit(&self.tenant, submission).await {
            Ok(committed) => Ok(Ok(committed.answer)),
            Err(SubmitError::Refused(refusal)) => Ok(Err(refusal)),
            Err(error) => Err(DemoError::Submit(error)),
        }
    }
}
