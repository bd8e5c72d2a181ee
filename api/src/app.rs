//! One node: what its handlers share.

use crate::{
    auth::{
        callers::Callers,
        limits::Limits,
        passwords::{HashError, Passwords},
        sessions::Sessions,
        tokens::{KEY_PURPOSE, Tokens},
    },
    problem::ApiError,
};
use actix_web::{HttpRequest, web::Data};
use caudal_domain::ids::TenantId;
use caudal_journal::{Clock, Journal, Keyring};
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use std::sync::Arc;

/// What the handlers of a node share.
pub struct App {
    /// The event store.
    pub journal: Journal,
    /// The pool.
    pub database: Database,
    /// The clock of the node.
    pub clock: Arc<dyn Clock>,
    /// Password hashing.
    pub passwords: Passwords,
    /// Access tokens.
    pub tokens: Tokens,
    /// Refresh tokens.
    pub sessions: Sessions,
    /// Failed logins.
    pub limits: Limits,
    /// Who was seen lately.
    pub callers: Callers,
}

impl App {
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
    pub async fn until_projected(&self, _tenant: &TenantId, _position: i64) {}
}

impl App {
    /// Puts a node together.
    ///
    /// # Errors
    /// Where the system has no randomness.
    pub fn new(
        journal: Journal,
        database: Database,
        keyring: &Keyring,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, HashError> {
        Ok(Self {
            journal,
            clock,
            passwords: Passwords::new()?,
            tokens: Tokens::new(&keyring.derive(KEY_PURPOSE)),
            sessions: Sessions::new(database.clone()),
            limits: Limits::default(),
            callers: Callers::default(),
            database,
        })
    }
}
