//! Request bodies of second factors.

use super::{
    decimal::MoneyInput,
    field::{Faults, Field, FromJson, fault},
    merge::{mergeable, standing},
    password::secret,
};
use caudal_domain::{FieldError, Refusal, SecondFactorRule, money::Amount, party::Role, text};
use caudal_projections::public_events::PublicRole;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use utoipa::ToSchema;
use zeroize::Zeroizing;

impl FromJson for Role {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        serde_json::from_str(raw.get()).map_err(|_| fault("value_unknown"))
    }
}

/// Maximum characters of a typed code: a recovery code with a blank beside each of its letters is shorter.
const MAX_CODE_LENGTH: usize = 64;

/// A code of the second factor.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondFactorCodeInput {
    /// Six digits of the authenticator app, or a recovery code; blanks, hyphens and case are ignored.
    #[serde(default)]
    #[schema(value_type = String, required, examples("123456"))]
    code: Field<String>,
}

impl SecondFactorCodeInput {
    /// The code as typed.
    ///
    /// # Errors
    /// All field errors.
    pub fn code(self) -> Result<Zeroizing<String>, Refusal> {
        let mut faults = Faults::default();
        let code = secret("code", self.code, &mut faults);
        if let Some(Err(refusal)) = code.as_ref().map(|code| text::optional("code", code, MAX_CODE_LENGTH)) {
            faults.absorb(refusal);
        }
        faults.finish(|| code)
    }
}

/// A code of the second factor, or none where the session gave one lately.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionalSecondFactorCodeInput {
    /// Six digits of the authenticator app, or a recovery code. Absent, the session needs a fresh code.
    #[serde(default)]
    #[schema(value_type = Option<String>, examples("123456"))]
    code: Field<String>,
}

impl OptionalSecondFactorCodeInput {
    /// The code as typed.
    ///
    /// # Errors
    /// All field errors.
    pub fn optional_code(self) -> Result<Option<Zeroizing<String>>, Refusal> {
        match self.code {
            Field::Absent | Field::Null => Ok(None),
            code => SecondFactorCodeInput { code }.code().map(Some),
        }
    }
}

/// The caller's password, for the begin of an enrolment.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondFactorEnrolmentInput {
    /// Current password.
    #[serde(default)]
    #[schema(value_type = String, required, format = "password")]
    password: Field<String>,
}

impl SecondFactorEnrolmentInput {
    /// The password as typed.
    ///
    /// # Errors
    /// All field errors.
    pub fn password(self) -> Result<Zeroizing<String>, Refusal> {
        let mut faults = Faults::default();
        let password = secret("password", self.password, &mut faults);
        faults.finish(|| password)
    }
}

/// Roles that need a second factor, and which movements ask for a code of it.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SecondFactorRuleInput {
    /// All of them; empty for none.
    #[serde(default)]
    #[schema(value_type = Vec<PublicRole>, required, max_items = 6, example = json!(["manager"]))]
    roles: Field<Vec<Role>>,
    /// Smallest movement or payment in USD that asks who has a second factor for a fresh code; null for none. Absent, it
    /// stays as it is.
    #[serde(default)]
    #[schema(value_type = Option<MoneyInput>)]
    code_from: Field<Amount>,
    /// Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged, and a field that
    /// someone else has changed since is refused: 409 `changed_since_read`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(SecondFactorRuleInput {
    roles: "roles",
    code_from: "codeFrom",
});

impl SecondFactorRuleInput {
    /// The current rule.
    #[must_use]
    pub fn standing(rule: &SecondFactorRule) -> Self {
        Self {
            roles: Field::Given(rule.roles.iter().copied().collect()),
            code_from: standing(rule.code_from),
            was: None,
        }
    }

    /// The rule, after the present one.
    ///
    /// # Errors
    /// All field errors.
    pub fn rule(self, present: &SecondFactorRule) -> Result<SecondFactorRule, Refusal> {
        let mut faults = Faults::default();
        let roles = faults.required("roles", self.roles);
        let code_from = faults.change("codeFrom", self.code_from).unwrap_or(present.code_from);
        faults.finish(|| {
            Some(SecondFactorRule {
                roles: BTreeSet::from_iter(roles?),
                code_from,
            })
        })
    }
}
