//! What a person sent and received, in the dossier. A person is every customer with one document: the event of the export
//! names them, so that a later change of a document leaves the dossier as it was.
//!
//! Amounts are those of the sale in USD, canceled remittances are left out, and rolling windows are those of the report of
//! large sums ([`crate::report::LARGE_SUMS`]).

use super::{Remittances, names::Names, reader::Reader};
use crate::{
    error::ReadError,
    from_log::{self, CustomerOfLog, RECORDS_AT_ONCE},
    read_transaction::ReadTransaction,
    refs::Ref,
    scalar::{CustomerSide, CustomerType, Money},
};
use caudal_domain::{
    Event, StreamKind, StreamState,
    customer::{Customer, CustomerEvent},
    ids::CustomerId,
    limits::{IdentityDocument, LimitState},
    money::Amount,
    remittance::Status,
};
use caudal_journal::{Journal, Recorded};
use chrono::{Duration, NaiveDate};
use chrono_tz::Tz;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;
use uuid::Uuid;

/// Lengths of the rolling windows in days.
const WINDOWS: [u16; 4] = [1, 7, 30, 365];

/// Sums sent and received by a person, over every customer with the document.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierSums {
    /// The customer of the dossier first, then the others who had the same document at the export.
    pub customers: Vec<DossierCustomer>,
    /// Sums by month of the sale, oldest first; months without a remittance are left out.
    pub months: Vec<DossierMonth>,
    /// Largest sums within consecutive days.
    pub windows: Vec<DossierWindow>,
}

/// A customer who is the person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierCustomer {
    /// The customer record; a person may have several.
    pub customer: Ref,
    /// Sender or recipient.
    pub customer_type: CustomerType,
    /// The agency or agent whose customer it is.
    pub owner: Ref,
}

/// Sum sent or received by a person in a month.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierMonth {
    /// Month of the sale in the tenant's time zone, `YYYY-MM`.
    #[schema(examples("2026-11"))]
    pub month: String,
    /// Sent, or received.
    pub side: CustomerSide,
    /// Number of remittances that are not canceled.
    pub remittances: i64,
    /// Sum of their amounts sent, in USD.
    pub amount: Money,
}

/// The most that a person sent or received within some consecutive days.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierWindow {
    /// Length of the window in days: 1, 7, 30 or 365.
    #[schema(examples(30))]
    pub days: u16,
    /// Sent, or received.
    pub side: CustomerSide,
    /// Most remittances within one window.
    pub remittances: i64,
    /// Largest sum of amounts sent within one window, in USD.
    pub amount: Money,
}

/// Other customers with the document of a customer, by its type, country and number, oldest first; at most one more than `limit`.
/// By the log alone: the read models may lack a row. Documents are encrypted there, so that all customers are read but those whom the
/// limits know to be somebody else.
///
/// # Errors
/// When the database fails, or the log was changed.
pub async fn same_person(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    limits: &LimitState,
    id: CustomerId,
    limit: usize,
) -> Result<Vec<CustomerId>, ReadError> {
    let own = from_log::streams(journal, transaction, StreamKind::Customer, &[id.0]).await?;
    let Some(document) = own.values().find_map(|events| document(events)) else {
        return Ok(Vec::new());
    };
    let holders: BTreeSet<CustomerId> = limits.with_document_of(id).collect();
    let is_somebody_else =
        |other: CustomerId| limits.has_document(id) && limits.is_identified(other) && !holders.contains(&other);
    let (tenant, through) = (transaction.tenant().clone(), transaction.position());
    let at_once = i64::try_from(RECORDS_AT_ONCE).unwrap_or(i64::MAX);
    let (mut found, mut after) = (BTreeMap::new(), None);
    loop {
        let connection = transaction.connection();
        let ids = journal
            .stream_ids_on(connection, &tenant, StreamKind::Customer, after, through, at_once)
            .await?;
        let Some(last) = ids.last() else { break };
        after = Some(*last);
        let others = ids.into_iter().filter(|other| *other != id.0);
        let may: Vec<Uuid> = others.filter(|other| !is_somebody_else(CustomerId(*other))).collect();
        let streams = from_log::streams(journal, transaction, StreamKind::Customer, &may).await?;
        for (other, events) in streams {
            let has_it = self::document(&events).as_ref() == Some(&document);
            if let Some(first) = events.first().filter(|_| has_it) {
                found.insert(first.position, CustomerId(other));
            }
        }
        if found.len() > limit {
            break;
        }
    }
    Ok(found.into_values().take(limit.saturating_add(1)).collect())
}

/// The present document of a customer, as limits compare it; `None` without one, and after erasure.
fn document(events: &[Recorded]) -> Option<String> {
    let details = CustomerOfLog::of(events)?.details?;
    Some(IdentityDocument::of(&details)?.unique())
}

/// A remittance that counts.
#[derive(Clone, Copy)]
struct Counted {
    /// Day of the sale in the tenant's time zone.
    day: NaiveDate,
    amount: Amount,
}

/// The customers of a person, and the remittances of all of them.
pub(super) struct Persons<'a> {
    pub(super) customers: Vec<Customer>,
    remittances: &'a Remittances,
}

impl<'a> Persons<'a> {
    /// The customer of the dossier.
    pub(super) fn new(customer: &Customer, remittances: &'a Remittances) -> Self {
        Self {
            customers: vec![customer.clone()],
            remittances,
        }
    }

    /// Reads another customer of the person.
    pub(super) async fn read(
        &mut self,
        reader: &Reader<'_>,
        transaction: &mut ReadTransaction,
        id: CustomerId,
    ) -> Result<(), ReadError> {
        let events = reader.stream(transaction, StreamKind::Customer, id.0).await?;
        let registered = events.iter().find_map(|recorded| match &recorded.event {
            Event::Customer(CustomerEvent::CustomerRegistered(registered)) => Some(registered.customer.clone()),
            _ => None,
        });
        self.customers.extend(registered);
        Ok(())
    }

    pub(super) fn sums(&self, names: &Names, zone: Tz) -> DossierSums {
        let sides = [CustomerSide::Sender, CustomerSide::Recipient].map(|side| (side, self.counted(side, zone)));
        let mut months = BTreeMap::new();
        for (order, (side, counted)) in sides.iter().enumerate() {
            for one in counted {
                let month = one.day.format("%Y-%m").to_string();
                let sum = months.entry((month, order)).or_insert((*side, 0_i64, Amount::ZERO));
                sum.1 += 1;
                sum.2 += one.amount;
            }
        }
        let months = months
            .into_iter()
            .map(|((month, _), (side, remittances, amount))| DossierMonth {
                month,
                side,
                remittances,
                amount: amount.into(),
            });
        let windows = sides.iter().filter(|(_, counted)| !counted.is_empty());
        let windows = windows.flat_map(|(side, counted)| WINDOWS.map(|days| largest(*side, counted, days)));
        let customers = self.customers.iter().map(|of| DossierCustomer {
            customer: names.of(of.id.0),
            customer_type: of.kind.into(),
            owner: names.of(of.owner.0),
        });
        DossierSums {
            customers: customers.collect(),
            months: months.collect(),
            windows: windows.collect(),
        }
    }

    /// Sums by month, oldest first.
    fn counted(&self, side: CustomerSide, zone: Tz) -> Vec<Counted> {
        let is_own = |id: CustomerId| self.customers.iter().any(|own| own.id == id);
        let counted = self.remittances.iter().filter_map(|events| {
            let mut state = StreamState::new(StreamKind::Remittance);
            events.iter().for_each(|recorded| state.apply(&recorded.event));
            let after = state.remittance()?;
            let whose = match side {
                CustomerSide::Sender => after.sale.sender,
                CustomerSide::Recipient => after.sale.recipient,
            };
            (after.status != Status::Canceled && is_own(whose)).then_some(Counted {
                day: events.first()?.recorded_at.with_timezone(&zone).date_naive(),
                amount: after.sale.quote.amount,
            })
        });
        let mut counted: Vec<Counted> = counted.collect();
        counted.sort_by_key(|one| one.day);
        counted
    }
}

/// Each day with a remittance ends a window, which has those of the days before it.
fn largest(side: CustomerSide, counted: &[Counted], days: u16) -> DossierWindow {
    let before = Duration::days(i64::from(days) - 1);
    let (mut remittances, mut amount) = (0, Amount::ZERO);
    let mut sum = Amount::ZERO;
    let mut until = vec![Amount::ZERO];
    for one in counted {
        sum += one.amount;
        until.push(sum);
    }
    let until = |index: usize| until.get(index).copied().unwrap_or_default();
    for last in counted {
        let first = counted.partition_point(|one| one.day < last.day - before);
        let end = counted.partition_point(|one| one.day <= last.day);
        remittances = remittances.max(end.saturating_sub(first));
        amount = amount.max(until(end) - until(first));
    }
    DossierWindow {
        days,
        side,
        remittances: i64::try_from(remittances).unwrap_or(i64::MAX),
        amount: amount.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::Days;

    #[test]
    fn a_window_is_of_days_ends_with_each_that_has_a_remittance_and_the_largest_is_told() {
        let sold = |day: u64, minor| Counted {
            day: NaiveDate::default() + Days::new(day),
            amount: Amount::from_minor(minor),
        };
        let counted = [
            sold(0, 10_000),
            sold(1, 2_000),
            sold(1, 500),
            sold(7, 600),
            sold(9, 11_000),
        ];
        let of = |days| {
            let window = largest(CustomerSide::Sender, &counted, days);
            (window.remittances, window.amount.0.minor())
        };
        assert_eq!(of(1), (2, 11_000));
        assert_eq!(of(7), (3, 12_500));
        assert_eq!(of(30), (5, 24_100));
    }
}
