//! API keys: format, verification, rate limit and last use.
//!
//! ```text
//! caudal_live_ 48 hex digits of randomness  16 hex digits of a tag  8 hex digits of a checksum
//! ```
//!
//! | Part | Purpose |
//! |---|---|
//! | prefix | secret scanners recognise it |
//! | tag | an HMAC of tenant and randomness: a forged key, or one of another tenant, is refused without a look at the state |
//! | checksum | CRC-32 of the text before: a scanner or a form recognises a mistyped key offline |
//!
//! Every request looks its key up in the tenant's state at the head of the log, as [`caudal_journal::Journal::state`]
//! tells it. So a revocation takes effect on all nodes with its commit; nothing is cached.

use super::mac::KeyedHash;
use crate::{
    auth::{caller::Caller, callers::permitted},
    policy::{self, Row},
    problem::ApiError,
};
use caudal_domain::{
    api_key::{ApiKey, KeyFault, KeySecret},
    ids::{ApiKeyId, TenantId},
};
use caudal_journal::{Clock, Journal, Keyring};
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use zeroize::Zeroizing;

/// Start of every key, which secret scanners look for.
pub const PREFIX: &str = "caudal_live_";

const RANDOM_BYTES: usize = 24;
const TAG_BYTES: usize = 8;
const CHECKSUM_DIGITS: usize = 8;
/// Hex digits of randomness and tag.
const SECRET_DIGITS: usize = (RANDOM_BYTES + TAG_BYTES) * 2;
/// Characters after the prefix that are shown.
const SHOWN: usize = 8;

/// Purpose strings of the keys, which are derived from the lookup key: it is never rotated.
const DIGEST_PURPOSE: &str = "API key digests";
const TAG_PURPOSE: &str = "API key tags";

/// Minimum interval between two writes of a key's last use, per node.
const USE_INTERVAL: Duration = Duration::from_secs(300);

/// Maximum keys in the maps of rates and uses; beyond it a map is cleared.
const MAX_KNOWN: usize = 50_000;

/// A new secret: its text, which is shown once, and what is stored.
pub struct Minted {
    pub text: Zeroizing<String>,
    pub secret: KeySecret,
}

/// Token bucket of a key.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: f64,
    at: Instant,
}

/// Verifies the API keys of requests.
pub struct ApiKeys {
    journal: Journal,
    clock: Arc<dyn Clock>,
    secrets: Secrets,
    buckets: Mutex<HashMap<ApiKeyId, Bucket>>,
    uses: Arc<Uses>,
}

impl ApiKeys {
    /// Keys in the state of a journal's tenants.
    pub fn new(journal: Journal, database: Database, clock: Arc<dyn Clock>, keyring: &Keyring) -> Self {
        Self {
            journal,
            clock,
            secrets: Secrets::new(keyring),
            buckets: Mutex::default(),
            uses: Arc::new(Uses {
                database,
                noted: Mutex::default(),
            }),
        }
    }

    /// Whether a bearer token is an API key, by its prefix.
    pub fn is_key(token: &str) -> bool {
        token.starts_with(PREFIX)
    }

    /// A new random secret.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn mint(&self, tenant: &TenantId) -> Result<Minted, ApiError> {
        let mut random = Zeroizing::new([0; RANDOM_BYTES]);
        getrandom::fill(random.as_mut_slice()).map_err(ApiError::internal)?;
        Ok(self.secrets.minted(tenant, &random))
    }

    /// The caller of a request for a call of the policy table. `address` is the client's; `None` when another node of
    /// this installation has checked network and rate, and forwards the request.
    ///
    /// # Errors
    /// 401 for a key that is unknown, revoked, expired or rotated away; 403 outside its networks and scopes, and where
    /// the party's role is not admitted; 429 beyond its rate.
    pub async fn identify(
        &self,
        tenant: &TenantId,
        token: &str,
        row: &Row,
        address: Option<IpAddr>,
    ) -> Result<Caller, ApiError> {
        let invalid = || ApiError::unauthorized("api_key_invalid");
        let digest = self.secrets.digest(tenant, token).ok_or_else(invalid)?;
        let (state, _) = self.journal.state(tenant).await?;
        let now = self.clock.now();
        let key = state.api_key_by_digest(&digest).ok_or_else(invalid)?;
        admit(key, &digest, address, now)?;
        let party = state
            .party(key.party)
            .filter(|party| party.is_active)
            .ok_or_else(|| ApiError::unauthorized("account_inactive"))?;
        if address.is_some() {
            self.take(key, Instant::now())?;
        }
        let permissions = permitted(&state, party.id, now)?;
        if !row.access.admits(party.role) {
            return Err(ApiError::forbidden("role_not_allowed"));
        }
        let scope = policy::scope(row).ok_or_else(|| ApiError::forbidden("session_required"))?;
        if !key.scopes.iter().any(|own| own.as_str() == scope) {
            return Err(ApiError::forbidden("api_key_lacks_scope").with("scope", scope));
        }
        self.uses.note(tenant, key.id, now);
        Ok(Caller {
            tenant: tenant.clone(),
            party: party.id,
            role: party.role,
            agency: party.agency,
            dealer: party.dealer,
            permissions,
            session: key.id.0,
            api_key: Some(key.id),
            second_factors: Vec::new(),
            must_enrol: false,
            viewer: None,
        })
    }

    /// Takes one request from a key's bucket, which holds a minute's requests.
    fn take(&self, key: &ApiKey, now: Instant) -> Result<(), ApiError> {
        let per_minute = f64::from(key.requests_per_minute);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_KNOWN && !buckets.contains_key(&key.id) {
            buckets.clear();
        }
        let bucket = buckets.entry(key.id).or_insert(Bucket {
            left: per_minute,
            at: now,
        });
        let since = now.saturating_duration_since(bucket.at).as_secs_f64();
        let left = (bucket.left + since * per_minute / 60.0).min(per_minute);
        if left < 1.0 {
            let wait = Duration::from_secs_f64((1.0 - left) * 60.0 / per_minute);
            return Err(ApiError::too_fast("too_many_requests", wait).with("max", key.requests_per_minute));
        }
        *bucket = Bucket {
            left: left - 1.0,
            at: now,
        };
        Ok(())
    }
}

fn admit(key: &ApiKey, digest: &str, address: Option<IpAddr>, now: DateTime<Utc>) -> Result<(), ApiError> {
    let admitted = match address {
        Some(address) => key.admit(digest, address, now),
        None => key.admit_anywhere(digest, now),
    };
    admitted.map_err(|fault| match fault {
        KeyFault::Revoked => ApiError::unauthorized("api_key_revoked"),
        KeyFault::Expired => ApiError::unauthorized("api_key_expired"),
        KeyFault::Rotated => ApiError::unauthorized("api_key_rotated"),
        KeyFault::Network => ApiError::forbidden("api_key_outside_networks"),
    })
}

/// Makes and recognises secrets.
struct Secrets {
    digests: KeyedHash,
    tags: KeyedHash,
}

impl Secrets {
    fn new(keyring: &Keyring) -> Self {
        Self {
            digests: KeyedHash::new(&keyring.derive(DIGEST_PURPOSE)),
            tags: KeyedHash::new(&keyring.derive(TAG_PURPOSE)),
        }
    }

    fn minted(&self, tenant: &TenantId, random: &[u8; RANDOM_BYTES]) -> Minted {
        let mut text = Zeroizing::new(format!("{PREFIX}{}{}", hex::encode(random), self.tag(tenant, random)));
        let checksum = checksum(&text);
        text.push_str(&checksum);
        let secret = KeySecret {
            start: text.chars().take(PREFIX.len() + SHOWN).collect(),
            digest: self.digest_of(tenant, &text),
        };
        Minted { text, secret }
    }

    /// Digest of a key; `None` when the key is malformed, forged or of another tenant.
    fn digest(&self, tenant: &TenantId, token: &str) -> Option<String> {
        let is_lower_hex = |digits: &str| digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let digits = token.strip_prefix(PREFIX).filter(|digits| is_lower_hex(digits))?;
        if digits.len() != SECRET_DIGITS + CHECKSUM_DIGITS {
            return None;
        }
        let (before, last) = token.split_at(token.len() - CHECKSUM_DIGITS);
        let random = hex::decode(&digits[..RANDOM_BYTES * 2]).ok()?;
        let is_genuine = checksum(before) == last && before.ends_with(&self.tag(tenant, &random));
        is_genuine.then(|| self.digest_of(tenant, token))
    }

    fn digest_of(&self, tenant: &TenantId, token: &str) -> String {
        hex::encode(self.digests.of(&[tenant.as_str().as_bytes(), token.as_bytes()]))
    }

    fn tag(&self, tenant: &TenantId, random: &[u8]) -> String {
        let mut tag = hex::encode(self.tags.of(&[tenant.as_str().as_bytes(), random]));
        tag.truncate(TAG_BYTES * 2);
        tag
    }
}

fn checksum(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// Times of last use: written in the background, and only displayed.
struct Uses {
    database: Database,
    noted: Mutex<HashMap<(TenantId, ApiKeyId), Instant>>,
}

impl Uses {
    fn note(self: &Arc<Self>, tenant: &TenantId, key: ApiKeyId, now: DateTime<Utc>) {
        let place = (tenant.clone(), key);
        {
            let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
            if noted.get(&place).is_some_and(|at| at.elapsed() < USE_INTERVAL) {
                return;
            }
            if noted.len() >= MAX_KNOWN {
                noted.clear();
            }
            noted.insert(place.clone(), Instant::now());
        }
        let uses = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = uses.write(&place, now).await {
                tracing::warn!(%error, "the last use of an API key is not written; its next use tries again");
                uses.noted.lock().unwrap_or_else(PoisonError::into_inner).remove(&place);
            }
        });
    }

    async fn write(&self, (tenant, key): &(TenantId, ApiKeyId), now: DateTime<Utc>) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "INSERT INTO journal.api_key_uses (tenant, key, used_at) VALUES ($1, $2, $3)
             ON CONFLICT (tenant, key) DO UPDATE SET used_at = greatest(api_key_uses.used_at, EXCLUDED.used_at)",
        )
        .bind(tenant.as_str())
        .bind(key.0)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> TenantId {
        name.parse().unwrap()
    }

    #[test]
    fn a_key_has_the_published_form_and_is_recognised_for_its_tenant_alone() {
        let keyring = Keyring::generate().unwrap();
        let secrets = Secrets::new(&keyring);
        let Minted { text, secret } = secrets.minted(&tenant("acme"), &[7; RANDOM_BYTES]);
        assert_eq!(text.len(), 84);
        assert_eq!(secret.start, "caudal_live_07070707");
        assert_eq!(secrets.digest(&tenant("acme"), &text), Some(secret.digest.clone()));
        assert_eq!(secrets.digest(&tenant("other"), &text), None);
        let others = Secrets::new(&Keyring::generate().unwrap());
        assert_eq!(others.digest(&tenant("acme"), &text), None, "of another installation");
        assert_ne!(
            secret.digest,
            secrets.minted(&tenant("other"), &[7; RANDOM_BYTES]).secret.digest
        );
    }

    #[test]
    fn a_mistyped_or_forged_key_is_recognised_without_the_state() {
        let secrets = Secrets::new(&Keyring::generate().unwrap());
        let text = secrets.minted(&tenant("acme"), &[7; RANDOM_BYTES]).text;
        for place in PREFIX.len()..text.len() {
            let mut wrong = text.as_bytes().to_vec();
            wrong[place] = if wrong[place] == b'0' { b'1' } else { b'0' };
            let wrong = String::from_utf8(wrong).unwrap();
            assert_eq!(secrets.digest(&tenant("acme"), &wrong), None, "{wrong}");
        }
        // With a right checksum, as anybody can compute it.
        let forged = format!("{PREFIX}{}", "0".repeat(SECRET_DIGITS));
        let forged = format!("{forged}{}", checksum(&forged));
        for wrong in [
            forged.as_str(),
            PREFIX,
            "",
            &text[..text.len() - 1],
            &text.to_uppercase(),
            "caudal_live_é",
        ] {
            assert_eq!(secrets.digest(&tenant("acme"), wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_checksum_is_crc_32_as_everywhere() {
        assert_eq!(checksum("123456789"), "cbf43926");
    }
}
