//! Writes the catalogue of errors: `cargo run -p caudal-api --example error_catalogue > docs/errors.md`.

use caudal_api::catalogue::CATALOGUE;
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

const HEAD: &str = "# Errors

Written by `cargo run -p caudal-api --example error_catalogue > docs/errors.md`; a test keeps it up to date.

Every error is `application/problem+json` (RFC 9457): `{type, title, status, code, detail, errors?}`. `type` is
`urn:caudal:problem:` and the code; `detail` is the text in the language that `Accept-Language` asks for (`es`, `en`).
Codes are stable, texts may be reworded. Where fields of a request are at fault the code is `invalid` (422) and `errors`
lists all of them as `{field, code, detail}`, with codes of this list. `{…}` stands for a value.

| Code | Status | Español | English |
|---|---|---|---|
";

/// The calls that refuse, and the status that they answer with; the longer of two that end alike comes first.
const REFUSALS: &[(&str, u16)] = &[
    ("unreadable(", 400),
    ("BAD_REQUEST, ", 400),
    ("unauthorized(", 401),
    ("forbidden(", 403),
    ("not_found(", 404),
    ("METHOD_NOT_ALLOWED, ", 405),
    ("REQUEST_TIMEOUT, ", 408),
    ("conflict(", 409),
    ("Conflict, ", 409),
    ("PAYLOAD_TOO_LARGE, ", 413),
    ("media_type(", 415),
    ("unprocessable(", 422),
    ("too_fast(", 429),
    ("REQUEST_HEADER_FIELDS_TOO_LARGE, ", 431),
    ("INTERNAL_SERVER_ERROR, ", 500),
    ("unavailable(", 503),
];

/// The codes that a table of the domain picks from, by a part of their names: all of them say that the state of things
/// does not allow it.
const OF_TABLES: &[&str] = &["remittance_is_", "_insufficient"];

/// The codes that are chosen apart from the call that refuses with them.
const CHOSEN: &[(&str, u16)] = &[("request_unreadable", 400), ("token_expired", 401)];

/// The status of what is wrong with a field.
const OF_FIELDS: u16 = 422;

/// The whole page.
///
/// # Errors
/// Where the sources can't be read.
pub fn page() -> io::Result<String> {
    let mut program = String::new();
    for folder in ["api/src", "domain/src", "projections/src"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        for file in sources(&root)? {
            let source = fs::read_to_string(file)?;
            program.push_str(source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default());
        }
    }
    let rows = CATALOGUE.iter().map(|entry| {
        let statuses: Vec<_> = statuses(entry.code, &program).iter().map(u16::to_string).collect();
        format!(
            "| `{}` | {} | {} | {} |\n",
            entry.code,
            statuses.join(", "),
            entry.es,
            entry.en
        )
    });
    Ok(rows.fold(HEAD.to_owned(), |page, row| page + &row))
}

/// The statuses that a code is answered with, read off the calls that it stands in.
fn statuses(code: &str, program: &str) -> BTreeSet<u16> {
    let quoted = format!("\"{code}\"");
    let mut found: BTreeSet<_> = program
        .match_indices(&quoted)
        .filter_map(|(at, _)| program.get(..at))
        .filter_map(|before| {
            let before = before.trim_end();
            let before = before
                .strip_suffix(',')
                .map_or_else(|| before.to_owned(), |rest| format!("{rest}, "));
            REFUSALS.iter().find(|(call, _)| before.ends_with(call))
        })
        .map(|(_, status)| *status)
        .collect();
    if found.is_empty() {
        let chosen = CHOSEN
            .iter()
            .find(|(known, _)| *known == code)
            .map(|(_, status)| *status);
        let is_state = OF_TABLES.iter().any(|part| code.contains(part));
        found.insert(chosen.unwrap_or(if is_state { 409 } else { OF_FIELDS }));
    }
    found
}

fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

#[allow(
    dead_code,
    reason = "the test that keeps the page up to date has the file as a module"
)]
fn main() -> io::Result<()> {
    use io::Write as _;
    io::stdout().lock().write_all(page()?.as_bytes())
}
