//! Stored texts of events: the first line is the type and version, as in `PartyChanged.v1`, the rest the payload.
#![no_main]

mod domain;
use domain::{harness, properties};
use std::{collections::HashMap, sync::LazyLock};

static KINDS: LazyLock<HashMap<String, properties::Stored>> = LazyLock::new(|| {
    let golden = domain::golden().into_iter();
    golden
        .map(|event| (format!("{}.v{}", event.1, event.2), event))
        .collect()
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Some((name, text)) = text.split_once('\n') else {
        return;
    };
    if let Some((kind, name, version, _)) = KINDS.get(name) {
        properties::event(*kind, name, version, text);
    }
});
