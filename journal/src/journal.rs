//! The journal's public interface.

use crate::{
    beside::{
        authenticity::RowMacs,
        idempotency_records::{self, IdempotencyRecordKey},
    },
    clock::Clock,
    error::{JournalError, RETRY_AFTER, SubmitError},
    history::{Evidence, Histories, LoadedEvidence, LogPoint},
    keys::{Keyring, proofs},
    log::{
        chain,
        head::{self, Head},
        postgres::PostgresLog,
        read::{self, Range, Recorded},
        wake::Wakes,
    },
    people::subjects::SubjectKeys,
    submission::{Committed, Previewed, Submission},
    writer::{AppendsUnderWay, CommandJob, Inbox, Job, PreviewJob},
};
use caudal_domain::{StreamId, StreamKind, TenantState, ids::TenantId};
use caudal_postgres::Database;
use sqlx::PgConnection;
use std::{
    collections::HashMap,
    ops::{Deref, RangeInclusive},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::{mpsc, oneshot, watch};
use uuid::Uuid;

/// Tenants kept in memory per node; the least recently used one is evicted.
const WRITER_LIMIT: usize = 256;

/// Sanity limit for the number of tenants in a database.
const TENANT_LIMIT: i64 = 100_000;

/// The event store of one node. Clones share it.
#[derive(Clone)]
pub struct Journal {
    pub(crate) shared: Arc<Shared>,
}

/// Shared by the journal's parts: the database and the node.
pub(crate) struct Shared {
    pub(crate) database: Database,
    pub(crate) node: Arc<Node>,
}

impl Deref for Shared {
    type Target = Node;

    fn deref(&self) -> &Node {
        &self.node
    }
}

/// Shared by the writers of a node: everything a writer uses beside its tenant's log.
pub(crate) struct Node {
    pub(crate) keyring: Keyring,
    pub(crate) macs: RowMacs,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) subjects: SubjectKeys,
    pub(crate) wakes: Wakes,
    pub(crate) histories: Histories,
    pub(crate) appends: AppendsUnderWay,
    writers: Mutex<Writers>,
}

struct Writers {
    open: HashMap<TenantId, OpenWriter>,
    /// Use counter, for least-recently-used eviction.
    uses: u64,
    /// Cloned by every running writer, and by what else closing waits for; `None` once the journal is closed.
    working: Option<mpsc::Sender<()>>,
    /// Completes when the last of them has ended.
    ended: Option<mpsc::Receiver<()>>,
}

struct OpenWriter {
    inbox: Inbox,
    used: u64,
}

impl Node {
    /// Closing the journal waits until this is dropped; `None` once it is closed.
    pub(crate) fn at_work(&self) -> Option<mpsc::Sender<()>> {
        let writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        writers.working.clone()
    }

    /// A node without writers.
    pub(crate) fn new(keyring: Keyring, clock: Arc<dyn Clock>, histories: Histories) -> Self {
        let (working, ended) = mpsc::channel(1);
        let writers = Writers {
            open: HashMap::new(),
            uses: 0,
            working: Some(working),
            ended: Some(ended),
        };
        Self {
            macs: RowMacs::new(&keyring),
            keyring,
            clock,
            subjects: SubjectKeys::default(),
            wakes: Wakes::default(),
            histories,
            appends: AppendsUnderWay::default(),
            writers: Mutex::new(writers),
        }
    }

    /// Wakes the tenant's subscribers and hands over the committed events.
    pub(crate) fn committed(&self, tenant: &TenantId, position: i64, events: Vec<Recorded>) {
        self.wakes.committed(tenant, position, events);
    }

    /// Removes an idle writer from the map; it ends after the jobs already queued.
    pub(crate) fn retire(&self, tenant: &TenantId, queue: &mpsc::WeakSender<Job>) {
        let Some(queue) = queue.upgrade() else { return };
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        // The map may hold a later writer of this tenant, with another queue.
        if writers
            .open
            .get(tenant)
            .is_some_and(|writer| writer.inbox.leads_to(&queue))
        {
            writers.open.remove(tenant);
        }
    }
}

impl Journal {
    /// Opens the journal on a migrated database without evidence: what was seen of the logs is lost with the process.
    ///
    /// # Errors
    /// When the database does not answer, or was written with another key file.
    pub async fn open(database: Database, keyring: Keyring, clock: Arc<dyn Clock>) -> Result<Self, JournalError> {
        Self::open_with_evidence(database, keyring, clock, None).await
    }

    /// Opens the journal on a migrated database, whose logs must extend the evidence.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_with_evidence(
        database: Database,
        keyring: Keyring,
        clock: Arc<dyn Clock>,
        evidence: Option<(Evidence, LoadedEvidence)>,
    ) -> Result<Self, JournalError> {
        let journal = Self::unadopted(database, keyring, clock, evidence).await?;
        journal.adopt().await?;
        Ok(journal)
    }

    pub(crate) async fn unadopted(
        database: Database,
        keyring: Keyring,
        clock: Arc<dyn Clock>,
        evidence: Option<(Evidence, LoadedEvidence)>,
    ) -> Result<Self, JournalError> {
        proofs::check(&database, &keyring).await?;
        let node = Arc::new(Node::new(keyring, clock, Histories::new(evidence)));
        let shared = Shared { database, node };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    #[must_use]
    pub fn row_macs(&self) -> &RowMacs {
        &self.shared.macs
    }

    /// Refuses new commands and waits for the pending ones.
    pub async fn close(&self) {
        let ended = {
            let mut writers = self.shared.writers.lock().unwrap_or_else(PoisonError::into_inner);
            writers.open.clear();
            writers.working = None;
            writers.ended.take()
        };
        if let Some(mut ended) = ended {
            // No value is ever sent: this returns when the last writer drops its sender.
            let _ = ended.recv().await;
        }
        self.shared.histories.flush();
    }

    /// Creates a tenant with an empty log.
    ///
    /// # Errors
    /// When the tenant exists or the database fails.
    pub async fn create_tenant(&self, tenant: &TenantId) -> Result<(), JournalError> {
        let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
        let inserted = sqlx::query(
            "INSERT INTO journal.heads (tenant, position, hash, recorded_at) VALUES ($1, 0, $2, $3)
             ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(chain::genesis(tenant.as_str()))
        .bind(self.shared.clock.now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        if inserted.rows_affected() == 0 {
            return Err(JournalError::TenantExists(tenant.clone()));
        }
        Ok(())
    }

    /// All tenants that live in this cell, by name.
    pub async fn tenants(&self) -> Result<Vec<TenantId>, JournalError> {
        let named = |text: &String| -> Result<TenantId, JournalError> {
            text.parse()
                .map_err(|_| JournalError::Unexpected(format!("a tenant named {text:?}")))
        };
        self.tenant_names().await?.iter().map(named).collect()
    }

    /// [`Self::tenants`] as stored, with names that no tenant can have.
    pub(crate) async fn tenant_names(&self) -> Result<Vec<String>, JournalError> {
        let mut transaction = self.shared.database.begin_directory().await?;
        let names = sqlx::query_scalar(
            "SELECT h.tenant FROM journal.heads AS h
              WHERE NOT EXISTS (SELECT FROM journal.placements AS p
                                 WHERE p.tenant = h.tenant AND p.state IN ('left', 'arriving'))
              ORDER BY h.tenant LIMIT $1",
        )
        .bind(TENANT_LIMIT)
        .fetch_all(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(names)
    }

    /// Runs a command. Returns when its commit is durable, or when it is certain that it was not committed.
    ///
    /// # Errors
    /// The refusal, or why it could not be run; [`SubmitError`] documents which errors leave the outcome open.
    pub async fn submit(&self, tenant: &TenantId, submission: Submission) -> Result<Committed, SubmitError> {
        if self.shared.histories.refuses_writes(tenant) {
            return Err(SubmitError::Quarantined);
        }
        let idempotency_record = match &submission.key {
            Some(key) => {
                let key = IdempotencyRecordKey::new(submission.actor, key).ok_or(SubmitError::KeyInvalid)?;
                Some((
                    key,
                    idempotency_records::digest(&self.shared.keyring, tenant, &submission.request_digest),
                ))
            }
            None => None,
        };
        let (reply, result) = oneshot::channel();
        self.send(
            tenant,
            Job::Command(Box::new(CommandJob {
                submission,
                idempotency_record,
                reply,
                span: tracing::Span::current(),
            })),
        )?;
        // A writer that ends without an answer may have committed.
        result.await.unwrap_or(Err(SubmitError::OutcomeUnknown))
    }

    /// Decides a command without writing. Its idempotency key stays unused.
    ///
    /// # Errors
    /// As [`Self::submit`], except for those of writing.
    pub async fn preview(&self, tenant: &TenantId, submission: Submission) -> Result<Previewed, SubmitError> {
        let (reply, result) = oneshot::channel();
        self.send(tenant, Job::Preview(Box::new(PreviewJob { submission, reply })))?;
        result.await.unwrap_or(Err(SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        }))
    }

    /// The tenant's current state, with the head it reflects. Does not wait for commands in progress.
    pub async fn state(&self, tenant: &TenantId) -> Result<(TenantState, Head), SubmitError> {
        let (reply, result) = oneshot::channel();
        self.send(tenant, Job::TenantState(reply))?;
        result.await.unwrap_or(Err(SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        }))
    }

    /// Reads the state that this node has in memory, at no cost and not confirmed: other nodes may have written since. `None`
    /// where it has none.
    pub fn known_state<T>(&self, tenant: &TenantId, read: impl FnOnce(&TenantState) -> T) -> Option<T> {
        let generation = self.shared.histories.generation(tenant);
        let writers = self.shared.writers.lock().unwrap_or_else(PoisonError::into_inner);
        writers.open.get(tenant)?.inbox.published(generation, read)
    }

    fn send(&self, tenant: &TenantId, mut job: Job) -> Result<(), SubmitError> {
        let mut writers = self.shared.writers.lock().unwrap_or_else(PoisonError::into_inner);
        let unavailable = SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        };
        let working = writers.working.clone().ok_or_else(|| unavailable.clone())?;
        writers.uses += 1;
        let used = writers.uses;
        if let Some(writer) = writers.open.get_mut(tenant) {
            writer.used = used;
            match writer.inbox.send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::error::TrySendError::Full(_)) => {
                    metrics::counter!("caudal_lane_queue_full").increment(1);
                    return Err(SubmitError::Busy {
                        retry_after: RETRY_AFTER,
                    });
                }
                // The writer has failed: start a new one.
                Err(mpsc::error::TrySendError::Closed(back)) => job = back,
            }
        }
        if writers.open.len() >= WRITER_LIMIT {
            let oldest = writers
                .open
                .iter()
                .min_by_key(|(_, writer)| writer.used)
                .map(|(tenant, _)| tenant.clone());
            if let Some(oldest) = oldest {
                writers.open.remove(&oldest);
            }
        }
        let connect = || PostgresLog::new(self.shared.clone(), tenant.clone());
        let (inbox, writer, reader) = Inbox::open(&self.shared.node, tenant, connect);
        inbox.send(job).map_err(|_| unavailable)?;
        writers.open.insert(tenant.clone(), OpenWriter { inbox, used });
        let reading = working.clone();
        tokio::spawn(async move {
            reader.run().await;
            drop(reading);
        });
        tokio::spawn(async move {
            writer.run().await;
            drop(working);
        });
        Ok(())
    }

    /// Subscribes to the position of this node's commits in a tenant's log. Commits of other nodes are found by polling.
    #[must_use]
    pub fn subscribe(&self, tenant: &TenantId) -> watch::Receiver<i64> {
        self.shared.wakes.subscribe(tenant)
    }

    /// Takes from memory the contiguous events after a position that this node committed, at most `limit`; `None` when
    /// they are not available. Each event can be taken once; after that it must be read from the log.
    #[must_use]
    pub fn take_newest(&self, tenant: &TenantId, after: i64, limit: i64) -> Option<Vec<Recorded>> {
        let limit = usize::try_from(limit).unwrap_or_default();
        self.shared.wakes.take_newest(tenant, after, limit)
    }

    /// The end of a tenant's log.
    pub async fn head(&self, tenant: &TenantId) -> Result<Head, JournalError> {
        let mut connection = self.shared.database.pool().acquire().await?;
        let found = head::read(&mut connection, tenant).await?;
        let found = found.ok_or_else(|| JournalError::UnknownTenant(tenant.clone()))?;
        Ok(found.head)
    }

    /// Events after a position in log order, without gaps, at most `limit` and [`read::MAX_EVENTS`].
    ///
    /// # Errors
    /// When the database fails, or an event can't be decoded.
    pub async fn events_after(
        &self,
        tenant: &TenantId,
        position: i64,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        self.events_after_on(&mut transaction, tenant, position, limit).await
    }

    /// [`Self::events_after`] on a connection whose transaction has set the tenant.
    pub async fn events_after_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        position: i64,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        self.opened(transaction, tenant, Range::After { position, limit }).await
    }

    /// Events after a point, verified to chain to it and to each other, at most `limit` and [`read::MAX_EVENTS`], on a
    /// connection whose transaction has set the tenant.
    ///
    /// # Errors
    /// As [`Self::events_after`], and [`JournalError::Diverged`] for a broken chain, or for a head without a valid MAC where the
    /// events reach it, outside of quarantine.
    pub async fn events_following_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        after: LogPoint,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        // In quarantine the log is read as it is.
        let checks_head = self.shared.histories.quarantine(tenant).is_none();
        let range = Range::Following {
            after,
            limit,
            checks_head,
        };
        self.opened(transaction, tenant, range).await
    }

    /// [`Self::events_following_on`] on a connection of its own.
    pub async fn events_following(
        &self,
        tenant: &TenantId,
        after: LogPoint,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        self.events_following_on(&mut transaction, tenant, after, limit).await
    }

    /// The first events, at most `limit`, of streams of one kind up to a position, in log order, on a connection whose
    /// transaction has set the tenant. Their personal parts stay encrypted: enough to fold the streams.
    ///
    /// # Errors
    /// When the database fails, or an event can't be decoded.
    pub async fn first_of_streams_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        kind: StreamKind,
        ids: &[Uuid],
        through: i64,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        read::streams(transaction, tenant, kind, ids, through, limit).await
    }

    /// All events of streams of one kind up to a position, in log order, each checked against the hash before it: what is decided
    /// on, mailed or sent. On a connection whose transaction has set the tenant.
    ///
    /// # Errors
    /// When the database fails, or an event was changed.
    pub async fn authentic_streams_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        kind: StreamKind,
        ids: &[Uuid],
        through: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        let Node {
            keyring,
            macs,
            subjects,
            ..
        } = &*self.shared.node;
        read::authentic_streams(transaction, keyring, macs, subjects, tenant, (kind, ids, through)).await
    }

    /// [`Self::authentic_streams_on`] of one stream to the log's end, on a connection of its own.
    pub async fn authentic_stream(&self, tenant: &TenantId, stream: StreamId) -> Result<Vec<Recorded>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        self.authentic_streams_on(&mut transaction, tenant, stream.kind, &[stream.id], i64::MAX)
            .await
    }

    /// Ids of the streams of one kind that began up to a position, after an id, in their order, at most `limit`: which records
    /// there are by the log. On a connection whose transaction has set the tenant.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn stream_ids_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        kind: StreamKind,
        after: Option<Uuid>,
        through: i64,
        limit: i64,
    ) -> Result<Vec<Uuid>, JournalError> {
        read::stream_ids(transaction, tenant, kind, after, through, limit).await
    }

    /// Ids of the streams of one kind whose only event is of a type: records that nothing happened to since. The events are not
    /// checked. The time is that of the index entries of the kind.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn streams_of_one(
        &self,
        tenant: &TenantId,
        kind: StreamKind,
        event_type: &str,
    ) -> Result<Vec<Uuid>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        read::streams_of_one(&mut transaction, tenant, kind, event_type).await
    }

    /// Ids of the streams of one kind with an event in a range of positions whose payload has one of `ids` right after the first
    /// occurrence of one of `marks`, such as `"sender":"`, in no order. The events are not checked, and their personal parts are
    /// not searched. On a connection whose transaction has set the tenant. The time is that of reading the whole range: no index
    /// has the payloads.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn streams_naming_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        kind: StreamKind,
        marks: &[&str],
        ids: &[Uuid],
        positions: RangeInclusive<i64>,
    ) -> Result<Vec<Uuid>, JournalError> {
        read::streams_naming(transaction, tenant, kind, (marks, ids), positions).await
    }

    /// Events of some types in a range of positions, newest first, at most `limit` and [`read::MAX_EVENTS`], on a
    /// connection whose transaction has set the tenant. Their personal parts stay encrypted. The time is that of reading
    /// the whole range: no index has the types.
    ///
    /// # Errors
    /// When the database fails, or an event can't be decoded.
    pub async fn events_of_types_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        types: &[&str],
        positions: RangeInclusive<i64>,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        read::of_types(transaction, tenant, types, positions, limit).await
    }

    /// Events of one stream after a sequence number, at most `limit` and [`read::MAX_EVENTS`].
    pub async fn stream_events(
        &self,
        tenant: &TenantId,
        stream: StreamId,
        after: i64,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        self.opened(&mut transaction, tenant, Range::Stream { stream, after, limit })
            .await
    }

    async fn opened(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        range: Range,
    ) -> Result<Vec<Recorded>, JournalError> {
        let Node {
            keyring,
            macs,
            subjects,
            ..
        } = &*self.shared.node;
        read::opened(transaction, keyring, macs, subjects, tenant, range).await
    }
}
