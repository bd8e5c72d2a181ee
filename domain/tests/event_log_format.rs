//! Stability of the log's format: every event type has a golden file, byte for byte, and a described field for each
//! value.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where it must")]

#[path = "../examples/event_catalogue/main.rs"]
mod event_catalogue;

use caudal_domain::{DecodeError, Event, StreamKind};
use event_catalogue::{
    catalogue::{EVENTS, Field, SHAPES},
    golden, had, shape_of,
};
use serde_json::Value;
use std::collections::BTreeSet;

/// Current versions: kind, type, version and golden text.
fn all() -> impl Iterator<Item = (StreamKind, &'static str, &'static str, String)> {
    Event::TYPES.iter().map(|(kind, name)| {
        let version = Event::present_version(*kind, name).unwrap();
        (*kind, *name, version, golden(name, version).unwrap())
    })
}

/// The earlier versions.
fn earlier() -> impl Iterator<Item = (StreamKind, &'static str, &'static str, String)> {
    Event::TYPES.iter().flat_map(|(kind, name)| {
        let versions = Event::earlier_versions(*kind, name).into_iter();
        versions.map(|version| (*kind, *name, version, golden(name, version).unwrap()))
    })
}

/// Names of the event types. Parties and customers share the event of forgetting.
fn names() -> BTreeSet<&'static str> {
    Event::TYPES.iter().map(|(_, name)| *name).collect()
}

#[test]
fn every_event_type_round_trips_byte_for_byte() {
    for (kind, name, version, text) in all() {
        let event = Event::decode(kind, name, version, &text).unwrap();
        assert_eq!(
            (event.event_type(), event.stream_kind(), event.event_version()),
            (name, kind, version)
        );
        assert_eq!(event.encode_in_clear().unwrap(), text, "{name}");
    }
}

/// The upcasters on real stored events: an earlier golden file omits values that the current version has, and is
/// written in the current version afterwards.
#[test]
fn every_earlier_version_is_read_as_the_current_one() {
    assert!(earlier().count() > 0);
    for (kind, name, version, text) in earlier() {
        let read = Event::decode(kind, name, version, &text).unwrap();
        let present = Event::present_version(kind, name).unwrap();
        assert_ne!(version, present, "{name}");
        assert_eq!((read.event_type(), read.event_version()), (name, present));
        let written = read.encode_in_clear().unwrap();
        assert_eq!(Event::decode(kind, name, present, &written).unwrap(), read, "{name}");
        // A payload does not decode as another version.
        let todays = golden(name, present).unwrap();
        assert!(Event::decode(kind, name, version, &todays).is_err(), "{name}");
    }
}

#[test]
fn every_golden_file_has_an_event_type_and_version() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden")).unwrap();
    let found: BTreeSet<_> = folder
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let known = all()
        .chain(earlier())
        .map(|(_, name, version, _)| format!("{name}.v{version}.json"));
    assert_eq!(found, known.collect());
}

#[test]
fn another_version_type_or_kind_is_an_error() {
    for (kind, name, present, text) in all() {
        for version in ["0", "99", "1.0", ""] {
            let error = Event::decode(kind, name, version, &text).unwrap_err();
            assert!(
                matches!(error, DecodeError::UnknownVersion { .. }),
                "{name} {version:?}"
            );
        }
        for (other_kind, other) in Event::TYPES.iter().filter(|(_, other)| *other != name) {
            assert!(
                Event::decode(*other_kind, other, present, &text).is_err(),
                "{name} read as {other}"
            );
            assert!(
                Event::decode(kind, other, present, &text).is_err(),
                "{name} named {other}"
            );
        }
        assert!(
            Event::decode(kind, name, present, &text[..text.len() - 1]).is_err(),
            "{name} cut short"
        );
    }
}

#[test]
fn a_personal_part_can_be_encrypted_decrypted_and_erased() {
    for (kind, name, version, text) in all() {
        let read = |text: &str| Event::decode(kind, name, version, text).unwrap();
        let clear = read(&text);
        let mut event = clear.clone();
        let Some(part) = event.personal_mut() else { continue };
        let data = part.clear_json().unwrap().unwrap();
        assert!(clear.encode().is_err(), "{name} can't be kept in clear");
        part.set_encrypted("c2VsbGFkbw==".into());
        let mut sealed = read(&event.encode().unwrap());
        assert_eq!(sealed, event, "{name}");
        let part = sealed.personal_mut().unwrap();
        assert_eq!(
            (part.sealed(), part.clear_json().is_none()),
            (Some("c2VsbGFkbw=="), true),
            "{name}"
        );
        part.open(&data).unwrap();
        assert_eq!(sealed, clear, "{name}");
        sealed.personal_mut().unwrap().erase();
        let erased = read(&sealed.encode().unwrap());
        assert!(
            erased
                .personal()
                .is_some_and(|part| part.clear_json().is_none() && part.sealed().is_none()),
            "{name}"
        );
        assert_eq!(
            erased.personal().unwrap().subject(),
            clear.personal().unwrap().subject(),
            "{name}"
        );
    }
}

/// Paths of all values in a value.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, value)| (index.to_string(), value))
            .collect(),
        _ => vec![],
    };
    for (name, value) in inner {
        let path = format!("{at}/{name}");
        paths(value, &path, found);
        found.push(path);
    }
}

#[test]
fn a_value_of_a_wrong_type_is_an_error_at_every_path() {
    for (kind, name, version, text) in all().chain(earlier()) {
        let whole: Value = serde_json::from_str(&text).unwrap();
        let mut found = vec![];
        paths(&whole, "", &mut found);
        for path in found {
            let mut broken = whole.clone();
            *broken.pointer_mut(&path).unwrap() = serde_json::json!({"unexpected": [true]});
            let read = Event::decode(kind, name, version, &broken.to_string());
            assert!(read.is_err(), "{name}{path} read as {read:?}");
        }
    }
}

#[test]
fn an_unknown_field_is_an_error_at_every_path() {
    for (kind, name, version, text) in all().chain(earlier()) {
        let whole: Value = serde_json::from_str(&text).unwrap();
        let mut found = vec![String::new()];
        paths(&whole, "", &mut found);
        for path in found {
            let mut extended = whole.clone();
            let Some(Value::Object(fields)) = extended.pointer_mut(&path) else {
                continue;
            };
            fields.insert("unexpected".into(), Value::Bool(true));
            let read = Event::decode(kind, name, version, &extended.to_string());
            assert!(read.is_err(), "{name}{path} read as {read:?}");
        }
    }
}

/// Compares described fields with written ones, including shapes.
fn compare(place: &str, fields: &[Field], written: &Value) {
    let Value::Object(written) = written else {
        panic!("{place} is no object")
    };
    for name in written.keys() {
        let described = fields.iter().any(|(field, ..)| field.trim_end_matches('?') == name);
        assert!(
            described || (name == "type" && !place.contains('.')),
            "{place}.{name} is not described"
        );
    }
    for (field, of, _) in fields {
        let (name, optional) = (field.trim_end_matches('?'), field.ends_with('?'));
        let Some(value) = written.get(name) else {
            assert!(optional, "{place}.{name} is described and not written");
            continue;
        };
        let Some((_, _, inner)) = SHAPES.iter().find(|(shape, ..)| *shape == shape_of(of)) else {
            continue;
        };
        let place = format!("{place}.{name}");
        match value {
            Value::Array(items) => items.iter().for_each(|item| compare(&place, inner, item)),
            Value::Object(map) if of.starts_with("map") => map.values().for_each(|item| compare(&place, inner, item)),
            Value::Object(part) if of.starts_with("personal") => compare(&place, inner, &part["clear"]),
            value => compare(&place, inner, value),
        }
    }
}

#[test]
fn every_written_event_field_is_described_and_every_described_field_is_written() {
    assert_eq!(EVENTS.len(), names().len());
    for (_, name, _, text) in all() {
        let described = EVENTS.iter().find(|event| event.name == name).unwrap();
        compare(name, described.fields, &serde_json::from_str(&text).unwrap());
    }
    for (kind, name, version, text) in earlier() {
        let described = EVENTS.iter().find(|event| event.name == name).unwrap();
        let fields = had(kind, described, version);
        compare(name, &fields, &serde_json::from_str(&text).unwrap());
    }
}

#[test]
fn versions_are_consecutive_and_begin_with_a_field_of_the_type() {
    for (kind, name) in Event::TYPES {
        let versions = Event::earlier_versions(*kind, name).into_iter();
        let versions: Vec<_> = versions.chain(Event::present_version(*kind, name)).collect();
        let counted: Vec<_> = (1..=versions.len()).map(|version| version.to_string()).collect();
        assert_eq!(versions, counted, "{name}");
    }
    for added in Event::ADDED {
        assert!(Event::TYPES.contains(&(added.kind, added.event_type)), "{added:?}");
        let described = EVENTS.iter().find(|event| event.name == added.event_type).unwrap();
        let optional = format!("{}?", added.name);
        let of_personal = described.fields.iter().find(|(name, ..)| *name == "personal");
        let fields = if added.is_personal {
            let shape = shape_of(of_personal.unwrap().1);
            SHAPES.iter().find(|(name, ..)| *name == shape).unwrap().2
        } else {
            described.fields
        };
        assert!(fields.iter().any(|(name, ..)| *name == optional), "{added:?}");
    }
}

#[test]
fn the_event_catalogue_is_current() {
    let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/events.md")).unwrap();
    let page = event_catalogue::page().unwrap();
    assert!(
        committed == page,
        "run `cargo run -p caudal-domain --example event_catalogue > docs/events.md`"
    );
}
