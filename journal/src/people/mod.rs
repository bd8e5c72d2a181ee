//! Personal data in the log: each person's part of an event is encrypted under that person's data key.
//!
//! | Module | What it is |
//! |---|---|
//! | [`seal`] | encrypts a personal part under a data key, and wraps a data key under the master key |
//! | [`subjects`] | the rows of data keys and of tombstones, and the cache of keys |
//! | [`rewrap`] | wraps all data keys under a new master key while nodes work |
//!
//! Whoever is forgotten loses the data key: the events stay, the chain still verifies, and the part reads as erased.

pub(crate) mod rewrap;
pub(crate) mod seal;
pub(crate) mod subjects;
