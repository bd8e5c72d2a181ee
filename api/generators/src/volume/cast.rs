//! Who appears at the beginning: agencies with their agents, dealers with their delivery men. Customers come later.

use super::crowd::Crowd;
use crate::demo::{
    DemoError,
    cast::{CUP, CURRENCIES, GROUPS, rate, units},
    chance::Chance,
    people,
};
use caudal_domain::{
    Command, Commission,
    ids::{CardId, CustomerId, MunicipalityId, PartyId, PaymentGroupId, ProvinceId},
    money::{Amount, CurrencyCode},
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, TermsChange, Territory},
    reference_data::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place::provinces,
    },
};
use caudal_journal::Credential;

const AGENCIES: usize = 20;
/// External and internal agents of an agency.
const AGENTS: [bool; 3] = [false, false, true];
/// Agents under the manager.
const FREE_AGENTS: usize = 10;
const DELIVERY_MEN: usize = 3;

/// A group on sale.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub id: PaymentGroupId,
    pub currency: CurrencyCode,
}

/// Who sells.
#[derive(Clone, Debug)]
pub struct Seller {
    pub id: PartyId,
    /// Whose balances it sells on.
    pub funded_by: PartyId,
    /// Who gives it balance.
    pub given_by: PartyId,
    /// Its customers, by their place in [`Cast::issuers`].
    pub issuers: Vec<usize>,
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
    /// Who delivers there, by its place in [`Cast::dealers`].
    pub dealer: usize,
    pub mlc_card: Option<CardId>,
}

/// Who delivers.
#[derive(Clone, Debug)]
pub struct Dealer {
    pub id: PartyId,
    pub province: ProvinceId,
    pub municipalities: Vec<MunicipalityId>,
    pub delivery_men: Vec<PartyId>,
}

#[derive(Clone, Debug)]
pub struct Cast {
    pub manager: PartyId,
    pub groups: Vec<Group>,
    pub sellers: Vec<Seller>,
    pub dealers: Vec<Dealer>,
    pub issuers: Vec<Issuer>,
}

pub async fn introduce(
    crowd: &Crowd,
    chance: &mut Chance,
    manager: PartyId,
    password_hash: String,
) -> Result<Cast, DemoError> {
    let mut cast = Cast {
        manager,
        groups: Vec::new(),
        sellers: Vec::new(),
        dealers: Vec::new(),
        issuers: Vec::new(),
    };
    set_rates(crowd, manager).await?;
    for (name, currency, exchange_rate, of_manager, of_agency, of_agent, _) in GROUPS {
        let group = PaymentGroup {
            id: PaymentGroupId::generate(),
            name: name.to_owned(),
            currency_to: currency,
            exchange_rate: rate(exchange_rate)?,
            manager_commission: Commission::percentage(rate(of_manager)?),
            agency_commission: Commission::percentage(rate(of_agency)?),
            agent_commission: Commission::percentage(rate(of_agent)?),
            is_active: true,
        };
        cast.groups.push(Group { id: group.id, currency });
        let create = Command::PaymentGroup(group.id, PaymentGroupCommand::Create(group));
        crowd.tell(manager, create, None).await?;
    }
    let mut registrar = Registrar {
        crowd,
        chance,
        manager,
        password_hash,
    };
    registrar.make_sellers(&mut cast).await?;
    registrar.make_dealers(&mut cast).await?;
    Ok(cast)
}

async fn set_rates(crowd: &Crowd, manager: PartyId) -> Result<(), DemoError> {
    let state = crowd.state().await?;
    for (code, reference, fee) in CURRENCIES {
        let currency = state.currency(code).ok_or_else(|| DemoError::Story(code.to_string()))?;
        let changed = Currency {
            exchange_rate: rate(reference)?,
            distribution_rate: units(fee),
            ..currency.clone()
        };
        let change = Command::Currency(currency.id, CurrencyCommand::Change(changed));
        crowd.tell(manager, change, None).await?;
    }
    Ok(())
}

struct Registrar<'a> {
    crowd: &'a Crowd,
    chance: &'a mut Chance,
    manager: PartyId,
    password_hash: String,
}

impl Registrar<'_> {
    async fn make_sellers(&mut self, cast: &mut Cast) -> Result<(), DemoError> {
        let terms: Vec<_> = cast.groups.iter().map(terms).collect();
        let manager = self.manager;
        for agency in 0..AGENCIES {
            let registration = Registration::Agency { terms: terms.clone() };
            let id = self.register("agency", agency, registration).await?;
            cast.sellers.push(seller(id, id, manager));
            for (number, internal) in AGENTS.into_iter().enumerate() {
                let (role, registration) = if internal {
                    ("internal", Registration::InternalAgent { agency: Some(id) })
                } else {
                    let (agency, terms) = (Some(id), terms.clone());
                    ("external", Registration::ExternalAgent { agency, terms })
                };
                let agent = self
                    .register(role, agency * AGENTS.len() + number, registration)
                    .await?;
                let funded_by = if internal { id } else { agent };
                cast.sellers.push(seller(agent, funded_by, id));
            }
        }
        for agent in 0..FREE_AGENTS {
            let (agency, terms) = (None, terms.clone());
            let registration = Registration::ExternalAgent { agency, terms };
            let id = self.register("free", agent, registration).await?;
            cast.sellers.push(seller(id, id, manager));
        }
        Ok(())
    }

    async fn make_dealers(&mut self, cast: &mut Cast) -> Result<(), DemoError> {
        for (number, province) in provinces().iter().enumerate() {
            let municipalities: Vec<_> = province.municipalities.iter().map(|place| place.id).collect();
            let territory = Territory {
                province: Some(province.id),
                zones: municipalities.clone(),
                handle_mlc: true,
            };
            let id = self
                .register("dealer", number, Registration::Dealer { territory })
                .await?;
            let mut delivery_men = Vec::new();
            for man in 0..DELIVERY_MEN {
                let registration = Registration::DeliveryMan {
                    dealer: Some(id),
                    handle_mlc: true,
                };
                delivery_men.push(
                    self.register("delivery", number * DELIVERY_MEN + man, registration)
                        .await?,
                );
            }
            cast.dealers.push(Dealer {
                id,
                province: province.id,
                municipalities,
                delivery_men,
            });
        }
        Ok(())
    }

    /// The first of each role logs in like the demonstration's; the others bear a number.
    async fn register(&mut self, role: &str, number: usize, registration: Registration) -> Result<PartyId, DemoError> {
        let id = PartyId::generate();
        let login = if number == 0 {
            role.to_owned()
        } else {
            format!("{role}{number}")
        };
        let (first, last) = (
            self.chance.word(people::FIRST_NAMES),
            self.chance.word(people::SURNAMES),
        );
        let details = PartyDetails {
            name: format!("{first} {last}"),
            email: format!("{login}@caudal.demo"),
            phone: Some(self.chance.american_phone()),
            country: Some("US".to_owned()),
            ..PartyDetails::default()
        };
        let register = RegisterParty {
            id,
            registration,
            details,
            is_active: true,
        };
        let credential = Credential {
            party: id,
            hash: self.password_hash.clone(),
        };
        let command = Command::Party(id, PartyCommand::Register(register));
        self.crowd.tell(self.manager, command, Some(credential)).await?;
        Ok(id)
    }
}

const fn seller(id: PartyId, funded_by: PartyId, given_by: PartyId) -> Seller {
    Seller {
        id,
        funded_by,
        given_by,
        issuers: Vec::new(),
    }
}

const fn terms(group: &Group) -> TermsChange {
    TermsChange {
        group: group.id,
        exchange_rate: None,
        commission: None,
        name: None,
        is_active: None,
        credit_limit: Some(Amount::ZERO),
    }
}

/// The largest sum sold at once, in units of the group's currency, with its fees.
pub fn largest_sale(currency: CurrencyCode) -> Amount {
    units(if currency == CUP { 110_000 } else { 400 })
}
