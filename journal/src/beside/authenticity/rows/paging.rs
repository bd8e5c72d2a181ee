//! Key and columns of each table, and a tenant's rows, page by page.

use super::{
    FileOwnerRow, FileRow, PasskeyRow, ReadingRow, ResetCodeRow, SecondFactorRow, SessionRow, SignOnSecretRow,
    SignOnSubjectRow, StepUpRow, VerificationRow, ViewingRow,
};
use crate::{
    beside::{answers::AnswerRow, authenticity::Table},
    people::subjects::StoredKey,
};
use caudal_domain::ids::TenantId;
use sqlx::{PgConnection, Row as _, postgres::PgRow};

/// Columns of the longest key, without the tenant.
pub(crate) const KEY_COLUMNS: usize = 3;

impl Table {
    /// Key columns without the tenant: names and types.
    pub(crate) const fn key(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Snapshots => &[("fingerprint", "text")],
            Self::IdempotencyRecords | Self::Answers => &[("actor", "text"), ("key", "text")],
            Self::UniqueValues => &[("kind", "text"), ("digest", "bytea")],
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
            Self::IdempotencyRecords => {
                "actor, key, digest, answer::text AS answer, position, journal.micros(recorded_at) AS recorded_at"
            }
            Self::Answers => AnswerRow::COLUMNS,
            Self::UniqueValues => "kind, digest, owner",
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
pub(crate) struct KeyedRow {
    pub(crate) row: PgRow,
    /// Key values as text.
    pub(crate) key: Vec<String>,
}

impl KeyedRow {
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
) -> Result<Vec<KeyedRow>, sqlx::Error> {
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
        Ok(KeyedRow { row, key })
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
