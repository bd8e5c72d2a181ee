//! The properties of what reads requests, as the fuzzer by chance has them.
#![allow(dead_code, reason = "each target looks at one of them")]

#[path = "../../api/tests/fuzz_readers/properties.rs"]
pub mod properties;
