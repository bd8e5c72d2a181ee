//! Rules for texts that people type.

use crate::refusal::{Refusal, require};
use std::borrow::Cow;

/// A text that must be there: not blank, at most `max` characters, no control characters.
///
/// # Errors
/// Names the field and the rule.
pub fn required(field: impl Into<Cow<'static, str>>, text: &str, max: usize) -> Result<(), Refusal> {
    let field = field.into();
    require(!text.trim().is_empty(), || Refusal::invalid(field.clone(), "required"))?;
    optional(field, text, max)
}

/// A text that may be empty: at most `max` characters, no control characters but line breaks and tabs.
///
/// # Errors
/// Names the field and the rule.
pub fn optional(field: impl Into<Cow<'static, str>>, text: &str, max: usize) -> Result<(), Refusal> {
    let field = field.into();
    require(text.chars().count() <= max, || {
        Refusal::invalid_with(field.clone(), "text_too_long", [("max", max.to_string())])
    })?;
    require(
        !text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')),
        || Refusal::invalid(field.clone(), "text_has_control_characters"),
    )
}

/// The longest e-mail address, in bytes: RFC 5321's path limit less its brackets.
pub const MAX_EMAIL_LENGTH: usize = 254;

/// An e-mail address: one `@`, something on both sides, a dot in the domain, no blanks, at most 254 characters.
///
/// # Errors
/// Names the field and the rule.
pub fn email(field: &'static str, text: &str) -> Result<(), Refusal> {
    let parts: Vec<&str> = text.split('@').collect();
    let shaped = match parts.as_slice() {
        [local, domain] => {
            !local.is_empty()
                && local.len() <= 64
                && domain.contains('.')
                && !domain.starts_with('.')
                && !domain.ends_with('.')
                && !domain.contains("..")
        }
        _ => false,
    };
    let plain = text.len() <= MAX_EMAIL_LENGTH && !text.chars().any(|c| c.is_whitespace() || c.is_control());
    require(shaped && plain, || Refusal::invalid(field, "email_invalid"))
}
