//! Typed tables and small documents as CSV, XLSX and PDF.
//!
//! It knows nothing of the domain: a [`Sheet`] says what a table is about and which columns it has, the rows come as a
//! stream, and [`export`] renders them. CSV and XLSX never hold all rows; PDF, which must know its number of pages
//! before the first is drawn, holds at most [`PDF_ROWS`]. A [`Document`] is a receipt, a statement or a dispatch
//! sheet, drawn by the same layout as the tables.
//!
//! Money comes in minor units and leaves as exact decimal text; only an XLSX cell, which knows no other number, holds
//! a binary float, made from minor units that it can hold exactly.

mod csv;
mod document;
mod error;
mod export;
mod language;
mod notation;
mod pdf;
mod sheet;
mod sums;
mod xlsx;

pub use csv::CHUNK_BYTES;
pub use document::{Block, Document, Field};
pub use error::ExportError;
pub use export::{Body, Export, Format, RENDERS_AT_ONCE, UnknownFormat, document, export};
pub use language::Language;
pub use pdf::{PDF_ROWS, PDF_TEXT_BYTES, QR_BYTES};
pub use sheet::{Cell, Column, Kind, MAX_COLUMNS, Row, Sheet, Total};
pub use sums::{MAX_SUMS, Sums};
pub use xlsx::XLSX_ROWS;
