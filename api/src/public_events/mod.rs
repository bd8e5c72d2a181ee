//! The public feed's server side: requests that wait for events, and the schemas of the events.

pub mod schemas;
pub mod waits;
