//! Texts in both languages.

use crate::Language;

/// A text in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    es: &'static str,
    en: &'static str,
}

impl Words {
    /// A text that the interface does not show; those that it does are in [`word`].
    #[must_use]
    pub const fn new(es: &'static str, en: &'static str) -> Self {
        Self { es, en }
    }

    #[must_use]
    pub const fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::Spanish => self.es,
            Language::English => self.en,
        }
    }
}

/// The words that server and interface share, from `frontend/src/shared/words`.
pub mod word {
    use super::Words;

    include!(concat!(env!("OUT_DIR"), "/words.rs"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_words_are_put_into_each_other_in_both_languages() {
        assert!(word::ALL.len() > 250);
        for words in word::ALL {
            for text in [words.es, words.en] {
                assert!(!text.trim().is_empty() && !text.contains("$word"), "{text}");
            }
        }
        let dealer = (word::DEALER.es.to_lowercase(), word::DEALER.en.to_lowercase());
        assert_eq!(word::CASH_TO_A_DEALER.es, format!("Efectivo al {}", dealer.0));
        assert_eq!(word::CASH_TO_A_DEALER.en, format!("Cash to a {}", dealer.1));
        assert_eq!(word::YES_LOWER, Words::new("sí", "yes"));
    }
}
