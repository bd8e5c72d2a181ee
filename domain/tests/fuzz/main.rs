//! Random input for the domain: money, quotes, events and books. Nothing panics, and accepted input satisfies its
//! properties.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where it must")]

mod harness;
mod properties;

use caudal_domain::Entry;
use harness::fuzz;
use properties::Stored;
use std::path::Path;

const DIGITS: &[&str] = &[
    "0",
    "1",
    "5",
    "9",
    "00",
    "99",
    ".",
    "-",
    "+",
    "e",
    "E9",
    " ",
    ",",
    "_",
    "1000000000000",
    "9223372036854775807",
    "0.005",
    "NaN",
    "inf",
    "٣",
    "1.00",
];

#[test]
fn a_text_reads_back_equal_as_amount_or_rate_or_is_refused() {
    fuzz("money", |chance| properties::money(&chance.text(DIGITS, 8)));
}

#[test]
fn a_quote_pays_the_rounded_product_and_charges_the_sum_of_its_fees() {
    fuzz("quotes", properties::quote);
}

const JSON: &[&str] = &[
    "\"",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "-1",
    "1e308",
    "18446744073709551616",
    "\\ud800",
    "\\u0000",
    "\"type\"",
    "\"clear\":null",
    "\"sealed\":\"AA==\"",
    "\"0.00\"",
    "\"999999999999999999999999999\"",
    "\"-1.00\"",
    "\"unexpected\":1,",
    "\u{202e}",
    "\u{0}",
];

fn golden() -> Vec<Stored> {
    properties::golden(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"))
}

#[test]
fn a_stored_text_reads_back_equal_as_event_or_is_refused() {
    let golden = golden();
    fuzz("events", |chance| {
        let (kind, name, version, text) = &golden[chance.below(golden.len())];
        let text = chance.mutated(text, JSON);
        let Ok(text) = std::str::from_utf8(&text) else { return };
        properties::event(*kind, name, version, text);
    });
}

#[test]
fn no_readable_event_breaks_the_books() {
    let golden = golden();
    fuzz("books", |chance| properties::state(&golden, JSON, chance));
}

#[test]
fn entries_round_trip() {
    const TEXT: &str =
        r#"{"transfers":[{"debit":"treasury/CUP","credit":"capital/CUP","amount":"1.00","code":"deposit"}]}"#;
    const PIECES: &[&str] = &[
        "/",
        "CUP",
        "USD",
        "treasury",
        "balance",
        "0196a000-0000-7000-8000-000000000008",
        "\"",
        "1.00",
    ];
    serde_json::from_str::<Entry>(TEXT).unwrap();
    fuzz("entries", |chance| {
        properties::entry(&chance.mutated(TEXT.as_bytes(), PIECES))
    });
}
