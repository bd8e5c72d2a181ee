//! Real balances: what would remain of each currency if all obligations were settled.

use crate::{
    error::ReadError,
    ledger::until,
    list::{self, List, filter, flag, money, rate, sum, text},
    page::{ListQuery, Page, Paged},
    print::{Words, word},
    read_transaction::ReadTransaction,
    scalar::{CurrencyCode, Decimal, Money},
    sql::Sql,
    table::get,
};
use caudal_domain::{
    AccountKind,
    money::{Amount, CurrencyCode as Code, Rate},
};
use serde::Serialize;
use sqlx::Row as _;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Assets and obligations in a currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RealBalance {
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// The manager's cash.
    pub treasury: Money,
    /// Cash of dealers and delivery men; negative when they advanced their own.
    pub field_cash: Money,
    /// Payouts of remittances not assigned yet.
    pub pending: Money,
    /// Payouts of remittances with dealers.
    pub shipping: Money,
    /// Payouts of remittances in error.
    pub error: Money,
    /// Prepaid balances of sellers; negative when sold on credit.
    pub prepaid: Money,
    /// Outstanding debits of sellers to the manager.
    pub debits: Money,
    /// treasury + field cash − pending − shipping − error − prepaid + debits.
    pub real: Money,
    /// Whether the total includes the currency.
    pub accounted: bool,
    /// Current reference rate: units per USD.
    pub exchange_rate: Decimal,
    /// Real balance in USD at the reference rate; null when the total excludes the currency.
    pub usd: Option<Money>,
}

/// A page of real balances with their total.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RealBalances {
    #[serde(flatten)]
    pub page: Page<RealBalance>,
    /// Sum over all accounted currencies, in USD.
    pub total_usd: Money,
}

impl Paged for RealBalances {
    type Row = RealBalance;

    fn into_rows(self) -> Vec<RealBalance> {
        self.page.data
    }
}

/// List of real balances. Figures are sums over the ledger, for a dozen rows: sortable by currency only.
pub const REAL_BALANCES: List<RealBalance> = List {
    title: Words::new("Saldos reales", "Real balances"),
    columns: &[
        text("currency", word::CURRENCY, |b: &RealBalance, _| {
            Some(b.currency.0.to_string())
        })
        .sort("c.code"),
        money("treasury", word::TREASURY, |b: &RealBalance| Some(b.treasury)),
        money("fieldCash", word::FIELD_CASH, |b: &RealBalance| Some(b.field_cash)),
        money("pending", word::PENDING_PLURAL, |b: &RealBalance| Some(b.pending)),
        money("shipping", word::SHIPPING, |b: &RealBalance| Some(b.shipping)),
        money("error", word::IN_ERROR, |b: &RealBalance| Some(b.error)),
        money(
            "prepaid",
            Words::new("Saldos prepagados", "Prepaid balances"),
            |b: &RealBalance| Some(b.prepaid),
        ),
        money("debits", word::DEBITS, |b: &RealBalance| Some(b.debits)),
        money("real", Words::new("Saldo real", "Real balance"), |b: &RealBalance| {
            Some(b.real)
        }),
        flag("accounted", word::ACCOUNTED, |b: &RealBalance| b.accounted).sort("c.accounted"),
        rate("exchangeRate", word::EXCHANGE_RATE, |b: &RealBalance| {
            Some(b.exchange_rate)
        })
        .sort("c.exchange_rate"),
        sum(
            "usd",
            Words::new("Equivalente USD", "Equivalent USD"),
            |b: &RealBalance| b.usd,
        ),
    ],
    filters: &[
        filter::at("As of this moment; now where absent."),
        filter::at_position("As of the event at this position; now where absent."),
        filter::in_currency("Of this currency.", "c.code"),
    ],
    search: None,
    default_sort: "currency",
    tie: "c.id",
    counted: None,
    hides_prices: false,
};

/// The tenant's real balances, now, at a moment (`at`) or after an event (`position`). For managers.
///
/// # Errors
/// An invalid moment or position; undeclared sorts, filters and pages.
pub async fn real_balances(transaction: &mut ReadTransaction, query: &ListQuery) -> Result<RealBalances, ReadError> {
    let through = until(transaction, query).await?;
    let mut from = transaction.rows("currencies", "c");
    from.push(" AND NOT c.removed");
    let keys = REAL_BALANCES
        .keys::<Uuid>(transaction, query, from.clone(), "c.id")
        .await?;
    let balances = by_kind(transaction, through).await?;
    let currencies = from.after("SELECT c.id, c.code, c.accounted, c.exchange_rate::text AS exchange_rate");
    let mut rows = Vec::new();
    for row in transaction.fetch(&currencies).await? {
        let rate: Rate = get(&row, "exchange_rate")?;
        let balance = real(get(&row, "code")?, &balances, row.try_get("accounted")?, rate);
        rows.push((row.try_get::<Uuid, _>("id")?, balance));
    }
    let total = rows
        .iter()
        .filter_map(|(_, balance)| balance.usd)
        .map(|usd| usd.0)
        .sum();
    let rows = list::in_order(&keys.keys, rows, |(id, _)| *id);
    Ok(RealBalances {
        page: keys.page(rows.into_iter().map(|(_, balance)| balance).collect()),
        total_usd: Money(total),
    })
}

type Balances = HashMap<(Code, String), Amount>;

/// Account balances, debits less credits, by currency and kind.
async fn by_kind(transaction: &mut ReadTransaction, through: Option<i64>) -> Result<Balances, ReadError> {
    let balance = if through.is_some() {
        "l.balance_after"
    } else {
        "a.balance"
    };
    let mut sql = Sql::new(format!(
        "SELECT a.currency, a.kind, sum({balance})::bigint AS balance FROM accounts AS a"
    ));
    if let Some(through) = through {
        sql.push(
            " JOIN LATERAL (SELECT l.balance_after FROM postings AS l
                             WHERE l.tenant = a.tenant AND l.account = a.number AND l.position <= ",
        );
        sql.bind(through)
            .push(" ORDER BY l.position DESC, l.line DESC LIMIT 1) AS l ON true");
    }
    sql.push(" WHERE a.tenant = ").bind(transaction.tenant());
    sql.push(" GROUP BY a.currency, a.kind");
    let mut balances = Balances::new();
    for row in transaction.fetch(&sql).await? {
        balances.insert((get(&row, "currency")?, row.try_get("kind")?), get(&row, "balance")?);
    }
    Ok(balances)
}

fn real(currency: Code, balances: &Balances, accounted: bool, rate: Rate) -> RealBalance {
    let balance = |kind: AccountKind| {
        let key = (currency, kind.as_str().to_owned());
        let signed = balances.get(&key).copied().unwrap_or(Amount::ZERO);
        if kind.normally_debit() { signed } else { -signed }
    };
    let (treasury, field_cash) = (balance(AccountKind::Treasury), balance(AccountKind::FieldCash));
    let pending = balance(AccountKind::RemittancesPending);
    let shipping = balance(AccountKind::RemittancesShipping);
    let error = balance(AccountKind::RemittancesError);
    let (prepaid, debits) = (balance(AccountKind::Balance), balance(AccountKind::Debits));
    let real = treasury + field_cash - pending - shipping - error - prepaid + debits;
    RealBalance {
        currency: currency.into(),
        treasury: treasury.into(),
        field_cash: field_cash.into(),
        pending: pending.into(),
        shipping: shipping.into(),
        error: error.into(),
        prepaid: prepaid.into(),
        debits: debits.into(),
        real: real.into(),
        accounted,
        exchange_rate: rate.into(),
        usd: rate.divide(real).filter(|_| accounted).map(Money),
    }
}
