//! Currencies of the reference data.

use crate::{
    batch::{Batch, existing},
    error::{ProjectError, ReadError},
    list::{self, List, SearchSpec, flag, money, rate, text},
    page::{ListQuery, Page},
    print::word,
    read_transaction::{ReadTransaction, only},
    rows::CurrencyRow,
    scalar::{CurrencyCode, Decimal, Money},
    scope::Scope,
    search,
    table::{Row as _, select_list},
};
use caudal_domain::{ids::CurrencyId, reference_data::currency::CurrencyEvent};
use caudal_journal::Recorded;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A currency of the reference data.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Currency {
    /// UUID.
    pub id: Uuid,
    /// Code, such as `CUP`; immutable.
    pub code: CurrencyCode,
    /// Symbol before amounts, such as `$`.
    pub symbol: String,
    /// Reference rate: units per USD.
    pub exchange_rate: Decimal,
    /// Default distribution fee per delivery, in this currency.
    pub distribution_rate: Money,
    /// Whether consolidated totals include it.
    pub accounted: bool,
    /// Whether new operations may use it.
    pub enabled: bool,
}

impl From<CurrencyRow> for Currency {
    fn from(row: CurrencyRow) -> Self {
        Self {
            id: row.id,
            code: row.code.into(),
            symbol: row.symbol,
            exchange_rate: row.exchange_rate.into(),
            distribution_rate: row.distribution_rate.into(),
            accounted: row.accounted,
            enabled: row.enabled,
        }
    }
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &CurrencyEvent) -> Result<(), ProjectError> {
    match event {
        CurrencyEvent::CurrencyAdded(currency) | CurrencyEvent::CurrencyChanged(currency) => {
            batch.kept.currencies.put(CurrencyRow {
                id: currency.id.0,
                code: currency.code,
                symbol: currency.symbol.clone(),
                exchange_rate: currency.exchange_rate,
                distribution_rate: currency.distribution_rate,
                accounted: currency.accounted,
                enabled: currency.enabled,
                removed: false,
                search: search::folded([Some(currency.code.as_str())]),
            });
        }
        CurrencyEvent::CurrencyRemoved { id, .. } => {
            existing(&mut batch.kept.currencies, recorded, *id)?.removed = true
        }
    }
    Ok(())
}

pub const CURRENCIES: List<Currency> = List {
    title: word::CURRENCIES,
    columns: &[
        text("code", word::CODE, |c: &Currency, _| Some(c.code.0.to_string())).sort("c.code"),
        text("symbol", word::SYMBOL, |c: &Currency, _| Some(c.symbol.clone())).sort("c.symbol"),
        rate("exchangeRate", word::EXCHANGE_RATE, |c: &Currency| {
            Some(c.exchange_rate)
        })
        .sort("c.exchange_rate"),
        money("distributionRate", word::DISTRIBUTION_FEE, |c: &Currency| {
            Some(c.distribution_rate)
        })
        .sort("c.distribution_rate"),
        flag("accounted", word::ACCOUNTED, |c: &Currency| c.accounted).sort("c.accounted"),
        flag("enabled", word::ENABLED, |c: &Currency| c.enabled).sort("c.enabled"),
    ],
    filters: &[],
    search: Some(&SearchSpec::of(&["c.search"])),
    default_sort: "code",
    tie: "c.id",
    counted: None,
    hides_prices: false,
};

/// Currencies; visible to everyone.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    _scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Currency>, ReadError> {
    let mut from = transaction.rows("currencies", "c");
    from.push(" AND NOT c.removed");
    let keys = CURRENCIES.keys::<Uuid>(transaction, query, from, "c.id").await?;
    let rows = rows(transaction, &keys.keys).await?;
    Ok(keys.page(rows.into_iter().map(Currency::from).collect()))
}

/// One currency.
///
/// # Errors
/// Not found.
pub async fn get(transaction: &mut ReadTransaction, _scope: &Scope, id: CurrencyId) -> Result<Currency, ReadError> {
    let rows = rows(transaction, &[id.0]).await?;
    let present = rows
        .into_iter()
        .filter(|row| !row.removed)
        .map(Currency::from)
        .collect();
    only(present, "currency_not_found")
}

async fn rows(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<CurrencyRow>, ReadError> {
    let mut sql = transaction
        .rows("currencies", "c")
        .after(&format!("SELECT {}", select_list::<CurrencyRow>("c", "")));
    sql.push(" AND c.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch(&sql).await?;
    let rows = found
        .iter()
        .map(|row| CurrencyRow::read(row, ""))
        .collect::<Result<_, _>>()?;
    Ok(list::in_order(ids, rows, |row: &CurrencyRow| row.id))
}
