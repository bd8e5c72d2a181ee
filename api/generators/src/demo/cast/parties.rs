//! Agencies, agents, dealers and delivery men.

use super::{CUP, Dealer, Group, Seller, identity_card, units};
use crate::demo::{DemoError, chance::Chance, people, teller::Teller};
use caudal_domain::{
    Command,
    ids::{PartyId, PaymentGroupId},
    money::Amount,
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, TermsChange, Territory},
    reference_data::place::provinces,
};

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

/// Name, e-mail, province, whether MLC, delivery men.
pub(super) type DealerOf = (
    &'static str,
    &'static str,
    &'static str,
    bool,
    &'static [(&'static str, &'static str)],
);
pub(super) const DEALERS: [DealerOf; 4] = [
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

pub(super) async fn make_dealers(teller: &mut Teller, chance: &mut Chance) -> Result<Vec<Dealer>, DemoError> {
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

pub(super) async fn make_sellers(
    teller: &mut Teller,
    chance: &mut Chance,
    groups: &[Group],
) -> Result<Vec<Seller>, DemoError> {
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
        phone: Some(chance.american_phone()),
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
