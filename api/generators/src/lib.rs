//! Tenants full of business, made of real commands: the demonstration's month ([`demo`]), and a year of any size for
//! measurements ([`volume`]).
//!
//! They stand on the journal, below the server, which lends them what is its own by [`Server`].

pub mod demo;
pub mod volume;

use caudal_domain::ids::{RemittanceId, TenantId};
use chrono::{DateTime, Utc};

/// What the server does for the generators.
pub trait Server {
    /// Hash of a password as a PHC string.
    fn hash(&self, password: &str) -> Result<String, Failure>;

    /// Stores an image as the proof of deliveries, and returns the file's id.
    fn keep(
        &self,
        tenant: &TenantId,
        image: &'static [u8],
        proves: &[RemittanceId],
        at: DateTime<Utc>,
    ) -> impl Future<Output = Result<String, Failure>>;
}

/// Why the server could not do it.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
