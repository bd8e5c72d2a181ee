//! Rows beside the log, per table: paged reads by key, and the expected MAC.

use super::{RowMac, RowMacs, Table};
use crate::{
    beside::{answers::AnswerRow, claims, credentials, receipts},
    people::subjects::StoredKey,
    writer::snapshot,
};
use caudal_domain::ids::{PartyId, SecondFactorId, SignOnId, SignOnSecretId, TenantId};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use uuid::Uuid;

/// Columns of the longest key, without the tenant.
pub(crate) const KEY_COLUMNS: usize = 3;

impl Table {
    /// Key columns without the tenant: names and types.
    pub(crate) const fn key(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Snapshots => &[("fingerprint", "text")],
            Self::Receipts | Self::Answers => &[("actor", "text"), ("key", "text")],
            Self::Claims => &[("kind", "text"), ("digest", "bytea")],
            Self::SubjectKeys => &[("subject", "uuid")],
            Self::Credentials | Self::ResetCodes => &[("party", "uuid")],
            Self::Sessions | Self::Verifications => &[("id", "uuid")],
            Self::Files => &[("hash", "text")],
            Self::FileOwners => &[("hash", "text"), ("kind", "text"), ("owner", "uuid")],
            Self::SecondFactors | Self::Passkeys => &[("factor", "uuid")],
            Self::StepUps | Self::Viewings => &[("session", "uuid")],
            Self::Readings => &[("id", "uuid")],
            Self::SignOnSecrets => &[("provider", "uuid")],
            Self::SignOnSubjects => &[("provider", "uuid"), ("subject", "bytea")],
        }
    }

    /// Columns covered by the MAC, as selected; times in microseconds.
    pub(crate) const fn columns(self) -> &'static str {
        match self {
            Self::Snapshots => "fingerprint, position, hash, state, journal.micros(written_at) AS written_at",
            Self::Receipts => {
                "actor, key, digest, answer::text AS answer, position, journal.micros(recorded_at) AS recorded_at"
            }
            Self::Answers => AnswerRow::COLUMNS,
            Self::Claims => "kind, digest, owner",
            Self::SubjectKeys => StoredKey::COLUMNS,
            Self::Credentials => "party, hash, journal.micros(set_at) AS set_at",
            Self::Sessions => SessionRow::COLUMNS,
            Self::ResetCodes => ResetCodeRow::COLUMNS,
            Self::Files => FileRow::COLUMNS,
            Self::FileOwners => FileOwnerRow::COLUMNS,
            Self::Verifications => VerificationRow::COLUMNS,
            Self::SecondFactors => SecondFactorRow::COLUMNS,
            Self::Passkeys => PasskeyRow::COLUMNS,
            Self::StepUps => StepUpRow::COLUMNS,
            Self::Readings => ReadingRow::COLUMNS,
            Self::Viewings => ViewingRow::COLUMNS,
            Self::SignOnSecrets => SignOnSecretRow::COLUMNS,
            Self::SignOnSubjects => SignOnSubjectRow::COLUMNS,
        }
    }

    /// Page size: a snapshot has megabytes, other rows some hundred bytes.
    const fn page(self) -> i64 {
        match self {
            Self::Snapshots => 1,
            _ => 1_000,
        }
    }
}

/// A row with its key.
pub(crate) struct Found {
    pub(crate) row: PgRow,
    /// Key values as text.
    pub(crate) key: Vec<String>,
}

impl Found {
    pub(crate) fn stored_mac(&self) -> Result<Option<&[u8]>, sqlx::Error> {
        self.row.try_get("mac")
    }
}

/// Next page of a tenant's rows after a key, on a connection whose transaction has set the tenant.
pub(crate) async fn page(
    connection: &mut PgConnection,
    table: Table,
    tenant: &TenantId,
    after: Option<&[String]>,
    which: Which,
) -> Result<Vec<Found>, sqlx::Error> {
    let names: Vec<_> = table.key().iter().map(|(name, _)| *name).collect();
    let names = names.join(", ");
    let texts: Vec<_> = table.key().iter().map(|(name, _)| format!("{name}::text")).collect();
    let values: Vec<_> = (1..)
        .zip(table.key())
        .map(|(n, (_, kind))| format!("($2::text[])[{n}]::{kind}"))
        .collect();
    let sql = format!(
        "SELECT {}, mac, ARRAY[{}] AS row_key FROM journal.{}
          WHERE tenant = $1 AND ($2::text[] IS NULL OR ({names}) > ({})) {}
          ORDER BY {names} LIMIT $3 {}",
        table.columns(),
        texts.join(", "),
        table.as_str(),
        values.join(", "),
        match which {
            Which::All => "",
            Which::WithoutMac => "AND mac IS NULL",
        },
        match which {
            Which::All => "",
            Which::WithoutMac => "FOR UPDATE",
        },
    );
    let rows = sqlx::query(&sql)
        .bind(tenant.as_str())
        .bind(after)
        .bind(table.page())
        .fetch_all(connection)
        .await?;
    let found = rows.into_iter().map(|row| {
        let key = row.try_get("row_key")?;
        Ok(Found { row, key })
    });
    found.collect()
}

/// Selection of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Every row.
    All,
    /// Rows without a MAC, locked until the transaction ends.
    WithoutMac,
}

/// The MAC that a row should have.
pub(crate) fn expected_mac(
    macs: &RowMacs,
    table: Table,
    tenant: &TenantId,
    row: &PgRow,
) -> Result<RowMac, sqlx::Error> {
    Ok(match table {
        Table::Snapshots => snapshot::mac(
            macs,
            tenant,
            row.try_get("fingerprint")?,
            row.try_get("position")?,
            row.try_get("hash")?,
            row.try_get("state")?,
            moment(row, "written_at")?,
        ),
        Table::Receipts => {
            let key = receipts::ReceiptKey {
                actor: row.try_get("actor")?,
                key: row.try_get("key")?,
            };
            receipts::row_mac(
                macs,
                tenant,
                &key,
                row.try_get("digest")?,
                row.try_get("answer")?,
                row.try_get("position")?,
                moment(row, "recorded_at")?,
            )
        }
        Table::Answers => {
            let key = receipts::ReceiptKey {
                actor: row.try_get("actor")?,
                key: row.try_get("key")?,
            };
            AnswerRow::from_row(row)?.mac(macs, tenant, &key)
        }
        Table::Claims => claims::mac(
            macs,
            tenant,
            row.try_get("kind")?,
            row.try_get("digest")?,
            row.try_get("owner")?,
        ),
        Table::SubjectKeys => StoredKey::from_row(row)?.expected_mac(macs, tenant),
        Table::Credentials => credentials::mac(
            macs,
            tenant,
            PartyId(row.try_get("party")?),
            row.try_get("hash")?,
            moment(row, "set_at")?,
        ),
        Table::Sessions => SessionRow::from_row(row)?.mac(macs, tenant),
        Table::ResetCodes => ResetCodeRow::from_row(row)?.mac(macs, tenant),
        Table::Files => FileRow::from_row(row)?.mac(macs, tenant),
        Table::FileOwners => FileOwnerRow::from_row(row)?.mac(macs, tenant),
        Table::Verifications => VerificationRow::from_row(row)?.mac(macs, tenant),
        Table::SecondFactors => SecondFactorRow::from_row(row)?.mac(macs, tenant),
        Table::Passkeys => PasskeyRow::from_row(row)?.mac(macs, tenant),
        Table::StepUps => StepUpRow::from_row(row)?.mac(macs, tenant),
        Table::Readings => ReadingRow::from_row(row)?.mac(macs, tenant),
        Table::Viewings => ViewingRow::from_row(row)?.mac(macs, tenant),
        Table::SignOnSecrets => SignOnSecretRow::from_row(row)?.mac(macs, tenant),
        Table::SignOnSubjects => SignOnSubjectRow::from_row(row)?.mac(macs, tenant),
    })
}

/// A time selected by `journal.micros`. An out-of-range value ('infinity') maps to a time that no row is written with,
/// so that no MAC matches.
pub(crate) fn moment(row: &PgRow, column: &str) -> Result<DateTime<Utc>, sqlx::Error> {
    Ok(optional_moment(row, column)?.unwrap_or(DateTime::<Utc>::MIN_UTC))
}

/// [`moment`] of a nullable column.
pub(crate) fn optional_moment(row: &PgRow, column: &str) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    let micros: Option<i64> = row.try_get(column)?;
    Ok(micros.map(|micros| DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::<Utc>::MIN_UTC)))
}

/// A row of `journal.sessions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    pub id: Uuid,
    pub party: PartyId,
    /// SHA-256 of the current refresh token.
    pub token_hash: Vec<u8>,
    /// Time of the login.
    pub created_at: DateTime<Utc>,
    /// Start of the current token's validity.
    pub renewed_at: DateTime<Utc>,
    /// Expiry of the token.
    pub expires_at: DateTime<Utc>,
    /// Time and reason of the end; `None` for an open session.
    pub ended: Option<(DateTime<Utc>, String)>,
    /// The `set_at` of the password used at login; `None` for sessions older than this column.
    pub password_of: Option<DateTime<Utc>>,
    /// Hash of the previous token, salt of the current one, and time of the rotation; `None` before the first rotation.
    pub rotation: Option<(Vec<u8>, Vec<u8>, DateTime<Utc>)>,
    /// Digest of the party's e-mail address at login; `None` for sessions older than this column.
    pub address: Option<Vec<u8>>,
}

impl SessionRow {
    /// Columns to select from `journal.sessions`.
    pub const COLUMNS: &str = "id, party, token_hash, journal.micros(created_at) AS created_at, \
        journal.micros(renewed_at) AS renewed_at, journal.micros(expires_at) AS expires_at, \
        journal.micros(ended_at) AS ended_at, ended_by, journal.micros(password_of) AS password_of, \
        previous_hash, rotation_salt, journal.micros(rotated_at) AS rotated_at, address";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let ended_at = optional_moment(row, "ended_at")?;
        let ended_by: Option<String> = row.try_get("ended_by")?;
        let from: Option<Vec<u8>> = row.try_get("previous_hash")?;
        let salt: Option<Vec<u8>> = row.try_get("rotation_salt")?;
        let rotated_at = optional_moment(row, "rotated_at")?;
        // A pair with one part missing was not written by Caudal; it maps to a time without meaning, so that no MAC
        // matches.
        let never = DateTime::<Utc>::MIN_UTC;
        let ended = match (ended_at, ended_by) {
            (None, None) => None,
            (at, by) => Some((at.unwrap_or(never), by.unwrap_or_default())),
        };
        let rotation = match (from, salt, rotated_at) {
            (None, None, None) => None,
            (from, salt, at) => Some((from.unwrap_or_default(), salt.unwrap_or_default(), at.unwrap_or(never))),
        };
        Ok(Self {
            id: row.try_get("id")?,
            party: PartyId(row.try_get("party")?),
            token_hash: row.try_get("token_hash")?,
            created_at: moment(row, "created_at")?,
            renewed_at: moment(row, "renewed_at")?,
            expires_at: moment(row, "expires_at")?,
            ended,
            password_of: optional_moment(row, "password_of")?,
            rotation,
            address: row.try_get("address")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        let mac = macs
            .row(Table::Sessions, tenant)
            .key_uuid(self.id)
            .uuid(self.party.0)
            .bytes(&self.token_hash)
            .time(self.created_at)
            .time(self.renewed_at)
            .time(self.expires_at)
            .optional(self.ended.as_ref(), |mac, (at, by)| mac.time(*at).text(by))
            .optional(self.password_of, RowMac::time)
            .optional(self.rotation.as_ref(), |mac, (from, salt, at)| {
                mac.bytes(from).bytes(salt).time(*at)
            });
        match &self.address {
            // As before the column was added.
            None => mac,
            Some(address) => mac.bytes(address),
        }
    }
}

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

/// A row of `journal.files`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// SHA-256 of the content, in hexadecimal.
    pub hash: String,
    pub media_type: String,
    /// In bytes.
    pub size: i64,
    /// Time of the upload.
    pub stored_at: DateTime<Utc>,
}

impl FileRow {
    /// The columns to read.
    pub const COLUMNS: &str = "hash, media_type, size, journal.micros(stored_at) AS stored_at";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            hash: row.try_get("hash")?,
            media_type: row.try_get("media_type")?,
            size: row.try_get("size")?,
            stored_at: moment(row, "stored_at")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::Files, tenant)
            .key_text(&self.hash)
            .text(&self.media_type)
            .number(self.size)
            .time(self.stored_at)
    }
}

/// A row of `journal.file_owners`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOwnerRow {
    pub hash: String,
    /// `party` or `remittance`.
    pub kind: String,
    pub owner: Uuid,
}

impl FileOwnerRow {
    /// The columns to read.
    pub const COLUMNS: &str = "hash, kind, owner";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            hash: row.try_get("hash")?,
            kind: row.try_get("kind")?,
            owner: row.try_get("owner")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::FileOwners, tenant)
            .key_text(&self.hash)
            .key_text(&self.kind)
            .key_uuid(self.owner)
    }
}

/// A row of `journal.verifications`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerificationRow {
    pub id: Uuid,
    /// The party that requested it.
    pub asked_by: PartyId,
    pub started_at: DateTime<Utc>,
    /// Heartbeat of the node that runs it.
    pub told_at: DateTime<Utc>,
    /// Time and outcome; `None` while running.
    pub ended: Option<(DateTime<Utc>, String)>,
    pub phase: String,
    /// Position reached in the phase.
    pub position: i64,
    /// Final position of the phase.
    pub head: i64,
    /// Hash of the last event, once the chain was found intact.
    pub hash: Option<Vec<u8>>,
    /// JSON text.
    pub findings: String,
    /// Number of checkpoints compared; `None` before that.
    pub checkpoints: Option<i64>,
}

impl VerificationRow {
    /// Columns to select from `journal.verifications`.
    pub const COLUMNS: &str = "id, asked_by, journal.micros(started_at) AS started_at, \
        journal.micros(told_at) AS told_at, journal.micros(finished_at) AS finished_at, phase, position, head, hash, \
        outcome, findings::text AS findings, checkpoints";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let finished_at = optional_moment(row, "finished_at")?;
        let outcome: Option<String> = row.try_get("outcome")?;
        // One without the other was not written by Caudal: no MAC matches.
        let ended = match (finished_at, outcome) {
            (None, None) => None,
            (at, outcome) => Some((at.unwrap_or(DateTime::<Utc>::MIN_UTC), outcome.unwrap_or_default())),
        };
        Ok(Self {
            id: row.try_get("id")?,
            asked_by: PartyId(row.try_get("asked_by")?),
            started_at: moment(row, "started_at")?,
            told_at: moment(row, "told_at")?,
            ended,
            phase: row.try_get("phase")?,
            position: row.try_get("position")?,
            head: row.try_get("head")?,
            hash: row.try_get("hash")?,
            findings: row.try_get("findings")?,
            checkpoints: row.try_get("checkpoints")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::Verifications, tenant)
            .key_uuid(self.id)
            .uuid(self.asked_by.0)
            .time(self.started_at)
            .time(self.told_at)
            .optional(self.ended.as_ref(), |mac, (at, outcome)| mac.time(*at).text(outcome))
            .text(&self.phase)
            .number(self.position)
            .number(self.head)
            .optional(self.hash.as_deref(), RowMac::bytes)
            .text(&self.findings)
            .optional(self.checkpoints, RowMac::number)
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

/// A row of `journal.step_ups`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepUpRow {
    pub session: Uuid,
    /// The factor whose code was given.
    pub factor: SecondFactorId,
    /// Time of the last code.
    pub given_at: DateTime<Utc>,
}

impl StepUpRow {
    /// The columns to read.
    pub const COLUMNS: &str = "session, factor, journal.micros(given_at) AS given_at";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            session: row.try_get("session")?,
            factor: SecondFactorId(row.try_get("factor")?),
            given_at: moment(row, "given_at")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::StepUps, tenant)
            .key_uuid(self.session)
            .uuid(self.factor.0)
            .time(self.given_at)
    }
}

/// A row of `journal.readings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingRow {
    pub id: Uuid,
    pub read_at: DateTime<Utc>,
    pub party: PartyId,
    /// The party as which it was logged in to see.
    pub viewed_as: Option<PartyId>,
    pub session: Uuid,
    pub kind: String,
    /// Record of which data was read.
    pub subject: Option<Uuid>,
    /// Path of the call in the contract.
    pub call: String,
    /// Format of a file.
    pub format: Option<String>,
}

impl ReadingRow {
    /// The columns to read.
    pub const COLUMNS: &str =
        "id, journal.micros(read_at) AS read_at, party, viewed_as, session, kind, subject, call, format";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            read_at: moment(row, "read_at")?,
            party: PartyId(row.try_get("party")?),
            viewed_as: row.try_get::<Option<Uuid>, _>("viewed_as")?.map(PartyId),
            session: row.try_get("session")?,
            kind: row.try_get("kind")?,
            subject: row.try_get("subject")?,
            call: row.try_get("call")?,
            format: row.try_get("format")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        let optional = |id: Option<Uuid>| id.map_or_else(Vec::new, |id| id.as_bytes().to_vec());
        macs.row(Table::Readings, tenant)
            .key_uuid(self.id)
            .time(self.read_at)
            .uuid(self.party.0)
            .bytes(&optional(self.viewed_as.map(|party| party.0)))
            .uuid(self.session)
            .text(&self.kind)
            .bytes(&optional(self.subject))
            .text(&self.call)
            .text(self.format.as_deref().unwrap_or_default())
    }
}

/// A row of `journal.viewings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewingRow {
    /// The session, which is that of the party that is seen as.
    pub session: Uuid,
    pub viewer: PartyId,
    /// The viewer's own session, in which the viewing began.
    pub viewer_session: Uuid,
}

impl ViewingRow {
    /// The columns to read.
    pub const COLUMNS: &str = "session, viewer, viewer_session";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            session: row.try_get("session")?,
            viewer: PartyId(row.try_get("viewer")?),
            viewer_session: row.try_get("viewer_session")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::Viewings, tenant)
            .key_uuid(self.session)
            .uuid(self.viewer.0)
            .uuid(self.viewer_session)
    }
}

/// A row of `journal.sign_on_secrets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignOnSecretRow {
    /// In the column `provider`: secrets of before they had ids stand under their provider's.
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
