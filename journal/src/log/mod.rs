//! The log of a tenant: its events, its head, and those who follow it.
//!
//! | Module | What it is |
//! |---|---|
//! | [`append`] | the one statement that writes: a batch, with the rows that become true with it |
//! | [`head`] | the end of the log: position, hash, epoch, time; read, locked or fenced |
//! | [`chain`] | the hash of an event over the event before it |
//! | [`read`] | events by position or by stream, decoded, with their personal parts open or sealed |
//! | [`stored`] | events as the chain covers them: texts and numbers, not decoded |
//! | [`wake`] | followers in this process: the committed position, and the newest events from memory |
//! | [`link`] | followers in other nodes, by `NOTIFY` |
//! | [`cqrs`] | the log as a repository of the library cqrs-es |
//!
//! Positions have no gap and follow commit order: every append advances one head row a tenant, and only from the
//! position, epoch, hash and time that the batch was decided on. docs/chain-format.md says how hashes are computed.

pub(crate) mod append;
pub(crate) mod chain;
pub(crate) mod cqrs;
pub(crate) mod head;
pub(crate) mod link;
pub(crate) mod postgres;
pub(crate) mod read;
pub(crate) mod stored;
pub(crate) mod tenant_log;
pub(crate) mod wake;
