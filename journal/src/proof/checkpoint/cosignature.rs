//! Cosignatures: a witness confirms that it has seen a checkpoint, and that the log extends what it saw before.

use super::{PublicKeys, SignedCheckpoint, SigningKeys, keys::id_of};
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use chrono::{DateTime, SecondsFormat, SubsecRound as _, Utc};
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use serde::{Deserialize, Serialize};

const TAG: &[u8] = b"caudal.cosignature.1";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Cosignature {
    /// Name of the witness's key.
    pub witness: String,
    /// The witness's public key. Trust it only if received from the witness.
    pub public_key: [u8; 32],
    /// Time of the cosignature.
    pub cosigned_at: DateTime<Utc>,
    /// Signature over the checkpoint's digest, the time and the key's name.
    pub signature: [u8; Signature::BYTE_SIZE],
}

/// Why a cosignature is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CosignatureError {
    #[error("not a cosignature: {0}")]
    Format(&'static str),
    #[error("the witness's key is not among the public keys given")]
    UnknownKey,
    #[error("the cosignature does not hold")]
    Signature,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Stored {
    witness: String,
    public_key: String,
    cosigned_at: String,
    signature: String,
}

impl From<Cosignature> for Stored {
    fn from(cosignature: Cosignature) -> Self {
        Self {
            witness: cosignature.witness,
            public_key: BASE64.encode(cosignature.public_key),
            cosigned_at: cosignature.cosigned_at.to_rfc3339_opts(SecondsFormat::Micros, true),
            signature: BASE64.encode(cosignature.signature),
        }
    }
}

impl TryFrom<Stored> for Cosignature {
    type Error = CosignatureError;

    fn try_from(stored: Stored) -> Result<Self, CosignatureError> {
        let bytes = |text: &str| BASE64.decode(text).map_err(|_| CosignatureError::Format("no Base64"));
        let length = |_| CosignatureError::Format("a key or a signature of another length");
        let at = DateTime::parse_from_rfc3339(&stored.cosigned_at);
        Ok(Self {
            witness: stored.witness,
            public_key: bytes(&stored.public_key)?.try_into().map_err(length)?,
            cosigned_at: at
                .map_err(|_| CosignatureError::Format("a time that is none"))?
                .to_utc(),
            signature: bytes(&stored.signature)?.try_into().map_err(length)?,
        })
    }
}

impl Cosignature {
    /// Cosigns a checkpoint as a witness.
    #[must_use]
    pub fn sign(keys: &SigningKeys, checkpoint: &SignedCheckpoint, now: DateTime<Utc>) -> Self {
        let mut cosignature = Self {
            witness: keys.current_id().to_owned(),
            public_key: keys.current_public(),
            cosigned_at: now.trunc_subsecs(6),
            signature: [0; Signature::BYTE_SIZE],
        };
        cosignature.signature = keys.sign(&cosignature.message(checkpoint));
        cosignature
    }

    fn message(&self, checkpoint: &SignedCheckpoint) -> Vec<u8> {
        let mut message = TAG.to_vec();
        message.extend(checkpoint.digest());
        message.extend(self.cosigned_at.timestamp_micros().to_be_bytes());
        message.extend((self.witness.len() as u64).to_be_bytes());
        message.extend(self.witness.as_bytes());
        message
    }

    /// Verifies the signature with the embedded key. Does not tell whose key it is.
    ///
    /// # Errors
    /// When the signature is invalid, or the key has another name.
    pub fn check(&self, checkpoint: &SignedCheckpoint) -> Result<(), CosignatureError> {
        if self.witness != id_of(&self.public_key) {
            return Err(CosignatureError::Signature);
        }
        let key = VerifyingKey::from_bytes(&self.public_key).map_err(|_| CosignatureError::Signature)?;
        key.verify(&self.message(checkpoint), &Signature::from_bytes(&self.signature))
            .map_err(|_| CosignatureError::Signature)
    }

    /// Verifies the signature with a trusted witness key.
    ///
    /// # Errors
    /// When no trusted key verifies it.
    pub fn check_with(&self, checkpoint: &SignedCheckpoint, witnesses: &PublicKeys) -> Result<(), CosignatureError> {
        let known = witnesses.find(&self.witness).ok_or(CosignatureError::UnknownKey)?;
        if known.key != self.public_key {
            return Err(CosignatureError::Signature);
        }
        self.check(checkpoint)
    }
}
