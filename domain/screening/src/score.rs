//! The score of two names: how much of each is found in the other, as a whole number from 0 to 100.
//!
//! Every word of one name is matched with at most one of the other, the most similar pairs first. A pair is worth its
//! similarity times the words' weight, which grows with rarity: a shared `Zaldívar` counts more than a shared `José`.
//!
//! The score is the matched share of the name that is matched better, lowered by up to 18 percent for what the other
//! name has in addition: a name without its second surname still scores high, two names that share half of their words
//! don't. Order is ignored. `compare(a, b)` and `compare(b, a)` have the same score.

use std::fmt::Write;

use crate::common;
use crate::name::{Name, Token};
use crate::nicknames;

/// How two words were found to be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    Same,
    /// Written together in one name and apart in the other: `Santamaría`, `Santa María`.
    WrittenTogether,
    /// Equal sounds: `González`, `Gonzales`.
    SoundsAlike,
    /// A nickname or a variant of one name: `Pepe`, `José`.
    Nickname,
    /// One letter more, less, other, or two swapped.
    OneLetter,
    /// Equal consonants: `Mohammed`, `Muhamad`.
    SameConsonants,
    /// The initial of the other word.
    Initial,
}

/// Languages of explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Spanish,
}

impl How {
    #[must_use]
    pub const fn words(self, language: Language) -> &'static str {
        match (language, self) {
            (Language::English, Self::Same) => "the same",
            (Language::English, Self::WrittenTogether) => "written together or apart",
            (Language::English, Self::SoundsAlike) => "sounds alike",
            (Language::English, Self::Nickname) => "nickname or variant",
            (Language::English, Self::OneLetter) => "one letter differs",
            (Language::English, Self::SameConsonants) => "same consonants",
            (Language::English, Self::Initial) => "initial",
            (Language::Spanish, Self::Same) => "igual",
            (Language::Spanish, Self::WrittenTogether) => "junto o separado",
            (Language::Spanish, Self::SoundsAlike) => "suena igual",
            (Language::Spanish, Self::Nickname) => "diminutivo o variante",
            (Language::Spanish, Self::OneLetter) => "difiere una letra",
            (Language::Spanish, Self::SameConsonants) => "mismas consonantes",
            (Language::Spanish, Self::Initial) => "inicial",
        }
    }
}

/// Two words that were matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// As the screened name writes it.
    pub screened: String,
    /// As the listed name writes it.
    pub listed: String,
    pub how: How,
}

/// The comparison of a screened name with a listed one.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// 0 to 100; 100 if and only if both names have the same words.
    pub score: u8,
    pub parts: Vec<Part>,
    /// Words of the screened name that the listed one lacks.
    pub only_screened: Vec<String>,
    /// Words of the listed name that the screened one lacks.
    pub only_listed: Vec<String>,
    /// Information of the matched words in bits: how unlikely the match is between strangers.
    pub bits: f32,
}

impl Comparison {
    /// The comparison in words: which part matched how, and what is left over.
    #[must_use]
    pub fn words(&self, language: Language) -> String {
        let mut out = String::new();
        for part in &self.parts {
            if !out.is_empty() {
                out.push_str("; ");
            }
            // Writing to a string can't fail.
            let _ = match part.how {
                How::Same if part.screened == part.listed => {
                    write!(out, "{}: {}", part.screened, part.how.words(language))
                }
                how => write!(out, "{} = {}: {}", part.screened, part.listed, how.words(language)),
            };
        }
        let (screened, listed) = match language {
            Language::English => ("only in the screened name", "only in the listed name"),
            Language::Spanish => ("solo en el nombre buscado", "solo en el nombre listado"),
        };
        for (label, words) in [(screened, &self.only_screened), (listed, &self.only_listed)] {
            if !words.is_empty() {
                if !out.is_empty() {
                    out.push_str("; ");
                }
                let _ = write!(out, "{label}: {}", words.join(" "));
            }
        }
        out
    }
}

/// How rare words are. One `Rarity` makes comparable scores.
pub trait Rarity {
    /// Information of a word in bits, from 3 to [`common::RARE`].
    fn bits(&self, word: &str) -> f32;
}

/// Rarity by the table of common names alone.
pub struct CommonNames;

impl Rarity for CommonNames {
    fn bits(&self, word: &str) -> f32 {
        common::bits(word).unwrap_or(common::RARE)
    }
}

/// Information of an initial, in bits.
const INITIAL_BITS: f32 = 4.0;

/// Weight of an initial in the score.
pub const INITIAL_WEIGHT: u32 = 20;

/// Weight of a word in the score: 59 for the most common names, 92 for rare ones. An initial weighs little.
#[must_use]
pub fn weight(word: &str, bits: f32) -> u32 {
    if word.chars().count() == 1 {
        INITIAL_WEIGHT
    } else {
        (40.0 + 4.0 * bits) as u32
    }
}

/// Similarity of two words in percent, and what it is by; `None` when they are different words. Symmetric.
#[must_use]
pub fn similarity(a: &Token, b: &Token) -> Option<(u32, How)> {
    if a.text == b.text {
        return Some((100, How::Same));
    }
    let joined =
        |one: &Token, other: &Token| !one.joined.is_empty() && (one.joined == other.text || one.joined == other.joined);
    if joined(a, b) || joined(b, a) {
        return Some((98, How::WrittenTogether));
    }
    if a.sound.len() >= 2 && a.sound == b.sound {
        return Some((96, How::SoundsAlike));
    }
    if nicknames::same(&a.groups, &b.groups) || nicknames::diminutive(&a.text, &b.text) {
        return Some((94, How::Nickname));
    }
    let letters = |one: &str, other: &str| one.chars().count().min(other.chars().count());
    let shorter = letters(&a.text, &b.text);
    if shorter == 1 {
        let initial = a.text.starts_with(&b.text) || b.text.starts_with(&a.text);
        return initial.then_some((90, How::Initial));
    }
    // Two names that both exist are rarely misspellings of each other: María and Mario, Marta and Marla.
    let known = a.common && b.common;
    if one_edit(&a.text, &b.text) {
        let percent = match (known, shorter) {
            (_, ..=2) => return None,
            (true, _) => 62,
            (false, 3) => 78,
            (false, 4) => 86,
            (false, 5) => 89,
            (false, 6..=7) => 91,
            (false, _) => 93,
        };
        return Some((percent, How::OneLetter));
    }
    if known {
        return None;
    }
    if letters(&a.sound, &b.sound) >= 4 && one_edit(&a.sound, &b.sound) {
        return Some((84, How::OneLetter));
    }
    if shorter >= 5 && !a.bones.is_empty() && a.bones == b.bones {
        return Some((82, How::SameConsonants));
    }
    None
}

/// Whether one insertion, deletion, replacement, or swap of neighbours turns one word into the other.
#[must_use]
pub fn one_edit(a: &str, b: &str) -> bool {
    if a.len().abs_diff(b.len()) > 4 {
        return false;
    }
    if a.is_ascii() && b.is_ascii() {
        return one_edit_of(a.as_bytes(), b.as_bytes());
    }
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    one_edit_of(&a, &b)
}

fn one_edit_of<T: Eq>(a: &[T], b: &[T]) -> bool {
    let (a, b) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if b.len() - a.len() > 1 || a == b {
        return false;
    }
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    if a.len() < b.len() {
        return a == &b[1..];
    }
    a[1..] == b[1..] || (a.len() >= 2 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..])
}

/// The figures of a comparison, without its words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    pub score: u8,
    pub bits: f32,
    pub screened_left: usize,
    pub listed_left: usize,
}

struct Pair {
    i: usize,
    j: usize,
    percent: u32,
    value: u32,
    how: How,
}

/// Compares two names.
#[must_use]
pub fn compare(screened: &Name, listed: &Name, rarity: &impl Rarity) -> Comparison {
    let a: Vec<&Token> = screened.tokens.iter().collect();
    let b: Vec<&Token> = listed.tokens.iter().collect();
    let bits = |tokens: &[&Token]| -> Vec<f32> { tokens.iter().map(|t| rarity.bits(&t.text)).collect() };
    let mut parts = Vec::new();
    let mut left = (Vec::new(), Vec::new());
    let figures = match_words(&a, &bits(&a), &b, &bits(&b), |part| match part {
        Alignment::Pair(i, j, how) => parts.push((
            i.start,
            Part {
                screened: written(&a[i]),
                listed: written(&b[j]),
                how,
            },
        )),
        Alignment::OnlyScreened(i) => left.0.push(a[i].written.clone()),
        Alignment::OnlyListed(j) => left.1.push(b[j].written.clone()),
    });
    parts.sort_by_key(|(at, _)| *at);
    Comparison {
        score: figures.score,
        parts: parts.into_iter().map(|(_, part)| part).collect(),
        only_screened: left.0,
        only_listed: left.1,
        bits: figures.bits,
    }
}

fn written(tokens: &[&Token]) -> String {
    let words: Vec<&str> = tokens.iter().map(|token| token.written.as_str()).collect();
    words.join(" ")
}

/// What [`match_words`] tells about words, by their places.
pub enum Alignment {
    Pair(std::ops::Range<usize>, std::ops::Range<usize>, How),
    OnlyScreened(usize),
    OnlyListed(usize),
}

/// Matches the words of two names, and tells `found` about each.
pub fn match_words(
    a: &[&Token],
    a_bits: &[f32],
    b: &[&Token],
    b_bits: &[f32],
    mut found: impl FnMut(Alignment),
) -> Figures {
    let weights = |tokens: &[&Token], bits: &[f32]| -> Vec<u32> {
        tokens
            .iter()
            .zip(bits)
            .map(|(t, bits)| weight(&t.text, *bits))
            .collect()
    };
    let (wa, wb) = (weights(a, a_bits), weights(b, b_bits));
    let mut pairs = Vec::with_capacity(8);
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            if let Some((percent, how)) = similarity(x, y) {
                let value = percent * (wa[i] + wb[j]);
                pairs.push(Pair {
                    i,
                    j,
                    percent,
                    value,
                    how,
                });
            }
        }
    }
    // Pairs of one value are ordered by their words without regard to the side, so that the score is symmetric.
    let words = |pair: &Pair| {
        let (x, y) = (&a[pair.i].text, &b[pair.j].text);
        if x <= y { (x, y) } else { (y, x) }
    };
    pairs.sort_by(|p, q| {
        (q.percent, q.value)
            .cmp(&(p.percent, p.value))
            .then_with(|| words(p).cmp(&words(q)))
    });

    let (mut used_a, mut used_b) = (vec![false; a.len()], vec![false; b.len()]);
    let (mut matched_a, mut matched_b) = (0, 0);
    // Bits are summed as whole thousandths: the order of the pairs doesn't matter.
    let mut millibits = 0_u32;
    let mut information = |bits: f32, percent: u32| millibits += (bits * 10.0) as u32 * percent;
    for pair in pairs {
        if used_a[pair.i] || used_b[pair.j] {
            continue;
        }
        (used_a[pair.i], used_b[pair.j]) = (true, true);
        let bits = a_bits[pair.i].min(b_bits[pair.j]);
        let (weight_a, weight_b) = (wa[pair.i], wb[pair.j]);
        if pair.how == How::Initial {
            // An initial stands for one letter of the other word, not for the word.
            let weight = weight_a.min(weight_b);
            matched_a += pair.percent * weight;
            matched_b += pair.percent * weight;
            information(bits.min(INITIAL_BITS), pair.percent);
        } else {
            matched_a += pair.percent * weight_a;
            matched_b += pair.percent * weight_b;
            let initial = a[pair.i].text.chars().count() == 1;
            information(if initial { bits.min(INITIAL_BITS) } else { bits }, pair.percent);
        }
        found(Alignment::Pair(pair.i..pair.i + 1, pair.j..pair.j + 1, pair.how));
    }
    // Two neighbours that are left over, written together in the other name.
    for i in 0..a.len() {
        for j in 0..b.len() {
            if !used_a[i] && !used_b[j] {
                if i + 1 < a.len() && !used_a[i + 1] && together(a[i], a[i + 1], b[j]) {
                    (used_a[i], used_a[i + 1], used_b[j]) = (true, true, true);
                    matched_a += 98 * (wa[i] + wa[i + 1]);
                    matched_b += 98 * wb[j];
                    information((a_bits[i] + a_bits[i + 1]).min(b_bits[j]), 98);
                    found(Alignment::Pair(i..i + 2, j..j + 1, How::WrittenTogether));
                } else if j + 1 < b.len() && !used_b[j + 1] && together(b[j], b[j + 1], a[i]) {
                    (used_a[i], used_b[j], used_b[j + 1]) = (true, true, true);
                    matched_a += 98 * wa[i];
                    matched_b += 98 * (wb[j] + wb[j + 1]);
                    information((b_bits[j] + b_bits[j + 1]).min(a_bits[i]), 98);
                    found(Alignment::Pair(i..i + 1, j..j + 2, How::WrittenTogether));
                }
            }
        }
    }
    let mut left = (0, 0);
    for i in (0..a.len()).filter(|i| !used_a[*i]) {
        left.0 += 1;
        found(Alignment::OnlyScreened(i));
    }
    for j in (0..b.len()).filter(|j| !used_b[*j]) {
        left.1 += 1;
        found(Alignment::OnlyListed(j));
    }
    let share = |matched: u32, weights: &[u32]| {
        let whole = weights.iter().sum::<u32>() * 100;
        if whole == 0 {
            0
        } else {
            u64::from(matched) * 1_000_000 / u64::from(whole)
        }
    };
    let (share_a, share_b) = (share(matched_a, &wa), share(matched_b, &wb));
    let (more, less) = (share_a.max(share_b), share_a.min(share_b));
    // In millionths; rounded down, so that only equal names have 100.
    let score = more * (820_000 + 180_000 * less / 1_000_000) / 1_000_000 / 10_000;
    Figures {
        score: u8::try_from(score).unwrap_or(100),
        bits: millibits as f32 / 1_000.0,
        screened_left: left.0,
        listed_left: left.1,
    }
}

fn together(first: &Token, second: &Token, whole: &Token) -> bool {
    let length = first.text.len() + second.text.len();
    length == whole.text.len() && whole.text.starts_with(&first.text) && whole.text.ends_with(&second.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(a: &str, b: &str) -> Comparison {
        compare(&Name::of(a), &Name::of(b), &CommonNames)
    }

    #[test]
    fn one_edit_is_one_insertion_deletion_replacement_or_swap() {
        for (a, b) in [
            ("perez", "peres"),
            ("perez", "prez"),
            ("perez", "preez"),
            ("perez", "perezz"),
            ("añb", "ab"),
        ] {
            assert!(one_edit(a, b) && one_edit(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("perez", "perez"),
            ("perez", "pares"),
            ("ab", "ba1"),
            ("", "ab"),
            ("abc", "cba"),
        ] {
            assert!(!one_edit(a, b) && !one_edit(b, a), "{a} {b}");
        }
    }

    #[test]
    fn altered_names_score_high_and_other_persons_low() {
        for (a, b, least) in [
            ("José Rodríguez Pérez", "PEREZ RODRIGUEZ, Jose", 100),
            ("Pepe Rodríguez Pérez", "José Rodríguez Pérez", 96),
            ("José Rodriges Pérez", "José Rodríguez Pérez", 93),
            ("Yoandri Zaldívar", "Yoandry Zaldívar Pupo", 90),
            ("María Santamaría Gil", "María Santa María Gil", 98),
            ("Juan Delacruz", "Juan de la Cruz", 98),
            ("Muhamad al-Qadhafi", "Mohammed Gaddafi", 92),
            ("J. Rodríguez Pérez", "José Rodríguez Pérez", 93),
        ] {
            let score = compared(a, b).score;
            assert!(score >= least, "{a} | {b}: {score}");
        }
        for (a, b, most) in [
            ("José Rodríguez Pérez", "José Rodríguez Gómez", 75),
            ("María Pérez Gómez", "Juan Pérez Gómez", 75),
            ("María Zaldívar Pupo", "Mario Zaldívar Pupo", 89),
            ("Ana", "Luz", 0),
        ] {
            let score = compared(a, b).score;
            assert!(score <= most, "{a} | {b}: {score}");
        }
    }

    #[test]
    fn only_equal_words_score_one_hundred() {
        assert_eq!(compared("Ana Gil", "gil, ANA").score, 100);
        assert_eq!(compared("Ana Gil", "Ana Jil").score, 97);
        assert_eq!(compared("", "").score, 0);
    }

    #[test]
    fn the_explanation_tells_which_part_matched_how() {
        let comparison = compared("Pepe Gonzales Pupo", "GONZÁLEZ, José Luis");
        assert_eq!(
            comparison.words(Language::English),
            "Pepe = José: nickname or variant; Gonzales = GONZÁLEZ: sounds alike; only in the screened name: Pupo; only in \
             the listed name: Luis"
        );
        assert_eq!(
            comparison.words(Language::Spanish),
            "Pepe = José: diminutivo o variante; Gonzales = GONZÁLEZ: suena igual; solo en el nombre buscado: Pupo; solo \
             en el nombre listado: Luis"
        );
    }
}
