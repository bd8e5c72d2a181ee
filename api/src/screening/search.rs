//! Searches in the lists that a tenant screens against: candidates of a customer, and why an entry is like one.

use super::{indexes::Loaded, store, subject::people};
use caudal_domain::customer::{ScreeningCandidate, screening::MAX_CANDIDATES};
use caudal_projections::screening::ScreeningSubject;
use caudal_screening::{Entry, Language as Spoken, Scratch, Settings};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

/// Searches of a node at a time whose memory is kept: 2 MiB each with half a million names.
const MAX_SCRATCHES: usize = 4;
/// Rules of finding candidates: after another number everybody is screened again. 2: confirmed matches stay in review, and decided
/// pairs take no place among the candidates. 3: aliases, representatives without a surname, and countries.
const METHOD: u8 = 3;

/// A list that a tenant screens against.
#[derive(Clone)]
pub(super) struct Searched {
    pub(super) name: String,
    pub(super) settings: Settings,
    pub(super) loaded: Loaded,
    pub(super) is_outdated: bool,
}

/// Lists that a tenant screens against, ready to be searched.
#[derive(Clone, Default)]
pub struct Lists(pub(super) Vec<Searched>);

/// Why an entry is like a customer.
#[derive(Clone, Debug)]
pub struct Explained {
    pub entry: Entry,
    pub score: Option<u8>,
    pub words: String,
}

impl Lists {
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn versions(&self) -> BTreeMap<String, String> {
        let version = |list: &Searched| store::version(&list.loaded.digest);
        self.0.iter().map(|list| (list.name.clone(), version(list))).collect()
    }

    /// Whether a list is of an earlier version, because the index of the present one is being built. What it finds is used
    /// where it is what is known of the customer already: a new version's findings are never replaced by those of an
    /// earlier one.
    pub fn is_outdated(&self) -> bool {
        self.0.iter().any(|list| list.is_outdated)
    }

    /// Digest of rules, versions and thresholds: another one means that everybody is screened again.
    pub fn fingerprint(&self) -> Vec<u8> {
        let mut sha = Sha256::new();
        sha.update([METHOD]);
        for list in &self.0 {
            sha.update((list.name.len() as u64).to_be_bytes());
            sha.update(&list.name);
            sha.update(&list.loaded.digest);
            sha.update([list.settings.threshold]);
        }
        sha.finalize().to_vec()
    }

    /// Candidates of a customer but those that are decided; the best ones first, at most [`MAX_CANDIDATES`].
    pub fn screen(&self, subject: &ScreeningSubject, scratch: &mut Scratches) -> Vec<ScreeningCandidate> {
        let mut best: BTreeMap<(String, String), ScreeningCandidate> = BTreeMap::new();
        for (list, scratch) in self.0.iter().zip(scratch.of(self.0.len())) {
            let decided = subject.decided.iter().filter(|(name, _)| *name == list.name);
            let decided: BTreeSet<&str> = decided.map(|(_, entry)| entry.as_str()).collect();
            let is_decided = |entry: &Entry| decided.contains(entry.id.as_str());
            for person in people(subject) {
                let index = &list.loaded.index;
                for candidate in index.screen_but(&person, &list.settings, scratch, &is_decided) {
                    let pair = (list.name.clone(), candidate.entry.id.clone());
                    if best.get(&pair).is_some_and(|known| known.score >= candidate.score) {
                        continue;
                    }
                    let found = ScreeningCandidate {
                        list: list.name.clone(),
                        entry: candidate.entry.id.clone(),
                        name: candidate.name.to_owned(),
                        score: candidate.score,
                    };
                    best.insert(pair, found);
                }
            }
        }
        let mut found: Vec<_> = best.into_values().collect();
        found.sort_by_key(|one| std::cmp::Reverse(one.score));
        found.truncate(MAX_CANDIDATES);
        found
    }

    /// An entry of a list by its identifier.
    pub fn entry(&self, list: &str, entry: &str) -> Option<&Entry> {
        let list = self.0.iter().find(|known| known.name == list)?;
        let place = list.loaded.places.get(entry)?;
        list.loaded.index.entries().get(*place)
    }

    /// The listed entry and why the customer is like it; without a score where it is not any more.
    pub fn explain(&self, subject: &ScreeningSubject, list: &str, entry: &str, language: Spoken) -> Option<Explained> {
        let list = self.0.iter().find(|known| known.name == list)?;
        let place = list.loaded.places.get(entry)?;
        let listed = list.loaded.index.entries().get(*place)?;
        let mut scratch = Scratch::default();
        let is_other = |other: &Entry| other.id != entry;
        let mut best: Option<Explained> = None;
        for person in people(subject) {
            let index = &list.loaded.index;
            let found = index.screen_but(&person, &list.settings, &mut scratch, &is_other);
            let Some(candidate) = found.first() else { continue };
            if best.as_ref().is_some_and(|known| known.score >= Some(candidate.score)) {
                continue;
            }
            best = Some(Explained {
                entry: listed.clone(),
                score: Some(candidate.score),
                words: candidate.words(language),
            });
        }
        Some(best.unwrap_or_else(|| Explained {
            entry: listed.clone(),
            score: None,
            words: String::new(),
        }))
    }
}

/// Memory of searches, one for each list: 4 bytes a name.
#[derive(Debug, Default)]
pub struct Scratches(Vec<Scratch>);

/// Memory of searches that are over, for the next ones.
#[derive(Debug, Default)]
pub struct ScratchPool(Mutex<Vec<Scratches>>);

impl ScratchPool {
    pub fn take(&self) -> Scratches {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.pop().unwrap_or_default()
    }

    pub fn give_back(&self, scratches: Scratches) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MAX_SCRATCHES {
            kept.push(scratches);
        }
    }
}

impl Scratches {
    fn of(&mut self, lists: usize) -> &mut [Scratch] {
        self.0.resize_with(lists.max(self.0.len()), Scratch::default);
        &mut self.0
    }
}
