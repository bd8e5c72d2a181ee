//! Disputed deliveries: made offline and refused when synchronised.

use crate::{
    batch::{self, Batch},
    error::{ProjectError, ReadError},
    list::{self, List, currency, filter, sum, text, time, values},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{actor, name, word, words},
    read_transaction::ReadTransaction,
    refs::{HistoryActor, Ref},
    rows::DisputeRow,
    scalar::{AttemptReason, CurrencyCode, DisputeStatus, Money, RemittanceStatus},
    scope::Scope,
    sql::Sql,
    table::{Row as _, get, select_list},
};
use caudal_domain::{
    Event, StreamId, StreamKind, StreamState,
    ids::{RemittanceId, TenantId},
    money::Amount,
    party::Role,
    remittance::{DeliveryDisputeSettled, DeliveryDisputed, Facts, Remittance, RemittanceEvent, Status, is_visible},
};
use caudal_journal::{Journal, Recorded};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

/// The remittance whose disputes an event changes.
pub(crate) fn touched(recorded: &Recorded) -> Option<Uuid> {
    let settles = matches!(
        recorded.event,
        Event::Remittance(RemittanceEvent::DeliveryDisputeSettled(_))
    );
    settles.then_some(recorded.stream.id)
}

fn number(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

pub(super) fn opened(batch: &mut Batch, recorded: &Recorded, disputed: &DeliveryDisputed, recipient: Uuid) {
    batch.disputes.put(DisputeRow {
        remittance: disputed.id.0,
        number: number(disputed.number),
        position: recorded.position,
        at: recorded.recorded_at,
        reported_by: disputed.reported_by.0,
        refused: disputed.refused.clone(),
        delivered_at: disputed.delivered_at,
        identification: Some(disputed.identification.clone()),
        signature: disputed.signature.clone(),
        to_representative: disputed.to_representative,
        recipient,
        settled_at: None,
        settled_by: None,
        settled_role: None,
        settlement: None,
    });
}

pub(super) fn settled(
    batch: &mut Batch,
    recorded: &Recorded,
    settled: &DeliveryDisputeSettled,
) -> Result<(), ProjectError> {
    let key = (settled.id.0, number(settled.number));
    let row = batch.disputes.get_mut(&key).ok_or(ProjectError::Missing {
        position: recorded.position,
        table: DisputeRow::TABLE,
        id: settled.id.0,
    })?;
    row.settled_at = Some(recorded.recorded_at);
    row.settled_by = batch::actor(recorded);
    row.settled_role = Some(recorded.metadata.role.clone());
    row.settlement = super::reason(&settled.personal);
    Ok(())
}

/// A delivery made offline that was refused when synchronised.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryDispute {
    /// Id of the remittance.
    pub remittance_id: Uuid,
    /// Number of the dispute within the remittance, from 1.
    pub number: i32,
    /// Human number of the remittance, such as `R-000001`.
    pub code: String,
    /// Status of the remittance: now; for a dealer who no longer has it, when the delivery was synchronised.
    pub remittance_status: RemittanceStatus,
    /// Name of the recipient to whom the reporter carried it; null after erasure.
    pub recipient: Option<String>,
    /// Amount that the reporter carried, in `currencyTo`. Later edits of the remittance do not change it.
    pub payout: Money,
    /// Currency of the payout, such as `CUP`.
    pub currency_to: CurrencyCode,
    /// Dealer or delivery man who reports the delivery.
    pub reported_by: Ref,
    /// Current or last dealer of the remittance; null for a dealer who no longer has it.
    pub dealer: Option<Ref>,
    /// Whether the dispute is open or settled.
    pub status: DisputeStatus,
    /// Refusal code: the remittance's state when the delivery was synchronised.
    pub refused: String,
    /// Time of delivery by the telephone's clock, RFC 3339 in UTC; null when unknown.
    pub delivered: Option<DateTime<Utc>>,
    /// Time of synchronisation, RFC 3339 in UTC.
    pub sent: DateTime<Utc>,
    /// URL path of the identification's photograph, or of the transfer's proof; null after erasure.
    pub identification_document: Option<String>,
    /// URL path of the signature; null for a card transfer or after erasure.
    pub firm_picture: Option<String>,
    /// Whether the recipient's authorised representative received it.
    pub to_representative: bool,
    /// Time of the settlement; null while open.
    pub settled: Option<DateTime<Utc>>,
    /// Party that settled it; null while open.
    pub settled_by: Option<HistoryActor>,
    /// Findings and actions taken; null while open or after erasure.
    pub settlement: Option<String>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

/// A column of the dispute's remittance.
macro_rules! of_remittance {
    ($column:literal) => {
        concat!(
            "(SELECT r.",
            $column,
            " FROM remittances AS r WHERE r.tenant = x.tenant AND r.id = x.remittance)"
        )
    };
}

/// Columns of the assignment `h` by which the reporter of the dispute `x` carried the remittance, and of `y`, the
/// remittance at the dispute. It is the last assignment before the delivery, or the first one where a wrong clock puts the
/// delivery before it. Of a delivery at other terms than those at the dispute it is one with another payout, if there is
/// one: such a delivery may have no time.
macro_rules! handed_over {
    ($columns:literal) => {
        concat!(
            "(SELECT ",
            $columns,
            " FROM remittance_history AS h
                JOIN remittance_history AS y
                  ON y.tenant = h.tenant AND y.remittance = h.remittance AND y.position = x.position
               WHERE h.tenant = x.tenant AND h.remittance = x.remittance AND h.position < x.position
                 AND h.change = 'assigned' AND x.reported_by IN (h.dealer, h.delivery_man)
               ORDER BY x.refused = 'remittance_was_edited' AND h.payout = y.payout AND h.currency = y.currency,
                        h.at > coalesce(x.delivered_at, x.at),
                        CASE WHEN h.at > coalesce(x.delivered_at, x.at) THEN h.position ELSE -h.position END
               LIMIT 1)"
        )
    };
}

/// Id of the recipient to whom the reporter of the dispute `x` carried it: as of the assignment, or of an edit on the way
/// before the delivery.
macro_rules! carried_to {
    () => {
        concat!(
            "coalesce((SELECT e.subject FROM remittance_history AS e CROSS JOIN LATERAL ",
            handed_over!("h.position"),
            " AS given
               WHERE e.tenant = x.tenant AND e.remittance = x.remittance AND e.position < x.position
                 AND e.group_id IS NOT NULL
                 AND (e.position < given.position
                      OR (x.refused <> 'remittance_was_edited' AND e.at <= coalesce(x.delivered_at, x.at)
                          AND NOT EXISTS (SELECT 1 FROM remittance_history AS z
                                           WHERE z.tenant = e.tenant AND z.remittance = e.remittance
                                             AND z.position > given.position AND z.position <= e.position
                                             AND (z.to_status <> 2 OR z.change = 'assigned'))))
               ORDER BY e.position DESC LIMIT 1), x.recipient)"
        )
    };
}

/// The list's declaration, with the sorts of the remittance's status and dealer.
macro_rules! disputes {
    ($status:expr, $dealer:expr) => {
        List {
            title: word::DISPUTED_DELIVERIES,
            columns: &[
                text("code", word::CODE, |d: &DeliveryDispute, _| Some(d.code.clone()))
                    .sort(of_remittance!("position")),
                text("status", word::STATUS, |d: &DeliveryDispute, p| {
                    Some(p.say(words::dispute(d.status)).to_owned())
                })
                .sort("x.settled_at IS NOT NULL"),
                text("refused", word::REASON, |d: &DeliveryDispute, p| {
                    Some(p.say(words::refused(&d.refused)).to_owned())
                })
                .sort("x.refused"),
                text("remittanceStatus", word::REMITTANCE, |d: &DeliveryDispute, p| {
                    Some(p.say(words::status(d.remittance_status, None)).to_owned())
                })
                .sort($status),
                text("recipient", word::RECIPIENT, |d: &DeliveryDispute, p| {
                    Some(p.name_or_erased(d.recipient.as_deref()))
                })
                .sort(concat!(
                    "(SELECT c.search FROM customers AS c WHERE c.tenant = x.tenant AND c.id = ",
                    carried_to!(),
                    ")"
                )),
                sum("payout", word::PAYOUT, |d: &DeliveryDispute| Some(d.payout)).sort(handed_over!("h.payout")),
                currency("currencyTo", word::CURRENCY, |d: &DeliveryDispute| Some(d.currency_to))
                    .sort(handed_over!("h.currency")),
                text("reportedBy", word::SAYS_THAT_HE_DELIVERED, |d: &DeliveryDispute, p| {
                    name(Some(&d.reported_by), p)
                })
                .sort("(SELECT y.search FROM parties AS y WHERE y.tenant = x.tenant AND y.id = x.reported_by)"),
                text("dealer", word::DEALER, |d: &DeliveryDispute, p| {
                    name(d.dealer.as_ref(), p)
                })
                .sort($dealer),
                time("delivered", word::DELIVERED, |d: &DeliveryDispute| d.delivered).sort("x.delivered_at"),
                time("sent", word::REMITTANCE_SENT, |d: &DeliveryDispute| Some(d.sent)).in_order("x.position"),
                time("settled", word::RESOLVED, |d: &DeliveryDispute| d.settled).sort("x.settled_at"),
                text("settledBy", word::WHO, |d: &DeliveryDispute, p| {
                    d.settled_by.as_ref().and_then(|who| actor(who, p))
                })
                .sort("(SELECT y.search FROM parties AS y WHERE y.tenant = x.tenant AND y.id = x.settled_by)"),
                text("settlement", word::SETTLEMENT, |d: &DeliveryDispute, _| {
                    d.settlement.clone()
                })
                .sort("lower(x.settlement)"),
            ],
            filters: &[
                filter::one_of(
                    "status",
                    word::STATUS,
                    "In this state.",
                    values::DISPUTE_STATUS,
                    &[
                        ("open", "x.settled_at IS NULL"),
                        ("settled", "x.settled_at IS NOT NULL"),
                    ],
                ),
                filter::id("remittanceId", word::REMITTANCE, "Of this remittance.", "x.remittance"),
                filter::first_day("initDate", "Sent on this day or later.", "x.at"),
                filter::last_day("finalDate", "Sent on this day or before.", "x.at"),
            ],
            search: None,
            default_sort: "-sent",
            tie: "x.position",
            counted: None,
            hides_prices: false,
        }
    };
}

pub const DISPUTES: List<DeliveryDispute> = disputes!(
    of_remittance!("status"),
    "(SELECT y.search FROM remittances AS r JOIN parties AS y ON y.tenant = r.tenant AND y.id = r.dealer
       WHERE r.tenant = x.tenant AND r.id = x.remittance)"
);

/// The list for dealers, whose order does not tell what became of a remittance that a dealer no longer has.
const OF_DEALERS: List<DeliveryDispute> = disputes!(
    "(SELECT CASE WHEN r.dealer = coalesce(v.dealer, v.id) THEN r.status ELSE y.to_status END
        FROM remittances AS r
        JOIN parties AS v ON v.tenant = r.tenant AND v.id = x.reported_by
        JOIN remittance_history AS y ON y.tenant = r.tenant AND y.remittance = r.id AND y.position = x.position
       WHERE r.tenant = x.tenant AND r.id = x.remittance)",
    "(SELECT y.search FROM remittances AS r
        JOIN parties AS v ON v.tenant = r.tenant AND v.id = x.reported_by
        JOIN parties AS y ON y.tenant = r.tenant AND y.id = r.dealer AND y.id = coalesce(v.dealer, v.id)
       WHERE r.tenant = x.tenant AND r.id = x.remittance)"
);

/// Joins of a dispute `x`: its remittance `r`, what of it the reporter carried `c`, and the recipient `q`.
pub(crate) const TABLES: &str = concat!(
    "delivery_disputes AS x
    JOIN remittances AS r ON r.tenant = x.tenant AND r.id = x.remittance
    JOIN LATERAL ",
    handed_over!("h.payout, h.currency, y.to_status"),
    " AS c ON TRUE
    LEFT JOIN customers AS q ON q.tenant = x.tenant AND q.id = ",
    carried_to!()
);

/// Restricts the dispute `x` to the caller's scope: for a dealer, those reported by him or his delivery men.
pub(crate) fn and_visible(sql: &mut Sql, transaction: &ReadTransaction, scope: &Scope) {
    match scope.role {
        Role::Manager => {}
        Role::Dealer => scope.and_party(sql, transaction.tenant(), &["x.reported_by"]),
        _ => {
            sql.push(" AND FALSE");
        }
    }
}

/// Disputes in the caller's scope.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<DeliveryDispute>, ReadError> {
    let mut from = transaction.rows("delivery_disputes", "x");
    and_visible(&mut from, transaction, scope);
    let declared = if scope.role == Role::Dealer {
        &OF_DEALERS
    } else {
        &DISPUTES
    };
    let keys = declared.keys::<i64>(transaction, query, from, "x.position").await?;
    let tables = format!(
        "{TABLES}
        LEFT JOIN parties AS v ON v.tenant = x.tenant AND v.id = x.reported_by
        LEFT JOIN parties AS d ON d.tenant = x.tenant AND d.id = r.dealer
        LEFT JOIN parties AS s ON s.tenant = x.tenant AND s.id = x.settled_by"
    );
    let mut sql = transaction.joined(&tables, "x").after(&format!(
        "SELECT r.code, r.status, c.to_status, c.payout, c.currency, r.dealer, q.name AS recipient_name,
                v.name AS reporter_name, d.name AS dealer_name, s.name AS settler_name, {}",
        select_list::<DisputeRow>("x", "x_")
    ));
    sql.push(" AND x.position = ANY (").bind(keys.keys.clone()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let rows = found
        .iter()
        .map(|row| Ok((row.try_get("x_position")?, view(row, scope)?)))
        .collect::<Result<Vec<(i64, DeliveryDispute)>, sqlx::Error>>()?;
    let rows = list::in_order(&keys.keys, rows, |(position, _)| *position);
    Ok(keys.page(rows.into_iter().map(|(_, dispute)| dispute).collect()))
}

fn view(row: &PgRow, scope: &Scope) -> Result<DeliveryDispute, sqlx::Error> {
    let dispute = DisputeRow::read(row, "x_")?;
    let dealer: Option<Uuid> = row.try_get("dealer")?;
    // What became of a remittance that left the dealer is not the dealer's business.
    let sees_remittance = scope.sees_all() || dealer == Some(scope.principal().0);
    let status: Status = get(row, if sees_remittance { "status" } else { "to_status" })?;
    let settler = dispute.settled_role.as_deref().map(|role| {
        Ok::<_, sqlx::Error>(HistoryActor::new(
            dispute.settled_by,
            role,
            row.try_get("settler_name")?,
        ))
    });
    Ok(DeliveryDispute {
        remittance_id: dispute.remittance,
        number: dispute.number,
        code: row.try_get("code")?,
        remittance_status: status.into(),
        recipient: row.try_get("recipient_name")?,
        payout: Money(get::<Amount>(row, "payout")?),
        currency_to: CurrencyCode(get(row, "currency")?),
        reported_by: Ref::named(dispute.reported_by, row, "reporter_name")?,
        dealer: Ref::maybe(dealer.filter(|_| sees_remittance), row, "dealer_name")?,
        status: if dispute.settled_at.is_some() {
            DisputeStatus::Settled
        } else {
            DisputeStatus::Open
        },
        refused: dispute.refused,
        delivered: dispute.delivered_at,
        sent: dispute.at,
        identification_document: dispute.identification.as_deref().map(crate::file_address),
        firm_picture: dispute.signature.as_deref().map(crate::file_address),
        to_representative: dispute.to_representative,
        settled: dispute.settled_at,
        settled_by: settler.transpose()?,
        settlement: dispute.settlement,
        actions: Vec::new(),
    })
}

/// Whether a file is the proof of a dispute in the caller's scope.
pub async fn shows_file(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    remittance: RemittanceId,
    hash: &str,
) -> Result<bool, ReadError> {
    let mut sql = transaction.rows("delivery_disputes", "x").after("SELECT x.number");
    and_visible(&mut sql, transaction, scope);
    sql.push(" AND x.remittance = ").bind(remittance.0);
    sql.push(" AND ")
        .bind(hash.to_owned())
        .push(" IN (x.identification, x.signature)");
    Ok(!transaction.fetch(&sql).await?.is_empty())
}

/// Whether a file is the proof of a remittance in the caller's scope, or of a dispute reported by the caller, by the checked stream.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn proves(
    journal: &Journal,
    tenant: &TenantId,
    scope: &Scope,
    remittance: RemittanceId,
    hash: &str,
) -> Result<bool, ReadError> {
    let stream = StreamId::new(StreamKind::Remittance, remittance);
    let is_proof = |identification: &str, signature: Option<&str>| identification == hash || signature == Some(hash);
    let mut state = StreamState::new(StreamKind::Remittance);
    let (mut is_reported, mut is_delivered) = (false, false);
    for recorded in journal.authentic_stream(tenant, stream).await? {
        state.apply(&recorded.event);
        match &recorded.event {
            Event::Remittance(RemittanceEvent::RemittanceCompleted(completed)) => {
                is_delivered |= is_proof(&completed.identification, completed.signature.as_deref());
            }
            Event::Remittance(RemittanceEvent::DeliveryDisputed(disputed)) if disputed.reported_by == scope.party => {
                is_reported |= is_proof(&disputed.identification, disputed.signature.as_deref());
            }
            _ => {}
        }
    }
    let sees = |own: &Remittance| is_visible(scope.caller(), Facts::from(own));
    Ok(is_reported || (is_delivered && state.remittance().is_some_and(sees)))
}

/// Name of a reason in the history.
pub(super) fn attempt_name(reason: caudal_domain::remittance::AttemptReason) -> String {
    AttemptReason(reason).name()
}
