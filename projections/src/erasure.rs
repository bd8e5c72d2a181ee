//! Erasure in the read models: data about a person outside the person's own rows, and the checks before.

use crate::{dossier, error::ReadError, from_log, read_transaction::ReadTransaction, sql::Sql, table::get};
use caudal_domain::{
    Event, StreamKind, StreamState,
    customer::CustomerEvent,
    ids::{CustomerId, PartyId, TenantId},
    remittance::RemittanceEvent,
};
use caudal_journal::{Journal, Recorded};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
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

/// Time of a party's last business by the read models: as any side of a remittance, a movement, an obligation or a closure, as the actor
/// of one, or as a reviewer. `None` without any.
///
/// # Errors
/// When the database fails.
pub async fn last_business(
    transaction: &mut ReadTransaction,
    party: PartyId,
) -> Result<Option<DateTime<Utc>>, ReadError> {
    const PLACES: [(&str, &str, &str); 7] = [
        (
            "remittances",
            "updated_at",
            "seller, agency, agent, dealer, delivery_man, delivered_by",
        ),
        // Who carried a remittance before, or changed one.
        ("remittance_history", "at", "dealer, delivery_man, actor"),
        ("screening_cases", "decided_at", "decided_by"),
        (
            "movements",
            "greatest(created_at, reversed_at)",
            "from_party, to_party, actor",
        ),
        ("debits", "greatest(opened_at, settled_at)", "debtor, creditor"),
        ("closures", "created_at", "party"),
        ("entries", "at", "actor"),
    ];
    let mut latest = Sql::new("SELECT max(at) AS at FROM (");
    for (index, (table, time, columns)) in PLACES.into_iter().enumerate() {
        if index > 0 {
            latest.push(" UNION ALL ");
        }
        latest.push(&format!("SELECT max({time}) AS at FROM {table} WHERE tenant = "));
        latest.bind(transaction.tenant()).push(" AND ");
        latest.bind(party.0).push(&format!(" IN ({columns})"));
    }
    latest.push(") AS x");
    let rows = transaction.fetch(&latest).await?;
    Ok(rows
        .first()
        .map(|row| get::<Option<DateTime<Utc>>>(row, "at"))
        .transpose()?
        .flatten())
}

/// What the erasure of a customer depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// Time of the last business: with any of the customer's remittances, also one whose recipient was replaced by an edit, the decision
    /// of a review, or the export of a dossier. `None` without any.
    pub last_business: Option<DateTime<Utc>>,
    /// Remittances with this recipient, whose proofs of delivery show the customer.
    pub received: Vec<Uuid>,
    /// Remittances of this customer that were ever held, whose reviews may show the customer.
    pub reviewed: Vec<Uuid>,
}

/// Traces of a customer, by the log: an erasure can't be undone. All payloads are searched.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn of_customer(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    id: CustomerId,
) -> Result<Traces, ReadError> {
    let mut traces = Traces::default();
    let own = from_log::streams(journal, transaction, StreamKind::Customer, &[id.0]).await?;
    let is_business = |recorded: &&Recorded| {
        matches!(
            recorded.event,
            Event::Customer(CustomerEvent::ScreeningPairDecided(_) | CustomerEvent::DossierExported { .. })
        )
    };
    let business = own.values().flatten().filter(is_business);
    traces.last_business = business.map(|recorded| recorded.recorded_at).max();
    for events in dossier::remittances_of(journal, transaction, id).await? {
        traces.last_business = traces.last_business.max(events.last().map(|last| last.recorded_at));
        let mut state = StreamState::new(StreamKind::Remittance);
        let (mut was_held, mut was_held_for) = (false, false);
        for recorded in &events {
            state.apply(&recorded.event);
            if matches!(recorded.event, Event::Remittance(RemittanceEvent::RemittanceHeld(_))) {
                was_held = true;
                was_held_for |= state.remittance().is_some_and(|held| held.sale.recipient == id);
            }
        }
        let Some(remittance) = state.remittance() else {
            continue;
        };
        let receives = remittance.sale.recipient == id;
        if receives {
            traces.received.push(remittance.id.0);
        }
        if was_held && (was_held_for || receives || remittance.sale.sender == id) {
            traces.reviewed.push(remittance.id.0);
        }
    }
    Ok(traces)
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
