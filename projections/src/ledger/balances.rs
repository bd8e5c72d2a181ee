//! Trial balance: figures of every account now, at a moment, or over a period. Past figures are read from the entries'
//! running balances; nothing is summed at query time.

use super::require_kind;
use crate::{
    error::ReadError,
    list::{
        self, Filter, List, Takes, currency,
        filter::{self, Narrow},
        money, sum, text, values,
    },
    page::{ListQuery, Page, Paged},
    print::{Words, name, word, words},
    read_transaction::ReadTransaction,
    refs::Ref,
    rows::AccountRow,
    scalar::{AccountKind, CurrencyCode, Money, whole},
    scope::Scope,
    sql::Sql,
    table::{Row as _, get, select_list},
};
use caudal_domain::{Refusal, money::Amount};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

/// Side on which an account's balance is shown as positive: debit for cash and receivables, credit for prepaid balances
/// and pending payouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum NormalSide {
    /// Debits less credits.
    Debit,
    /// Credits less debits.
    Credit,
}

impl NormalSide {
    /// Normal side of an account kind.
    #[must_use]
    pub const fn of(kind: caudal_domain::AccountKind) -> Self {
        if kind.normally_debit() {
            Self::Debit
        } else {
            Self::Credit
        }
    }

    /// Converts a balance (debits less credits) to this side's sign.
    #[must_use]
    pub fn told(self, balance: Money) -> Money {
        match self {
            Self::Debit => balance,
            Self::Credit => Money(-balance.0),
        }
    }
}

/// An account with its figures: debits less credits, signed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountBalance {
    /// Account as text, `kind[/owner[/group]]/CURRENCY`; filters the entries by account.
    #[schema(examples("treasury/USD"))]
    pub account: String,
    /// Number in the chart of accounts, such as `1000`.
    #[schema(examples("2000"))]
    pub code: String,
    /// Kind of the account.
    pub kind: AccountKind,
    /// Owner; null for the tenant's own accounts.
    pub owner: Option<Ref>,
    /// Payment group of a prepaid balance; null for other accounts.
    pub payment_group_id: Option<Uuid>,
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Side on which screens and files show opening and closing as positive.
    pub normal_side: NormalSide,
    /// Balance at the beginning of the period.
    pub opening: Money,
    /// Amounts debited in the period.
    pub debits: Money,
    /// Amounts credited in the period.
    pub credits: Money,
    /// Balance at the end of the period: opening + debits − credits.
    pub closing: Money,
}

/// Sums over accounts of one currency. Over the whole ledger, opening and closing are 0 in every currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountTotals {
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Sum of the opening balances.
    pub opening: Money,
    /// Amounts debited in the period.
    pub debits: Money,
    /// Amounts credited in the period.
    pub credits: Money,
    /// Sum of the closing balances.
    pub closing: Money,
    /// Accounts with normal side debit: opening + debits − credits = closing.
    pub debit_side: SideTotals,
    /// Accounts with normal side credit: opening − debits + credits = closing. Over the whole ledger, opening and
    /// closing equal those of the debit side.
    pub credit_side: SideTotals,
}

/// Sums over accounts of one normal side, with that side's sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SideTotals {
    /// Sum of the opening balances.
    pub opening: Money,
    /// Amounts debited in the period.
    pub debits: Money,
    /// Amounts credited in the period.
    pub credits: Money,
    /// Sum of the closing balances.
    pub closing: Money,
}

/// A page of accounts with the sums over all pages.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountBalances {
    #[serde(flatten)]
    pub page: Page<AccountBalance>,
    /// Sums over all rows, one element per currency.
    pub totals: Vec<AccountTotals>,
}

impl Paged for AccountBalances {
    type Row = AccountBalance;

    fn into_rows(self) -> Vec<AccountBalance> {
        self.page.data
    }
}

/// Trial balance; each account on its normal side, like on the screen. Figures are computed for the page's accounts
/// only: not sortable by them.
pub const BALANCES: List<AccountBalance> = List {
    title: Words::new("Balance de comprobación", "Trial balance"),
    columns: &[
        text("code", word::ACCOUNT, |a: &AccountBalance, _| Some(a.code.clone())).sort("a.code"),
        text("kind", word::NAME, |a: &AccountBalance, p| {
            Some(p.say(words::account(a.kind.0)).to_owned())
        })
        .sort("a.kind"),
        text("owner", word::OWNER, |a: &AccountBalance, p| name(a.owner.as_ref(), p))
            .sort("(SELECT p.search FROM parties AS p WHERE p.tenant = a.tenant AND p.id = a.owner)"),
        currency("currency", word::CURRENCY, |a: &AccountBalance| Some(a.currency)).sort("a.currency"),
        text(
            "normalSide",
            Words::new("Naturaleza", "Normal side"),
            |a: &AccountBalance, p| {
                let side = match a.normal_side {
                    NormalSide::Debit => Words::new("deudora", "debit"),
                    NormalSide::Credit => Words::new("acreedora", "credit"),
                };
                Some(p.say(side).to_owned())
            },
        ),
        // Amounts shown on two sides are not summed.
        money("opening", word::OPENING, |a: &AccountBalance| {
            Some(a.normal_side.told(a.opening))
        }),
        sum("debits", word::DEBIT_SIDES, |a: &AccountBalance| Some(a.debits)),
        sum("credits", word::CREDIT_SIDES, |a: &AccountBalance| Some(a.credits)),
        money("closing", word::CLOSING, |a: &AccountBalance| {
            Some(a.normal_side.told(a.closing))
        }),
    ],
    filters: &[
        filter::own(
            "from",
            word::FROM_DAY,
            "The period's first day; the beginning where absent.",
            Takes::Day,
        ),
        filter::own("to", filter::TO, "The period's last day; now where absent.", Takes::Day),
        filter::at("As of this moment, in place of a period."),
        filter::at_position("As of the event at this position, in place of a period."),
        Filter::new(
            "kind",
            word::KIND,
            "Accounts of this kind.",
            Takes::Known(values::ACCOUNT_KIND),
            Narrow::Is("a.kind"),
        ),
        filter::exactly("code", word::ACCOUNT, "Accounts of this code.", "a.code::text"),
        filter::id("ownerId", word::OWNER, "Accounts of this party.", "a.owner"),
        filter::id(
            "paymentGroupId",
            word::PAYMENT_GROUP,
            "Balances of this group.",
            "a.group_id",
        ),
        filter::in_currency("Accounts in this currency.", "a.currency"),
    ],
    search: None,
    default_sort: "code",
    tie: "a.number",
    counted: None,
    hides_prices: false,
};

/// Time range of the figures as positions: after `from`, through `through`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Period {
    /// Last position before the period; `None` for the beginning.
    from: Option<i64>,
    /// Last position of the period; `None` for now.
    through: Option<i64>,
}

/// Accounts in the caller's scope with postings by the end of the period. `from` and `to` are local days, `at` a
/// moment, `position` an event's position; by default the current figures.
///
/// # Errors
/// Invalid or contradictory days and moments; undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<AccountBalances, ReadError> {
    require_kind(query)?;
    let [from, to, at, position] = ["from", "to", "at", "position"].map(|name| query.get(name));
    let period = match position {
        None => period(transaction, from, to, at).await?,
        Some(_) if from.is_some() || to.is_some() => {
            return Err(Refusal::invalid("position", "not_with_from_or_to").into());
        }
        Some(_) if at.is_some() => return Err(Refusal::invalid("position", "moment_or_position").into()),
        Some(position) => Period {
            from: None,
            through: Some(position_named(position)?),
        },
    };
    let mut accounts = transaction.rows("accounts", "a");
    scope.and_party(&mut accounts, transaction.tenant(), &["a.owner"]);
    if let Some(through) = period.through {
        let last = last_touched(transaction, through).await?;
        accounts.push(" AND a.number <= ").bind(last);
    }
    let request = BALANCES.ask(transaction, query).await?;
    let keys = request.keys::<i32>(transaction, accounts.clone(), "a.number").await?;
    let rows = views(transaction, &keys.keys, period).await?;
    let totals = if transaction.is_walking() {
        Vec::new()
    } else {
        request.conditions.add(&mut accounts);
        totals(transaction, &accounts, period).await?
    };
    Ok(AccountBalances {
        page: keys.page(rows),
        totals,
    })
}

/// Number of the last account opened through a position; 0 for none. Accounts are numbered in order of their first
/// posting, so a binary search suffices.
async fn last_touched(transaction: &mut ReadTransaction, through: i64) -> Result<i64, ReadError> {
    let mut sql = Sql::new(
        "WITH RECURSIVE halves (first, last) AS (
            SELECT 0, (SELECT coalesce(max(a.number), 0) FROM accounts AS a WHERE a.tenant = ",
    );
    sql.bind(transaction.tenant()).push(
        ") UNION ALL
            SELECT CASE WHEN t.is_touched THEN h.middle ELSE h.first END,
                   CASE WHEN t.is_touched THEN h.last ELSE h.middle - 1 END
              FROM (SELECT first, last, (first + last + 1) / 2 AS middle FROM halves WHERE first < last) AS h
             CROSS JOIN LATERAL (SELECT (SELECT l.position FROM postings AS l WHERE l.tenant = ",
    );
    sql.bind(transaction.tenant())
        .push(" AND l.account = h.middle ORDER BY l.position LIMIT 1) <= ");
    sql.bind(through)
        .push(" AS is_touched) AS t) SELECT first::bigint AS last FROM halves WHERE first = last");
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.first().map_or(Ok(0), |row| row.try_get("last"))?)
}

/// Sums by currency over `FROM accounts AS a WHERE …`.
async fn totals(
    transaction: &mut ReadTransaction,
    accounts: &Sql,
    period: Period,
) -> Result<Vec<AccountTotals>, ReadError> {
    let mut rows = accounts.after("FROM (SELECT a.tenant, a.number, a.currency, a.kind, a.balance, a.debits");
    rows.push(") AS a");
    period.join_past(&mut rows);
    let Expressions {
        opening,
        closing,
        debits,
    } = period.expressions();
    let debit_kinds = caudal_domain::AccountKind::ALL
        .iter()
        .filter(|kind| kind.normally_debit());
    let debit_kinds: Vec<String> = debit_kinds.map(|kind| kind.as_str().to_owned()).collect();
    rows.push(" CROSS JOIN LATERAL (SELECT a.kind = ANY (")
        .bind(debit_kinds);
    rows.push(") AS is_debit) AS s");
    let mut sums = rows.after(&format!(
        "SELECT a.currency, s.is_debit, sum({opening})::bigint AS opening, sum({closing})::bigint AS closing,
                sum({debits})::bigint AS debits_in"
    ));
    sums.push(" GROUP BY a.currency, s.is_debit ORDER BY a.currency");
    let mut totals: Vec<AccountTotals> = Vec::new();
    for row in transaction.fetch(&sums).await? {
        let currency = CurrencyCode(get(&row, "currency")?);
        let [opening, debits, credits, closing] = figures(&row)?;
        if totals.last().is_none_or(|last| last.currency != currency) {
            totals.push(AccountTotals::none(currency));
        }
        let Some(total) = totals.last_mut() else { continue };
        total.opening.0 += opening.0;
        total.debits.0 += debits.0;
        total.credits.0 += credits.0;
        total.closing.0 += closing.0;
        let (side, told) = if row.try_get("is_debit")? {
            (NormalSide::Debit, &mut total.debit_side)
        } else {
            (NormalSide::Credit, &mut total.credit_side)
        };
        *told = SideTotals {
            opening: side.told(opening),
            debits,
            credits,
            closing: side.told(closing),
        };
    }
    Ok(totals)
}

impl AccountTotals {
    fn none(currency: CurrencyCode) -> Self {
        let none = Money::default();
        Self {
            currency,
            opening: none,
            debits: none,
            credits: none,
            closing: none,
            debit_side: SideTotals::default(),
            credit_side: SideTotals::default(),
        }
    }
}

/// SQL expressions of an account's figures.
struct Expressions {
    opening: String,
    closing: String,
    debits: String,
}

impl Period {
    /// Figures of `accounts AS a` with [`Self::join_past`].
    fn expressions(self) -> Expressions {
        let figure = |position: Option<i64>, alias: &str, open: (&str, &str)| match position {
            Some(_) => (
                format!("coalesce({alias}.balance_after, 0)"),
                format!("coalesce({alias}.debits_after, 0)"),
            ),
            None => (open.0.to_owned(), open.1.to_owned()),
        };
        let (opening, debits_before) = figure(self.from, "f", ("0::bigint", "0::bigint"));
        let (closing, debits_through) = figure(self.through, "z", ("a.balance", "a.debits"));
        Expressions {
            opening,
            closing,
            debits: format!("{debits_through} - {debits_before}"),
        }
    }

    /// Joins the accounts' last lines before the period, `f`, and within it, `z`.
    fn join_past(self, sql: &mut Sql) {
        for (alias, position) in [("f", self.from), ("z", self.through)] {
            let Some(position) = position else { continue };
            sql.push(
                " LEFT JOIN LATERAL (SELECT l.balance_after, l.debits_after FROM postings AS l
                                      WHERE l.tenant = a.tenant AND l.account = a.number AND l.position <= ",
            );
            sql.bind(position).push(&format!(
                " ORDER BY l.position DESC, l.line DESC LIMIT 1) AS {alias} ON true"
            ));
        }
    }
}

/// Opening, debits, credits and closing from a row with [`Expressions`].
fn figures(row: &PgRow) -> Result<[Money; 4], sqlx::Error> {
    let (opening, closing): (Amount, Amount) = (get(row, "opening")?, get(row, "closing")?);
    let debits: Amount = get(row, "debits_in")?;
    Ok([opening, debits, opening + debits - closing, closing].map(Money))
}

/// Parses the parameter `position`.
pub(crate) fn position_named(text: &str) -> Result<i64, Refusal> {
    whole(text).map_err(|code| Refusal::invalid("position", code))
}

async fn period(
    transaction: &mut ReadTransaction,
    from: Option<&str>,
    to: Option<&str>,
    at: Option<&str>,
) -> Result<Period, ReadError> {
    let zone = transaction.zone();
    if let Some(at) = at {
        if from.is_some() || to.is_some() {
            return Err(Refusal::invalid("at", "not_with_from_or_to").into());
        }
        return Ok(Period {
            from: None,
            through: Some(as_of(transaction, at).await?),
        });
    }
    let begins = from.map(|from| filter::beginning("from", from, zone)).transpose()?;
    let ends = to.map(|to| filter::end("to", to, zone)).transpose()?;
    if begins.zip(ends).is_some_and(|(begins, ends)| ends <= begins) {
        return Err(Refusal::invalid("to", "date_before_start").into());
    }
    let mut period = Period {
        from: None,
        through: None,
    };
    if let Some(begins) = begins {
        period.from = Some(position_before(transaction, begins).await?);
    }
    if let Some(ends) = ends {
        period.through = Some(position_before(transaction, ends).await?);
    }
    Ok(period)
}

/// Time limit of a list: the moment `at`, the event at `position`, or the earlier of both. Returns the query without
/// the two, and the last position; `None` for now.
pub(crate) async fn until(transaction: &mut ReadTransaction, query: &ListQuery) -> Result<Option<i64>, ReadError> {
    let at = match query.get("at") {
        Some(at) => Some(as_of(transaction, at).await?),
        None => None,
    };
    let position = query.get("position").map(position_named).transpose()?;
    Ok(at.into_iter().chain(position).min())
}

/// The last entry through the moment `at` (RFC 3339).
async fn as_of(transaction: &mut ReadTransaction, at: &str) -> Result<i64, ReadError> {
    // Inclusive; times have microsecond precision.
    let end = moment_named(at)? + TimeDelta::microseconds(1);
    position_before(transaction, end).await
}

/// Parses the parameter `at` (RFC 3339).
pub(crate) fn moment_named(text: &str) -> Result<DateTime<Utc>, Refusal> {
    let moment = DateTime::parse_from_rfc3339(text).map_err(|_| Refusal::invalid("at", "time_invalid"))?;
    Ok(moment.with_timezone(&Utc))
}

/// The last entry before a moment; 0 for none.
pub(crate) async fn position_before(
    transaction: &mut ReadTransaction,
    moment: DateTime<Utc>,
) -> Result<i64, ReadError> {
    let mut sql = transaction.rows("entries", "e").after("SELECT e.position");
    sql.push(" AND e.at < ")
        .bind(moment)
        .push(" ORDER BY e.at DESC, e.position DESC LIMIT 1");
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.first().map_or(Ok(0), |row| row.try_get("position"))?)
}

async fn views(
    transaction: &mut ReadTransaction,
    numbers: &[i32],
    period: Period,
) -> Result<Vec<AccountBalance>, ReadError> {
    let mut sql = Sql::new(format!(
        "SELECT p.name AS owner_name, {}",
        select_list::<AccountRow>("a", "")
    ));
    let Expressions {
        opening,
        closing,
        debits,
    } = period.expressions();
    sql.push(&format!(
        ", {opening} AS opening, {closing} AS closing, {debits} AS debits_in
         FROM accounts AS a LEFT JOIN parties AS p ON p.tenant = a.tenant AND p.id = a.owner"
    ));
    period.join_past(&mut sql);
    sql.push(" WHERE a.tenant = ").bind(transaction.tenant());
    let wanted: Vec<i64> = numbers.iter().copied().map(i64::from).collect();
    sql.push(" AND a.number = ANY (").bind(wanted).push(")");
    let found = transaction.fetch(&sql).await?;
    let rows = found.iter().map(view).collect::<Result<Vec<_>, sqlx::Error>>()?;
    let ordered = list::in_order(numbers, rows, |(number, _)| *number);
    Ok(ordered.into_iter().map(|(_, balance)| balance).collect())
}

fn view(row: &PgRow) -> Result<(i32, AccountBalance), sqlx::Error> {
    let account = AccountRow::read(row, "")?;
    let [opening, debits, credits, closing] = figures(row)?;
    let balance = AccountBalance {
        account: account.account,
        code: account.code.to_string(),
        kind: account.kind.into(),
        owner: Ref::maybe(account.owner, row, "owner_name")?,
        payment_group_id: account.group_id,
        currency: account.currency.into(),
        normal_side: NormalSide::of(account.kind),
        opening,
        debits,
        credits,
        closing,
    };
    Ok((account.number, balance))
}
