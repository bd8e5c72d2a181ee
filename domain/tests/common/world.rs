//! The tenant in memory, with short methods that add records.

use super::{amount, closing, rate};
use caudal_domain::{
    Account, Actor, Answer, Command, Commission, Context, Customers, Decision, Event, Expected, Holders, Preview,
    Refusal, StreamId, StreamState, Tenant, TenantCommand, TenantState, UniqueValueKind,
    approval::Proposing,
    customer::{AddCard, CustomerCommand, CustomerDetails, CustomerKind, Place, RegisterCustomer, card::Brand},
    decide,
    ids::{
        CardId, CurrencyId, CustomerId, MovementId, ObligationId, PartyId, PaymentGroupId, ProposalId, RemittanceId,
    },
    money::{Amount, CurrencyCode},
    movement::{Deposit, DepositTo, Funds, MovementCommand},
    party::{PartyCommand, PartyDetails, RegisterParty, Registration},
    reference_data::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
    },
    remittance::{Remittance, RemittanceCommand},
};
use chrono::{DateTime, Duration, TimeZone, Utc};
use std::collections::HashMap;
use uuid::Uuid;

pub struct World {
    pub tenant_state: TenantState,
    pub now: DateTime<Utc>,
    pub log: Vec<(Event, DateTime<Utc>)>,
    pub history: HashMap<StreamId, Vec<Event>>,
    pub names: HashMap<Uuid, String>,
    /// Figures confirmed by the callers of [`World::run`].
    pub expected: Option<Expected>,
    /// Whether the callers of [`World::run`] have a second factor and gave no code.
    pub lacks_code: bool,
    streams: HashMap<StreamId, StreamState>,
    unique_values: HashMap<(UniqueValueKind, String), Uuid>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            tenant_state: TenantState::default(),
            now: Utc.with_ymd_and_hms(2026, 5, 4, 13, 0, 0).unwrap(),
            log: Vec::new(),
            history: HashMap::new(),
            names: HashMap::new(),
            expected: None,
            lacks_code: false,
            streams: HashMap::new(),
            unique_values: HashMap::new(),
        }
    }
}

impl World {
    /// Decides a command without applying it.
    pub fn preview(&self, actor: Actor, command: &Command) -> Result<Preview, Refusal> {
        let caller = match actor {
            Actor::System => None,
            Actor::Party(id) => self.tenant_state.party(id),
        };
        let decision = self.decided(actor, command)?;
        Ok(Preview::of(&decision, &self.tenant_state, caller))
    }

    fn decided(&self, actor: Actor, command: &Command) -> Result<Decision<Event>, Refusal> {
        let own = self.state(command.stream());
        let reads = command.reads().into_iter();
        let customers: Customers = reads.filter_map(|id| self.state(id).customer().cloned()).collect();
        let looked_up = command.looks_up(&self.tenant_state).into_iter();
        let holders: Holders = looked_up
            .filter_map(|value| self.unique_values.get(&value).map(|holder| (value.clone(), *holder)))
            .collect();
        let ctx = Context {
            state: &self.tenant_state,
            actor,
            now: self.now + Duration::seconds(1),
            customers: &customers,
            holders: &holders,
            expected: self.expected,
            proposing: Some(Proposing {
                id: ProposalId::generate(),
                as_of: None,
            }),
            lacks_code: self.lacks_code,
        };
        decide(command, &own, &ctx)
    }

    /// Decides a command and applies its events, one second after the last ones.
    pub fn run(&mut self, actor: Actor, command: Command) -> Result<Answer, Refusal> {
        let decision = self.decided(actor, &command)?;
        let preview = Preview::of(&decision, &self.tenant_state, None);
        let is_proposal = decision.answer.proposal.is_some();
        for unique_value in &decision.unique_values {
            if let Some(value) = &unique_value.value {
                let holder = self.unique_values.get(&(unique_value.kind, value.clone())).copied();
                if holder.is_some_and(|holder| holder != unique_value.owner) {
                    return Err(unique_value.kind.taken());
                }
            }
        }
        // A proposal checks unique values and takes none.
        for unique_value in decision.unique_values.into_iter().filter(|_| !is_proposal) {
            self.unique_values
                .retain(|(kind, _), owner| *kind != unique_value.kind || *owner != unique_value.owner);
            if let Some(value) = unique_value.value {
                self.unique_values
                    .insert((unique_value.kind, value), unique_value.owner);
            }
        }
        self.now += Duration::seconds(1);
        let now = self.now;
        for event in decision.events {
            let stream = command.stream_of(&event);
            let state = self
                .streams
                .entry(stream)
                .or_insert_with(|| StreamState::new(stream.kind));
            state.apply(&event);
            self.tenant_state.apply(&event, now);
            self.history.entry(stream).or_default().push(event.clone());
            self.log.push((event, now));
        }
        // For every command of every test, the preview must equal the decision.
        let ends = preview
            .transfers
            .iter()
            .flat_map(|transfer| [transfer.debit, transfer.credit]);
        let ends: HashMap<_, _> = ends.map(|end| (end.account, end.balance.unwrap().1)).collect();
        for (account, after) in ends {
            assert_eq!(self.tenant_state.balance(account), after, "{account:?}");
        }
        assert_eq!(preview.answer, decision.answer);
        Ok(decision.answer)
    }

    /// All customers as they stand.
    pub fn customers(&self) -> Customers {
        self.streams
            .values()
            .filter_map(|state| state.customer().cloned())
            .collect()
    }

    pub fn state(&self, id: StreamId) -> StreamState {
        self.streams
            .get(&id)
            .cloned()
            .unwrap_or_else(|| StreamState::new(id.kind))
    }

    pub fn remittance(&self, id: RemittanceId) -> Remittance {
        match self.state(Command::Remittance(id, RemittanceCommand::Cancel { reason: String::new() }).stream()) {
            StreamState::Remittance(stream) => stream.0.expect("the remittance exists"),
            other => panic!("not a remittance: {other:?}"),
        }
    }

    pub fn remittances(&self) -> impl Iterator<Item = &Remittance> {
        self.streams.values().filter_map(|state| match state {
            StreamState::Remittance(stream) => stream.0.as_ref(),
            _ => None,
        })
    }

    pub fn balance(&self, account: Account) -> String {
        self.tenant_state.balance(account).to_string()
    }

    /// Opens a tenant with the four currencies, like `caudal tenant create`, and a manager.
    pub fn opened() -> (Self, Actor) {
        let mut world = Self::default();
        let tenant = Tenant {
            name: "Prueba".into(),
            time_zone: caudal_domain::DEFAULT_ZONE,
        };
        world
            .run(Actor::System, Command::Tenant(TenantCommand::Open(tenant)))
            .unwrap();
        for code in [
            CurrencyCode::USD,
            CurrencyCode::CUP,
            CurrencyCode::EUR,
            CurrencyCode::MLC,
        ] {
            world.currency(Actor::System, code, "1", "0");
        }
        let manager = world.party(Actor::System, "manager", Registration::Manager);
        (world, Actor::Party(manager))
    }

    pub fn currency(&mut self, actor: Actor, code: CurrencyCode, exchange_rate: &str, distribution_rate: &str) {
        let existing = self.tenant_state.currency(code).map(|currency| currency.id);
        let currency = Currency {
            id: existing.unwrap_or_else(CurrencyId::generate),
            code,
            symbol: "$".into(),
            exchange_rate: rate(exchange_rate),
            distribution_rate: amount(distribution_rate),
            accounted: true,
            enabled: true,
        };
        let command = if existing.is_some() {
            CurrencyCommand::Change(currency.clone())
        } else {
            CurrencyCommand::Add(currency.clone())
        };
        self.run(actor, Command::Currency(currency.id, command)).unwrap();
    }

    pub fn party(&mut self, actor: Actor, name: &str, registration: Registration) -> PartyId {
        let id = PartyId::generate();
        self.names.insert(id.0, name.into());
        let details = PartyDetails {
            name: name.into(),
            email: format!("{name}@example.test"),
            ..PartyDetails::default()
        };
        let register = RegisterParty {
            id,
            registration,
            details,
            is_active: true,
        };
        self.run(actor, Command::Party(id, PartyCommand::Register(register)))
            .unwrap();
        id
    }

    pub fn group(
        &mut self,
        actor: Actor,
        name: &str,
        currency_to: CurrencyCode,
        exchange_rate: &str,
        manager: &str,
    ) -> PaymentGroupId {
        let id = PaymentGroupId::generate();
        self.names.insert(id.0, name.into());
        let group = PaymentGroup {
            id,
            name: name.into(),
            currency_to,
            exchange_rate: rate(exchange_rate),
            manager_commission: Commission::percentage(rate(manager)),
            agency_commission: Commission::default(),
            agent_commission: Commission::default(),
            is_active: true,
        };
        self.run(actor, Command::PaymentGroup(id, PaymentGroupCommand::Create(group)))
            .unwrap();
        id
    }

    pub fn issuer(&mut self, actor: Actor, owner: PartyId) -> CustomerId {
        let id = CustomerId::generate();
        let register = RegisterCustomer {
            id,
            kind: CustomerKind::Issuer,
            details: CustomerDetails {
                name: "Ana".into(),
                ..CustomerDetails::default()
            },
            is_active: true,
            owner: Some(owner),
            sender: None,
            place: Place::default(),
        };
        self.run(actor, Command::Customer(id, CustomerCommand::Register(register)))
            .unwrap();
        id
    }

    pub fn recipient(&mut self, actor: Actor, sender: CustomerId, place: Place) -> CustomerId {
        let id = CustomerId::generate();
        let register = RegisterCustomer {
            id,
            kind: CustomerKind::Recipient,
            details: CustomerDetails {
                name: "Berta".into(),
                ..CustomerDetails::default()
            },
            is_active: true,
            owner: None,
            sender: Some(sender),
            place,
        };
        self.run(actor, Command::Customer(id, CustomerCommand::Register(register)))
            .unwrap();
        id
    }

    pub fn card(&mut self, actor: Actor, recipient: CustomerId, brand: Brand) -> CardId {
        let card = CardId::generate();
        let number = format!("{}{:010}", brand.prefix(), 7);
        self.run(
            actor,
            Command::Customer(recipient, CustomerCommand::AddCard(AddCard { card, brand, number })),
        )
        .unwrap();
        card
    }

    pub fn deposit(
        &mut self,
        actor: Actor,
        to: DepositTo,
        funds: Funds,
        minor: i64,
        on_credit: bool,
    ) -> Result<Answer, Refusal> {
        let deposit = Deposit {
            to,
            funds,
            amount: Amount::from_minor(minor),
            on_credit,
            note: None,
            debit: ObligationId::generate(),
        };
        self.run(
            actor,
            Command::Movement(MovementId::generate(), MovementCommand::Deposit(deposit)),
        )
    }

    pub fn close(&mut self, actor: Actor, party: PartyId) -> Result<Answer, Refusal> {
        self.run(actor, Command::Closure(closing(party)))
    }
}
