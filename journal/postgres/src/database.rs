//! The pool a node works through.

use std::io;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection as _, Executor, PgConnection, PgPool, Postgres};
use thiserror::Error;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::Transaction;
use crate::hosts::{self, Hosts};
use crate::server::{self, Durability, Server, ServerError, ServerIdentity};

/// What every connection does first. `caudal_node` owns nothing, so neither a bug nor an injection can change the
/// log; read models are named unqualified, so that a shadow schema can stand in for them; `public` has the extensions.
const PREPARE_CONNECTION: &str = "SET ROLE caudal_node; SET search_path TO read, public; SET TimeZone TO 'UTC'";

/// PostgreSQL asks after a node that it hears nothing of, and gives its connection up after a minute and a half: a
/// machine that lost its power takes no connections with it. (A Unix socket needs and heeds none of it.)
const KEEPALIVE: &str =
    "SET tcp_keepalives_idle TO 60; SET tcp_keepalives_interval TO 10; SET tcp_keepalives_count TO 3";

/// How long a connection may take to say that it is well when it is given back. One that says nothing is closed, since
/// it would fill a place in the pool for as long as the operating system believes in it.
const RELEASE_PATIENCE: Duration = Duration::from_secs(5);

/// For how long a connection that was well when it was given back is taken for well: whoever is unlucky enough to get one
/// that ended since has its statement fail, and is told to come again.
const TRUSTED_FOR: Duration = Duration::from_millis(100);

/// One plan for all values, which goes from key to key by their indexes however small the tables were when it was made.
pub const PLAN_ONCE: &str = "SET LOCAL plan_cache_mode TO force_generic_plan; SET LOCAL enable_seqscan TO off;
    SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off";
/// A plan for the values at hand. Left to itself PostgreSQL goes over to one for all values after five times, which knows
/// nothing of a period's length or a value's frequency: 30 ms in place of 5 for a month's entries.
pub const PLAN_ANEW: &str = "SET LOCAL plan_cache_mode TO force_custom_plan; SET LOCAL enable_seqscan TO DEFAULT;
    SET LOCAL enable_hashjoin TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT";

/// The name in place of a tenant's with which the heads and checkpoints of all tenants may be read, and nothing else.
const DIRECTORY: &str = "'*'";

/// How a consistent snapshot begins.
const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Why the database could not be used.
#[derive(Debug, Error)]
pub enum DatabaseError {
    #[error("the database URL is not valid")]
    Url(#[source] sqlx::Error),
    #[error("cannot connect to the database")]
    Connect(#[source] sqlx::Error),
    /// The server that answers may not be used: a standby, or one that may lose acknowledged commits.
    #[error("cannot use the database")]
    Refused(#[source] ServerError),
    /// No transaction could be begun: no connection was free in time, or the server is gone.
    #[error("cannot begin a transaction")]
    Begin(#[source] sqlx::Error),
    #[error("not a tenant: {0:?}")]
    Tenant(String),
}

/// How a pool is bounded.
#[derive(Debug, Clone)]
pub struct Options {
    /// Connections at most. A few per core keep PostgreSQL busy; more only queue inside it.
    pub max_connections: u32,
    /// How long a caller waits for a free connection before it is told that the node is overloaded.
    pub acquire_timeout: Duration,
    /// How long one statement may run before PostgreSQL ends it; a rebuild or a verification asks for more.
    pub statement_timeout: Duration,
    /// How long PostgreSQL keeps a short transaction's locks for a node that says nothing: one that stands still, or
    /// cannot be reached, would keep all others from the tenant's log.
    pub silence_timeout: Duration,
    /// What `pg_stat_activity` shows.
    pub application_name: String,
    /// Settings of the server that may lose acknowledged commits, and that the operator accepts by name.
    pub accept_volatile: Vec<Durability>,
    /// Whether the server must wait for a standby before it acknowledges a commit.
    pub require_synchronous_standby: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_connections: 20,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(30),
            silence_timeout: Duration::from_secs(15),
            application_name: "caudal".to_owned(),
            accept_volatile: Vec::new(),
            require_synchronous_standby: false,
        }
    }
}

/// A bounded pool of connections as the role `caudal_node`. Clones share it.
#[derive(Debug, Clone)]
pub struct Database {
    pool: PgPool,
    silence_timeout: Duration,
    server: watch::Sender<Option<ServerIdentity>>,
    /// Why the newest connection was not used; none where it was.
    refusal: watch::Sender<Option<ServerError>>,
    failovers: Failovers,
}

/// The moment of the pool's last failover to another host. Closed where there is one host alone.
pub type Failovers = watch::Receiver<Option<Instant>>;

impl Database {
    /// Connects to a migrated database.
    ///
    /// # Errors
    /// When the URL cannot be read, the server does not answer in time or may not be used, or the role `caudal_node` is
    /// missing. Of several hosts the one that takes writes is used, also after a failover.
    pub async fn connect(url: &str, options: Options) -> Result<Self, DatabaseError> {
        let hosts = url.parse::<Hosts>().map_err(DatabaseError::Url)?;
        let hosts = hosts.application_name(&options.application_name);
        let writable = hosts.writable().await.map_err(DatabaseError::Connect)?;
        let prepare = format!(
            "{PREPARE_CONNECTION}; {KEEPALIVE}; SET statement_timeout TO {}; {}",
            options.statement_timeout.as_millis(),
            server::inspection(&options)
        );
        let (server, refusal) = (watch::Sender::new(None), watch::Sender::new(None));
        let inspector = Inspector {
            prepare,
            options: options.clone(),
            server: server.clone(),
            refusal: refusal.clone(),
        };
        let mut refused = refusal.subscribe();
        let moved = watch::Sender::new(None);
        let (failover, failovers) = (moved.subscribe(), moved.subscribe());
        let connecting = PgPoolOptions::new()
            .max_connections(options.max_connections)
            .acquire_timeout(options.acquire_timeout)
            .after_connect(move |connection, _| {
                let inspector = inspector.clone();
                Box::pin(async move { inspector.inspect(connection).await })
            })
            // Asked every time, it would be a tenth of what a short request costs.
            .test_before_acquire(false)
            .before_acquire(move |connection, of| {
                let outlived = failover.borrow().is_some_and(|at: Instant| at.elapsed() < of.age);
                Box::pin(async move {
                    if outlived {
                        return Err(sqlx::Error::Io(io::ErrorKind::ConnectionReset.into()));
                    }
                    if of.idle_for < TRUSTED_FOR {
                        return Ok(true);
                    }
                    Ok(answers(connection).await.is_ok())
                })
            })
            .after_release(|connection, _| Box::pin(async move { answers(connection).await.map(|()| true) }))
            .connect_with(writable);
        let pool = tokio::select! {
            connected = connecting => connected.map_err(|error| why(&refusal, error, DatabaseError::Connect))?,
            // The pool would try again until its time is over.
            () = lasting(&mut refused) => return Err(why(&refusal, sqlx::Error::PoolTimedOut, DatabaseError::Connect)),
        };
        if hosts.are_several() {
            tokio::spawn(hosts::follow(hosts, pool.clone(), moved));
        }
        Ok(Self {
            pool,
            silence_timeout: options.silence_timeout,
            server,
            refusal,
            failovers,
        })
    }

    /// A pool for reading from a standby of a migrated database, or from a balancer in front of several. It connects when it
    /// is first used: a standby may be away when a node starts.
    ///
    /// # Errors
    /// Where the URL cannot be read, or names more than one host.
    pub fn of_standby(url: &str, options: &Options) -> Result<Self, DatabaseError> {
        let hosts = url.parse::<Hosts>().map_err(DatabaseError::Url)?;
        let host = hosts.application_name(&options.application_name).only();
        let prepare = format!(
            "{PREPARE_CONNECTION}; {KEEPALIVE}; SET statement_timeout TO {}",
            options.statement_timeout.as_millis()
        );
        let pool = PgPoolOptions::new()
            .max_connections(options.max_connections)
            .acquire_timeout(options.acquire_timeout)
            .after_connect(move |connection, _| {
                let prepare = prepare.clone();
                Box::pin(async move { connection.execute(prepare.as_str()).await.map(|_| ()) })
            })
            .test_before_acquire(false)
            .before_acquire(move |connection, of| {
                Box::pin(async move { Ok(of.idle_for < TRUSTED_FOR || answers(connection).await.is_ok()) })
            })
            .after_release(|connection, _| Box::pin(async move { answers(connection).await.map(|()| true) }))
            .connect_lazy_with(host.map_err(DatabaseError::Url)?);
        Ok(Self {
            pool,
            silence_timeout: options.silence_timeout,
            server: watch::Sender::new(None),
            refusal: watch::Sender::new(None),
            failovers: watch::Sender::new(None).subscribe(),
        })
    }

    /// The server that the newest connection of the pool was made to; it changes after a failover or a restore.
    pub fn server(&self) -> watch::Receiver<Option<ServerIdentity>> {
        self.server.subscribe()
    }

    /// Tells of failovers, so that nobody waits for the server of before.
    pub fn failovers(&self) -> Failovers {
        self.failovers.clone()
    }

    /// Whether the pool has gone to another host since a moment: connections from before lead to the server of before.
    pub fn failed_over_since(&self, moment: Instant) -> bool {
        self.failovers.borrow().is_some_and(|at| at > moment)
    }

    /// The pool itself, for statements that set their tenant on their own.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// One consistent snapshot of one tenant: REPEATABLE READ, READ ONLY, taken by the first query. One round trip.
    ///
    /// # Errors
    /// When no connection is free in time or the server is gone.
    pub async fn begin_read(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin(&format!("{READ}; {PLAN_ANEW}"), tenant).await
    }

    /// As [`Database::begin_read`], for statements that find rows by their keys and are the same for any of them: each
    /// is planned once on a connection, and not anew for the keys at hand.
    pub async fn begin_read_by_keys(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin(&format!("{READ}; {PLAN_ONCE}"), tenant).await
    }

    /// As [`Database::begin_read`], the same snapshot on several connections that are closed when they are dropped: a COPY that
    /// is given up in its midst leaves one that nobody else may use, since answers would be taken for those of other questions.
    /// The snapshot stays as long as the first of them.
    pub async fn begin_copies(
        &self,
        tenant: &str,
        connections: usize,
    ) -> Result<Vec<PoolConnection<Postgres>>, DatabaseError> {
        let tenant = literal(tenant)?;
        let mut copies: Vec<PoolConnection<Postgres>> = Vec::with_capacity(connections);
        let mut begin = READ.to_owned();
        for _ in 0..connections {
            let mut connection = self.acquire().await?;
            connection.close_on_drop();
            let begun = connection.execute(beginning(&begin, &tenant).as_str()).await;
            begun.map_err(DatabaseError::Begin)?;
            if copies.is_empty() {
                let exported = sqlx::query_scalar("SELECT pg_export_snapshot()");
                let snapshot: String = exported
                    .fetch_one(&mut *connection)
                    .await
                    .map_err(DatabaseError::Begin)?;
                begin = format!("{READ}; SET TRANSACTION SNAPSHOT '{snapshot}'");
            }
            copies.push(connection);
        }
        Ok(copies)
    }

    /// A short transaction that writes for one tenant: READ COMMITTED, so that each statement after a lock sees what the
    /// lock waited for. One round trip. PostgreSQL ends it, with its connection, when it hears
    /// nothing of it for the silence's timeout.
    ///
    /// # Errors
    /// When no connection is free in time or the server is gone.
    pub async fn begin_write(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin(&self.write(), tenant).await
    }

    /// As [`Database::begin_write`], for statements that find rows by their keys and are the same for any of them, as those of
    /// [`Database::begin_read_by_keys`].
    pub async fn begin_write_by_keys(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin(&format!("{}; {PLAN_ONCE}", self.write()), tenant).await
    }

    /// As [`Database::begin_write`], for an operator's work that takes as long as it takes between two statements.
    pub async fn begin_long_write(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", tenant)
            .await
    }

    /// As [`Database::begin_write`], on a connection at hand.
    ///
    /// # Errors
    /// When the server is gone.
    pub async fn begin_write_on(
        &self,
        connection: PoolConnection<Postgres>,
        tenant: &str,
    ) -> Result<Transaction, DatabaseError> {
        let begin = beginning(&self.write(), &literal(tenant)?);
        Transaction::begin(connection, begin)
            .await
            .map_err(DatabaseError::Begin)
    }

    /// What can be read of all tenants: which there are, and how far they have got.
    pub async fn begin_directory(&self) -> Result<Transaction, DatabaseError> {
        self.begin_as(READ, DIRECTORY).await
    }

    /// A connection for one tenant's statements, each of which commits by itself and finds rows by their keys as those of
    /// [`Database::begin_read_by_keys`]. What a crash of the server loses of them is for the caller to bear: the last
    /// fractions of a second. It takes a place of the pool until it is dropped, and is closed then.
    ///
    /// # Errors
    /// When no connection is free in time or the server is gone.
    pub async fn dedicated(&self, tenant: &str) -> Result<PoolConnection<Postgres>, DatabaseError> {
        let settings = format!(
            "SET caudal.tenant TO {}; SET synchronous_commit TO off; {}",
            literal(tenant)?,
            PLAN_ONCE.replace("SET LOCAL", "SET")
        );
        let mut connection = self.acquire().await?;
        connection.close_on_drop();
        let prepared = connection.execute(settings.as_str()).await;
        prepared.map_err(DatabaseError::Begin)?;
        Ok(connection)
    }

    /// Makes a [dedicated](Self::dedicated) connection another tenant's.
    ///
    /// # Errors
    /// When the server is gone: whose connection it is then is not known, and it must not be used again.
    pub async fn rededicate(
        &self,
        connection: &mut PoolConnection<Postgres>,
        tenant: &str,
    ) -> Result<(), DatabaseError> {
        let setting = format!("SET caudal.tenant TO {}", literal(tenant)?);
        let set = connection.execute(setting.as_str()).await;
        set.map(|_| ()).map_err(DatabaseError::Begin)
    }

    /// Waits for the connections in use and closes them all.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// How a short transaction that writes begins.
    fn write(&self) -> String {
        format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL idle_in_transaction_session_timeout TO {}",
            self.silence_timeout.as_millis()
        )
    }

    async fn acquire(&self) -> Result<PoolConnection<Postgres>, DatabaseError> {
        let acquired = self.pool.acquire().await;
        acquired.map_err(|error| why(&self.refusal, error, DatabaseError::Begin))
    }

    async fn begin(&self, begin: &str, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin_as(begin, &literal(tenant)?).await
    }

    async fn begin_as(&self, begin: &str, tenant: &str) -> Result<Transaction, DatabaseError> {
        let connection = self.acquire().await?;
        let transaction = Transaction::begin(connection, beginning(begin, tenant)).await;
        transaction.map_err(DatabaseError::Begin)
    }
}

/// Prepares a new connection, and refuses it where its server may not be used.
#[derive(Debug, Clone)]
struct Inspector {
    prepare: String,
    options: Options,
    server: watch::Sender<Option<ServerIdentity>>,
    refusal: watch::Sender<Option<ServerError>>,
}

impl Inspector {
    /// One round trip: the settings return no rows, so that the only row is what the server says of itself.
    async fn inspect(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let row = connection.fetch_one(self.prepare.as_str()).await?;
        match Server::of(&row)?.accepted(&self.options) {
            Ok(identity) => {
                self.refusal.send_replace(None);
                server::publish(&self.server, identity);
                Ok(())
            }
            Err(error) => {
                self.refusal.send_replace(Some(error.clone()));
                Err(error.into())
            }
        }
    }
}

/// Ends when a server was refused for a reason that does not pass by itself.
async fn lasting(refused: &mut watch::Receiver<Option<ServerError>>) {
    let lasts = |refusal: &Option<ServerError>| refusal.as_ref().is_some_and(|error| !error.is_passing());
    if refused.wait_for(lasts).await.is_err() {
        std::future::pending().await
    }
}

/// The refusal of the server where the pool ran out of time over it.
fn why(
    refusal: &watch::Sender<Option<ServerError>>,
    error: sqlx::Error,
    other: impl FnOnce(sqlx::Error) -> DatabaseError,
) -> DatabaseError {
    match (&error, refusal.borrow().clone()) {
        (sqlx::Error::PoolTimedOut, Some(refused)) => DatabaseError::Refused(refused),
        _ => other(error),
    }
}

/// Whether a connection answers in time.
async fn answers(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    match tokio::time::timeout(RELEASE_PATIENCE, connection.ping()).await {
        Ok(pinged) => pinged,
        Err(_) => Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())),
    }
}

/// What a transaction of a tenant, given as a literal, begins with. Neither statement after `begin` takes the snapshot, so the
/// transaction sees what is committed at its first query.
fn beginning(begin: &str, tenant: &str) -> String {
    format!("{begin}; SET LOCAL caudal.tenant TO {tenant}; SET LOCAL search_path TO read, public")
}

/// The tenant as an SQL literal; SET takes no parameters.
fn literal(tenant: &str) -> Result<String, DatabaseError> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if tenant.is_empty() || !tenant.chars().all(plain) {
        return Err(DatabaseError::Tenant(tenant.to_owned()));
    }
    Ok(format!("'{tenant}'"))
}
