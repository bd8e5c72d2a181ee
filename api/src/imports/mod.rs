//! Imports: a spreadsheet becomes ordinary commands, one row at a time ([why so](../../../docs/decisions/imports.md)).
//!
//! | Module | Responsibility |
//! |---|---|
//! | [`reader`] | CSV, XLSX and ODS into rows of cells, within limits; knows nothing of the business |
//! | [`values`] | numbers and dates as people write them |
//! | [`mapping`] | which column is which field; guessed from headers and content, kept per profile |
//! | [`kinds`] | one file per kind: its fields, their guess words, how a row becomes commands |
//! | [`known`] | customers that a row may mean, and those registered on the way |
//! | [`proofs`] | the ZIP of proofs of a list of completions |
//! | [`deliveries`] | remittances and proofs that rows of completions mean |
//! | [`import`] | an import, its rows and their outcomes |
//! | [`store`] | tables, in which contents of files are encrypted |
//! | [`fixing`] | the file of rows in error, to be corrected and uploaded again |
//!
//! The task that previews and runs is [`importing`](crate::importing).
//!
//! A row's commands have keys made of the file's digest and the row's number, and so have the records that they open. A
//! repetition after a crash, of another node, or of the same file adds nothing.

pub mod deliveries;
pub mod fixing;
pub mod import;
pub mod kinds;
pub mod known;
pub mod mapping;
pub mod proofs;
pub mod reader;
pub mod store;
pub mod values;
