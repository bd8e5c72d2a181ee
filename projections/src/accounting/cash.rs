//! Dealers' cash over a period: dealer closing, daily credit, and deliveries.

use super::{
    period::{PERIOD, Period, PeriodQuery, today},
    preview::opened_within,
};
use crate::{
    error::ReadError,
    ledger::{AccountFlows, Flows, Side, Window},
    list::{self, BY_NAME, Filter, Keys, List, Takes, count, currency, filter, sum, text, unprinted},
    page::{ListQuery, Page},
    print::{Words, name, word, words},
    refs::Ref,
    scalar::{CurrencyCode, Money, UserType},
    scope::Scope,
    snapshot::Snapshot,
    sql::Sql,
};
use caudal_domain::{AccountKind, TransferCode as Code, money::Amount, party::Role};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::Row as _;
use std::{collections::BTreeMap, ops::AddAssign, sync::Arc};
use utoipa::ToSchema;
use uuid::Uuid;

/// Cash flow of a field party in a period: opening + received + handed back + transferred in + exchanged in −
/// transferred out − exchanged out − handed to delivery men − handed back to the dealer − delivered − distribution fees
/// − expenses − returned to the manager = closing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CashFigures {
    /// Cash at the beginning of the period, or an opening balance posted in it; negative when own cash was advanced.
    pub opening: Money,
    /// Received from the manager, and by a delivery man also from his dealer.
    pub received: Money,
    /// Handed back by delivery men to the dealer.
    pub handed_back: Money,
    /// Received from other field parties.
    pub transferred_in: Money,
    /// Received for cash of another currency.
    pub exchanged_in: Money,
    /// Given to other field parties.
    pub transferred_out: Money,
    /// Given for cash of another currency.
    pub exchanged_out: Money,
    /// Handed by the dealer to delivery men.
    pub handed_to_delivery_men: Money,
    /// Handed back by the delivery man to the dealer.
    pub handed_back_to_dealer: Money,
    /// Paid out to recipients.
    pub delivered: Money,
    /// Number of remittances delivered.
    pub deliveries: i64,
    /// Delivery fees earned, taken from the cash.
    pub distribution_fees: Money,
    /// Expenses paid from the cash.
    pub expenses: Money,
    /// Returned to the manager.
    pub returned_to_manager: Money,
    /// Cash at the end of the period.
    pub closing: Money,
}

impl CashFigures {
    pub(super) fn of(cash: &AccountFlows) -> Self {
        let flowed = |codes: &[Code], side| Money(cash.within(codes, side).amount);
        let came = |codes: &[Code]| flowed(codes, Side::Debit);
        let went = |code: Code| flowed(&[code], Side::Credit);
        let (opened, taken_back) = opened_within(cash, Side::Debit);
        Self {
            opening: Money(cash.opening() + opened),
            received: Money(came(&[Code::CashOut, Code::HandOver]).0 + taken_back),
            handed_back: came(&[Code::HandBack]),
            transferred_in: came(&[Code::FieldTransfer]),
            exchanged_in: came(&[Code::ExchangeIn]),
            transferred_out: went(Code::FieldTransfer),
            exchanged_out: went(Code::ExchangeOut),
            handed_to_delivery_men: went(Code::HandOver),
            handed_back_to_dealer: went(Code::HandBack),
            delivered: went(Code::Delivery),
            deliveries: cash.within(&[Code::Delivery], Side::Credit).times,
            distribution_fees: went(Code::DistributionFee),
            expenses: went(Code::Expense),
            returned_to_manager: went(Code::CashReturn),
            closing: Money(cash.closing()),
        }
    }
}

impl AddAssign for CashFigures {
    fn add_assign(&mut self, other: Self) {
        let add = |sum: &mut Money, part: Money| sum.0 += part.0;
        add(&mut self.opening, other.opening);
        add(&mut self.received, other.received);
        add(&mut self.handed_back, other.handed_back);
        add(&mut self.transferred_in, other.transferred_in);
        add(&mut self.exchanged_in, other.exchanged_in);
        add(&mut self.transferred_out, other.transferred_out);
        add(&mut self.exchanged_out, other.exchanged_out);
        add(&mut self.handed_to_delivery_men, other.handed_to_delivery_men);
        add(&mut self.handed_back_to_dealer, other.handed_back_to_dealer);
        add(&mut self.delivered, other.delivered);
        self.deliveries += other.deliveries;
        add(&mut self.distribution_fees, other.distribution_fees);
        add(&mut self.expenses, other.expenses);
        add(&mut self.returned_to_manager, other.returned_to_manager);
        add(&mut self.closing, other.closing);
    }
}

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

const PERIODS: &[Filter] = &[PERIOD[0], PERIOD[1], PERIOD[2], DEALER];
const DEALER: Filter = filter::id("dealerId", word::DEALER, "This dealer alone.", "p.id");

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

/// Dealers' cash over a period, by `initDate` and `finalDate` or `rangeSelector`.
///
/// # Errors
/// Invalid or contradictory days; undeclared sorts, filters and pages.
pub async fn dealer_closing(
    snapshot: &mut Snapshot,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<DealerClosing>, ReadError> {
    let period = PeriodQuery::of(query).resolve(today(snapshot, now))?;
    closings(snapshot, scope, &DEALER_CLOSINGS, query, period).await
}

/// Dealers' cash of the local day `dateTime`; today by default.
///
/// # Errors
/// An invalid day; undeclared sorts, filters and pages.
pub async fn daily_credit(
    snapshot: &mut Snapshot,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<DealerClosing>, ReadError> {
    let day = match query.get("dateTime") {
        Some(day) => list::day("dateTime", day)?,
        None => today(snapshot, now),
    };
    closings(snapshot, scope, &DAILY_CREDIT, query, Period::days(day, day)).await
}

async fn closings(
    snapshot: &mut Snapshot,
    scope: &Scope,
    list: &List<CashLine>,
    query: &ListQuery,
    period: Period,
) -> Result<Page<DealerClosing>, ReadError> {
    let keys = dealers(snapshot, scope, list, query).await?;
    let teams = Team::of(snapshot, &keys.keys).await?;
    let kinds = [AccountKind::FieldCash, AccountKind::RemittancesShipping];
    let flows = flows(snapshot, &teams, period, &kinds).await?;
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

/// Dealers' deliveries in a period, by `initDate` and `finalDate` or `rangeSelector`.
///
/// # Errors
/// Invalid or contradictory days; undeclared sorts, filters and pages.
pub async fn dealer_sales(
    snapshot: &mut Snapshot,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<DealerSales>, ReadError> {
    let period = PeriodQuery::of(query).resolve(today(snapshot, now))?;
    let keys = dealers(snapshot, scope, &DEALER_SALES, query).await?;
    let teams = Team::of(snapshot, &keys.keys).await?;
    let flows = flows(snapshot, &teams, period, &[AccountKind::FieldCash]).await?;
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

/// Dealers in the caller's scope.
async fn dealers<L>(
    snapshot: &mut Snapshot,
    scope: &Scope,
    list: &List<L>,
    query: &ListQuery,
) -> Result<Keys<Uuid>, ReadError> {
    let mut from = snapshot.rows("parties", "p");
    from.push(" AND p.role = ").bind(Role::Dealer.as_str());
    scope.and_party(&mut from, snapshot.tenant(), &["p.id"]);
    list.keys(snapshot, query, from, "p.id").await
}

async fn flows(
    snapshot: &mut Snapshot,
    teams: &[Team],
    period: Period,
    kinds: &[AccountKind],
) -> Result<Flows, ReadError> {
    let (after, through) = period.positions(snapshot).await?;
    let members = teams.iter().flat_map(|team| &team.members);
    let members: Vec<Uuid> = members.map(|member| member.party.id).collect();
    Flows::of(snapshot, &Window::each(&members, after, through.max(after)), kinds).await
}

/// A dealer and its delivery men.
struct Team {
    dealer: Ref,
    members: Vec<Member>,
}

struct Member {
    party: Ref,
    role: Role,
}

impl Team {
    /// Teams of dealers, in their order; the dealer first, then the delivery men by name.
    async fn of(snapshot: &mut Snapshot, dealers: &[Uuid]) -> Result<Vec<Self>, ReadError> {
        let mut sql: Sql = snapshot
            .rows("parties", "p")
            .after("SELECT p.id, p.name, p.dealer, coalesce(p.dealer, p.id) AS team");
        sql.push(" AND (p.id = ANY (").bind(dealers.to_vec());
        sql.push(") OR p.dealer = ANY (").bind(dealers.to_vec());
        sql.push(")) ORDER BY p.dealer IS NOT NULL, p.search, p.id");
        let mut teams: Vec<Self> = Vec::new();
        for row in snapshot.fetch(&sql).await? {
            let party = Ref::named(row.try_get("id")?, &row, "name")?;
            let team: Uuid = row.try_get("team")?;
            if party.id == team {
                teams.push(Self {
                    dealer: party.clone(),
                    members: Vec::new(),
                });
            }
            let role = if party.id == team {
                Role::Dealer
            } else {
                Role::DeliveryMan
            };
            if let Some(of) = teams.iter_mut().find(|of| of.dealer.id == team) {
                of.members.push(Member { party, role });
            }
        }
        Ok(list::in_order(dealers, teams, |team| team.dealer.id))
    }
}
