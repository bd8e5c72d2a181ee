//! Histories: what this node has seen of each tenant's log, and the quarantine of a tenant whose log does not extend it.
//!
//! Guarantees:
//! - A head that this node has seen is never taken back silently. Every path that reads a head or events for a decision
//!   compares them with the last point seen ([`Histories::expected`]); a log that is shorter, has another hash there, or does
//!   not chain is a [`Divergence`] and puts the tenant into [quarantine](quarantine::Quarantine).
//! - What was seen, acknowledged and quarantined survives restarts in the data folder ([`evidence`]), which a restore of
//!   the database does not take back.
//! - Nodes tell one another of quarantines through the database ([`reports`]), and look at each other's and at the server
//!   every [`watch::INTERVAL`].

mod divergence;
pub(crate) mod ending;
mod evidence;
mod known;
mod quarantine;
pub(crate) mod reports;
mod watch;

pub use divergence::{Divergence, DivergenceKind, LogPoint};
pub use ending::{EndError, Ended, RecordedDecision};
pub use evidence::{Evidence, EvidenceError, Loaded as LoadedEvidence};
pub(crate) use known::Histories;
pub use known::RECENT_BATCHES;
pub use quarantine::{Acknowledgement, Quarantine, SeenBatch};
pub use reports::{Decision, StoredReport};
