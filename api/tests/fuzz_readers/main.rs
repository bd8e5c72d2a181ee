//! Random forms, query strings and JSON bodies, passed directly to their parsers: more cases than over HTTP.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where it must")]

#[path = "../../../domain/tests/fuzz/harness.rs"]
mod harness;
mod properties;

use actix_web::http::header::HeaderValue;
use harness::fuzz;
use properties::{BODIES, Fields, filters, read_form};

const KIND: &str = "multipart/form-data; boundary=x";

const FORM: &[u8] =
    b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\
                      \r\n\x89PNG\r\n--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nabc\r\n--x--\r\n";

const PIECES: &[&str] = &[
    "--x",
    "--x--",
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    "--",
    "name=\"\"",
    "name=file",
    "filename*=UTF-8''%00",
    "Content-Length: -1\r\n",
    "Content-Transfer-Encoding: base64\r\n",
    "Content-Type: multipart/mixed; boundary=x\r\n",
    "\u{0}",
    ";",
    "\"",
];

const KINDS: &[&str] = &[
    "boundary=",
    "\"",
    "=",
    ";",
    "x",
    "-",
    " ",
    "charset=utf-8",
    "multipart/",
    "\u{e9}",
];

#[test]
fn a_form_reads_equal_for_every_chunking() {
    let whole = read_form(&HeaderValue::from_static(KIND), FORM, FORM.len()).unwrap();
    assert_eq!(whole.parts["note"], "abc");
    fuzz("forms", |chance| {
        let kind = if chance.once_in(10) {
            chance.mutated(KIND.as_bytes(), KINDS)
        } else {
            KIND.into()
        };
        let body = chance.mutated(FORM, PIECES);
        properties::form(&kind, &body, 1 + chance.below(30));
    });
}

#[test]
fn a_query_string_reads_back_equal_or_is_refused() {
    const TEXT: &str = "provinceId=0196a000-0000-7000-8000-000000000008&amount=%31.00&page=3&isActive=true";
    const CALLS: &str = include_str!("queries.txt");
    const PIECES: &[&str] = &[
        "&",
        "=",
        "%",
        "%00",
        "%FF",
        "%C3%28",
        "+",
        "amount",
        "page=",
        "-1",
        "4294967296",
        "null",
        "[]",
        ";",
        "%26",
        "%3D",
        "Sort",
        "format=",
        "RECORDSPERPAGE=0",
        "%C2%A0",
    ];
    assert_eq!(filters::<Fields>(TEXT).unwrap().amount.as_deref(), Some("1.00"));
    let texts: Vec<&str> = [TEXT].into_iter().chain(CALLS.lines()).collect();
    fuzz("queries", |chance| {
        let text = chance.one_of(&texts);
        let text = chance.mutated(text.as_bytes(), PIECES);
        if let Ok(text) = std::str::from_utf8(&text) {
            properties::query(text);
        }
    });
}

#[test]
fn a_body_is_a_command_or_its_refusal_names_the_field() {
    const PIECES: &[&str] = &[
        "\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "null",
        "true",
        "{}",
        "[]",
        "\"\"",
        "-1",
        "1e308",
        "0.005",
        "99999999999999999999",
        "1.",
        "\\ud800",
        "\\u0000",
        "\"unexpected\":1,",
        "\"amount\":\"1\",",
        "\"currency\":\"cup\"",
        "\u{202e}",
        "\u{0}",
    ];
    let refused = BODIES.iter().filter(|(_, read, text)| !read(text.as_bytes()));
    let refused: Vec<_> = refused.map(|(name, ..)| name).collect();
    assert!(refused.is_empty(), "{refused:?}");
    fuzz("bodies", |chance| {
        let kind = chance.below(BODIES.len());
        // Occasionally the text of another body.
        let text = if chance.once_in(8) {
            chance.below(BODIES.len())
        } else {
            kind
        };
        let text = chance.mutated(BODIES[text].2.as_bytes(), PIECES);
        properties::json(BODIES[kind].0, &text);
    });
}
