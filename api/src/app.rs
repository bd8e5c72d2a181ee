//! State of a node, shared by its handlers.

use crate::{
    addresses::Reachable,
    auth::{
        address::Proxies,
        api_keys::ApiKeys,
        callers::Callers,
        cookies::PublicUrl,
        devices::{self, Devices},
        limits::{self, Kind, Limits},
        passkeys::Passkeys,
        passwords::{Cost, HashError, Passwords},
        recovery::Recovery,
        second_factors::SecondFactors,
        sessions::Sessions,
        sign_on::{SignOns, client::Providers},
        tokens::Tokens,
    },
    backups::Backups,
    cells::Cells,
    checkpoints::Checkpoints,
    cluster::Cluster,
    continuous::Continuous,
    earlier::Earlier,
    files::Files,
    form_memory::FormMemory,
    identified::Identified,
    imports::store::Imports,
    live::{Sources, Streams},
    mail::Mailer,
    problem::ApiError,
    rates::{WriteRate, Writers},
    readings::Readings,
    screening::Screening,
    spa::Interface,
    tasks::Tasks,
    waits::Waits,
    webhooks::Webhooks,
    writes::Writes,
    written::Written,
};
use actix_web::{HttpRequest, web::Data};
use caudal_domain::ids::TenantId;
use caudal_journal::{Clock, Journal, Keyring, TRACED};
use caudal_postgres::Database;
use caudal_projections::Reads;
use chrono::{DateTime, Utc};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::watch;
use tracing::Instrument as _;
use uuid::Uuid;

/// Maximum wait of a command's answer for the read models. The command is durable by then; after the timeout the answer
/// is sent, and later reads wait on their own.
const PROJECTION_PATIENCE: Duration = Duration::from_secs(5);

/// State of a node, shared by its handlers.
pub struct App {
    pub journal: Journal,
    pub database: Database,
    pub reads: Reads,
    /// The clock of the node.
    pub clock: Arc<dyn Clock>,
    pub files: Files,
    /// Memory for uploaded forms.
    pub form_memory: FormMemory,
    /// Trusted proxies, whose forwarding headers determine the client's address.
    pub proxies: Proxies,
    /// Public URL of the service, if configured.
    pub public_url: Option<PublicUrl>,
    /// Latest known state of the backups.
    pub backups: Backups,
    /// Signs checkpoints.
    pub checkpoints: Checkpoints,
    /// Results of continuous verification; empty when disabled on this node.
    pub continuous: Continuous,
    pub interface: Interface,
    /// The interface's chunks of another version, during upgrades.
    pub earlier: Earlier,
    pub passwords: Passwords,
    pub tokens: Tokens,
    pub sessions: Sessions,
    /// One-time codes for forgotten passwords.
    pub recovery: Recovery,
    pub second_factors: SecondFactors,
    pub passkeys: Passkeys,
    /// Client secrets and bound logins of single sign-on.
    pub sign_ons: SignOns,
    /// Client for providers of single sign-on.
    pub providers: Providers,
    /// Audit of reading.
    pub readings: Readings,
    pub mailer: Mailer,
    pub devices: Devices,
    /// Limits on failed logins.
    pub limits: Limits,
    /// Limits on wrong codes; separate, so that failed logins do not block them.
    pub code_limits: Limits,
    /// Limits on wrong codes of second factors.
    pub second_factor_limits: Limits,
    /// Limits on mails with codes.
    pub mail_limits: Limits,
    /// Limits mails about logins from new devices.
    pub notice_limits: Limits,
    pub api_keys: ApiKeys,
    /// Session cache.
    pub callers: Callers,
    /// Write rate limits per caller.
    pub writers: Writers,
    /// Other nodes on the same database.
    pub cluster: Cluster,
    /// Outcomes of the latest writes.
    pub writes: Writes,
    pub written: Written,
    /// Background tasks of the process.
    pub tasks: Tasks,
    /// Nodes of the other cells that this process serves; empty in those nodes themselves.
    pub cells: Cells<App>,
    pub streams: Streams,
    /// Requests that wait for events of the public feed.
    pub waits: Waits,
    pub webhooks: Webhooks,
    /// Lists that customers are screened against.
    pub screening: Screening,
    pub imports: Imports,
    /// Tenants whose customers are identified for limits.
    pub identified: Identified,
    going_down: watch::Sender<bool>,
}

/// Startup errors of a node.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error(transparent)]
    Client(#[from] reqwest::Error),
}

/// Components of a node.
pub struct Parts {
    pub journal: Journal,
    pub database: Database,
    pub reads: Reads,
    pub clock: Arc<dyn Clock>,
    pub interface: Interface,
    pub mailer: Mailer,
    pub files: Files,
    pub proxies: Proxies,
    /// Public URL of the service.
    pub public_url: Option<PublicUrl>,
    /// Write rate limit per caller.
    pub write_rate: WriteRate,
    /// Cost of hashes of new passwords.
    pub password_cost: Cost,
}

impl App {
    /// Assembles a node.
    ///
    /// # Errors
    /// When the system has no randomness, or no HTTP client can be created.
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
            password_cost,
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
            backups: Backups::of(data_dir),
            checkpoints: Checkpoints::new(journal.clone(), database.clone(), clock.clone(), data_dir),
            continuous: Continuous::default(),
            api_keys: ApiKeys::new(journal.clone(), database.clone(), clock.clone(), keyring),
            callers: Callers::new(journal.clone(), sessions.clone(), clock.clone()),
            journal,
            reads,
            clock,
            earlier: Earlier::new(files.store(), keyring, &interface),
            interface,
            files,
            form_memory: FormMemory::default(),
            proxies,
            public_url,
            passwords: Passwords::new(password_cost)?,
            tokens: Tokens::new(keyring.clone()),
            recovery: Recovery::new(database.clone(), macs.clone(), keyring.clone()),
            sign_ons: SignOns::new(database.clone(), macs.clone(), keyring),
            providers: Providers::new(Reachable::default())?,
            readings: Readings::new(database.clone(), macs.clone()),
            passkeys: Passkeys::new(database.clone(), macs.clone(), keyring),
            second_factors: SecondFactors::new(database.clone(), macs, keyring),
            mailer,
            devices: Devices::new(&keyring.derive(devices::KEY_PURPOSE)),
            limits: limits(Kind::Login),
            code_limits: limits(Kind::Code),
            second_factor_limits: limits(Kind::SecondFactor),
            mail_limits: limits(Kind::Mail),
            notice_limits: limits(Kind::Notice),
            writers: Writers::new(write_rate),
            cluster: Cluster::new(database.clone(), keyring)?,
            writes: Writes::default(),
            written: Written::default(),
            tasks: Tasks::default(),
            cells: Cells::default(),
            streams,
            waits: Waits::default(),
            webhooks: Webhooks::new(database.clone(), keyring)?,
            screening: Screening::new(database.clone(), keyring),
            imports: Imports::new(database.clone(), keyring),
            identified: Identified::default(),
            sessions,
            going_down: watch::Sender::new(false),
            database,
        })
    }

    /// The node of a request.
    ///
    /// # Errors
    /// When the server has none.
    pub fn of(request: &HttpRequest) -> Result<Data<Self>, ApiError> {
        request
            .app_data::<Data<Self>>()
            .cloned()
            .ok_or_else(|| ApiError::unavailable("unavailable"))
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Remembers a session's write, which its queries on this node will show.
    pub fn wrote(&self, tenant: &TenantId, session: Uuid, position: i64) {
        let generation = self.journal.history_generation(tenant);
        self.written.note(tenant, session, generation, position);
    }

    /// Last position that a session has written by this node; 0 when it has written nothing lately.
    pub fn written_by(&self, tenant: &TenantId, session: Uuid) -> i64 {
        self.written
            .by(tenant, session, self.journal.history_generation(tenant))
    }

    /// Waits, with a timeout, until the read models reach a position.
    pub async fn until_projected(&self, tenant: &TenantId, position: i64) {
        let deadline = Instant::now() + PROJECTION_PATIENCE;
        let span = tracing::info_span!(target: TRACED, "wait for the read models", caudal.ledger_position = position);
        if let Err(error) = self.reads.wait_for(tenant, position, deadline).instrument(span).await {
            tracing::warn!(%error, "an answer went out before the read models showed it");
        }
    }

    /// Projection status over all tenants known to this node.
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

    /// Refuses new live streams and reports not ready from now on.
    pub fn go_down(&self) {
        self.going_down.send_replace(true);
    }

    /// Whether the node is shutting down.
    pub fn is_going_down(&self) -> bool {
        *self.going_down.borrow()
    }

    /// Notifies of the shutdown.
    pub fn watch_going_down(&self) -> watch::Receiver<bool> {
        self.going_down.subscribe()
    }
}
