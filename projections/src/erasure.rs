//! Erasure in the read models: data about a person outside the person's own rows, and the checks before.

use crate::{error::ReadError, read_transaction::ReadTransaction, sql::Sql};
use caudal_domain::ids::{CustomerId, SubjectId, TenantId};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _};
use uuid::Uuid;

/// Tables in which something of an erased person is overwritten: the first three by the projection of the event, the others here.
pub const ERASED_IN: [&str; 12] = [
    "parties",
    "customers",
    "screening_cases",
    "cards",
    "remittances",
    "remittance_history",
    "remittance_holds",
    "delivery_disputes",
    "movements",
    "api_keys",
    "webhooks",
    "proposals",
];

// A proposal about the person can't be approved any more.
const PROPOSALS: &str =
    "UPDATE proposals SET status = 'erased' WHERE tenant = $1 AND subject = ANY ($2) AND status = 'waiting'";
const OF_CUSTOMERS: [&str; 8] = [
    "UPDATE cards SET number = NULL WHERE tenant = $1 AND customer = ANY ($2)",
    "UPDATE remittances SET address = NULL, notes = NULL, reason = NULL, identification = NULL, signature = NULL,
            breach_settlement = NULL
      WHERE tenant = $1 AND recipient = ANY ($2)",
    "UPDATE delivery_disputes SET identification = NULL, signature = NULL, settlement = NULL
      WHERE tenant = $1 AND recipient = ANY ($2)",
    "UPDATE remittance_holds SET note = NULL, review = NULL WHERE tenant = $1 AND recipient = ANY ($2)",
    // Sender or recipient: the files of a review may show either.
    "UPDATE remittance_holds AS h SET review_files = NULL
       FROM remittances AS r
      WHERE h.tenant = $1 AND r.tenant = $1 AND r.id = h.remittance AND h.review_files IS NOT NULL
        AND (h.recipient = ANY ($2) OR r.recipient = ANY ($2) OR r.sender = ANY ($2))",
    "UPDATE remittance_history AS h SET review_files = NULL
       FROM remittances AS r
      WHERE h.tenant = $1 AND r.tenant = $1 AND r.id = h.remittance AND h.review_files IS NOT NULL
        AND (h.subject = ANY ($2) OR r.recipient = ANY ($2) OR r.sender = ANY ($2))",
    "UPDATE remittance_history SET reason = NULL, address = NULL, notes = NULL WHERE tenant = $1 AND subject = ANY ($2)",
    PROPOSALS,
];
// The subject of a movement's note: see `Movement::subject`.
const OF_PARTIES: [&str; 5] = [
    "UPDATE movements SET note = NULL, reverse_reason = NULL
      WHERE tenant = $1 AND coalesce(to_party, from_party, actor) = ANY ($2)",
    "UPDATE api_keys SET name = NULL WHERE tenant = $1 AND party = ANY ($2)",
    "UPDATE webhooks SET name = NULL, url = NULL WHERE tenant = $1 AND party = ANY ($2)",
    PROPOSALS,
    "UPDATE proposals SET reason = NULL WHERE tenant = $1 AND maker = ANY ($2)",
];

/// Overwrites data about erased customers and parties in rows of others. Covers exactly the data encrypted under their
/// keys, so that a replay without the keys yields equal rows, and the proofs of deliveries to them, whose files are
/// deleted.
pub(crate) async fn erase(
    connection: &mut PgConnection,
    tenant: &TenantId,
    customers: &[Uuid],
    parties: &[Uuid],
) -> Result<(), sqlx::Error> {
    for (statements, people) in [(OF_CUSTOMERS.as_slice(), customers), (OF_PARTIES.as_slice(), parties)] {
        if people.is_empty() {
            continue;
        }
        for statement in statements {
            sqlx::query(statement)
                .bind(tenant.as_str())
                .bind(people)
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}

/// Time of a person's last business: as any side of a remittance, also of before an edit, of a movement, obligation or closure,
/// as the actor of one, or as the customer of a review or an exported dossier. `None` without any.
pub async fn last_business(
    transaction: &mut ReadTransaction,
    person: impl Into<SubjectId>,
) -> Result<Option<DateTime<Utc>>, ReadError> {
    const PLACES: [(&str, &str, &str); 8] = [
        (
            "remittances",
            "updated_at",
            "sender, recipient, seller, agency, agent, dealer, delivery_man, delivered_by",
        ),
        // Who carried a remittance before, or changed one.
        ("remittance_history", "at", "dealer, delivery_man, actor"),
        // Whom a remittance was for before an edit: it is in that person's dossier. Holds and disputes change it, too.
        (
            "(SELECT h.tenant, h.subject, r.updated_at
                FROM remittance_history AS h JOIN remittances AS r ON r.tenant = h.tenant AND r.id = h.remittance) AS x",
            "updated_at",
            "subject",
        ),
        ("screening_cases", "decided_at", "id, decided_by"),
        (
            "movements",
            "greatest(created_at, reversed_at)",
            "from_party, to_party, actor",
        ),
        ("debits", "greatest(opened_at, settled_at)", "debtor, creditor"),
        ("closures", "created_at", "party"),
        ("entries", "at", "actor"),
    ];
    let person = person.into().0;
    let mut latest = Sql::new("SELECT max(at) AS at FROM (");
    for (index, (table, time, columns)) in PLACES.into_iter().enumerate() {
        if index > 0 {
            latest.push(" UNION ALL ");
        }
        latest.push(&format!("SELECT max({time}) AS at FROM {table} WHERE tenant = "));
        latest.bind(transaction.tenant()).push(" AND ");
        latest.bind(person).push(&format!(" IN ({columns})"));
    }
    // An export of the person's dossier stands in the log alone.
    latest.push(
        " UNION ALL SELECT max(recorded_at) AS at FROM journal.events
           WHERE aggregate_type = 'customer' AND event_type = 'DossierExported' AND tenant = ",
    );
    latest.bind(transaction.tenant()).push(" AND aggregate_id = ");
    latest.bind(person.to_string()).push(" AND position <= ");
    latest.bind(transaction.position());
    latest.push(") AS x");
    let rows = transaction.fetch(&latest).await?;
    Ok(rows.first().map(|row| row.try_get("at")).transpose()?.flatten())
}

/// Remittances with this recipient, whose proofs of delivery show the customer.
pub async fn received(transaction: &mut ReadTransaction, customer: CustomerId) -> Result<Vec<Uuid>, ReadError> {
    let mut sql = transaction.rows("remittances", "r").after("SELECT r.id");
    sql.push(" AND r.recipient = ").bind(customer.0);
    ids(transaction, &sql).await
}

/// Remittances of this customer that were ever held, whose reviews may show the customer.
pub async fn reviewed(transaction: &mut ReadTransaction, customer: CustomerId) -> Result<Vec<Uuid>, ReadError> {
    let tables = "remittance_holds AS h JOIN remittances AS r ON r.tenant = h.tenant AND r.id = h.remittance";
    let mut sql = transaction
        .joined(tables, "h")
        .after("SELECT DISTINCT h.remittance AS id");
    sql.push(" AND (h.recipient = ").bind(customer.0);
    sql.push(" OR r.recipient = ").bind(customer.0);
    sql.push(" OR r.sender = ").bind(customer.0).push(")");
    ids(transaction, &sql).await
}

async fn ids(transaction: &mut ReadTransaction, sql: &Sql) -> Result<Vec<Uuid>, ReadError> {
    let rows = transaction.fetch(sql).await?;
    Ok(rows
        .iter()
        .map(|row| row.try_get("id"))
        .collect::<Result<_, sqlx::Error>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_that_are_erased_in_are_named() {
        for statement in OF_CUSTOMERS.iter().chain(&OF_PARTIES) {
            let table = statement.split_whitespace().nth(1).unwrap_or_default();
            assert!(ERASED_IN.contains(&table), "{statement}");
        }
    }
}
