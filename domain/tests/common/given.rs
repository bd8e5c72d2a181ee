//! Given, when, then over the business in memory, with the framework of cqrs-es: given a stream's events, a command
//! is tried, and its events, postings or refusal are checked. The business does not change.

use super::{Business, World};
use caudal_domain::{
    Account, Act, Actor, Entry, Event, Refusal, RefusalKind, Stream, StreamId, StreamKind, TenantEvent, TenantState,
    api_key::ApiKeyEvent,
    closure::ClosureEvent,
    customer::CustomerEvent,
    ids::{MovementId, PartyId},
    movement::{Movement, MovementCommand},
    party::PartyEvent,
    rates::RatesEvent,
    reference_data::{currency::CurrencyEvent, payment_group::PaymentGroupEvent, place::PlaceEvent},
    remittance::RemittanceEvent,
};
use chrono::Duration;
use cqrs_es::{
    Aggregate,
    test::{AggregateResultValidator, AggregateTestExecutor, TestFramework},
};
use uuid::Uuid;

/// Result of a tried command.
pub type Tried<S> = AggregateResultValidator<Stream<S>>;

/// Source of an actor.
pub trait Caller {
    fn actor(self) -> Actor;
}

impl Caller for Actor {
    fn actor(self) -> Actor {
        self
    }
}

impl Caller for PartyId {
    fn actor(self) -> Actor {
        Actor::Party(self)
    }
}

/// Conversion between one aggregate's events and all events.
pub trait OfAggregate: Sized {
    fn of(event: &Event) -> Option<Self>;
    fn event(self) -> Event;
}

macro_rules! of_aggregate {
    ($($variant:ident($event:ty)),* $(,)?) => {$(
        impl OfAggregate for $event {
            fn of(event: &Event) -> Option<Self> {
                match event {
                    Event::$variant(event) => Some(event.clone()),
                    _ => None,
                }
            }

            fn event(self) -> Event {
                Event::$variant(self)
            }
        }
    )*};
}

of_aggregate! {
    Tenant(TenantEvent),
    Currency(CurrencyEvent),
    Place(PlaceEvent),
    PaymentGroup(PaymentGroupEvent),
    Party(PartyEvent),
    Customer(CustomerEvent),
    Remittance(RemittanceEvent),
    Movement(caudal_domain::movement::MovementEvent),
    Closure(ClosureEvent),
    Rates(RatesEvent),
    ApiKey(ApiKeyEvent),
    Webhook(caudal_domain::webhook::WebhookEvent),
}

impl World {
    /// A stream's events so far, and the books.
    pub fn given<S>(&self, id: impl Into<Uuid>) -> AggregateTestExecutor<Stream<S>>
    where
        Stream<S>: Aggregate<Services = TenantState>,
        <Stream<S> as Aggregate>::Event: OfAggregate,
    {
        let kind: StreamKind = Stream::<S>::TYPE.parse().unwrap();
        let stream = StreamId::new(kind, id);
        let happened = self.history.get(&stream).into_iter().flatten();
        TestFramework::with(self.tenant_state.clone()).given(happened.filter_map(OfAggregate::of).collect())
    }

    /// A caller's command one second from now, with every customer that it may name.
    pub fn by<C>(&self, caller: impl Caller, command: C) -> Act<C> {
        Act {
            command,
            actor: caller.actor(),
            now: self.now + Duration::seconds(1),
            customers: self.customers(),
            holders: Default::default(),
        }
    }

    /// An account as `balance[agency CUP]`: owner and group, without the currency.
    fn account(&self, account: Account) -> String {
        let words: Vec<&str> = [account.owner.map(|id| id.0), account.group.map(|id| id.0)]
            .into_iter()
            .flatten()
            .map(|id| self.names[&id].as_str())
            .collect();
        let kind = account.kind.as_str();
        if words.is_empty() {
            kind.to_owned()
        } else {
            format!("{kind}[{}]", words.join(" "))
        }
    }

    /// An entry as the domain design writes it: `Dr treasury / Cr capital 5.00 CUP`.
    pub fn lines(&self, entry: &Entry) -> Vec<String> {
        let line = |transfer: &caudal_domain::Transfer| {
            let (debit, credit) = (self.account(transfer.debit), self.account(transfer.credit));
            format!(
                "Dr {debit} / Cr {credit} {} {}",
                transfer.amount, transfer.debit.currency
            )
        };
        entry.transfers.iter().map(line).collect()
    }
}

impl Business {
    pub fn moving(&self, caller: impl Caller, command: MovementCommand) -> Tried<Movement> {
        let id = MovementId::generate();
        self.world
            .given::<Movement>(id)
            .when(self.world.by(caller, (id, command)))
    }
}

/// Assertions besides those on whole events.
pub trait Then {
    type Event;

    fn then_event(self) -> Self::Event;

    /// Requires exactly these transfers.
    fn then_posts(self, business: &Business, lines: &[&str]);

    /// Requires a refusal: its code, then `field:rule` for each field.
    fn then_refused(self, kind: RefusalKind, code_and_fields: &str);
}

impl<S> Then for Tried<S>
where
    Stream<S>: Aggregate<Error = Refusal>,
    <Stream<S> as Aggregate>::Event: OfAggregate,
{
    type Event = <Stream<S> as Aggregate>::Event;

    fn then_event(self) -> Self::Event {
        let mut events = self
            .inspect_result()
            .unwrap_or_else(|refusal| panic!("refused: {refusal:?}"));
        assert_eq!(events.len(), 1, "one command, one event");
        events.remove(0)
    }

    fn then_posts(self, business: &Business, lines: &[&str]) {
        let event = self.then_event().event();
        let entry = event.entry().expect("the event has an entry");
        assert_eq!(business.world.lines(entry), lines);
    }

    fn then_refused(self, kind: RefusalKind, code_and_fields: &str) {
        match self.inspect_result() {
            Ok(events) => panic!("allowed: {events:?}"),
            Err(refusal) => assert_eq!((refusal.kind, refusal.to_string().as_str()), (kind, code_and_fields)),
        }
    }
}
