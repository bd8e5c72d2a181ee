//! Texts of amounts, rates and currencies.
#![no_main]

mod domain;
use domain::{harness, properties};

libfuzzer_sys::fuzz_target!(|text: &str| properties::money(text));
