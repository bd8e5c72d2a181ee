//! Resolving: a batch is made durable, or its head confirmed, and only then is anybody answered.

use super::{
    BATCH_LIMIT, CommandJob, Lane,
    ahead::Ahead,
    decide::{Draft, Sealed},
    load::{Facts, Wanted, opens_its_stream},
};
use crate::{
    append::{Append, Appended, was_rolled_back},
    clock,
    error::{JournalError, SubmitError},
    head::{self, Head},
    state::{Reading, State},
    subjects::SubjectKey,
    submission::Committed,
};
use caudal_domain::ids::{SubjectId, TenantId};
use caudal_postgres::Transaction;
use sqlx::{PgConnection, Postgres, Row as _, error::DatabaseError, pool::PoolConnection};
use std::{
    io,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

/// How long a lane tries to find out whether a commit whose answer was lost took place; a database that restarts is
/// back within this.
const RESOLVE_PATIENCE: Duration = Duration::from_secs(30);

/// How long PostgreSQL may take to answer. It lets no statement run for so long (30 s), so that past it the connection is
/// dead, whatever the operating system believes.
const ANSWER_PATIENCE: Duration = Duration::from_secs(35);

/// How long it may take to fold a log without a snapshot: some millions of events.
const OPEN_PATIENCE: Duration = Duration::from_secs(600);

/// How often decisions may turn up something unknown: each time at least one fact more is known.
const LOAD_LIMIT: u32 = 16;

/// How an attempt at a batch ended.
pub(super) enum Attempt {
    /// Every job has its result.
    Settled(Vec<Result<Committed, SubmitError>>),
    /// Nothing was written, since another node had appended.
    Moved,
    /// Nothing was written, since something that was presumed may not be so.
    Presumed,
}

/// Why an attempt at a batch has no result.
pub(super) enum Trouble {
    /// There is no such tenant.
    NoTenant,
    /// The database does not answer, or not now. Nothing was written.
    Unavailable(JournalError),
    /// PostgreSQL refused the batch for what is in it, or a command needs a row that is not authentic. Nothing was written.
    Poisoned(JournalError),
    /// The log or the keys are not usable. Nothing was written.
    Broken(JournalError),
    /// The tenant is in quarantine, and its log read as it stands. Nothing was written.
    Quarantined,
    /// It may have been written.
    OutcomeUnknown,
}

impl From<JournalError> for Trouble {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::UnknownTenant(_) => Self::NoTenant,
            JournalError::Database(_) | JournalError::Begin(_) => Self::Unavailable(error),
            // Decided singly, so that only the commands that need the row are refused.
            JournalError::NotAuthentic(_) | JournalError::Changed { .. } => Self::Poisoned(error),
            _ => Self::Broken(error),
        }
    }
}

impl From<sqlx::Error> for Trouble {
    fn from(error: sqlx::Error) -> Self {
        JournalError::from(error).into()
    }
}

/// A batch that is written down and waits to be made durable.
pub(super) struct Round {
    pub(super) draft: Draft,
    pub(super) sealed: Sealed,
    pub(super) facts: Facts,
    /// Whether keys may have been presumed to be new, and streams to be empty.
    pub(super) presumes: bool,
}

/// On what a batch runs.
enum Session {
    /// Each statement commits by itself.
    Single(PoolConnection<Postgres>),
    /// The head is locked: nobody else appends until the end.
    Locked(Transaction),
}

impl Session {
    fn connection(&mut self) -> &mut PgConnection {
        match self {
            Self::Single(connection) => connection,
            Self::Locked(transaction) => transaction,
        }
    }
}

impl Lane {
    /// Decides a batch, if that was not done ahead, and makes it durable.
    pub(super) async fn attempt(&mut self, jobs: &[CommandJob], ahead: Option<Round>) -> Result<Attempt, Trouble> {
        let mut session = self.session().await?;
        let shared = self.shared.clone();
        let presumes = self.caution == 0 && matches!(session, Session::Single(_));
        let Some(state) = &mut self.state else {
            return Err(Trouble::NoTenant);
        };
        // The quarantine may have begun after the batch did.
        if state.reading == Reading::AsFound {
            return Err(Trouble::Quarantined);
        }
        let round = match ahead.filter(|round| presumes && *round.sealed.append.base() == state.head) {
            Some(round) => round,
            None => {
                let connection = session.connection();
                let prepared = prepare(&shared, &self.tenant, state, connection, jobs, presumes);
                answered(ANSWER_PATIENCE, prepared).await?
            }
        };
        self.settle(session, round).await
    }

    /// The state at the head as it is now.
    pub(super) async fn current(&mut self) -> Result<&State, Trouble> {
        self.behind = true;
        let session = self.session().await?;
        self.keep(session);
        self.state.as_ref().ok_or(Trouble::NoTenant)
    }

    /// A connection, with the state at the head that a batch is to be decided on.
    async fn session(&mut self) -> Result<Session, Trouble> {
        let patience = if self.state.is_some() {
            ANSWER_PATIENCE
        } else {
            OPEN_PATIENCE
        };
        answered(patience, self.begin_session()).await
    }

    async fn begin_session(&mut self) -> Result<Session, Trouble> {
        let generation = self.shared.histories.generation(&self.tenant);
        if generation != self.generation {
            self.reset();
            self.shared.wakes.drop_newest(&self.tenant);
            self.generation = generation;
        }
        if self.state.is_none() {
            self.connection = None;
            self.state = Some(self.open().await?);
            self.behind = false;
        }
        let Some(state) = &mut self.state else {
            return Err(Trouble::NoTenant);
        };
        if self.contention.locks_first() {
            self.connection = None;
            let mut transaction = self
                .shared
                .database
                .begin_write(self.tenant.as_str())
                .await
                .map_err(JournalError::from)?;
            let head = head::lock(&mut transaction, &self.tenant)
                .await?
                .ok_or(Trouble::NoTenant)?;
            state.catch_up(&mut transaction, &self.tenant, head).await?;
            self.behind = false;
            self.evict_forgotten();
            return Ok(Session::Locked(transaction));
        }
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.shared.database.pool().acquire().await?,
        };
        if self.behind {
            let head = head::read(&mut connection, &self.tenant)
                .await?
                .ok_or(Trouble::NoTenant)?;
            if head.position != state.head.position {
                let database = &self.shared.database;
                let mut transaction = database
                    .begin_write_on(connection, self.tenant.as_str())
                    .await
                    .map_err(JournalError::from)?;
                state.catch_up(&mut transaction, &self.tenant, head).await?;
                transaction.commit().await?;
                connection = database.pool().acquire().await?;
            } else {
                state.catch_up(&mut connection, &self.tenant, head).await?;
            }
            self.behind = false;
        }
        self.evict_forgotten();
        Ok(Session::Single(connection))
    }

    /// Reads the state. Another node may have put the tenant into quarantine since this one last looked.
    async fn open(&mut self) -> Result<State, JournalError> {
        let (shared, tenant) = (&self.shared, &self.tenant);
        if shared.histories.quarantine(tenant).is_none() {
            shared.adopt_reports(tenant).await?;
        }
        self.generation = shared.histories.generation(tenant);
        let reading = if shared.histories.quarantine(tenant).is_some() && !shared.histories.is_ending(tenant) {
            Reading::AsFound
        } else {
            let extends = shared.histories.expected(tenant);
            Reading::Checked { extends }
        };
        let state = State::open(&shared.database, &shared.macs, tenant, reading).await?;
        if reading != Reading::AsFound {
            let at = state.head.recorded_at;
            let (point, numbers) = (state.head.point(), state.books.numbers());
            shared.histories.saw(tenant, point, Some(numbers), at, Vec::new());
        }
        Ok(state)
    }

    /// Lets go of the keys of people whom other nodes have forgotten.
    fn evict_forgotten(&mut self) {
        let forgotten = self.state.as_mut().map(|state| std::mem::take(&mut state.forgotten));
        for subject in forgotten.into_iter().flatten() {
            self.forget(subject);
        }
    }

    /// Lets go of a forgotten person's key, and of what may be about the person in events that wait to be taken.
    fn forget(&self, subject: SubjectId) {
        self.shared.subjects.forget(&self.tenant, subject);
        self.shared.wakes.drop_newest(&self.tenant);
    }

    /// Keeps a session's connection for the next batch.
    fn keep(&mut self, session: Session) {
        if let Session::Single(connection) = session {
            self.connection = Some(connection);
        }
    }

    async fn settle(&mut self, mut session: Session, round: Round) -> Result<Attempt, Trouble> {
        let append = &round.sealed.append;
        if append.is_empty() {
            if let Session::Single(connection) = &mut session {
                let read = answered(ANSWER_PATIENCE, head::read(connection, &self.tenant));
                let head = read.await?.ok_or(Trouble::NoTenant)?;
                if (head.position, head.hash) != (append.base().position, append.base().hash) {
                    self.keep(session);
                    return Ok(Attempt::Moved);
                }
            }
            self.keep(session);
            return Ok(Attempt::Settled(self.merge(round, None)));
        }
        let started = Instant::now();
        let (appended, ahead) = self.append(&mut session, &round).await;
        if let Some(ahead) = ahead {
            self.keep_ahead(ahead, matches!(appended, Ok(Appended::Durable)));
        }
        let written = match appended {
            Ok(Appended::Durable) => match session {
                Session::Single(_) => {
                    self.keep(session);
                    Ok(())
                }
                Session::Locked(transaction) => answered(ANSWER_PATIENCE, transaction.commit()).await,
            },
            Ok(Appended::Moved(found)) => {
                let (decided_on, found) = (append.base().position, found.position);
                tracing::debug!(tenant = %self.tenant, decided_on, found, "the head is another one");
                self.keep(session);
                return Ok(Attempt::Moved);
            }
            Ok(Appended::NoTenant) => return Err(Trouble::NoTenant),
            Err(error) if round.presumes && is_unique_violation(&error) => {
                self.keep(session);
                return Ok(Attempt::Presumed);
            }
            Err(error) => Err(error),
        };
        metrics::histogram!("caudal_lane_append_seconds").record(started.elapsed().as_secs_f64());
        match written {
            Ok(()) => {
                metrics::histogram!("caudal_lane_append_events").record(append.event_count() as f64);
                let end = *append.end();
                Ok(Attempt::Settled(self.merge(round, Some(end))))
            }
            Err(error) if was_rolled_back(&error) => Err(refused_by_postgres(error)),
            Err(error) => {
                tracing::warn!(tenant = %self.tenant, %error, "the answer to a commit was lost");
                match self.find_out(append).await? {
                    Some(end) => Ok(Attempt::Settled(self.merge(round, Some(end)))),
                    None => Ok(Attempt::Moved),
                }
            }
        }
    }

    /// Has a batch written, and decides the next one ahead meanwhile.
    async fn append(&mut self, session: &mut Session, round: &Round) -> (Result<Appended, sqlx::Error>, Option<Ahead>) {
        let (shared, tenant) = (self.shared.clone(), self.tenant.clone());
        let goes_ahead = self.ahead.is_none() && self.caution == 0 && matches!(session, Session::Single(_));
        let mut ahead = goes_ahead.then(|| Ahead::after(&shared, &tenant, round)).flatten();
        let mut is_open = true;
        let append = &round.sealed.append;
        let mut appending = pin!(answered(
            ANSWER_PATIENCE,
            append.run(session.connection(), &shared.macs, &tenant)
        ));
        loop {
            let takes = ahead.as_ref().is_some_and(|ahead| ahead.takes(&self.waiting));
            let has_room = is_open && ahead.is_some() && self.waiting.len() < BATCH_LIMIT;
            let mut received = Vec::new();
            tokio::select! {
                biased;
                appended = &mut appending => return (appended, ahead),
                () = std::future::ready(()), if takes => {
                    let taken = match (&mut ahead, &mut self.state) {
                        (Some(next), Some(state)) => next.take(&shared, &tenant, state, round, &mut self.waiting),
                        _ => Ok(()),
                    };
                    // Whatever went wrong, it is met again when the batch is decided in its turn, and told there.
                    if taken.is_err() && let Some(ahead) = ahead.take() {
                        ahead.give_back(&mut self.waiting);
                    }
                }
                count = self.queue.recv_many(&mut received, BATCH_LIMIT), if has_room => {
                    is_open = count > 0;
                    self.waiting.extend(received);
                }
            }
        }
    }

    /// Keeps a batch that was decided ahead, if the one before it was committed.
    fn keep_ahead(&mut self, mut ahead: Ahead, is_valid: bool) {
        let finished = is_valid && ahead.finish(&self.shared, &self.tenant).is_ok();
        if finished && !ahead.jobs.is_empty() {
            self.ahead = Some(ahead);
        } else {
            ahead.give_back(&mut self.waiting);
        }
    }

    /// Makes what was decided the lane's state, and tells whoever follows the log.
    fn merge(&mut self, round: Round, end: Option<Head>) -> Vec<Result<Committed, SubmitError>> {
        let Round {
            draft, sealed, facts, ..
        } = round;
        if let Some(state) = &mut self.state {
            // The head was where all this was read, so that it may be kept.
            for (id, stream) in facts.streams {
                if stream.sequence > 0 {
                    state.streams.insert(id, stream);
                }
            }
            for (id, stream) in draft.streams {
                state.streams.insert(id, stream);
            }
            if let Some(end) = end {
                state.head = end;
                state.books = draft.books;
            }
        }
        if let Some(end) = end {
            for (subject, key) in sealed.keys {
                self.shared.subjects.keep(&self.tenant, subject, SubjectKey::Known(key));
            }
            for subject in sealed.append.forgotten {
                self.forget(subject);
            }
            let newest = sealed.newest.unwrap_or_default();
            self.shared.committed(&self.tenant, end.position, newest);
        }
        Draft::into_results(draft.outcomes)
    }

    /// Whether an append whose answer was lost took place: its head then, or none if it did not and no longer can.
    async fn find_out(&mut self, append: &Append) -> Result<Option<Head>, Trouble> {
        self.connection = None;
        let deadline = Instant::now() + RESOLVE_PATIENCE;
        let mut pause = Duration::from_millis(10);
        loop {
            match answered(ANSWER_PATIENCE, self.fence_and_look(append)).await {
                Ok(found) => return found,
                Err(error) if Instant::now() >= deadline => {
                    tracing::error!(tenant = %self.tenant, %error, "whether a batch was committed could not be found out");
                    return Err(Trouble::OutcomeUnknown);
                }
                Err(_) => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_secs(1));
                }
            }
        }
    }

    async fn fence_and_look(&mut self, append: &Append) -> Result<Result<Option<Head>, Trouble>, JournalError> {
        let mut connection = self.shared.database.pool().acquire().await?;
        let Some(head) = head::fence(&mut connection, &self.tenant).await? else {
            return Ok(Err(Trouble::NoTenant));
        };
        // A later statement, and so a later snapshot than the fence's wait for the lost one.
        let database = &self.shared.database;
        let mut transaction = database.begin_write_on(connection, self.tenant.as_str()).await?;
        let row = sqlx::query("SELECT hash FROM journal.events WHERE tenant = $1 AND position = $2")
            .bind(self.tenant.as_str())
            .bind(append.end().position)
            .fetch_optional(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let hash = row
            .map(|row| row.try_get::<crate::chain::Hash, _>("hash"))
            .transpose()?;
        // Without an event there is no hash to tell by. Deciding again finds the receipts, and what else such a batch
        // writes may be written twice.
        let committed = append.event_count() > 0 && hash == Some(append.end().hash);
        self.behind = head.position != append.end().position;
        Ok(Ok(committed.then(|| Head {
            epoch: head.epoch,
            ..*append.end()
        })))
    }
}

/// Waits for PostgreSQL, but no longer than it may take.
async fn answered<T, E: From<sqlx::Error>>(
    patience: Duration,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    match tokio::time::timeout(patience, work).await {
        Ok(result) => result,
        Err(_) => Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into()).into()),
    }
}

/// Loads and decides a batch, and writes it down.
async fn prepare(
    shared: &Arc<crate::journal::Shared>,
    tenant: &TenantId,
    state: &mut State,
    connection: &mut PgConnection,
    jobs: &[CommandJob],
    presumes: bool,
) -> Result<Round, Trouble> {
    let mut facts = Facts::default();
    let mut wanted = Wanted::default();
    for job in jobs {
        let command = &job.submission.command;
        if !presumes {
            wanted.receipts.extend(job.receipt.as_ref().map(|(key, _)| key.clone()));
        }
        if !presumes || !opens_its_stream(command) {
            facts.want_stream(&mut wanted, state, command.stream());
        }
        for id in command.reads() {
            facts.want_stream(&mut wanted, state, id);
        }
    }
    let now = clock::recorded_at(shared.clock.as_ref(), &state.head);
    for _ in 0..LOAD_LIMIT {
        facts.load(connection, shared, tenant, wanted).await?;
        let mut draft = Draft::on(state.books.clone(), state.head.position, now);
        for job in jobs {
            draft.add(shared, tenant, &mut facts, job)?;
        }
        wanted = std::mem::take(&mut draft.wanted);
        if wanted.is_empty() {
            let mut sealed = Sealed::after(shared, tenant, state.head, now);
            draft.seal(tenant, &facts, &mut sealed)?;
            draft.close(shared, tenant, &mut sealed)?;
            return Ok(Round {
                draft,
                sealed,
                facts,
                presumes,
            });
        }
    }
    Err(Trouble::Broken(JournalError::Unexpected(
        "decisions that want ever more facts".to_owned(),
    )))
}

/// Whether PostgreSQL refused to write something that is there already.
fn is_unique_violation(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .is_some_and(DatabaseError::is_unique_violation)
}

/// What to make of PostgreSQL's word that it rolled an append back: a broken constraint or an impossible value is the
/// batch's own fault; a full disk or a cancelled statement is not.
fn refused_by_postgres(error: sqlx::Error) -> Trouble {
    let code = error.as_database_error().and_then(|error| error.code());
    let of_the_batch = code.is_some_and(|code| code.starts_with("22") || code.starts_with("23"));
    if of_the_batch {
        Trouble::Poisoned(error.into())
    } else {
        Trouble::Unavailable(error.into())
    }
}
