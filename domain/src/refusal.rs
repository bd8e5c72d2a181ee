//! Why a command is refused: for the caller, by stable codes. Texts in the caller's language belong to the API.

use crate::figures::Figures;
use std::{borrow::Cow, collections::BTreeMap, fmt};

/// What sort of refusal it is; the API answers each with its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The input is not valid (422).
    Invalid,
    /// The state of things does not allow it (409).
    Conflict,
    /// The caller's role does not allow it (403).
    Forbidden,
    /// There is no such thing in the caller's scope (404).
    NotFound,
}

/// A field that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field's name as in the request (camelCase; `terms[0].exchangeRate` for a nested one).
    pub field: Cow<'static, str>,
    /// The rule's code.
    pub code: &'static str,
    /// What the rule's text needs: a limit, a currency.
    pub params: Params,
}

/// A broken rule of a value whose field its reader names.
pub(crate) fn fault(code: &'static str) -> FieldError {
    fault_with(code, [])
}

/// The same, whose text has values.
pub(crate) fn fault_with<const N: usize>(code: &'static str, params: [(&'static str, String); N]) -> FieldError {
    FieldError {
        field: Cow::Borrowed(""),
        code,
        params: params.into(),
    }
}

/// Values for a text's placeholders. Never personal data.
pub type Params = BTreeMap<&'static str, String>;

/// A command refused; nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refusal {
    /// Its sort.
    pub kind: RefusalKind,
    /// Its stable code.
    pub code: &'static str,
    /// Values for its text.
    pub params: Params,
    /// The fields at fault, for [`RefusalKind::Invalid`].
    pub errors: Vec<FieldError>,
    /// The figures that the decision arrived at, for `quote_changed`.
    pub figures: Option<Box<Figures>>,
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
        }
    }

    /// The figures are not the ones that the caller confirmed.
    #[must_use]
    pub fn quote_changed(figures: Figures) -> Self {
        Self {
            figures: Some(Box::new(figures)),
            ..Self::conflict("quote_changed")
        }
    }

    /// The state of things does not allow it.
    #[must_use]
    pub fn conflict(code: &'static str) -> Self {
        Self::new(RefusalKind::Conflict, code)
    }

    /// The caller's role does not allow it.
    #[must_use]
    pub fn forbidden(code: &'static str) -> Self {
        Self::new(RefusalKind::Forbidden, code)
    }

    /// No such thing in the caller's scope.
    #[must_use]
    pub fn not_found(code: &'static str) -> Self {
        Self::new(RefusalKind::NotFound, code)
    }

    /// One field breaks a rule.
    #[must_use]
    pub fn invalid(field: impl Into<Cow<'static, str>>, code: &'static str) -> Self {
        Self::invalid_with(field, code, [])
    }

    /// One field breaks a rule whose text has values.
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

    /// Several fields break rules.
    #[must_use]
    pub fn all_invalid(errors: Vec<FieldError>) -> Self {
        Self {
            errors,
            ..Self::new(RefusalKind::Invalid, "invalid")
        }
    }

    /// Names the field that a conflict is about, with the conflict's own code.
    #[must_use]
    pub fn at(mut self, field: &'static str) -> Self {
        self.errors.push(FieldError {
            field: field.into(),
            code: self.code,
            params: Params::new(),
        });
        self
    }

    /// Adds a value for the text.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.params.insert(name, value.to_string());
        self
    }
}

/// Refuses unless the condition holds.
///
/// # Errors
/// The refusal, where the condition does not hold.
pub fn require(condition: bool, refusal: impl FnOnce() -> Refusal) -> Result<(), Refusal> {
    if condition { Ok(()) } else { Err(refusal()) }
}
