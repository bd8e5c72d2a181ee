//! Answers without values that differ between logs: positions, human numbers, times, ids, hashes and signatures.

use crate::support::{Answer, pdf::pages};
use chrono::{DateTime, NaiveDateTime};
use serde_json::Value;
use uuid::Uuid;

/// The compared part of an answer: status and body.
pub fn masked(answer: &Answer) -> String {
    let body = match &answer.body {
        Value::Null if is_pdf(answer) => document(&pages(&answer.bytes)),
        Value::Null => table(&String::from_utf8_lossy(&answer.bytes)),
        body => serde_json::to_string_pretty(&json(body.clone())).unwrap(),
    };
    format!("{}\n{body}", answer.status)
}

pub fn is_pdf(answer: &Answer) -> bool {
    answer.bytes.starts_with(b"%PDF")
}

fn json(value: Value) -> Value {
    match value {
        Value::String(text) => words(&text).into(),
        Value::Array(values) => {
            let mut values: Vec<Value> = values.into_iter().map(json).collect();
            // A proof has more hashes in a longer log.
            values.dedup_by(|one, other| one == "<hash>" && other == "<hash>");
            values.into()
        }
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| match (name.as_str(), &value) {
                // A report's `sold` is a position; a closure's `sold` is money, and so a text. Worlds are tenants,
                // and a proof names its tenant.
                ("position" | "requestId" | "tenant" | "sealed", _) | ("sold" | "recordedAt", Value::Number(_)) => {
                    (name, Value::Null)
                }
                // A stored event.
                ("payload", Value::String(text)) => {
                    let stored = serde_json::from_str(text).unwrap_or(Value::Null);
                    (name, json(stored))
                }
                _ => (name, json(value)),
            })
            .collect(),
        value => value,
    }
}

/// A CSV file; an entry's number is its event's position.
fn table(text: &str) -> String {
    let entries = text.trim_start_matches('\u{feff}').starts_with("Entry");
    let line = |line: &str| {
        let line = match line.split_once([',', ';']) {
            Some((_, rest)) if entries => rest,
            _ => line,
        };
        words(line)
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The text of a PDF file. It names the tenant, which the worlds do not share, and the time when it was made.
fn document(text: &str) -> String {
    let is_time = |word: &str| word.contains(':') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    let line = |line: &str| {
        if line.starts_with("Tenant ") {
            return "<tenant>".to_owned();
        }
        let of_word = |word| {
            if is_time(word) {
                "<time>".to_owned()
            } else {
                words(word)
            }
        };
        line.split(' ').map(of_word).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> String {
    const TIMES: [&str; 3] = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%d/%m/%Y %H:%M"];
    if DateTime::parse_from_rfc3339(text).is_ok() {
        return "<time>".to_owned();
    }
    if is_signature(text) {
        return "<signature>".to_owned();
    }
    let cells = text.split_inclusive([',', ';']).map(|cell| {
        let (cell, end) = match cell.strip_suffix([',', ';']) {
            Some(inner) => (inner, &cell[inner.len()..]),
            None => (cell, ""),
        };
        let is_time = DateTime::parse_from_rfc3339(cell).is_ok()
            || TIMES
                .iter()
                .any(|form| NaiveDateTime::parse_from_str(cell, form).is_ok());
        let cell = if is_time { "<time>".to_owned() } else { parts(cell) };
        format!("{cell}{end}")
    });
    cells.collect()
}

/// An Ed25519 signature in Base64: 64 bytes.
fn is_signature(text: &str) -> bool {
    let digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.strip_suffix("==")
        .is_some_and(|digits| digits.len() == 86 && digits.bytes().all(digit))
}

fn parts(text: &str) -> String {
    let part = |part: &str| {
        let (part, end) = match part.strip_suffix(['/', ' ', '(', ')', '"']) {
            Some(inner) => (inner, &part[inner.len()..]),
            None => (part, ""),
        };
        format!("{}{end}", word(part))
    };
    text.split_inclusive(['/', ' ', '(', ')', '"']).map(part).collect()
}

fn word(word: &str) -> &str {
    let digits = |text: &str| text.len() >= 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    if Uuid::parse_str(word).is_ok() {
        "<id>"
    } else if ["R-", "M-", "C-"]
        .iter()
        .any(|kind| word.strip_prefix(kind).is_some_and(digits))
    {
        "<number>"
    } else if word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        "<hash>"
    } else {
        word
    }
}

/// The first lines that differ.
pub fn difference(one: &str, other: &str) -> String {
    let mut others = other.lines();
    for line in one.lines() {
        match others.next() {
            Some(told) if told == line => {}
            told => return format!("{} became {}", line.trim(), told.unwrap_or("nothing").trim()),
        }
    }
    format!("more: {}", others.next().unwrap_or_default().trim())
}
