//! Typed tables and small documents as CSV, XLSX, PDF and Parquet.
//!
//! Independent of the domain: a [`Sheet`] declares title and columns, rows come as a stream, and [`export`] renders
//! them. CSV, XLSX and Parquet are streamed; PDF, which needs the number of pages before drawing the first, holds at most
//! [`PDF_ROWS`]. A [`Document`] is a receipt, a statement or a dispatch sheet, drawn by the same layout as tables.
//!
//! Money is given in minor units and written as exact decimal text. Only an XLSX cell holds a binary float, and only
//! for minor units that it represents exactly.

mod csv;
mod document;
mod error;
mod export;
mod language;
mod notation;
mod parquet;
mod pdf;
mod sheet;
mod sums;
mod words;
mod xlsx;

pub use csv::CHUNK_BYTES;
pub use document::{Block, Document, Field};
pub use error::ExportError;
pub use export::{Body, Export, Format, RENDERS_AT_ONCE, UnknownFormat, document, export};
pub use language::Language;
pub use pdf::{PDF_ROWS, PDF_TEXT_BYTES, QR_BYTES};
pub use sheet::{Cell, Column, Kind, MAX_COLUMNS, Row, Sheet, Total};
pub use sums::{MAX_SUMS, Sums};
pub use words::{Words, word};
pub use xlsx::XLSX_ROWS;
