//! Rate limits on guessing and on requested mails, counted in the database for all nodes.
//!
//! An attempt counts from its admission, so that concurrent attempts are limited like sequential ones. A failure keeps
//! counting; a success or an aborted attempt is refunded. An attempt whose node dies counts until its lease ends.
//! Callers with a known device or an open session have a budget of their own, which strangers' failures do not consume.
//!
//! | Module | Responsibility |
//! |---|---|
//! | here | what an attempt counts on, and its admission |
//! | `allowances` | how many attempts of each kind |
//! | `admission` | an admitted attempt until it is settled, or refunded |

mod admission;
mod allowances;

pub use admission::Admission;
pub use allowances::{Allowance, CODES, FAILURES, Kind, MAILS};

use super::{address::site, mac::KeyedHash};
use crate::problem::ApiError;
use admission::settle;
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use std::net::IpAddr;
use uuid::Uuid;

/// How long an attempt counts.
pub const WINDOW: Duration = Duration::minutes(15);

/// How long a running attempt counts; longer than a login takes on a busy machine.
const LEASE: Duration = Duration::seconds(30);

/// Purpose string of the key for the subjects' hashes.
pub const KEY_PURPOSE: &str = "attempts";

/// Additional proof shown with the password or code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Nothing,
    /// Cookie of a device that has logged in to the account.
    Device(Uuid),
    /// Token of an open session of the account.
    Session(Uuid),
}

/// An attempt: client, account, and additional proof.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Client address.
    pub address: IpAddr,
    /// Tenant of the account.
    pub tenant: String,
    /// E-mail address of the account, normalised.
    pub email: String,
    /// Additional proof.
    pub shown: Shown,
}

/// Keyed hash of a counted subject: an account, an address, and so on.
type Subject = [u8; 32];

/// Limits for one kind of attempt.
#[derive(Clone, Debug)]
pub struct Limits {
    database: Database,
    key: KeyedHash,
    name: &'static str,
    allowance: Allowance,
}

impl Limits {
    /// Limits with the key of their subjects ([`KEY_PURPOSE`]).
    pub fn new(kind: Kind, database: Database, key: &[u8; 32]) -> Self {
        let (name, allowance) = kind.parts();
        Self {
            database,
            key: KeyedHash::new(key),
            name,
            allowance,
        }
    }

    /// Counts and admits an attempt.
    ///
    /// # Errors
    /// 429 with the time to wait; 503 when the database fails.
    pub async fn admit(&self, attempt: &Attempt, now: DateTime<Utc>) -> Result<Admission, ApiError> {
        let (subjects, allowed): (Vec<Subject>, Vec<i32>) = self
            .counted(attempt)
            .into_iter()
            .map(|(subject, allowed)| (subject, i32::try_from(allowed).unwrap_or(i32::MAX)))
            .unzip();
        let mut admission = Admission {
            pool: self.database.pool().clone(),
            admitted: now,
            counted: Vec::new(),
            on_success: vec![self.on_account_and_address(attempt)],
        };
        admission.on_success.extend(self.on_shown(attempt));
        let wait: Option<DateTime<Utc>> = sqlx::query_scalar("SELECT journal.admit_attempt($1, $2, $3, $4, $5)")
            .bind(&subjects)
            .bind(allowed)
            .bind(now)
            .bind(now + WINDOW)
            .bind(now + LEASE)
            .fetch_one(&admission.pool)
            .await?;
        if let Some(until) = wait {
            metrics::counter!("caudal_attempts_refused", "kind" => self.name).increment(1);
            return Err(ApiError::too_many((until - now).to_std().unwrap_or_default()));
        }
        admission.counted = subjects;
        Ok(admission)
    }

    /// Resets the failures of an account from this address and device.
    pub async fn forget(&self, attempt: &Attempt) -> Result<(), ApiError> {
        let mut subjects = vec![self.on_account_and_address(attempt)];
        subjects.extend(self.on_shown(attempt));
        Ok(settle(self.database.pool(), &[], None, &subjects).await?)
    }

    /// Subjects that an attempt counts on, each with its limit.
    fn counted(&self, attempt: &Attempt) -> Vec<(Subject, u32)> {
        let Allowance {
            account_and_address,
            address,
            account,
            known,
        } = self.allowance;
        // Every login makes a session, and one without a cookie a device: their number is no limit on guesses, so all have one, too.
        let all_shown = |sort: &str| (self.on_account(attempt, sort, &[]), account);
        let own = self.on_shown(attempt).map(|own| (own, known));
        match attempt.shown {
            Shown::Device(_) => own.into_iter().chain([all_shown("devices")]).collect(),
            Shown::Session(_) => own.into_iter().chain([all_shown("sessions")]).collect(),
            Shown::Nothing => vec![
                (self.on_account_and_address(attempt), account_and_address),
                (
                    self.hash(&[b"address", site(attempt.address).to_string().as_bytes()]),
                    address,
                ),
                (self.on_account(attempt, "account", &[]), account),
            ],
        }
    }

    /// The device or session that an attempt shows.
    fn on_shown(&self, attempt: &Attempt) -> Option<Subject> {
        let (sort, id) = match attempt.shown {
            Shown::Device(id) => ("device", id),
            Shown::Session(id) => ("session", id),
            Shown::Nothing => return None,
        };
        Some(self.on_account(attempt, sort, id.as_bytes()))
    }

    fn on_account_and_address(&self, attempt: &Attempt) -> Subject {
        self.on_account(attempt, "both", site(attempt.address).to_string().as_bytes())
    }

    fn on_account(&self, attempt: &Attempt, sort: &str, of: &[u8]) -> Subject {
        self.hash(&[sort.as_bytes(), attempt.tenant.as_bytes(), attempt.email.as_bytes(), of])
    }

    fn hash(&self, parts: &[&[u8]]) -> Subject {
        let all: Vec<&[u8]> = [self.name.as_bytes()]
            .into_iter()
            .chain(parts.iter().copied())
            .collect();
        self.key.of(&all)
    }
}

#[cfg(test)]
mod tests;
