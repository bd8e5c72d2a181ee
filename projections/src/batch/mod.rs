//! A batch of events in memory: the rows that its events change. The modules of the facts fold events into it; the
//! projector loads and writes it.

mod superiors;

use crate::{
    error::ProjectError,
    rows::{
        AccountRow, ApiKeyRow, CardRow, ChangeRow, ClosureRow, CurrencyRow, CustomerRow, DayRow, DebitRow, DisputeRow,
        EntryRow, FlowBlockRow, FlowRow, HistoryRow, HoldRow, LateRow, LimitRuleRow, MovementRow, MunicipalityRow,
        PartyRow, PaymentGroupRow, PaymentRow, PostingRow, ProposalRow, ProvinceRow, RateChangeRow, RemittanceRow,
        SaleLineRow, SalesRow, ScreeningCaseRow, TenantRow, TermsRow, WebhookRow,
    },
    table::{Postponed, Row, Rows},
    tally::Tallies,
};
use caudal_domain::{DEFAULT_ZONE, Event, TenantEvent, ids::TenantId};
use caudal_journal::Recorded;
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use sqlx::{PgConnection, Row as _};
pub(crate) use superiors::Superiors;
use uuid::Uuid;

/// Rows affected by a batch of events.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// Cached rows of the previous batch.
    pub(crate) kept: RowCache,
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
    pub(crate) holds: Rows<HoldRow>,
    pub(crate) entries: Vec<EntryRow>,
    pub(crate) postings: Vec<PostingRow>,
    pub(crate) flow_blocks: Vec<FlowBlockRow>,
    pub(crate) movements: Rows<MovementRow>,
    pub(crate) debits: Rows<DebitRow>,
    pub(crate) payments: Rows<PaymentRow>,
    pub(crate) closures: Vec<ClosureRow>,
    pub(crate) late: Vec<LateRow>,
    pub(crate) rates: Rows<RateChangeRow>,
    pub(crate) api_keys: Rows<ApiKeyRow>,
    pub(crate) webhooks: Rows<WebhookRow>,
    pub(crate) proposals: Rows<ProposalRow>,
    pub(crate) screening_cases: Rows<ScreeningCaseRow>,
    pub(crate) limit_rules: Rows<LimitRuleRow>,
    pub(crate) sale_lines: Vec<SaleLineRow>,
    pub(crate) changes: Vec<ChangeRow>,
    /// Position through which changes are not written, since a replay deletes them before anybody reads.
    pub(crate) no_changes_through: i64,
    /// Changes of the lists' tallies.
    pub(crate) tallies: Tallies,
    /// Customers erased by the batch.
    pub(crate) forgotten_customers: Vec<Uuid>,
    /// Parties erased by the batch.
    pub(crate) forgotten_parties: Vec<Uuid>,
}

/// Cache of rows that most batches change. Valid until another writer projects; contains nothing personal.
#[derive(Debug, Default)]
pub(crate) struct RowCache {
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
    /// The tenant's time zone, once needed.
    pub(crate) zone: Option<Tz>,
    pub(crate) superiors: Superiors,
    /// Whether old changes are known to be deleted up to the last multiple.
    pub(crate) has_changes_bounded: bool,
}

/// Cache limit in rows per tenant, some hundred bytes each.
const KEPT_ROWS: usize = 10_000;

impl RowCache {
    fn rows(&self) -> usize {
        self.currencies.len()
            + self.accounts.len()
            + self.flows.len()
            + self.sales.len()
            + self.days.len()
            + self.superiors.len()
    }

    /// Whether [`Self::settled`] clears the cache.
    pub(crate) fn is_full(&self) -> bool {
        self.rows() > KEPT_ROWS
    }

    /// The cache after a commit; cleared when too large.
    pub(crate) fn settled(mut self) -> Self {
        if self.is_full() {
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

impl Batch {
    /// Working sets of tables whose rows change.
    pub(crate) fn sets(&mut self) -> Vec<&mut dyn Postponed> {
        let Self {
            kept: _,
            tenants: _,
            cards: _,
            history: _,
            entries: _,
            postings: _,
            flow_blocks: _,
            closures: _,
            late: _,
            sale_lines: _,
            changes: _,
            no_changes_through: _,
            tallies: _,
            forgotten_customers: _,
            forgotten_parties: _,
            provinces,
            municipalities,
            groups,
            parties,
            terms,
            customers,
            remittances,
            disputes,
            movements,
            debits,
            payments,
            rates,
            api_keys,
            webhooks,
            proposals,
            screening_cases,
            limit_rules,
            holds,
        } = self;
        vec![
            provinces,
            municipalities,
            groups,
            parties,
            terms,
            customers,
            remittances,
            disputes,
            movements,
            debits,
            payments,
            rates,
            api_keys,
            webhooks,
            proposals,
            screening_cases,
            limit_rules,
            holds,
        ]
    }

    /// An empty batch over the cache, and over rows that the tables do not have yet.
    pub(crate) fn next(self) -> Self {
        Self {
            kept: self.kept.settled(),
            tenants: Default::default(),
            provinces: self.provinces,
            municipalities: self.municipalities,
            groups: self.groups,
            parties: self.parties,
            terms: self.terms,
            customers: self.customers,
            cards: Default::default(),
            remittances: self.remittances,
            history: Default::default(),
            disputes: self.disputes,
            entries: Default::default(),
            postings: Default::default(),
            flow_blocks: Default::default(),
            movements: self.movements,
            debits: self.debits,
            payments: self.payments,
            closures: Default::default(),
            late: Default::default(),
            rates: self.rates,
            api_keys: self.api_keys,
            webhooks: self.webhooks,
            proposals: self.proposals,
            screening_cases: self.screening_cases,
            limit_rules: self.limit_rules,
            holds: self.holds,
            sale_lines: Default::default(),
            changes: Default::default(),
            no_changes_through: self.no_changes_through,
            tallies: Default::default(),
            forgotten_customers: Default::default(),
            forgotten_parties: Default::default(),
        }
    }

    /// Loads the tenant's time zone, unless it is cached or the events open the tenant.
    pub(crate) async fn load_zone(
        &mut self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        events: &[Recorded],
    ) -> Result<(), sqlx::Error> {
        for recorded in events {
            if let Event::Tenant(TenantEvent::TenantOpened(opened)) = &recorded.event {
                self.kept.zone = Some(opened.time_zone);
            }
        }
        if self.kept.zone.is_none() {
            let zone = sqlx::query("SELECT time_zone FROM tenants WHERE tenant = $1")
                .bind(tenant.as_str())
                .fetch_optional(connection)
                .await?;
            let zone: Option<String> = zone.map(|row| row.try_get("time_zone")).transpose()?;
            self.kept.zone = zone.and_then(|zone| zone.parse().ok());
        }
        Ok(())
    }

    /// Local day of a time.
    pub(crate) fn day_of(&self, at: DateTime<Utc>) -> NaiveDate {
        at.with_timezone(&self.kept.zone.unwrap_or(DEFAULT_ZONE)).date_naive()
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

/// Who approved the proposal that an event took effect by.
pub(crate) fn approver(recorded: &Recorded) -> Option<Uuid> {
    Uuid::parse_str(recorded.metadata.approver.as_ref()?).ok()
}
