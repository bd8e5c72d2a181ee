//! The nearest job done by stock cqrs-es over postgres-es: the same decision on the same aggregate, stored as the first
//! event of its stream. The books stand still for it, and it seals, chains and acknowledges nothing.

use crate::{
    load::{self, Client, Load},
    office::Office,
    scratch::{Scratch, connect},
};
use caudal_domain::{
    Act, Actor, Command, Event, Holders, Refusal, Stream, StreamId, StreamKind, StreamState, TenantState,
    customer::Customer,
    ids::CustomerId,
    remittance::{Remittance, RemittanceCommand, RemittanceEvent},
};
use caudal_journal::{Clock as _, Journal, Keyring, SystemClock};
use cqrs_es::{Aggregate, event_sink::EventSink};
use postgres_es::{PostgresCqrs, postgres_cqrs};
use serde::{Deserialize, Serialize};
use sqlx::postgres::PgPoolOptions;
use std::{collections::HashMap, sync::Arc, time::Duration};

/// As many connections as a node of Caudal has.
const CONNECTIONS: u32 = 20;

/// The table as postgres-es 0.5 makes it.
const EVENTS: &str = "CREATE TABLE events (
    aggregate_type text NOT NULL, aggregate_id text NOT NULL, sequence bigint CHECK (sequence >= 0) NOT NULL,
    event_type text NOT NULL, event_version text NOT NULL, payload json NOT NULL, metadata json NOT NULL,
    PRIMARY KEY (aggregate_type, aggregate_id, sequence))";

/// What stands in place of a sealed text, about as long as one.
const SEALED: &str = "bm90IHNlYWxlZCwgYW5kIGFib3V0IGFzIGxvbmcgYXMgd2hhdCBpcw==";

/// The domain's aggregate, whose events have [`SEALED`] for their personal parts: in clear they have no stored form.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Sold(Stream<Remittance>);

impl Aggregate for Sold {
    const TYPE: &'static str = <Stream<Remittance> as Aggregate>::TYPE;
    type Command = Act<RemittanceCommand>;
    type Event = RemittanceEvent;
    type Error = Refusal;
    type Services = TenantState;

    async fn handle(
        &mut self,
        act: Self::Command,
        tenant_state: &TenantState,
        sink: &EventSink<Self>,
    ) -> Result<(), Refusal> {
        let decided = EventSink::default();
        self.0.clone().handle(act, tenant_state, &decided).await?;
        for event in decided.collect().await {
            let mut event = Event::Remittance(event);
            if let Some(part) = event.personal_mut() {
                part.set_encrypted(SEALED.to_owned());
            }
            if let Event::Remittance(event) = event {
                sink.write(event, self).await;
            }
        }
        Ok(())
    }

    fn apply(&mut self, event: RemittanceEvent) {
        self.0.apply(event);
    }
}

/// Everything that its commands are decided with.
pub struct Stock {
    office: Office,
    tenant_state: TenantState,
    customers: Arc<HashMap<CustomerId, Customer>>,
}

/// Somebody who sells one remittance after the other.
struct Seller {
    cqrs: Arc<PostgresCqrs<Sold>>,
    office: Office,
    customers: Arc<HashMap<CustomerId, Customer>>,
    number: usize,
}

impl Client for Seller {
    async fn once(&mut self) -> Duration {
        self.number += 1;
        let Command::Remittance(id, RemittanceCommand::Create(sale)) = self.office.sale(self.number).command else {
            panic!("a sale creates a remittance");
        };
        let named = [sale.sender, sale.recipient];
        let act = Act {
            command: RemittanceCommand::Create(sale),
            actor: Actor::Party(self.office.agency),
            now: SystemClock.now(),
            customers: named.iter().map(|id| self.customers[id].clone()).collect(),
            holders: Holders::default(),
        };
        let done = self.cqrs.execute(&id.0.to_string(), act).await;
        done.expect("a sale is accepted");
        Duration::ZERO
    }
}

impl Stock {
    /// Opens an office, and takes from its log what decisions need.
    pub async fn open(scratch: &Scratch) -> Self {
        let database = connect(&scratch.migrated().await).await;
        let keyring = Keyring::generate().expect("the system has randomness");
        let journal = Journal::open(database.clone(), keyring, Arc::new(SystemClock))
            .await
            .expect("the journal opens on a new database");
        let office = Office::open(&journal, "stock", "$argon2id$none").await;
        let (tenant_state, _) = journal.state(&office.tenant).await.expect("it has books");
        let mut customers = HashMap::new();
        for id in office.customers.iter().flat_map(|pair| [pair.0, pair.1]) {
            let stream = StreamId::new(StreamKind::Customer, id);
            let events = journal.stream_events(&office.tenant, stream, 0, 10).await;
            let mut state = StreamState::new(StreamKind::Customer);
            for recorded in events.expect("its log can be read") {
                state.apply(&recorded.event);
            }
            customers.insert(id, state.customer().expect("it is registered").clone());
        }
        journal.close().await;
        database.close().await;
        Self {
            office,
            tenant_state,
            customers: Arc::new(customers),
        }
    }

    /// Sells with a number of concurrent commands.
    pub async fn sell(&self, scratch: &Scratch, in_flight: usize, duration: Duration) -> Load {
        let pool = PgPoolOptions::new()
            .max_connections(CONNECTIONS)
            .connect(&scratch.empty().await)
            .await
            .expect("the server takes connections");
        sqlx::query(EVENTS).execute(&pool).await.expect("the table is made");
        let cqrs = Arc::new(postgres_cqrs(pool.clone(), Vec::new(), self.tenant_state.clone()));
        let sellers = (0..in_flight).map(|number| Seller {
            cqrs: cqrs.clone(),
            office: self.office.clone(),
            customers: self.customers.clone(),
            number: number * 7,
        });
        let load = load::closed(sellers.collect(), duration).await;
        pool.close().await;
        load
    }
}
