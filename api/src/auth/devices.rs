//! Known devices: a long-lived cookie that lists the accounts used in this browser.
//!
//! The cookie grants no access. It gives the browser its own budget of failed logins, so that strangers who guess at an
//! account do not lock out its owner. Each entry is bound to one account and signed; see `docs/security.md`.

use super::{mac::KeyedHash, refresh};
use crate::problem::ApiError;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

/// Purpose string of the signing key's derivation.
pub const KEY_PURPOSE: &str = "known devices";
/// How long a device is known after its last login.
pub const LIFETIME: Duration = Duration::days(180);
/// Maximum accounts per browser; the least recently used is dropped.
const MAX_ACCOUNTS: usize = 8;
/// Separator of a cookie's entries.
const BETWEEN: char = '~';

/// Signs and verifies device cookies.
#[derive(Clone, Debug)]
pub struct Devices {
    key: KeyedHash,
}

/// One account's entry: device id for that account, time of the last login, and signature.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    device: Uuid,
    /// Seconds since 1970.
    issued: i64,
    tag: [u8; 32],
}

impl Entry {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.');
        let (device, issued, tag) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self {
            device: Uuid::try_parse(device).ok()?,
            issued: issued.parse().ok()?,
            tag: BASE64.decode(tag).ok()?.try_into().ok()?,
        })
    }

    fn text(&self) -> String {
        format!("{}.{}.{}", self.device.simple(), self.issued, BASE64.encode(self.tag))
    }
}

impl Devices {
    /// Devices signed under a key ([`KEY_PURPOSE`]).
    pub fn new(key: &[u8; 32]) -> Self {
        Self {
            key: KeyedHash::new(key),
        }
    }

    /// The device of a cookie, if it is known for an account.
    pub fn known(&self, cookie: &str, tenant: &TenantId, email: &str, now: DateTime<Utc>) -> Option<Uuid> {
        let good = |entry: &Entry| {
            let age = now.timestamp().saturating_sub(entry.issued);
            age < LIFETIME.num_seconds() && self.is_signed(entry, tenant, email)
        };
        entries(cookie).find(good).map(|entry| entry.device)
    }

    /// The cookie after a login. A known device keeps its id, and so its failures.
    pub fn remember(
        &self,
        cookie: &str,
        tenant: &TenantId,
        email: &str,
        now: DateTime<Utc>,
    ) -> Result<String, ApiError> {
        let device = match self.known(cookie, tenant, email, now) {
            Some(device) => device,
            None => {
                let random = refresh::random()?;
                let bytes = random.first_chunk().copied().unwrap_or_default();
                uuid::Builder::from_random_bytes(bytes).into_uuid()
            }
        };
        let issued = now.timestamp();
        let own = Entry {
            device,
            issued,
            tag: self.tag(device, issued, tenant, email),
        };
        let others = entries(cookie).filter(|entry| !self.is_signed(entry, tenant, email));
        let all = std::iter::once(own).chain(others).take(MAX_ACCOUNTS);
        Ok(all
            .map(|entry| entry.text())
            .collect::<Vec<_>>()
            .join(&BETWEEN.to_string()))
    }

    fn is_signed(&self, entry: &Entry, tenant: &TenantId, email: &str) -> bool {
        let tag = self.tag(entry.device, entry.issued, tenant, email);
        // Hashed again, so that the comparison's time reveals nothing about the tag.
        self.key.of(&[&tag]) == self.key.of(&[&entry.tag])
    }

    fn tag(&self, device: Uuid, issued: i64, tenant: &TenantId, email: &str) -> [u8; 32] {
        let parts: [&[u8]; 4] = [
            device.as_bytes(),
            &issued.to_be_bytes(),
            tenant.as_str().as_bytes(),
            email.as_bytes(),
        ];
        self.key.of(&parts)
    }
}

/// Readable entries of a cookie, up to the maximum.
fn entries(cookie: &str) -> impl Iterator<Item = Entry> {
    cookie.split(BETWEEN).take(MAX_ACCOUNTS).filter_map(Entry::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_known_for_the_accounts_that_logged_in_on_it_and_for_no_others() {
        let devices = Devices::new(&[1; 32]);
        let (acme, other): (TenantId, TenantId) = ("acme".parse().unwrap(), "other".parse().unwrap());
        let now = Utc::now();
        let first = devices.remember("", &acme, "a@b.cu", now).unwrap();
        let both = devices.remember(&first, &acme, "c@b.cu", now).unwrap();
        let device = devices.known(&both, &acme, "a@b.cu", now);
        assert!(device.is_some());
        assert_ne!(
            device,
            devices.known(&both, &acme, "c@b.cu", now),
            "accounts share no budget"
        );
        assert_eq!(devices.known(&both, &other, "a@b.cu", now), None);
        assert_eq!(devices.known(&both, &acme, "d@b.cu", now), None);
        assert_eq!(devices.known(&both, &acme, "a@b.cu", now + LIFETIME), None);
        assert_eq!(Devices::new(&[2; 32]).known(&both, &acme, "a@b.cu", now), None);
        let again = devices
            .remember(&both, &acme, "a@b.cu", now + Duration::days(1))
            .unwrap();
        assert_eq!(devices.known(&again, &acme, "a@b.cu", now + LIFETIME), device);
    }

    #[test]
    fn a_cookie_stays_small_and_rubbish_in_it_is_dropped() {
        let devices = Devices::new(&[1; 32]);
        let acme: TenantId = "acme".parse().unwrap();
        let now = Utc::now();
        let mut cookie = "rubbish~a.b.c~".repeat(50);
        for number in 0..2 * MAX_ACCOUNTS {
            cookie = devices
                .remember(&cookie, &acme, &format!("{number}@b.cu"), now)
                .unwrap();
        }
        assert_eq!(entries(&cookie).count(), MAX_ACCOUNTS);
        assert!(cookie.len() < 1_000 && !cookie.contains("rubbish"));
        assert!(devices.known(&cookie, &acme, "15@b.cu", now).is_some());
        assert_eq!(devices.known(&cookie, &acme, "1@b.cu", now), None);
    }
}
