//! Writes the event catalogue: `cargo run -p caudal-domain --example event_catalogue > docs/events.md`.

#![allow(dead_code, reason = "the test of the page uses its own part")]

pub mod catalogue;

use catalogue::{EVENTS, EventDoc, Field, SHAPES};
use caudal_domain::{DecodeError, Event, StreamKind};
use std::{fmt::Write as _, io, path::PathBuf};

/// What stands above the events.
const INTRODUCTION: &str = "\
# Event catalogue

All that ever changes in a tenant's business is one of these events. Each stands in the stream of one aggregate, bears a
type and a version, and is kept as JSON text, whose exact bytes are hashed. An event is never changed; a type that needs
another shape gets a new version, in which it is written from then on, and what is stored of the version before is read as
the new one by an upcaster. A version or a field that a program does not know stops it.

Written by `cargo run -p caudal-domain --example event_catalogue > docs/events.md`; a test keeps it up to date. The
examples are the golden files of `domain/tests/golden/`.

**How values are written.** *amount*: a decimal text with two decimals, `\"1234.50\"`. *rate*: an exact decimal text, a
percentage or units of a currency per USD. *currency*: three capital letters. *id*: a UUID. *time*: RFC 3339 in UTC.
*day*: `YYYY-MM-DD` in the tenant's time zone. *hash*: the SHA-256 of a stored file, in hexadecimal. *account*:
`kind[/owner[/group]]/CURRENCY`. A field marked with `?` is absent where there is nothing to say. Who gave the command,
when, and under which request is not in the event but beside it in the log.

**What is personal** stands in one part of an event, `personal`, about one person, its `subject`. Here it is shown in
clear: `{\"subject\": id, \"clear\": {..}}`. In the log it is sealed under that person's key, `{\"subject\": id, \"sealed\":
text}`; once the person is forgotten it reads as `{\"subject\": id}`. No balance and no rule depends on it.
";

/// The text of the golden file of a version of an event type.
///
/// # Errors
/// Where there is none.
pub fn golden(event_type: &str, version: &str) -> io::Result<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let text = std::fs::read_to_string(folder.join(format!("{event_type}.v{version}.json")))?;
    Ok(text.trim_end_matches('\n').to_owned())
}

/// Why the page can't be written.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error("the golden file of {0} can't be read")]
    Golden(&'static str, #[source] io::Error),
    #[error("a golden file is no event of its type")]
    Decode(#[from] DecodeError),
    #[error("{0} has no description")]
    Undescribed(&'static str),
    #[error("an example can't be written")]
    Encode(#[from] serde_json::Error),
}

/// The whole page.
///
/// # Errors
/// Where a type lacks its description or its golden file.
pub fn page() -> Result<String, PageError> {
    let mut page = INTRODUCTION.to_owned();
    let mut last = None;
    for (kind, name) in Event::TYPES {
        let described = EVENTS.iter().find(|event| event.name == *name);
        let described = described.ok_or(PageError::Undescribed(name))?;
        let present = Event::present_version(*kind, name).ok_or(PageError::Undescribed(name))?;
        let text = golden(name, present).map_err(|error| PageError::Golden(name, error))?;
        let event = Event::decode(*kind, name, present, &text)?;
        if last.replace(*kind) != Some(*kind) {
            page += &heading(*kind);
        }
        let personal = if event.personal().is_some() {
            "The part `personal`."
        } else {
            "Nothing."
        };
        // Writing to a String cannot fail.
        let _ = write!(
            page,
            "\n### {name}\n\nVersion {present}. {}\n\n{}\nPersonal: {personal}\n\n{}",
            described.when,
            table(described.fields),
            example(&pretty(&event.encode_in_clear()?)),
        );
        for version in Event::earlier_versions(*kind, name) {
            page += &earlier_shape(*kind, described, version)?;
        }
    }
    page += "\n## Shapes\n";
    for (name, meaning, fields) in SHAPES {
        let _ = write!(page, "\n### {name}\n\n{meaning}\n\n{}", table(fields));
    }
    Ok(page)
}

/// The fields that a version of a type had: today's but for those that the type gained later.
#[must_use]
pub fn had(kind: StreamKind, described: &EventDoc, version: &str) -> Vec<Field> {
    let lacking: Vec<_> = Event::lacking(kind, described.name, version)
        .into_iter()
        .flatten()
        .collect();
    let lacks = |field: &str| lacking.iter().any(|added| added.name == field.trim_end_matches('?'));
    described
        .fields
        .iter()
        .copied()
        .filter(|(name, ..)| !lacks(name))
        .collect()
}

/// An earlier shape with its example, as it stands in logs.
fn earlier_shape(kind: StreamKind, described: &EventDoc, version: &str) -> Result<String, PageError> {
    let name = described.name;
    let lacking = Event::lacking(kind, name, version).into_iter().flatten();
    let becomes: Vec<_> = lacking.map(|added| added.before).collect();
    let text = golden(name, version).map_err(|error| PageError::Golden(name, error))?;
    Event::decode(kind, name, version, &text)?;
    Ok(format!(
        "\n#### {name}, version {version}\n\nWritten no more; what is stored stays, and is read as today's version. {}\n\n{}\n{}",
        becomes.join(" "),
        table(&had(kind, described, version)),
        example(&text),
    ))
}

/// Compact JSON text over several lines, its fields in the order that they have.
fn pretty(json: &str) -> String {
    const INDENT: &str = "  ";
    let (mut page, mut depth) = (String::new(), 0_usize);
    let (mut in_text, mut escaped) = (false, false);
    let mut characters = json.chars().peekable();
    while let Some(character) = characters.next() {
        if in_text {
            page.push(character);
            in_text = escaped || character != '"';
            escaped = character == '\\' && !escaped;
            continue;
        }
        let is_empty = matches!((character, characters.peek()), ('{', Some('}')) | ('[', Some(']')));
        let closes_empty = matches!((page.chars().last(), character), (Some('{'), '}') | (Some('['), ']'));
        let line = |page: &mut String, depth: usize| {
            page.push('\n');
            page.push_str(&INDENT.repeat(depth));
        };
        match character {
            '{' | '[' if !is_empty => {
                depth += 1;
                page.push(character);
                line(&mut page, depth);
            }
            '}' | ']' if !closes_empty => {
                depth = depth.saturating_sub(1);
                line(&mut page, depth);
                page.push(character);
            }
            ',' => {
                page.push(character);
                line(&mut page, depth);
            }
            ':' => page.push_str(": "),
            _ => {
                in_text = character == '"';
                page.push(character);
            }
        }
    }
    page
}

fn example(json: &str) -> String {
    format!("```json\n{json}\n```\n")
}

fn heading(kind: StreamKind) -> String {
    format!("\n## Streams of kind `{kind}`\n")
}

fn table(fields: &[Field]) -> String {
    let mut table = "| Field | Type | Meaning |\n|---|---|---|\n".to_owned();
    for (name, of, meaning) in fields {
        let _ = writeln!(table, "| `{name}` | {} | {meaning} |", type_text(of));
    }
    table
}

/// A field's type, linked to its shape where it has one.
fn type_text(of: &str) -> String {
    let shape = shape_of(of);
    if SHAPES.iter().any(|(name, ..)| *name == shape) {
        of.replace(shape, &format!("[{shape}](#{})", shape.to_lowercase()))
    } else {
        of.to_owned()
    }
}

/// The shape that a type is made of: `Obligation` of `list of Obligation`.
pub fn shape_of(of: &str) -> &str {
    of.rsplit(' ').next().unwrap_or(of)
}

fn main() -> Result<(), PageError> {
    print!("{}", page()?);
    Ok(())
}
