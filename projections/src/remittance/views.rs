//! Remittances as lists and details show them.

use super::{HOME, RemittanceRow};
use crate::{
    customer::{Card, CardRow, Digits},
    error::ReadError,
    list,
    movement::MovementAmount,
    news::About,
    nomenclator::payment_group::{Commission, ManagerCommission},
    refs::Ref,
    scalar::{CurrencyCode, Decimal, Money, RemittanceStatus},
    scope::Scope,
    snapshot::{Snapshot, only},
    sql::Sql,
    table::{Row as _, get as column, select_list},
};
use caudal_domain::{
    ids::{CustomerId, PartyId, RemittanceId},
    money::CurrencyCode as Code,
    party::{Caller, Role},
    remittance::{Action, Facts, Status, judge},
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// How the recipient is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryMethod {
    /// Cash at the recipient's address.
    Home,
    /// A transfer to one of the recipient's cards.
    Card,
}

/// A remittance's sender or recipient.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittancePerson {
    /// The customer.
    pub id: Uuid,
    /// Full name; null when erased.
    pub name: Option<String>,
    /// Telephone. Null for a sender, where a delivery man asks.
    pub phone_number: Option<String>,
    /// Identity document's number. Null for a sender, where a delivery man asks.
    pub identification_number: Option<String>,
}

/// Where a remittance is brought.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceAddress {
    /// The remittance's own address, else the recipient's.
    pub address_line: Option<String>,
    /// The province.
    pub province_id: Option<Uuid>,
    /// The province's name.
    pub province: Option<String>,
    /// The municipality.
    pub municipality_id: Option<Uuid>,
    /// The municipality's name.
    pub municipality: Option<String>,
}

/// Whom the recipient lets take the money.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceRepresentative {
    /// Full name.
    pub name: String,
    /// Telephone.
    pub phone_number: Option<String>,
    /// Identity document's number.
    pub identification_number: Option<String>,
}

/// What proves a delivery.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceProof {
    /// The address of the identification's photograph, or of the transfer's proof.
    pub identification_document: Option<String>,
    /// The address of the signature.
    pub firm_picture: Option<String>,
}

/// What may be done to a remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RemittanceAct {
    /// Record its delivery.
    Complete,
    /// Give it to a dealer or delivery man.
    Assign,
    /// Change recipient, place, delivery method, card or notes.
    EditDetails,
    /// Change amount or group.
    EditAmount,
    /// Mark it as in error.
    Error,
    /// Cancel it.
    Cancel,
}

impl RemittanceAct {
    /// All of them, in the order in which they are offered.
    const ALL: [(Self, Action); 6] = [
        (Self::Complete, Action::Complete),
        (Self::Assign, Action::Assign),
        (Self::EditDetails, Action::EditDetails),
        (Self::EditAmount, Action::EditAmount),
        (Self::Error, Action::MarkError),
        (Self::Cancel, Action::Cancel),
    ];
}

/// An act and whether the caller may do it now, by the rule that decides it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceAction {
    /// The act.
    pub action: RemittanceAct,
    /// The code that it would be refused with; null where it is allowed. `role_not_allowed` where it is never the
    /// caller's.
    #[schema(example = "remittance_is_completed")]
    pub refusal: Option<String>,
}

/// What the caller may do to a remittance now, and why not the rest.
fn actions(scope: &Scope, remittance: &RemittanceRow) -> Vec<RemittanceAction> {
    let caller = Caller {
        id: scope.party,
        role: scope.role,
        agency: scope.agency,
    };
    let facts = Facts {
        status: remittance.status,
        seller: PartyId(remittance.seller),
        agency: remittance.agency.map(PartyId),
        dealer: remittance.dealer.map(PartyId),
        delivery_man: remittance.delivery_man.map(PartyId),
    };
    let told = |(action, asked)| RemittanceAction {
        action,
        refusal: judge(caller, facts, asked).err().map(|refusal| refusal.code.to_owned()),
    };
    RemittanceAct::ALL.map(told).into()
}

/// A remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Remittance {
    /// Its id.
    pub id: Uuid,
    /// Its human number, `R-000001`.
    pub code: String,
    /// Where it stands.
    pub status: RemittanceStatus,
    /// How it is paid.
    pub delivery_method: DeliveryMethod,
    /// Who sends.
    pub sender: RemittancePerson,
    /// Who is paid.
    pub recipient: RemittancePerson,
    /// The recipient's authorised representative; null where none is named, and for a card.
    pub representative: Option<RemittanceRepresentative>,
    /// Where it is brought; null for a card.
    pub address: Option<RemittanceAddress>,
    /// The card that it is transferred to, whole for who pays to it, masked for others.
    pub card: Option<Card>,
    /// The payment group.
    pub payment_group_id: Uuid,
    /// The group's name.
    pub group_name: String,
    /// What is sold: USD.
    pub currency_from: CurrencyCode,
    /// What is paid out.
    pub currency_to: CurrencyCode,
    /// What is sent, in USD. Null where a delivery man asks.
    pub amount: Option<Money>,
    /// What is paid out, in `currencyTo`.
    pub payout: Money,
    /// Units of `currencyTo` per USD. Null where a delivery man asks.
    pub exchange_rate: Option<Decimal>,
    /// The manager's fee, in USD. Null where a delivery man asks.
    pub manager_fee: Option<Money>,
    /// The agency's, in USD. Null where a delivery man asks.
    pub agency_fee: Option<Money>,
    /// The agent's, in USD. Null where a delivery man asks.
    pub agent_fee: Option<Money>,
    /// All fees, in USD. Null where a delivery man asks.
    pub total_fee: Option<Money>,
    /// The amount and all fees, in USD. Null where a delivery man asks.
    pub total_to_pay: Option<Money>,
    /// The fee for the delivery, in `currencyTo`; null until it is delivered.
    pub distribution_fee: Option<Money>,
    /// The agency that takes part.
    pub agency: Option<Ref>,
    /// The agent who sold it.
    pub agent: Option<Ref>,
    /// The dealer that it is, or was last, with.
    pub dealer: Option<Ref>,
    /// The delivery man that it is, or was last, with.
    pub delivery_man: Option<Ref>,
    /// The seller's own reference.
    pub reference: Option<String>,
    /// The seller's notes.
    pub notes: Option<String>,
    /// Why it stands in error or was canceled.
    pub reason: Option<String>,
    /// What proves the delivery.
    pub proof: RemittanceProof,
    /// Whether the recipient's authorised representative took it.
    pub to_representative: bool,
    /// When it was sold.
    pub created: DateTime<Utc>,
    /// When it was last changed.
    pub updated: DateTime<Utc>,
    /// When it was given to its dealer or delivery man.
    pub assigned: Option<DateTime<Utc>>,
    /// When it was recorded as delivered.
    pub completed: Option<DateTime<Utc>>,
    /// When it was delivered: before `completed` where a telephone without a network sent it later.
    pub delivered: Option<DateTime<Utc>>,
    /// What the caller may do to it now, and why not the rest.
    pub actions: Vec<RemittanceAction>,
}

/// The terms frozen into a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceTerms {
    /// The remittance.
    pub remittance_id: Uuid,
    /// The payment group.
    pub payment_group_id: Uuid,
    /// The group's name.
    pub group_name: String,
    /// What is sold: USD.
    pub currency_from: CurrencyCode,
    /// What is paid out.
    pub currency_to: CurrencyCode,
    /// Units of `currencyTo` per USD.
    pub exchange_rate: Decimal,
    /// The manager's commission.
    pub manager_commission: ManagerCommission,
    /// The agency's, where an agency takes part.
    pub agency_commission: Option<Commission>,
    /// The external agent's, where one sells.
    pub agent_commission: Option<Commission>,
}

/// One remittance.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(snapshot: &mut Snapshot, scope: &Scope, id: RemittanceId) -> Result<Remittance, ReadError> {
    only(views(snapshot, scope, &[id.0]).await?, "remittance_not_found")
}

/// The terms that a remittance was sold at.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn payment_group(
    snapshot: &mut Snapshot,
    scope: &Scope,
    id: RemittanceId,
) -> Result<RemittanceTerms, ReadError> {
    require_visible(snapshot, scope, id).await?;
    let tables = "remittances AS r LEFT JOIN payment_groups AS g ON g.tenant = r.tenant AND g.id = r.group_id";
    let mut sql = snapshot.joined(tables, "r").after(&format!(
        "SELECT g.name AS group_name, {}",
        select_list::<RemittanceRow>("r", "")
    ));
    sql.push(" AND r.id = ").bind(id.0);
    let row = only(snapshot.fetch(&sql).await?, "remittance_not_found")?;
    let group_name: Option<String> = row.try_get("group_name")?;
    let remittance = RemittanceRow::read(&row, "")?;
    let terms = remittance.terms.0;
    Ok(RemittanceTerms {
        remittance_id: remittance.id,
        payment_group_id: remittance.group_id,
        group_name: group_name.unwrap_or_default(),
        currency_from: Code::USD.into(),
        currency_to: remittance.currency.into(),
        exchange_rate: terms.exchange_rate.into(),
        manager_commission: terms.manager_commission.into(),
        agency_commission: terms.agency_commission.map(Commission::from),
        agent_commission: terms.agent_commission.map(Commission::from),
    })
}

/// A remittance's own details, as an edit starts from them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnDetails {
    pub recipient: CustomerId,
    /// The address set for this remittance alone.
    pub address: Option<String>,
    /// The seller's notes.
    pub notes: Option<String>,
}

/// What an edit of a remittance's details starts from.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn details(snapshot: &mut Snapshot, scope: &Scope, id: RemittanceId) -> Result<OwnDetails, ReadError> {
    let mut sql = visible(snapshot, scope).after("SELECT r.recipient, r.address, r.notes");
    sql.push(" AND r.id = ").bind(id.0);
    let row = only(snapshot.fetch(&sql).await?, "remittance_not_found")?;
    Ok(OwnDetails {
        recipient: CustomerId(row.try_get("recipient")?),
        address: row.try_get("address")?,
        notes: row.try_get("notes")?,
    })
}

pub(super) fn visible(snapshot: &Snapshot, scope: &Scope) -> Sql {
    let mut from = snapshot.rows("remittances", "r");
    and_visible(&mut from, scope);
    from
}

/// Adds that the remittance `r` is in the caller's scope.
pub(crate) fn and_visible(from: &mut Sql, scope: &Scope) {
    if let Some(column) = counted_by(scope) {
        from.push(&format!(" AND r.{column} = ")).bind(scope.principal().0);
    }
}

/// The column, and the tallies' dimension, that the caller's scope is; all for a manager.
pub(super) const fn counted_by(scope: &Scope) -> Option<&'static str> {
    match scope.role {
        Role::Manager => None,
        Role::Agency | Role::InternalAgent => Some("agency"),
        Role::ExternalAgent => Some("seller"),
        Role::Dealer => Some("dealer"),
        Role::DeliveryMan => Some("delivery_man"),
    }
}

pub(super) async fn require_visible(snapshot: &mut Snapshot, scope: &Scope, id: RemittanceId) -> Result<(), ReadError> {
    let mut from = visible(snapshot, scope).after("SELECT r.id");
    from.push(" AND r.id = ").bind(id.0);
    only(snapshot.fetch(&from).await?, "remittance_not_found").map(|_| ())
}

/// What notifications say of remittances in the caller's scope: who is paid, and how much.
pub(crate) async fn about(
    snapshot: &mut Snapshot,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, About>, ReadError> {
    let tables = "remittances AS r LEFT JOIN customers AS q ON q.tenant = r.tenant AND q.id = r.recipient";
    let mut sql = snapshot
        .joined(tables, "r")
        .after("SELECT r.id, q.name, r.payout, r.currency");
    and_visible(&mut sql, scope);
    sql.push(" AND r.id = ANY (").bind(ids.to_vec()).push(")");
    let read = |row: &PgRow| {
        let amount = MovementAmount {
            currency: CurrencyCode(column(row, "currency")?),
            amount: Money(column(row, "payout")?),
        };
        let about = About {
            name: row.try_get("name")?,
            amounts: vec![amount],
        };
        Ok((row.try_get("id")?, about))
    };
    let rows = snapshot.fetch_by_keys(&sql).await?;
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// A remittance `r`.
pub(crate) const SOLD: &str = "remittances AS r";
/// Joins to all that a remittance `r` names.
pub(crate) const NAMES: &str = "
    LEFT JOIN customers AS s ON s.tenant = r.tenant AND s.id = r.sender
    LEFT JOIN customers AS q ON q.tenant = r.tenant AND q.id = r.recipient
    LEFT JOIN payment_groups AS g ON g.tenant = r.tenant AND g.id = r.group_id
    LEFT JOIN provinces AS p ON p.tenant = r.tenant AND p.id = r.province
    LEFT JOIN municipalities AS m ON m.tenant = r.tenant AND m.id = r.municipality
    LEFT JOIN cards AS k ON k.tenant = r.tenant AND k.id = r.card
    LEFT JOIN parties AS a ON a.tenant = r.tenant AND a.id = r.agency
    LEFT JOIN parties AS x ON x.tenant = r.tenant AND x.id = r.agent
    LEFT JOIN parties AS d ON d.tenant = r.tenant AND d.id = r.dealer
    LEFT JOIN parties AS v ON v.tenant = r.tenant AND v.id = r.delivery_man";

/// Those of the remittances that are in the caller's scope.
pub(super) async fn views(snapshot: &mut Snapshot, scope: &Scope, ids: &[Uuid]) -> Result<Vec<Remittance>, ReadError> {
    // Key by key, whatever the planner believes of a tenant that it has not heard of.
    let mut sql = Sql::new(format!(
        "SELECT s.name AS sender_name, s.phone AS sender_phone, s.identification AS sender_identification,
                q.name AS recipient_name, q.phone AS recipient_phone, q.identification AS recipient_identification,
                q.details ->> 'addressLine' AS recipient_address,
                nullif(concat_ws(' ', q.details ->> 'alternativeName', q.details ->> 'alternativeLastName'), '')
                    AS representative_name,
                q.details ->> 'alternativePhoneNumber' AS representative_phone,
                q.details ->> 'alternativePersonalIdentificationNumber' AS representative_identification,
                g.name AS group_name, p.name AS province_name, m.name AS municipality_name,
                a.name AS agency_name, x.name AS agent_name, d.name AS dealer_name, v.name AS delivery_man_name,
                k.number AS card_number, k.customer AS card_customer, k.added_at AS card_added_at, {}
           FROM unnest(",
        select_list::<RemittanceRow>("r", "")
    ));
    sql.bind(ids.to_vec());
    sql.push(&format!(
        "::uuid[]) AS wanted (id) CROSS JOIN LATERAL (SELECT r.* FROM {SOLD} WHERE r.tenant = "
    ));
    sql.bind(snapshot.tenant());
    sql.push(" AND r.id = wanted.id");
    and_visible(&mut sql, scope);
    sql.push(&format!(" OFFSET 0) AS r{NAMES}"));
    let found = snapshot.fetch_by_keys(&sql).await?;
    let rows = found
        .iter()
        .map(|row| view(row, scope))
        .collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(list::in_order(ids, rows, |remittance| remittance.id))
}

fn view(row: &PgRow, scope: &Scope) -> Result<Remittance, sqlx::Error> {
    let remittance = RemittanceRow::read(row, "")?;
    let price = sees_price(scope);
    let person = |id: Uuid, who: &str| {
        // Who delivers calls the recipient and looks at the recipient's document, never at the sender's.
        let reaches = who == "recipient" || scope.role != Role::DeliveryMan;
        let column = |name: &str| -> Result<Option<String>, sqlx::Error> { row.try_get(&*format!("{who}_{name}")) };
        Ok::<_, sqlx::Error>(RemittancePerson {
            id,
            name: column("name")?,
            phone_number: column("phone")?.filter(|_| reaches),
            identification_number: column("identification")?.filter(|_| reaches),
        })
    };
    let home = remittance.method == HOME;
    let address = RemittanceAddress {
        address_line: remittance.address.clone().or(row.try_get("recipient_address")?),
        province_id: remittance.province,
        province: row.try_get("province_name")?,
        municipality_id: remittance.municipality,
        municipality: row.try_get("municipality_name")?,
    };
    Ok(Remittance {
        actions: actions(scope, &remittance),
        id: remittance.id,
        status: remittance.status.into(),
        delivery_method: if home {
            DeliveryMethod::Home
        } else {
            DeliveryMethod::Card
        },
        sender: person(remittance.sender, "sender")?,
        recipient: person(remittance.recipient, "recipient")?,
        representative: representative(row)?.filter(|_| home),
        address: Some(address).filter(|_| home),
        card: card(row, &remittance, scope)?,
        payment_group_id: remittance.group_id,
        group_name: row.try_get::<Option<String>, _>("group_name")?.unwrap_or_default(),
        currency_from: Code::USD.into(),
        currency_to: remittance.currency.into(),
        amount: price.then(|| remittance.amount.into()),
        payout: remittance.payout.into(),
        exchange_rate: price.then(|| remittance.exchange_rate.into()),
        manager_fee: price.then(|| remittance.manager_fee.into()),
        agency_fee: price.then(|| remittance.agency_fee.into()),
        agent_fee: price.then(|| remittance.agent_fee.into()),
        total_fee: price.then(|| remittance.total_fee.into()),
        total_to_pay: price.then(|| remittance.total_to_pay.into()),
        distribution_fee: remittance.distribution_fee.map(Money),
        agency: Ref::maybe(remittance.agency, row, "agency_name")?,
        agent: Ref::maybe(remittance.agent, row, "agent_name")?,
        dealer: Ref::maybe(remittance.dealer, row, "dealer_name")?,
        delivery_man: Ref::maybe(remittance.delivery_man, row, "delivery_man_name")?,
        proof: RemittanceProof {
            identification_document: remittance.identification.as_deref().map(crate::file_address),
            firm_picture: remittance.signature.as_deref().map(crate::file_address),
        },
        to_representative: remittance.to_representative,
        created: remittance.created_at,
        updated: remittance.updated_at,
        assigned: remittance.assigned_at,
        completed: remittance.completed_at,
        delivered: remittance.delivered_at.or(remittance.completed_at),
        code: remittance.code,
        reference: remittance.reference,
        notes: remittance.notes,
        reason: remittance.reason,
    })
}

/// The recipient's authorised representative, where one is named.
fn representative(row: &PgRow) -> Result<Option<RemittanceRepresentative>, sqlx::Error> {
    let Some(name) = row.try_get::<Option<String>, _>("representative_name")? else {
        return Ok(None);
    };
    Ok(Some(RemittanceRepresentative {
        name,
        phone_number: row.try_get("representative_phone")?,
        identification_number: row.try_get("representative_identification")?,
    }))
}

/// Whether the caller is told what was sold at which price: a delivery man needs what is paid out alone
/// (docs/decisions/what-a-delivery-man-sees.md).
pub(super) fn sees_price(scope: &Scope) -> bool {
    scope.role != Role::DeliveryMan
}

/// The card, whole while the caller has to pay to it.
fn card(row: &PgRow, remittance: &RemittanceRow, scope: &Scope) -> Result<Option<Card>, sqlx::Error> {
    let Some((id, brand)) = remittance.card.zip(remittance.brand) else {
        return Ok(None);
    };
    let pays = scope.role.holds_cash() && remittance.status == Status::Shipping;
    let row = CardRow {
        id,
        customer: column::<Option<Uuid>>(row, "card_customer")?.unwrap_or(remittance.recipient),
        brand,
        number: column(row, "card_number")?,
        added_at: column::<Option<DateTime<Utc>>>(row, "card_added_at")?.unwrap_or(remittance.created_at),
    };
    Ok(Some(Card::new(row, if pays { Digits::All } else { Digits::LastFour })))
}
