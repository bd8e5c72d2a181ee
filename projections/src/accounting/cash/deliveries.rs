//! Deliveries of dealers and their delivery men in a period, with the fees earned.

use super::{CashFigures, PERIODS, Team, dealers, flows};
use crate::{
    accounting::period::{PeriodQuery, today},
    error::ReadError,
    ledger::Flows,
    list::{BY_NAME, List, count, currency, sum, text, unprinted},
    page::{ListQuery, Page},
    print::{name, word, words},
    read_transaction::ReadTransaction,
    refs::Ref,
    scalar::{CurrencyCode, Money, UserType},
    scope::Scope,
};
use caudal_domain::{AccountKind, money::Amount};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc};
use utoipa::ToSchema;

/// Deliveries in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Delivered {
    deliveries: i64,
    delivered: Amount,
    fees: Amount,
}

/// Deliveries in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deliveries {
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Number of remittances delivered.
    pub deliveries: i64,
    /// Paid out to recipients.
    pub delivered: Money,
    /// Delivery fees earned.
    pub distribution_fees: Money,
}

/// Deliveries of one party.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyDeliveries {
    /// The dealer or delivery man.
    pub party: Ref,
    /// Role: dealer or delivery man.
    pub user_type: UserType,
    /// One element per currency.
    pub currencies: Vec<Deliveries>,
}

/// Deliveries of a dealer and its delivery men in a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DealerSales {
    /// The dealer.
    pub dealer: Ref,
    /// Sums over the dealer and its delivery men, one element per currency.
    pub currencies: Vec<Deliveries>,
    /// The dealer first, then its delivery men by name.
    pub parties: Vec<PartyDeliveries>,
}

/// A line of the file: deliveries of one party in one currency.
#[derive(Debug)]
pub struct DeliveryLine {
    dealer: Arc<Ref>,
    party: Ref,
    user_type: UserType,
    deliveries: Deliveries,
}

/// A dealer's lines: one per party and currency.
#[must_use]
pub fn delivery_lines(sales: DealerSales) -> Vec<DeliveryLine> {
    let dealer = Arc::new(sales.dealer);
    let mut lines = Vec::new();
    for party in sales.parties {
        lines.extend(party.currencies.into_iter().map(|deliveries| DeliveryLine {
            dealer: Arc::clone(&dealer),
            party: party.party.clone(),
            user_type: party.user_type,
            deliveries,
        }));
    }
    lines
}

/// List of dealers' deliveries in a period.
pub const DEALER_SALES: List<DeliveryLine> = List {
    title: word::DEALER_SALES,
    columns: &[
        text("name", word::DEALER, |l: &DeliveryLine, p| name(Some(&l.dealer), p)).sort("p.search"),
        text("party", word::USER, |l: &DeliveryLine, p| name(Some(&l.party), p)),
        text("userType", word::TYPE, |l: &DeliveryLine, p| {
            Some(p.say(words::user(l.user_type)).to_owned())
        }),
        count("deliveries", word::DELIVERIES, |l: &DeliveryLine| {
            l.deliveries.deliveries
        }),
        sum("delivered", word::PAID_OUT, |l: &DeliveryLine| {
            Some(l.deliveries.delivered)
        }),
        sum("distributionFees", word::DISTRIBUTION_FEES, |l: &DeliveryLine| {
            Some(l.deliveries.distribution_fees)
        }),
        currency("currency", word::CURRENCY, |l: &DeliveryLine| {
            Some(l.deliveries.currency)
        }),
        unprinted("created").sort("p.created_at"),
    ],
    filters: PERIODS,
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

/// Dealers' deliveries in a period, by `initDate` and `finalDate` or `rangeSelector`.
///
/// # Errors
/// Invalid or contradictory days; undeclared sorts, filters and pages.
pub async fn dealer_sales(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<DealerSales>, ReadError> {
    let period = PeriodQuery::of(query).resolve(today(transaction, now))?;
    let keys = dealers(transaction, scope, &DEALER_SALES, query).await?;
    let teams = Team::of(transaction, &keys.keys).await?;
    let flows = flows(transaction, &teams, period, &[AccountKind::FieldCash]).await?;
    Ok(keys.page(teams.iter().map(|team| sales(team, &flows)).collect()))
}

fn sales(team: &Team, flows: &Flows) -> DealerSales {
    type Sums = BTreeMap<CurrencyCode, Delivered>;
    let listed = |sums: Sums| {
        let delivered = sums.into_iter().filter(|(_, sum)| *sum != Delivered::default());
        let row = |(currency, sum): (CurrencyCode, Delivered)| Deliveries {
            currency,
            deliveries: sum.deliveries,
            delivered: Money(sum.delivered),
            distribution_fees: Money(sum.fees),
        };
        delivered.map(row).collect::<Vec<_>>()
    };
    let mut all = Sums::new();
    let mut parties = Vec::new();
    for member in &team.members {
        let mut own = Sums::new();
        for (account, cash) in flows.accounts(member.party.id, AccountKind::FieldCash) {
            let cash = CashFigures::of(cash);
            for sums in [&mut own, &mut all] {
                let sum = sums.entry(CurrencyCode(account.currency)).or_default();
                sum.deliveries += cash.deliveries;
                sum.delivered += cash.delivered.0;
                sum.fees += cash.distribution_fees.0;
            }
        }
        parties.push(PartyDeliveries {
            party: member.party.clone(),
            user_type: member.role.into(),
            currencies: listed(own),
        });
    }
    DealerSales {
        dealer: team.dealer.clone(),
        currencies: listed(all),
        parties,
    }
}
