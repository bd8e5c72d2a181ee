//! Files to import: the first byte is what the rest is, as [`properties::imported`] reads it: a file, a workbook's sheet or
//! another part, the content of an OpenDocument spreadsheet, a ZIP of proofs.
#![no_main]

mod server;
use server::properties;

libfuzzer_sys::fuzz_target!(|input: &[u8]| properties::imported(input));
