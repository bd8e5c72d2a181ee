//! Forms: the first line is the type of content, as in `multipart/form-data; boundary=x`, its first byte being how large
//! the pieces are in which the form arrives; the rest is the form.
#![no_main]

mod server;
use server::properties;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((size, rest)) = input.split_first() else {
        return;
    };
    let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
        return;
    };
    let (kind, body) = rest.split_at(end);
    properties::form(kind, &body[1..], usize::from(*size).max(1));
});
