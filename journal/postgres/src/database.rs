//! The connection pool of a node.

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

/// First statements of every connection. `caudal_node` owns nothing, so neither a bug nor an injection can change the
/// log. Read models are addressed unqualified, so that a shadow schema can replace them; `public` has the extensions.
const PREPARE_CONNECTION: &str = "SET ROLE caudal_node; SET search_path TO read, public; SET TimeZone TO 'UTC'";

/// TCP keepalive: a silent peer is dropped after 90 seconds, so that a machine without power does not hold connections.
/// Unix sockets ignore it.
const KEEPALIVE: &str =
    "SET tcp_keepalives_idle TO 60; SET tcp_keepalives_interval TO 10; SET tcp_keepalives_count TO 3";

/// Timeout of the health check when a connection returns to the pool. A silent connection is closed; it would otherwise
/// occupy a place until the operating system notices.
const RELEASE_PATIENCE: Duration = Duration::from_secs(5);

/// Period after a health check in which a connection is reused without another. A connection lost within it makes one
/// statement fail with a retryable error.
const TRUSTED_FOR: Duration = Duration::from_millis(100);

/// Generic plans: statements that find rows by key, whose plan must not depend on table sizes at planning time.
pub const PLAN_ONCE: &str = "SET LOCAL plan_cache_mode TO force_generic_plan; SET LOCAL enable_seqscan TO off;
    SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off";
/// Custom plans: statements whose cost depends on the values. PostgreSQL would switch to a generic plan after five
/// executions, which ignores the length of a period: 30 ms instead of 5 for a month of entries.
pub const PLAN_ANEW: &str = "SET LOCAL plan_cache_mode TO force_custom_plan; SET LOCAL enable_seqscan TO DEFAULT;
    SET LOCAL enable_hashjoin TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT";

/// Placeholder tenant under which tables with a policy `directory` are read for all tenants, and no other row.
const DIRECTORY: &str = "'*'";

/// Opening statement of a read transaction.
const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Why the database could not be used.
#[derive(Debug, Error)]
pub enum DatabaseError {
    #[error("the database URL is not valid")]
    Url(#[source] sqlx::Error),
    #[error("cannot connect to the database")]
    Connect(#[source] sqlx::Error),
    /// The server is a standby, or could lose acknowledged commits.
    #[error("cannot use the database")]
    Refused(#[source] ServerError),
    /// No transaction could be begun: no connection was free in time, or the server is gone.
    #[error("cannot begin a transaction")]
    Begin(#[source] sqlx::Error),
    #[error("not a tenant: {0:?}")]
    Tenant(String),
}

/// Limits of a pool.
#[derive(Debug, Clone)]
pub struct Options {
    /// Pool size. A few per core keep PostgreSQL busy; more only queue inside it.
    pub max_connections: u32,
    /// Maximum wait for a connection before the node reports overload.
    pub acquire_timeout: Duration,
    /// `statement_timeout`; rebuild and verification set their own.
    pub statement_timeout: Duration,
    /// `idle_in_transaction_session_timeout` of write transactions: bounds how long a stalled node keeps others from a
    /// tenant's log.
    pub silence_timeout: Duration,
    /// Shown in `pg_stat_activity`.
    pub application_name: String,
    /// Durability settings that the operator accepts although commits could be lost.
    pub accept_volatile: Vec<Durability>,
    /// Require a synchronous standby.
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

/// A bounded pool of connections with the role `caudal_node`. Clones share it.
#[derive(Debug, Clone)]
pub struct Database {
    pool: PgPool,
    silence_timeout: Duration,
    server: watch::Sender<Option<ServerIdentity>>,
    /// Why the last connection was refused; `None` after a success.
    refusal: watch::Sender<Option<ServerError>>,
    failovers: Failovers,
}

/// Time of the pool's last failover to another host. Closed when the URL has a single host.
pub type Failovers = watch::Receiver<Option<Instant>>;

impl Database {
    /// Connects to a migrated database. With several hosts the pool follows the one that accepts writes, also after a
    /// failover.
    ///
    /// # Errors
    /// When the URL is invalid, the server does not answer in time or is refused, or the role `caudal_node` is missing.
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
            // A check before every use would cost a tenth of a short request.
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
            // The pool would retry until its timeout.
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

    /// A lazy pool for reads from a standby, or from a load balancer in front of several: a standby may be absent when
    /// a node starts.
    ///
    /// # Errors
    /// When the URL is invalid or names more than one host.
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

    /// Identity of the server behind the newest connection; changes after a failover or a restore.
    pub fn server(&self) -> watch::Receiver<Option<ServerIdentity>> {
        self.server.subscribe()
    }

    /// Notifies of failovers, so that no caller waits for the previous primary.
    pub fn failovers(&self) -> Failovers {
        self.failovers.clone()
    }

    /// Whether a failover happened after `moment`: connections from before lead to the previous primary.
    pub fn failed_over_since(&self, moment: Instant) -> bool {
        self.failovers.borrow().is_some_and(|at| at > moment)
    }

    /// The raw pool, for statements that set their tenant themselves.
    pub fn pool(&self) -> &PgPool {
        &self.pool
    }

    /// Begins a read transaction of one tenant: REPEATABLE READ, READ ONLY; the first query takes the snapshot. One
    /// round trip.
    ///
    /// # Errors
    /// When no connection is free in time or the server is gone.
    pub async fn begin_read(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin(&format!("{READ}; {PLAN_ANEW}"), tenant).await
    }

    /// Like [`Database::begin_read`] with generic plans, for statements that find rows by key.
    pub async fn begin_read_by_keys(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin(&format!("{READ}; {PLAN_ONCE}"), tenant).await
    }

    /// Several read transactions on one exported snapshot, for parallel COPY. Their connections are closed on drop,
    /// because an abandoned COPY leaves a connection out of sync. The snapshot lives as long as the first of them.
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

    /// Begins a short write transaction of one tenant: READ COMMITTED, so that each statement after a lock sees the
    /// state the lock waited for. One round trip. PostgreSQL ends it, with its connection, after
    /// [`Options::silence_timeout`] of inactivity.
    ///
    /// # Errors
    /// When no connection is free in time or the server is gone.
    pub async fn begin_write(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin(&self.write(), tenant).await
    }

    /// Like [`Database::begin_write`] with generic plans, for statements that find rows by key.
    pub async fn begin_write_by_keys(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin(&format!("{}; {PLAN_ONCE}", self.write()), tenant).await
    }

    /// Like [`Database::begin_write`] without an inactivity timeout, for an operator's commands.
    pub async fn begin_long_write(&self, tenant: &str) -> Result<Transaction, DatabaseError> {
        self.begin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", tenant)
            .await
    }

    /// Like [`Database::begin_write`], on an existing connection.
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

    /// Begins a read transaction over the directory of all tenants and their heads.
    pub async fn begin_directory(&self) -> Result<Transaction, DatabaseError> {
        self.begin_as(READ, DIRECTORY).await
    }

    /// Begins a transaction that writes rows of all tenants together, such as attempts to log in.
    pub async fn begin_directory_write(&self) -> Result<Transaction, DatabaseError> {
        self.begin_as(&self.write(), DIRECTORY).await
    }

    /// A connection outside the pool's reuse for one tenant's autocommitted statements with generic plans and
    /// asynchronous commit: a server crash may lose the last fractions of a second. Occupies a place in the pool until
    /// dropped, then closed.
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

    /// Reassigns a [dedicated](Self::dedicated) connection to another tenant.
    ///
    /// # Errors
    /// When the server is gone. The connection's tenant is then unknown; it must not be used again.
    pub async fn rededicate(
        &self,
        connection: &mut PoolConnection<Postgres>,
        tenant: &str,
    ) -> Result<(), DatabaseError> {
        let setting = format!("SET caudal.tenant TO {}", literal(tenant)?);
        let set = connection.execute(setting.as_str()).await;
        set.map(|_| ()).map_err(DatabaseError::Begin)
    }

    /// Waits for connections in use and closes all.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// Opening statement of a short write transaction.
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

/// Configures a new connection and refuses unsuitable servers.
#[derive(Debug, Clone)]
struct Inspector {
    prepare: String,
    options: Options,
    server: watch::Sender<Option<ServerIdentity>>,
    refusal: watch::Sender<Option<ServerError>>,
}

impl Inspector {
    /// One round trip: settings return no rows, so the only row is the server's identity.
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

/// Completes when a server is refused for a reason that does not pass by itself.
async fn lasting(refused: &mut watch::Receiver<Option<ServerError>>) {
    let lasts = |refusal: &Option<ServerError>| refusal.as_ref().is_some_and(|error| !error.is_passing());
    if refused.wait_for(lasts).await.is_err() {
        std::future::pending().await
    }
}

/// Reports the server's refusal in place of the pool's timeout.
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

/// Whether the connection answers within [`RELEASE_PATIENCE`].
async fn answers(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    match tokio::time::timeout(RELEASE_PATIENCE, connection.ping()).await {
        Ok(pinged) => pinged,
        Err(_) => Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())),
    }
}

/// Opening statements of a tenant's transaction. None of them takes the snapshot: the transaction sees what is
/// committed at its first query.
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
