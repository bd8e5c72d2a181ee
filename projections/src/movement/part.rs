//! A caller's part of a movement. A payment may be on debits of several parties: a debtor and its superiors see it as if it
//! were on the debits in their scope alone, in lists with their filters, sorts, searches and files, in receipts,
//! notifications, the feed and webhooks. The creditor, and whoever sees all its debtors, sees the whole payment.
//!
//! Callers who do not see all read movements from here ([`push`]) and from nowhere else.

use super::visible;
use crate::{
    error::ReadError,
    read_transaction::ReadTransaction,
    rows::MovementRow,
    scope::{PartyIn, Scope},
    sql::Sql,
    table::{Row as _, get},
};
use caudal_domain::{ids::TenantId, money::Amount, movement::MovementKind};
use sqlx::Row as _;
use std::collections::HashMap;
use uuid::Uuid;

/// Columns with another value in a part, and that value. Note and reason are written about the whole payment.
const IN_PART: &[(&str, &str)] = &[
    ("from_party", "own.debtor"),
    ("amount", "own.amount"),
    ("note", "NULL"),
    ("reverse_reason", "NULL"),
];

/// A part differs from the whole where others paid too; each payment is positive.
const IS_PART: &str = "own.amount < w.amount";

/// Adds the movements in the scope of a caller who does not see all, as a table `m` with the columns of
/// `movements` and `is_part`.
pub(super) fn push(sql: &mut Sql, tenant: &TenantId, scope: &Scope) {
    // A payment on several parties' debits has no party of its own.
    const PAID: PartyIn = PartyIn::Within(
        "EXISTS (SELECT 1 FROM debit_payments AS y JOIN debits AS d ON d.tenant = y.tenant AND d.id = y.debit
                  WHERE y.tenant = w.tenant AND y.movement = w.id AND d.debtor",
        ")",
    );
    let columns: Vec<String> = MovementRow::columns()
        .iter()
        .map(|column| {
            let name = column.name;
            match IN_PART.iter().find(|(of, _)| *of == name) {
                Some((_, part)) => format!("CASE WHEN {IS_PART} THEN {part} ELSE w.{name} END AS {name}"),
                None => format!("w.{name}"),
            }
        })
        .collect();
    sql.push(&format!(
        "(SELECT w.tenant, ({IS_PART}) IS TRUE AS is_part, {}
            FROM movements AS w
           CROSS JOIN LATERAL (
                SELECT sum(y.amount)::bigint AS amount,
                       CASE WHEN count(DISTINCT d.debtor) = 1 THEN (array_agg(d.debtor))[1] END AS debtor
                  FROM debit_payments AS y JOIN debits AS d ON d.tenant = y.tenant AND d.id = y.debit
                 WHERE y.tenant = w.tenant AND y.movement = w.id AND w.from_party IS NULL AND w.kind = ",
        columns.join(", ")
    ));
    sql.bind(MovementKind::Payment.as_str());
    // The creditor is the manager or an agency, which is nobody's subordinate.
    sql.push(" AND w.to_party IS DISTINCT FROM ").bind(scope.principal().0);
    scope.and_party(sql, tenant, &["d.debtor"]);
    sql.push(") AS own WHERE w.tenant = ").bind(tenant);
    let parties = ["w.from_party", "w.to_party"].map(PartyIn::Column);
    scope.and_party_in(sql, tenant, &[parties[0], parties[1], PAID]);
    sql.push(") AS m");
}

/// What a caller sees of a payment that is also on debits of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Debtor; `None` for several in the caller's scope.
    pub(crate) from: Option<Uuid>,
    /// Paid on the debits in the caller's scope.
    pub(crate) amount: Amount,
}

/// Those of the movements of which the caller sees a part, by id.
pub(crate) async fn parts(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Part>, ReadError> {
    if scope.sees_all() || ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut sql = visible(transaction, scope, "").after("SELECT m.id, m.from_party, m.amount");
    sql.push(" AND m.is_part AND m.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let part = |row: &sqlx::postgres::PgRow| {
        let part = Part {
            from: row.try_get("from_party")?,
            amount: get(row, "amount")?,
        };
        Ok((row.try_get("id")?, part))
    };
    Ok(found.iter().map(part).collect::<Result<_, sqlx::Error>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Columns that are the same for each debtor.
    const SHARED: &[&str] = &[
        "id",
        "position",
        "number",
        "kind",
        "actor",
        "role",
        "to_party",
        "group_id",
        "currency",
        "counter_amount",
        "counter_currency",
        "counter_rate",
        "on_credit",
        "debit",
        "created_at",
        "reversed_at",
        "reversed_by",
        "approver",
    ];

    #[test]
    fn every_column_of_a_movement_is_shared_or_has_a_value_in_a_part() {
        let of_part = IN_PART.iter().map(|(name, _)| *name);
        let known: BTreeSet<&str> = of_part.chain(SHARED.iter().copied()).collect();
        let columns: BTreeSet<&str> = MovementRow::columns().iter().map(|column| column.name).collect();
        assert_eq!(columns, known);
    }
}
