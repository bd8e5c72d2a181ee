//! Input of the permission rules on parties, read with the rows of a list in one read transaction.

use crate::{
    codes::status,
    error::ReadError,
    read_transaction::ReadTransaction,
    table::{get, role_named},
};
use caudal_domain::{
    ids::PartyId,
    money::{Amount, CurrencyCode},
    party::{Facts, Ties},
};
use sqlx::Row as _;
use std::collections::HashMap;
use uuid::Uuid;

/// Input of the permission rules on a party.
#[derive(Clone, Debug)]
pub struct PermissionInput {
    /// Input of [`caudal_domain::party::judge`].
    pub facts: Facts,
    /// Open business that prevents a deletion.
    pub ties: Ties,
    /// Outstanding amounts in USD by creditor: the agency, or `None` for the manager.
    pub owes: HashMap<Option<Uuid>, Amount>,
}

pub async fn of(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<HashMap<Uuid, PermissionInput>, ReadError> {
    let mut sql = transaction.rows("parties", "p").after(concat!(
        "SELECT p.id, p.role, p.agency, p.dealer, p.is_active, p.deleted,
                p.role = 'manager' AND p.is_active AND p.permission_set IS NULL AND p.access_expires_at IS NULL
                    AND NOT EXISTS (SELECT 1 FROM parties AS m WHERE m.tenant = p.tenant AND m.role = 'manager'
                    AND m.is_active AND m.permission_set IS NULL AND m.access_expires_at IS NULL
                    AND m.id <> p.id) AS last_manager,
                CASE p.role
                    WHEN 'dealer' THEN EXISTS (SELECT 1 FROM accounts AS a WHERE a.tenant = p.tenant
                        AND a.owner = p.id AND a.kind = 'remittances_shipping' AND a.balance <> 0)
                    WHEN 'delivery_man' THEN EXISTS (SELECT 1 FROM remittances AS r WHERE r.tenant = p.tenant
                        AND r.delivery_man = p.id AND ",
        status!("r.status" is shipping),
        ")
                    ELSE false
                END AS delivers",
    ));
    sql.push(" AND p.id = ANY (").bind(ids.to_vec()).push(")");
    let mut standings = HashMap::new();
    for row in transaction.fetch(&sql).await? {
        let id: Uuid = row.try_get("id")?;
        let Some(role) = role_named(row.try_get("role")?) else {
            continue;
        };
        let party = |column| Ok::<_, sqlx::Error>(row.try_get::<Option<Uuid>, _>(column)?.map(PartyId));
        let facts = Facts {
            id: PartyId(id),
            role,
            agency: party("agency")?,
            dealer: party("dealer")?,
            is_active: row.try_get("is_active")?,
            deleted: row.try_get("deleted")?,
        };
        let ties = Ties {
            last_manager: row.try_get("last_manager")?,
            delivers: row.try_get("delivers")?,
            cash: Vec::new(),
        };
        let owes = HashMap::new();
        standings.insert(id, PermissionInput { facts, ties, owes });
    }
    let mut sql = transaction
        .rows("accounts", "a")
        .after("SELECT a.owner, a.currency, a.balance");
    sql.push(" AND a.kind = 'field_cash' AND a.balance <> 0 AND a.owner = ANY (")
        .bind(ids.to_vec())
        .push(") ORDER BY a.number");
    for row in transaction.fetch(&sql).await? {
        let (cash, currency): (Amount, CurrencyCode) = (get(&row, "balance")?, get(&row, "currency")?);
        if let Some(standing) = standings.get_mut(&row.try_get("owner")?) {
            standing.ties.cash.push(format!("{cash} {}", currency.as_str()));
        }
    }
    let mut sql = transaction
        .rows("debits", "d")
        .after("SELECT d.debtor, d.creditor, sum(d.amount - d.paid)::bigint AS owed");
    sql.push(" AND NOT d.void AND d.paid < d.amount AND d.debtor = ANY (")
        .bind(ids.to_vec())
        .push(") GROUP BY d.debtor, d.creditor");
    for row in transaction.fetch(&sql).await? {
        if let Some(standing) = standings.get_mut(&row.try_get("debtor")?) {
            standing.owes.insert(row.try_get("creditor")?, get(&row, "owed")?);
        }
    }
    Ok(standings)
}
