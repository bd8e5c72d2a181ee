//! Access tokens: short-lived JWTs bound to a tenant and a session.

use crate::problem::ApiError;
use caudal_domain::{
    ids::{PartyId, TenantId},
    party::Role,
};
use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long an access token is good for: whoever steals one has it no longer than a coffee break.
pub const LIFETIME: Duration = Duration::minutes(15);

/// The longest token that is looked at, in bytes; ours have some 400.
const MAX_TOKEN_BYTES: usize = 2_000;

/// The purpose under which the signing key is derived from the installation's key file.
pub const KEY_PURPOSE: &str = "access tokens";

/// What a token says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// The party.
    pub sub: PartyId,
    /// Its tenant; good for no other.
    pub tenant: TenantId,
    /// Its role when the token was given; the interface reads it, the gate asks the books.
    pub role: Role,
    /// The session it belongs to.
    pub sid: Uuid,
    /// Since when, in seconds since 1970.
    pub iat: i64,
    /// Until when, in seconds since 1970.
    pub exp: i64,
}

/// Signs and verifies tokens.
pub struct Tokens {
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
}

/// A token could not be signed.
#[derive(Debug, thiserror::Error)]
#[error("an access token can't be signed")]
pub struct SignError(#[from] jsonwebtoken::errors::Error);

impl Tokens {
    /// Tokens signed with a key.
    pub fn new(key: &[u8; 32]) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = 0;
        validation.set_required_spec_claims(&["exp", "sub"]);
        Self {
            encoding: EncodingKey::from_secret(key),
            decoding: DecodingKey::from_secret(key),
            validation,
        }
    }

    /// A token for a session.
    ///
    /// # Errors
    /// Where it can't be signed.
    pub fn issue(
        &self,
        tenant: &TenantId,
        party: PartyId,
        role: Role,
        session: Uuid,
        now: DateTime<Utc>,
    ) -> Result<String, SignError> {
        let claims = Claims {
            sub: party,
            tenant: tenant.clone(),
            role,
            sid: session,
            iat: now.timestamp(),
            exp: (now + LIFETIME).timestamp(),
        };
        Ok(encode(&Header::new(Algorithm::HS256), &claims, &self.encoding)?)
    }

    /// What a token says, where it is ours and still good.
    ///
    /// # Errors
    /// 401 otherwise.
    pub fn verify(&self, token: &str) -> Result<Claims, ApiError> {
        use jsonwebtoken::errors::ErrorKind;
        if token.len() > MAX_TOKEN_BYTES {
            return Err(ApiError::unauthorized("token_invalid"));
        }
        match decode::<Claims>(token, &self.decoding, &self.validation) {
            Ok(token) => Ok(token.claims),
            Err(error) => Err(ApiError::unauthorized(match error.kind() {
                ErrorKind::ExpiredSignature => "token_expired",
                _ => "token_invalid",
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issued(tokens: &Tokens, at: DateTime<Utc>) -> String {
        let tenant = "default".parse().unwrap();
        tokens
            .issue(&tenant, PartyId::generate(), Role::Agency, Uuid::now_v7(), at)
            .unwrap()
    }

    #[test]
    fn a_token_is_good_for_a_quarter_of_an_hour() {
        let tokens = Tokens::new(&[1; 32]);
        assert!(tokens.verify(&issued(&tokens, Utc::now())).is_ok());
        let old = issued(&tokens, Utc::now() - LIFETIME - Duration::seconds(1));
        assert_eq!(tokens.verify(&old).unwrap_err().code(), "token_expired");
    }

    #[test]
    fn a_token_of_another_key_or_without_a_signature_is_worth_nothing() {
        let (tokens, others) = (Tokens::new(&[1; 32]), Tokens::new(&[2; 32]));
        assert_eq!(
            tokens.verify(&issued(&others, Utc::now())).unwrap_err().code(),
            "token_invalid"
        );
        let token = issued(&tokens, Utc::now());
        let payload = token.split('.').nth(1).unwrap();
        // {"alg":"none","typ":"JWT"}
        let unsigned = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.");
        assert_eq!(tokens.verify(&unsigned).unwrap_err().code(), "token_invalid");
    }
}
