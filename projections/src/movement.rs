//! Movements: deposits, assignments, transfers, expenses and payments.

mod kind;
mod part;

pub use kind::MovementKind;
pub(crate) use part::{Part, parts};

use crate::{
    batch::{Batch, approver, existing},
    debit,
    error::{ProjectError, ReadError},
    late,
    list::{self, Common, List, MatchedBy, Sample, SearchSpec, currency, filter, flag, money, sum, text, time},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Printing, Words, actor, word},
    read_transaction::{ReadTransaction, only},
    refs::{HistoryActor, Ref},
    rows::MovementRow,
    scalar::{CurrencyCode, Money},
    scope::Scope,
    sql::Sql,
    table::{self, Row as _, select_list},
    tally::{Change, Counted, Narrows, Tallies, TallySpec},
};
use caudal_domain::{ids::MovementId, movement::MovementEvent, party::Role};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use kind::Unnamed;
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

impl MovementRow {
    /// Parties of the movement.
    pub(crate) fn parties(&self) -> Vec<Uuid> {
        [self.from_party, self.to_party, Some(self.actor)]
            .into_iter()
            .flatten()
            .collect()
    }
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &MovementEvent) -> Result<(), ProjectError> {
    match event {
        MovementEvent::MovementPosted(posted) | MovementEvent::OpeningBalancePosted(posted) => {
            let movement = &posted.movement;
            batch.movements.put(MovementRow {
                id: movement.id.0,
                position: recorded.position,
                number: movement.number.clone(),
                kind: movement.kind,
                actor: movement.by.0,
                role: recorded.metadata.role.clone(),
                from_party: movement.from.map(Uuid::from),
                to_party: movement.to.map(Uuid::from),
                group_id: movement.group.map(Uuid::from),
                amount: movement.amount,
                currency: movement.currency,
                counter_amount: movement.counter.map(|counter| counter.amount),
                counter_currency: movement.counter.map(|counter| counter.currency),
                counter_rate: movement.counter.map(|counter| counter.rate),
                on_credit: movement.on_credit,
                debit: movement.debit.map(|debit| debit.id.0),
                note: posted.personal.get().and_then(|personal| personal.note.clone()),
                created_at: recorded.recorded_at,
                reversed_at: None,
                reversed_by: None,
                reverse_reason: None,
                approver: approver(recorded),
            });
            if let Some(opened) = &movement.debit {
                debit::open(batch, recorded, opened);
            }
            debit::pay(batch, recorded, &movement.payments)
        }
        MovementEvent::MovementReversed(reversed) => {
            let row = existing(&mut batch.movements, recorded, reversed.id)?;
            row.reversed_at = Some(recorded.recorded_at);
            row.reversed_by = Some(reversed.by.0);
            row.reverse_reason = reversed.personal.get().and_then(|personal| personal.note.clone());
            let row = row.clone();
            late::reversal(batch, recorded, &row, reversed);
            if let Some(voided) = reversed.voided_debit {
                debit::void(batch, recorded, voided)?;
            }
            debit::unpay(batch, recorded, &reversed.undone_payments)
        }
    }
}

/// Counts a row of the list.
pub(crate) fn tally(tallies: &mut Tallies, change: Change, row: &MovementRow) {
    let mut parties: Vec<Uuid> = row.from_party.into_iter().chain(row.to_party).collect();
    parties.dedup();
    let counted = Counted {
        list: "movements",
        position: row.position,
        part: 0,
        currency: row.currency.as_str(),
        amount: row.amount.minor(),
        values: parties.into_iter().map(|party| ("party", party.to_string())).collect(),
    };
    tallies.count(change, counted);
}

/// So much of a currency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MovementAmount {
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Amount, in `currency`.
    pub amount: Money,
}

/// A movement: money moved outside remittances.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Movement {
    /// UUID.
    pub id: Uuid,
    /// Human number, such as `M-000001`.
    pub number: String,
    /// Kind of the movement.
    pub kind: MovementKind,
    /// Giver; null for the manager, and where several parties' debits are paid.
    pub from: Option<Ref>,
    /// Receiver; null for the manager.
    pub to: Option<Ref>,
    /// Amount given and, when another currency is involved, its counter value. Of a payment that is also on debits of others, the
    /// part of the caller and its subordinates.
    pub amounts: Vec<MovementAmount>,
    /// Payment group of a balance; null for cash.
    pub payment_group_id: Option<Uuid>,
    /// Whether the value is owed instead of paid.
    pub on_credit: bool,
    /// Id of the debit that it opened; null when none.
    pub debit_id: Option<Uuid>,
    /// Note, or concept of an expense; null after erasure, and of a payment that is also on debits of others.
    pub note: Option<String>,
    /// Party that recorded it.
    pub actor: HistoryActor,
    /// Who approved it; null where it took effect at once.
    pub approved_by: Option<Ref>,
    /// Whether it was reversed.
    pub reversed: bool,
    /// Reason of the reversal; null when not reversed, after erasure, and of a payment that is also on debits of others.
    pub reverse_reason: Option<String>,
    /// Time of recording, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

impl Movement {
    /// Who gives, as files say it; nothing where it is nobody of the business.
    pub(crate) fn giver(&self, printing: &Printing) -> Option<String> {
        side(self.from.as_ref(), self.kind.giver(), printing)
    }

    /// Who receives, as files say it; nothing where it is nobody of the business.
    pub(crate) fn receiver(&self, printing: &Printing) -> Option<String> {
        side(self.to.as_ref(), self.kind.receiver(), printing)
    }
}

fn side(of: Option<&Ref>, unnamed: Unnamed, printing: &Printing) -> Option<String> {
    match (of, unnamed) {
        (Some(of), _) => Some(printing.name(of)),
        (None, Unnamed::Treasury) => Some(printing.say(word::TREASURY).to_owned()),
        (None, Unnamed::Nobody) => None,
    }
}

fn given(movement: &Movement) -> Option<&MovementAmount> {
    movement.amounts.first()
}

fn counter(movement: &Movement) -> Option<&MovementAmount> {
    movement.amounts.get(1)
}

pub const MOVEMENTS: List<Movement> = List {
    title: word::MOVEMENTS,
    columns: &[
        text("number", word::NUMBER, |m: &Movement, _| Some(m.number.clone())).in_order("m.position"),
        time("created", word::DATE, |m: &Movement| Some(m.created)).in_order("m.position"),
        text("kind", word::KIND, |m: &Movement, p| {
            Some(p.say(m.kind.words()).to_owned())
        })
        .bounded("m.kind || CASE WHEN m.kind = 'cash_assignment' THEN t.role ELSE '' END"),
        text("from", word::FROM, |m: &Movement, p| m.giver(p))
            .bounded("(SELECT p.search FROM parties AS p WHERE p.tenant = m.tenant AND p.id = m.from_party)"),
        text("to", word::TO, |m: &Movement, p| m.receiver(p)).bounded("t.search"),
        sum("amount", word::AMOUNT, |m: &Movement| {
            given(m).map(|given| given.amount)
        })
        .sort("m.amount"),
        currency("currency", word::CURRENCY, |m: &Movement| {
            given(m).map(|given| given.currency)
        })
        .bounded("m.currency"),
        money(
            "counterAmount",
            Words::new("Contravalor", "Counter amount"),
            |m: &Movement| counter(m).map(|counter| counter.amount),
        )
        .bounded("CASE WHEN m.counter_currency <> m.currency THEN m.counter_amount END"),
        text(
            "counterCurrency",
            Words::new("Moneda del contravalor", "Counter currency"),
            |m: &Movement, _| counter(m).map(|counter| counter.currency.0.to_string()),
        )
        .bounded("CASE WHEN m.counter_currency <> m.currency THEN m.counter_currency END"),
        flag("onCredit", word::ON_CREDIT, |m: &Movement| m.on_credit).bounded("m.on_credit"),
        flag("reversed", Words::new("Revertido", "Reversed"), |m: &Movement| {
            m.reversed
        })
        .bounded("m.reversed_at IS NOT NULL"),
        text("reverseReason", word::REASON_OF_THE_REVERSAL, |m: &Movement, _| {
            m.reverse_reason.clone()
        })
        .bounded("lower(m.reverse_reason)"),
        text("actor", word::WHO, |m: &Movement, p| actor(&m.actor, p))
            .bounded("(SELECT p.search FROM parties AS p WHERE p.tenant = m.tenant AND p.id = m.actor)"),
        text("note", word::NOTE, |m: &Movement, _| m.note.clone()).bounded("lower(m.note)"),
    ],
    filters: &[
        filter::any_id(
            "partyId",
            word::USER,
            "Given or received by this party.",
            &["m.from_party", "m.to_party"],
        )
        .counted(Narrows::Id("party")),
        filter::id("AgencyId", word::AGENCY, "To this agency.", "m.to_party"),
        filter::id("AgentId", word::AGENT, "To this agent.", "m.to_party"),
        filter::id(
            "dealerId",
            word::DEALER,
            "To this dealer or delivery man.",
            "m.to_party",
        ),
        filter::one_of(
            "kind",
            word::KIND,
            "Of this kind.",
            kind::KIND,
            MovementKind::CONDITIONS,
        ),
        filter::flagged(
            "reversed",
            Words::new("Revertido", "Reversed"),
            "Whether they were taken back.",
            &[
                ("true", "m.reversed_at IS NOT NULL"),
                ("false", "m.reversed_at IS NULL"),
            ],
        ),
        filter::in_currency("Of this currency.", "m.currency").counted(Narrows::Currency),
        filter::first_day("initDate", "Made on this day or later.", "m.created_at").counted(Narrows::Days),
        filter::last_day("finalDate", "Made on this day or before.", "m.created_at").counted(Narrows::Days),
    ],
    search: Some(&SEARCH),
    default_sort: "-created",
    tie: "m.position",
    counted: Some(&TallySpec {
        list: "movements",
        alias: "m",
        position: "m.position",
        time: "m.created_at",
        has_index_of_time: true,
    }),
    hides_prices: false,
};

/// List of assignments to agencies, agents or dealers.
pub const ASSIGNMENTS: List<Movement> = List {
    title: word::ASSIGNED_BALANCES,
    ..MOVEMENTS
};

/// The list of a caller who does not see all. Its search compares the parties that the caller sees; the index has those of whole
/// payments.
const OWN: List<Movement> = List {
    search: Some(&OWN_SEARCH),
    ..MOVEMENTS
};

const OWN_SEARCH: SearchSpec = SearchSpec {
    function: None,
    ..SEARCH
};

const SEARCH: SearchSpec = SearchSpec {
    function: Some(("search_movements", MatchedBy::Within("m.id = ANY (ARRAY(", "))"))),
    common: Some(Common {
        samples: &[Sample {
            table: "movements",
            alias: "m",
            only: "TRUE",
            position: "m.position",
            text: SEARCHED,
        }],
        alias: "m",
        position: "m.position",
    }),
    ..SearchSpec::of(&[SEARCHED])
};

/// Number and parties, folded.
const SEARCHED: &str = "(', ' || replace(lower(m.number), '-', ' ') || ' ,'
    || coalesce((SELECT p.search FROM parties AS p WHERE p.tenant = m.tenant AND p.id = m.from_party), '')
    || coalesce((SELECT p.search FROM parties AS p WHERE p.tenant = m.tenant AND p.id = m.to_party), ''))";

/// Join for the receiver `t` of a movement `m`, which conditions and sorts read too.
const RECEIVER: &str = " LEFT JOIN parties AS t ON t.tenant = m.tenant AND t.id = m.to_party";
/// Joins for the names shown.
const NAMES: &str = "
    LEFT JOIN parties AS f ON f.tenant = m.tenant AND f.id = m.from_party
    LEFT JOIN parties AS a ON a.tenant = m.tenant AND a.id = m.actor
    LEFT JOIN parties AS b ON b.tenant = m.tenant AND b.id = m.approver";

/// Receivers of the listed assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receivers {
    /// Agencies: balances.
    Agencies,
    /// External agents: balances.
    Agents,
    /// Dealers and their delivery men: cash.
    Dealers,
}

/// Movements given or received by the caller or its subordinates.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Movement>, ReadError> {
    let from = visible(transaction, scope, "");
    if !scope.sees_all() {
        return listed(transaction, scope, query, from).await;
    }
    let keys = MOVEMENTS
        .counted_keys::<Uuid>(transaction, None, query, from, "m.id")
        .await?;
    let rows = views(transaction, scope, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// Assignments to agencies, agents or dealers.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn assignments(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    receivers: Receivers,
    query: &ListQuery,
) -> Result<Page<Movement>, ReadError> {
    let mut from = visible(transaction, scope, "");
    from.push(match receivers {
        Receivers::Agencies => " AND m.kind = 'assignment' AND t.role = 'agency'",
        Receivers::Agents => " AND m.kind = 'assignment' AND t.role = 'external_agent'",
        Receivers::Dealers => " AND m.kind = 'cash_assignment'",
    });
    listed(transaction, scope, query, from).await
}

/// Opening balances that are not reversed, as the read models have them: which they are; what they are is the log's.
///
/// # Errors
/// When the database fails.
pub async fn standing_openings(transaction: &mut ReadTransaction) -> Result<Vec<MovementId>, ReadError> {
    let mut sql = transaction.rows("movements", "m").after("SELECT m.id");
    sql.push(" AND m.kind = ")
        .bind(caudal_domain::movement::MovementKind::Opening.as_str());
    sql.push(" AND m.reversed_at IS NULL");
    let ids = transaction.fetch_ids(&sql).await?;
    Ok(ids.into_iter().map(MovementId).collect())
}

/// One movement.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: MovementId) -> Result<Movement, ReadError> {
    only(views(transaction, scope, &[id.0]).await?, "movement_not_found")
}

/// `FROM … WHERE …` of what a caller sees of the movements in its scope, as `m` with receivers `t` and more joins.
fn visible(transaction: &ReadTransaction, scope: &Scope, joins: &str) -> Sql {
    if scope.sees_all() {
        return transaction.joined(&format!("movements AS m{RECEIVER}{joins}"), "m");
    }
    let mut from = Sql::new("FROM ");
    part::push(&mut from, transaction.tenant(), scope);
    from.push(&format!("{RECEIVER}{joins} WHERE m.tenant = "))
        .bind(transaction.tenant());
    from
}

/// Those of the movements that are in the caller's scope.
pub(crate) async fn in_scope(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, ReadError> {
    let mut from = visible(transaction, scope, "").after("SELECT m.id");
    from.push(" AND m.id = ANY (").bind(ids.to_vec()).push(")");
    transaction.fetch_ids(&from).await
}

/// Notification details of a record beside its name.
pub(crate) struct About {
    pub(crate) name: Option<String>,
    pub(crate) amounts: Vec<MovementAmount>,
}

/// Notification details of movements in the caller's scope: receiver, else giver, and amount.
pub(crate) async fn about(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, About>, ReadError> {
    let rows = views(transaction, scope, ids).await?;
    let about = |movement: Movement| {
        let named = movement.to.or(movement.from);
        let about = About {
            name: named.and_then(|party| party.name),
            amounts: movement.amounts,
        };
        (movement.id, about)
    };
    Ok(rows.into_iter().map(about).collect())
}

async fn listed(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    from: Sql,
) -> Result<Page<Movement>, ReadError> {
    let list = if scope.sees_all() { &MOVEMENTS } else { &OWN };
    let keys = list.keys::<Uuid>(transaction, query, from, "m.id").await?;
    let rows = views(transaction, scope, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// What a caller sees of movements; those outside its scope are left out.
async fn views(transaction: &mut ReadTransaction, scope: &Scope, ids: &[Uuid]) -> Result<Vec<Movement>, ReadError> {
    let mut sql = visible(transaction, scope, NAMES).after(&format!(
        "SELECT f.name AS from_name, t.name AS to_name, t.role AS to_role, a.name AS actor_name, b.name AS approver_name, {}",
        select_list::<MovementRow>("m", "")
    ));
    sql.push(" AND m.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let rows = found.iter().map(view).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(list::in_order(ids, rows, |movement| movement.id))
}

fn view(row: &PgRow) -> Result<Movement, sqlx::Error> {
    let movement = MovementRow::read(row, "")?;
    let given = MovementAmount {
        currency: movement.currency.into(),
        amount: movement.amount.into(),
    };
    let counter = movement.counter_currency.zip(movement.counter_amount);
    let counter = counter.filter(|(currency, _)| *currency != movement.currency);
    let counter = counter.map(|(currency, amount)| MovementAmount {
        currency: currency.into(),
        amount: amount.into(),
    });
    let to_role: Option<Role> = table::get(row, "to_role")?;
    Ok(Movement {
        id: movement.id,
        kind: MovementKind::of(movement.kind, to_role),
        from: Ref::maybe(movement.from_party, row, "from_name")?,
        to: Ref::maybe(movement.to_party, row, "to_name")?,
        amounts: std::iter::once(given).chain(counter).collect(),
        payment_group_id: movement.group_id,
        on_credit: movement.on_credit,
        debit_id: movement.debit,
        note: movement.note,
        actor: HistoryActor::new(Some(movement.actor), &movement.role, row.try_get("actor_name")?),
        approved_by: Ref::maybe(movement.approver, row, "approver_name")?,
        reversed: movement.reversed_at.is_some(),
        reverse_reason: movement.reverse_reason,
        created: movement.created_at,
        actions: Vec::new(),
        number: movement.number,
    })
}
