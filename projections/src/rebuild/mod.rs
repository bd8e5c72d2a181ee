//! Rebuild of the read models beside the serving ones, and row-by-row comparison.
//!
//! [`crate::verify::replay`] builds into temporary tables and discards them; [`Rebuild`] builds into a shadow schema
//! and swaps it in, in one transaction. An abort before that commit leaves the service unchanged.

mod catalog;
mod compare;
mod fill;
mod replay;
mod swap;
mod views;

pub use compare::Difference;
pub(crate) use compare::compare;
pub(crate) use fill::{GROWTH, Shadow, tables};
pub use swap::{Rebuild, RebuildError, Rebuilt, Step};
