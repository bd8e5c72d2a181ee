//! What a rule would have covered: past commands, read back from their events and judged by [`super::needed`], the same
//! function that judges a command when it is given.
//!
//! A [`Past`] is a fold over part of the log: the events of the types that commands of the rule's kind write
//! ([`Past::types`]), and the earlier events of the records that they changed. It needs no personal data.

use super::{ApprovalKind as Kind, ApprovalRule, needed};
use crate::{
    aggregate::StreamState,
    closure::{ClosePeriod, ClosureEvent},
    command::Command,
    customer::{AddCard, ClearedPair, CustomerCommand, CustomerEvent, PairOutcome, ScreeningPairDecided},
    decision::{Actor, Context, Customers, Decision, Holders},
    event::Event,
    ids::{ClosureId, CustomerId, MovementId, MunicipalityId, ObligationId, PartyId, RateChangeId, RemittanceId},
    money::Amount,
    movement::{
        Deposit, DepositTo, Exchange, ExpectedParty, Expense, Funds, Movement, MovementCommand, MovementEvent,
        MovementKind, OpenBalance, Opened, TransferCash, TransferTo,
    },
    party::{
        ChangeParty, PartyCommand, PartyDetails, PartyEvent, PartyRegistered, RegisterParty, Registration, Role,
        TermsChange,
    },
    quote::Terms,
    rates::{RatesChanged, RatesCommand, RatesEvent, RatesUndone},
    reference_data::{
        currency::{CurrencyCommand, CurrencyEvent},
        payment_group::{PaymentGroupCommand, PaymentGroupEvent},
        place::{PlaceCommand, PlaceEvent},
    },
    remittance::{EditAmount, HoldOutcome, RemittanceCommand, RemittanceEvent, ReviewHold},
    stream::{StreamId, StreamKind},
    tenant::{TenantCommand, TenantEvent},
    tenant_state::TenantState,
};
use chrono::{DateTime, Utc};
use std::collections::{BTreeSet, HashMap};

/// A recorded event with its origin.
#[derive(Clone, Copy, Debug)]
pub struct PastEvent<'a> {
    pub event: &'a Event,
    pub stream: StreamId,
    pub at: DateTime<Utc>,
    pub actor: Actor,
    /// Id of the request that caused it.
    pub request: &'a str,
}

/// A command that the rule would have covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caught {
    /// Amount in USD; `None` for kinds without one, and where it had no value in USD.
    pub amount: Option<Amount>,
}

/// Judges past commands by one rule.
#[derive(Debug)]
pub struct Past {
    /// The state as far as the rule's kind depends on it, with this rule alone.
    state: TenantState,
    streams: HashMap<StreamId, StreamState>,
    /// The last command that wrote several events: its request, and the streams of the further ones.
    several: Option<(String, BTreeSet<StreamId>)>,
}

impl Past {
    /// `tenant_state` is the present state. The records of `replayed` streams are taken from their events instead, from the
    /// first one on.
    #[must_use]
    pub fn new(rule: &ApprovalRule, tenant_state: &TenantState, replayed: impl IntoIterator<Item = StreamId>) -> Self {
        Self {
            state: tenant_state.with_only_rule(rule).before(replayed),
            streams: HashMap::new(),
            several: None,
        }
    }

    /// Event types of commands of a kind, and those that state what their judgement depends on.
    #[must_use]
    pub const fn types(kind: Kind) -> &'static [&'static str] {
        match kind {
            Kind::AssignmentOnCash | Kind::AssignmentOnCredit => &[
                "MovementPosted",
                "OpeningBalancePosted",
                "CurrencyAdded",
                "CurrencyChanged",
                "CurrencyRemoved",
            ],
            Kind::Expense | Kind::DealerExchange => {
                &["MovementPosted", "CurrencyAdded", "CurrencyChanged", "CurrencyRemoved"]
            }
            Kind::Reversal => &[
                "MovementReversed",
                "CurrencyAdded",
                "CurrencyChanged",
                "CurrencyRemoved",
            ],
            Kind::CreditLimit => &[
                "PartyRegistered",
                "TermsSet",
                "CurrencyAdded",
                "CurrencyChanged",
                "CurrencyRemoved",
                "RatesChanged",
                "RatesUndone",
            ],
            Kind::TermsAndRates => &[
                "PartyRegistered",
                "TermsSet",
                "CurrencyAdded",
                "CurrencyChanged",
                "CurrencyRemoved",
                "PaymentGroupCreated",
                "PaymentGroupChanged",
                "MunicipalityChanged",
                "RatesScheduled",
                "RatesChanged",
                "RatesCanceled",
                "RatesUndone",
            ],
            Kind::CancelShipping => &["RemittanceCanceled"],
            Kind::LateAmountEdit => &["RemittanceAmountEdited"],
            Kind::HoldRelease => &["HoldReleased", "ScreeningPairDecided"],
            Kind::User => &[
                "PartyRegistered",
                "PartyChanged",
                "PartyDeactivated",
                "OfficeAccessSet",
                "PermissionSetDefined",
                "PermissionSetRemoved",
            ],
            Kind::CardNumber => &["CardAdded"],
            Kind::Closing => &["PeriodClosed"],
            Kind::ApprovalRules => &["ApprovalRuleSet", "ApprovalRuleRemoved"],
            Kind::LimitRules => &["LimitRuleSet", "LimitRuleRemoved"],
            Kind::ScreeningRules => &["ScreeningSet", "OwnListLoaded", "OwnListRemoved"],
        }
    }

    /// Whether an amount of the kind is converted at a currency's rate: then the events of all currencies are replayed.
    #[must_use]
    pub const fn converts(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::AssignmentOnCash
                | Kind::AssignmentOnCredit
                | Kind::Expense
                | Kind::DealerExchange
                | Kind::Reversal
                | Kind::CreditLimit
        )
    }

    /// Judges the command that wrote the event, on the state before it; `None` when the rule does not cover it, or the
    /// event is a further one of a command that is judged by its first.
    pub fn judge(&mut self, past: PastEvent<'_>) -> Option<Caught> {
        if self.is_further(past) {
            return None;
        }
        let command = command_of(past.stream, past.event)?;
        let unborn = StreamState::new(past.stream.kind);
        let own = self.streams.get(&past.stream).unwrap_or(&unborn);
        let ctx = Context {
            state: &self.state,
            actor: past.actor,
            now: past.at,
            customers: &Customers::default(),
            holders: &Holders::default(),
            expected: None,
            proposing: None,
            lacks_code: false,
        };
        let decision = Decision::of(past.event.clone(), past.stream.id);
        let amount = needed(&command, own, &decision, &ctx)?.amount;
        Some(Caught { amount })
    }

    /// Applies an event, in the order of the log.
    pub fn apply(&mut self, past: PastEvent<'_>) {
        let further = match past.event {
            Event::Rates(
                RatesEvent::RatesChanged(RatesChanged { rates, .. })
                | RatesEvent::RatesUndone(RatesUndone { rates, .. }),
            ) => Some(rates.iter().map(|rate| rate.target.stream()).collect()),
            Event::Party(PartyEvent::PartyRegistered(_)) => Some(BTreeSet::from([past.stream])),
            _ => None,
        };
        if let Some(streams) = further {
            self.several = Some((past.request.to_owned(), streams));
        }
        let state = self.streams.entry(past.stream);
        state
            .or_insert_with(|| StreamState::new(past.stream.kind))
            .apply(past.event);
        match past.event {
            // The rule is the one asked about.
            Event::Tenant(TenantEvent::ApprovalRuleSet(_) | TenantEvent::ApprovalRuleRemoved { .. }) => {}
            Event::Tenant(_)
            | Event::Currency(_)
            | Event::Place(_)
            | Event::PaymentGroup(_)
            | Event::Party(_)
            | Event::Remittance(RemittanceEvent::RemittanceCreated(_)) => self.state.apply(past.event, past.at),
            Event::Customer(_)
            | Event::Remittance(_)
            | Event::Movement(_)
            | Event::Closure(_)
            | Event::Rates(_)
            | Event::ApiKey(_)
            | Event::Webhook(_)
            | Event::Proposal(_) => {}
        }
    }

    /// Whether an earlier event of the same command is judged in its place.
    fn is_further(&self, past: PastEvent<'_>) -> bool {
        let may_follow = matches!(
            past.event,
            Event::Currency(CurrencyEvent::CurrencyChanged(_))
                | Event::PaymentGroup(PaymentGroupEvent::PaymentGroupChanged(_))
                | Event::Party(PartyEvent::TermsSet { .. } | PartyEvent::OfficeAccessSet { .. })
        );
        let several = self.several.as_ref();
        may_follow
            && several.is_some_and(|(request, streams)| request == past.request && streams.contains(&past.stream))
    }
}

/// The command that wrote an event, without its texts; `None` for events that no covered command writes.
fn command_of(stream: StreamId, event: &Event) -> Option<Command> {
    match event {
        Event::Tenant(event) => of_tenant(event).map(Command::Tenant),
        Event::Currency(CurrencyEvent::CurrencyChanged(currency)) => {
            let change = CurrencyCommand::Change(currency.clone());
            Some(Command::Currency(currency.id, change))
        }
        Event::Currency(CurrencyEvent::CurrencyAdded(currency)) => {
            let add = CurrencyCommand::Add(currency.clone());
            Some(Command::Currency(currency.id, add))
        }
        Event::Currency(CurrencyEvent::CurrencyRemoved { .. }) => None,
        Event::Place(PlaceEvent::MunicipalityChanged { id, settings }) => {
            Some(Command::Place(PlaceCommand::ChangeMunicipality(*id, settings.clone())))
        }
        Event::Place(PlaceEvent::ProvinceChanged { .. }) => None,
        Event::PaymentGroup(PaymentGroupEvent::PaymentGroupCreated(group)) => Some(Command::PaymentGroup(
            group.id,
            PaymentGroupCommand::Create(group.clone()),
        )),
        Event::PaymentGroup(PaymentGroupEvent::PaymentGroupChanged(group)) => Some(Command::PaymentGroup(
            group.id,
            PaymentGroupCommand::Change(group.clone()),
        )),
        Event::PaymentGroup(PaymentGroupEvent::PaymentGroupRemoved { .. }) => None,
        Event::Party(event) => of_party(PartyId(stream.id), event),
        Event::Customer(CustomerEvent::CardAdded(added)) => {
            let (card, brand, number) = (added.card, added.brand, String::new());
            let add = CustomerCommand::AddCard(AddCard { card, brand, number });
            Some(Command::Customer(CustomerId(stream.id), add))
        }
        Event::Customer(CustomerEvent::ScreeningPairDecided(decided)) => cleared(decided),
        Event::Customer(_) => None,
        Event::Remittance(event) => {
            of_remittance(event).map(|command| Command::Remittance(RemittanceId(stream.id), command))
        }
        Event::Movement(MovementEvent::MovementPosted(posted) | MovementEvent::OpeningBalancePosted(posted)) => {
            let command = of_movement(&posted.movement)?;
            Some(Command::Movement(posted.movement.id, command))
        }
        Event::Movement(MovementEvent::MovementReversed(_)) => {
            let reason = String::new();
            Some(Command::Movement(
                MovementId(stream.id),
                MovementCommand::Reverse { reason },
            ))
        }
        Event::Closure(ClosureEvent::PeriodClosed(closure)) => Some(Command::Closure(ClosePeriod {
            id: ClosureId(stream.id),
            party: closure.party,
            to: None,
            debit: ObligationId(stream.id),
            agency_debit: ObligationId(stream.id),
        })),
        Event::Rates(event) => Some(Command::Rates(RateChangeId(stream.id), of_rates(event))),
        Event::ApiKey(_) | Event::Webhook(_) | Event::Proposal(_) => None,
    }
}

/// The decision that a customer is not a listed person.
fn cleared(decided: &ScreeningPairDecided) -> Option<Command> {
    let pair = ClearedPair {
        list: String::new(),
        entry: String::new(),
        reason: String::new(),
        files: Vec::new(),
        listed: None,
    };
    let decide = CustomerCommand::DecidePair(pair.into());
    (decided.outcome == PairOutcome::Different).then_some(Command::Customer(decided.id, decide))
}

fn of_tenant(event: &TenantEvent) -> Option<TenantCommand> {
    match event {
        TenantEvent::ApprovalRuleSet(rule) => Some(TenantCommand::SetApprovalRule(rule.clone())),
        TenantEvent::ApprovalRuleRemoved { id } => Some(TenantCommand::RemoveApprovalRule(*id)),
        TenantEvent::LimitRuleSet(rule) => Some(TenantCommand::SetLimitRule(rule.clone())),
        TenantEvent::LimitRuleRemoved { id } => Some(TenantCommand::RemoveLimitRule(*id)),
        TenantEvent::ScreeningSet(rule) => Some(TenantCommand::SetScreening(rule.clone())),
        TenantEvent::OwnListLoaded(list) => Some(TenantCommand::LoadOwnList(list.clone())),
        TenantEvent::OwnListRemoved { name } => Some(TenantCommand::RemoveOwnList(name.clone())),
        TenantEvent::PermissionSetDefined(set) => Some(TenantCommand::DefinePermissionSet(set.clone())),
        TenantEvent::TenantOpened(_)
        | TenantEvent::HistoryAccepted(_)
        | TenantEvent::SecondFactorRequired(_)
        | TenantEvent::PasswordPolicySet { .. }
        | TenantEvent::SignOnSet(_)
        | TenantEvent::SignOnRemoved { .. }
        | TenantEvent::PermissionSetRemoved { .. } => None,
    }
}

fn of_party(id: PartyId, event: &PartyEvent) -> Option<Command> {
    let command = match event {
        PartyEvent::PartyRegistered(registered) => PartyCommand::Register(registration(registered)),
        PartyEvent::PartyChanged(changed) => PartyCommand::Change(ChangeParty {
            details: PartyDetails::default(),
            // Not whose address changed: the event does not say who the party was before.
            known: Some(Box::default()),
            sets_password: false,
            is_active: Some(changed.is_active),
            territory: None,
        }),
        PartyEvent::TermsSet { terms, .. } => PartyCommand::SetTerms(whole(terms)),
        PartyEvent::OfficeAccessSet { access, .. } => PartyCommand::SetOfficeAccess(*access),
        PartyEvent::PartyDeactivated { .. }
        | PartyEvent::PersonForgotten { .. }
        | PartyEvent::SecondFactorEnrolled { .. }
        | PartyEvent::SecondFactorRemoved { .. }
        | PartyEvent::RecoveryCodeUsed { .. }
        | PartyEvent::PasskeyAdded { .. }
        | PartyEvent::PasskeyRemoved { .. }
        | PartyEvent::PasskeyRefused { .. } => return None,
    };
    Some(Command::Party(id, command))
}

/// Terms as a change that names each of them.
fn whole(terms: &Terms) -> TermsChange {
    TermsChange {
        group: terms.group,
        exchange_rate: Some(terms.exchange_rate),
        commission: Some(terms.commission),
        name: None,
        is_active: Some(terms.is_active),
        credit_limit: Some(terms.credit_limit),
    }
}

fn registration(PartyRegistered { party, .. }: &PartyRegistered) -> RegisterParty {
    let terms = party.terms.values().map(whole).collect();
    let registration = match party.role {
        Role::Manager => Registration::Manager,
        Role::Agency => Registration::Agency { terms },
        Role::ExternalAgent => Registration::ExternalAgent {
            agency: party.agency,
            terms,
        },
        Role::InternalAgent => Registration::InternalAgent { agency: party.agency },
        Role::Dealer => Registration::Dealer {
            territory: party.territory.clone(),
        },
        Role::DeliveryMan => Registration::DeliveryMan {
            dealer: party.dealer,
            handle_mlc: party.territory.handle_mlc,
        },
    };
    RegisterParty {
        id: party.id,
        registration,
        details: PartyDetails::default(),
        is_active: party.is_active,
    }
}

fn of_remittance(event: &RemittanceEvent) -> Option<RemittanceCommand> {
    match event {
        RemittanceEvent::RemittanceAmountEdited(edited) => Some(RemittanceCommand::EditAmount(EditAmount::new(
            edited.sale.quote.amount,
            edited.sale.group,
        ))),
        RemittanceEvent::RemittanceCanceled(_) => {
            let reason = String::new();
            Some(RemittanceCommand::Cancel { reason })
        }
        RemittanceEvent::HoldReleased(reviewed) => Some(RemittanceCommand::ReviewHold(ReviewHold {
            number: reviewed.number,
            outcome: HoldOutcome::Release,
            reason: String::new(),
            files: Vec::new(),
        })),
        RemittanceEvent::RemittanceCreated(_)
        | RemittanceEvent::RemittanceDetailsEdited(_)
        | RemittanceEvent::RemittanceAssigned(_)
        | RemittanceEvent::RemittanceFailed(_)
        | RemittanceEvent::RemittanceCompleted(_)
        | RemittanceEvent::DeliveryAttempted(_)
        | RemittanceEvent::DeliveryDisputed(_)
        | RemittanceEvent::DeliveryDisputeSettled(_)
        | RemittanceEvent::RemittanceHeld(_)
        | RemittanceEvent::HoldKept(_)
        | RemittanceEvent::HeldRemittanceDelivered(_)
        | RemittanceEvent::HoldBreachSettled(_)
        | RemittanceEvent::SaleDeclared(_) => None,
    }
}

fn of_movement(movement: &Movement) -> Option<MovementCommand> {
    match movement.kind {
        MovementKind::Assignment | MovementKind::CashAssignment => Some(MovementCommand::Deposit(Deposit {
            to: DepositTo::Party(movement.to?, ExpectedParty::Any),
            funds: movement.group.map_or(Funds::Currency(movement.currency), Funds::Group),
            amount: movement.amount,
            on_credit: movement.on_credit,
            note: None,
            debit: ObligationId(movement.id.0),
        })),
        MovementKind::Transfer | MovementKind::Exchange => Some(MovementCommand::Transfer(TransferCash {
            from: movement.from?,
            to: TransferTo::Party(movement.to?),
            amount: movement.amount,
            currency: movement.currency,
            exchange: movement.counter.map(|counter| Exchange {
                currency: counter.currency,
                rate: counter.rate,
            }),
            note: None,
        })),
        MovementKind::Expense => Some(MovementCommand::Expense(Expense {
            party: movement.from?,
            amount: movement.amount,
            currency: movement.currency,
            concept: String::new(),
        })),
        MovementKind::Opening => {
            let of = match (movement.to, movement.group) {
                (None, _) => Opened::Treasury(movement.currency),
                (Some(party), None) => Opened::Cash(party, movement.currency),
                (Some(party), Some(group)) => Opened::Balance(party, group),
            };
            let amount = movement.amount;
            Some(MovementCommand::Open(OpenBalance { of, amount }))
        }
        MovementKind::Deposit | MovementKind::Return | MovementKind::Payment => None,
    }
}

/// A due change is applied by the system, whose commands need no approval.
fn of_rates(event: &RatesEvent) -> RatesCommand {
    match event {
        RatesEvent::RatesScheduled(scheduled) => RatesCommand::Change {
            rates: Vec::new(),
            at: Some(scheduled.at),
        },
        RatesEvent::RatesChanged(_) => RatesCommand::Change {
            rates: Vec::new(),
            at: None,
        },
        RatesEvent::RatesCanceled { .. } | RatesEvent::RatesUndone(_) => RatesCommand::Undo { targets: Vec::new() },
    }
}

impl TenantState {
    /// The state with the records of some streams as before their first events.
    fn before(mut self, streams: impl IntoIterator<Item = StreamId>) -> Self {
        for stream in streams {
            match stream.kind {
                StreamKind::Party => self.reset_office_access(PartyId(stream.id)),
                StreamKind::Tenant => self.reset_permission_sets(),
                StreamKind::Place => self.reset_municipality(MunicipalityId(stream.id)),
                // Their first events state everything.
                _ => {}
            }
        }
        self
    }
}
