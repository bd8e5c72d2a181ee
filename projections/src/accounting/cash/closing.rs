//! Dealer closing and daily credit: the cash of dealers and their delivery men over a period.

use super::{CashFigures, DEALER, PERIODS, Team, dealers, flows};
use crate::{
    accounting::period::{Period, PeriodQuery, today},
    error::ReadError,
    ledger::Flows,
    list::{self, BY_NAME, List, Takes, count, currency, filter, sum, text, unprinted},
    page::{ListQuery, Page},
    print::{Words, name, word, words},
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

/// A party's cash in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyCash {
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Cash flow of the period.
    #[serde(flatten)]
    pub cash: CashFigures,
}

/// Cash of a dealer and its delivery men together, in one currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DealerCash {
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Sums of the parties' cash flows.
    #[serde(flatten)]
    pub cash: CashFigures,
    /// Payouts of the remittances in shipping at the end of the period.
    pub shipping: Money,
    /// closing − shipping: cash beyond the pending payouts.
    pub credit: Money,
}

/// Cash of a dealer or of a delivery man alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyCash {
    /// The dealer or delivery man.
    pub party: Ref,
    /// Role: dealer or delivery man.
    pub user_type: UserType,
    /// One element per currency.
    pub currencies: Vec<CurrencyCash>,
}

/// A dealer's cash over a period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DealerClosing {
    /// The dealer.
    pub dealer: Ref,
    /// Sums over the dealer and its delivery men, one element per currency.
    pub currencies: Vec<DealerCash>,
    /// The dealer first, then its delivery men by name.
    pub parties: Vec<PartyCash>,
}

/// A line of the file: one party and currency.
#[derive(Debug)]
pub struct CashLine {
    dealer: Arc<Ref>,
    party: Ref,
    user_type: UserType,
    currency: CurrencyCode,
    cash: CashFigures,
    /// The team's shipping and credit, on the dealer's own line.
    team: Option<(Money, Money)>,
}

/// A dealer's lines: one per party and currency. Team figures are on the dealer's own line, so that sums count them
/// once.
#[must_use]
pub fn cash_lines(closing: DealerClosing) -> Vec<CashLine> {
    let dealer = Arc::new(closing.dealer);
    let mut teams = closing.currencies;
    let mut lines = Vec::new();
    for party in closing.parties {
        let is_dealer = party.party.id == dealer.id;
        for cash in party.currencies {
            let team = teams
                .iter()
                .position(|team| is_dealer && team.currency == cash.currency)
                .map(|place| teams.remove(place));
            lines.push(CashLine {
                dealer: Arc::clone(&dealer),
                party: party.party.clone(),
                user_type: party.user_type,
                currency: cash.currency,
                cash: cash.cash,
                team: team.map(|team| (team.shipping, team.credit)),
            });
        }
    }
    // Currencies that only delivery men hold.
    lines.extend(teams.into_iter().map(|team| CashLine {
        dealer: Arc::clone(&dealer),
        party: (*dealer).clone(),
        user_type: UserType::Dealer,
        currency: team.currency,
        cash: CashFigures::default(),
        team: Some((team.shipping, team.credit)),
    }));
    lines
}

/// List of dealers' cash over a period. A dealer has a line per party and currency: not sortable by figures.
pub const DEALER_CLOSINGS: List<CashLine> = List {
    title: word::DEALER_CLOSURES,
    columns: &[
        text("name", word::DEALER, |l: &CashLine, p| name(Some(&l.dealer), p)).sort("p.search"),
        text("party", word::USER, |l: &CashLine, p| name(Some(&l.party), p)),
        text("userType", word::TYPE, |l: &CashLine, p| {
            Some(p.say(words::user(l.user_type)).to_owned())
        }),
        currency("currency", word::CURRENCY, |l: &CashLine| Some(l.currency)),
        sum("opening", word::OPENING, |l: &CashLine| Some(l.cash.opening)),
        sum("received", word::RECEIVED, |l: &CashLine| Some(l.cash.received)),
        sum("handedBack", word::HANDED_BACK_BY_DELIVERY_MEN, |l: &CashLine| {
            Some(l.cash.handed_back)
        }),
        sum("transferredIn", word::TRANSFERRED_IN, |l: &CashLine| {
            Some(l.cash.transferred_in)
        }),
        sum(
            "exchangedIn",
            Words::new("Cambios recibidos", "Exchanged in"),
            |l: &CashLine| Some(l.cash.exchanged_in),
        ),
        sum(
            "transferredOut",
            Words::new("Transferencias entregadas", "Transferred out"),
            |l: &CashLine| Some(l.cash.transferred_out),
        ),
        sum(
            "exchangedOut",
            Words::new("Cambios entregados", "Exchanged out"),
            |l: &CashLine| Some(l.cash.exchanged_out),
        ),
        sum("handedToDeliveryMen", word::TO_DELIVERY_MEN, |l: &CashLine| {
            Some(l.cash.handed_to_delivery_men)
        }),
        sum("handedBackToDealer", word::HANDED_BACK_TO_THE_DEALER, |l: &CashLine| {
            Some(l.cash.handed_back_to_dealer)
        }),
        sum("delivered", word::PAID_OUT, |l: &CashLine| Some(l.cash.delivered)),
        count("deliveries", word::DELIVERIES, |l: &CashLine| l.cash.deliveries),
        sum("distributionFees", word::DISTRIBUTION_FEES, |l: &CashLine| {
            Some(l.cash.distribution_fees)
        }),
        sum("expenses", word::EXPENSES, |l: &CashLine| Some(l.cash.expenses)),
        sum("returnedToManager", word::RETURNED_TO_THE_MANAGER, |l: &CashLine| {
            Some(l.cash.returned_to_manager)
        }),
        sum("closing", word::CLOSING, |l: &CashLine| Some(l.cash.closing)),
        sum("shipping", word::SHIPPING, |l: &CashLine| {
            l.team.map(|(shipping, _)| shipping)
        }),
        sum("credit", word::CREDIT, |l: &CashLine| l.team.map(|(_, credit)| credit)),
        unprinted("created").sort("p.created_at"),
    ],
    filters: PERIODS,
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

/// List of dealers' cash of a day.
pub const DAILY_CREDIT: List<CashLine> = List {
    title: word::DAILY_CREDIT,
    filters: &[
        filter::own("dateTime", word::DAY, "The day; today where absent.", Takes::Day),
        DEALER,
    ],
    ..DEALER_CLOSINGS
};

/// Dealers' cash over a period, by `initDate` and `finalDate` or `rangeSelector`.
///
/// # Errors
/// Invalid or contradictory days; undeclared sorts, filters and pages.
pub async fn dealer_closing(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<DealerClosing>, ReadError> {
    let period = PeriodQuery::of(query).resolve(today(transaction, now))?;
    closings(transaction, scope, &DEALER_CLOSINGS, query, period).await
}

/// Dealers' cash of the local day `dateTime`; today by default.
///
/// # Errors
/// An invalid day; undeclared sorts, filters and pages.
pub async fn daily_credit(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<DealerClosing>, ReadError> {
    let day = match query.get("dateTime") {
        Some(day) => list::day("dateTime", day)?,
        None => today(transaction, now),
    };
    closings(transaction, scope, &DAILY_CREDIT, query, Period::days(day, day)).await
}

async fn closings(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    list: &List<CashLine>,
    query: &ListQuery,
    period: Period,
) -> Result<Page<DealerClosing>, ReadError> {
    let keys = dealers(transaction, scope, list, query).await?;
    let teams = Team::of(transaction, &keys.keys).await?;
    let kinds = [AccountKind::FieldCash, AccountKind::RemittancesShipping];
    let flows = flows(transaction, &teams, period, &kinds).await?;
    Ok(keys.page(teams.iter().map(|team| closing(team, &flows)).collect()))
}

fn closing(team: &Team, flows: &Flows) -> DealerClosing {
    let mut sums: BTreeMap<CurrencyCode, (CashFigures, Amount)> = BTreeMap::new();
    let mut parties = Vec::new();
    for member in &team.members {
        let mut currencies = Vec::new();
        for (account, cash) in flows.accounts(member.party.id, AccountKind::FieldCash) {
            let currency = CurrencyCode(account.currency);
            let cash = CashFigures::of(cash);
            sums.entry(currency).or_default().0 += cash;
            currencies.push(CurrencyCash { currency, cash });
        }
        parties.push(PartyCash {
            party: member.party.clone(),
            user_type: member.role.into(),
            currencies,
        });
    }
    for (account, shipping) in flows.accounts(team.dealer.id, AccountKind::RemittancesShipping) {
        // Pending payouts are on the credit side.
        sums.entry(CurrencyCode(account.currency)).or_default().1 -= shipping.closing();
    }
    let dealer_cash = |(currency, (cash, shipping)): (CurrencyCode, (CashFigures, Amount))| DealerCash {
        currency,
        cash,
        shipping: Money(shipping),
        credit: Money(cash.closing.0 - shipping),
    };
    DealerClosing {
        dealer: team.dealer.clone(),
        currencies: sums.into_iter().map(dealer_cash).collect(),
        parties,
    }
}
