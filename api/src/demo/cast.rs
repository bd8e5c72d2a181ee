//! Who appears: rates, groups, agencies, agents, dealers and delivery men, customers.

use super::{DemoError, chance::Chance, people, teller::Teller};
use caudal_domain::{
    Command, Commission,
    customer::{
        AddCard, CustomerCommand, CustomerDetails, CustomerKind, IdentificationType, Place, RegisterCustomer,
        card::Brand,
    },
    ids::{CardId, CurrencyId, CustomerId, MunicipalityId, PartyId, PaymentGroupId, ProvinceId},
    money::{Amount, CurrencyCode, Rate},
    nomenclator::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place::{DistributionFee, PlaceCommand, PlaceSettings, provinces},
    },
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, TermsChange, Territory},
};

/// A group on sale.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub id: PaymentGroupId,
    pub currency: CurrencyCode,
    /// So many of a hundred sales are of it.
    pub share: i64,
}

/// Who sells.
#[derive(Clone, Debug)]
pub struct Seller {
    pub id: PartyId,
    /// On whose balances: its own, or its agency's for an internal agent.
    pub funded_by: PartyId,
    pub groups: Vec<Group>,
    /// Its customers, by their place in [`Cast::issuers`].
    pub issuers: Vec<usize>,
    /// Whether its balances come from the manager.
    pub under_manager: bool,
}

/// Who sends, to whom.
#[derive(Clone, Debug)]
pub struct Issuer {
    pub id: CustomerId,
    pub recipients: Vec<Recipient>,
}

/// Who is paid.
#[derive(Clone, Copy, Debug)]
pub struct Recipient {
    pub id: CustomerId,
    pub province: ProvinceId,
    pub mlc_card: Option<CardId>,
}

/// Who delivers.
#[derive(Clone, Debug)]
pub struct Dealer {
    pub id: PartyId,
    pub province: ProvinceId,
    pub delivery_men: Vec<PartyId>,
    pub handles_mlc: bool,
}

/// All of them.
#[derive(Clone, Debug)]
pub struct Cast {
    pub sellers: Vec<Seller>,
    pub issuers: Vec<Issuer>,
    pub dealers: Vec<Dealer>,
    pub chance: Chance,
}

pub const CUP: CurrencyCode = CurrencyCode::CUP;
pub const USD: CurrencyCode = CurrencyCode::USD;
pub const EUR: CurrencyCode = CurrencyCode::EUR;
pub const MLC: CurrencyCode = CurrencyCode::MLC;

/// Reference units per USD, and the fee of a delivery in whole units.
const CURRENCIES: [(CurrencyCode, &str, i64); 4] =
    [(CUP, "320", 150), (USD, "1", 2), (EUR, "0.92", 2), (MLC, "1.05", 0)];

/// Name, currency, rate, commissions of manager, agency and agent, share of the sales.
const GROUPS: [(&str, CurrencyCode, &str, &str, &str, &str, i64); 4] = [
    ("CUP a domicilio", CUP, "318.5", "3", "4", "2.5", 52),
    ("USD a domicilio", USD, "1", "5", "4", "2", 22),
    ("EUR a domicilio", EUR, "0.915", "4", "3.5", "2", 10),
    ("MLC a tarjeta", MLC, "1.02", "2.5", "3", "1.5", 16),
];

/// Name, e-mail, city, country.
const AGENCIES: [(&str, &str, &str, &str); 3] = [
    ("Envíos Malecón", "agency@caudal.demo", "Miami", "US"),
    ("Caribe Express", "agency2@caudal.demo", "Tampa", "US"),
    ("Casa Habana", "agency3@caudal.demo", "Madrid", "ES"),
];

/// Name, e-mail, agency (none: under the manager), internal.
const AGENTS: [(&str, &str, Option<usize>, bool); 5] = [
    ("Dianelys Oropesa", "external@caudal.demo", Some(0), false),
    ("Manuel Saborit", "internal@caudal.demo", Some(0), true),
    ("Grettel Toledo", "internal2@caudal.demo", Some(1), true),
    ("Ramón Echevarría", "external2@caudal.demo", Some(2), false),
    ("Nereida Montero", "external3@caudal.demo", None, false),
];

/// Name, e-mail, province by its place in the catalogue, whether MLC, delivery men.
type DealerOf = (
    &'static str,
    &'static str,
    &'static str,
    bool,
    &'static [(&'static str, &'static str)],
);
const DEALERS: [DealerOf; 4] = [
    (
        "Osmany Valdés",
        "dealer@caudal.demo",
        "La Habana",
        true,
        &[
            ("Yordanis Peña", "delivery@caudal.demo"),
            ("Adrián Suárez", "delivery2@caudal.demo"),
        ],
    ),
    (
        "Marisol Batista",
        "dealer2@caudal.demo",
        "Matanzas",
        false,
        &[("Dariel Leyva", "delivery3@caudal.demo")],
    ),
    (
        "Eduardo Guerra",
        "dealer3@caudal.demo",
        "Villa Clara",
        true,
        &[("Yunior Zayas", "delivery4@caudal.demo")],
    ),
    (
        "Aracelis Milián",
        "dealer4@caudal.demo",
        "Santiago de Cuba",
        false,
        &[("Ernesto Quesada", "delivery5@caudal.demo")],
    ),
];

const ISSUERS: usize = 48;

/// Introduces everybody.
pub async fn introduce(teller: &mut Teller, chance: &mut Chance) -> Result<Cast, DemoError> {
    set_rates(teller).await?;
    let groups = make_groups(teller).await?;
    let dealers = make_dealers(teller, chance).await?;
    let sellers = make_sellers(teller, chance, &groups).await?;
    let mut cast = Cast {
        sellers,
        issuers: Vec::new(),
        dealers,
        chance: chance.clone(),
    };
    for index in 0..ISSUERS {
        make_issuer(teller, &mut cast, index).await?;
    }
    Ok(cast)
}

async fn set_rates(teller: &mut Teller) -> Result<(), DemoError> {
    let books = teller.books().await?;
    for (code, reference, fee) in CURRENCIES {
        let currency = books.currency(code).ok_or_else(|| DemoError::Story(code.to_string()))?;
        let id: CurrencyId = currency.id;
        let changed = Currency {
            exchange_rate: rate(reference)?,
            distribution_rate: units(fee),
            ..currency.clone()
        };
        teller
            .tell(teller.manager, Command::Currency(id, CurrencyCommand::Change(changed)))
            .await?;
    }
    // Far places cost more to reach.
    for province in provinces()
        .iter()
        .filter(|province| DEALERS.iter().any(|dealer| dealer.2 == province.name))
    {
        for place in province.municipalities.iter().rev().take(3) {
            let settings = PlaceSettings {
                distribution_fee: Some(DistributionFee {
                    amount: units(350),
                    currency: CUP,
                }),
                enabled: true,
            };
            let change = PlaceCommand::ChangeMunicipality(place.id, settings);
            teller.tell(teller.manager, Command::Place(change)).await?;
        }
    }
    Ok(())
}

async fn make_groups(teller: &mut Teller) -> Result<Vec<Group>, DemoError> {
    let mut groups = Vec::new();
    for (name, currency, exchange_rate, manager, agency, agent, share) in GROUPS {
        let id = PaymentGroupId::generate();
        let group = PaymentGroup {
            id,
            name: name.to_owned(),
            currency_to: currency,
            exchange_rate: rate(exchange_rate)?,
            manager_commission: Commission::percentage(rate(manager)?),
            agency_commission: Commission::percentage(rate(agency)?),
            agent_commission: Commission::percentage(rate(agent)?),
            is_active: true,
        };
        let create = Command::PaymentGroup(id, PaymentGroupCommand::Create(group));
        let id = PaymentGroupId(teller.tell(teller.manager, create).await?.id);
        groups.push(Group { id, currency, share });
    }
    Ok(groups)
}

async fn make_dealers(teller: &mut Teller, chance: &mut Chance) -> Result<Vec<Dealer>, DemoError> {
    let mut dealers = Vec::new();
    for (name, email, province, handle_mlc, men) in DEALERS {
        let province = provinces()
            .iter()
            .find(|known| known.name == province)
            .ok_or_else(|| DemoError::Story(province.to_owned()))?;
        let territory = Territory {
            province: Some(province.id),
            zones: province.municipalities.iter().map(|place| place.id).collect(),
            handle_mlc,
        };
        let details = cuban(chance, name, email, &province.name);
        let id = register(teller, Registration::Dealer { territory }, details).await?;
        let mut delivery_men = Vec::new();
        for (name, email) in men {
            let registration = Registration::DeliveryMan {
                dealer: Some(id),
                handle_mlc: false,
            };
            let details = cuban(chance, name, email, &province.name);
            delivery_men.push(register(teller, registration, details).await?);
        }
        dealers.push(Dealer {
            id,
            province: province.id,
            delivery_men,
            handles_mlc: handle_mlc,
        });
    }
    Ok(dealers)
}

async fn make_sellers(teller: &mut Teller, chance: &mut Chance, groups: &[Group]) -> Result<Vec<Seller>, DemoError> {
    let mut sellers: Vec<Seller> = Vec::new();
    for (index, (name, email, city, country)) in AGENCIES.into_iter().enumerate() {
        // The last one has no MLC, and one has a discount of its own.
        let held = if index == 2 {
            &groups[..3.min(groups.len())]
        } else {
            groups
        };
        let terms = held
            .iter()
            .map(|group| terms(group.id, units(if group.currency == CUP { 60_000 } else { 200 })));
        let details = abroad(chance, name, email, city, country);
        let registration = Registration::Agency { terms: terms.collect() };
        let id = register(teller, registration, details).await?;
        sellers.push(seller(id, id, held, true));
    }
    for (name, email, agency, internal) in AGENTS {
        let agency = match agency {
            Some(index) => {
                let known = sellers.get(index).cloned();
                Some(known.ok_or_else(|| DemoError::Story(name.to_owned()))?)
            }
            None => None,
        };
        let details = abroad(chance, name, email, "Hialeah", "US");
        let agency_id = agency.as_ref().map(|agency| agency.id);
        let held = agency.as_ref().map_or(groups, |agency| agency.groups.as_slice());
        if internal {
            let registration = Registration::InternalAgent { agency: agency_id };
            let id = register(teller, registration, details).await?;
            sellers.push(seller(id, agency_id.unwrap_or(id), held, true));
        } else {
            let held = held.get(..2).unwrap_or(held);
            let terms = held.iter().map(|group| terms(group.id, Amount::ZERO)).collect();
            let registration = Registration::ExternalAgent {
                agency: agency_id,
                terms,
            };
            let id = register(teller, registration, details).await?;
            sellers.push(seller(id, id, held, agency_id.is_none()));
        }
    }
    Ok(sellers)
}

fn seller(id: PartyId, funded_by: PartyId, groups: &[Group], under_manager: bool) -> Seller {
    Seller {
        id,
        funded_by,
        groups: groups.to_vec(),
        issuers: Vec::new(),
        under_manager,
    }
}

const fn terms(group: PaymentGroupId, credit_limit: Amount) -> TermsChange {
    TermsChange {
        group,
        exchange_rate: None,
        commission: None,
        name: None,
        is_active: None,
        credit_limit: Some(credit_limit),
    }
}

/// An issuer of the next seller in turn, with one to three recipients.
async fn make_issuer(teller: &mut Teller, cast: &mut Cast, index: usize) -> Result<(), DemoError> {
    let turn = index % cast.sellers.len().max(1);
    let Some(by) = cast.sellers.get(turn).map(|seller| seller.id) else {
        return Ok(());
    };
    let chance = &mut cast.chance;
    let (country, state, city) = chance.pick(people::ABROAD).copied().unwrap_or_default();
    let details = CustomerDetails {
        phone_number: Some(format!("+1{}", chance.digits(10))),
        personal_identification_type: Some(IdentificationType::DriverLicense),
        personal_identification_number: Some(format!("D{}", chance.digits(12))),
        address_line: Some(format!("{} {}", chance.between(100, 9_900), "SW 8th St")),
        municipality: Some(city.to_owned()),
        province: Some(state.to_owned()),
        country: Some(country.to_owned()),
        zip_code: Some(chance.digits(5)),
        ..named(chance)
    };
    let issuer = customer(CustomerKind::Issuer, details, None, Place::default());
    let id = CustomerId(teller.tell(by, issuer).await?.id);
    let mut recipients = Vec::new();
    for _ in 0..cast.chance.between(1, 3) {
        recipients.push(make_recipient(teller, &mut cast.chance, &cast.dealers, by, id).await?);
    }
    cast.issuers.push(Issuer { id, recipients });
    // Colleagues of an agency serve its customers too.
    let funded_by = cast.sellers.get(turn).map(|seller| seller.funded_by);
    for seller in &mut cast.sellers {
        if seller.id == by || Some(seller.funded_by) == funded_by {
            seller.issuers.push(cast.issuers.len() - 1);
        }
    }
    Ok(())
}

async fn make_recipient(
    teller: &mut Teller,
    chance: &mut Chance,
    dealers: &[Dealer],
    by: PartyId,
    sender: CustomerId,
) -> Result<Recipient, DemoError> {
    // Most live where somebody delivers, the first dealer's province above all.
    let home = if chance.percent(45) {
        dealers.first()
    } else {
        chance.pick(dealers)
    };
    let home = home.map(|dealer| dealer.province);
    let province = provinces()
        .iter()
        .find(|province| Some(province.id) == home)
        .ok_or_else(|| DemoError::Story("a recipient without a province".to_owned()))?;
    let municipality: Option<MunicipalityId> = chance.pick(&province.municipalities).map(|place| place.id);
    let details = CustomerDetails {
        phone_number: Some(format!("+535{}", chance.digits(7))),
        personal_identification_type: Some(IdentificationType::Ci),
        personal_identification_number: Some(identity_card(chance)),
        address_line: Some(format!(
            "{} No. {} e/ {} y {}",
            chance.word(people::STREETS),
            chance.between(1, 980),
            chance.between(1, 30),
            chance.between(31, 60)
        )),
        repart: Some(chance.word(people::NEIGHBOURHOODS).to_owned()),
        ..named(chance)
    };
    let place = Place {
        province: Some(province.id),
        municipality,
    };
    let command = customer(CustomerKind::Recipient, details, Some(sender), place);
    let id = CustomerId(teller.tell(by, command).await?.id);
    let mut mlc_card = None;
    if chance.percent(60) {
        let brand = chance
            .pick(&[Brand::BandecMlc, Brand::BmMlc, Brand::BpaMlc])
            .copied()
            .unwrap_or(Brand::BpaMlc);
        let number = format!("{}{}", brand.prefix(), chance.digits(16 - brand.prefix().len()));
        let add = AddCard {
            card: CardId::generate(),
            brand,
            number,
        };
        let answer = teller
            .tell(by, Command::Customer(id, CustomerCommand::AddCard(add)))
            .await?;
        mlc_card = Some(CardId(answer.id));
    }
    Ok(Recipient {
        id,
        province: province.id,
        mlc_card,
    })
}

fn customer(kind: CustomerKind, details: CustomerDetails, sender: Option<CustomerId>, place: Place) -> Command {
    let id = CustomerId::generate();
    let register = RegisterCustomer {
        id,
        kind,
        details,
        is_active: true,
        owner: None,
        sender,
        place,
    };
    Command::Customer(id, CustomerCommand::Register(register))
}

async fn register(
    teller: &mut Teller,
    registration: Registration,
    details: PartyDetails,
) -> Result<PartyId, DemoError> {
    let id = PartyId::generate();
    let register = RegisterParty {
        id,
        registration,
        details,
        is_active: true,
    };
    teller
        .register(id, Command::Party(id, PartyCommand::Register(register)))
        .await
}

fn abroad(chance: &mut Chance, name: &str, email: &str, city: &str, country: &str) -> PartyDetails {
    PartyDetails {
        name: name.to_owned(),
        email: email.to_owned(),
        phone: Some(format!("+1{}", chance.digits(10))),
        city: Some(city.to_owned()),
        country: Some(country.to_owned()),
        ..PartyDetails::default()
    }
}

fn cuban(chance: &mut Chance, name: &str, email: &str, province: &str) -> PartyDetails {
    PartyDetails {
        name: name.to_owned(),
        email: email.to_owned(),
        phone: Some(format!("+535{}", chance.digits(7))),
        identification_number: Some(identity_card(chance)),
        address_line1: Some(format!(
            "{} No. {}",
            chance.word(people::STREETS),
            chance.between(1, 900)
        )),
        city: Some(province.to_owned()),
        country: Some("CU".to_owned()),
        ..PartyDetails::default()
    }
}

fn named(chance: &mut Chance) -> CustomerDetails {
    CustomerDetails {
        name: chance.word(people::FIRST_NAMES).to_owned(),
        last_name: Some(chance.word(people::SURNAMES).to_owned()),
        second_surname: Some(chance.word(people::SURNAMES).to_owned()),
        ..CustomerDetails::default()
    }
}

/// Eleven digits, of which the first six are a date of birth.
fn identity_card(chance: &mut Chance) -> String {
    let (year, month, day) = (chance.between(45, 99), chance.between(1, 12), chance.between(1, 28));
    format!("{year:02}{month:02}{day:02}{}", chance.digits(5))
}

pub fn rate(text: &str) -> Result<Rate, DemoError> {
    text.parse().map_err(|_| DemoError::Story(text.to_owned()))
}

/// So many whole units.
pub const fn units(count: i64) -> Amount {
    Amount::from_minor(count * caudal_domain::money::MINOR_UNITS)
}
