//! Aggregates: the state of one stream, and cqrs-es's view of it.

use crate::{
    api_key::{self, ApiKey, ApiKeyCommand, ApiKeyEvent},
    approval::{self, Proposal, ProposalCommand, ProposalEvent},
    closure::{self, ClosePeriod, Closure, ClosureEvent},
    customer::{self, Customer, CustomerCommand, CustomerEvent},
    decision::{Actor, Context, Customers, Holders},
    event::Event,
    ids::{ApiKeyId, MovementId, ProposalId, RateChangeId, WebhookId},
    movement::{self, Movement, MovementCommand, MovementEvent},
    party::{self, Party, PartyCommand, PartyEvent},
    rates::{self, RateChange, RatesCommand, RatesEvent},
    reference_data::{
        currency::{self, Currency, CurrencyCommand, CurrencyEvent},
        payment_group::{self, PaymentGroup, PaymentGroupCommand, PaymentGroupEvent},
        place::{self, PlaceCommand, PlaceEvent},
    },
    refusal::Refusal,
    remittance::{self, Remittance, RemittanceCommand, RemittanceEvent},
    stream::StreamKind,
    tenant::{self, Tenant, TenantCommand, TenantEvent},
    tenant_state::TenantState,
    webhook::{self, Webhook, WebhookCommand, WebhookEvent},
};
use chrono::{DateTime, Utc};
use cqrs_es::{Aggregate, DomainEvent, event_sink::EventSink};
use serde::{Deserialize, Serialize};

/// State of one stream, folded from its events; `None` before the first one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stream<T>(pub Option<T>);

impl<T> Default for Stream<T> {
    fn default() -> Self {
        Self(None)
    }
}

/// A place's stream has no state of its own: the books hold its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceTouched;

/// A command with its caller, time and the customers that it names, in the shape that cqrs-es passes to an aggregate.
#[derive(Clone, Debug)]
pub struct Act<C> {
    pub command: C,
    pub actor: Actor,
    pub now: DateTime<Utc>,
    pub customers: Customers,
    pub holders: Holders,
}

impl<C> Act<C> {
    fn context<'a>(&'a self, tenant_state: &'a TenantState) -> Context<'a> {
        Context {
            state: tenant_state,
            actor: self.actor,
            now: self.now,
            customers: &self.customers,
            holders: &self.holders,
            expected: None,
            proposing: None,
            lacks_code: false,
        }
    }
}

impl StreamState {
    /// The customer of a customer's stream, from the first event on.
    #[must_use]
    pub const fn customer(&self) -> Option<&Customer> {
        match self {
            Self::Customer(stream) => stream.0.as_ref(),
            _ => None,
        }
    }

    /// The remittance of a remittance's stream, from the first event on.
    #[must_use]
    pub const fn remittance(&self) -> Option<&Remittance> {
        match self {
            Self::Remittance(stream) => stream.0.as_ref(),
            _ => None,
        }
    }
}

macro_rules! aggregates {
    ($($variant:ident($state:ty, $command:ty, $event:ty): $decide:expr, $fold:expr;)*) => {
        #[derive(Clone, Debug, PartialEq)]
        #[expect(clippy::large_enum_variant, reason = "nearly all streams are remittances, the largest")]
        pub enum StreamState {
            $(#[doc = concat!("A stream of ", stringify!($variant), ".")] $variant(Stream<$state>),)*
        }

        impl StreamState {
            #[must_use]
            pub fn new(kind: StreamKind) -> Self {
                match kind { $(StreamKind::$variant => Self::$variant(Stream::default()),)* }
            }

            /// Applies an event of this stream; one of another kind changes nothing.
            pub fn apply(&mut self, event: &Event) {
                match (self, event) {
                    $((Self::$variant(stream), Event::$variant(event)) => stream.0 = ($fold)(stream.0.take(), event),)*
                    _ => {}
                }
            }

            /// Serialises the state for the auditor's view of a record; `null` before the first event.
            pub fn to_json(&self) -> serde_json::Result<serde_json::Value> {
                match self { $(Self::$variant(stream) => serde_json::to_value(&stream.0),)* }
            }
        }

        $(
            impl Aggregate for Stream<$state> {
                const TYPE: &'static str = StreamKind::$variant.as_str();
                type Command = Act<$command>;
                type Event = $event;
                type Error = Refusal;
                type Services = TenantState;

                async fn handle(&mut self, act: Self::Command, tenant_state: &TenantState, sink: &EventSink<Self>) -> Result<(), Refusal> {
                    let decision = ($decide)(self.0.as_ref(), &act.command, &act.context(tenant_state))?;
                    for event in decision.events {
                        sink.write(event, self).await;
                    }
                    Ok(())
                }

                fn apply(&mut self, event: Self::Event) {
                    self.0 = ($fold)(self.0.take(), &event);
                }
            }

            impl DomainEvent for $event {
                fn event_type(&self) -> String {
                    Event::$variant(self.clone()).event_type().to_owned()
                }

                fn event_version(&self) -> String {
                    Event::$variant(self.clone()).event_version().to_owned()
                }
            }
        )*
    };
}

aggregates! {
    Tenant(Tenant, TenantCommand, TenantEvent): tenant::decide, Tenant::fold;
    Currency(Currency, CurrencyCommand, CurrencyEvent): currency::decide, Currency::fold;
    Place(PlaceTouched, PlaceCommand, PlaceEvent): |_own, command, ctx| place::decide(command, ctx), |_, _: &PlaceEvent| Some(PlaceTouched);
    PaymentGroup(PaymentGroup, PaymentGroupCommand, PaymentGroupEvent): payment_group::decide, PaymentGroup::fold;
    Party(Party, PartyCommand, PartyEvent): party::decide, Party::fold;
    Customer(Customer, CustomerCommand, CustomerEvent): customer::decide, Customer::fold;
    Remittance(Remittance, RemittanceCommand, RemittanceEvent): remittance::decide, Remittance::fold;
    Movement(Movement, (MovementId, MovementCommand), MovementEvent):
        |own, (id, command): &(MovementId, MovementCommand), ctx| movement::decide(*id, own, command, ctx), Movement::fold;
    Closure(Closure, ClosePeriod, ClosureEvent): closure::decide, Closure::fold;
    Rates(RateChange, (RateChangeId, RatesCommand), RatesEvent):
        |own, (id, command): &(RateChangeId, RatesCommand), ctx| rates::decide(*id, own, command, ctx), RateChange::fold;
    ApiKey(ApiKey, (ApiKeyId, ApiKeyCommand), ApiKeyEvent):
        |own, (id, command): &(ApiKeyId, ApiKeyCommand), ctx| api_key::decide(*id, own, command, ctx), ApiKey::fold;
    Webhook(Webhook, (WebhookId, WebhookCommand), WebhookEvent):
        |own, (id, command): &(WebhookId, WebhookCommand), ctx| webhook::decide(*id, own, command, ctx), Webhook::fold;
    Proposal(Proposal, (ProposalId, ProposalCommand), ProposalEvent):
        |_own, (id, command): &(ProposalId, ProposalCommand), ctx| approval::decide(*id, command, ctx), Proposal::fold;
}
