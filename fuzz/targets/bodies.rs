//! JSON bodies: the first line is what the body is of, as in `deposit-of-cash`, the rest the body.
#![no_main]

mod server;
use server::properties;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some(end) = input.iter().position(|byte| *byte == b'\n') else {
        return;
    };
    let (kind, text) = input.split_at(end);
    if let Ok(kind) = std::str::from_utf8(kind) {
        properties::json(kind, &text[1..]);
    }
});
