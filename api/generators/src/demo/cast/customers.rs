//! Issuers and their recipients.

use super::{Cast, Dealer, Issuer, Recipient, identity_card};
use crate::demo::{DemoError, chance::Chance, people, teller::Teller};
use caudal_domain::{
    Command,
    customer::{
        AddCard, CustomerCommand, CustomerDetails, CustomerKind, IdentificationType, Place, RegisterCustomer,
        card::Brand,
    },
    ids::{CardId, CustomerId, MunicipalityId, PartyId},
    reference_data::place::provinces,
};

/// An issuer of the next seller in turn, with one to three recipients.
pub(super) async fn make_issuer(teller: &mut Teller, cast: &mut Cast, index: usize) -> Result<(), DemoError> {
    let turn = index % cast.sellers.len().max(1);
    let Some(by) = cast.sellers.get(turn).map(|seller| seller.id) else {
        return Ok(());
    };
    let chance = &mut cast.chance;
    let (country, state, city) = chance.pick(people::ABROAD).copied().unwrap_or_default();
    let details = CustomerDetails {
        phone_number: Some(chance.american_phone()),
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
    // Most live in a dealer's zone, above all in the first dealer's province.
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

fn named(chance: &mut Chance) -> CustomerDetails {
    CustomerDetails {
        name: chance.word(people::FIRST_NAMES).to_owned(),
        last_name: Some(chance.word(people::SURNAMES).to_owned()),
        second_surname: Some(chance.word(people::SURNAMES).to_owned()),
        ..CustomerDetails::default()
    }
}
