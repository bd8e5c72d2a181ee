//! Candidates, evidence and settings.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends where it cannot go on"
)]

use caudal_screening::evidence::Evidence;
use caudal_screening::{
    Born, Candidate, Date, Document, Entry, Index, Kind, Language, ListedName, Scratch, Settings, Subject,
};

fn index() -> Index {
    let entry = |id: &str, names: &[&str]| Entry {
        id: id.to_owned(),
        kind: Kind::Person,
        names: names.iter().map(|name| ListedName::strong(name)).collect(),
        ..Entry::default()
    };
    Index::build(vec![
        Entry {
            born: vec![Born::on(Date::new(1961, 2, 17).unwrap())],
            countries: vec!["CO".to_owned()],
            documents: vec![Document {
                kind: "Passport".to_owned(),
                number: "AN-081422".to_owned(),
                country: Some("CO".to_owned()),
            }],
            ..entry("balboa", &["BALBOA ZALDIVAR, Eustaquio Ramiro", "El Relojero"])
        },
        entry("jose", &["José Rodríguez"]),
        entry("cruz", &["Juana de la Cruz Pupo"]),
        entry("santa", &["Rosa Santamaría Verdecia"]),
        entry("qadhafi", &["Mohammed al-Qadhafi"]),
        Entry {
            kind: Kind::Vessel,
            ..entry("vessel", &["Estrella Quimera"])
        },
    ])
}

fn ids(index: &Index, subject: &Subject, settings: &Settings) -> Vec<String> {
    let candidates = index.screen(subject, settings, &mut Scratch::default());
    candidates
        .into_iter()
        .map(|candidate| candidate.entry.id.clone())
        .collect()
}

fn found(name: &str) -> Vec<String> {
    ids(&index(), &Subject::named(name), &Settings::default())
}

#[test]
fn names_are_found_in_other_spellings() {
    for name in [
        "Eustaquio Ramiro Balboa Zaldívar",
        "eustaquio balboa",
        "Zaldibar Valboa, Eustakio",
        "Eustaquio R. Balboa Zaldivar",
        "el relojero",
    ] {
        assert_eq!(found(name), ["balboa"], "{name}");
    }
    for name in ["Juana Delacruz Pupo", "Juana Cruz Pupo", "Juanita de la Cruz Pupo"] {
        assert_eq!(found(name), ["cruz"], "{name}");
    }
    assert_eq!(found("Rosa Santa María Verdecia"), ["santa"]);
    assert_eq!(found("Muhamad Gaddafi"), ["qadhafi"]);
    assert_eq!(found("Ramiro Pupo Verdecia"), Vec::<String>::new());
    assert_eq!(found(""), Vec::<String>::new());
}

#[test]
fn a_short_listed_name_of_common_words_needs_evidence_or_the_same_name() {
    assert_eq!(found("José Rodríguez"), ["jose"]);
    assert_eq!(found("Rodriguez, Pepe"), ["jose"]);
    assert_eq!(found("José Rodríguez Verdecia"), Vec::<String>::new());
}

#[test]
fn evidence_moves_the_score_and_is_told() {
    let index = index();
    let mut subject = Subject::named("Eustaquio Balboa");
    let plain = score(&index, &subject).unwrap();
    subject.born = Date::new(1961, 2, 17);
    subject.countries = vec!["Colombia".to_owned()];
    let (supported, words) = score(&index, &subject).unwrap();
    assert_eq!(supported, plain.0 + 7);
    assert_eq!(
        words,
        "Eustaquio = Eustaquio: the same; Balboa = BALBOA: the same; only in the listed name: ZALDIVAR Ramiro; \
         same date of birth; same country"
            .replace("Eustaquio = Eustaquio", "Eustaquio")
    );
    subject.born = Date::new(1985, 2, 17);
    assert_eq!(score(&index, &subject), None);
}

fn score(index: &Index, subject: &Subject) -> Option<(u8, String)> {
    let candidates = index.screen(subject, &Settings::default(), &mut Scratch::default());
    candidates
        .first()
        .map(|c: &Candidate<'_>| (c.score, c.words(Language::English)))
}

#[test]
fn a_document_is_found_under_any_name_and_from_another_country_is_not() {
    let index = index();
    let subject = |country: &str| Subject {
        documents: vec![Document {
            number: "an 081422".to_owned(),
            country: Some(country.to_owned()),
            ..Document::default()
        }],
        born: Date::new(1999, 1, 1),
        ..Subject::named("Nadie Conocido")
    };
    let candidates = index.screen(&subject("Colombia"), &Settings::default(), &mut Scratch::default());
    assert_eq!((candidates[0].entry.id.as_str(), candidates[0].score), ("balboa", 100));
    assert!(candidates[0].evidence.contains(&Evidence::DocumentSame));
    assert_eq!(
        ids(&index, &subject("Cuba"), &Settings::default()),
        Vec::<String>::new()
    );
}

#[test]
fn settings_choose_the_threshold_vessels_and_the_number_of_candidates() {
    let index = index();
    let settings = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings
    };
    let vessel = Subject::named("Estrella Quimera");
    assert_eq!(ids(&index, &vessel, &Settings::default()), Vec::<String>::new());
    assert_eq!(ids(&index, &vessel, &settings(|s| s.vessels = true)), ["vessel"]);
    let alike = Subject::named("Eustaqio Balboa");
    assert_eq!(
        ids(&index, &alike, &settings(|s| s.threshold = 99)),
        Vec::<String>::new()
    );
    assert_eq!(
        ids(&index, &alike, &settings(|s| s.candidates = 0)),
        Vec::<String>::new()
    );
}

#[test]
fn a_scratch_serves_indexes_of_any_size() {
    let (large, small) = (index(), Index::build(Vec::new()));
    let mut scratch = Scratch::default();
    for index in [&large, &small, &large] {
        let found = index.screen(
            &Subject::named("Eustaquio Balboa Zaldivar"),
            &Settings::default(),
            &mut scratch,
        );
        assert_eq!(found.len(), usize::from(index.names() > 0));
    }
}

#[test]
fn entries_that_are_left_out_take_no_place_among_the_candidates() {
    let entries = (0..60).map(|number| Entry {
        id: number.to_string(),
        names: vec![ListedName::strong("José Rodríguez")],
        documents: vec![Document {
            number: "79372110".to_owned(),
            ..Document::default()
        }],
        ..Entry::default()
    });
    let index = Index::build(entries.collect());
    let settings = Settings::default();
    let mut scratch = Scratch::default();
    for subject in [
        Subject::named("José Rodríguez"),
        Subject {
            documents: vec![Document {
                number: "79372110".to_owned(),
                ..Document::default()
            }],
            ..Subject::named("Ramiro Pupo")
        },
    ] {
        let shown = index.screen(&subject, &settings, &mut scratch);
        assert_eq!(shown.len(), settings.candidates);
        let decided: Vec<&str> = shown.iter().map(|candidate| candidate.entry.id.as_str()).collect();
        let left_out = |entry: &Entry| decided.contains(&entry.id.as_str());
        let others = index.screen_but(&subject, &settings, &mut scratch, &left_out);
        let mut others: Vec<&str> = others.iter().map(|candidate| candidate.entry.id.as_str()).collect();
        others.sort_unstable();
        assert_eq!(others, ["50", "51", "52", "53", "54", "55", "56", "57", "58", "59"]);
    }
}
