//! What formats of a workbook's numbers write beside the digits, such as `[$CUP] #,##0.00` and `"€"#,##0.00`.

use crate::imports::values::is_in_mark;

/// Maximum characters of a format; spreadsheet programs write no longer ones.
const MAX_FORMAT_CHARS: usize = 255;
/// Maximum characters of what stands beside a number. No currency has as many.
const MAX_BESIDE_CHARS: usize = 40;

/// Locales whose `$` is the dollar of the United States, as numbers and as names.
const OF_USD: &[&str] = &[
    "409", "EN-US", "540A", "ES-US", "500A", "ES-PR", "300A", "ES-EC", "440A", "ES-SV",
];
/// Those whose `$` is the Cuban peso.
const OF_CUP: &[&str] = &["5C0A", "ES-CU"];

/// A format of positive or negative numbers, of zero or of texts.
#[derive(Default)]
struct Section {
    /// Whether it shows the number.
    has_digits: bool,
    marks: Vec<String>,
    /// Letters and signs so far that stand together.
    word: String,
}

impl Section {
    fn take(&mut self, c: char) {
        if is_in_mark(c) {
            self.word.push(c);
        } else {
            self.end_word();
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        match word.as_str() {
            // A `$` without a locale is the sign of pesos as well as of dollars.
            "" | "$" => {}
            // The digits as they are.
            "General" => self.has_digits = true,
            _ => self.marks.push(word),
        }
    }

    /// Takes a part in brackets: a currency with its locale, such as `$€-C0A`, or else a colour, a condition or a locale alone.
    fn take_bracketed(&mut self, part: &str) {
        self.end_word();
        let Some(part) = part.strip_prefix('$') else { return };
        let (sign, locale) = part.split_once('-').unwrap_or((part, ""));
        if sign.trim() != "$" {
            sign.chars().for_each(|c| self.take(c));
            self.end_word();
            return;
        }
        let locale = locale.trim().to_ascii_uppercase();
        if locale.is_empty() {
            return;
        }
        self.marks.push(if OF_USD.contains(&locale.as_str()) {
            "$".to_owned()
        } else if OF_CUP.contains(&locale.as_str()) {
            "CUP".to_owned()
        } else {
            format!("${locale}")
        });
    }
}

/// Codes, signs and other words that a format writes beside a number, each once, with blanks between them. Empty for most formats.
pub(super) fn beside_number(format: &str) -> String {
    let mut sections = Vec::new();
    let mut section = Section::default();
    let mut characters = format.chars().take(MAX_FORMAT_CHARS).peekable();
    while let Some(c) = characters.next() {
        match c {
            ';' => {
                section.end_word();
                sections.push(std::mem::take(&mut section));
            }
            '"' => {
                section.end_word();
                let quoted = characters.by_ref().take_while(|c| *c != '"');
                quoted.for_each(|c| section.take(c));
            }
            '\\' => {
                if let Some(c) = characters.next() {
                    section.take(c);
                }
            }
            // The width of the next character, and one that fills the cell.
            '_' | '*' => {
                section.end_word();
                characters.next();
            }
            '[' => {
                let part: String = characters.by_ref().take_while(|c| *c != ']').collect();
                section.take_bracketed(&part);
            }
            '0' | '#' | '?' => {
                section.end_word();
                section.has_digits = true;
            }
            // An exponent.
            'E' | 'e' if matches!(characters.peek(), Some('+' | '-')) => section.end_word(),
            _ => section.take(c),
        }
    }
    section.end_word();
    sections.push(section);
    let mut marks: Vec<&str> = Vec::new();
    let shown = sections.iter().filter(|section| section.has_digits);
    for mark in shown.flat_map(|section| &section.marks) {
        if !marks.contains(&mark.as_str()) {
            marks.push(mark);
        }
    }
    marks.join(" ").chars().take(MAX_BESIDE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_currency_of_a_format_is_found_and_nothing_else_of_it() {
        for (format, expected) in [
            ("General", ""),
            ("0.00", ""),
            ("#,##0.00;[Red]-#,##0.00", ""),
            ("0.00E+00", ""),
            ("_(* #,##0.00_);_(* (#,##0.00);_(* \"-\"??_);_(@_)", ""),
            ("[>=100]0;[Blue]0.00", ""),
            ("[$-409]#,##0.00", ""),
            ("0.0%", ""),
            ("# ??/??", ""),
            ("[$CUP] #,##0.00", "CUP"),
            ("#,##0.00\\ [$CUP]", "CUP"),
            ("#,##0.00\" CUP\"", "CUP"),
            ("\\C\\U\\P\\ 0", "CUP"),
            ("General\" CUP\"", "CUP"),
            ("\"€\"#,##0.00", "€"),
            ("#,##0.00\\ [$€-C0A];[Red]-#,##0.00\\ [$€-C0A]", "€"),
            (
                "_-* #,##0.00\\ \"€\"_-;-* #,##0.00\\ \"€\"_-;_-* \"-\"??\\ \"€\"_-;_-@_-",
                "€",
            ),
            ("_($* #,##0.00_);_($* (#,##0.00);_($* \"-\"??_);_(@_)", ""),
            ("$#,##0.00", ""),
            ("[$$]#,##0.00", ""),
            ("[$$-409]#,##0.00", "$"),
            ("[$$-en-US]#,##0.00", "$"),
            ("[$$-5C0A]#,##0.00", "CUP"),
            ("[$$-es-CU]#,##0.00", "CUP"),
            ("[$$-1009]#,##0.00", "$1009"),
            ("\"US$\" 0", "US$"),
            ("[$$-409]#,##0.00 \"USD\"", "$ USD"),
            ("\"USD \"0;\"CUP \"0", "USD CUP"),
            ("0 \"pesos\"", "pesos"),
            // Of zero, and of texts.
            ("0.00;-0.00;\"nada\";\"Total \"@", ""),
            ("\"CUP", ""),
            ("[$CUP", ""),
        ] {
            assert_eq!(beside_number(format), expected, "{format}");
        }
        assert!(beside_number(&format!("0{}", "\"x\"0".repeat(1_000_000))).len() <= MAX_BESIDE_CHARS);
    }
}
