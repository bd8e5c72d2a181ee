//! Reports: one engine, eight declarations.
//!
//! A [`Report`] is data ([`definitions`]); [`Report::page`] returns a page with totals by currency, [`export`] all rows
//! as a file, [`schema`] its schema.

mod definition;
mod definitions;
mod engine;
mod export;
mod row;
mod schema;

pub use definition::{Column, Kind, Report};
pub use definitions::*;
pub use engine::ReportPage;
pub use export::export;
pub use row::{Row, Value};
