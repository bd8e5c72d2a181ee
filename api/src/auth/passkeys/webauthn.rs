//! Verification of WebAuthn answers: registration and authentication ceremony of WebAuthn Level 3, sections 7.1 and
//! 7.2, without attestation and extensions (docs/decisions/passkeys.md says why no library does it).
//!
//! User verification is required of each answer, and no page of another site may frame the ceremony.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use ciborium::Value;
use jsonwebtoken::{Algorithm, DecodingKey};
use p256::ecdsa::{self, signature::Verifier as _};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::io::Cursor;

/// COSE algorithms in the order of preference: ES256, EdDSA, and RS256, which Windows Hello has on older computers.
pub const ALGORITHMS: [i64; 3] = [ES256, EDDSA, RS256];
const ES256: i64 = -7;
const EDDSA: i64 = -8;
const RS256: i64 = -257;
/// WebAuthn's limit of a credential id, in bytes.
const MAX_CREDENTIAL_BYTES: usize = 1_023;
/// An RSA key of 2,048 to 4,096 bits. Its length is what slows a verification down.
const RSA_BYTES: std::ops::RangeInclusive<usize> = 256..=512;
const MAX_RSA_EXPONENT_BYTES: usize = 4;
/// RP id hash, flags, counter.
const HEAD_BYTES: usize = 37;
const AAGUID_BYTES: usize = 16;

/// What an answer must be made for.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    pub challenge: &'a [u8],
    /// Origin of the page.
    pub origin: &'a str,
    pub rp_id: &'a str,
}

/// A new credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    pub credential: Vec<u8>,
    /// As COSE.
    pub public_key: Vec<u8>,
    pub sign_count: u32,
}

/// An authenticator's answer to a challenge.
#[derive(Clone, Copy, Debug)]
pub struct Assertion<'a> {
    pub client_data: &'a [u8],
    pub authenticator_data: &'a [u8],
    pub signature: &'a [u8],
}

/// Why an answer is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    #[error("the client data can't be read")]
    ClientData,
    #[error("the answer is of another ceremony")]
    Ceremony,
    #[error("the answer is to another challenge")]
    Challenge,
    #[error("the answer was made on a page of another origin")]
    Origin,
    #[error("the answer is for another RP id")]
    RpId,
    #[error("the user was not verified")]
    UserVerification,
    #[error("the authenticator data can't be read")]
    AuthenticatorData,
    #[error("the public key is of no known sort")]
    PublicKey,
    #[error("the signature is wrong")]
    Signature,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    #[serde(rename = "type")]
    ceremony: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
    top_origin: Option<String>,
}

/// Verifies a registration.
///
/// # Errors
/// The first rule that it breaks.
pub fn register(expected: Expected<'_>, client_data: &[u8], attestation: &[u8]) -> Result<Registered, Invalid> {
    let (registered, user) = registration(expected, client_data, attestation)?;
    user.require_verified()?;
    Ok(registered)
}

/// Verifies an authentication by a credential's public key, and returns its counter.
///
/// # Errors
/// The first rule that it breaks.
pub fn authenticate(expected: Expected<'_>, assertion: Assertion<'_>, public_key: &[u8]) -> Result<u32, Invalid> {
    let (sign_count, user) = authentication(expected, assertion, public_key)?;
    user.require_verified()?;
    Ok(sign_count)
}

/// How sure the authenticator is of its user: by PIN or biometrics, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct User {
    is_verified: bool,
}

impl User {
    const fn require_verified(self) -> Result<(), Invalid> {
        if self.is_verified {
            Ok(())
        } else {
            Err(Invalid::UserVerification)
        }
    }
}

fn registration(expected: Expected<'_>, client_data: &[u8], attestation: &[u8]) -> Result<(Registered, User), Invalid> {
    check_client_data(expected, client_data, "webauthn.create")?;
    let (object, rest) = cbor(attestation)?;
    let data = field(&object, "authData").and_then(Value::as_bytes);
    let data = data.filter(|_| rest.is_empty()).ok_or(Invalid::AuthenticatorData)?;
    let read = authenticator_data(expected, data)?;
    let (credential, public_key) = read.credential.ok_or(Invalid::AuthenticatorData)?;
    PublicKey::read(public_key)?;
    let registered = Registered {
        credential: credential.to_vec(),
        public_key: public_key.to_vec(),
        sign_count: read.sign_count,
    };
    Ok((registered, read.user))
}

fn authentication(expected: Expected<'_>, assertion: Assertion<'_>, public_key: &[u8]) -> Result<(u32, User), Invalid> {
    check_client_data(expected, assertion.client_data, "webauthn.get")?;
    let read = authenticator_data(expected, assertion.authenticator_data)?;
    if read.credential.is_some() {
        return Err(Invalid::AuthenticatorData);
    }
    let hash = Sha256::digest(assertion.client_data);
    let signed = [assertion.authenticator_data, hash.as_slice()].concat();
    PublicKey::read(public_key)?.verify(&signed, assertion.signature)?;
    Ok((read.sign_count, read.user))
}

fn check_client_data(expected: Expected<'_>, json: &[u8], ceremony: &str) -> Result<(), Invalid> {
    let data: ClientData = serde_json::from_slice(json).map_err(|_| Invalid::ClientData)?;
    if data.ceremony != ceremony {
        return Err(Invalid::Ceremony);
    }
    let challenge = BASE64.decode(&data.challenge).map_err(|_| Invalid::Challenge)?;
    if challenge != expected.challenge {
        return Err(Invalid::Challenge);
    }
    if data.origin != expected.origin || data.cross_origin || data.top_origin.is_some() {
        return Err(Invalid::Origin);
    }
    Ok(())
}

struct AuthenticatorData<'a> {
    sign_count: u32,
    user: User,
    /// Id and public key of a new credential.
    credential: Option<(&'a [u8], &'a [u8])>,
}

fn authenticator_data<'a>(expected: Expected<'_>, data: &'a [u8]) -> Result<AuthenticatorData<'a>, Invalid> {
    let wrong = || Invalid::AuthenticatorData;
    let (head, mut rest) = data.split_at_checked(HEAD_BYTES).ok_or_else(wrong)?;
    let (rp_id, head) = head.split_at_checked(32).ok_or_else(wrong)?;
    if rp_id != Sha256::digest(expected.rp_id.as_bytes()).as_slice() {
        return Err(Invalid::RpId);
    }
    let (flags, count) = head.split_first().ok_or_else(wrong)?;
    let has = |bit: u8| flags & (1 << bit) != 0;
    let (is_present, is_verified, may_be_backed_up, is_backed_up) = (has(0), has(2), has(3), has(4));
    if !is_present {
        return Err(Invalid::UserVerification);
    }
    if is_backed_up && !may_be_backed_up {
        return Err(wrong());
    }
    let sign_count = u32::from_be_bytes(count.try_into().map_err(|_| wrong())?);
    let mut credential = None;
    if has(6) {
        let (length, after) = rest
            .get(AAGUID_BYTES..)
            .and_then(<[u8]>::split_first_chunk)
            .ok_or_else(wrong)?;
        let length = usize::from(u16::from_be_bytes(*length));
        if length == 0 || length > MAX_CREDENTIAL_BYTES {
            return Err(wrong());
        }
        let (id, after) = after.split_at_checked(length).ok_or_else(wrong)?;
        let (_, end) = cbor(after)?;
        let key = after.strip_suffix(end).ok_or_else(wrong)?;
        credential = Some((id, key));
        rest = end;
    }
    if has(7) {
        // Extensions that nobody asked for: some security keys tell how they protect a credential.
        let (extensions, end) = cbor(rest)?;
        if !extensions.is_map() {
            return Err(wrong());
        }
        rest = end;
    }
    if !rest.is_empty() {
        return Err(wrong());
    }
    Ok(AuthenticatorData {
        sign_count,
        user: User { is_verified },
        credential,
    })
}

/// The CBOR value at the begin of bytes, and what is after it.
fn cbor(bytes: &[u8]) -> Result<(Value, &[u8]), Invalid> {
    let mut reader = Cursor::new(bytes);
    let value = ciborium::from_reader(&mut reader).map_err(|_| Invalid::AuthenticatorData)?;
    let read = usize::try_from(reader.position()).map_err(|_| Invalid::AuthenticatorData)?;
    let rest = bytes.get(read..).ok_or(Invalid::AuthenticatorData)?;
    Ok((value, rest))
}

fn field<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    let mut found = object.as_map()?.iter().filter(|(key, _)| key.as_text() == Some(name));
    found.next().map(|(_, value)| value).filter(|_| found.next().is_none())
}

enum PublicKey {
    Es256(Box<ecdsa::VerifyingKey>),
    EdDsa(Box<ed25519_dalek::VerifyingKey>),
    Rs256 { modulus: Vec<u8>, exponent: Vec<u8> },
}

impl PublicKey {
    /// A COSE key.
    fn read(cose: &[u8]) -> Result<Self, Invalid> {
        Self::of(cose).ok_or(Invalid::PublicKey)
    }

    fn of(cose: &[u8]) -> Option<Self> {
        let (object, rest) = cbor(cose).ok()?;
        let object = object.as_map().filter(|_| rest.is_empty())?;
        let label = |label: i64| {
            let is = |key: &Value| key.as_integer().and_then(|key| i64::try_from(key).ok()) == Some(label);
            let mut found = object.iter().filter(|(key, _)| is(key));
            found.next().map(|(_, value)| value).filter(|_| found.next().is_none())
        };
        let number = |at: i64| i64::try_from(label(at)?.as_integer()?).ok();
        let bytes = |at: i64| label(at)?.as_bytes().map(Vec::as_slice);
        match (number(1)?, number(3)?) {
            (2, ES256) if number(-1)? == 1 => {
                let (x, y): ([u8; 32], [u8; 32]) = (bytes(-2)?.try_into().ok()?, bytes(-3)?.try_into().ok()?);
                let point = p256::EncodedPoint::from_affine_coordinates(&x.into(), &y.into(), false);
                let key = ecdsa::VerifyingKey::from_encoded_point(&point).ok()?;
                Some(Self::Es256(Box::new(key)))
            }
            (1, EDDSA) if number(-1)? == 6 => {
                let key = ed25519_dalek::VerifyingKey::from_bytes(bytes(-2)?.try_into().ok()?).ok()?;
                Some(Self::EdDsa(Box::new(key)))
            }
            (3, RS256) => {
                let (modulus, exponent) = (bytes(-1)?, bytes(-2)?);
                let is_sized =
                    RSA_BYTES.contains(&modulus.len()) && (1..=MAX_RSA_EXPONENT_BYTES).contains(&exponent.len());
                // Without leading zeros the length is that of the key.
                (is_sized && modulus.first() != Some(&0)).then(|| Self::Rs256 {
                    modulus: modulus.to_vec(),
                    exponent: exponent.to_vec(),
                })
            }
            _ => None,
        }
    }

    fn verify(&self, signed: &[u8], signature: &[u8]) -> Result<(), Invalid> {
        let is_right = match self {
            Self::Es256(key) => {
                ecdsa::Signature::from_der(signature).is_ok_and(|signature| key.verify(signed, &signature).is_ok())
            }
            Self::EdDsa(key) => ed25519_dalek::Signature::from_slice(signature)
                .is_ok_and(|signature| key.verify_strict(signed, &signature).is_ok()),
            Self::Rs256 { modulus, exponent } => {
                let key = DecodingKey::from_rsa_raw_components(modulus, exponent);
                jsonwebtoken::crypto::verify(&BASE64.encode(signature), signed, &key, Algorithm::RS256) == Ok(true)
            }
        };
        if is_right { Ok(()) } else { Err(Invalid::Signature) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    const ORIGIN: &str = "https://example.org";
    const RP_ID: &str = "example.org";

    /// WebAuthn's test vectors, by the ids of their chapters.
    fn vectors() -> Vec<Json> {
        serde_json::from_str(include_str!("vectors.json")).unwrap()
    }

    fn bytes(text: &Json) -> Vec<u8> {
        hex::decode(text.as_str().unwrap()).unwrap()
    }

    const fn expected(challenge: &[u8]) -> Expected<'_> {
        Expected {
            challenge,
            origin: ORIGIN,
            rp_id: RP_ID,
        }
    }

    fn registered(vector: &Json) -> Result<(Registered, User), Invalid> {
        let of = &vector["registration"];
        let challenge = bytes(&of["challenge"]);
        registration(
            expected(&challenge),
            &bytes(&of["clientData"]),
            &bytes(&of["attestation"]),
        )
    }

    fn authenticated(vector: &Json, expected: Expected<'_>, key: &[u8], flip: usize) -> Result<(u32, User), Invalid> {
        let of = &vector["authentication"];
        let mut signature = bytes(&of["signature"]);
        if let Some(byte) = signature.len().checked_sub(flip).and_then(|at| signature.get_mut(at)) {
            *byte ^= 1;
        }
        let (client_data, authenticator_data) = (bytes(&of["clientData"]), bytes(&of["authenticatorData"]));
        let assertion = Assertion {
            client_data: &client_data,
            authenticator_data: &authenticator_data,
            signature: &signature,
        };
        authentication(expected, assertion, key)
    }

    #[test]
    fn webauthn_s_test_vectors_are_verified_and_refused_with_one_changed_bit() {
        let mut verified = 0;
        for vector in vectors() {
            let name = vector["name"].as_str().unwrap();
            if name.ends_with("Origin") || name == "packed-es384" {
                continue;
            }
            verified += 1;
            let (found, _) = registered(&vector).unwrap();
            assert_eq!(found.credential, bytes(&vector["credential"]), "{name}");
            let challenge = bytes(&vector["authentication"]["challenge"]);
            let key = &found.public_key;
            let answer = authenticated(&vector, expected(&challenge), key, 0);
            assert_eq!(answer.unwrap().0, 0, "{name}");
            let changed = authenticated(&vector, expected(&challenge), key, 1);
            assert_eq!(changed, Err(Invalid::Signature), "{name}");
            let other = Expected {
                origin: "https://example.com",
                ..expected(&challenge)
            };
            assert_eq!(authenticated(&vector, other, key, 0), Err(Invalid::Origin), "{name}");
            let other = Expected {
                rp_id: "example.com",
                ..expected(&challenge)
            };
            assert_eq!(authenticated(&vector, other, key, 0), Err(Invalid::RpId), "{name}");
            let other = expected(&[1; 32]);
            assert_eq!(authenticated(&vector, other, key, 0), Err(Invalid::Challenge), "{name}");
        }
        assert_eq!(verified, 5);
    }

    #[test]
    fn an_answer_from_a_frame_of_another_site_and_an_unknown_algorithm_are_refused() {
        for vector in vectors() {
            let name = vector["name"].as_str().unwrap();
            let challenge = bytes(&vector["authentication"]["challenge"]);
            let refused = match name {
                "none-es256-crossOrigin" => authenticated(&vector, expected(&challenge), &[], 0).map(drop),
                "none-es256-topOrigin" => registered(&vector).map(drop),
                "packed-es384" => {
                    assert_eq!(registered(&vector).map(drop), Err(Invalid::PublicKey));
                    continue;
                }
                _ => continue,
            };
            assert_eq!(refused, Err(Invalid::Origin), "{name}");
        }
    }

    #[test]
    fn a_user_who_was_not_verified_is_refused() {
        let vector = &vectors()[0];
        let (_, user) = registered(vector).unwrap();
        assert_eq!(user.require_verified(), Err(Invalid::UserVerification));
        let of = &vector["registration"];
        let challenge = bytes(&of["challenge"]);
        let refused = register(
            expected(&challenge),
            &bytes(&of["clientData"]),
            &bytes(&of["attestation"]),
        );
        assert_eq!(refused, Err(Invalid::UserVerification));
    }

    #[test]
    fn cut_off_data_and_data_with_more_behind_it_are_refused() {
        let of = &vectors()[1]["registration"];
        let (challenge, client_data, attestation) = (
            bytes(&of["challenge"]),
            bytes(&of["clientData"]),
            bytes(&of["attestation"]),
        );
        for end in 0..attestation.len() {
            let cut = registration(expected(&challenge), &client_data, &attestation[..end]);
            assert_eq!(cut, Err(Invalid::AuthenticatorData), "{end}");
        }
        let longer = [attestation.as_slice(), &[0]].concat();
        let refused = registration(expected(&challenge), &client_data, &longer);
        assert_eq!(refused, Err(Invalid::AuthenticatorData));
        assert_eq!(
            registration(expected(&challenge), b"{}", &attestation),
            Err(Invalid::ClientData)
        );
    }
}
