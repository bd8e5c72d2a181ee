//! Text search: texts are folded to words without case and accents, stored beside the row, and matched with LIKE.

use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// Maximum words of a search; further ones are ignored.
const MAX_WORDS: usize = 8;
/// Minimum digits from which a number is also found inside a longer one: the end of a telephone or document.
const DIGITS_ANYWHERE: usize = 4;
/// Digits of the codes of remittances, movements and closures, filled with zeros.
const CODE_DIGITS: usize = 6;

/// Words of a text: lower case, without accents, letters and digits only.
fn words(text: &str) -> Vec<String> {
    let plain: String = text
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    plain.split_whitespace().map(str::to_owned).collect()
}

/// Search text of a row: its fields in sequence, `, maria perez , 5351234567 ,`. A field of several numbers, like a
/// telephone, is also included without blanks. The comma sorts before letters and digits, so rows sort by their first
/// field.
pub(crate) fn folded<'a>(fields: impl IntoIterator<Item = Option<&'a str>>) -> String {
    let mut text = String::from(",");
    for field in fields.into_iter().flatten() {
        let words = words(field);
        if words.is_empty() {
            continue;
        }
        text.push_str(&format!(" {} ,", words.join(" ")));
        let digits = words.iter().all(|word| word.bytes().all(|b| b.is_ascii_digit()));
        if digits && words.len() > 1 {
            text.push_str(&format!(" {} ,", words.concat()));
        }
    }
    text
}

/// Pattern of the code that a search may mean without its zeros: `302`, `R-302` and `r302` mean R-000302.
fn code(words: &[String]) -> Option<String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let of_letter =
        |letter: &str, number: &str| is_number(number).then(|| format!("%, {letter} {number:0>CODE_DIGITS$} ,%"));
    match words {
        [number] if is_number(number) => (number.len() < CODE_DIGITS).then(|| format!("% {number:0>CODE_DIGITS$} ,%")),
        [joined] => {
            let letter = joined
                .get(..1)
                .filter(|letter| letter.bytes().all(|b| b.is_ascii_lowercase()))?;
            of_letter(letter, joined.get(1..)?)
        }
        [letter, number] if letter.len() == 1 && letter.bytes().all(|b| b.is_ascii_lowercase()) => {
            of_letter(letter, number)
        }
        _ => None,
    }
}

/// A search as LIKE patterns over folded texts. Words contain no LIKE wildcards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Search {
    /// A field that equals the text.
    pub(crate) exact: String,
    /// A field that begins with the text.
    pub(crate) prefix: String,
    /// One pattern per word, longest first.
    pub(crate) words: Vec<String>,
    /// A text that has this is found too, before others: the code that a short number may mean.
    pub(crate) code: Option<String>,
}

impl Search {
    /// Parses a search text; `None` without letters and digits, which match nothing.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut words = words(text);
        words.truncate(MAX_WORDS);
        let joined = words.join(" ");
        let code = code(&words);
        if words.is_empty() {
            return None;
        }
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let pattern = |word: &String| {
            let anywhere = word.len() >= DIGITS_ANYWHERE && word.bytes().all(|b| b.is_ascii_digit());
            if anywhere {
                format!("%{word}%")
            } else {
                format!("% {word}%")
            }
        };
        Some(Self {
            exact: format!("%, {joined} ,%"),
            prefix: format!("%, {joined}%"),
            words: words.iter().map(pattern).collect(),
            code,
        })
    }

    /// The longest word, as the most selective.
    pub(crate) fn first(&self) -> String {
        self.words.first().cloned().unwrap_or_default()
    }

    /// Whether a folded text contains all words.
    pub(crate) fn finds(&self, folded: &str) -> bool {
        self.words.iter().all(|word| folded.contains(word.trim_matches('%')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_accents_and_marks_do_not_matter() {
        assert_eq!(
            folded([Some("María-José  ÑÚÑEZ"), None, Some("+53 5555-1234")]),
            ", maria jose nunez , 53 5555 1234 , 5355551234 ,"
        );
        assert_eq!(Search::of("  Núñez MARÍA "), Search::of("nunez maria"));
    }

    #[test]
    fn words_match_from_their_beginning_and_long_numbers_anywhere() {
        let search = Search::of("mar 1234").unwrap();
        assert_eq!(search.words, ["%1234%", "% mar%"]);
        assert_eq!(search.exact, "%, mar 1234 ,%");
        assert!(search.finds(", maria perez , 5351234567 ,") && !search.finds(", omar , 5351234567 ,"));
        assert_eq!(Search::of("%_!"), None, "LIKE's own signs are no words");
    }

    #[test]
    fn a_short_number_with_or_without_its_letter_may_mean_a_code() {
        for (text, code) in [
            ("302", Some("% 000302 ,%")),
            ("#302", Some("% 000302 ,%")),
            ("R-302", Some("%, r 000302 ,%")),
            ("r302", Some("%, r 000302 ,%")),
            ("m 7", Some("%, m 000007 ,%")),
            ("R000302", Some("%, r 000302 ,%")),
            ("R-1000302", Some("%, r 1000302 ,%")),
            ("000302", None),
            ("52345678", None),
            ("r", None),
            ("β302", None),
            ("ana 302", None),
            ("r 302 ana", None),
        ] {
            assert_eq!(Search::of(text).unwrap().code.as_deref(), code, "{text}");
        }
    }
}
