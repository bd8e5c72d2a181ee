//! Histories: what this node has seen of each tenant's log, and the quarantine of a tenant whose log diverges from it.
//!
//! Guarantees:
//! - No seen head is ever rolled back silently. Every path that reads a head or events for a decision compares them
//!   with the last seen point ([`Histories::expected`]); a log that is shorter, has another hash there, or does not
//!   chain is a [`Divergence`] and puts the tenant into [quarantine](quarantine::Quarantine).
//! - Observations, acknowledgements and quarantines survive restarts in the data folder ([`evidence`]), out of reach of
//!   a database restore.
//! - Nodes exchange quarantines through the database ([`reports`]), and check each other's reports and the server's
//!   identity every [`watch::INTERVAL`].

mod divergence;
pub(crate) mod ending;
mod evidence;
mod known;
mod lost;
mod quarantine;
pub(crate) mod reports;
mod settled;
mod watch;

pub use divergence::{Divergence, DivergenceKind, LogPoint};
pub use ending::{EndError, Ended, RecordedDecision};
pub use evidence::{Evidence, EvidenceError, Loaded as LoadedEvidence};
pub(crate) use known::Histories;
pub use known::RECENT_BATCHES;
pub use quarantine::{Acknowledgement, Quarantine, SeenBatch};
pub(crate) use reports::Reports;
pub use reports::{Decision, StoredReport};
