//! A party's terms with its remaining balance, for the top bar and lists of sellers; and distributors' cash in the same
//! shape.

use crate::{
    error::ReadError,
    print::Printing,
    read_transaction::ReadTransaction,
    reference_data::payment_group::{Commission, ManagerCommission},
    scalar::{CurrencyCode, Decimal, Money, PaymentGroupType},
    table::{Column, Json, get, role_named},
};
use caudal_domain::{
    Commission as Terms,
    ids::PartyId,
    money::{Amount, CurrencyCode as Code, Rate},
    party::Role,
};
use caudal_export::Cell;
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A party's holding in one payment group or, for a dealer or delivery man, in one currency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfilePaymentGroup {
    /// Catalogue payment group; null for cash.
    pub id: Option<Uuid>,
    /// Catalogue payment group again, by the specification; null for cash.
    pub payment_group_id: Option<Uuid>,
    /// The party's own name for the group, else the catalogue's; the currency for cash.
    pub group_name: String,
    /// Currency of the amount sold: USD; for cash its currency.
    pub currency_from: CurrencyCode,
    /// Currency paid out, such as `CUP`.
    pub currency_to: CurrencyCode,
    /// Prepaid balance or cash, in `currencyTo`.
    pub amount: Money,
    /// Payouts of remittances sold and not canceled; for cash the expenses.
    pub expenses: Money,
    /// The party's exchange rate: units of `currencyTo` per USD; null for cash.
    pub exchange_rate: Option<Decimal>,
    /// Credit limit: how far below 0 the balance may go; null for cash.
    pub credit_limit: Option<Money>,
    /// The manager's commission; null for cash.
    pub manager_commission: Option<ManagerCommission>,
    /// The agency's commission; null when no agency takes part.
    pub agency_commission: Option<Commission>,
    /// The external agent's commission; null for others.
    pub agent_commission: Option<Commission>,
    /// Whether it may be sold now.
    pub is_active: bool,
    /// Always 1: a party's own terms.
    #[serde(rename = "type")]
    pub kind: PaymentGroupType,
}

/// Terms of sellers by party, ordered by currency and name.
pub(super) async fn of_sellers(
    transaction: &mut ReadTransaction,
    parties: Vec<Uuid>,
) -> Result<HashMap<Uuid, Vec<ProfilePaymentGroup>>, ReadError> {
    let tables = "party_terms AS t
        JOIN parties AS p ON p.tenant = t.tenant AND p.id = t.party
        JOIN payment_groups AS g ON g.tenant = t.tenant AND g.id = t.group_id
        LEFT JOIN accounts AS a ON a.tenant = t.tenant
             AND a.account = 'balance/' || t.party || '/' || t.group_id || '/' || g.currency
        LEFT JOIN party_terms AS u ON u.tenant = t.tenant AND u.party = p.agency AND u.group_id = t.group_id";
    let mut sql = transaction.joined(tables, "t").after(
        "SELECT t.party, p.role, t.group_id, t.exchange_rate::text AS exchange_rate, t.commission::text AS commission,
                coalesce(t.name, g.name) AS name, t.is_active AND g.is_active AS is_active, t.credit_limit,
                g.currency, g.manager_commission::text AS manager_commission,
                u.commission::text AS agency_commission,
                coalesce(-a.balance, 0) AS amount, coalesce(a.spent, 0) AS spent",
    );
    sql.push(" AND t.party = ANY (")
        .bind(parties)
        .push(") ORDER BY g.currency, g.name, g.id");
    let mut groups: HashMap<Uuid, Vec<ProfilePaymentGroup>> = HashMap::new();
    for row in transaction.fetch(&sql).await? {
        groups.entry(row.try_get("party")?).or_default().push(of_row(&row)?);
    }
    Ok(groups)
}

fn of_row(row: &PgRow) -> Result<ProfilePaymentGroup, sqlx::Error> {
    let commission = |column| {
        let terms: Option<Json<Terms>> = Option::from_wire(row.try_get(column)?).map_err(sqlx::Error::Decode)?;
        Ok::<_, sqlx::Error>(terms.map(|terms| terms.0))
    };
    let own = commission("commission")?.map(Commission::from);
    let agency = commission("agency_commission")?.map(Commission::from);
    let agent = role_named(row.try_get("role")?) == Some(Role::ExternalAgent);
    let (agency_commission, agent_commission) = if agent { (agency, own) } else { (own, None) };
    let group: Uuid = row.try_get("group_id")?;
    Ok(ProfilePaymentGroup {
        id: Some(group),
        payment_group_id: Some(group),
        group_name: row.try_get("name")?,
        currency_from: Code::USD.into(),
        currency_to: get::<Code>(row, "currency")?.into(),
        amount: get::<Amount>(row, "amount")?.into(),
        expenses: get::<Amount>(row, "spent")?.into(),
        exchange_rate: Some(get::<Rate>(row, "exchange_rate")?.into()),
        credit_limit: Some(get::<Amount>(row, "credit_limit")?.into()),
        manager_commission: commission("manager_commission")?.map(ManagerCommission::from),
        agency_commission,
        agent_commission,
        is_active: row.try_get("is_active")?,
        kind: PaymentGroupType::Own,
    })
}

/// Cash of a dealer or delivery man: all enabled currencies, and others with a balance.
pub(super) async fn of_cash(
    transaction: &mut ReadTransaction,
    party: PartyId,
) -> Result<Vec<ProfilePaymentGroup>, ReadError> {
    let account = |kind: &str| {
        format!(
            "LEFT JOIN accounts AS {kind} ON {kind}.tenant = c.tenant AND {kind}.account = '{kind}/' || p.id || '/' || c.code"
        )
    };
    let tables = format!(
        "parties AS p JOIN currencies AS c ON c.tenant = p.tenant {} {}",
        account("field_cash"),
        account("dealer_expenses")
    );
    let mut sql = transaction.joined(&tables, "p").after(
        "SELECT c.code, coalesce(field_cash.balance, 0) AS amount, coalesce(dealer_expenses.balance, 0) AS spent",
    );
    sql.push(" AND p.id = ").bind(party.0);
    sql.push(" AND NOT c.removed AND (c.enabled OR field_cash.balance <> 0) ORDER BY c.code");
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.iter().map(cash_of_row).collect::<Result<_, _>>()?)
}

fn cash_of_row(row: &PgRow) -> Result<ProfilePaymentGroup, sqlx::Error> {
    let currency = get::<Code>(row, "code")?;
    Ok(ProfilePaymentGroup {
        id: None,
        payment_group_id: None,
        group_name: currency.to_string(),
        currency_from: currency.into(),
        currency_to: currency.into(),
        amount: get::<Amount>(row, "amount")?.into(),
        expenses: get::<Amount>(row, "spent")?.into(),
        exchange_rate: None,
        credit_limit: None,
        manager_commission: None,
        agency_commission: None,
        agent_commission: None,
        is_active: true,
        kind: PaymentGroupType::Own,
    })
}

/// A seller's balances in short: `CUP a domicilio 1.234,50 CUP; MLC 20,00 MLC`.
pub(super) fn balances(groups: &[ProfilePaymentGroup], printing: &Printing) -> Option<String> {
    let groups: Vec<String> = groups
        .iter()
        .map(|group| {
            let amount = printing.shown(&Cell::Money(group.amount.0.minor()));
            format!("{} {amount} {}", group.group_name, group.currency_to.0)
        })
        .collect();
    Some(groups.join("; ")).filter(|text| !text.is_empty())
}
