//! Request bodies of passkeys: what a browser's `toJSON()` tells of an answer, in Base64url.

use super::{
    field::{Faults, Field},
    password::secret,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use caudal_domain::{Refusal, text};
use serde::Deserialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// Maximum characters of a passkey's name.
pub const MAX_NAME_LENGTH: usize = 60;
/// Maximum characters of one part of an answer. An attestation with certificates, which nobody asks for, has about 8,000.
const MAX_PART: usize = 16_000;

/// The begin of a new passkey.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PasskeyBeginInput {
    /// Current password.
    #[serde(default)]
    #[schema(value_type = String, required, format = "password")]
    password: Field<String>,
}

impl PasskeyBeginInput {
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

/// A new passkey.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PasskeyInput {
    /// `ceremony` of the begin.
    #[serde(default)]
    #[schema(value_type = String, required)]
    ceremony: Field<String>,
    /// Its owner's name for it.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1, max_length = 60, examples("Teléfono"))]
    name: Field<String>,
    /// `response.clientDataJSON`.
    #[serde(default)]
    #[schema(value_type = String, required)]
    client_data: Field<String>,
    /// `response.attestationObject`.
    #[serde(default)]
    #[schema(value_type = String, required)]
    attestation: Field<String>,
}

/// A new passkey as sent.
pub struct NewPasskey {
    pub ceremony: String,
    pub name: String,
    pub client_data: Vec<u8>,
    pub attestation: Vec<u8>,
}

impl PasskeyInput {
    /// The passkey as sent.
    ///
    /// # Errors
    /// All field errors.
    pub fn passkey(self) -> Result<NewPasskey, Refusal> {
        let mut faults = Faults::default();
        let ceremony = faults.required_text("ceremony", self.ceremony);
        let name = faults.required_text("name", self.name);
        if let Some(Err(refusal)) = name.as_ref().map(|name| text::required("name", name, MAX_NAME_LENGTH)) {
            faults.absorb(refusal);
        }
        let client_data = part("clientData", self.client_data, &mut faults);
        let attestation = part("attestation", self.attestation, &mut faults);
        faults.finish(|| {
            Some(NewPasskey {
                ceremony: ceremony?,
                name: name?,
                client_data: client_data?,
                attestation: attestation?,
            })
        })
    }
}

/// A passkey's answer to a challenge.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PasskeyAnswerInput {
    /// `ceremony` of the begin; absent for a login, whose browser has it as a cookie.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    ceremony: Field<String>,
    /// `id` of the credential.
    #[serde(default)]
    #[schema(value_type = String, required)]
    credential: Field<String>,
    /// `response.clientDataJSON`.
    #[serde(default)]
    #[schema(value_type = String, required)]
    client_data: Field<String>,
    /// `response.authenticatorData`.
    #[serde(default)]
    #[schema(value_type = String, required)]
    authenticator_data: Field<String>,
    /// `response.signature`.
    #[serde(default)]
    #[schema(value_type = String, required)]
    signature: Field<String>,
    /// `response.userHandle`, where the authenticator tells it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    user_handle: Field<String>,
}

/// An answer as sent.
pub struct PasskeyAnswer {
    pub ceremony: Option<String>,
    pub credential: Vec<u8>,
    pub client_data: Vec<u8>,
    pub authenticator_data: Vec<u8>,
    pub signature: Vec<u8>,
    pub user_handle: Option<Vec<u8>>,
}

impl PasskeyAnswerInput {
    /// The answer as sent.
    ///
    /// # Errors
    /// All field errors.
    pub fn answer(self) -> Result<PasskeyAnswer, Refusal> {
        let mut faults = Faults::default();
        let ceremony = faults.optional("ceremony", self.ceremony);
        let credential = part("credential", self.credential, &mut faults);
        let client_data = part("clientData", self.client_data, &mut faults);
        let authenticator_data = part("authenticatorData", self.authenticator_data, &mut faults);
        let signature = part("signature", self.signature, &mut faults);
        let user_handle = match self.user_handle {
            Field::Absent | Field::Null => None,
            given => part("userHandle", given, &mut faults),
        };
        faults.finish(|| {
            Some(PasskeyAnswer {
                ceremony,
                credential: credential?,
                client_data: client_data?,
                authenticator_data: authenticator_data?,
                signature: signature?,
                user_handle,
            })
        })
    }
}

/// A part of an answer.
fn part(name: &'static str, field: Field<String>, faults: &mut Faults) -> Option<Vec<u8>> {
    let text = faults.required_text(name, field)?;
    let bytes = (text.len() <= MAX_PART).then(|| BASE64.decode(text.trim_end_matches('=')).ok());
    let bytes = bytes.flatten();
    if bytes.is_none() {
        faults.add(name, "base64url_expected");
    }
    bytes
}
