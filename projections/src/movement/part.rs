//! A caller's part of a movement. A payment may be on debits of several parties: a debtor and its superiors see it as if it
//! were on the debits in their scope alone, in lists with their filters, sorts, searches and files, in receipts,
//! notifications, the feed and webhooks. The creditor, and whoever sees all its debtors, sees the whole payment.
//!
//! Callers who do not see all read movements from here ([`push`]) and from nowhere else.

use crate::{
    error::ReadError,
    from_log::{self, RECORDS_AT_ONCE},
    read_transaction::ReadTransaction,
    rows::MovementRow,
    scope::{PartyIn, Scope},
    sql::Sql,
    table::Row as _,
};
use caudal_domain::{
    Event, StreamKind,
    ids::TenantId,
    money::Amount,
    movement::{MovementEvent, MovementKind},
    party::PartyEvent,
};
use caudal_journal::{Journal, Recorded};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
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

/// The caller's part of a payment that is also on debits of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Debtor; `None` for several in the caller's scope.
    pub(crate) from: Option<Uuid>,
    /// Paid on the debits in the caller's scope.
    pub(crate) amount: Amount,
}

/// Parts of those of the movements that are payments on debits of several parties, by id: as the log has them, because they are sent.
/// Nothing of an amount of 0 is in the caller's scope.
///
/// # Errors
/// When the log can't be read, or was changed.
pub(crate) async fn parts(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Part>, ReadError> {
    if scope.sees_all() {
        return Ok(HashMap::new());
    }
    let mut payments = Vec::new();
    for some in ids.chunks(RECORDS_AT_ONCE) {
        let streams = from_log::streams(journal, transaction, StreamKind::Movement, some).await?;
        payments.extend(streams.values().filter_map(|events| of_several(events, scope)));
    }
    let debtors: BTreeSet<Uuid> = payments.iter().flat_map(|(_, paid)| paid.keys().copied()).collect();
    let debtors: Vec<Uuid> = debtors.into_iter().collect();
    let mut covered = HashSet::new();
    for some in debtors.chunks(RECORDS_AT_ONCE) {
        let parties = from_log::streams(journal, transaction, StreamKind::Party, some).await?;
        covered.extend(parties.into_values().filter_map(|events| in_scope(&events, scope)));
    }
    let mut parts = HashMap::new();
    for (movement, mut paid) in payments {
        let whole: Amount = paid.values().copied().sum();
        paid.retain(|debtor, _| covered.contains(debtor));
        let amount: Amount = paid.values().copied().sum();
        if amount < whole {
            let from = (paid.len() == 1).then(|| paid.into_keys().next()).flatten();
            parts.insert(movement, Part { from, amount });
        }
    }
    Ok(parts)
}

/// Id and amounts by debtor of a movement that is a payment without a party of its own, and not to the caller.
fn of_several(events: &[Recorded], scope: &Scope) -> Option<(Uuid, BTreeMap<Uuid, Amount>)> {
    let movement = events.iter().find_map(|recorded| match &recorded.event {
        Event::Movement(MovementEvent::MovementPosted(posted)) => Some(&posted.movement),
        _ => None,
    })?;
    let is_paid = movement.kind == MovementKind::Payment && movement.from.is_none();
    if !is_paid || movement.to == Some(scope.principal()) {
        return None;
    }
    let mut paid = BTreeMap::new();
    for transfer in &movement.entry.transfers {
        // A payment takes from what its debtors owe.
        let debtor = transfer.credit.owner?;
        *paid.entry(debtor.0).or_insert(Amount::ZERO) += transfer.amount;
    }
    Some((movement.id.0, paid))
}

/// The party of a stream, if it is in scope. Whom a party is under is said by its registration and never changes.
fn in_scope(events: &[Recorded], scope: &Scope) -> Option<Uuid> {
    let party = events.iter().find_map(|recorded| match &recorded.event {
        Event::Party(PartyEvent::PartyRegistered(registered)) => Some(&registered.party),
        _ => None,
    })?;
    let above = [party.agency, party.dealer].map(|above| above.map(Uuid::from));
    scope.covers(Some(party.id.0), above).then_some(party.id.0)
}

#[cfg(test)]
mod tests {
    use super::*;

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
