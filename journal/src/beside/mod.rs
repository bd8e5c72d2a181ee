//! Rows beside the log, written in the same statement as their events.
//!
//! | Module | Content |
//! |---|---|
//! | [`idempotency_records`] | idempotency records |
//! | [`answers`] | stored API answers by idempotency key |
//! | [`retention`] | deletion of expired idempotency records and answers |
//! | [`unique_values`] | unique values: an e-mail, a code, a reference, each with one holder |
//! | [`implied`] | unique values that a log implies, for comparison |
//! | [`credentials`] | password hashes of parties |
//! | [`authenticity`] | row MACs, and their adoption by older rows |
//!
//! Every row is checked against its MAC before use. Data keys of people, whose rows have a MAC too, are in
//! [`crate::people`]; state snapshots in [`crate::writer`].

pub(crate) mod answers;
pub(crate) mod authenticity;
pub(crate) mod credentials;
pub(crate) mod idempotency_records;
pub(crate) mod implied;
pub(crate) mod retention;
pub(crate) mod unique_values;
