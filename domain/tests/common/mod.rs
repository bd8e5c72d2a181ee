//! A tenant in memory: commands go in through the domain's one door, events are folded back. What a journal does,
//! without one.

#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::inconsistent_digit_grouping, reason = "amounts in hundredths read as 318_50")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where it must"
)]

pub mod given;

use caudal_domain::{
    Account, Actor, Answer, Books, ClaimKind, Command, Commission, Context, Event, Refusal, StreamId, StreamState,
    Streams, Tenant, TenantCommand, UtilityType,
    closure::ClosePeriod,
    customer::{AddCard, CustomerCommand, CustomerDetails, CustomerKind, Place, RegisterCustomer, card::Brand},
    decide,
    ids::{
        CardId, ClosureId, CurrencyId, CustomerId, DebitId, MovementId, MunicipalityId, PartyId, PaymentGroupId,
        ProvinceId, RemittanceId,
    },
    money::{Amount, CurrencyCode, Rate},
    movement::{Deposit, DepositTo, ExpectedParty, Funds, MovementCommand},
    nomenclator::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place::{DistributionFee, PlaceCommand, PlaceSettings, provinces},
    },
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, TermsChange, Territory},
    remittance::{CompleteRemittance, CreateRemittance, DeliveryChoice, Remittance, RemittanceCommand},
};
use chrono::{DateTime, Duration, TimeZone, Utc};
use std::collections::HashMap;
use uuid::Uuid;

pub fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

pub fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

/// A tenant in memory.
pub struct World {
    pub books: Books,
    pub now: DateTime<Utc>,
    pub log: Vec<(Event, DateTime<Utc>)>,
    history: HashMap<StreamId, Vec<Event>>,
    names: HashMap<Uuid, String>,
    streams: HashMap<StreamId, StreamState>,
    claims: HashMap<(ClaimKind, String), Uuid>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            books: Books::default(),
            now: Utc.with_ymd_and_hms(2026, 5, 4, 13, 0, 0).unwrap(),
            log: Vec::new(),
            history: HashMap::new(),
            names: HashMap::new(),
            streams: HashMap::new(),
            claims: HashMap::new(),
        }
    }
}

impl World {
    /// Decides a command and, unless it is refused, applies its events one second later than the last ones.
    pub fn run(&mut self, actor: Actor, command: Command) -> Result<Answer, Refusal> {
        let stream = command.stream();
        let own = self.state(stream);
        let mut streams = Streams::default();
        for id in command.reads() {
            streams.insert(id, self.state(id));
        }
        let now = self.now + Duration::seconds(1);
        let ctx = Context {
            books: &self.books,
            actor,
            now,
            streams: &streams,
        };
        let decision = decide(&command, &own, &ctx)?;
        for claim in &decision.claims {
            if let Some(value) = &claim.value {
                let holder = self.claims.get(&(claim.kind, value.clone())).copied();
                if holder.is_some_and(|holder| holder != claim.owner) {
                    return Err(claim.kind.taken());
                }
            }
        }
        for claim in decision.claims {
            self.claims
                .retain(|(kind, _), owner| *kind != claim.kind || *owner != claim.owner);
            if let Some(value) = claim.value {
                self.claims.insert((claim.kind, value), claim.owner);
            }
        }
        self.now = now;
        for event in decision.events {
            let state = self
                .streams
                .entry(stream)
                .or_insert_with(|| StreamState::new(stream.kind));
            state.apply(&event);
            self.books.apply(&event, now);
            self.history.entry(stream).or_default().push(event.clone());
            self.log.push((event, now));
        }
        Ok(decision.answer)
    }

    /// All streams as they stand.
    pub fn everything(&self) -> Streams {
        let mut streams = Streams::default();
        for (id, state) in &self.streams {
            streams.insert(*id, state.clone());
        }
        streams
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
        self.books.balance(account).to_string()
    }

    /// Opens a tenant with the four currencies, as `caudal tenant create` does, and a manager.
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
        let existing = self.books.currency(code).map(|currency| currency.id);
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
            debit: DebitId::generate(),
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

pub fn closing(party: PartyId) -> ClosePeriod {
    ClosePeriod {
        id: ClosureId::generate(),
        party,
        to: None,
        debit: DebitId::generate(),
        agency_debit: DebitId::generate(),
    }
}

pub fn any(party: PartyId) -> DepositTo {
    DepositTo::Party(party, ExpectedParty::Any)
}

pub fn terms(group: PaymentGroupId, exchange_rate: &str, commission: Commission, credit_limit: &str) -> TermsChange {
    TermsChange {
        group,
        exchange_rate: Some(rate(exchange_rate)),
        commission: Some(commission),
        name: None,
        is_active: None,
        credit_limit: Some(amount(credit_limit)),
    }
}

pub fn commission(percent: &str, utility_type: UtilityType, special: Option<(&str, &str)>) -> Commission {
    Commission {
        rate: rate(percent),
        utility_type,
        minimal_amount: special.map(|(minimum, _)| amount(minimum)),
        utility_value: special.map(|(_, utility)| rate(utility)),
    }
}

pub fn delivered() -> CompleteRemittance {
    CompleteRemittance {
        identification: Some("a".repeat(64)),
        signature: Some("b".repeat(64)),
        to_representative: false,
    }
}

/// A small business: two agencies, four agents, two dealers, two delivery men, and their customers.
pub struct Business {
    pub world: World,
    pub manager: Actor,
    pub cup: PaymentGroupId,
    pub usd: PaymentGroupId,
    pub mlc: PaymentGroupId,
    pub agency: PartyId,
    pub other_agency: PartyId,
    pub agent: PartyId,
    pub clerk: PartyId,
    pub free_agent: PartyId,
    pub dealer: PartyId,
    pub other_dealer: PartyId,
    pub courier: PartyId,
    pub other_courier: PartyId,
    pub playa: Place,
    pub cardenas: Place,
    pub ana: CustomerId,
    pub berta: CustomerId,
    pub bertas_card: CardId,
    pub carla: CustomerId,
    pub delia: CustomerId,
    pub elisa: CustomerId,
    pub flora: CustomerId,
}

pub fn place(province: &str, municipality: &str) -> (ProvinceId, MunicipalityId) {
    let province = provinces().iter().find(|known| known.name == province).unwrap();
    (
        province.id,
        province
            .municipalities
            .iter()
            .find(|known| known.name == municipality)
            .unwrap()
            .id,
    )
}

impl Business {
    pub fn new() -> Self {
        let (mut world, manager) = World::opened();
        world.currency(manager, CurrencyCode::CUP, "330", "150.00");
        world.currency(manager, CurrencyCode::USD, "1", "2.00");
        world.currency(manager, CurrencyCode::MLC, "1.05", "1.00");
        let (havana, playa) = place("La Habana", "Playa");
        let (matanzas, cardenas) = place("Matanzas", "Cárdenas");
        let fee = DistributionFee {
            amount: amount("200.00"),
            currency: CurrencyCode::CUP,
        };
        let settings = PlaceSettings {
            distribution_fee: Some(fee),
            enabled: true,
        };
        world
            .run(
                manager,
                Command::Place(PlaceCommand::ChangeMunicipality(cardenas, settings)),
            )
            .unwrap();
        let cup = world.group(manager, "CUP", CurrencyCode::CUP, "320", "2");
        let usd = world.group(manager, "USD", CurrencyCode::USD, "1", "-0.1");
        let mlc = world.group(manager, "MLC", CurrencyCode::MLC, "0.95", "1.5");
        let agency = world.party(
            manager,
            "agency",
            Registration::Agency {
                terms: vec![
                    terms(
                        cup,
                        "318.5",
                        commission("5", UtilityType::Fixed, Some(("50", "4.00"))),
                        "0",
                    ),
                    terms(
                        usd,
                        "1",
                        commission("6", UtilityType::Percentage, Some(("100", "8"))),
                        "500",
                    ),
                    terms(mlc, "0.93", commission("-3", UtilityType::Fixed, None), "0"),
                ],
            },
        );
        let other_agency = world.party(
            manager,
            "other-agency",
            Registration::Agency {
                terms: vec![terms(cup, "319", commission("4", UtilityType::Fixed, None), "1000")],
            },
        );
        let agent = world.party(
            Actor::Party(agency),
            "agent",
            Registration::ExternalAgent {
                agency: None,
                terms: vec![
                    terms(cup, "315", commission("3", UtilityType::Fixed, None), "0"),
                    terms(usd, "0.99", commission("1", UtilityType::Fixed, None), "50"),
                ],
            },
        );
        let clerk = world.party(
            Actor::Party(agency),
            "clerk",
            Registration::InternalAgent { agency: None },
        );
        let free_agent = world.party(
            manager,
            "free-agent",
            Registration::ExternalAgent {
                agency: None,
                terms: vec![terms(
                    cup,
                    "317",
                    commission("4", UtilityType::Fixed, Some(("30", "2.5"))),
                    "0",
                )],
            },
        );
        let territory = |province, zone, handle_mlc| Territory {
            province: Some(province),
            zones: vec![zone],
            handle_mlc,
        };
        let dealer = world.party(
            manager,
            "dealer",
            Registration::Dealer {
                territory: territory(havana, playa, true),
            },
        );
        let other_dealer = world.party(
            manager,
            "other-dealer",
            Registration::Dealer {
                territory: territory(matanzas, cardenas, false),
            },
        );
        let courier = world.party(
            Actor::Party(dealer),
            "courier",
            Registration::DeliveryMan {
                dealer: None,
                handle_mlc: false,
            },
        );
        let other_courier = world.party(
            manager,
            "other-courier",
            Registration::DeliveryMan {
                dealer: Some(other_dealer),
                handle_mlc: false,
            },
        );
        let playa = Place {
            province: Some(havana),
            municipality: Some(playa),
        };
        let cardenas = Place {
            province: Some(matanzas),
            municipality: Some(cardenas),
        };
        let ana = world.issuer(Actor::Party(agency), agency);
        let berta = world.recipient(Actor::Party(agency), ana, playa);
        let bertas_card = world.card(Actor::Party(clerk), berta, Brand::BpaMlc);
        let carla = world.recipient(Actor::Party(agent), ana, cardenas);
        let delia = world.issuer(Actor::Party(free_agent), free_agent);
        let elisa = world.recipient(Actor::Party(free_agent), delia, cardenas);
        let flora = world.issuer(manager, other_agency);
        Self {
            world,
            manager,
            cup,
            usd,
            mlc,
            agency,
            other_agency,
            agent,
            clerk,
            free_agent,
            dealer,
            other_dealer,
            courier,
            other_courier,
            playa,
            cardenas,
            ana,
            berta,
            bertas_card,
            carla,
            delia,
            elisa,
            flora,
        }
    }

    /// A business with money everywhere, so that sales and deliveries go through.
    pub fn funded() -> Self {
        let mut business = Self::new();
        let manager = business.manager;
        for (currency, minor) in [
            (CurrencyCode::CUP, 900_000_00),
            (CurrencyCode::USD, 50_000_00),
            (CurrencyCode::MLC, 9_000_00),
        ] {
            business
                .world
                .deposit(manager, DepositTo::Treasury, Funds::Currency(currency), minor, false)
                .unwrap();
        }
        for (party, group, minor) in [
            (business.agency, business.cup, 200_000_00),
            (business.agency, business.usd, 3_000_00),
            (business.agency, business.mlc, 500_00),
            (business.agent, business.cup, 60_000_00),
            (business.free_agent, business.cup, 60_000_00),
            (business.other_agency, business.cup, 60_000_00),
        ] {
            business
                .world
                .deposit(manager, any(party), Funds::Group(group), minor, false)
                .unwrap();
        }
        for dealer in [business.dealer, business.other_dealer] {
            business
                .world
                .deposit(
                    manager,
                    any(dealer),
                    Funds::Currency(CurrencyCode::CUP),
                    90_000_00,
                    false,
                )
                .unwrap();
        }
        business
    }

    pub fn sale(&self, group: PaymentGroupId, minor: i64) -> CreateRemittance {
        CreateRemittance {
            id: RemittanceId::generate(),
            seller: None,
            sender: self.ana,
            recipient: self.berta,
            group,
            amount: Amount::from_minor(minor),
            delivery: DeliveryChoice::Home,
            reference: None,
            notes: None,
        }
    }

    pub fn sell(&mut self, seller: PartyId, sale: CreateRemittance) -> RemittanceId {
        let id = sale.id;
        self.act(Actor::Party(seller), id, RemittanceCommand::Create(sale))
            .unwrap();
        id
    }

    pub fn act(&mut self, actor: Actor, id: RemittanceId, command: RemittanceCommand) -> Result<Answer, Refusal> {
        self.world.run(actor, Command::Remittance(id, command))
    }
}
