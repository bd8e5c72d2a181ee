//! The domain's properties and generators, shared with the random fuzzer.
#![allow(dead_code, reason = "each target looks at one of them")]

#[path = "../../domain/tests/fuzz/harness.rs"]
pub mod harness;
#[path = "../../domain/tests/fuzz/properties.rs"]
pub mod properties;

/// The golden files, which have every event of every version.
pub fn golden() -> Vec<properties::Stored> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../domain/tests/golden");
    properties::golden(std::path::Path::new(folder))
}
