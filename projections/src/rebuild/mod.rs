//! Building the read models anew beside those that serve, and comparing the two row by row.
//!
//! [`crate::verify::replay`] builds them into temporary tables and throws them away; [`Rebuild`] builds them into a
//! schema of their own and puts that in place of the old one, in one transaction. Whatever ends either of them before
//! that transaction is committed leaves the service as it was.

mod catalog;
mod compare;
mod fill;
mod swap;

pub use compare::Difference;
pub(crate) use compare::compare;
pub(crate) use fill::{GROWTH, Shadow, tables};
pub use swap::{Rebuild, RebuildError, Rebuilt, Step};
