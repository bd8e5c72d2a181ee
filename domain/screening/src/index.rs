//! An index of a list's names, and the search for candidates in it.
//!
//! The distinct words of all names form a vocabulary. Each word has keys: its sound, its consonants, its nickname groups,
//! and it and its sound with one letter left out. Two words that [`similarity`] matches share a key.
//!
//! | Phase of a search | Cost, for 500,000 names |
//! |---|---|
//! | words of the vocabulary that share a key with a word of the name, compared | some hundreds of comparisons |
//! | the names with these words: the weights of the matched words are summed | up to some hundred thousand additions |
//! | names whose sum could reach the threshold: words matched as in [`crate::score`] | some hundreds |
//! | candidates: compared again with an explanation, evidence added | a few |

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::evidence::{self, Evidence};
use crate::list::{Document, Entry, Kind};
use crate::name::{Name, Token};
use crate::score::{self, Comparison, Rarity, compare, match_words, similarity};
use crate::{Language, Subject, common, countries, nicknames};

/// What is a candidate. Each list has its own.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Least score of a candidate, 0 to 100.
    pub threshold: u8,
    /// Information, in bits, that must match where the listed name is the shorter one: `José Rodríguez` is a part of
    /// thousands of names.
    pub bits_listed_shorter: f32,
    /// The same where the screened name is the shorter one: a surname was left out.
    pub bits_screened_shorter: f32,
    /// Whether vessels and aircraft are searched too.
    pub vessels: bool,
    /// Maximum candidates of an answer, best first.
    pub candidates: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threshold: 86,
            bits_listed_shorter: 20.0,
            bits_screened_shorter: 9.0,
            vessels: false,
            candidates: 50,
        }
    }
}

/// A listed person who may be the screened one.
#[derive(Clone, Debug)]
pub struct Candidate<'i> {
    pub entry: &'i Entry,
    /// The name of the entry that is most similar.
    pub name: &'i str,
    /// Score of the names and the points of the evidence, 0 to 100.
    pub score: u8,
    pub comparison: Comparison,
    pub evidence: Vec<Evidence>,
}

impl Candidate<'_> {
    /// Why the entry is a candidate: which part of the name matched how, and the evidence.
    #[must_use]
    pub fn words(&self, language: Language) -> String {
        let mut words = self.comparison.words(language);
        for evidence in &self.evidence {
            if !words.is_empty() {
                words.push_str("; ");
            }
            words.push_str(evidence.words(language));
        }
        words
    }
}

/// Memory that searches reuse; one per thread.
#[derive(Debug, Default)]
pub struct Scratch {
    sums: Vec<u32>,
    touched: Vec<u32>,
}

/// A list, ready to be searched.
#[derive(Debug)]
pub struct Index {
    entries: Vec<Entry>,
    /// Of each name: its entry and its place among the entry's names.
    names: Vec<(u32, u32)>,
    /// Words of name `n`: `words[starts[n]..starts[n + 1]]`.
    words: Vec<u32>,
    starts: Vec<u32>,
    /// Sum of the weights of a name's words.
    weights: Vec<u32>,
    vocabulary: Vec<Token>,
    bits: Vec<f32>,
    /// Names with word `w`: `postings[posting_starts[w]..posting_starts[w + 1]]`, ascending.
    postings: Vec<u32>,
    posting_starts: Vec<u32>,
    /// Hash of a key, and a word that has it; sorted.
    keys: Vec<(u32, u32)>,
    /// Information of every word of the vocabulary.
    by_text: HashMap<Box<str>, f32>,
    /// Entries by normalised document number.
    documents: HashMap<String, Vec<u32>>,
}

impl Rarity for Index {
    /// The smaller of what the table of common names says and the word's frequency in the list: a word that half of the
    /// list has says little, however rare it is elsewhere.
    fn bits(&self, word: &str) -> f32 {
        self.by_text
            .get(word)
            .copied()
            .unwrap_or_else(|| common::bits(word).unwrap_or(common::RARE))
    }
}

impl Index {
    /// Builds the index of a list.
    #[must_use]
    pub fn build(entries: Vec<Entry>) -> Self {
        let mut index = Self {
            entries,
            names: Vec::new(),
            words: Vec::new(),
            starts: vec![0],
            weights: Vec::new(),
            vocabulary: Vec::new(),
            bits: Vec::new(),
            postings: Vec::new(),
            posting_starts: Vec::new(),
            keys: Vec::new(),
            by_text: HashMap::new(),
            documents: HashMap::new(),
        };
        // The number of each word: `Cruz` and the `Cruz` of `de la Cruz` are two words of the vocabulary.
        let mut numbers: HashMap<(Box<str>, Box<str>), u32> = HashMap::new();
        let mut found: Vec<(u32, u32)> = Vec::new();
        let entries = std::mem::take(&mut index.entries);
        for (entry, at) in entries.iter().zip(0_u32..) {
            for (listed, place) in entry.names.iter().zip(0_u32..) {
                let name = Name::of(&listed.text);
                if name.tokens.is_empty() {
                    continue;
                }
                let number = length(&index.names);
                index.names.push((at, place));
                for mut token in name.tokens {
                    let key = (token.text.as_str().into(), token.joined.as_str().into());
                    let word = *numbers.entry(key).or_insert_with(|| {
                        // How a name writes the word is read from the name.
                        token.written = String::new();
                        index.vocabulary.push(token);
                        length(&index.vocabulary) - 1
                    });
                    index.words.push(word);
                    found.push((word, number));
                }
                index.starts.push(length(&index.words));
            }
            for document in &entry.documents {
                let number = Document::normalised(&document.number);
                if !number.is_empty() {
                    index.documents.entry(number).or_default().push(at);
                }
            }
        }
        index.entries = entries;
        found.sort_unstable();
        found.dedup();
        index.post(&found);
        index.weigh();
        index.key();
        index
    }

    fn post(&mut self, found: &[(u32, u32)]) {
        self.postings = found.iter().map(|(_, name)| *name).collect();
        self.posting_starts = vec![0; self.vocabulary.len() + 1];
        for (word, _) in found {
            self.posting_starts[*word as usize + 1] += 1;
        }
        for at in 1..self.posting_starts.len() {
            self.posting_starts[at] += self.posting_starts[at - 1];
        }
    }

    fn weigh(&mut self) {
        let names = self.names.len() as f32;
        let mut frequencies: HashMap<&str, u32> = HashMap::new();
        for (token, range) in self.vocabulary.iter().zip(self.posting_starts.windows(2)) {
            *frequencies.entry(&token.text).or_default() += range[1] - range[0];
        }
        self.by_text = frequencies
            .into_iter()
            .map(|(word, frequency)| {
                let common = common::bits(word).unwrap_or(common::RARE);
                // A word of one name in a short list is no common word.
                let listed = (names.max(10_000.0) / frequency.max(1) as f32).log2();
                (word.into(), common.min(listed).max(3.0))
            })
            .collect();
        self.bits = self
            .vocabulary
            .iter()
            .map(|token| self.by_text[token.text.as_str()])
            .collect();
        self.weights = self
            .starts
            .windows(2)
            .map(|range| {
                let words = &self.words[range[0] as usize..range[1] as usize];
                words.iter().map(|word| self.weight(*word)).sum()
            })
            .collect();
    }

    fn weight(&self, word: u32) -> u32 {
        let word = word as usize;
        score::weight(&self.vocabulary[word].text, self.bits[word])
    }

    fn key(&mut self) {
        let mut keys = Vec::with_capacity(self.vocabulary.len() * 16);
        for (token, word) in self.vocabulary.iter().zip(0_u32..) {
            keys_of(token, |key| keys.push((key, word)));
        }
        keys.sort_unstable();
        keys.dedup();
        keys.shrink_to_fit();
        self.keys = keys;
    }

    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Number of names that are searched.
    #[must_use]
    pub fn names(&self) -> usize {
        self.names.len()
    }

    /// Memory of the index in bytes, about: tables, words and the entries with their texts.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let text = |text: &String| size_of::<String>() + text.capacity();
        let words: usize = self
            .vocabulary
            .iter()
            .map(|t| {
                size_of::<Token>()
                    + 2 * t.text.len()
                    + t.sound.capacity()
                    + t.bones.capacity()
                    + 2 * t.groups.capacity()
                    + 64
            })
            .sum();
        let entries: usize = self
            .entries
            .iter()
            .map(|e| {
                size_of::<Entry>()
                    + e.id.capacity()
                    + e.names
                        .iter()
                        .map(|n| size_of::<bool>() + 7 + text(&n.text))
                        .sum::<usize>()
                    + e.documents
                        .iter()
                        .map(|d| 96 + d.kind.capacity() + 2 * d.number.capacity())
                        .sum::<usize>()
                    + e.born.len() * 12
                    + e.countries.iter().chain(&e.programs).map(text).sum::<usize>()
            })
            .sum();
        let tables = self.names.len() * 8
            + 4 * (self.words.len() + self.starts.len() + self.weights.len() + self.postings.len() + self.bits.len())
            + 4 * self.posting_starts.len()
            + 8 * self.keys.len();
        words + entries + tables
    }

    fn words_of(&self, name: u32) -> &[u32] {
        let name = name as usize;
        &self.words[self.starts[name] as usize..self.starts[name + 1] as usize]
    }

    /// The candidates for a subject, best first; equal scores in the order of the list.
    #[must_use]
    pub fn screen(&self, subject: &Subject, settings: &Settings, scratch: &mut Scratch) -> Vec<Candidate<'_>> {
        self.screen_but(subject, settings, scratch, &|_| false)
    }

    /// [`Self::screen`] without the entries that `leaves_out` names: they take no place among the
    /// [`Settings::candidates`].
    #[must_use]
    pub fn screen_but(
        &self,
        subject: &Subject,
        settings: &Settings,
        scratch: &mut Scratch,
        leaves_out: &dyn Fn(&Entry) -> bool,
    ) -> Vec<Candidate<'_>> {
        let name = Name::of(&subject.name);
        let countries = Countries::of(subject);
        let mut found: HashMap<u32, Candidate<'_>> = HashMap::new();
        for number in self.alike(&name, subject, settings, scratch) {
            self.judge(number, &name, subject, &countries, settings, &mut found);
        }
        self.find_documents(&name, subject, &countries, settings, &mut found);
        // Before the cut: fifty entries that are left out would hide the next one.
        found.retain(|_, candidate| !leaves_out(candidate.entry));
        let mut found: Vec<(u32, Candidate<'_>)> = found.into_iter().collect();
        found.sort_by(|(at, a), (bt, b)| b.score.cmp(&a.score).then(at.cmp(bt)));
        found.truncate(settings.candidates);
        found.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// Names that are alike enough to be judged with evidence.
    fn alike(&self, name: &Name, subject: &Subject, settings: &Settings, scratch: &mut Scratch) -> Vec<u32> {
        scratch.sums.resize(self.names.len(), 0);
        let tokens: Vec<&Token> = name.tokens.iter().collect();
        let bits: Vec<f32> = tokens.iter().map(|token| Rarity::bits(self, &token.text)).collect();
        let whole: u32 = tokens
            .iter()
            .zip(&bits)
            .map(|(t, bits)| score::weight(&t.text, *bits))
            .sum();
        for (token, weight) in self.lookups(name) {
            for (word, percent) in self.words_like(&token) {
                let worth = match weight {
                    Some(weight) => percent * weight.max(self.weight(word)) / 100,
                    None => self.weight(word),
                };
                let range =
                    self.posting_starts[word as usize] as usize..self.posting_starts[word as usize + 1] as usize;
                for name in &self.postings[range] {
                    let sum = &mut scratch.sums[*name as usize];
                    if *sum == 0 {
                        scratch.touched.push(*name);
                    }
                    *sum += worth.max(1);
                }
            }
        }
        let initials: u32 = tokens.iter().map(|token| initial(token)).sum();
        let (points, bits_more) = most(subject);
        let least = u32::from(settings.threshold.saturating_sub(points));
        let mut alike = Vec::new();
        for number in scratch.touched.drain(..) {
            let sum = std::mem::take(&mut scratch.sums[number as usize]);
            // Initials match words that share no key with them: they count as matched here.
            let words = self.words_of(number);
            let theirs: u32 = words.iter().map(|word| initial(&self.vocabulary[*word as usize])).sum();
            let sum = sum + initials + theirs;
            if sum * 100 < whole.min(self.weights[number as usize]) * least {
                continue;
            }
            let listed: Vec<&Token> = words.iter().map(|word| &self.vocabulary[*word as usize]).collect();
            let listed_bits: Vec<f32> = words.iter().map(|word| self.bits[*word as usize]).collect();
            let figures = match_words(&tokens, &bits, &listed, &listed_bits, |_| {});
            let left = (figures.screened_left, figures.listed_left);
            if u32::from(figures.score) >= least && says_enough(figures.bits + bits_more, left, settings) {
                alike.push(number);
            }
        }
        alike.sort_unstable();
        alike
    }

    /// Words to look for: those of the name with their weight, and, with the weight of what is found, words written
    /// together and apart.
    fn lookups(&self, name: &Name) -> Vec<(Token, Option<u32>)> {
        let mut lookups = Vec::new();
        for (at, token) in name.tokens.iter().enumerate() {
            let weight = score::weight(&token.text, Rarity::bits(self, &token.text));
            lookups.push((token.clone(), Some(weight)));
            let mut known = |text: &str| {
                if self.by_text.contains_key(text) {
                    lookups.push((Token::of(text), None));
                }
            };
            if let Some(next) = name.tokens.get(at + 1) {
                known(&format!("{}{}", token.text, next.text));
            }
            for (middle, _) in token.text.char_indices().skip(3) {
                let (first, second) = token.text.split_at(middle);
                if second.len() >= 3 && self.by_text.contains_key(first) && self.by_text.contains_key(second) {
                    known(first);
                    known(second);
                }
            }
        }
        lookups
    }

    /// Words of the vocabulary that are similar to one, with the percent; each once.
    fn words_like(&self, token: &Token) -> Vec<(u32, u32)> {
        let mut words = Vec::new();
        keys_of(token, |key| {
            let from = self.keys.partition_point(|(k, _)| *k < key);
            words.extend(
                self.keys[from..]
                    .iter()
                    .take_while(|(k, _)| *k == key)
                    .map(|(_, word)| *word),
            );
        });
        words.sort_unstable();
        words.dedup();
        words
            .into_iter()
            .filter_map(|word| similarity(token, &self.vocabulary[word as usize]).map(|(percent, _)| (word, percent)))
            .collect()
    }

    fn judge<'i>(
        &'i self,
        number: u32,
        name: &Name,
        subject: &Subject,
        countries: &Countries,
        settings: &Settings,
        found: &mut HashMap<u32, Candidate<'i>>,
    ) {
        let (at, place) = self.names[number as usize];
        let entry = &self.entries[at as usize];
        if !settings.vessels && matches!(entry.kind, Kind::Vessel | Kind::Aircraft) {
            return;
        }
        let listed = &entry.names[place as usize];
        let comparison = compare(name, &Name::of(&listed.text), self);
        let evidence = evidence_of(subject, countries, entry);
        let score = scored(&comparison, &evidence);
        let bits = comparison.bits + evidence.iter().map(|evidence| evidence.bits()).sum::<f32>();
        let left = (comparison.only_screened.len(), comparison.only_listed.len());
        if score < settings.threshold || !says_enough(bits, left, settings) {
            return;
        }
        let candidate = Candidate {
            entry,
            name: &listed.text,
            score,
            comparison,
            evidence,
        };
        match found.get(&at) {
            Some(other) if other.score >= score => {}
            _ => {
                found.insert(at, candidate);
            }
        }
    }

    /// Entries with one of the subject's documents are candidates whatever their names are.
    fn find_documents<'i>(
        &'i self,
        name: &Name,
        subject: &Subject,
        countries: &Countries,
        settings: &Settings,
        found: &mut HashMap<u32, Candidate<'i>>,
    ) {
        for document in &subject.documents {
            let Some(entries) = self.documents.get(&Document::normalised(&document.number)) else {
                continue;
            };
            for at in entries {
                let entry = &self.entries[*at as usize];
                let evidence = evidence_of(subject, countries, entry);
                if !evidence.contains(&Evidence::DocumentSame) || found.contains_key(at) {
                    continue;
                }
                let (listed, comparison) = entry
                    .names
                    .iter()
                    .map(|listed| (listed.text.as_str(), compare(name, &Name::of(&listed.text), self)))
                    .max_by_key(|(_, comparison)| comparison.score)
                    .unwrap_or_else(|| ("", compare(name, &Name::default(), self)));
                let score = scored(&comparison, &evidence);
                if score >= settings.threshold {
                    found.insert(
                        *at,
                        Candidate {
                            entry,
                            name: listed,
                            score,
                            comparison,
                            evidence,
                        },
                    );
                }
            }
        }
    }
}

/// Countries of a subject as codes.
struct Countries {
    nationalities: Vec<String>,
    residences: Vec<String>,
}

impl Countries {
    fn of(subject: &Subject) -> Self {
        let codes = |countries: &[String]| -> Vec<String> {
            let codes = countries.iter().map(|country| countries::code(country));
            codes.filter(|code| !code.is_empty()).collect()
        };
        Self {
            nationalities: codes(&subject.countries),
            residences: codes(&subject.residences),
        }
    }
}

fn evidence_of(subject: &Subject, countries: &Countries, entry: &Entry) -> Vec<Evidence> {
    let mut evidence = Vec::new();
    for ours in &subject.documents {
        let number = Document::normalised(&ours.number);
        for theirs in &entry.documents {
            if number.is_empty() || Document::normalised(&theirs.number) != number {
                continue;
            }
            let same = match (&ours.country, &theirs.country) {
                (Some(a), Some(b)) => countries::code(a) == countries::code(b),
                _ => true,
            };
            let found = if same {
                Evidence::DocumentSame
            } else {
                Evidence::DocumentOfAnotherCountry
            };
            if !evidence.contains(&found) {
                evidence.push(found);
            }
        }
    }
    evidence.extend(subject.born.and_then(|born| evidence::of_birth(born, &entry.born)));
    let listed: Vec<String> = entry.countries.iter().map(|country| countries::code(country)).collect();
    let (nationalities, residences) = (&countries.nationalities, &countries.residences);
    evidence.extend(evidence::of_countries(nationalities, residences, &listed));
    evidence
}

/// The score of the names and the evidence. A shared document alone reaches 100, whatever contradicts it.
fn scored(comparison: &Comparison, evidence: &[Evidence]) -> u8 {
    if evidence.contains(&Evidence::DocumentSame) {
        return 100;
    }
    let points: i32 = evidence.iter().map(|evidence| evidence.points()).sum();
    u8::try_from((i32::from(comparison.score) + points).clamp(0, 100)).unwrap_or(0)
}

/// Whether what matched is more than words that thousands share. Names without anything left over always are.
fn says_enough(bits: f32, (screened_left, listed_left): (usize, usize), settings: &Settings) -> bool {
    bits >= match (screened_left, listed_left) {
        (0, 0) => return true,
        (0, _) => settings.bits_screened_shorter,
        _ => settings.bits_listed_shorter,
    }
}

/// The most points and bits that the evidence about a subject can add.
fn most(subject: &Subject) -> (u8, f32) {
    let born = if subject.born.is_some() { (6, 12.0) } else { (0, 0.0) };
    let documents = if subject.documents.is_empty() {
        (0, 0.0)
    } else {
        (5, 10.0)
    };
    let countries = u8::from(!subject.countries.is_empty() || !subject.residences.is_empty());
    (born.0 + documents.0 + countries, born.1 + documents.1)
}

/// The weight of a word that is an initial; nothing for others.
fn initial(token: &Token) -> u32 {
    if token.text.chars().nth(1).is_none() {
        score::INITIAL_WEIGHT
    } else {
        0
    }
}

/// The keys of a word. Similar words share at least one.
fn keys_of(token: &Token, mut take: impl FnMut(u32)) {
    let mut hash = |kind: u8, text: &str| {
        let mut hasher = DefaultHasher::new();
        kind.hash(&mut hasher);
        text.hash(&mut hasher);
        // Half of the hash: a collision costs one comparison of two words.
        take((hasher.finish() >> 32) as u32);
    };
    let mut shorter = String::new();
    let mut without_one = |kind: u8, text: &str, least: usize| {
        hash(kind, text);
        if text.chars().count() >= least {
            for (at, c) in text.char_indices() {
                shorter.clear();
                shorter.push_str(&text[..at]);
                shorter.push_str(&text[at + c.len_utf8()..]);
                hash(kind, &shorter);
            }
        }
    };
    without_one(0, &token.text, 3);
    if !token.joined.is_empty() {
        without_one(0, &token.joined, usize::MAX);
    }
    without_one(1, &token.sound, 4);
    if !token.bones.is_empty() {
        hash(2, &token.bones);
    }
    for group in &token.groups {
        hash(3, &group.to_string());
    }
    nicknames::stems(&token.text, |stem| hash(4, stem));
}

fn length<T>(of: &[T]) -> u32 {
    u32::try_from(of.len()).unwrap_or(u32::MAX)
}
