//! Refusals: stable codes for why a command is refused. Texts in the caller's language belong to the API.

use crate::figures::Figures;
use std::{borrow::Cow, collections::BTreeMap, fmt};

/// Category of a refusal; maps to the HTTP status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Invalid input (422).
    Invalid,
    /// The current state forbids it (409).
    Conflict,
    /// The caller's role forbids it (403).
    Forbidden,
    /// Not found in the caller's scope (404).
    NotFound,
}

/// A field error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Field name as in the request (camelCase; `terms[0].exchangeRate` when nested).
    pub field: Cow<'static, str>,
    /// Stable code of the rule.
    pub code: &'static str,
    /// Placeholders of the text: a limit, a currency.
    pub params: Params,
}

/// A violated rule of a value; the caller adds the field.
pub(crate) fn fault(code: &'static str) -> FieldError {
    fault_with(code, [])
}

/// A violated rule with placeholders for its text.
pub(crate) fn fault_with<const N: usize>(code: &'static str, params: [(&'static str, String); N]) -> FieldError {
    FieldError {
        field: Cow::Borrowed(""),
        code,
        params: params.into(),
    }
}

/// Placeholders for a text. Never personal data.
pub type Params = BTreeMap<&'static str, String>;

/// A refused command; nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refusal {
    pub kind: RefusalKind,
    /// Stable code.
    pub code: &'static str,
    /// Placeholders for its text.
    pub params: Params,
    /// Field errors, for [`RefusalKind::Invalid`].
    pub errors: Vec<FieldError>,
    /// Current figures, for `quote_changed`.
    pub figures: Option<Box<Figures>>,
    /// Figures of the refused proposal, for `quote_changed`.
    pub proposed: Option<Box<Figures>>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)?;
        for error in &self.errors {
            write!(f, " {}:{}", error.field, error.code)?;
        }
        Ok(())
    }
}

impl Refusal {
    fn new(kind: RefusalKind, code: &'static str) -> Self {
        Self {
            kind,
            code,
            params: Params::new(),
            errors: Vec::new(),
            figures: None,
            proposed: None,
        }
    }

    /// 409: the current figures differ from the confirmed ones.
    #[must_use]
    pub fn quote_changed(figures: Figures) -> Self {
        Self {
            figures: Some(Box::new(figures)),
            ..Self::conflict("quote_changed")
        }
    }

    #[must_use]
    pub fn conflict(code: &'static str) -> Self {
        Self::new(RefusalKind::Conflict, code)
    }

    #[must_use]
    pub fn forbidden(code: &'static str) -> Self {
        Self::new(RefusalKind::Forbidden, code)
    }

    #[must_use]
    pub fn not_found(code: &'static str) -> Self {
        Self::new(RefusalKind::NotFound, code)
    }

    /// 422 with one field error.
    #[must_use]
    pub fn invalid(field: impl Into<Cow<'static, str>>, code: &'static str) -> Self {
        Self::invalid_with(field, code, [])
    }

    /// 422 with one field error whose text has placeholders.
    #[must_use]
    pub fn invalid_with<const N: usize>(
        field: impl Into<Cow<'static, str>>,
        code: &'static str,
        params: [(&'static str, String); N],
    ) -> Self {
        let error = FieldError {
            field: field.into(),
            code,
            params: params.into(),
        };
        Self {
            errors: vec![error],
            ..Self::new(RefusalKind::Invalid, "invalid")
        }
    }

    /// 422 with several field errors.
    #[must_use]
    pub fn all_invalid(errors: Vec<FieldError>) -> Self {
        Self {
            errors,
            ..Self::new(RefusalKind::Invalid, "invalid")
        }
    }

    /// Names the field that a conflict concerns, with the conflict's own code.
    #[must_use]
    pub fn at(mut self, field: &'static str) -> Self {
        self.errors.push(FieldError {
            field: field.into(),
            code: self.code,
            params: Params::new(),
        });
        self
    }

    /// Adds a placeholder.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.params.insert(name, value.to_string());
        self
    }
}

/// Returns the refusal unless the condition holds.
pub fn require(condition: bool, refusal: impl FnOnce() -> Refusal) -> Result<(), Refusal> {
    if condition { Ok(()) } else { Err(refusal()) }
}
