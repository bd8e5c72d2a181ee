//! JSON of entries.
#![no_main]

mod domain;
use domain::{harness, properties};

libfuzzer_sys::fuzz_target!(|text: &[u8]| properties::entry(text));
