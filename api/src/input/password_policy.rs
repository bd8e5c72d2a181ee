//! Request body of the policy of passwords.

use super::field::{Faults, Field, FromJson, fault};
use crate::routes::password_policy::PasswordKind;
use caudal_domain::{FieldError, PasswordPolicy, Refusal};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

impl FromJson for PasswordPolicy {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        serde_json::from_str(raw.get()).map_err(|_| fault("value_unknown"))
    }
}

/// What new passwords must be.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasswordPolicyInput {
    /// `composed`, or `long`.
    #[serde(default)]
    #[schema(value_type = PasswordKind, required)]
    policy: Field<PasswordPolicy>,
}

impl PasswordPolicyInput {
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
