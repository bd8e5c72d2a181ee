//! Request bodies of single sign-on.

use super::{
    field::{Faults, Field},
    merge::{mergeable, standing},
    password::secret,
};
use caudal_domain::{MAX_SIGN_ON_LENGTH, Refusal, SignOnProvider, text};
use serde::Deserialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// Maximum characters of what a provider sends by a browser: codes of some providers are tokens.
const MAX_ANSWER: usize = 4_000;

/// Query of the provider's redirect.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SignOnFinishInput {
    /// `code` of the address.
    #[serde(default)]
    #[schema(value_type = String, required)]
    code: Field<String>,
    /// `state` of the address.
    #[serde(default)]
    #[schema(value_type = String, required)]
    state: Field<String>,
    /// Code of the account's second factor, where it has one.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    second_factor: Field<String>,
}

/// The end of a login.
pub struct SignOnFinish {
    pub code: Zeroizing<String>,
    pub state: String,
    pub second_factor: Option<Zeroizing<String>>,
}

impl SignOnFinishInput {
    /// The end as sent.
    ///
    /// # Errors
    /// All field errors.
    pub fn finish(self) -> Result<SignOnFinish, Refusal> {
        let mut faults = Faults::default();
        let code = faults.required("code", self.code).map(Zeroizing::new);
        let state = faults.required("state", self.state);
        let second_factor = faults.optional("secondFactor", self.second_factor).map(Zeroizing::new);
        for (name, value) in [("code", code.as_deref()), ("state", state.as_ref())] {
            if let Some(Err(refusal)) = value.map(|value| text::optional(name, value, MAX_ANSWER)) {
                faults.absorb(refusal);
            }
        }
        faults.finish(|| {
            Some(SignOnFinish {
                code: code?,
                state: state?,
                second_factor,
            })
        })
    }
}

/// A provider of single sign-on.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SignOnProviderInput {
    /// URL of the issuer, as its discovery document says it.
    #[serde(default)]
    #[schema(value_type = String, required, max_length = 500, example = "https://login.example")]
    issuer: Field<String>,
    /// Client id of this installation at the provider.
    #[serde(default)]
    #[schema(value_type = String, required, max_length = 500)]
    client_id: Field<String>,
    /// Client secret; absent to keep the present one of the same issuer.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "password")]
    client_secret: Field<String>,
    /// Whether logins by it are admitted; true when absent.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_enabled: Field<bool>,
    /// Previous values of the sent fields other than the secret, as the client read them. With `was`, absent fields stay
    /// unchanged, and a field that someone else has changed since is refused: 409 `changed_since_read`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(SignOnProviderInput {
    issuer: "issuer",
    client_id: "clientId",
    is_enabled: "isEnabled",
});

/// A provider as sent.
pub struct SignOnChange {
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Option<Zeroizing<String>>,
    pub is_enabled: bool,
}

impl SignOnProviderInput {
    /// The current provider; without one all fields are empty.
    #[must_use]
    pub fn standing(provider: Option<&SignOnProvider>) -> Self {
        Self {
            issuer: standing(provider.map(|own| own.issuer.clone())),
            client_id: standing(provider.map(|own| own.client_id.clone())),
            is_enabled: standing(provider.map(|own| own.is_enabled)),
            ..Self::default()
        }
    }

    /// The provider.
    ///
    /// # Errors
    /// All field errors.
    pub fn provider(self) -> Result<SignOnChange, Refusal> {
        let mut faults = Faults::default();
        let issuer = faults.required_text("issuer", self.issuer);
        let client_id = faults.required_text("clientId", self.client_id);
        for (name, value) in [("issuer", &issuer), ("clientId", &client_id)] {
            let checked = value
                .as_ref()
                .map(|value| text::required(name, value, MAX_SIGN_ON_LENGTH));
            if let Some(Err(refusal)) = checked {
                faults.absorb(refusal);
            }
        }
        let client_secret = match self.client_secret {
            Field::Absent => None,
            given => secret("clientSecret", given, &mut faults),
        };
        let is_enabled = faults.optional("isEnabled", self.is_enabled);
        faults.finish(|| {
            Some(SignOnChange {
                issuer: issuer?,
                client_id: client_id?,
                client_secret,
                is_enabled: is_enabled.unwrap_or(true),
            })
        })
    }
}
