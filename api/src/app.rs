//! One node: what its handlers share.

use crate::{
    auth::{
        address::Proxies,
        callers::Callers,
        cookies::PublicUrl,
        devices::{self, Devices},
        limits::{self, Kind, Limits},
        passwords::{HashError, Passwords},
        recovery::Recovery,
        sessions::Sessions,
        tokens::Tokens,
    },
    checkpoints::Checkpoints,
    cluster::Cluster,
    continuous::Continuous,
    earlier::Earlier,
    files::Files,
    live::{Sources, Streams},
    mail::Mailer,
    problem::ApiError,
    rates::{WriteRate, Writers},
    spa::Interface,
    writes::Writes,
};
use actix_web::{HttpRequest, web::Data};
use caudal_domain::ids::TenantId;
use caudal_journal::{Clock, Journal, Keyring};
use caudal_postgres::Database;
use caudal_projections::Reads;
use chrono::{DateTime, Utc};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// How long a command's answer waits until the read models show what it did. The command is durable by then: past it
/// the answer goes out all the same, and a read that must see it waits on its own.
const PROJECTION_PATIENCE: Duration = Duration::from_secs(5);

/// What the handlers of a node share.
pub struct App {
    /// The event store.
    pub journal: Journal,
    /// The pool.
    pub database: Database,
    /// The read models.
    pub reads: Reads,
    /// The clock of the node.
    pub clock: Arc<dyn Clock>,
    /// Uploaded files.
    pub files: Files,
    /// The proxies in front, whose word is taken for who calls.
    pub proxies: Proxies,
    /// Where browsers reach the service, if it is configured.
    pub public_url: Option<PublicUrl>,
    /// Signs the ends of logs.
    pub checkpoints: Checkpoints,
    /// What continuous verification knows; nothing where this node does not verify.
    pub continuous: Continuous,
    /// The built interface.
    pub interface: Interface,
    /// The interface's chunks of the version before.
    pub earlier: Earlier,
    /// Password hashing.
    pub passwords: Passwords,
    /// Access tokens.
    pub tokens: Tokens,
    /// Refresh tokens.
    pub sessions: Sessions,
    /// Codes for forgotten passwords.
    pub recovery: Recovery,
    /// Mails.
    pub mailer: Mailer,
    /// Known devices.
    pub devices: Devices,
    /// Failed logins.
    pub limits: Limits,
    /// Wrong codes: who failed to log in is not kept from them.
    pub code_limits: Limits,
    /// Mails with codes.
    pub mail_limits: Limits,
    /// Who was seen lately.
    pub callers: Callers,
    /// How fast each caller writes.
    pub writers: Writers,
    /// The other nodes over the same database.
    pub cluster: Cluster,
    /// What came of the latest writes.
    pub writes: Writes,
    /// Live streams.
    pub streams: Streams,
    going_down: watch::Sender<bool>,
}

/// Why a node can't be put together.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No password could be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
    /// No client for the other nodes could be made.
    #[error(transparent)]
    Client(#[from] reqwest::Error),
}

/// What a node is made of.
pub struct Parts {
    /// The event store.
    pub journal: Journal,
    /// The pool.
    pub database: Database,
    /// The read models.
    pub reads: Reads,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The built interface.
    pub interface: Interface,
    /// Mails.
    pub mailer: Mailer,
    /// Uploaded files.
    pub files: Files,
    /// The proxies in front.
    pub proxies: Proxies,
    /// Where browsers reach the service.
    pub public_url: Option<PublicUrl>,
    /// How fast one caller may write.
    pub write_rate: WriteRate,
}

impl App {
    /// Puts a node together.
    ///
    /// # Errors
    /// Where the system has no randomness, or no HTTP client can be made.
    pub fn new(parts: Parts, keyring: &Keyring, data_dir: &Path) -> Result<Self, AppError> {
        let Parts {
            journal,
            database,
            reads,
            clock,
            interface,
            mailer,
            files,
            proxies,
            public_url,
            write_rate,
        } = parts;
        let macs = journal.row_macs().clone();
        let attempts = keyring.derive(limits::KEY_PURPOSE);
        let limits = |kind| Limits::new(kind, database.clone(), &attempts);
        let sessions = Sessions::new(database.clone(), macs.clone(), keyring.clone());
        let streams = Streams::new(Sources {
            journal: journal.clone(),
            reads: reads.clone(),
            database: database.clone(),
            clock: clock.clone(),
        });
        Ok(Self {
            checkpoints: Checkpoints::new(journal.clone(), database.clone(), clock.clone(), data_dir),
            continuous: Continuous::default(),
            callers: Callers::new(journal.clone(), sessions.clone(), clock.clone()),
            journal,
            reads,
            clock,
            earlier: Earlier::new(files.store(), keyring, &interface),
            interface,
            files,
            proxies,
            public_url,
            passwords: Passwords::new()?,
            tokens: Tokens::new(keyring.clone()),
            recovery: Recovery::new(database.clone(), macs, keyring.clone()),
            mailer,
            devices: Devices::new(&keyring.derive(devices::KEY_PURPOSE)),
            limits: limits(Kind::Login),
            code_limits: limits(Kind::Code),
            mail_limits: limits(Kind::Mail),
            writers: Writers::new(write_rate),
            cluster: Cluster::new(database.clone(), keyring)?,
            writes: Writes::default(),
            streams,
            sessions,
            going_down: watch::Sender::new(false),
            database,
        })
    }

    /// The node of a request.
    ///
    /// # Errors
    /// Where the server was put together without one.
    pub fn of(request: &HttpRequest) -> Result<Data<Self>, ApiError> {
        request
            .app_data::<Data<Self>>()
            .cloned()
            .ok_or_else(|| ApiError::unavailable("unavailable"))
    }

    /// The present moment.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Waits, for a bounded time, until the read models show a position.
    pub async fn until_projected(&self, tenant: &TenantId, position: i64) {
        let deadline = Instant::now() + PROJECTION_PATIENCE;
        if let Err(error) = self.reads.wait_for(tenant, position, deadline).await {
            tracing::warn!(%error, "an answer went out before the read models showed it");
        }
    }

    /// Whether the read models of every tenant that this node knows move on.
    pub fn projector_state(&self) -> &'static str {
        let projector = self.reads.projector();
        let tenants = projector.status();
        if tenants.iter().any(|tenant| tenant.halted.is_some()) {
            "halted"
        } else if tenants
            .iter()
            .any(|tenant| projector.known_lag(&tenant.tenant).is_too_far())
        {
            "behind"
        } else {
            "ok"
        }
    }

    /// Takes no more live streams and is not ready from now on.
    pub fn go_down(&self) {
        self.going_down.send_replace(true);
    }

    /// Whether the node is on its way down.
    pub fn is_going_down(&self) -> bool {
        *self.going_down.borrow()
    }

    /// Tells when the node goes down.
    pub fn watch_going_down(&self) -> watch::Receiver<bool> {
        self.going_down.subscribe()
    }
}
