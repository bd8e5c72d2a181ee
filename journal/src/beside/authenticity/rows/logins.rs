//! Rows of what a login is proved with: one-time codes, second factors, passkeys, single sign-on.

use super::{moment, optional_moment};
use crate::beside::authenticity::{RowMac, RowMacs, Table};
use caudal_domain::ids::{PartyId, SecondFactorId, SignOnId, SignOnSecretId, TenantId};
use chrono::{DateTime, Utc};
use sqlx::{Row as _, postgres::PgRow};

/// A row of `journal.reset_codes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetCodeRow {
    /// The party whose code it is.
    pub party: PartyId,
    /// A keyed hash of the code.
    pub code_hash: Vec<u8>,
    /// Attempts made.
    pub tries: i16,
    /// Expiry.
    pub expires_at: DateTime<Utc>,
}

impl ResetCodeRow {
    /// The columns to read.
    pub const COLUMNS: &str = "party, code_hash, tries, journal.micros(expires_at) AS expires_at";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            party: PartyId(row.try_get("party")?),
            code_hash: row.try_get("code_hash")?,
            tries: row.try_get("tries")?,
            expires_at: moment(row, "expires_at")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::ResetCodes, tenant)
            .key_uuid(self.party.0)
            .bytes(&self.code_hash)
            .number(self.tries.into())
            .time(self.expires_at)
    }
}

/// A row of `journal.second_factors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondFactorRow {
    /// The enrolment.
    pub factor: SecondFactorId,
    pub party: PartyId,
    /// From which, with the key file, the secret is derived.
    pub salt: Vec<u8>,
    /// Time step of the last code used; 0 before the first.
    pub last_step: i64,
    /// Keyed hashes of the recovery codes left, 32 bytes each.
    pub recovery: Vec<u8>,
    /// Time at which the enrolment began.
    pub created_at: DateTime<Utc>,
}

impl SecondFactorRow {
    /// The columns to read.
    pub const COLUMNS: &str = "factor, party, salt, last_step, recovery, journal.micros(created_at) AS created_at";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            factor: SecondFactorId(row.try_get("factor")?),
            party: PartyId(row.try_get("party")?),
            salt: row.try_get("salt")?,
            last_step: row.try_get("last_step")?,
            recovery: row.try_get("recovery")?,
            created_at: moment(row, "created_at")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::SecondFactors, tenant)
            .key_uuid(self.factor.0)
            .uuid(self.party.0)
            .bytes(&self.salt)
            .number(self.last_step)
            .bytes(&self.recovery)
            .time(self.created_at)
    }
}

/// A row of `journal.passkeys`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasskeyRow {
    pub factor: SecondFactorId,
    pub party: PartyId,
    /// The authenticator's id of the credential.
    pub credential: Vec<u8>,
    /// As COSE.
    pub public_key: Vec<u8>,
    /// Counter of the last signature.
    pub sign_count: i64,
    /// Time at which the challenge of the last signature was made.
    pub last_challenge: DateTime<Utc>,
    /// Encrypted.
    pub name: Vec<u8>,
    pub created_at: DateTime<Utc>,
    /// Time of the last login or confirmation.
    pub used_at: Option<DateTime<Utc>>,
}

impl PasskeyRow {
    /// The columns to read.
    pub const COLUMNS: &str = "factor, party, credential, public_key, sign_count,
        journal.micros(last_challenge) AS last_challenge, name, journal.micros(created_at) AS created_at,
        journal.micros(used_at) AS used_at";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            factor: SecondFactorId(row.try_get("factor")?),
            party: PartyId(row.try_get("party")?),
            credential: row.try_get("credential")?,
            public_key: row.try_get("public_key")?,
            sign_count: row.try_get("sign_count")?,
            last_challenge: moment(row, "last_challenge")?,
            name: row.try_get("name")?,
            created_at: moment(row, "created_at")?,
            used_at: optional_moment(row, "used_at")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::Passkeys, tenant)
            .key_uuid(self.factor.0)
            .uuid(self.party.0)
            .bytes(&self.credential)
            .bytes(&self.public_key)
            .number(self.sign_count)
            .time(self.last_challenge)
            .bytes(&self.name)
            .time(self.created_at)
            .optional(self.used_at, RowMac::time)
    }
}

/// A row of `journal.sign_on_secrets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOnSecretRow {
    /// In the column `provider`. A secret stored before secrets had ids has its provider's id.
    pub id: SignOnSecretId,
    pub sealed: Vec<u8>,
}

impl SignOnSecretRow {
    /// The columns to read.
    pub const COLUMNS: &str = "provider, sealed";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: SignOnSecretId(row.try_get("provider")?),
            sealed: row.try_get("sealed")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::SignOnSecrets, tenant)
            .key_uuid(self.id.0)
            .bytes(&self.sealed)
    }
}

/// A row of `journal.sign_on_subjects`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOnSubjectRow {
    pub provider: SignOnId,
    /// Keyed hash of the provider's name for the login.
    pub subject: Vec<u8>,
    pub party: PartyId,
    pub bound_at: DateTime<Utc>,
}

impl SignOnSubjectRow {
    /// The columns to read.
    pub const COLUMNS: &str = "provider, subject, party, journal.micros(bound_at) AS bound_at";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            provider: SignOnId(row.try_get("provider")?),
            subject: row.try_get("subject")?,
            party: PartyId(row.try_get("party")?),
            bound_at: moment(row, "bound_at")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::SignOnSubjects, tenant)
            .key_uuid(self.provider.0)
            .key_digest(&self.subject)
            .uuid(self.party.0)
            .time(self.bound_at)
    }
}
