//! Payment groups of the catalogue, and parties' own terms in the same shape.

use crate::{
    batch::{Batch, existing},
    error::{ProjectError, ReadError},
    list::{self, List, SearchSpec, Takes, filter, flag, rate, text, values},
    page::{ListQuery, Page},
    print::{Printing, Words, word},
    read_transaction::{ReadTransaction, only},
    rows::PaymentGroupRow,
    scalar::{CurrencyCode, Decimal, Money, PaymentGroupType, UtilityType},
    scope::Scope,
    search,
    table::{Json, Row as _, select_list},
};
use caudal_domain::{
    Commission as Terms, ids::PaymentGroupId, money::CurrencyCode as Code, party::Role,
    reference_data::payment_group::PaymentGroupEvent,
};
use caudal_export::Cell;
use caudal_journal::Recorded;
use serde::Serialize;
use sqlx::Row as _;
use utoipa::ToSchema;
use uuid::Uuid;

/// A commission on an amount in USD.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Commission {
    /// Percentage of the amount; negative for a discount.
    pub rate: Decimal,
    /// Unit of `utilityValue`.
    pub utility_type: UtilityType,
    /// Below this amount in USD the utility replaces the rate; null for none.
    pub minimal_amount: Option<Money>,
    /// Utility: USD when fixed, otherwise a percentage; null for none.
    pub utility_value: Option<Decimal>,
}

impl From<Terms> for Commission {
    fn from(terms: Terms) -> Self {
        Self {
            rate: terms.rate.into(),
            utility_type: terms.utility_type.into(),
            minimal_amount: terms.minimal_amount.map(Money),
            utility_value: terms.utility_value.map(Decimal),
        }
    }
}

impl Commission {
    /// In short: `2 %`, `2 % (< 100,00: 5,00 USD)`.
    pub(crate) fn shown(&self, printing: &Printing) -> String {
        let rate = format!("{} %", printing.shown(&Cell::Decimal(self.rate.0.to_string())));
        let (Some(below), Some(value)) = (self.minimal_amount, self.utility_value) else {
            return rate;
        };
        let below = printing.shown(&Cell::Money(below.0.minor()));
        let value = printing.shown(&Cell::Decimal(value.0.to_string()));
        let unit = match self.utility_type {
            UtilityType::Fixed => "USD",
            UtilityType::Percentage => "%",
        };
        format!("{rate} (< {below}: {value} {unit})")
    }
}

/// The manager's commission.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManagerCommission {
    /// Percentage of the amount; negative for a discount.
    pub rate: Decimal,
}

impl From<Terms> for ManagerCommission {
    fn from(terms: Terms) -> Self {
        Self {
            rate: terms.rate.into(),
        }
    }
}

/// A payment group: the catalogue's, or a party's own terms for it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentGroup {
    /// Id of the catalogue group.
    pub id: Uuid,
    /// Name of the group, or the party's own name for it.
    pub name: String,
    /// Currency of the amount sold: always USD.
    pub currency_from: CurrencyCode,
    /// Currency paid out, such as `CUP`.
    pub currency_to: CurrencyCode,
    /// Exchange rate: units of `currencyTo` per USD.
    pub exchange_rate: Decimal,
    /// The manager's commission.
    pub manager_commission: ManagerCommission,
    /// An agency's commission: the default, or the terms' own.
    pub agency_commission: Commission,
    /// An agent's commission: the default, or the terms' own.
    pub agent_commission: Commission,
    /// Whether it may be sold now.
    pub is_active: bool,
    /// Catalogue group or own terms.
    #[serde(rename = "type")]
    pub kind: PaymentGroupType,
}

impl From<PaymentGroupRow> for PaymentGroup {
    fn from(row: PaymentGroupRow) -> Self {
        Self {
            id: row.id,
            name: row.name,
            currency_from: Code::USD.into(),
            currency_to: row.currency.into(),
            exchange_rate: row.exchange_rate.into(),
            manager_commission: row.manager_commission.0.into(),
            agency_commission: row.agency_commission.0.into(),
            agent_commission: row.agent_commission.0.into(),
            is_active: row.is_active,
            kind: PaymentGroupType::Catalogue,
        }
    }
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &PaymentGroupEvent) -> Result<(), ProjectError> {
    match event {
        PaymentGroupEvent::PaymentGroupCreated(group) | PaymentGroupEvent::PaymentGroupChanged(group) => {
            batch.groups.put(PaymentGroupRow {
                id: group.id.0,
                name: group.name.clone(),
                currency: group.currency_to,
                exchange_rate: group.exchange_rate,
                manager_commission: Json(group.manager_commission),
                agency_commission: Json(group.agency_commission),
                agent_commission: Json(group.agent_commission),
                is_active: group.is_active,
                removed: false,
                search: search::folded([Some(group.name.as_str()), Some(group.currency_to.as_str())]),
            });
        }
        PaymentGroupEvent::PaymentGroupRemoved { id } => existing(&mut batch.groups, recorded, *id)?.removed = true,
    }
    Ok(())
}

pub const PAYMENT_GROUPS: List<PaymentGroup> = List {
    title: word::PAYMENT_GROUPS,
    columns: &[
        text("name", word::NAME, |g: &PaymentGroup, _| Some(g.name.clone())).sort("g.search"),
        // Always USD.
        text("currencyFrom", Words::new("Vende", "Sells"), |g: &PaymentGroup, _| {
            Some(g.currency_from.0.to_string())
        }),
        text("currencyTo", Words::new("Paga", "Pays"), |g: &PaymentGroup, _| {
            Some(g.currency_to.0.to_string())
        })
        .sort("g.currency"),
        rate("exchangeRate", word::EXCHANGE_RATE, |g: &PaymentGroup| {
            Some(g.exchange_rate)
        })
        .sort("g.exchange_rate"),
        rate(
            "managerCommission",
            word::MANAGER_COMMISSION_PERCENT,
            |g: &PaymentGroup| Some(g.manager_commission.rate),
        )
        .sort("(g.manager_commission ->> 'rate')::numeric"),
        text("agencyCommission", word::AGENCY_COMMISSION, |g: &PaymentGroup, p| {
            Some(g.agency_commission.shown(p))
        })
        .sort("(g.agency_commission ->> 'rate')::numeric"),
        text("agentCommission", word::AGENT_COMMISSION, |g: &PaymentGroup, p| {
            Some(g.agent_commission.shown(p))
        })
        .sort("(g.agent_commission ->> 'rate')::numeric"),
        flag("isActive", word::ACTIVE, |g: &PaymentGroup| g.is_active).sort("g.is_active"),
    ],
    filters: &[filter::own(
        "Type",
        word::TYPE,
        "The catalogue, or the caller's own terms.",
        Takes::Known(values::PAYMENT_GROUP_TYPE),
    )],
    search: Some(&SearchSpec::of(&["g.search"])),
    default_sort: "name",
    tie: "g.id",
    counted: None,
    hides_prices: false,
};

/// The catalogue (`Type` 0, default), visible to everyone, or the caller's own terms (`Type` 1).
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<PaymentGroup>, ReadError> {
    let own = match query.get("Type") {
        None | Some("0") => false,
        Some("1") => true,
        Some(_) => {
            let allowed = [("allowed", "0, 1".to_owned())];
            return Err(caudal_domain::Refusal::invalid_with("Type", "value_unknown", allowed).into());
        }
    };
    let mut from = transaction.rows("payment_groups", "g");
    from.push(" AND NOT g.removed");
    if own {
        from.push(" AND g.id IN (SELECT t.group_id FROM party_terms AS t WHERE t.tenant = g.tenant AND t.party = ");
        from.bind(scope.principal().0).push(")");
    }
    let keys = PAYMENT_GROUPS.keys::<Uuid>(transaction, query, from, "g.id").await?;
    let mut groups: Vec<PaymentGroup> = rows(transaction, &keys.keys)
        .await?
        .into_iter()
        .map(PaymentGroup::from)
        .collect();
    if own {
        set_terms(transaction, scope, &mut groups).await?;
    }
    Ok(keys.page(groups))
}

/// One payment group of the catalogue.
///
/// # Errors
/// Not found.
pub async fn get(
    transaction: &mut ReadTransaction,
    _scope: &Scope,
    id: PaymentGroupId,
) -> Result<PaymentGroup, ReadError> {
    let rows = rows(transaction, &[id.0]).await?;
    let present = rows
        .into_iter()
        .filter(|row| !row.removed)
        .map(PaymentGroup::from)
        .collect();
    only(present, "payment_group_not_found")
}

/// Replaces catalogue terms by the caller's own and its agency's commission.
async fn set_terms(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    groups: &mut [PaymentGroup],
) -> Result<(), ReadError> {
    let mut sql = transaction.rows("party_terms", "t").after(
        "SELECT t.party, t.group_id, t.exchange_rate::text AS exchange_rate, t.commission::text AS commission, t.name, t.is_active",
    );
    let principal = scope.principal().0;
    let parties: Vec<Uuid> = [Some(principal), scope.agency.map(Uuid::from)]
        .into_iter()
        .flatten()
        .collect();
    sql.push(" AND t.party = ANY (").bind(parties).push(")");
    for row in transaction.fetch(&sql).await? {
        let (party, group): (Uuid, Uuid) = (row.try_get("party")?, row.try_get("group_id")?);
        let Some(group) = groups.iter_mut().find(|known| known.id == group) else {
            continue;
        };
        let commission: Json<Terms> = crate::table::get(&row, "commission")?;
        let own = party == principal;
        if own && scope.role == Role::ExternalAgent {
            group.agent_commission = commission.0.into();
        } else {
            group.agency_commission = commission.0.into();
        }
        if own {
            group.exchange_rate = Decimal(crate::table::get(&row, "exchange_rate")?);
            if let Some(name) = row.try_get::<Option<String>, _>("name")? {
                group.name = name;
            }
            group.is_active = group.is_active && row.try_get::<bool, _>("is_active")?;
            group.kind = PaymentGroupType::Own;
        }
    }
    Ok(())
}

async fn rows(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<PaymentGroupRow>, ReadError> {
    let mut sql = transaction
        .rows("payment_groups", "g")
        .after(&format!("SELECT {}", select_list::<PaymentGroupRow>("g", "")));
    sql.push(" AND g.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch(&sql).await?;
    let rows = found
        .iter()
        .map(|row| PaymentGroupRow::read(row, ""))
        .collect::<Result<_, _>>()?;
    Ok(list::in_order(ids, rows, |row: &PaymentGroupRow| row.id))
}
