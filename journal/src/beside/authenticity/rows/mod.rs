//! Rows beside the log, per table: paged reads by key, and the expected MAC.
//!
//! | File | Content |
//! |---|---|
//! | [`paging`] | key and columns of each table; a tenant's rows, page by page |
//! | [`sessions`] | sessions, with their fresh codes and viewers |
//! | [`logins`] | what a login is proved with: one-time codes, second factors, passkeys, single sign-on |
//! | [`files`] | uploaded files, and who may read them |
//! | [`audit`] | requested verifications, and who read personal data |
//!
//! Rows of the other tables are in the modules that write them.

mod audit;
mod files;
mod logins;
mod paging;
mod sessions;

pub use audit::{ReadingRow, VerificationRow};
pub use files::{FileOwnerRow, FileRow};
pub use logins::{PasskeyRow, ResetCodeRow, SecondFactorRow, SignOnSecretRow, SignOnSubjectRow};
pub(crate) use paging::{KEY_COLUMNS, KeyedRow, Which, page};
pub use sessions::{SessionRow, StepUpRow, ViewingRow};

use super::{RowMac, RowMacs, Table};
use crate::{
    beside::{answers::AnswerRow, credentials, idempotency_records, unique_values},
    people::subjects::StoredKey,
    writer::snapshot,
};
use caudal_domain::ids::{PartyId, TenantId};
use chrono::{DateTime, Utc};
use sqlx::{Row as _, postgres::PgRow};

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
        Table::IdempotencyRecords => {
            let key = idempotency_records::IdempotencyRecordKey {
                actor: row.try_get("actor")?,
                key: row.try_get("key")?,
            };
            idempotency_records::row_mac(
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
            let key = idempotency_records::IdempotencyRecordKey {
                actor: row.try_get("actor")?,
                key: row.try_get("key")?,
            };
            AnswerRow::from_row(row)?.mac(macs, tenant, &key)
        }
        Table::UniqueValues => unique_values::mac(
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
