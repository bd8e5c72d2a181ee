//! Remittances as shown in lists and details.

use super::{HOME, carried::Carrying};
use crate::{
    customer::{Card, Digits},
    error::ReadError,
    from_log, list,
    movement::{About, MovementAmount},
    read_transaction::{ReadTransaction, only},
    reference_data::payment_group::{Commission, ManagerCommission},
    refs::Ref,
    rows::{CardRow, RemittanceRow},
    scalar::{CurrencyCode, Decimal, DeliveryMethod, DisputeStatus, Money, RemittanceStatus},
    scope::Scope,
    sql::Sql,
    table::{Row as _, get as column, select_list},
};
use caudal_domain::{
    StreamKind,
    ids::{PartyId, RemittanceId},
    money::CurrencyCode as Code,
    office::{Area, Right},
    party::Role,
    remittance::{Action, Delivery, Facts, Status, is_visible, judge},
};
use caudal_journal::{Journal, Recorded};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Sender or recipient of a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittancePerson {
    /// Id of the customer.
    pub id: Uuid,
    /// Full name; null after erasure.
    pub name: Option<String>,
    /// Telephone in E.164; a sender's is null for delivery men.
    pub phone_number: Option<String>,
    /// Number of the identity document; a sender's is null for delivery men.
    pub identification_number: Option<String>,
}

/// Delivery address of a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceAddress {
    /// The remittance's own address, else the recipient's.
    pub address_line: Option<String>,
    /// Id of the province.
    pub province_id: Option<Uuid>,
    /// Name of the province.
    pub province: Option<String>,
    /// Id of the municipality.
    pub municipality_id: Option<Uuid>,
    /// Name of the municipality.
    pub municipality: Option<String>,
}

/// The recipient's authorised representative.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceRepresentative {
    /// Full name of the representative.
    pub name: String,
    /// Telephone of the representative in E.164.
    pub phone_number: Option<String>,
    /// Document number of the representative.
    pub identification_number: Option<String>,
}

/// Proof of a delivery.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceProof {
    /// URL path of the identification's photograph, or of the transfer's proof; null when none, or after erasure.
    pub identification_document: Option<String>,
    /// URL path of the signature; null when none, or after erasure.
    pub firm_picture: Option<String>,
}

/// Action on a remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RemittanceAct {
    /// Record its delivery.
    Complete,
    /// Assign to a dealer or delivery man.
    Assign,
    /// Change recipient, place, delivery method, card or notes.
    EditDetails,
    /// Change amount or payment group.
    EditAmount,
    /// Mark as in error.
    Error,
    /// Cancel the remittance.
    Cancel,
}

impl RemittanceAct {
    /// In display order.
    const ALL: [(Self, Action); 6] = [
        (Self::Complete, Action::Complete),
        (Self::Assign, Action::Assign),
        (Self::EditDetails, Action::EditDetails),
        (Self::EditAmount, Action::EditAmount),
        (Self::Error, Action::MarkError),
        (Self::Cancel, Action::Cancel),
    ];
}

/// An action and whether the caller may perform it now, by the rule that decides it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceAction {
    /// The action that `refusal` is about.
    pub action: RemittanceAct,
    /// Refusal code; null when allowed. `role_not_allowed` when the caller's role can never perform it, `permission_missing` when
    /// the caller's permission set can't.
    #[schema(example = "remittance_is_completed")]
    pub refusal: Option<String>,
}

/// Actions on a remittance with the caller's permission for each.
fn actions(scope: &Scope, remittance: &RemittanceRow) -> Vec<RemittanceAction> {
    let caller = scope.caller();
    let facts = Facts {
        status: remittance.status,
        seller: PartyId(remittance.seller),
        agency: remittance.agency.map(PartyId),
        dealer: remittance.dealer.map(PartyId),
        delivery_man: remittance.delivery_man.map(PartyId),
        held: remittance.held,
    };
    // Members of the office read remittances without the right to change them.
    let may_change = scope.permissions.may(Area::Sales, Right::Write);
    let refusal = |asked| match may_change {
        true => judge(caller, facts, asked).err().map(|refusal| refusal.code),
        false => Some("permission_missing"),
    };
    let told = |(action, asked)| RemittanceAction {
        action,
        refusal: refusal(asked).map(str::to_owned),
    };
    RemittanceAct::ALL.map(told).into()
}

/// A remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Remittance {
    /// UUID.
    pub id: Uuid,
    /// Human number, such as `R-000001`.
    pub code: String,
    /// Status: 0 pending, 1 canceled, 2 shipping, 3 completed, 4 error.
    pub status: RemittanceStatus,
    /// Whether it waits for a review: it can be canceled, and not assigned, completed or edited.
    pub held: bool,
    /// Whether a delivery that was made offline while it was in review is to be settled; null where there was none.
    pub breach: Option<DisputeStatus>,
    /// Delivery method: `home` or `card`.
    pub delivery_method: DeliveryMethod,
    /// Sender (issuer).
    pub sender: RemittancePerson,
    /// Recipient; name, telephone and document are null after erasure.
    pub recipient: RemittancePerson,
    /// The recipient's authorised representative; null when none is named, and for a card transfer.
    pub representative: Option<RemittanceRepresentative>,
    /// Delivery address; null for a card transfer.
    pub address: Option<RemittanceAddress>,
    /// Target card; its number is complete for the party that pays to it, masked for others. Null for home delivery.
    pub card: Option<Card>,
    /// Id of the payment group.
    pub payment_group_id: Uuid,
    /// Name of the payment group.
    pub group_name: String,
    /// Currency of the amount sold: always USD.
    pub currency_from: CurrencyCode,
    /// Currency paid out, such as `CUP`.
    pub currency_to: CurrencyCode,
    /// Amount sent, in USD; null for delivery men.
    pub amount: Option<Money>,
    /// Amount paid out, in `currencyTo`.
    pub payout: Money,
    /// Exchange rate: units of `currencyTo` per USD; null for delivery men.
    pub exchange_rate: Option<Decimal>,
    /// The manager's commission, in USD; null for delivery men.
    pub manager_fee: Option<Money>,
    /// The agency's commission, in USD; null for delivery men.
    pub agency_fee: Option<Money>,
    /// The agent's commission, in USD; null for delivery men.
    pub agent_fee: Option<Money>,
    /// Sum of the commissions, in USD; null for delivery men.
    pub total_fee: Option<Money>,
    /// Amount plus commissions, in USD; null for delivery men.
    pub total_to_pay: Option<Money>,
    /// Delivery fee, in `currencyTo`; null until delivered.
    pub distribution_fee: Option<Money>,
    /// Participating agency; null for an agent without agency.
    pub agency: Option<Ref>,
    /// Selling agent; null for an agency's own sale.
    pub agent: Option<Ref>,
    /// Current or last dealer.
    pub dealer: Option<Ref>,
    /// Current or last delivery man.
    pub delivery_man: Option<Ref>,
    /// The seller's own reference; unique per seller.
    pub reference: Option<String>,
    /// The seller's notes; null after erasure.
    pub notes: Option<String>,
    /// Reason of the error or cancellation.
    pub reason: Option<String>,
    /// Proof of the delivery.
    pub proof: RemittanceProof,
    /// Whether the recipient's authorised representative received it.
    pub to_representative: bool,
    /// Time of the sale, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Time of the last change, RFC 3339 in UTC.
    pub updated: DateTime<Utc>,
    /// Time of the last assignment.
    pub assigned: Option<DateTime<Utc>>,
    /// Time at which the delivery was recorded.
    pub completed: Option<DateTime<Utc>>,
    /// Time of delivery; before `completed` for an offline delivery.
    pub delivered: Option<DateTime<Utc>>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RemittanceAction>,
}

/// Terms frozen at the sale of a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceTerms {
    /// Id of the remittance.
    pub remittance_id: Uuid,
    /// Id of the payment group.
    pub payment_group_id: Uuid,
    /// Name of the payment group.
    pub group_name: String,
    /// Currency of the amount sold: always USD.
    pub currency_from: CurrencyCode,
    /// Currency paid out, such as `CUP`.
    pub currency_to: CurrencyCode,
    /// Exchange rate: units of `currencyTo` per USD.
    pub exchange_rate: Decimal,
    /// The manager's commission.
    pub manager_commission: ManagerCommission,
    /// The agency's commission; null when no agency takes part.
    pub agency_commission: Option<Commission>,
    /// The external agent's commission; null for other sales.
    pub agent_commission: Option<Commission>,
}

/// One remittance.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: RemittanceId) -> Result<Remittance, ReadError> {
    only(views(transaction, scope, &[id.0]).await?, "remittance_not_found")
}

/// Terms frozen at the sale.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn payment_group(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: RemittanceId,
) -> Result<RemittanceTerms, ReadError> {
    require_visible(transaction, scope, id).await?;
    let tables = "remittances AS r LEFT JOIN payment_groups AS g ON g.tenant = r.tenant AND g.id = r.group_id";
    let mut sql = transaction.joined(tables, "r").after(&format!(
        "SELECT g.name AS group_name, {}",
        select_list::<RemittanceRow>("r", "")
    ));
    sql.push(" AND r.id = ").bind(id.0);
    let row = only(transaction.fetch(&sql).await?, "remittance_not_found")?;
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

/// What the completion of a remittance depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deliverable {
    pub id: RemittanceId,
    pub code: String,
    pub status: Status,
    /// Whether it is delivered at the door.
    pub needs_signature: bool,
    /// Time at which the caller first carried it; `None` if never.
    pub carried_since: Option<DateTime<Utc>>,
}

/// Remittances in the caller's scope by their codes; at most [`from_log::RECORDS_AT_ONCE`]. The read models find them, and what they
/// are, and whether the caller sees them, is the log's. Codes that are not found are left out.
///
/// # Errors
/// When the database fails, or the log was changed.
pub async fn deliverables(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    scope: &Scope,
    codes: Vec<String>,
) -> Result<Vec<Deliverable>, ReadError> {
    let mut sql = visible(transaction, scope).after("SELECT r.id");
    sql.push(" AND r.code = ANY (").bind(codes).push(")");
    let ids = transaction.fetch_ids(&sql).await?;
    let streams = from_log::streams(journal, transaction, StreamKind::Remittance, &ids).await?;
    let deliverable = |events: Vec<Recorded>| {
        let carrying = Carrying::of(&events, scope.party);
        let own = carrying.present()?;
        is_visible(scope.caller(), Facts::from(own)).then(|| Deliverable {
            id: own.id,
            code: own.sale.code.clone(),
            status: own.status,
            needs_signature: matches!(own.delivery, Delivery::Home { .. }),
            carried_since: carrying.since(),
        })
    };
    Ok(streams.into_values().filter_map(deliverable).collect())
}

pub(super) fn visible(transaction: &ReadTransaction, scope: &Scope) -> Sql {
    let mut from = transaction.rows("remittances", "r");
    and_visible(&mut from, scope);
    from
}

/// Restricts the remittance `r` to the caller's scope.
pub(crate) fn and_visible(from: &mut Sql, scope: &Scope) {
    if let Some(column) = counted_by(scope) {
        from.push(&format!(" AND r.{column} = ")).bind(scope.principal().0);
    }
}

/// The column and tally dimension of the caller's scope; `None` for a manager, who sees all.
pub(super) const fn counted_by(scope: &Scope) -> Option<&'static str> {
    match scope.role {
        Role::Manager => None,
        Role::Agency | Role::InternalAgent => Some("agency"),
        Role::ExternalAgent => Some("seller"),
        Role::Dealer => Some("dealer"),
        Role::DeliveryMan => Some("delivery_man"),
    }
}

/// # Errors
/// Not found when the remittance is not in the caller's scope.
pub async fn require_visible(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: RemittanceId,
) -> Result<(), ReadError> {
    let mut from = visible(transaction, scope).after("SELECT r.id");
    from.push(" AND r.id = ").bind(id.0);
    only(transaction.fetch(&from).await?, "remittance_not_found").map(|_| ())
}

/// Notification details of remittances in the caller's scope: recipient and payout.
pub(crate) async fn about(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, About>, ReadError> {
    let tables = "remittances AS r LEFT JOIN customers AS q ON q.tenant = r.tenant AND q.id = r.recipient";
    let mut sql = transaction
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
    let rows = transaction.fetch_by_keys(&sql).await?;
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}

/// A remittance `r`.
pub(crate) const SOLD: &str = "remittances AS r";
/// Joins of a remittance `r`.
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

/// Those remittances that are in the caller's scope.
pub(super) async fn views(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<Vec<Remittance>, ReadError> {
    // One lookup per key, whatever the planner's statistics of the tenant.
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
    sql.bind(transaction.tenant());
    sql.push(" AND r.id = wanted.id");
    and_visible(&mut sql, scope);
    sql.push(&format!(" OFFSET 0) AS r{NAMES}"));
    let found = transaction.fetch_by_keys(&sql).await?;
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
        // A delivery man may call the recipient and check the recipient's document, but not the sender's.
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
        held: remittance.held,
        breach: remittance.breach_at.map(|_| match remittance.breach_settled_at {
            Some(_) => DisputeStatus::Settled,
            None => DisputeStatus::Open,
        }),
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

/// The recipient's authorised representative, if named.
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

/// Whether the caller sees prices: a delivery man needs the payout only (docs/decisions/what-a-delivery-man-sees.md).
pub(crate) fn sees_price(scope: &Scope) -> bool {
    scope.role != Role::DeliveryMan
}

/// The card; complete while the caller has to pay to it. A manager who sees as the caller pays nothing.
fn card(row: &PgRow, remittance: &RemittanceRow, scope: &Scope) -> Result<Option<Card>, sqlx::Error> {
    let Some((id, brand)) = remittance.card.zip(remittance.brand) else {
        return Ok(None);
    };
    let pays = scope.role.holds_cash() && remittance.status == Status::Shipping && !scope.is_viewed;
    let row = CardRow {
        id,
        customer: column::<Option<Uuid>>(row, "card_customer")?.unwrap_or(remittance.recipient),
        brand,
        number: column(row, "card_number")?,
        added_at: column::<Option<DateTime<Utc>>>(row, "card_added_at")?.unwrap_or(remittance.created_at),
    };
    Ok(Some(Card::new(row, if pays { Digits::All } else { Digits::LastFour })))
}
