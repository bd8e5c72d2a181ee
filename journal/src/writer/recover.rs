//! Recovering: the outcome of an append whose answer was lost, the effect of each error on the batch, and when to
//! lock the head first.
//!
//! | Error | Was anything written | The batch | Callers are answered |
//! |---|---|---|---|
//! | the head is another one | no | is decided again on the log as it is | `Busy` after [`super::ATTEMPT_LIMIT`] attempts |
//! | a presumption is wrong: a key or a stream is stored already | no | is decided again with everything looked up | as decided |
//! | a constraint is broken, a row is not authentic | no | is split into single commands | `Failed`, for the command at fault |
//! | the connection was lost before the append was sent | no | is decided again, [`super::LOSS_LIMIT`] times | `Unavailable` |
//! | the answer to the append was lost | unknown | waits for a fence, then looks for the last event's hash | as decided, or decided again; `OutcomeUnknown` after [`RESOLVE_PATIENCE`] |
//! | the log contradicts what was seen of it | no | ends | `Quarantined` |
//! | there is no such tenant | no | ends | `UnknownTenant` |

use super::{CommandJob, TenantWriter, answer};
use crate::{
    error::{JournalError, RETRY_AFTER, SubmitError, WithCauses},
    history::{Divergence, DivergenceKind, LogPoint},
    log::{append::Append, head::Head, tenant_log::TenantLog},
    writer::faults::{Fault, is_planted},
};
use std::{io, sync::Arc, time::Duration};
use tokio::time::Instant;

/// Timeout for finding the outcome of an append whose answer was lost; a restarting database is back within it.
const RESOLVE_PATIENCE: Duration = Duration::from_secs(30);

/// Timeout of one statement. PostgreSQL's own limit is 30 s: beyond it the connection is dead, even if the operating
/// system reports it open.
pub(super) const ANSWER_PATIENCE: Duration = Duration::from_secs(35);

/// First back-off between two attempts to find the outcome; doubled up to [`MAX_PAUSE`].
const PAUSE: Duration = Duration::from_millis(10);
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// Why an attempt to commit a batch has no result.
pub(super) enum BatchError {
    NoTenant,
    /// The database does not answer or refuses connections. Nothing was written.
    Unavailable(JournalError),
    /// PostgreSQL refused the batch's content, or a row that a command needs is not authentic. Nothing was written.
    Poisoned(JournalError),
    /// The log or the keys are unusable. Nothing was written.
    Broken(JournalError),
    /// The tenant is in quarantine. Nothing was written.
    Quarantined,
    /// The batch may have been written.
    OutcomeUnknown,
}

impl From<JournalError> for BatchError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::UnknownTenant(_) => Self::NoTenant,
            JournalError::Database(_) | JournalError::Begin(_) => Self::Unavailable(error),
            // The batch is split, so that only the commands that need the row are refused.
            JournalError::NotAuthentic(_) | JournalError::Changed { .. } => Self::Poisoned(error),
            _ => Self::Broken(error),
        }
    }
}

impl From<sqlx::Error> for BatchError {
    fn from(error: sqlx::Error) -> Self {
        JournalError::from(error).into()
    }
}

impl<L: TenantLog> TenantWriter<L> {
    /// Outcome of an append whose answer was lost: the head that it led to, or `None` if it did not and no longer can
    /// take effect.
    pub(super) async fn find_out(&mut self, append: &Append) -> Result<Option<Head>, BatchError> {
        self.log.release();
        let deadline = Instant::now() + RESOLVE_PATIENCE;
        let mut pause = PAUSE;
        loop {
            match answered(ANSWER_PATIENCE, self.fence_and_look(append)).await {
                Ok(found) => return Ok(found),
                Err(JournalError::UnknownTenant(_)) => return Err(BatchError::NoTenant),
                Err(error) if Instant::now() >= deadline => {
                    tracing::error!(tenant = %self.tenant, %error, "whether a batch was committed could not be found out");
                    return Err(if is_planted(Fault::UnknownToldAsRefused) {
                        BatchError::Unavailable(error)
                    } else {
                        BatchError::OutcomeUnknown
                    });
                }
                Err(_) => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(MAX_PAUSE);
                }
            }
        }
    }

    async fn fence_and_look(&mut self, append: &Append) -> Result<Option<Head>, JournalError> {
        let head = if is_planted(Fault::NoFence) {
            self.log.head().await?.head
        } else {
            self.log.fence(append.base().epoch).await?
        };
        // A later statement has a later snapshot than the end of the fence's wait for the lost append.
        let end = append.end();
        let events = self.log.events(end.position - 1, 1).await?;
        // Without an event there is no hash to look for. The batch is decided again, which finds the idempotency
        // records; other rows of such a batch may be written twice.
        let committed = append.event_count() > 0
            && events.first().is_some_and(|event| {
                event.position == end.position
                    && (event.hash == Some(end.hash) || is_planted(Fault::LookedUpByPosition))
            });
        self.behind = head.position != end.position;
        Ok(committed.then_some(Head {
            epoch: head.epoch,
            ..*end
        }))
    }

    pub(super) fn fail(&mut self, jobs: Vec<CommandJob>, error: BatchError) {
        let error = self.explain(error);
        self.reset();
        let results = vec![Err(error); jobs.len()];
        answer(jobs, results);
    }

    /// The answer to callers. The operator's log gets the full error.
    pub(super) fn explain(&mut self, error: BatchError) -> SubmitError {
        match error {
            BatchError::NoTenant => {
                self.node.retire(&self.tenant, &self.sender);
                SubmitError::UnknownTenant
            }
            BatchError::Quarantined => SubmitError::Quarantined,
            BatchError::OutcomeUnknown => SubmitError::OutcomeUnknown,
            BatchError::Unavailable(error) => {
                tracing::warn!(tenant = %self.tenant, error = %WithCauses(&error), "the journal is not available");
                SubmitError::Unavailable {
                    retry_after: RETRY_AFTER,
                    source: Some(Arc::new(error)),
                }
            }
            BatchError::Broken(JournalError::Diverged { divergence, .. }) => self.diverged(divergence),
            BatchError::Poisoned(JournalError::Changed { position, .. })
            | BatchError::Broken(JournalError::Changed { position, .. }) => {
                tracing::error!(tenant = %self.tenant, position, "an event that a decision needs was changed");
                let known = self
                    .state
                    .as_ref()
                    .map_or_else(|| LogPoint::genesis(self.tenant.as_str()), |state| state.head.point());
                let divergence = Divergence {
                    kind: DivergenceKind::Broken,
                    known,
                    found: None,
                };
                self.diverged(divergence)
            }
            BatchError::Poisoned(error) | BatchError::Broken(error) => {
                tracing::error!(tenant = %self.tenant, error = %WithCauses(&error), "the journal failed");
                SubmitError::Failed(Arc::new(error))
            }
        }
    }

    /// Puts the tenant into quarantine. If an operator has ended one since the state was read, the state is read
    /// again instead.
    fn diverged(&mut self, divergence: Divergence) -> SubmitError {
        if is_planted(Fault::NoQuarantine) {
            return SubmitError::Unavailable {
                retry_after: RETRY_AFTER,
                source: None,
            };
        }
        let (node, now) = (&self.node, self.node.clock.now());
        let entered = node
            .histories
            .diverged(&self.tenant, divergence, Some(self.generation), now);
        if entered.is_some() {
            self.log.publish();
        }
        if self.node.histories.refuses_writes(&self.tenant) {
            return SubmitError::Quarantined;
        }
        SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        }
    }

    /// Drops the state: the next batch reads it again from the log.
    pub(super) fn reset(&mut self) {
        self.state = None;
        self.publish();
        self.behind = false;
        self.log.release();
    }
}

/// Applies the statement timeout to a call of the log.
pub(super) async fn answered<T, E: From<sqlx::Error>>(
    patience: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    match tokio::time::timeout(patience, work).await {
        Ok(result) => result,
        Err(_) => Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()).into()),
    }
}

/// Whether to lock the head before deciding. Deciding without the lock is cheaper while only this node writes the
/// tenant; with several writing nodes it conflicts repeatedly.
#[derive(Debug, Default)]
pub(super) struct Contention {
    moved_in_a_row: u32,
    locked_rounds: u32,
}

impl Contention {
    /// Number of moved heads in a row after which the head is locked.
    const PATIENCE: u32 = 2;
    /// Number of batches for which the head is then locked.
    const LOCKED_ROUNDS: u32 = 16;

    pub(super) fn moved(&mut self) {
        self.moved_in_a_row += 1;
        if self.moved_in_a_row >= Self::PATIENCE {
            self.locked_rounds = Self::LOCKED_ROUNDS;
        }
    }

    pub(super) fn settled(&mut self) {
        self.moved_in_a_row = 0;
        self.locked_rounds = self.locked_rounds.saturating_sub(1);
    }

    pub(super) const fn locks_first(&self) -> bool {
        self.locked_rounds > 0
    }
}
