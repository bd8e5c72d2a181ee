//! Properties that hold for any text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends where it cannot go on"
)]

use caudal_screening::read;
use caudal_screening::score::{CommonNames, compare, one_edit, similarity};
use caudal_screening::{
    Document, Entry, Format, Index, Language, Limits, ListedName, Name, Scratch, Settings, Subject,
};
use proptest::prelude::*;

/// Any text, and texts that look like names.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[A-Za-zÁÉÍÓÚáéíóúñü' .,-]{0,40}",
        "(José|Pepe|María|de|la|del|Luis|J\\.|Mohammed|Muhamad|Pérez|Peres|Rodríguez|Santa|Santamaría|al-)( (José|de|la|Cruz|Delacruz|Pérez|Gómez|y|Núñez|María)){0,5}",
        "\\PC{0,30}",
    ]
}

proptest! {
    #[test]
    fn normalising_twice_changes_nothing(text in text()) {
        let once = Name::of(&text).text();
        prop_assert_eq!(Name::of(&once).text(), once);
    }

    #[test]
    fn the_score_is_symmetric_and_within_bounds(a in text(), b in text()) {
        let (a, b) = (Name::of(&a), Name::of(&b));
        let (there, back) = (compare(&a, &b, &CommonNames), compare(&b, &a, &CommonNames));
        prop_assert_eq!(there.score, back.score);
        prop_assert!(there.score <= 100);
        prop_assert!((there.bits - back.bits).abs() < 0.001);
        prop_assert_eq!(there.only_screened, back.only_listed);
        for language in [Language::English, Language::Spanish] {
            prop_assert_eq!(compare(&a, &b, &CommonNames).words(language).is_empty(), a.tokens.is_empty() && b.tokens.is_empty());
        }
    }

    #[test]
    fn a_name_scores_one_hundred_with_itself_in_any_order(text in text()) {
        let name = Name::of(&text);
        let mut turned = name.clone();
        turned.tokens.reverse();
        let expected = if name.tokens.is_empty() { 0 } else { 100 };
        prop_assert_eq!(compare(&name, &turned, &CommonNames).score, expected);
    }

    #[test]
    fn similar_words_are_similar_both_ways(a in text(), b in text()) {
        prop_assert_eq!(one_edit(&a, &b), one_edit(&b, &a));
        for x in &Name::of(&a).tokens {
            for y in &Name::of(&b).tokens {
                prop_assert_eq!(similarity(x, y), similarity(y, x));
            }
        }
    }

    #[test]
    fn an_exact_name_is_always_found(texts in prop::collection::vec(text(), 1..12)) {
        let entries = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Entry { id: at.to_string(), names: vec![ListedName::strong(text)], ..Entry::default() })
            .collect();
        let index = Index::build(entries);
        let mut scratch = Scratch::default();
        for (at, text) in texts.iter().enumerate() {
            let candidates = index.screen(&Subject::named(text), &Settings::default(), &mut scratch);
            if !Name::of(text).tokens.is_empty() {
                let found = candidates.iter().find(|candidate| candidate.entry.id == at.to_string());
                prop_assert_eq!(found.map(|candidate| candidate.score), Some(100), "{}", text);
            }
        }
    }

    #[test]
    fn the_index_finds_what_the_score_alone_finds(texts in prop::collection::vec(text(), 1..8), name in text()) {
        let entries = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Entry { id: at.to_string(), names: vec![ListedName::strong(text)], ..Entry::default() })
            .collect();
        let index = Index::build(entries);
        let settings = Settings { bits_listed_shorter: 0.0, bits_screened_shorter: 0.0, ..Settings::default() };
        let candidates = index.screen(&Subject::named(&name), &settings, &mut Scratch::default());
        let found: Vec<&str> = candidates.iter().map(|candidate| candidate.entry.id.as_str()).collect();
        for (at, text) in texts.iter().enumerate() {
            let score = compare(&Name::of(&name), &Name::of(text), &index).score;
            prop_assert_eq!(found.contains(&at.to_string().as_str()), score >= settings.threshold, "{} | {}: {}", name, text, score);
        }
    }

    #[test]
    fn documents_are_normalised_once(number in any::<String>()) {
        let once = Document::normalised(&number);
        prop_assert_eq!(Document::normalised(&once), once);
    }

    #[test]
    fn readers_answer_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300), format in 0..5_usize) {
        let _ = read::read(Format::ALL[format], &bytes[..], Limits::default(), &mut |_| {});
    }

    #[test]
    fn readers_answer_damaged_files(at in 0..10_000_usize, byte in any::<u8>(), format in 0..5_usize) {
        let files: [&[u8]; 5] = [
            include_bytes!("samples/ofac-sdn.xml"),
            include_bytes!("samples/SDN.CSV"),
            include_bytes!("samples/eu.xml"),
            include_bytes!("samples/un.xml"),
            include_bytes!("samples/plain.csv"),
        ];
        let mut file = files[format].to_vec();
        let at = at % file.len();
        file[at] = byte;
        let _ = read::read(Format::ALL[format], &file[..], Limits::default(), &mut |_| {});
    }
}
