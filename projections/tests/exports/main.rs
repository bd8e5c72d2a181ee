//! Lists, reports and documents as files: exactly the rows that the filters leave in the caller's scope, in every
//! format, however many they are.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;
#[macro_use]
mod files;
mod documents;
mod lists;
mod reports;
mod sorts;
