//! A small business in memory with a party for every case that the rules distinguish.

use super::{World, amount, any, commission, place, terms};
use caudal_domain::{
    Actor, Answer, Command, Refusal, UtilityType,
    customer::{Place, card::Brand},
    ids::{CardId, CustomerId, PartyId, PaymentGroupId, RemittanceId},
    money::{Amount, CurrencyCode},
    movement::{DepositTo, Funds},
    party::{ChangeParty, PartyCommand, PartyDetails, Registration, Territory},
    reference_data::place::{DistributionFee, PlaceCommand, PlaceSettings},
    remittance::{CreateRemittance, RemittanceCommand},
};

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

    /// A business with sufficient balances and cash for every sale and delivery.
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
        let amount = Amount::from_minor(minor);
        CreateRemittance::new(RemittanceId::generate(), self.ana, self.berta, group, amount)
    }

    pub fn sell(&mut self, seller: PartyId, sale: CreateRemittance) -> RemittanceId {
        let id = sale.id;
        self.act(Actor::Party(seller), id, RemittanceCommand::Create(sale))
            .unwrap();
        id
    }

    /// Deactivates a party.
    pub fn pause(&mut self, party: PartyId) {
        let details = PartyDetails {
            name: "Paused".into(),
            email: format!("paused-{party}@example.test"),
            ..PartyDetails::default()
        };
        let change = ChangeParty {
            details,
            is_active: Some(false),
            territory: None,
            known: None,
            sets_password: false,
        };
        let change = Command::Party(party, PartyCommand::Change(change));
        self.world.run(self.manager, change).unwrap();
    }

    pub fn act(&mut self, actor: Actor, id: RemittanceId, command: RemittanceCommand) -> Result<Answer, Refusal> {
        self.world.run(actor, Command::Remittance(id, command))
    }
}
