//! A login under way, which its browser keeps in an encrypted cookie.

use super::SignOns;
use crate::{auth::refresh, problem::ApiError};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use caudal_domain::ids::{PartyId, SecondFactorId, SignOnId, TenantId};
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// How long a login at the provider may take.
pub const LIFETIME: Duration = Duration::minutes(10);
/// How long a code of the second factor may take after it.
const FACTOR_LIFETIME: Duration = Duration::minutes(5);
/// Longest cookie that is read; issued ones have less than 1,000 characters.
const MAX_COOKIE: usize = 4_000;

/// A login under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Flow {
    pub provider: SignOnId,
    pub state: String,
    pub expires: i64,
    pub step: Step,
}

/// How far it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Step {
    /// At the provider.
    Begun {
        nonce: String,
        verifier: String,
        redirect: String,
    },
    /// The provider has answered who it is; the code of the second factor lacks.
    Known {
        party: PartyId,
        subject: String,
        logout: Option<String>,
        /// Factors of the party at that time: with other ones, or none, it is to log in anew.
        factors: Vec<SecondFactorId>,
    },
}

impl Flow {
    /// Begins a login.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn begin(
        tenant: &TenantId,
        provider: SignOnId,
        redirect: String,
        now: DateTime<Utc>,
    ) -> Result<Self, ApiError> {
        Ok(Self {
            provider,
            // The page that the provider leads back to has no other sign of the tenant.
            state: format!("{tenant}.{}", random()?),
            expires: (now + LIFETIME).timestamp(),
            step: Step::Begun {
                nonce: random()?,
                verifier: random()?,
                redirect,
            },
        })
    }

    /// The same login, at the code of the second factor.
    #[must_use]
    pub fn known(self, known: Step, now: DateTime<Utc>) -> Self {
        Self {
            expires: (now + FACTOR_LIFETIME).timestamp(),
            step: known,
            ..self
        }
    }

    /// Id of the session that the login opens: one, however often its cookie is sent.
    pub fn session(&self) -> Uuid {
        let lifetime = match self.step {
            Step::Begun { .. } => LIFETIME,
            Step::Known { .. } => FACTOR_LIFETIME,
        };
        let begun = (self.expires - lifetime.num_seconds()).saturating_mul(1_000);
        let digest = Sha256::digest(self.state.as_bytes());
        let random = digest.first_chunk().copied().unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(u64::try_from(begun).unwrap_or_default(), &random).into_uuid()
    }

    /// Challenge of a verifier, by S256.
    pub fn challenge(verifier: &str) -> String {
        BASE64.encode(Sha256::digest(verifier.as_bytes()))
    }
}

fn random() -> Result<String, ApiError> {
    Ok(BASE64.encode(refresh::random()?.as_slice()))
}

impl SignOns {
    /// The cookie of a login.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn cookie(&self, tenant: &TenantId, flow: &Flow) -> Result<String, ApiError> {
        let clear = serde_json::to_vec(flow).map_err(ApiError::internal)?;
        Ok(BASE64.encode(self.flows.encrypt(tenant.as_str().as_bytes(), &clear)?))
    }

    /// The login of a cookie, in the tenant and within its time.
    pub fn flow(&self, tenant: &TenantId, cookie: &str, now: DateTime<Utc>) -> Option<Flow> {
        let sealed = BASE64.decode(cookie.get(..cookie.len().min(MAX_COOKIE))?).ok()?;
        let clear = self.flows.open(tenant.as_str().as_bytes(), &sealed)?;
        let flow: Flow = serde_json::from_slice(&clear).ok()?;
        (flow.expires > now.timestamp()).then_some(flow)
    }
}
