//! Access tokens: short-lived JWTs bound to a tenant and a session.

use super::caller::Viewer;
use crate::problem::ApiError;
use caudal_domain::{
    ids::{PartyId, TenantId},
    party::Role,
};
use caudal_journal::{DerivedKey, Keyring};
use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Access-token TTL.
pub const LIFETIME: Duration = Duration::minutes(15);

/// Maximum token length in bytes; issued ones have some 400.
const MAX_TOKEN_BYTES: usize = 2_000;

/// Purpose string of the signing key.
const KEY_PURPOSE: &str = "access tokens";
/// Purpose string of the key of tokens for seeing as another party. Nodes of an earlier version refuse them, and so never take
/// one for the party's own.
const VIEWING_PURPOSE: &str = "access tokens for seeing as another";
/// Header `typ` of these tokens.
const VIEWING_TYPE: &str = "viewing+jwt";

/// Claims of an access token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenClaims {
    pub sub: PartyId,
    /// Tenant in which the token is valid.
    pub tenant: TenantId,
    /// Role at issue; read by the interface. The gate uses the current state.
    pub role: Role,
    /// Session id.
    pub sid: Uuid,
    /// Issue time, in seconds since 1970.
    pub iat: i64,
    /// Expiry, in seconds since 1970.
    pub exp: i64,
    /// The manager who sees as the party, in a token that reads only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<Viewer>,
}

impl TokenClaims {
    /// Claims of a token that is good for [`LIFETIME`].
    fn new(
        tenant: &TenantId,
        (party, role): (PartyId, Role),
        session: Uuid,
        viewer: Option<Viewer>,
        now: DateTime<Utc>,
    ) -> Self {
        Self {
            sub: party,
            tenant: tenant.clone(),
            role,
            sid: session,
            iat: now.timestamp(),
            exp: (now + LIFETIME).timestamp(),
            viewer,
        }
    }
}

/// Signs and verifies tokens.
///
/// A token names its key in `kid`, which must be in the key file; tokens from before the first rotation of the session
/// keys have no `kid`.
pub struct Tokens {
    keyring: Keyring,
    validation: Validation,
}

#[derive(Debug, thiserror::Error)]
pub enum SignError {
    #[error("an access token can't be signed")]
    Encode(#[from] jsonwebtoken::errors::Error),
    #[error("there is no key to sign access tokens with")]
    NoKey,
}

impl Tokens {
    /// Tokens signed under the session keys.
    pub fn new(keyring: Keyring) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.leeway = 0;
        validation.set_required_spec_claims(&["exp", "sub"]);
        Self { keyring, validation }
    }

    /// Issues a token for a session.
    ///
    /// # Errors
    /// When it can't be signed.
    pub fn issue(
        &self,
        tenant: &TenantId,
        party: PartyId,
        role: Role,
        session: Uuid,
        now: DateTime<Utc>,
    ) -> Result<String, SignError> {
        self.sign(&TokenClaims::new(tenant, (party, role), session, None, now))
    }

    /// Issues a token by which a manager sees as a party. It is good for [`LIFETIME`], and never renewed.
    ///
    /// # Errors
    /// When it can't be signed.
    pub fn issue_viewing(
        &self,
        tenant: &TenantId,
        (party, role): (PartyId, Role),
        session: Uuid,
        viewer: Viewer,
        now: DateTime<Utc>,
    ) -> Result<String, SignError> {
        self.sign(&TokenClaims::new(tenant, (party, role), session, Some(viewer), now))
    }

    fn sign(&self, claims: &TokenClaims) -> Result<String, SignError> {
        let (purpose, typ) = match claims.viewer {
            None => (KEY_PURPOSE, None),
            Some(_) => (VIEWING_PURPOSE, Some(VIEWING_TYPE.to_owned())),
        };
        let now = DateTime::from_timestamp(claims.iat, 0).unwrap_or_default();
        let keys = self.keyring.session_keys(purpose, now);
        let DerivedKey { id, key } = keys.into_iter().next().ok_or(SignError::NoKey)?;
        let plain = Header::new(Algorithm::HS256);
        let header = Header {
            kid: id,
            typ: typ.or_else(|| plain.typ.clone()),
            ..plain
        };
        Ok(encode(&header, claims, &EncodingKey::from_secret(key.as_slice()))?)
    }

    /// Verifies a token.
    ///
    /// # Errors
    /// 401 when invalid or expired.
    pub fn verify(&self, token: &str) -> Result<TokenClaims, ApiError> {
        use jsonwebtoken::errors::ErrorKind;
        let invalid = || ApiError::unauthorized("token_invalid");
        if token.len() > MAX_TOKEN_BYTES {
            return Err(invalid());
        }
        let header = decode_header(token).map_err(|_| invalid())?;
        let is_viewing = header.typ.as_deref() == Some(VIEWING_TYPE);
        let purpose = if is_viewing { VIEWING_PURPOSE } else { KEY_PURPOSE };
        let keys = self.keyring.session_keys(purpose, Utc::now());
        let key = keys.iter().find(|key| key.id == header.kid).ok_or_else(invalid)?;
        match decode::<TokenClaims>(token, &DecodingKey::from_secret(key.key.as_slice()), &self.validation) {
            Ok(token) if token.claims.viewer.is_some() != is_viewing => Err(invalid()),
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
    use caudal_journal::KeySource;

    fn issued(tokens: &Tokens, at: DateTime<Utc>) -> String {
        let tenant = "default".parse().unwrap();
        tokens
            .issue(&tenant, PartyId::generate(), Role::Agency, Uuid::now_v7(), at)
            .unwrap()
    }

    fn tokens() -> Tokens {
        Tokens::new(Keyring::generate().unwrap())
    }

    fn refusal(tokens: &Tokens, token: &str) -> String {
        tokens.verify(token).unwrap_err().code().to_owned()
    }

    /// A key file, and the tokens of a node that uses it.
    fn installation() -> (tempfile::TempDir, KeySource) {
        let folder = tempfile::tempdir().unwrap();
        let source = KeySource::file(&folder.path().join("master.keys"));
        source.open_or_create().unwrap();
        (folder, source)
    }

    fn node(source: &KeySource) -> Tokens {
        Tokens::new(source.read().unwrap())
    }

    #[test]
    fn a_token_is_good_for_a_quarter_of_an_hour() {
        let tokens = tokens();
        assert!(tokens.verify(&issued(&tokens, Utc::now())).is_ok());
        let old = issued(&tokens, Utc::now() - LIFETIME - Duration::seconds(1));
        assert_eq!(refusal(&tokens, &old), "token_expired");
    }

    #[test]
    fn a_token_of_another_key_or_without_a_signature_is_worth_nothing() {
        let (tokens, others) = (tokens(), tokens());
        assert_eq!(refusal(&tokens, &issued(&others, Utc::now())), "token_invalid");
        let token = issued(&tokens, Utc::now());
        let payload = token.split('.').nth(1).unwrap();
        // {"alg":"none","typ":"JWT"}
        let unsigned = format!("eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.{payload}.");
        assert_eq!(refusal(&tokens, &unsigned), "token_invalid");
    }

    #[test]
    fn a_token_for_seeing_as_another_is_one_under_its_own_key_only() {
        let tokens = tokens();
        let (tenant, viewer) = (
            "default".parse().unwrap(),
            Viewer {
                party: PartyId::generate(),
                session: Uuid::now_v7(),
            },
        );
        let seen = (PartyId::generate(), Role::Agency);
        let viewing = tokens
            .issue_viewing(&tenant, seen, Uuid::now_v7(), viewer, Utc::now())
            .unwrap();
        assert_eq!(tokens.verify(&viewing).unwrap().viewer, Some(viewer));
        let own = issued(&tokens, Utc::now());
        assert_eq!(tokens.verify(&own).unwrap().viewer, None);
        // The head of one before the rest of the other.
        let (head, _) = own.split_once('.').unwrap();
        let (_, rest) = viewing.split_once('.').unwrap();
        assert_eq!(refusal(&tokens, &format!("{head}.{rest}")), "token_invalid");
        // Claims of a viewing, signed as a party's own token.
        let claims = tokens.verify(&viewing).unwrap();
        let keys = tokens.keyring.session_keys(KEY_PURPOSE, Utc::now());
        let header = Header {
            kid: keys[0].id.clone(),
            ..Header::new(Algorithm::HS256)
        };
        let forged = encode(&header, &claims, &EncodingKey::from_secret(keys[0].key.as_slice())).unwrap();
        assert_eq!(refusal(&tokens, &forged), "token_invalid");
    }

    #[test]
    fn rotation_keeps_tokens_valid_and_removing_a_key_invalidates_its_tokens() {
        let (_folder, source) = installation();
        let before = issued(&node(&source), Utc::now());
        source.rotate_sessions(Duration::zero(), Utc::now()).unwrap();
        let rotated = node(&source);
        assert!(rotated.verify(&before).is_ok());
        let first = issued(&rotated, Utc::now());
        source.rotate_sessions(Duration::zero(), Utc::now()).unwrap();
        let twice = node(&source);
        assert!(twice.verify(&before).is_ok() && twice.verify(&first).is_ok());
        source.revoke_sessions(Utc::now()).unwrap();
        let revoked = node(&source);
        for token in [&before, &first] {
            assert_eq!(refusal(&revoked, token), "token_invalid");
        }
        assert!(revoked.verify(&issued(&revoked, Utc::now())).is_ok());
    }

    #[test]
    fn a_key_that_does_not_sign_yet_verifies_what_a_node_with_a_faster_clock_signs() {
        let (_folder, source) = installation();
        source.rotate_sessions(Duration::minutes(1), Utc::now()).unwrap();
        let node = node(&source);
        assert_eq!(decode_header(issued(&node, Utc::now())).unwrap().kid, None);
        let ahead = issued(&node, Utc::now() + Duration::minutes(2));
        assert_eq!(decode_header(&ahead).unwrap().kid.as_deref(), Some("1"));
        assert!(node.verify(&ahead).is_ok());
    }

    #[test]
    fn the_key_that_a_token_names_is_the_only_one_that_verifies_it_and_no_other_algorithm_does() {
        let (_folder, source) = installation();
        source.rotate_sessions(Duration::zero(), Utc::now()).unwrap();
        let node = node(&source);
        let token = issued(&node, Utc::now());
        let claims = node.verify(&token).unwrap();
        let keys = node.keyring.session_keys(KEY_PURPOSE, Utc::now());
        let [signing, earlier] = keys.as_slice() else {
            panic!("two keys")
        };
        let signed = |algorithm, kid: Option<&str>, key: &[u8]| {
            let header = Header {
                kid: kid.map(str::to_owned),
                ..Header::new(algorithm)
            };
            encode(&header, &claims, &EncodingKey::from_secret(key)).unwrap()
        };
        let right = signed(Algorithm::HS256, signing.id.as_deref(), signing.key.as_slice());
        assert!(node.verify(&right).is_ok());
        for wrong in [
            signed(Algorithm::HS512, signing.id.as_deref(), signing.key.as_slice()),
            signed(Algorithm::HS256, signing.id.as_deref(), earlier.key.as_slice()),
            signed(Algorithm::HS256, earlier.id.as_deref(), signing.key.as_slice()),
            signed(Algorithm::HS256, Some("0"), earlier.key.as_slice()),
            signed(Algorithm::HS256, Some("../master.keys"), signing.key.as_slice()),
            signed(Algorithm::HS256, Some(""), signing.key.as_slice()),
        ] {
            assert_eq!(refusal(&node, &wrong), "token_invalid");
        }
    }
}
