//! The journal's front: what the rest of Caudal calls.

use crate::{
    beside::{
        authenticity::RowMacs,
        receipts::{self, ReceiptKey},
    },
    clock::Clock,
    error::{JournalError, RETRY_AFTER, SubmitError},
    history::{Evidence, Histories, LoadedEvidence, LogPoint},
    keys::{Keyring, proofs},
    log::{
        chain,
        head::{self, Head},
        link::Link,
        postgres::PostgresLog,
        read::{self, Range, Recorded},
        wake::Wakes,
    },
    people::subjects::SubjectKeys,
    submission::{Committed, Previewed, Submission},
    writer::{CommandJob, Inbox, Job, PreviewJob},
};
use caudal_domain::{Books, StreamId, ids::TenantId};
use caudal_postgres::Database;
use sqlx::{PgConnection, Row as _};
use std::{
    collections::HashMap,
    ops::Deref,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};
use tokio::sync::{mpsc, oneshot, watch};

/// How many tenants a node keeps in memory; past it the one that was used longest ago makes room.
const WRITER_LIMIT: usize = 256;

/// The most tenants that one database is expected to hold.
const TENANT_LIMIT: i64 = 100_000;

/// The event store of one node. Clones share it.
#[derive(Clone)]
pub struct Journal {
    pub(crate) shared: Arc<Shared>,
}

/// What the journal's parts share: the database, and the node.
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

/// What the tenants' writers of a node share, in memory: all that a writer works with beside its tenant's log.
pub(crate) struct Node {
    pub(crate) keyring: Keyring,
    pub(crate) macs: RowMacs,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) subjects: SubjectKeys,
    pub(crate) wakes: Arc<Wakes>,
    pub(crate) histories: Histories,
    link: OnceLock<Link>,
    writers: Mutex<Writers>,
}

struct Writers {
    open: HashMap<TenantId, OpenWriter>,
    /// Counts uses, to know which writer was used longest ago.
    uses: u64,
    /// Held by every writer that still works; none once the journal is closed.
    working: Option<mpsc::Sender<()>>,
    /// Ends when the last writer has.
    ended: Option<mpsc::Receiver<()>>,
}

struct OpenWriter {
    inbox: Inbox,
    used: u64,
}

impl Node {
    /// A node that has no writer yet.
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
            wakes: Arc::default(),
            histories,
            link: OnceLock::new(),
            writers: Mutex::new(writers),
        }
    }

    /// Tells whoever follows a tenant's log, and hands over what was committed.
    pub(crate) fn committed(&self, tenant: &TenantId, position: i64, events: Vec<Recorded>) {
        self.wakes.committed_here(tenant, position, events);
        if let Some(link) = self.link.get() {
            link.committed(tenant, position);
        }
    }

    /// Takes an idle writer out of the map; it ends when it has done what was sent before.
    pub(crate) fn retire(&self, tenant: &TenantId, queue: &mpsc::WeakSender<Job>) {
        let Some(queue) = queue.upgrade() else { return };
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        // The map may hold a later writer of this tenant, whose queue is another one.
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
    /// Opens the journal on a migrated database, without evidence: what was seen of the logs is forgotten with the process.
    ///
    /// # Errors
    /// Where the database does not answer, or was written with another key file.
    pub async fn open(database: Database, keyring: Keyring, clock: Arc<dyn Clock>) -> Result<Self, JournalError> {
        Self::open_with_evidence(database, keyring, clock, None).await
    }

    /// Opens the journal on a migrated database, whose logs have to extend what the evidence says was seen of them.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_with_evidence(
        database: Database,
        keyring: Keyring,
        clock: Arc<dyn Clock>,
        evidence: Option<(Evidence, LoadedEvidence)>,
    ) -> Result<Self, JournalError> {
        proofs::check(&database, &keyring).await?;
        let node = Arc::new(Node::new(keyring, clock, Histories::new(evidence)));
        let shared = Shared { database, node };
        let journal = Self {
            shared: Arc::new(shared),
        };
        journal.adopt().await?;
        Ok(journal)
    }

    /// What makes and checks the MACs of rows beside the log.
    #[must_use]
    pub fn row_macs(&self) -> &RowMacs {
        &self.shared.macs
    }

    /// Takes no more commands, and waits until those taken are answered.
    pub async fn close(&self) {
        let ended = {
            let mut writers = self.shared.writers.lock().unwrap_or_else(PoisonError::into_inner);
            writers.open.clear();
            writers.working = None;
            writers.ended.take()
        };
        if let Some(mut ended) = ended {
            // Nothing is ever sent: this returns when the last writer has dropped its end.
            let _ = ended.recv().await;
        }
        self.shared.histories.flush();
    }

    /// Makes a tenant, with an empty log.
    ///
    /// # Errors
    /// Where the tenant exists or the database fails.
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

    /// The tenants of the database, by name.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn tenants(&self) -> Result<Vec<TenantId>, JournalError> {
        let mut transaction = self.shared.database.begin_directory().await?;
        let rows = sqlx::query("SELECT tenant FROM journal.heads ORDER BY tenant LIMIT $1")
            .bind(TENANT_LIMIT)
            .fetch_all(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let name = |row| sqlx::postgres::PgRow::try_get::<&str, _>(row, "tenant");
        rows.iter()
            .map(|row| {
                let text = name(row)?;
                text.parse()
                    .map_err(|_| JournalError::Unexpected(format!("a tenant named {text:?}")))
            })
            .collect()
    }

    /// Runs a command. The answer comes when it is durable, or when it is certain that it is not.
    ///
    /// # Errors
    /// The refusal, or why it could not be run; see [`SubmitError`] for which of them leave the outcome open.
    pub async fn submit(&self, tenant: &TenantId, submission: Submission) -> Result<Committed, SubmitError> {
        if self.shared.histories.refuses_writes(tenant) {
            return Err(SubmitError::Quarantined);
        }
        let receipt = match &submission.key {
            Some(key) => {
                let key = ReceiptKey::new(submission.actor, key).ok_or(SubmitError::KeyInvalid)?;
                Some((
                    key,
                    receipts::digest(&self.shared.keyring, tenant, &submission.request_digest),
                ))
            }
            None => None,
        };
        let (reply, result) = oneshot::channel();
        self.send(
            tenant,
            Job::Command(Box::new(CommandJob {
                submission,
                receipt,
                reply,
            })),
        )?;
        // A writer that ends without an answer has failed while it may have been committing.
        result.await.unwrap_or(Err(SubmitError::OutcomeUnknown))
    }

    /// What a command would do now, or the refusal that it would meet. Nothing is written, and its idempotency key stays
    /// unused.
    ///
    /// # Errors
    /// As [`Self::submit`], but for what only writing meets.
    pub async fn preview(&self, tenant: &TenantId, submission: Submission) -> Result<Previewed, SubmitError> {
        let (reply, result) = oneshot::channel();
        self.send(tenant, Job::Preview(Box::new(PreviewJob { submission, reply })))?;
        result.await.unwrap_or(Err(SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        }))
    }

    /// The tenant's books as they stand now, with the head that they stand at. Does not wait for commands that are under
    /// way.
    ///
    /// # Errors
    /// Where the tenant is unknown, or the database fails.
    pub async fn books(&self, tenant: &TenantId) -> Result<(Books, Head), SubmitError> {
        let (reply, result) = oneshot::channel();
        self.send(tenant, Job::Books(reply))?;
        result.await.unwrap_or(Err(SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        }))
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
                // The writer failed: a new one takes its place.
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

    /// Lets nodes that work on one database tell one another of their commits. A node that works alone can do
    /// without.
    pub fn link_nodes(&self) {
        self.shared
            .link
            .get_or_init(|| Link::join(self.shared.database.clone(), self.shared.wakes.clone()));
    }

    /// Follows a tenant's log: the position committed by this node, and by others once linked, as far as it is known.
    /// A hint to look, not a promise.
    #[must_use]
    pub fn subscribe(&self, tenant: &TenantId) -> watch::Receiver<i64> {
        self.shared.wakes.subscribe(tenant)
    }

    /// Takes the events after a position that this node has committed and nobody took before, at most `limit`, in the log's
    /// order and without a gap; none where there are others in between, or nothing was kept. What was taken once is not
    /// there again: it is to be read.
    #[must_use]
    pub fn take_newest(&self, tenant: &TenantId, after: i64, limit: i64) -> Option<Vec<Recorded>> {
        let limit = usize::try_from(limit).unwrap_or_default();
        self.shared.wakes.take_newest(tenant, after, limit)
    }

    /// The end of a tenant's log.
    ///
    /// # Errors
    /// Where the tenant is unknown or the database fails.
    pub async fn head(&self, tenant: &TenantId) -> Result<Head, JournalError> {
        let mut connection = self.shared.database.pool().acquire().await?;
        let head = head::read(&mut connection, tenant).await?;
        head.ok_or_else(|| JournalError::UnknownTenant(tenant.clone()))
    }

    /// The events after a position, at most `limit` and [`read::MAX_EVENTS`], in the log's order, without a gap.
    ///
    /// # Errors
    /// Where the database fails, or an event can't be read, naming its position.
    pub async fn events_after(
        &self,
        tenant: &TenantId,
        position: i64,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        self.events_after_on(&mut transaction, tenant, position, limit).await
    }

    /// As [`Self::events_after`], on a connection whose transaction has set the tenant.
    ///
    /// # Errors
    /// As [`Self::events_after`].
    pub async fn events_after_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        position: i64,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        self.opened(transaction, tenant, Range::After { position, limit }).await
    }

    /// The events after a place in the log, at most `limit` and [`read::MAX_EVENTS`], on a connection whose transaction has
    /// set the tenant. Each is found to chain to the one before it, and the first one to the place.
    ///
    /// # Errors
    /// As [`Self::events_after`], and [`JournalError::Diverged`] where one does not chain.
    pub async fn events_following_on(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        after: LogPoint,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        self.opened(transaction, tenant, Range::Following { after, limit })
            .await
    }

    /// As [`Self::events_following_on`], on a connection of its own.
    ///
    /// # Errors
    /// As [`Self::events_following_on`].
    pub async fn events_following(
        &self,
        tenant: &TenantId,
        after: LogPoint,
        limit: i64,
    ) -> Result<Vec<Recorded>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        self.events_following_on(&mut transaction, tenant, after, limit).await
    }

    /// The events of one stream after a sequence, at most `limit` and [`read::MAX_EVENTS`].
    ///
    /// # Errors
    /// As [`Self::events_after`].
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
