//! Row MACs: an HMAC-SHA-256 that binds a row beside the log to its table, tenant and column values.
//!
//! The key is derived from the key file, which is never in the database: a row changed in place has no valid MAC. Every
//! row is checked before use. A deleted row, or one reset to an earlier version, cannot be detected by its MAC;
//! `verify` compares what the log tells of it.

mod adoption;
mod rows;

pub use adoption::{Adopted, Adoption, WINDOW};
pub use rows::{
    FileOwnerRow, FileRow, PasskeyRow, ReadingRow, ResetCodeRow, SecondFactorRow, SessionRow, SignOnSecretRow,
    SignOnSubjectRow, StepUpRow, VerificationRow, ViewingRow,
};
pub(crate) use rows::{KeyedRow, Which, expected_mac, moment, optional_moment, page};

use crate::{history::LogPoint, keys::Keyring, log::chain::to_hex};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};
use uuid::Uuid;
use zeroize::Zeroize as _;

/// Purpose string of the key derivation.
const KEY_PURPOSE: &str = "row MACs";

/// A row's MAC.
pub type Mac = [u8; 32];

/// A table of schema `journal` whose rows have a MAC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// State snapshots.
    Snapshots,
    /// Idempotency records.
    IdempotencyRecords,
    /// Stored API answers.
    Answers,
    /// Unique values.
    UniqueValues,
    /// Data keys and tombstones of people.
    SubjectKeys,
    /// Password hashes.
    Credentials,
    /// Sessions with their refresh tokens.
    Sessions,
    /// One-time codes.
    ResetCodes,
    /// Uploaded files.
    Files,
    /// Read permissions of files.
    FileOwners,
    /// Results of requested verifications.
    Verifications,
    /// Second factors of logins.
    SecondFactors,
    /// Passkeys of logins.
    Passkeys,
    /// Fresh codes of sessions.
    StepUps,
    /// Who read personal data.
    Readings,
    /// Sessions in which a manager sees as another party.
    Viewings,
    /// Client secrets of single sign-on.
    SignOnSecrets,
    /// Logins of a provider of single sign-on.
    SignOnSubjects,
}

impl Table {
    pub const ALL: [Self; 18] = [
        Self::Snapshots,
        Self::IdempotencyRecords,
        Self::Answers,
        Self::UniqueValues,
        Self::SubjectKeys,
        Self::Credentials,
        Self::Sessions,
        Self::ResetCodes,
        Self::Files,
        Self::FileOwners,
        Self::Verifications,
        Self::SecondFactors,
        Self::Passkeys,
        Self::StepUps,
        Self::Readings,
        Self::Viewings,
        Self::SignOnSecrets,
        Self::SignOnSubjects,
    ];

    /// Name in schema `journal`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Snapshots => "snapshots",
            Self::IdempotencyRecords => "receipts",
            Self::Answers => "answers",
            Self::UniqueValues => "claims",
            Self::SubjectKeys => "subject_keys",
            Self::Credentials => "credentials",
            Self::Sessions => "sessions",
            Self::ResetCodes => "reset_codes",
            Self::Files => "files",
            Self::FileOwners => "file_owners",
            Self::Verifications => "verifications",
            Self::SecondFactors => "second_factors",
            Self::Passkeys => "passkeys",
            Self::StepUps => "step_ups",
            Self::Readings => "readings",
            Self::Viewings => "viewings",
            Self::SignOnSecrets => "sign_on_secrets",
            Self::SignOnSubjects => "sign_on_subjects",
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "journal.{}", self.as_str())
    }
}

/// A row whose MAC is wrong or missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{table}, tenant {tenant}, row ({key}): {}; it was written without this installation's key file and is not used",
    if *.has_mac { "its MAC does not fit its content" } else { "it has no MAC" }
)]
pub struct NotAuthentic {
    pub table: Table,
    pub tenant: String,
    /// Values of the row's key columns.
    pub key: String,
    /// False when the MAC is missing.
    pub has_mac: bool,
}

impl NotAuthentic {
    /// Stable code for interfaces.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        if self.has_mac { "changed" } else { "without_mac" }
    }
}

/// Computes and checks row MACs. Clones share it.
#[derive(Clone)]
pub struct RowMacs {
    keyed: Hmac<Sha256>,
    /// Whether rows without a MAC are refused.
    strict: Arc<AtomicBool>,
    /// Whether heads without a MAC are refused.
    strict_heads: Arc<AtomicBool>,
}

impl fmt::Debug for RowMacs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RowMacs(..)")
    }
}

impl RowMacs {
    /// MACs under an installation's key file. Rows and heads without a MAC are refused, unless [`Self::allow_missing`] is called.
    #[must_use]
    pub fn new(keyring: &Keyring) -> Self {
        let key = keyring.derive(KEY_PURPOSE);
        // Block-size key: this constructor cannot fail.
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        for (to, from) in block.iter_mut().zip(key.iter()) {
            *to = *from;
        }
        let keyed = Hmac::<Sha256>::new(&block);
        block.zeroize();
        Self {
            keyed,
            strict: Arc::new(AtomicBool::new(true)),
            strict_heads: Arc::new(AtomicBool::new(true)),
        }
    }

    /// Accepts rows or heads without a MAC during their adoption; existing MACs must match all the same.
    pub(crate) fn allow_missing(&self, what: Adopted, allowed: bool) {
        let strict = match what {
            Adopted::Rows => &self.strict,
            Adopted::Heads => &self.strict_heads,
        };
        strict.store(!allowed, Ordering::Release);
    }

    /// Whether rows without a MAC are refused.
    pub(crate) fn requires_all(&self) -> bool {
        self.strict.load(Ordering::Acquire)
    }

    /// Begins the MAC of a tenant's row. Key columns first, then the others, in a fixed order.
    #[must_use]
    pub fn row(&self, table: Table, tenant: &TenantId) -> RowMac {
        self.begin(table, tenant.as_str())
    }

    fn begin(&self, table: Table, tenant: &str) -> RowMac {
        let mac = RowMac {
            mac: self.keyed.clone(),
            strict: self.requires_all(),
            table,
            tenant: tenant.to_owned(),
            key: String::new(),
        };
        mac.text(table.as_str()).text(tenant)
    }

    /// MAC of a tenant's head. All events chain to its hash, so that it vouches for the whole log. The epoch is not covered: it
    /// fences appends, and says nothing of the log.
    #[must_use]
    pub fn head(&self, tenant: &TenantId, end: LogPoint, recorded_at: DateTime<Utc>) -> Mac {
        self.begin_head(tenant, end, recorded_at).finalize().into_bytes().into()
    }

    /// Whether a stored MAC is that of a head. An empty log needs none: there is nothing to believe.
    pub(crate) fn vouches(
        &self,
        tenant: &TenantId,
        end: LogPoint,
        recorded_at: DateTime<Utc>,
        stored: Option<&Mac>,
    ) -> bool {
        match stored {
            _ if end.position == 0 => true,
            None => !self.strict_heads.load(Ordering::Acquire),
            Some(stored) => self.begin_head(tenant, end, recorded_at).verify_slice(stored).is_ok(),
        }
    }

    fn begin_head(&self, tenant: &TenantId, end: LogPoint, recorded_at: DateTime<Utc>) -> Hmac<Sha256> {
        let mut mac = self.keyed.clone();
        // No table with row MACs has this name.
        feed(&mut mac, b"heads");
        feed(&mut mac, tenant.as_str().as_bytes());
        feed(&mut mac, &end.position.to_be_bytes());
        feed(&mut mac, &end.hash);
        feed(&mut mac, &recorded_at.timestamp_micros().to_be_bytes());
        mac
    }

    /// MAC of the adoption times.
    pub(crate) fn adoption(&self, what: Adopted, began: DateTime<Utc>, ended: Option<DateTime<Utc>>) -> Mac {
        let mut mac = self.keyed.clone();
        feed(
            &mut mac,
            match what {
                Adopted::Rows => b"adoption",
                Adopted::Heads => b"adoption of heads",
            },
        );
        feed(&mut mac, &began.timestamp_micros().to_be_bytes());
        if let Some(ended) = ended {
            feed(&mut mac, &ended.timestamp_micros().to_be_bytes());
        }
        mac.finalize().into_bytes().into()
    }
}

/// Builder of a row's MAC, column by column. Values are length-prefixed, so that different rows never have equal bytes.
#[derive(Clone)]
pub struct RowMac {
    mac: Hmac<Sha256>,
    strict: bool,
    table: Table,
    tenant: String,
    key: String,
}

impl fmt::Debug for RowMac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RowMac({}, {})", self.table, self.key)
    }
}

impl RowMac {
    fn name(&mut self, value: &dyn fmt::Display) {
        use fmt::Write as _;
        let comma = if self.key.is_empty() { "" } else { ", " };
        let _ = write!(self.key, "{comma}{value}");
    }

    /// A text key column; named in errors.
    #[must_use]
    pub fn key_text(mut self, value: &str) -> Self {
        self.name(&value);
        self.text(value)
    }

    /// A UUID key column; named in errors.
    #[must_use]
    pub fn key_uuid(mut self, value: Uuid) -> Self {
        self.name(&value);
        self.uuid(value)
    }

    /// A digest key column; named in errors, in hexadecimal.
    #[must_use]
    pub fn key_digest(mut self, value: &[u8]) -> Self {
        match value.try_into() {
            Ok(digest) => self.name(&to_hex(&digest)),
            Err(_) => self.name(&"a digest of another length"),
        }
        self.bytes(value)
    }

    #[must_use]
    pub fn text(self, value: &str) -> Self {
        self.bytes(value.as_bytes())
    }

    #[must_use]
    pub fn bytes(mut self, value: &[u8]) -> Self {
        feed(&mut self.mac, value);
        self
    }

    #[must_use]
    pub fn uuid(self, value: Uuid) -> Self {
        self.bytes(value.as_bytes())
    }

    #[must_use]
    pub fn number(self, value: i64) -> Self {
        self.bytes(&value.to_be_bytes())
    }

    /// A time in whole microseconds, as PostgreSQL stores it.
    #[must_use]
    pub fn time(self, value: DateTime<Utc>) -> Self {
        self.number(value.timestamp_micros())
    }

    /// A nullable column.
    #[must_use]
    pub fn optional<T>(self, value: Option<T>, with: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            None => self.number(0),
            Some(value) => with(self.number(1), value),
        }
    }

    /// The MAC, to be stored with the row.
    #[must_use]
    pub fn finish(self) -> Mac {
        self.mac.finalize().into_bytes().into()
    }

    /// Compares with the stored MAC in constant time. A mismatch is logged and counted.
    ///
    /// # Errors
    /// When the MAC differs, or is missing although required.
    pub fn check(self, stored: Option<&[u8]>) -> Result<(), NotAuthentic> {
        let fault = self.compare(stored);
        if let Err(fault) = &fault {
            tracing::error!(
                table = fault.table.as_str(),
                tenant = fault.tenant,
                row = fault.key,
                "{fault}"
            );
            metrics::counter!("caudal_unauthentic_rows_total", "table" => fault.table.as_str()).increment(1);
        }
        fault
    }

    /// [`Self::check`] without logging, for callers that report the mismatch themselves.
    pub(crate) fn compare(self, stored: Option<&[u8]>) -> Result<(), NotAuthentic> {
        let fits = match stored {
            None => !self.strict,
            Some(stored) => self.mac.verify_slice(stored).is_ok(),
        };
        if fits {
            return Ok(());
        }
        Err(NotAuthentic {
            table: self.table,
            tenant: self.tenant,
            key: self.key,
            has_mac: stored.is_some(),
        })
    }
}

fn feed(mac: &mut Hmac<Sha256>, value: &[u8]) {
    mac.update(&(value.len() as u64).to_be_bytes());
    mac.update(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> TenantId {
        name.parse().unwrap()
    }

    fn row(macs: &RowMacs, of: &str) -> RowMac {
        macs.row(Table::UniqueValues, &tenant(of))
            .key_text("email")
            .number(7)
            .optional(Some("a"), RowMac::text)
    }

    #[test]
    fn a_mac_fits_its_own_row_alone() {
        let macs = RowMacs::new(&Keyring::generate().unwrap());
        let mac = row(&macs, "worked").finish();
        assert_eq!(row(&macs, "worked").check(Some(&mac)), Ok(()));
        let start = |table| macs.row(table, &tenant("worked"));
        let others = [
            row(&macs, "other"),
            row(&RowMacs::new(&Keyring::generate().unwrap()), "worked"),
            start(Table::Files)
                .key_text("email")
                .number(7)
                .optional(Some("a"), RowMac::text),
            start(Table::UniqueValues)
                .key_text("email")
                .number(8)
                .optional(Some("a"), RowMac::text),
            start(Table::UniqueValues)
                .key_text("email")
                .number(7)
                .optional(None, RowMac::text),
            start(Table::UniqueValues)
                .key_text("emai")
                .text("l")
                .number(7)
                .optional(Some("a"), RowMac::text),
        ];
        for other in others {
            let fault = other.check(Some(&mac)).unwrap_err();
            assert!(fault.has_mac, "{fault}");
        }
    }

    #[test]
    fn a_row_without_a_mac_is_refused_unless_rows_of_before_are_being_adopted() {
        let macs = RowMacs::new(&Keyring::generate().unwrap());
        let fault = row(&macs, "worked").check(None).unwrap_err();
        assert_eq!(
            (fault.table, fault.key.as_str(), fault.has_mac),
            (Table::UniqueValues, "email", false)
        );
        macs.allow_missing(Adopted::Rows, true);
        assert_eq!(row(&macs, "worked").check(None), Ok(()));
        assert!(row(&macs, "worked").check(Some(&[0; 32])).is_err());
    }

    #[test]
    fn a_heads_mac_fits_its_own_tenant_position_hash_and_time_alone() {
        let macs = RowMacs::new(&Keyring::generate().unwrap());
        let (tenant, other) = (tenant("worked"), tenant("other"));
        let point = |position, byte| LogPoint {
            position,
            hash: [byte; 32],
        };
        let (end, at) = (point(7, 1), DateTime::UNIX_EPOCH);
        let mac = macs.head(&tenant, end, at);
        assert!(macs.vouches(&tenant, end, at, Some(&mac)));
        for (tenant, end, at) in [
            (&other, end, at),
            (&tenant, point(8, 1), at),
            (&tenant, point(7, 2), at),
            (&tenant, end, DateTime::from_timestamp_micros(1).unwrap()),
        ] {
            assert!(!macs.vouches(tenant, end, at, Some(&mac)), "{tenant} {end} {at}");
        }
        assert!(!macs.vouches(&tenant, end, at, None), "unless heads are being adopted");
        macs.allow_missing(Adopted::Rows, true);
        assert!(!macs.vouches(&tenant, end, at, None), "rows are, heads are not");
        macs.allow_missing(Adopted::Heads, true);
        assert!(macs.vouches(&tenant, end, at, None));
        assert!(!macs.vouches(&tenant, end, at, Some(&[0; 32])));
        assert!(
            macs.vouches(&tenant, point(0, 0), at, None),
            "an empty log needs no MAC"
        );
    }
}
