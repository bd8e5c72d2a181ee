//! Loads the rows that a batch of events changes, folds the events into them, and writes them: each once.

use crate::{
    accounting, api_key, audit,
    batch::Batch,
    changes, closure, customer, debit, erasure,
    error::ProjectError,
    ledger, limit, movement, party, proposal, rates,
    reference_data::{currency, payment_group, place},
    remittance::{self, dispute, hold},
    rows::{ChangeRow, MovementRow},
    table::{Postponed, TableState, Writes},
    tally::{Change, Tallies},
    tenant, webhook,
};
use caudal_domain::{Event, StreamKind, ids::TenantId};
use caudal_journal::{LogPoint, Recorded};
use sqlx::PgConnection;
use std::collections::{BTreeSet, HashSet};
use uuid::Uuid;

/// Mode of writing a batch.
#[derive(Debug, Default)]
pub(crate) struct Writing<'a> {
    /// Accumulates tallies instead of writing them, and postpones rows.
    pub(crate) held: Option<&'a mut Tallies>,
    /// Writes only if the tables have this state (optimistic); without it the position's row is locked first.
    pub(crate) only_at: Option<TableState>,
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
    /// Folds events into the rows that they change, of which those are loaded that are not in memory.
    pub(crate) async fn fold(
        self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        events: &[Recorded],
    ) -> Result<Self, ProjectError> {
        let mut batch = self.load(connection, tenant, events).await?;
        for recorded in events {
            batch.apply(recorded)?;
        }
        Ok(batch)
    }

    async fn load(
        self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        events: &[Recorded],
    ) -> Result<Self, sqlx::Error> {
        let mut batch = self;
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
            .screening_cases
            .load(&mut *connection, tenant, touched(events, StreamKind::Customer))
            .await?;
        batch
            .remittances
            .load(&mut *connection, tenant, touched(events, StreamKind::Remittance))
            .await?;
        let disputes = events.iter().filter_map(dispute::touched);
        batch.disputes.load(&mut *connection, tenant, disputes).await?;
        let rules = events.iter().filter_map(limit::touched);
        batch.limit_rules.load(&mut *connection, tenant, rules).await?;
        let holds = events.iter().filter_map(hold::touched);
        batch.holds.load(&mut *connection, tenant, holds).await?;
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
        batch
            .proposals
            .load(&mut *connection, tenant, touched(events, StreamKind::Proposal))
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
        let has_days = |kind| matches!(kind, StreamKind::Remittance | StreamKind::Movement | StreamKind::Rates);
        if events.iter().any(|recorded| has_days(recorded.stream.kind)) {
            batch.load_zone(&mut *connection, tenant, events).await?;
        }
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

    /// Applies an event to all read models.
    fn apply(&mut self, recorded: &Recorded) -> Result<(), ProjectError> {
        let is_told = recorded.position > self.no_changes_through;
        let before = is_told.then(|| changes::audience(self, recorded));
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
            Event::Proposal(event) => proposal::apply(self, recorded, event)?,
        }
        // The previous audience is notified too: a remittance's old dealer besides its new one.
        if let Some(before) = before {
            let after = changes::audience(self, recorded);
            self.changes.push(ChangeRow::new(recorded, before, after));
        }
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

    /// Whether the batch erases people, which takes statements of its own in the same transaction.
    pub(crate) fn erases(&self) -> bool {
        !self.forgotten_customers.is_empty() || !self.forgotten_parties.is_empty()
    }

    /// The writes of the changed rows, which move the position to a point of the log. Tallies go to the caller's
    /// accumulator, if any. [`Self::next`] is what the next batch begins with.
    pub(crate) fn prepare(
        &mut self,
        tenant: &TenantId,
        at: LogPoint,
        how: Writing<'_>,
    ) -> Result<Prepared, sqlx::Error> {
        self.tally(Change::Comes);
        ledger::tally(self);
        let mut writes = match how.only_at {
            Some(table_state) => Writes::only_at(tenant, table_state)?,
            None => Writes::of(tenant)?,
        };
        // Erasure changes rows of the tables, and a cleared cache is filled from them.
        let is_complete = self.erases() || self.kept.is_full();
        if how.held.is_some() {
            let postpone = if is_complete {
                Postponed::recall
            } else {
                Postponed::postpone
            };
            self.sets().into_iter().for_each(postpone);
        }
        writes.append(&self.tenants)?;
        self.flush(&mut writes)?;
        writes.append(&self.cards)?;
        writes.append(&self.history)?;
        writes.append(&self.entries)?;
        writes.append(&self.postings)?;
        writes.append(&self.flow_blocks)?;
        writes.append(&self.sale_lines)?;
        writes.append(&self.closures)?;
        writes.append(&self.late)?;
        writes.append(&self.changes)?;
        self.delete_old_changes(&mut writes, at.position)?;
        let tallies = std::mem::take(&mut self.tallies);
        match how.held {
            Some(held) => {
                held.add(tallies);
                self.sets().into_iter().for_each(Postponed::sent);
            }
            None => tallies.write(&mut writes)?,
        }
        Ok(Prepared {
            writes,
            at,
            is_complete,
            customers: std::mem::take(&mut self.forgotten_customers),
            parties: std::mem::take(&mut self.forgotten_parties),
        })
    }

    /// The writes of all postponed rows and of accumulated tallies.
    pub(crate) fn prepare_rest(
        &mut self,
        tenant: &TenantId,
        at: LogPoint,
        tallies: &Tallies,
    ) -> Result<Prepared, sqlx::Error> {
        self.sets().into_iter().for_each(Postponed::recall);
        let mut writes = Writes::of(tenant)?;
        self.flush(&mut writes)?;
        tallies.write(&mut writes)?;
        Ok(Prepared {
            writes,
            at,
            is_complete: true,
            customers: Vec::new(),
            parties: Vec::new(),
        })
    }

    /// Adds the changed rows to the writes.
    fn flush(&self, writes: &mut Writes) -> Result<(), sqlx::Error> {
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
        writes.flush(&self.holds)?;
        writes.flush(&self.debits)?;
        writes.flush(&self.payments)?;
        writes.flush(&self.rates)?;
        writes.flush(&self.api_keys)?;
        writes.flush(&self.webhooks)?;
        writes.flush(&self.proposals)?;
        writes.flush(&self.screening_cases)?;
        writes.flush(&self.limit_rules)?;
        Ok(())
    }
}

/// Writes of a batch, ready to be sent.
pub(crate) struct Prepared {
    writes: Writes,
    at: LogPoint,
    /// Whether nothing may be loaded before these writes are in the tables.
    pub(crate) is_complete: bool,
    /// Customers and parties whose data is erased.
    customers: Vec<Uuid>,
    parties: Vec<Uuid>,
}

impl Prepared {
    /// Sends the writes. Returns false when the tables were not in the expected state and nothing was written.
    pub(crate) async fn run(self, connection: &mut PgConnection, tenant: &TenantId) -> Result<bool, sqlx::Error> {
        if !self.writes.run(&mut *connection, self.at).await? {
            return Ok(false);
        }
        // Last, because the batch itself may have written data to erase.
        erasure::erase(connection, tenant, &self.customers, &self.parties).await?;
        Ok(true)
    }
}
