//! Who appears: rates, groups, agencies, agents, dealers and delivery men, customers.

mod customers;
mod parties;

use super::{DemoError, chance::Chance, teller::Teller};
use caudal_domain::{
    Command, Commission,
    ids::{CardId, CurrencyId, CustomerId, PartyId, PaymentGroupId, ProvinceId},
    money::{Amount, CurrencyCode, Rate},
    reference_data::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place::{DistributionFee, PlaceCommand, PlaceSettings, provinces},
    },
};
use parties::DEALERS;

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
pub const CURRENCIES: [(CurrencyCode, &str, i64); 4] =
    [(CUP, "320", 150), (USD, "1", 2), (EUR, "0.92", 2), (MLC, "1.05", 0)];

/// Name, currency, rate, commissions of manager, agency and agent, share of the sales.
pub const GROUPS: [(&str, CurrencyCode, &str, &str, &str, &str, i64); 4] = [
    ("CUP a domicilio", CUP, "318.5", "3", "4", "2.5", 52),
    ("USD a domicilio", USD, "1", "5", "4", "2", 22),
    ("EUR a domicilio", EUR, "0.915", "4", "3.5", "2", 10),
    ("MLC a tarjeta", MLC, "1.02", "2.5", "3", "1.5", 16),
];

const ISSUERS: usize = 48;

/// Introduces everybody.
pub async fn introduce(teller: &mut Teller, chance: &mut Chance) -> Result<Cast, DemoError> {
    set_rates(teller).await?;
    let groups = make_groups(teller).await?;
    let dealers = parties::make_dealers(teller, chance).await?;
    let sellers = parties::make_sellers(teller, chance, &groups).await?;
    let mut cast = Cast {
        sellers,
        issuers: Vec::new(),
        dealers,
        chance: chance.clone(),
    };
    for index in 0..ISSUERS {
        customers::make_issuer(teller, &mut cast, index).await?;
    }
    Ok(cast)
}

async fn set_rates(teller: &mut Teller) -> Result<(), DemoError> {
    let state = teller.state().await?;
    for (code, reference, fee) in CURRENCIES {
        let currency = state.currency(code).ok_or_else(|| DemoError::Story(code.to_string()))?;
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

/// Identity card of a person born from 1945 to 1999: the seventh digit of that century is 0 to 5.
pub fn identity_card(chance: &mut Chance) -> String {
    let (year, month, day) = (chance.between(45, 99), chance.between(1, 12), chance.between(1, 28));
    let century = chance.between(0, 5);
    format!("{year:02}{month:02}{day:02}{century}{}", chance.digits(4))
}

pub fn rate(text: &str) -> Result<Rate, DemoError> {
    text.parse().map_err(|_| DemoError::Story(text.to_owned()))
}

/// So many whole units.
pub const fn units(count: i64) -> Amount {
    Amount::from_minor(count * caudal_domain::money::MINOR_UNITS)
}
