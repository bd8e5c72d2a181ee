//! Passwords and the codes for forgotten ones, as requests give them.

use super::field::{Faults, Field};
use crate::auth::passwords::require_strong;
use caudal_domain::{Refusal, party::PartyDetails};
use serde::Deserialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// The longest present password or code that is looked at, in bytes; a longer one is wrong, not too long.
const MAX_SECRET_BYTES: usize = 1_000;

/// The present password and the next.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePasswordInput {
    /// The address that the caller logs in with, as in the path.
    #[serde(default)]
    #[schema(value_type = String, required, format = "email", max_length = 254)]
    email: Field<String>,
    /// The present password.
    #[serde(default)]
    #[schema(value_type = String, required, format = "password")]
    old_password: Field<String>,
    /// 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks.
    #[serde(default)]
    #[schema(value_type = String, required, format = "password", min_length = 8, max_length = 15)]
    new_password: Field<String>,
}

/// A change of a password.
pub struct PasswordChange {
    /// The present one, as it was typed.
    pub old: Zeroizing<String>,
    /// The next one, by the rules.
    pub new: Zeroizing<String>,
}

impl ChangePasswordInput {
    /// The change that it describes, of the account of an address.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn change(self, email: &str) -> Result<PasswordChange, Refusal> {
        let mut faults = Faults::default();
        let named = faults.required_text("email", self.email);
        if named.is_some_and(|named| PartyDetails::normal_email(&named) != PartyDetails::normal_email(email)) {
            faults.add("email", "email_differs");
        }
        let old = secret("oldPassword", self.old_password, &mut faults);
        let new = faults.required("newPassword", self.new_password).map(Zeroizing::new);
        require_rules("newPassword", new.as_ref(), &mut faults);
        if old.as_ref().zip(new.as_ref()).is_some_and(|(old, new)| old == new) && faults.is_clear_of("newPassword") {
            faults.add("newPassword", "password_unchanged");
        }
        faults.finish(|| Some(PasswordChange { old: old?, new: new? }))
    }
}

/// The code of the mail and the next password.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPasswordInput {
    /// The digits of the mail; blanks and hyphens between them do not matter.
    #[serde(default)]
    #[schema(value_type = String, required, examples("1234 5678"))]
    code: Field<String>,
    /// 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks.
    #[serde(default)]
    #[schema(value_type = String, required, format = "password", min_length = 8, max_length = 15)]
    password: Field<String>,
}

/// A password to be set by a code.
pub struct PasswordReset {
    /// The code, as it was typed.
    pub code: Zeroizing<String>,
    /// The next password, by the rules.
    pub password: Zeroizing<String>,
}

impl ResetPasswordInput {
    /// What it asks for.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn reset(self) -> Result<PasswordReset, Refusal> {
        let mut faults = Faults::default();
        let code = secret("code", self.code, &mut faults);
        let password = faults.required("password", self.password).map(Zeroizing::new);
        require_rules("password", password.as_ref(), &mut faults);
        faults.finish(|| {
            Some(PasswordReset {
                code: code?,
                password: password?,
            })
        })
    }
}

/// Something that is compared with what is kept: there at all, and not beyond reason.
pub(super) fn secret(name: &'static str, field: Field<String>, faults: &mut Faults) -> Option<Zeroizing<String>> {
    let mut secret = Zeroizing::new(faults.required(name, field)?);
    if secret.is_empty() {
        faults.add(name, "required");
        return None;
    }
    if secret.len() > MAX_SECRET_BYTES {
        // Nothing that is kept is so long, so that what is left of it is as wrong.
        secret.clear();
    }
    Some(secret)
}

fn require_rules(name: &'static str, password: Option<&Zeroizing<String>>, faults: &mut Faults) {
    if let Some(Err(refusal)) = password.map(|password| require_strong(name, password)) {
        faults.absorb(refusal);
    }
}
