//! Changes for live streams: one row per event with the parties in whose scope it is. No personal data.

use crate::{
    batch::Batch,
    debit,
    error::ReadError,
    read_transaction::ReadTransaction,
    rows::ChangeRow,
    scalar::StreamKind,
    scope::Scope,
    sql::Sql,
    table::{Ids, get},
};
use caudal_domain::{
    Event, StreamKind as Kind, closure::ClosureEvent, customer::CustomerEvent, movement::MovementEvent,
    party::PartyEvent,
};
use caudal_journal::Recorded;
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::BTreeSet;
use utoipa::ToSchema;
use uuid::Uuid;

/// Retention of changes per tenant: the newest. Twice [`MAX_CATCH_UP`], so that a stream that resumes never meets a
/// deleted change.
pub const KEPT_CHANGES: i64 = 20_000;
/// Batch size of deletions: they run when the log passes a multiple of it.
const DELETED_AT_ONCE: i64 = 500;

/// Maximum lag at which a stream can resume. Beyond it, a full reload is cheaper.
pub const MAX_CATCH_UP: i64 = 10_000;
const _: () = assert!(MAX_CATCH_UP < KEPT_CHANGES, "a stream that resumes finds every change");

/// Position through which changes are deleted when the read models are at `position`. A pure function of the position,
/// so that a replay retains the same changes.
#[must_use]
pub const fn deleted_through(position: i64) -> i64 {
    if position <= KEPT_CHANGES {
        return 0;
    }
    (position - KEPT_CHANGES) / DELETED_AT_ONCE * DELETED_AT_ONCE
}

/// Maximum changes per answer; followers page.
const MAX_CHANGES: i64 = 1_000;

/// Parties in whose scope a record is; `None` for all.
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

/// Parties named by an event whose agencies and dealers are notified too.
pub(crate) fn parties(event: &Event) -> Vec<Uuid> {
    let named = match event {
        Event::Movement(MovementEvent::MovementPosted(posted) | MovementEvent::OpeningBalancePosted(posted)) => {
            let movement = &posted.movement;
            vec![movement.from, movement.to, Some(movement.by)]
        }
        Event::Closure(ClosureEvent::PeriodClosed(closure)) => vec![Some(closure.party)],
        _ => Vec::new(),
    };
    named.into_iter().flatten().map(Uuid::from).collect()
}

/// Audience of an event's record, from the rows of the batch.
pub(crate) fn audience(batch: &Batch, recorded: &Recorded) -> Audience {
    let id = (recorded.stream.id,);
    match recorded.stream.kind {
        Kind::Tenant | Kind::Currency | Kind::Place | Kind::PaymentGroup => None,
        // What a login needs is told to its party and to managers.
        Kind::Party if is_of_login(&recorded.event) => Some([recorded.stream.id].into()),
        Kind::Party => Some(with_above(batch, [recorded.stream.id])),
        // Sellers are not told what an authority asks for.
        Kind::Customer if is_of_managers(&recorded.event) => Some(BTreeSet::new()),
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
        // Managers only; parties whose terms change are notified by the change of the terms.
        Kind::Rates => Some(BTreeSet::new()),
        Kind::ApiKey => {
            let row = batch.api_keys.get(&id);
            Some(row.map(|row| row.party).into_iter().collect())
        }
        Kind::Webhook => {
            let row = batch.webhooks.get(&id);
            Some(row.map(|row| row.party).into_iter().collect())
        }
        Kind::Proposal => {
            let row = batch.proposals.get(&id);
            Some(with_above(batch, row.map(|row| row.maker)))
        }
        Kind::Closure => Some(with_above(batch, parties(&recorded.event))),
    }
}

/// Whether an event is about the second factor or the access of a party's login.
const fn is_of_login(event: &Event) -> bool {
    matches!(
        event,
        Event::Party(
            PartyEvent::SecondFactorEnrolled { .. }
                | PartyEvent::SecondFactorRemoved { .. }
                | PartyEvent::RecoveryCodeUsed { .. }
                | PartyEvent::PasskeyAdded { .. }
                | PartyEvent::PasskeyRemoved { .. }
                | PartyEvent::PasskeyRefused { .. }
                | PartyEvent::OfficeAccessSet { .. }
        )
    )
}

/// Whether only managers learn of a customer's event.
pub(crate) const fn is_of_managers(event: &Event) -> bool {
    matches!(
        event,
        Event::Customer(
            CustomerEvent::DossierExported { .. }
                | CustomerEvent::CustomerScreened(_)
                | CustomerEvent::ScreeningPairDecided(_)
                | CustomerEvent::PersonIdentified(_)
                | CustomerEvent::PersonDocumentReleased(_)
        )
    )
}

/// Parties with their agencies and dealers.
fn with_above(batch: &Batch, parties: impl IntoIterator<Item = Uuid>) -> BTreeSet<Uuid> {
    let above = |id: Uuid| std::iter::once(id).chain(batch.kept.superiors.of(id));
    parties.into_iter().flat_map(above).collect()
}

/// A change of the ledger; the client reloads the affected rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerChange {
    /// Position of the event in the tenant's log, from 1.
    pub position: i64,
    /// Kind of the record.
    pub kind: StreamKind,
    /// Id of the record.
    pub id: Uuid,
    /// Whether the caller made the change, on any device.
    pub own: bool,
}

/// A change with its author and audience.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScopedChange {
    /// The change as sent to others than its author.
    pub change: LedgerChange,
    /// Author; `None` for the system.
    actor: Option<Uuid>,
    /// Parties in whose scope it is; `None` for all.
    audience: Option<Box<[Uuid]>>,
}

impl ScopedChange {
    /// A change visible to all, such as one of reference data.
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

    /// The change as sent to a caller; `None` outside the caller's scope.
    #[must_use]
    pub fn told_to(&self, scope: &Scope) -> Option<LedgerChange> {
        self.is_in(scope).then(|| LedgerChange {
            own: self.actor == Some(scope.party.0),
            ..self.change.clone()
        })
    }

    /// Whether the change is in a caller's scope. The only place that decides the audience.
    #[must_use]
    pub fn is_in(&self, scope: &Scope) -> bool {
        let Some(audience) = &self.audience else { return true };
        // A party always learns of the own record.
        let is_own = self.change.kind.0 == Kind::Party && self.change.id == scope.party.0;
        if !is_own && !scope.reads_records_of(self.change.kind.0) {
            return false;
        }
        scope.sees_all()
            || audience.contains(&scope.principal().0)
            || audience.contains(&scope.party.0)
            || (self.change.kind.0 == Kind::Customer && audience.contains(&scope.customer_owner().0))
    }
}

/// Changes after a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// All changes in order, of any audience.
    Of {
        changes: Vec<ScopedChange>,
        /// Position reached; the next request starts here.
        through: i64,
    },
    /// The position is too far behind or ahead: reload everything and follow from `at`.
    Reset {
        /// Position of the read models.
        at: i64,
    },
}

/// Changes after a position for all callers of the tenant; filter by [`ScopedChange::is_in`].
pub async fn after(transaction: &mut ReadTransaction, position: i64) -> Result<Changes, ReadError> {
    let at = transaction.position();
    if position > at || position < 0 || at - position > MAX_CATCH_UP {
        return Ok(Changes::Reset { at });
    }
    let mut sql = changes_and_actors(transaction);
    sql.push(" AND c.position > ").bind(position);
    sql.push(" ORDER BY c.position LIMIT ").bind(MAX_CHANGES);
    let rows = transaction.fetch(&sql).await?;
    let changes = rows.iter().map(read).collect::<Result<Vec<_>, sqlx::Error>>()?;
    let full = i64::try_from(changes.len()).is_ok_and(|count| count == MAX_CHANGES);
    let through = changes.last().filter(|_| full).map_or(at, |last| last.change.position);
    Ok(Changes::Of { changes, through })
}

/// Changes at positions, in order, within the caller's scope.
pub(crate) async fn at(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    positions: &[i64],
) -> Result<Vec<LedgerChange>, ReadError> {
    let mut sql = changes_and_actors(transaction);
    sql.push(" AND c.position = ANY (").bind(positions.to_vec());
    sql.push(") ORDER BY c.position");
    let rows = transaction.fetch_by_keys(&sql).await?;
    let changes = rows.iter().map(read).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(changes.iter().filter_map(|change| change.told_to(scope)).collect())
}

fn changes_and_actors(transaction: &ReadTransaction) -> Sql {
    let tables = "changes AS c LEFT JOIN journal.events AS e ON e.tenant = c.tenant AND e.position = c.position";
    let columns = "SELECT c.position, c.kind, c.id, c.audience, e.metadata ->> 'actor' AS actor";
    transaction.joined(tables, "c").after(columns)
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
