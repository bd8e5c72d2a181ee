//! Request bodies of passwords and one-time codes.

use super::field::{Faults, Field};
use crate::auth::passwords::require_strong;
use caudal_domain::{PasswordPolicy, Refusal, party::PartyDetails};
use serde::Deserialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// Maximum bytes of a current password or code; a longer one counts as wrong.
const MAX_SECRET_BYTES: usize = 1_000;

/// The current and the new password.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePasswordInput {
    /// E-mail address of the caller's login; must equal the path's.
    #[serde(default)]
    #[schema(value_type = String, required, format = "email", max_length = 254)]
    email: Field<String>,
    /// Current password.
    #[serde(default)]
    #[schema(value_type = String, required, format = "password")]
    old_password: Field<String>,
    /// By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    /// no blanks; or 12 to 128 of any kind.
    #[serde(default)]
    #[schema(value_type = String, required, format = "password", min_length = 8, max_length = 128)]
    new_password: Field<String>,
}

/// A password change.
pub struct PasswordChange {
    /// Current password as typed.
    pub old: Zeroizing<String>,
    /// New password, validated.
    pub new: Zeroizing<String>,
}

impl ChangePasswordInput {
    /// Converts to a change for the account of an address.
    ///
    /// # Errors
    /// All field errors.
    pub fn change(self, email: &str, policy: PasswordPolicy) -> Result<PasswordChange, Refusal> {
        let mut faults = Faults::default();
        let named = faults.required_text("email", self.email);
        if named.is_some_and(|named| PartyDetails::normal_email(&named) != PartyDetails::normal_email(email)) {
            faults.add("email", "email_differs");
        }
        let old = secret("oldPassword", self.old_password, &mut faults);
        let new = faults.required("newPassword", self.new_password).map(Zeroizing::new);
        require_rules("newPassword", new.as_ref(), policy, &mut faults);
        if old.as_ref().zip(new.as_ref()).is_some_and(|(old, new)| old == new) && faults.is_clear_of("newPassword") {
            faults.add("newPassword", "password_unchanged");
        }
        faults.finish(|| Some(PasswordChange { old: old?, new: new? }))
    }
}

/// The mailed code and the new password.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPasswordInput {
    /// Digits of the mailed code; blanks and hyphens are ignored.
    #[serde(default)]
    #[schema(value_type = String, required, examples("1234 5678"))]
    code: Field<String>,
    /// By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    /// no blanks; or 12 to 128 of any kind.
    #[serde(default)]
    #[schema(value_type = String, required, format = "password", min_length = 8, max_length = 128)]
    password: Field<String>,
}

/// A password reset by code.
pub struct PasswordReset {
    /// Code as typed.
    pub code: Zeroizing<String>,
    /// New password, validated.
    pub password: Zeroizing<String>,
}

impl ResetPasswordInput {
    /// Converts to a reset.
    ///
    /// # Errors
    /// All field errors.
    pub fn reset(self, policy: PasswordPolicy) -> Result<PasswordReset, Refusal> {
        let mut faults = Faults::default();
        let code = secret("code", self.code, &mut faults);
        let password = faults.required("password", self.password).map(Zeroizing::new);
        require_rules("password", password.as_ref(), policy, &mut faults);
        faults.finish(|| {
            Some(PasswordReset {
                code: code?,
                password: password?,
            })
        })
    }
}

/// A secret to compare: present and of plausible length.
pub(super) fn secret(name: &'static str, field: Field<String>, faults: &mut Faults) -> Option<Zeroizing<String>> {
    let mut secret = Zeroizing::new(faults.required(name, field)?);
    if secret.is_empty() {
        faults.add(name, "required");
        return None;
    }
    if secret.len() > MAX_SECRET_BYTES {
        // Nothing stored is that long, so the truncated value is wrong as well.
        secret.clear();
    }
    Some(secret)
}

fn require_rules(
    name: &'static str,
    password: Option<&Zeroizing<String>>,
    policy: PasswordPolicy,
    faults: &mut Faults,
) {
    if let Some(Err(refusal)) = password.map(|password| require_strong(name, password, policy)) {
        faults.absorb(refusal);
    }
}
