//! Comparisons with lists, and what reviewers decided of listed persons.

use super::{files, text, who, yes_or_no};
use crate::{
    document::Composer,
    dossier::{Dossier, DossierCandidate, DossierList, DossierListedPerson, DossierPairDecision},
    print::{Words, word},
    screening::PublicPairOutcome,
};
use caudal_export::{Cell, Kind};
use std::collections::BTreeMap;

/// Comparisons with lists: one line per candidate, or one without any.
pub(super) fn screenings(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.screenings.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(Words::new("Comparación con listas", "Comparison with lists"));
    let rows = dossier.screenings.iter().flat_map(|of| {
        let lists: Vec<&str> = of.lists.keys().map(String::as_str).collect();
        let line = move |list: String, name: Cell, score: Cell| {
            vec![
                printing.time(of.at),
                text(Some(list)),
                name,
                score,
                printing.say(yes_or_no(of.in_review)).into(),
                Cell::Integer(of.position),
            ]
        };
        match &of.candidates {
            None => vec![line(
                lists.join(", "),
                text(Some(printing.say(word::ERASED).to_owned())),
                Cell::Empty,
            )],
            Some(none) if none.is_empty() => vec![line(lists.join(", "), Cell::Empty, Cell::Empty)],
            Some(candidates) => {
                let told = |own: &DossierCandidate| {
                    let list = format!("{} · {}", own.list, own.entry);
                    line(list, text(Some(own.name.clone())), Cell::Integer(own.score.into()))
                };
                candidates.iter().map(told).collect()
            }
        }
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::LIST, Kind::Text),
            (word::NAME, Kind::Text),
            (word::LIKENESS, Kind::Integer),
            (word::IN_REVIEW, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
    lists(composer, dossier);
}

/// Each version of a list that the customer was compared with, once.
fn lists(composer: &mut Composer<'_>, dossier: &Dossier) {
    let printing = composer.printing;
    let mut versions: BTreeMap<(&str, &str), &DossierList> = BTreeMap::new();
    for list in dossier.screenings.iter().flat_map(|of| &of.searched) {
        versions.entry((&list.name, &list.version)).or_insert(list);
    }
    if versions.is_empty() {
        return;
    }
    let rows = versions.into_values().map(|list| {
        let loaded = list.loaded.as_ref();
        vec![
            text(Some(list.name.clone())),
            text(Some(list.version.clone())),
            list.threshold.map_or(Cell::Empty, |least| Cell::Integer(least.into())),
            list.entries
                .map_or(Cell::Empty, |entries| Cell::Integer(entries.into())),
            loaded.map_or(Cell::Empty, |act| printing.time(act.at)),
            text(loaded.and_then(|act| who(&act.by, act.approval.as_ref(), printing))),
        ]
    });
    composer.table(
        &[
            (word::LIST, Kind::Text),
            (VERSION, Kind::Text),
            (Words::new("Umbral (%)", "Threshold (%)"), Kind::Integer),
            (word::ENTRIES, Kind::Integer),
            (
                Words::new("Cargada por el negocio el", "Loaded by the business on"),
                Kind::DateTime,
            ),
            (word::WHO, Kind::Text),
        ],
        rows.collect(),
        Vec::new(),
    );
}

const VERSION: Words = Words::new("Versión", "Version");

/// What reviewers decided of listed persons.
pub(super) fn pair_decisions(composer: &mut Composer<'_>, dossier: &Dossier) {
    if dossier.pair_decisions.is_empty() {
        return;
    }
    let printing = composer.printing;
    composer.section(Words::new(
        "Decisiones sobre coincidencias",
        "Decisions about likenesses",
    ));
    let rows = dossier.pair_decisions.iter().map(|of| {
        let same = matches!(of.outcome, PublicPairOutcome::Same);
        let pair = of.list.as_ref().zip(of.entry.as_ref());
        vec![
            printing.time(of.at),
            text(who(&of.by, of.approval.as_ref(), printing)),
            text(pair.map(|(list, entry)| format!("{list} · {entry}"))),
            printing.say(yes_or_no(same)).into(),
            text(of.reason.clone()),
            Cell::Integer(of.position),
        ]
    });
    composer.table(
        &[
            (word::DATE, Kind::DateTime),
            (word::WHO, Kind::Text),
            (word::LIST, Kind::Text),
            (Words::new("Es la misma persona", "Is the same person"), Kind::Text),
            (word::REASON, Kind::Text),
            (word::POSITION, Kind::Integer),
        ],
        rows.collect(),
        Vec::new(),
    );
    for of in &dossier.pair_decisions {
        if let Some(listed) = &of.listed {
            listed_person(composer, of, listed);
        }
    }
}

/// The listed person of a decision, as it was then.
fn listed_person(composer: &mut Composer<'_>, of: &DossierPairDecision, listed: &DossierListedPerson) {
    composer.section(Words::new(
        "Persona de la lista al decidir",
        "Listed person when decided",
    ));
    composer.text(word::POSITION, Some(of.position.to_string()));
    composer.text(word::LIST, of.list.as_deref());
    for (label, texts) in [
        (word::NAME, &listed.names),
        (word::DOCUMENT, &listed.documents),
        (word::BORN, &listed.born),
        (word::COUNTRIES, &listed.countries),
        (word::PROGRAMS, &listed.programs),
    ] {
        composer.text(label, (!texts.is_empty()).then(|| texts.join(" · ")));
    }
}

/// Files of reviews of the customer, not of a remittance.
pub(super) fn review_files(composer: &mut Composer<'_>, dossier: &Dossier) {
    if !dossier.review_files.is_empty() {
        composer.section(Words::new("Archivos de revisiones", "Files of reviews"));
        files(composer, &dossier.review_files);
    }
}
