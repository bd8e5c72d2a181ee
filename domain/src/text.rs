//! Validation of typed texts. Applies to decisions; texts of stored events are read unchecked.
//!
//! | Text | Characters refused |
//! |---|---|
//! | a line: names, addresses, numbers, references | control characters, line breaks, invisible characters |
//! | a note: notes, reasons, concepts | control characters but `\n`, invisible characters |
//!
//! A line break in a name forges a row of a receipt or an export; an invisible character makes two names look the same,
//! or displays a text in another order than stored.

use crate::refusal::{FieldError, Params, Refusal, require};
use std::borrow::Cow;

/// A violated rule of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFault {
    /// Stable code of the rule.
    pub code: &'static str,
    /// Placeholders: `character`, the offending character as `U+202E`.
    pub params: Params,
}

impl TextFault {
    fn of(code: &'static str, character: char) -> Self {
        let character = format!("U+{:04X}", u32::from(character));
        Self {
            code,
            params: [("character", character)].into(),
        }
    }

    /// The same as a field error.
    fn at(self, field: Cow<'static, str>) -> Refusal {
        Refusal::all_invalid(vec![FieldError {
            field,
            code: self.code,
            params: self.params,
        }])
    }
}

/// Whether a character has no width or changes text direction: Unicode's zero-width characters, marks, embeddings,
/// overrides and isolates of bidirectional text, the byte order mark, and tags.
const fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
    )
}

const fn is_line_break(character: char) -> bool {
    matches!(
        character,
        '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Validates a single-line text.
///
/// # Errors
/// The rule that the first offending character violates.
pub fn check_line(text: &str) -> Result<(), TextFault> {
    let fault = text.chars().find_map(|character| match character {
        _ if is_line_break(character) => Some(TextFault::of("text_has_line_breaks", character)),
        _ => hidden(character),
    });
    fault.map_or(Ok(()), Err)
}

/// Validates a multi-line text, with `\n` as line break.
///
/// # Errors
/// The rule that the first offending character violates.
pub fn check_note(text: &str) -> Result<(), TextFault> {
    let fault = text.chars().find_map(|character| match character {
        '\n' => None,
        '\u{2028}' | '\u{2029}' => Some(TextFault::of("text_has_control_characters", character)),
        _ => hidden(character),
    });
    fault.map_or(Ok(()), Err)
}

fn hidden(character: char) -> Option<TextFault> {
    if character.is_control() {
        Some(TextFault::of("text_has_control_characters", character))
    } else if is_invisible(character) {
        Some(TextFault::of("text_has_invisible_characters", character))
    } else {
        None
    }
}

/// Validates a required line: not blank, at most `max` characters.
///
/// # Errors
/// Names the field and the rule.
pub fn required(field: impl Into<Cow<'static, str>>, text: &str, max: usize) -> Result<(), Refusal> {
    let field = not_blank(field, text)?;
    optional(field, text, max)
}

/// Validates an optional line: at most `max` characters.
///
/// # Errors
/// Names the field and the rule.
pub fn optional(field: impl Into<Cow<'static, str>>, text: &str, max: usize) -> Result<(), Refusal> {
    let field = not_longer(field, text, max)?;
    check_line(text).map_err(|fault| fault.at(field))
}

/// Validates a required note: not blank, at most `max` characters.
///
/// # Errors
/// Names the field and the rule.
pub fn required_note(field: impl Into<Cow<'static, str>>, text: &str, max: usize) -> Result<(), Refusal> {
    let field = not_blank(field, text)?;
    optional_note(field, text, max)
}

/// Validates an optional note: at most `max` characters.
///
/// # Errors
/// Names the field and the rule.
pub fn optional_note(field: impl Into<Cow<'static, str>>, text: &str, max: usize) -> Result<(), Refusal> {
    let field = not_longer(field, text, max)?;
    check_note(text).map_err(|fault| fault.at(field))
}

fn not_blank(field: impl Into<Cow<'static, str>>, text: &str) -> Result<Cow<'static, str>, Refusal> {
    let field = field.into();
    require(!text.trim().is_empty(), || Refusal::invalid(field.clone(), "required"))?;
    Ok(field)
}

fn not_longer(field: impl Into<Cow<'static, str>>, text: &str, max: usize) -> Result<Cow<'static, str>, Refusal> {
    let field = field.into();
    require(text.chars().count() <= max, || {
        Refusal::invalid_with(field.clone(), "text_too_long", [("max", max.to_string())])
    })?;
    Ok(field)
}

/// For a reason of anything, in characters.
pub const MAX_REASON_LENGTH: usize = 500;

/// In bytes: RFC 5321's path limit less its brackets.
pub const MAX_EMAIL_LENGTH: usize = 254;

/// Whether an ASCII character may stand in the local part of an address without quotes (RFC 5322, `atext`).
fn is_local(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(character)
}

/// Whether a text is of parts of these characters and of others than ASCII, with single dots between them.
fn is_dotted(text: &str, is_permitted: impl Fn(char) -> bool) -> bool {
    text.split('.').all(|part| {
        !part.is_empty()
            && part
                .chars()
                .all(|character| !character.is_ascii() || is_permitted(character))
    })
}

/// Validates an e-mail address, without quotes, comments and brackets: one `@`, a dot in the domain, no blanks or invisible
/// characters, at most 254 bytes. Letters of other scripts are permitted (RFC 6531).
///
/// # Errors
/// Names the field and the rule.
pub fn email(field: &'static str, text: &str) -> Result<(), Refusal> {
    let parts: Vec<&str> = text.split('@').collect();
    let shaped = match parts.as_slice() {
        [local, domain] => {
            local.len() <= 64
                && is_dotted(local, is_local)
                && domain.contains('.')
                && is_dotted(domain, |c| c.is_ascii_alphanumeric() || c == '-')
        }
        _ => false,
    };
    let plain = text.len() <= MAX_EMAIL_LENGTH
        && !text
            .chars()
            .any(|c| c.is_whitespace() || c.is_control() || is_invisible(c));
    require(shaped && plain, || Refusal::invalid(field, "email_invalid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes of an offending character: in a line, and in a note.
    fn codes(character: char) -> [Option<&'static str>; 2] {
        let text = format!("Ana{character}Ruiz");
        [check_line(&text), check_note(&text)].map(|checked| checked.err().map(|fault| fault.code))
    }

    #[test]
    fn letters_signs_and_digits_of_any_language_pass() {
        for character in "ñÜ·'-–’€ 7字ابא😀\u{301}\u{A0}".chars() {
            assert_eq!(codes(character), [None; 2], "{character:?}");
        }
    }

    #[test]
    fn a_line_break_divides_a_note_and_is_refused_in_a_line() {
        assert_eq!(codes('\n'), [Some("text_has_line_breaks"), None]);
        for other in ['\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}'] {
            let codes = codes(other);
            assert_eq!(
                codes,
                [Some("text_has_line_breaks"), Some("text_has_control_characters")],
                "{other:?}"
            );
        }
    }

    #[test]
    fn control_characters_are_refused() {
        for character in ['\0', '\t', '\u{1B}', '\u{7F}', '\u{9B}'] {
            assert_eq!(
                codes(character),
                [Some("text_has_control_characters"); 2],
                "{character:?}"
            );
        }
    }

    #[test]
    fn marks_of_direction_and_characters_without_width_are_refused() {
        let marks = [
            '\u{61C}',
            '\u{200E}',
            '\u{200F}',
            '\u{FEFF}',
            '\u{200B}',
            '\u{AD}',
            '\u{E0041}',
        ];
        let ranges = ('\u{202A}'..='\u{202E}').chain('\u{2066}'..='\u{2069}');
        for character in marks.into_iter().chain(ranges) {
            assert_eq!(
                codes(character),
                [Some("text_has_invisible_characters"); 2],
                "{character:?}"
            );
        }
        let named = check_line("Ana\u{202E}").unwrap_err();
        assert_eq!(named.params["character"], "U+202E");
        assert!(email("email", "ana\u{200B}@example.test").is_err());
    }

    #[test]
    fn an_address_is_one_to_which_a_mail_arrives_as_it_was_typed() {
        for address in [
            "ana@example.test",
            "ana.perez+caudal@sub.example.test",
            "o'neill_{1}@a-b.example.test",
            "josé@correo.cu",
            "用户@例子.广告",
        ] {
            assert!(email("email", address).is_ok(), "{address}");
        }
        for address in [
            "<a@b.c>",
            "Ana <a@b.c>",
            "a,b@c.d",
            "a@b.c,d@e.f",
            "a;b@c.d",
            "a:b@c.d",
            "\"a\"@b.c",
            "a(b)@c.d",
            "a[b]@c.d",
            "a\\b@c.d",
            ".a@b.c",
            "a.@b.c",
            "a..b@c.d",
            "@b.c",
            "a@",
            "a@b",
            "a@.b",
            "a@b.",
            "a@b..c",
            "a@b_c.d",
            "a@[127.0.0.1]",
            "a@b@c.d",
            "a@b.c>",
        ] {
            let refused = email("email", address).unwrap_err();
            assert_eq!(
                (refused.errors[0].field.as_ref(), refused.errors[0].code),
                ("email", "email_invalid"),
                "{address}"
            );
        }
    }
}
