//! Query strings.
#![no_main]

mod server;
use server::properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::query(text));
