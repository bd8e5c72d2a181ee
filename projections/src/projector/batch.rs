//! A batch of events, folded in memory: affected rows are loaded once, changed, and written once.

use crate::{
    accounting::{self, DayRow, SaleLineRow, SalesRow},
    api_key::{self, ApiKeyRow},
    audit,
    changes::{self, ChangeRow},
    closure::{self, ClosureRow},
    customer::{self, CardRow, CustomerRow},
    debit::{self, DebitRow, PaymentRow},
    error::ProjectError,
    forgetting,
    ledger::{self, AccountRow, EntryRow, FlowRow, LineRow},
    movement::{self, MovementRow},
    nomenclator::{
        currency::{self, CurrencyRow},
        payment_group::{self, PaymentGroupRow},
        place::{self, MunicipalityRow, ProvinceRow},
    },
    party::{self, PartyRow, Superiors, TermsRow},
    rates::{self, RateChangeRow},
    remittance::{
        self, HistoryRow, RemittanceRow,
        dispute::{self, DisputeRow},
    },
    table::Stand,
    table::{Row, Rows, Writes},
    tally::{Change, Tallies},
    tenant::{self, TenantRow},
    webhook::{self, WebhookRow},
};
use caudal_domain::{DEFAULT_ZONE, Event, StreamKind, ids::TenantId};
use caudal_journal::{LogPoint, Recorded};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use sqlx::PgConnection;
use std::collections::{BTreeSet, HashSet};
use uuid::Uuid;

/// Rows affected by a batch of events.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Cached rows of the previous batch.
    pub(crate) kept: Kept,
    pub(crate) tenants: Vec<TenantRow>,
    pub(crate) provinces: Rows<ProvinceRow>,
    pub(crate) municipalities: Rows<MunicipalityRow>,
    pub(crate) groups: Rows<PaymentGroupRow>,
    pub(crate) parties: Rows<PartyRow>,
    pub(crate) terms: Rows<TermsRow>,
    pub(crate) customers: Rows<CustomerRow>,
    pub(crate) cards: Vec<CardRow>,
    pub(crate) remittances: Rows<RemittanceRow>,
    pub(crate) history: Vec<HistoryRow>,
    pub(crate) disputes: Rows<DisputeRow>,
    pub(crate) entries: Vec<EntryRow>,
    pub(crate) lines: Vec<LineRow>,
    pub(crate) movements: Rows<MovementRow>,
    pub(crate) debits: Rows<DebitRow>,
    pub(crate) payments: Rows<PaymentRow>,
    pub(crate) closures: Vec<ClosureRow>,
    pub(crate) rates: Rows<RateChangeRow>,
    pub(crate) api_keys: Rows<ApiKeyRow>,
    pub(crate) webhooks: Rows<WebhookRow>,
    pub(crate) sale_lines: Vec<SaleLineRow>,
    pub(crate) changes: Vec<ChangeRow>,
    /// Changes of the lists' tallies.
    pub(crate) tallies: Tallies,
    /// Customers erased by the batch.
    pub(crate) forgotten_customers: Vec<Uuid>,
    /// Parties erased by the batch.
    pub(crate) forgotten_parties: Vec<Uuid>,
}

/// Cache of rows that most batches change. Valid until another writer projects; contains nothing personal.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) currencies: Rows<CurrencyRow>,
    /// Whether all currencies are loaded.
    pub(crate) has_currencies: bool,
    pub(crate) accounts: Rows<AccountRow>,
    /// Number of accounts, to number the next one.
    pub(crate) account_count: Option<i32>,
    pub(crate) flows: Rows<FlowRow>,
    /// Number of flows, to number the next one.
    pub(crate) flow_count: Option<i32>,
    pub(crate) sales: Rows<SalesRow>,
    /// Number of sales rows, to number the next one.
    pub(crate) sales_count: Option<i32>,
    pub(crate) days: Rows<DayRow>,
    /// The tenant's time zone, once needed by remittances.
    pub(crate) zone: Option<Tz>,
    pub(crate) superiors: Superiors,
    /// Whether old changes are known to be deleted up to the last multiple.
    has_changes_bounded: bool,
}

/// Cache limit in rows per tenant, some hundred bytes each.
const KEPT_ROWS: usize = 10_000;

impl Kept {
    fn rows(&self) -> usize {
        self.currencies.len()
            + self.accounts.len()
            + self.flows.len()
            + self.sales.len()
            + self.days.len()
            + self.superiors.len()
    }

    /// The cache after a commit; cleared when too large.
    fn settled(mut self) -> Self {
        if self.rows() > KEPT_ROWS {
            return Self::default();
        }
        self.currencies.settle();
        self.accounts.settle();
        self.flows.settle();
        self.sales.settle();
        self.days.settle();
        self.has_changes_bounded = true;
        self
    }
}

/// Mode of writing a batch.
#[derive(Debug, Default)]
pub(crate) struct Writing<'a> {
    /// Accumulates tallies instead of writing them.
    pub(crate) held: Option<&'a mut Tallies>,
    /// Writes only if the tables have this state (optimistic); without it the position's row is locked first.
    pub(crate) only_at: Option<Stand>,
}

/// Existing streams of a kind touched by events; streams created among them have no rows yet.
fn touched(events: &[Recorded], kind: StreamKind) -> Vec<Uuid> {
    let of_kind = || events.iter().filter(|recorded| recorded.stream.kind == kind);
    let begun: HashSet<Uuid> = of_kind()
        .filter(|recorded| recorded.sequence == 1)
        .map(|recorded| recorded.stream.id)
        .collect();
    let ids: BTreeSet<Uuid> = of_kind().map(|recorded| recorded.stream.id).collect();
    ids.into_iter().filter(|id| !begun.contains(id)).collect()
}

impl Batch {
    /// Loads the rows that events change, except cached ones.
    pub(crate) async fn load(
        connection: &mut PgConnection,
        tenant: &TenantId,
        events: &[Recorded],
        kept: Kept,
    ) -> Result<Self, sqlx::Error> {
        let mut batch = Self {
            kept,
            ..Self::default()
        };
        let of = |kind: StreamKind| -> Vec<Uuid> {
            let streams = events.iter().map(|recorded| recorded.stream);
            streams
                .filter(|stream| stream.kind == kind)
                .map(|stream| stream.id)
                .collect()
        };
        let places = of(StreamKind::Place);
        batch
            .kept
            .currencies
            .load(&mut *connection, tenant, of(StreamKind::Currency))
            .await?;
        batch.provinces.load(&mut *connection, tenant, places.clone()).await?;
        batch.municipalities.load(&mut *connection, tenant, places).await?;
        batch
            .groups
            .load(&mut *connection, tenant, of(StreamKind::PaymentGroup))
            .await?;
        batch
            .customers
            .load(&mut *connection, tenant, touched(events, StreamKind::Customer))
            .await?;
        batch
            .remittances
            .load(&mut *connection, tenant, touched(events, StreamKind::Remittance))
            .await?;
        let disputes = events.iter().filter_map(dispute::touched);
        batch.disputes.load(&mut *connection, tenant, disputes).await?;
        batch
            .rates
            .load(&mut *connection, tenant, touched(events, StreamKind::Rates))
            .await?;
        batch
            .api_keys
            .load(&mut *connection, tenant, touched(events, StreamKind::ApiKey))
            .await?;
        batch
            .webhooks
            .load(&mut *connection, tenant, touched(events, StreamKind::Webhook))
            .await?;
        let movements = touched(events, StreamKind::Movement);
        batch.payments.load(&mut *connection, tenant, movements.clone()).await?;
        batch.movements.load(&mut *connection, tenant, movements).await?;
        let debits = events.iter().flat_map(|recorded| debit::touched(&recorded.event));
        batch.debits.load(&mut *connection, tenant, debits).await?;
        batch
            .parties
            .load(&mut *connection, tenant, touched(events, StreamKind::Party))
            .await?;
        let mut parties = of(StreamKind::Party);
        parties.extend(events.iter().flat_map(|recorded| changes::parties(&recorded.event)));
        parties.extend(batch.movements.iter().flat_map(MovementRow::parties));
        parties.extend(batch.debits.iter().map(|debit| debit.debtor));
        parties.extend(events.iter().flat_map(|recorded| ledger::owners(&recorded.event)));
        batch.kept.superiors.load(&mut *connection, tenant, parties).await?;
        ledger::load(&mut batch, &mut *connection, tenant, events).await?;
        accounting::load(&mut batch, connection, tenant, events).await?;
        batch.tally(Change::Goes);
        Ok(batch)
    }

    /// Subtracts the rows of lists before they change, and adds them afterwards.
    fn tally(&mut self, change: Change) {
        for row in self.customers.iter() {
            customer::tally(&mut self.tallies, change, row);
        }
        for row in self.remittances.iter() {
            remittance::tally(&mut self.tallies, change, row);
        }
        for row in self.movements.iter() {
            movement::tally(&mut self.tallies, change, row);
        }
    }

    /// Local day of a time.
    pub(crate) fn day_of(&self, at: DateTime<Utc>) -> NaiveDate {
        at.with_timezone(&self.kept.zone.unwrap_or(DEFAULT_ZONE)).date_naive()
    }

    /// Applies an event to all read models.
    pub(crate) fn apply(&mut self, recorded: &Recorded) -> Result<(), ProjectError> {
        let before = changes::audience(self, recorded);
        if let Some(entry) = recorded.event.entry() {
            ledger::post(self, recorded, entry)?;
        }
        match &recorded.event {
            Event::Tenant(event) => tenant::apply(self, recorded, event),
            Event::Currency(event) => currency::apply(self, recorded, event)?,
            Event::Place(event) => place::apply(self, recorded, event)?,
            Event::PaymentGroup(event) => payment_group::apply(self, recorded, event)?,
            Event::Party(event) => party::apply(self, recorded, event)?,
            Event::Customer(event) => customer::apply(self, recorded, event)?,
            Event::Remittance(event) => remittance::apply(self, recorded, event)?,
            Event::Movement(event) => movement::apply(self, recorded, event)?,
            Event::Closure(event) => closure::apply(self, recorded, event),
            Event::Rates(event) => rates::apply(self, recorded, event)?,
            Event::ApiKey(event) => api_key::apply(self, recorded, event)?,
            Event::Webhook(event) => webhook::apply(self, recorded, event)?,
        }
        // The previous audience is notified too: a remittance's old dealer besides its new one.
        let after = changes::audience(self, recorded);
        self.changes.push(ChangeRow::new(recorded, before, after));
        audit::tally(&mut self.tallies, recorded);
        Ok(())
    }

    /// Deletes expired changes when the batch passes a multiple, or when a node of an older version may have passed
    /// one.
    fn delete_old_changes(&self, writes: &mut Writes, position: i64) -> Result<(), sqlx::Error> {
        let through = changes::deleted_through(position);
        let first = self.changes.first().map_or(position, |change| change.position);
        let is_deleted = self.kept.has_changes_bounded && changes::deleted_through(first - 1) == through;
        if through > 0 && !is_deleted {
            writes.delete_through::<ChangeRow>(through)?;
        }
        Ok(())
    }

    /// Writes the changed rows and moves the position to a point of the log. Tallies go to the caller's accumulator, if
    /// any. Returns the cache for the next batch; `None` when the tables were not in the expected state and nothing was
    /// written.
    pub(crate) async fn write(
        mut self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        at: LogPoint,
        how: Writing<'_>,
    ) -> Result<Option<Kept>, sqlx::Error> {
        self.tally(Change::Comes);
        ledger::tally(&mut self);
        let forgets = !self.forgotten_customers.is_empty() || !self.forgotten_parties.is_empty();
        let mut writes = match how.only_at {
            // Erasure needs statements of its own in the same transaction.
            Some(_) if forgets => return Ok(None),
            Some(stand) => Writes::only_at(tenant, stand)?,
            None => Writes::of(tenant)?,
        };
        writes.append(&self.tenants)?;
        writes.flush(&self.kept.currencies)?;
        writes.flush(&self.provinces)?;
        writes.flush(&self.municipalities)?;
        writes.flush(&self.groups)?;
        writes.flush(&self.parties)?;
        writes.flush(&self.terms)?;
        writes.flush(&self.customers)?;
        writes.flush(&self.remittances)?;
        writes.flush(&self.kept.accounts)?;
        writes.flush(&self.kept.flows)?;
        writes.flush(&self.kept.sales)?;
        writes.flush(&self.kept.days)?;
        writes.flush(&self.movements)?;
        writes.flush(&self.disputes)?;
        writes.flush(&self.debits)?;
        writes.flush(&self.payments)?;
        writes.flush(&self.rates)?;
        writes.flush(&self.api_keys)?;
        writes.flush(&self.webhooks)?;
        writes.append(&self.cards)?;
        writes.append(&self.history)?;
        writes.append(&self.entries)?;
        writes.append(&self.lines)?;
        writes.append(&self.sale_lines)?;
        writes.append(&self.closures)?;
        writes.append(&self.changes)?;
        self.delete_old_changes(&mut writes, at.position)?;
        let tallies = std::mem::take(&mut self.tallies);
        match how.held {
            Some(held) => held.add(tallies),
            None => tallies.write(&mut writes)?,
        }
        if !writes.run(&mut *connection, at).await? {
            return Ok(None);
        }
        // Last, because the batch itself may have written data to erase.
        forgetting::erase(connection, tenant, &self.forgotten_customers, &self.forgotten_parties).await?;
        Ok(Some(self.kept.settled()))
    }
}

/// The existing row that an event changes.
pub(crate) fn existing<'a, R: Row<Key = (Uuid,)>>(
    rows: &'a mut Rows<R>,
    recorded: &Recorded,
    id: impl Into<Uuid>,
) -> Result<&'a mut R, ProjectError> {
    let id = id.into();
    rows.get_mut(&(id,)).ok_or(ProjectError::Missing {
        position: recorded.position,
        table: R::TABLE,
        id,
    })
}

/// Actor of an event; `None` for the system.
pub(crate) fn actor(recorded: &Recorded) -> Option<Uuid> {
    Uuid::parse_str(&recorded.metadata.actor).ok()
}
