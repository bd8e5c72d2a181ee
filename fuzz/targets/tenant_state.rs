//! Events in any order, and the books that they make.
#![no_main]

mod domain;
use domain::{
    harness::{self, Chance},
    properties,
};
use std::sync::LazyLock;

static GOLDEN: LazyLock<Vec<properties::Stored>> = LazyLock::new(domain::golden);

/// What the payloads are changed with.
const PIECES: &[&str] = &[
    "\"0.00\"",
    "\"-1.00\"",
    "\"92233720368547758.07\"",
    "null",
    "true",
    "[]",
    "{}",
    "\"USD\"",
    "1",
];

libfuzzer_sys::fuzz_target!(|input: &[u8]| properties::state(&GOLDEN, PIECES, &mut Chance::of(input.to_vec())));
