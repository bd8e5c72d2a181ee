//! Webhooks: the public events are sent to endpoints of other systems, as [Standard Webhooks](https://www.standardwebhooks.com).
//!
//! | Module | Responsibility |
//! |---|---|
//! | [`secrets`] | secrets, which derive from the key file, and signatures |
//! | [`crate::addresses`] | which addresses a delivery may go to |
//! | [`sender`] | one HTTP request, with its bounds |
//! | [`positions`] | how far each endpoint is, and which node delivers to it |
//! | [`schedule`] | when a failed delivery is tried again |
//! | [`crate::dispatcher`] | the task of every node |
//!
//! An endpoint gets its events in order: the next is sent once the one before was accepted. So a failing endpoint holds up
//! itself alone, and what is stored of it is one position. A delivery is repeated with the same id after any failure, also
//! of a node.

pub mod positions;
pub mod schedule;
pub mod secrets;
pub mod sender;

use crate::addresses::{self, Reachable};
use crate::problem::ApiError;
use caudal_domain::{
    TenantState,
    ids::{TenantId, WebhookId},
    office::Area,
    webhook::Webhook,
};
use caudal_journal::{Keyring, SigningKeys};
use caudal_postgres::Database;
use caudal_projections::{Scope, public_events::PublicEvent};
use chrono::{DateTime, Utc};
use ipnet::IpNet;
use positions::{Attempt, Positions};
use reqwest::Url;
use secrets::Secrets;
use sender::{Outcome, SEND_TIMEOUT, Sender};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// Maximum deliveries under way per node.
pub const MAX_UNDER_WAY: usize = 64;
/// Maximum deliveries under way per node that people asked for. They have places of their own: endpoints that hang would else take
/// those of the dispatcher.
pub const MAX_ASKED: usize = 8;

/// The webhooks of a node.
pub struct Webhooks {
    pub secrets: Secrets,
    pub positions: Positions,
    reachable: Reachable,
    sender: Sender,
    under_way: Arc<Semaphore>,
    asked: Semaphore,
    /// Endpoints to which a delivery is under way that somebody asked for.
    asked_for: Mutex<HashSet<Place>>,
}

/// A delivery that somebody asked for: its place, and that of its endpoint, which has one at a time.
pub struct ManualDelivery<'a> {
    webhooks: &'a Webhooks,
    place: Place,
    _permit: SemaphorePermit<'a>,
}

impl Drop for ManualDelivery<'_> {
    fn drop(&mut self) {
        self.webhooks.asked_for().remove(&self.place);
    }
}

impl Webhooks {
    /// Sends to public addresses alone.
    ///
    /// # Errors
    /// When no HTTP client can be created.
    pub fn new(database: Database, keyring: &Keyring) -> Result<Self, reqwest::Error> {
        let reachable = Reachable::default();
        Ok(Self {
            secrets: Secrets::new(keyring),
            positions: Positions::new(database),
            sender: Sender::new(&reachable)?,
            reachable,
            under_way: Arc::new(Semaphore::new(MAX_UNDER_WAY)),
            asked: Semaphore::new(MAX_ASKED),
            asked_for: Mutex::default(),
        })
    }

    /// Sends also into these networks, and there by `http://` too.
    ///
    /// # Errors
    /// When no HTTP client can be created.
    pub fn reaching(self, networks: Vec<IpNet>) -> Result<Self, reqwest::Error> {
        let reachable = Reachable::new(networks);
        Ok(Self {
            sender: Sender::new(&reachable)?,
            reachable,
            ..self
        })
    }

    /// Refuses a URL to which nothing could be sent. Names are resolved with each delivery.
    ///
    /// # Errors
    /// 422 for the field `url`.
    pub fn check(&self, url: &str) -> Result<(), ApiError> {
        let url = Url::parse(url).map_err(|_| ApiError::invalid("url", "url_invalid"))?;
        if url.scheme() != "https" && !self.reachable.has_networks() {
            return Err(ApiError::invalid("url", "url_not_https"));
        }
        match addresses::literal(&url) {
            Some(address) if !self.reachable.permits(address, url.scheme() == "https") => {
                Err(ApiError::invalid("url", "url_not_public"))
            }
            _ => Ok(()),
        }
    }

    /// A place among the deliveries under way; `None` when all are taken.
    pub fn place(&self) -> Option<OwnedSemaphorePermit> {
        self.under_way.clone().try_acquire_owned().ok()
    }

    fn asked_for(&self) -> MutexGuard<'_, HashSet<Place>> {
        self.asked_for.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a delivery to an endpoint that somebody asks for.
    ///
    /// # Errors
    /// 429 while one to this endpoint is under way, and 503 when all places are taken.
    pub fn asked(&self, place: &Place) -> Result<ManualDelivery<'_>, ApiError> {
        let permit = self.asked.try_acquire().map_err(|_| ApiError::unavailable("busy"))?;
        if !self.asked_for().insert(place.clone()) {
            return Err(ApiError::too_fast("webhook_being_sent", SEND_TIMEOUT));
        }
        Ok(ManualDelivery {
            webhooks: self,
            place: place.clone(),
            _permit: permit,
        })
    }

    /// Whether a place is free.
    pub fn has_places(&self) -> bool {
        self.under_way.available_permits() > 0
    }

    /// Sends an event once that was read at a position of the log, signed by the endpoint's secrets, and by the signing keys if
    /// there are any.
    ///
    /// # Errors
    /// When the event can't be serialised.
    pub async fn attempt(
        &self,
        place: &Place,
        webhook: &Webhook,
        url: &str,
        (event, read_at): (&PublicEvent, i64),
        keys: Option<&SigningKeys>,
        now: DateTime<Utc>,
    ) -> Result<Attempt, ApiError> {
        let body = serde_json::to_vec(event).map_err(ApiError::internal)?;
        let timestamp = now.timestamp();
        let mut signed = self
            .secrets
            .sign(place, &webhook.salts(now), &event.id, timestamp, &body);
        if let Some(signature) = keys.and_then(|keys| keys.sign_delivery(&event.id, timestamp, &body)) {
            signed.add_asymmetric(&signature);
        }
        let outcome: Outcome = self.sender.send(url, &signed, body).await;
        metrics::counter!("caudal_webhook_deliveries_total", "result" => outcome.kind()).increment(1);
        metrics::histogram!("caudal_webhook_seconds").record(outcome.took);
        Ok(Attempt {
            position: position_of(event),
            event_id: event.id.clone(),
            event_type: event.event_type.to_owned(),
            read_at,
            outcome,
        })
    }
}

/// Scope of an endpoint's party. `None` when nothing may be sent: the party is inactive, its access has ended, or it does not
/// read the area of integrations any more, by which its feed ends too.
pub fn scope_of(webhook: &Webhook, state: &TenantState, now: DateTime<Utc>) -> Option<Scope> {
    let party = state.party(webhook.party).filter(|party| party.is_active)?;
    let has_access = !state.office_access(party.id).has_expired(now);
    Some(Scope::of(party, state)).filter(|scope| has_access && scope.reads(Area::Integrations))
}

/// Position of an event in the log.
pub fn position_of(event: &PublicEvent) -> i64 {
    event.sequence.parse().unwrap_or_default()
}

/// Place of an endpoint among the tenants.
pub type Place = (TenantId, WebhookId);
