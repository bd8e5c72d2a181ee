//! Request body of the policy of passwords.

use super::{
    field::{Faults, Field, FromJson, fault},
    merge::mergeable,
};
use caudal_domain::{FieldError, PasswordPolicy, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// Policy for new passwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PasswordKind {
    /// 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks.
    Composed,
    /// 12 to 128 characters of any kind.
    Long,
}

impl From<PasswordPolicy> for PasswordKind {
    fn from(policy: PasswordPolicy) -> Self {
        match policy {
            PasswordPolicy::Composed => Self::Composed,
            PasswordPolicy::Long => Self::Long,
        }
    }
}

impl FromJson for PasswordPolicy {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        serde_json::from_str(raw.get()).map_err(|_| fault("value_unknown"))
    }
}

/// Policy for new passwords.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordPolicyInput {
    /// `composed`, or `long`.
    #[serde(default)]
    #[schema(value_type = PasswordKind, required)]
    policy: Field<PasswordPolicy>,
    /// Previous value, as the client read it. If someone else has changed it since, the change is refused: 409
    /// `changed_since_read`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(PasswordPolicyInput { policy: "policy" });

impl PasswordPolicyInput {
    /// The current policy.
    #[must_use]
    pub fn standing(policy: PasswordPolicy) -> Self {
        Self {
            policy: Field::Given(policy),
            was: None,
        }
    }

    /// The policy.
    ///
    /// # Errors
    /// All field errors.
    pub fn policy(self) -> Result<PasswordPolicy, Refusal> {
        let mut faults = Faults::default();
        let policy = faults.required("policy", self.policy);
        faults.finish(|| policy)
    }
}
