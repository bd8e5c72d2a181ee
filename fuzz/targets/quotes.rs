//! Terms and amounts of quotes.
#![no_main]

mod domain;
use domain::{
    harness::{self, Chance},
    properties,
};

libfuzzer_sys::fuzz_target!(|input: &[u8]| properties::quote(&mut Chance::of(input.to_vec())));
