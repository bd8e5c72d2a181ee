//! Detection of duplicate sales.

use super::views::visible;
use crate::{error::ReadError, read_transaction::ReadTransaction, scope::Scope};
use caudal_domain::remittance::{CreateRemittance, Status};
use chrono::{DateTime, Utc};
use sqlx::Row as _;

/// Code of the newest sale since a time with equal sender, recipient, group and amount, in the caller's scope and not
/// canceled.
pub async fn sold_alike(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    sale: &CreateRemittance,
    since: DateTime<Utc>,
) -> Result<Option<String>, ReadError> {
    let mut sql = visible(transaction, scope).after("SELECT r.code");
    sql.push(" AND r.sender = ").bind(sale.sender.0);
    sql.push(" AND r.recipient = ").bind(sale.recipient.0);
    sql.push(" AND r.group_id = ").bind(sale.group.0);
    sql.push(" AND r.amount = ").bind(sale.amount.minor());
    sql.push(" AND r.created_at >= ").bind(since);
    sql.push(" AND r.status <> ").bind(i64::from(Status::Canceled.number()));
    sql.push(" ORDER BY r.position DESC LIMIT 1");
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.first().map(|row| row.try_get("code")).transpose()?)
}
