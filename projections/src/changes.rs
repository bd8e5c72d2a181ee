//! What changed, for live streams: one row an event, with those in whose scope it is. Nothing personal.

use crate::{
    debit,
    error::ReadError,
    projector::batch::Batch,
    scalar::StreamKind,
    scope::Scope,
    snapshot::Snapshot,
    sql::Sql,
    table::{Ids, get, row},
};
use caudal_domain::{Event, StreamKind as Kind, closure::ClosureEvent, movement::MovementEvent};
use caudal_journal::Recorded;
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::BTreeSet;
use utoipa::ToSchema;
use uuid::Uuid;

/// How many changes of a tenant are kept: the newest. Twice what a stream may be behind, so that one that resumes never
/// finds a change gone.
pub const KEPT_CHANGES: i64 = 20_000;
/// Changes are deleted so many at a time, when the log passes a multiple of this: a sale pays nothing for it.
const DELETED_AT_ONCE: i64 = 500;

/// How far behind a stream may resume. One that is further behind loads everything anew, which is cheaper.
pub const MAX_CATCH_UP: i64 = 10_000;
const _: () = assert!(MAX_CATCH_UP < KEPT_CHANGES, "a stream that resumes finds every change");

/// The position through which the changes are deleted once the read models have reached a position. It depends on that
/// position alone, so that a replay keeps the same changes.
#[must_use]
pub const fn deleted_through(position: i64) -> i64 {
    if position <= KEPT_CHANGES {
        return 0;
    }
    (position - KEPT_CHANGES) / DELETED_AT_ONCE * DELETED_AT_ONCE
}

/// The most changes of one answer; whoever follows asks again.
const MAX_CHANGES: i64 = 1_000;

row! {
    ChangeRow in "changes" key (position: i64) {
        position: i64,
        kind: Kind,
        id: Uuid,
        audience: Option<Ids>,
    }
}

/// The parties in whose scope something is; everybody where none.
type Audience = Option<BTreeSet<Uuid>>;

impl ChangeRow {
    pub(crate) fn new(recorded: &Recorded, before: Audience, after: Audience) -> Self {
        let audience = before
            .zip(after)
            .map(|(before, after)| Ids(before.union(&after).copied().collect()));
        Self {
            position: recorded.position,
            kind: recorded.stream.kind,
            id: recorded.stream.id,
            audience,
        }
    }
}

/// The parties that an event names and whose agencies and dealers are to be told too.
pub(crate) fn parties(event: &Event) -> Vec<Uuid> {
    let named = match event {
        Event::Movement(MovementEvent::MovementPosted(posted)) => {
            let movement = &posted.movement;
            vec![movement.from, movement.to, Some(movement.by)]
        }
        Event::Closure(ClosureEvent::PeriodClosed(closure)) => vec![Some(closure.party)],
        _ => Vec::new(),
    };
    named.into_iter().flatten().map(Uuid::from).collect()
}

/// In whose scope an event's subject is, as the rows of the batch stand.
pub(crate) fn audience(batch: &Batch, recorded: &Recorded) -> Audience {
    let id = (recorded.stream.id,);
    match recorded.stream.kind {
        Kind::Tenant | Kind::Currency | Kind::Place | Kind::PaymentGroup => None,
        Kind::Party => Some(with_above(batch, [recorded.stream.id])),
        Kind::Customer => Some(batch.customers.get(&id).map(|row| row.owner).into_iter().collect()),
        Kind::Remittance => {
            let row = batch.remittances.get(&id);
            let seen = row.map(|row| [Some(row.seller), row.agency, row.agent, row.dealer, row.delivery_man]);
            Some(seen.into_iter().flatten().flatten().collect())
        }
        Kind::Movement => {
            let row = batch.movements.get(&id);
            let debits = debit::touched(&recorded.event);
            let debtors = debits
                .iter()
                .filter_map(|debit| batch.debits.get(&(*debit,)))
                .map(|debit| debit.debtor);
            Some(with_above(
                batch,
                row.into_iter().flat_map(|row| row.parties()).chain(debtors),
            ))
        }
        // Managers alone; whoever's terms change is told by the change of the terms.
        Kind::Rates => Some(BTreeSet::new()),
        Kind::Closure => Some(with_above(batch, parties(&recorded.event))),
    }
}

/// Parties with their agencies and dealers.
fn with_above(batch: &Batch, parties: impl IntoIterator<Item = Uuid>) -> BTreeSet<Uuid> {
    let above = |id: Uuid| std::iter::once(id).chain(batch.kept.superiors.of(id));
    parties.into_iter().flat_map(above).collect()
}

/// What of the ledger changed; the rows behind it are to be asked for again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerChange {
    /// Where in the tenant's log.
    pub position: i64,
    /// What sort of thing.
    pub kind: StreamKind,
    /// Which one.
    pub id: Uuid,
    /// Whether the caller did it, on whatever device.
    pub own: bool,
}

/// A change, who made it, and in whose scope it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedChange {
    /// The change, as it is told to others than who made it.
    pub change: LedgerChange,
    /// Who made it; none for the system.
    actor: Option<Uuid>,
    /// The parties in whose scope it is; everybody where none.
    audience: Option<Box<[Uuid]>>,
}

impl ScopedChange {
    /// A change that everybody hears of, as of reference data.
    #[must_use]
    pub fn of_everybody(position: i64) -> Self {
        Self {
            change: LedgerChange {
                position,
                kind: StreamKind(Kind::Currency),
                id: Uuid::nil(),
                own: false,
            },
            actor: None,
            audience: None,
        }
    }

    /// The change as a caller is told of it; none where it is not in the caller's scope.
    #[must_use]
    pub fn told_to(&self, scope: &Scope) -> Option<LedgerChange> {
        self.is_in(scope).then(|| LedgerChange {
            own: self.actor == Some(scope.party.0),
            ..self.change.clone()
        })
    }

    /// Whether the change is in a caller's scope. This is the one place that decides who hears of what.
    #[must_use]
    pub fn is_in(&self, scope: &Scope) -> bool {
        let Some(audience) = &self.audience else { return true };
        scope.sees_all()
            || audience.contains(&scope.principal().0)
            || audience.contains(&scope.party.0)
            || (self.change.kind.0 == Kind::Customer && audience.contains(&scope.customer_owner().0))
    }
}

/// What changed after a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// The changes in order, whosever they are.
    Of {
        changes: Vec<ScopedChange>,
        /// The position that they reach, from which to ask on.
        through: i64,
    },
    /// Too far behind, or ahead of what there is: load everything anew and follow from here.
    Reset {
        /// The position that the read models have reached.
        at: i64,
    },
}

/// What changed after a position, for all of the tenant's callers; [`ScopedChange::is_in`] tells whose it is.
pub async fn after(snapshot: &mut Snapshot, position: i64) -> Result<Changes, ReadError> {
    let at = snapshot.position();
    if position > at || position < 0 || at - position > MAX_CATCH_UP {
        return Ok(Changes::Reset { at });
    }
    let mut sql = changes_and_actors(snapshot);
    sql.push(" AND c.position > ").bind(position);
    sql.push(" ORDER BY c.position LIMIT ").bind(MAX_CHANGES);
    let rows = snapshot.fetch(&sql).await?;
    let changes = rows.iter().map(read).collect::<Result<Vec<_>, sqlx::Error>>()?;
    let full = i64::try_from(changes.len()).is_ok_and(|count| count == MAX_CHANGES);
    let through = changes.last().filter(|_| full).map_or(at, |last| last.change.position);
    Ok(Changes::Of { changes, through })
}

/// The changes at positions, in order, that are in the caller's scope.
pub(crate) async fn at(
    snapshot: &mut Snapshot,
    scope: &Scope,
    positions: &[i64],
) -> Result<Vec<LedgerChange>, ReadError> {
    let mut sql = changes_and_actors(snapshot);
    sql.push(" AND c.position = ANY (").bind(positions.to_vec());
    sql.push(") ORDER BY c.position");
    let rows = snapshot.fetch_by_keys(&sql).await?;
    let changes = rows.iter().map(read).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(changes.iter().filter_map(|change| change.told_to(scope)).collect())
}

fn changes_and_actors(snapshot: &Snapshot) -> Sql {
    let tables = "changes AS c LEFT JOIN journal.events AS e ON e.tenant = c.tenant AND e.position = c.position";
    let columns = "SELECT c.position, c.kind, c.id, c.audience, e.metadata ->> 'actor' AS actor";
    snapshot.joined(tables, "c").after(columns)
}

fn read(row: &PgRow) -> Result<ScopedChange, sqlx::Error> {
    let actor: Option<String> = row.try_get("actor")?;
    Ok(ScopedChange {
        change: LedgerChange {
            position: row.try_get("position")?,
            kind: StreamKind(get(row, "kind")?),
            id: row.try_get("id")?,
            own: false,
        },
        actor: actor.and_then(|actor| actor.parse().ok()),
        audience: row
            .try_get::<Option<Vec<Uuid>>, _>("audience")?
            .map(Vec::into_boxed_slice),
    })
}
