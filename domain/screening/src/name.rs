//! Normalisation of names: words in lower case without accents, particles set aside, each with its sound.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::{nicknames, sound};

/// Words of a name that count. Longer names, mostly of organisations, are cut.
pub const MAXIMUM_TOKENS: usize = 12;

/// Characters of a name that are read. Lists have names of up to 350.
const MAXIMUM_CHARACTERS: usize = 1_000;

/// Characters of one word that are read.
const MAXIMUM_WORD: usize = 40;

/// Set aside, unless the name consists of nothing else: particles of Spanish, Portuguese, German, Dutch and Arabic
/// names, forms of address, and legal forms of companies.
const PARTICLES: &[&str] = &[
    "al", "bin", "bint", "co", "corp", "da", "das", "de", "del", "den", "der", "di", "do", "don", "dona", "dos", "dr",
    "dra", "e", "el", "ibn", "inc", "ing", "la", "las", "lic", "llc", "los", "ltd", "mr", "mrs", "ould", "sa", "sr",
    "sra", "srl", "srta", "ul", "van", "von", "y",
];

/// A normalised name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    pub tokens: Vec<Token>,
}

/// One word of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Token {
    /// In lower case, without accents.
    pub text: String,
    /// See [`sound::key`].
    pub sound: String,
    /// See [`sound::bones`].
    pub bones: String,
    /// Groups of nicknames and variants that contain the word.
    pub groups: Vec<u16>,
    /// The word with the particles before it, written as one: `delacruz` for the `Cruz` of `de la Cruz`. Empty without
    /// particles.
    pub joined: String,
    /// As it was written, for explanations.
    pub written: String,
    /// Whether the word is among the common Spanish and Cuban names ([`crate::common`]).
    pub common: bool,
}

impl Token {
    #[must_use]
    pub fn of(text: &str) -> Self {
        let sound = sound::key(text);
        Self {
            bones: sound::bones(&sound),
            groups: nicknames::groups(text),
            common: crate::common::bits(text).is_some(),
            text: text.to_owned(),
            joined: String::new(),
            written: text.to_owned(),
            sound,
        }
    }
}

impl Name {
    /// Normalises a name. Any text is accepted; one without letters or digits has no tokens.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut words = Vec::new();
        let mut word = (String::new(), String::new());
        let mut characters = 0;
        for c in text.chars().take(MAXIMUM_CHARACTERS) {
            // An apostrophe within a word is dropped, everything else that is no letter separates.
            if matches!(c, '\'' | '’' | '‘' | '`' | '´' | 'ʼ') {
                continue;
            }
            let before = word.0.len();
            folded(c, &mut word.0);
            if word.0.len() == before && !is_combining_mark(c) {
                words.push(std::mem::take(&mut word));
                characters = 0;
            } else if characters < MAXIMUM_WORD {
                word.1.push(c);
                characters += 1;
            } else {
                word.0.truncate(before);
            }
        }
        words.push(word);
        words.retain(|(folded, _)| !folded.is_empty());

        let particle = |word: &str| PARTICLES.binary_search(&word).is_ok();
        let all = words.iter().all(|(folded, _)| particle(folded));
        let mut tokens = Vec::new();
        let mut particles = String::new();
        for (text, written) in words {
            if particle(&text) && !all {
                particles.push_str(&text);
                continue;
            }
            if tokens.len() == MAXIMUM_TOKENS {
                break;
            }
            let mut token = Token::of(&text);
            if !particles.is_empty() {
                particles.push_str(&text);
                token.joined = std::mem::take(&mut particles);
            }
            token.written = written;
            tokens.push(token);
        }
        Self { tokens }
    }

    /// The normalised words, separated by spaces. Normalising the result changes nothing.
    #[must_use]
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.tokens.iter().map(|token| token.text.as_str()).collect();
        words.join(" ")
    }
}

/// Appends the letters that a character is folded into; none for what is no letter or digit.
fn folded(c: char, out: &mut String) {
    if c.is_ascii() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        }
        return;
    }
    for c in std::iter::once(c).nfkd() {
        for c in c.to_lowercase() {
            if is_combining_mark(c) {
                continue;
            }
            match latin(c) {
                Some(letters) => out.push_str(letters),
                None if c.is_alphanumeric() => out.push(c),
                None => {}
            }
        }
    }
}

/// Latin letters of characters that have no decomposition: other Latin letters, Cyrillic and Greek.
const fn latin(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'þ' => "th",
        'ı' => "i",
        'ħ' => "h",
        'ə' => "a",
        // Cyrillic. Й and ё decompose, Ukrainian and Belarusian letters stand at the end.
        'а' => "a",
        'б' => "b",
        'в' => "v",
        'г' => "g",
        'д' => "d",
        'е' | 'э' | 'є' => "e",
        'ж' => "zh",
        'з' => "z",
        'и' | 'і' => "i",
        'к' => "k",
        'л' => "l",
        'м' => "m",
        'н' => "n",
        'о' => "o",
        'п' => "p",
        'р' => "r",
        'с' => "s",
        'т' => "t",
        'у' => "u",
        'ф' => "f",
        'х' => "kh",
        'ц' => "ts",
        'ч' => "ch",
        'ш' => "sh",
        'щ' => "shch",
        'ы' => "y",
        'ъ' | 'ь' => "",
        'ю' => "yu",
        'я' => "ya",
        'ґ' => "g",
        // Greek.
        'α' => "a",
        'β' => "v",
        'γ' => "g",
        'δ' => "d",
        'ε' | 'η' => "e",
        'ζ' => "z",
        'θ' => "th",
        'ι' => "i",
        'κ' => "k",
        'λ' => "l",
        'μ' => "m",
        'ν' => "n",
        'ξ' => "x",
        'ο' | 'ω' => "o",
        'π' => "p",
        'ρ' => "r",
        'σ' | 'ς' => "s",
        'τ' => "t",
        'υ' => "y",
        'φ' => "f",
        'χ' => "ch",
        'ψ' => "ps",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> String {
        Name::of(name).text()
    }

    #[test]
    fn particles_are_sorted_for_the_search() {
        assert!(PARTICLES.is_sorted());
    }

    #[test]
    fn accents_case_punctuation_and_particles_are_set_aside() {
        assert_eq!(text("José-Luis DE LA CRUZ y Núñez"), "jose luis cruz nunez");
        assert_eq!(text("  Rodríguez,   Pérez;José "), "rodriguez perez jose");
        assert_eq!(text("D'Angelo O’Reilly"), "dangelo oreilly");
        assert_eq!(text("AL-TIKRITI, Saddam bin Hussein"), "tikriti saddam hussein");
        assert_eq!(text("Straße Łukasz Ørsted"), "strasse lukasz orsted");
        assert_eq!(text("ＪＯＳＥ ﬁdel"), "jose fidel");
        assert_eq!(text("Jose\u{301} Nun\u{303}ez"), "jose nunez");
    }

    #[test]
    fn cyrillic_and_greek_become_latin() {
        assert_eq!(text("Юрий Щербаков"), "yurii shcherbakov");
        assert_eq!(text("Αλέξανδρος"), "alexandros");
    }

    #[test]
    fn a_name_of_particles_only_keeps_them() {
        assert_eq!(text("De la"), "de la");
        assert_eq!(text("¿?"), "");
    }

    #[test]
    fn a_particle_is_remembered_with_the_word_that_it_stands_before() {
        let name = Name::of("María de la Cruz");
        assert_eq!(name.tokens[1].joined, "delacruz");
        assert_eq!(name.tokens[1].written, "Cruz");
    }
}
