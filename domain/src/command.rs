//! All commands, and [`decide`], the only entry to their decisions.

use crate::{
    aggregate::StreamState,
    api_key::{self, ApiKeyCommand},
    approval::{self, NeededApproval, ProposalCommand},
    closure::{self, ClosePeriod},
    customer::{self, CustomerCommand, CustomerEvent},
    decision::{Context, Decision},
    event::Event,
    fresh_code,
    ids::{
        ApiKeyId, CurrencyId, CustomerId, MovementId, PartyId, PaymentGroupId, ProposalId, RateChangeId, RemittanceId,
        WebhookId,
    },
    limits,
    movement::{self, MovementCommand},
    office,
    party::{self, PartyCommand, PartyEvent},
    rates::{self, RatesCommand},
    reference_data::{
        currency::{self, CurrencyCommand, CurrencyEvent},
        payment_group::{self, PaymentGroupCommand, PaymentGroupEvent},
        place::{self, PlaceCommand},
    },
    refusal::Refusal,
    remittance::{self, RemittanceCommand},
    stream::{StreamId, StreamKind},
    tenant::{self, TenantCommand, TenantRecord},
    tenant_state::TenantState,
    unique_value::UniqueValueKind,
    webhook::{self, WebhookCommand},
};

/// A command and the stream it writes. A rate change also writes the streams of the currencies, groups and parties that
/// bear the rates, a sale those of customers whom it identifies, and an approval that of its proposal; every other command
/// writes one stream. A command that a rule
/// covers writes the stream of its proposal instead.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Tenant(TenantCommand),
    Currency(CurrencyId, CurrencyCommand),
    /// Province or municipality.
    Place(PlaceCommand),
    PaymentGroup(PaymentGroupId, PaymentGroupCommand),
    Party(PartyId, PartyCommand),
    Customer(CustomerId, CustomerCommand),
    Remittance(RemittanceId, RemittanceCommand),
    Movement(MovementId, MovementCommand),
    Closure(ClosePeriod),
    Rates(RateChangeId, RatesCommand),
    ApiKey(ApiKeyId, ApiKeyCommand),
    Webhook(WebhookId, WebhookCommand),
    Proposal(ProposalId, ProposalCommand),
}

impl Command {
    /// The stream that the command writes.
    #[must_use]
    pub fn stream(&self) -> StreamId {
        match self {
            Self::Tenant(_) => StreamId::TENANT,
            Self::Currency(id, _) => StreamId::new(StreamKind::Currency, *id),
            Self::Place(command) => StreamId::new(StreamKind::Place, command.id()),
            Self::PaymentGroup(id, _) => StreamId::new(StreamKind::PaymentGroup, *id),
            Self::Party(id, _) => StreamId::new(StreamKind::Party, *id),
            Self::Customer(id, _) => StreamId::new(StreamKind::Customer, *id),
            Self::Remittance(id, _) => StreamId::new(StreamKind::Remittance, *id),
            Self::Movement(id, _) => StreamId::new(StreamKind::Movement, *id),
            Self::Closure(close) => StreamId::new(StreamKind::Closure, close.id),
            Self::Rates(id, _) => StreamId::new(StreamKind::Rates, *id),
            Self::ApiKey(id, _) => StreamId::new(StreamKind::ApiKey, *id),
            Self::Webhook(id, _) => StreamId::new(StreamKind::Webhook, *id),
            Self::Proposal(_, ProposalCommand::Approve(command)) => command.stream(),
            Self::Proposal(id, _) => StreamId::new(StreamKind::Proposal, *id),
        }
    }

    /// The record that it changes, of a stream that has several; `None` where the stream is one record.
    #[must_use]
    pub fn tenant_record(&self) -> Option<TenantRecord> {
        match self {
            Self::Tenant(command) => Some(command.record()),
            Self::Proposal(_, ProposalCommand::Approve(command)) => command.tenant_record(),
            _ => None,
        }
    }

    /// The stream that an event of this command belongs to.
    #[must_use]
    pub fn stream_of(&self, event: &Event) -> StreamId {
        match (self, event) {
            (_, Event::Proposal(event)) => StreamId::new(StreamKind::Proposal, event.id()),
            (Self::Proposal(_, ProposalCommand::Approve(command)), event) => command.stream_of(event),
            (Self::Rates(..), Event::Currency(CurrencyEvent::CurrencyChanged(currency))) => {
                StreamId::new(StreamKind::Currency, currency.id)
            }
            (Self::Rates(..), Event::PaymentGroup(PaymentGroupEvent::PaymentGroupChanged(group))) => {
                StreamId::new(StreamKind::PaymentGroup, group.id)
            }
            (Self::Rates(..), Event::Party(PartyEvent::TermsSet { id, .. })) => StreamId::new(StreamKind::Party, *id),
            (Self::Remittance(..), Event::Customer(CustomerEvent::PersonIdentified(identified))) => {
                StreamId::new(StreamKind::Customer, identified.id)
            }
            _ => self.stream(),
        }
    }

    /// Unique values whose holders the decision reads; none in a tenant without rules of limits.
    #[must_use]
    pub fn looks_up(&self, state: &TenantState) -> Vec<(UniqueValueKind, String)> {
        limits::looked_up(self, state)
    }

    /// Other streams that the decision reads or writes.
    #[must_use]
    pub fn reads(&self) -> Vec<StreamId> {
        let customers = match self {
            Self::Customer(_, CustomerCommand::Register(register)) => register.sender.into_iter().collect(),
            Self::Remittance(_, command) => command.customers(),
            Self::Rates(_, command) => return command.streams().into_iter().collect(),
            Self::Proposal(id, ProposalCommand::Approve(command)) => {
                let mut streams = command.reads();
                streams.push(StreamId::new(StreamKind::Proposal, *id));
                return streams;
            }
            _ => Vec::new(),
        };
        customers
            .into_iter()
            .map(|id| StreamId::new(StreamKind::Customer, id))
            .collect()
    }
}

/// Decides a command on the state of its stream.
///
/// # Errors
/// The refusal; a refused command writes nothing.
pub fn decide(command: &Command, own: &StreamState, ctx: &Context<'_>) -> Result<Decision<Event>, Refusal> {
    match judged(command, own, ctx)? {
        (decision, None) => Ok(decision),
        (decision, Some(needed)) => approval::propose(command, decision, needed, ctx),
    }
}

/// The effect of a command, with the approval that it needs first.
///
/// # Errors
/// The refusal.
pub fn judged(
    command: &Command,
    own: &StreamState,
    ctx: &Context<'_>,
) -> Result<(Decision<Event>, Option<NeededApproval>), Refusal> {
    office::permit(command, ctx)?;
    let mut decision = effect(command, own, ctx)?;
    // An approval compares with the proposal's figures.
    if let Some(expected) = ctx.expected {
        expected.confirm(&decision)?;
    }
    fresh_code::require_code(command, own, &decision, ctx)?;
    decision.unique_values = decision.events.iter().filter_map(Event::unique_value).collect();
    let needed = approval::needed(command, own, &decision, ctx);
    Ok((decision, needed))
}

/// Decides a command without asking whether it needs an approval.
pub(crate) fn effect(command: &Command, own: &StreamState, ctx: &Context<'_>) -> Result<Decision<Event>, Refusal> {
    match (command, own) {
        (Command::Proposal(id, ProposalCommand::Approve(command)), own) => approval::approve(*id, command, own, ctx),
        (Command::Proposal(id, command), StreamState::Proposal(_)) => {
            Ok(approval::decide(*id, command, ctx)?.map(Event::Proposal))
        }
        (Command::Tenant(command), StreamState::Tenant(own)) => {
            Ok(tenant::decide(own.0.as_ref(), command, ctx)?.map(Event::Tenant))
        }
        (Command::Currency(_, command), StreamState::Currency(own)) => {
            Ok(currency::decide(own.0.as_ref(), command, ctx)?.map(Event::Currency))
        }
        (Command::Place(command), StreamState::Place(_)) => Ok(place::decide(command, ctx)?.map(Event::Place)),
        (Command::PaymentGroup(_, command), StreamState::PaymentGroup(own)) => {
            Ok(payment_group::decide(own.0.as_ref(), command, ctx)?.map(Event::PaymentGroup))
        }
        (Command::Party(_, command), StreamState::Party(own)) => {
            Ok(party::decide(own.0.as_ref(), command, ctx)?.map(Event::Party))
        }
        (Command::Customer(_, command), StreamState::Customer(own)) => {
            Ok(customer::decide(own.0.as_ref(), command, ctx)?.map(Event::Customer))
        }
        (Command::Remittance(_, command), StreamState::Remittance(own)) => {
            let decision = remittance::decide(own.0.as_ref(), command, ctx)?.map(Event::Remittance);
            limits::apply(command, own.0.as_ref(), decision, ctx)
        }
        (Command::Movement(id, command), StreamState::Movement(own)) => {
            Ok(movement::decide(*id, own.0.as_ref(), command, ctx)?.map(Event::Movement))
        }
        (Command::Closure(close), StreamState::Closure(own)) => {
            Ok(closure::decide(own.0.as_ref(), close, ctx)?.map(Event::Closure))
        }
        (Command::Rates(id, command), StreamState::Rates(own)) => {
            let decision = rates::decide(*id, own.0.as_ref(), command, ctx)?;
            let effects: Vec<Event> = decision
                .events
                .iter()
                .flat_map(|event| rates::effects(event, ctx.state))
                .collect();
            let mut decision = decision.map(Event::Rates);
            decision.events.extend(effects);
            Ok(decision)
        }
        (Command::ApiKey(id, command), StreamState::ApiKey(own)) => {
            Ok(api_key::decide(*id, own.0.as_ref(), command, ctx)?.map(Event::ApiKey))
        }
        (Command::Webhook(id, command), StreamState::Webhook(own)) => {
            Ok(webhook::decide(*id, own.0.as_ref(), command, ctx)?.map(Event::Webhook))
        }
        _ => Err(Refusal::conflict("stream_of_another_kind")),
    }
}
