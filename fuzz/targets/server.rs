//! The parsers' properties, shared with the random fuzzer.
#![allow(dead_code, reason = "each target looks at one of them")]

#[path = "../../api/tests/fuzz_readers/properties.rs"]
pub mod properties;
