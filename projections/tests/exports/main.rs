//! Lists, reports and documents as files: exactly the filtered rows in the caller's scope, in every format and at
//! every size.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[macro_use]
mod files;
mod documents;
mod lists;
mod reports;
mod sorts;
