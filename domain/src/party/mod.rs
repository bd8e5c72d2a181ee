//! Parties: the people and firms who log in. One login is one party.

mod change;
mod forget;
mod permission;
mod register;
mod terms;

pub(crate) use permission::permitted;
pub use permission::{Action, Caller, Facts, Ties, judge};
pub use register::{RegisterParty, Registration};
pub use terms::TermsChange;

use crate::{
    contact::Numbers,
    decision::{Context, Decision},
    forgetting::Forget,
    ids::{MunicipalityId, PartyId, PaymentGroupId, ProvinceId},
    personal::Personal,
    phone,
    quote::Terms,
    refusal::{Refusal, require},
    text,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a party is to the tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Runs the tenant.
    Manager,
    /// Sells remittances and owns issuers.
    Agency,
    /// Sells on its own terms and balances.
    ExternalAgent,
    /// Sells on its agency's terms and balances.
    InternalAgent,
    /// Distributes in Cuba.
    Dealer,
    /// Delivers for one dealer.
    DeliveryMan,
}

impl Role {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Manager,
        Self::Agency,
        Self::ExternalAgent,
        Self::InternalAgent,
        Self::Dealer,
        Self::DeliveryMan,
    ];

    /// Its name in the log and in tokens.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Manager => "manager",
            Self::Agency => "agency",
            Self::ExternalAgent => "external_agent",
            Self::InternalAgent => "internal_agent",
            Self::Dealer => "dealer",
            Self::DeliveryMan => "delivery_man",
        }
    }

    /// Whether it has terms and prepaid balances of its own.
    #[must_use]
    pub const fn holds_terms(self) -> bool {
        matches!(self, Self::Agency | Self::ExternalAgent)
    }

    /// Whether it holds cash in Cuba.
    #[must_use]
    pub const fn holds_cash(self) -> bool {
        matches!(self, Self::Dealer | Self::DeliveryMan)
    }

    /// Whether it sells remittances.
    #[must_use]
    pub const fn sells(self) -> bool {
        matches!(self, Self::Agency | Self::ExternalAgent | Self::InternalAgent)
    }
}

/// A party as the books know it. Names, addresses and the like are personal and not here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Party {
    /// Its id, which is its login's.
    pub id: PartyId,
    /// What it is.
    pub role: Role,
    /// An agent's agency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency: Option<PartyId>,
    /// A delivery man's dealer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<PartyId>,
    /// Whether it may log in and be used.
    pub is_active: bool,
    /// Its terms, by group.
    #[serde(default)]
    pub terms: BTreeMap<PaymentGroupId, Terms>,
    /// Where it distributes.
    #[serde(default)]
    pub territory: Territory,
    /// Whether the person was forgotten; such a party is inactive too. Its registration never says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forgotten: bool,
    /// Whether it was deleted and not taken into use again. Its registration never says so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

/// Where a dealer or delivery man distributes, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Territory {
    /// Its province.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub province: Option<ProvinceId>,
    /// Its zones: municipalities.
    #[serde(default)]
    pub zones: Vec<MunicipalityId>,
    /// Whether it handles transfers to MLC cards.
    #[serde(default)]
    pub handle_mlc: bool,
}

/// What is personal about a party.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PartyDetails {
    /// Its name.
    pub name: String,
    /// Its login's address; unique in the tenant.
    pub email: String,
    /// Its telephone.
    pub phone: Option<String>,
    /// Another telephone.
    pub phone2: Option<String>,
    /// Its identity document's number.
    pub identification_number: Option<String>,
    /// Its driving licence.
    pub license: Option<String>,
    /// ISO 3166-1 country.
    pub country: Option<String>,
    /// State or province outside Cuba's catalogue.
    pub province: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Postal code.
    pub zip: Option<String>,
    /// First line of its address.
    pub address_line1: Option<String>,
    /// Second line.
    pub address_line2: Option<String>,
    /// Third line.
    pub address_line3: Option<String>,
    /// Its picture: the content hash of a stored file.
    pub profile_picture: Option<String>,
}

crate::personal::personal_data!(PartyDetails);

/// The longest name, in characters.
pub const MAX_NAME_LENGTH: usize = 120;
/// The longest address line, document number or other short text, in characters.
pub const MAX_LINE_LENGTH: usize = 200;
/// The most zones of a dealer: all of Cuba's municipalities fit.
pub const MAX_ZONES: usize = 168;
/// The most payment groups of a party.
pub const MAX_TERMS: usize = 100;

impl PartyDetails {
    /// Brings telephones and the document to the form that they are kept in, but for those that are as they were
    /// `before`.
    fn check_numbers(&mut self, role: Role, before: Option<&Self>, today: chrono::NaiveDate) -> Result<(), Refusal> {
        self.read_numbers(role, before, today).finish()
    }

    /// The fields of telephones and documents that today's rules refuse: kept before these rules, or taken over from
    /// elsewhere. `today` is the last day that anybody can be born.
    #[must_use]
    pub fn to_correct(&self, role: Role, today: chrono::NaiveDate) -> Vec<String> {
        self.clone().read_numbers(role, None, today).fields()
    }

    fn read_numbers(&mut self, role: Role, before: Option<&Self>, today: chrono::NaiveDate) -> Numbers {
        let mut numbers = Numbers::of(today);
        numbers.document(
            "identificationNumber",
            None,
            &mut self.identification_number,
            before.map(|before| (None, &before.identification_number)),
        );
        let country = self
            .country
            .as_deref()
            .or_else(|| role.holds_cash().then_some(phone::CUBA));
        numbers.phone("phone", &mut self.phone, before.map(|before| &before.phone), country);
        numbers.phone("phone2", &mut self.phone2, before.map(|before| &before.phone2), country);
        numbers
    }

    fn validate(&self) -> Result<(), Refusal> {
        text::required("name", &self.name, MAX_NAME_LENGTH)?;
        text::email("email", &self.email)?;
        for (field, value) in [
            ("phone", &self.phone),
            ("phone2", &self.phone2),
            ("identificationNumber", &self.identification_number),
            ("license", &self.license),
            ("country", &self.country),
            ("province", &self.province),
            ("city", &self.city),
            ("zip", &self.zip),
            ("addressLine1", &self.address_line1),
            ("addressLine2", &self.address_line2),
            ("addressLine3", &self.address_line3),
            ("profilePicture", &self.profile_picture),
        ] {
            text::optional(field, value.as_deref().unwrap_or_default(), MAX_LINE_LENGTH)?;
        }
        Ok(())
    }

    /// The form in which addresses are compared.
    #[must_use]
    pub fn normal_email(email: &str) -> String {
        email.trim().to_lowercase()
    }
}

/// What may be asked of a party.
#[derive(Clone, Debug, PartialEq)]
pub enum PartyCommand {
    /// Makes a party.
    Register(RegisterParty),
    /// Replaces its details, territory and whether it is active.
    Change(ChangeParty),
    /// Sets its terms for one group.
    SetTerms(TermsChange),
    /// Ends its use; history stays.
    Deactivate,
    /// Forgets the person; what the books say stays.
    Forget(Forget),
}

/// New details of a party. What is `None` stays.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeParty {
    /// Its details, all of them, since the books don't hold the old ones.
    pub details: PartyDetails,
    /// Its details as they stand, where the caller has read them and the command holds only while the party is
    /// unchanged since (`as_of`): a change that leaves everything as it stands then writes no event.
    pub known: Option<Box<PartyDetails>>,
    /// Whether a password is set in the same commit, which is a change even where nothing else is.
    pub sets_password: bool,
    /// Whether it is active.
    pub is_active: Option<bool>,
    /// Where it distributes.
    pub territory: Option<Territory>,
}

/// What happened to a party.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum PartyEvent {
    /// It was made.
    PartyRegistered(PartyRegistered),
    /// Its details, territory or activity were changed.
    PartyChanged(PartyChanged),
    /// Its terms for one group were set.
    TermsSet {
        /// The party.
        id: PartyId,
        /// Its terms from now on.
        terms: Terms,
    },
    /// Its use was ended.
    PartyDeactivated {
        /// The party.
        id: PartyId,
    },
    /// The person was forgotten.
    #[serde(rename_all = "camelCase")]
    PersonForgotten {
        /// The party.
        id: PartyId,
        /// How many days a person was kept after their last business.
        retention_days: u32,
    },
}

/// A party was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartyRegistered {
    /// As the books know it.
    pub party: Party,
    /// What is personal about it.
    pub personal: Personal<PartyDetails>,
}

/// A party was changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PartyChanged {
    /// The party.
    pub id: PartyId,
    /// Whether it is active from now on.
    pub is_active: bool,
    /// Where it distributes from now on.
    pub territory: Territory,
    /// What is personal about it.
    pub personal: Personal<PartyDetails>,
}

impl Party {
    pub(crate) fn fold(state: Option<Self>, event: &PartyEvent) -> Option<Self> {
        let mut party = match (state, event) {
            (_, PartyEvent::PartyRegistered(registered)) => return Some(registered.party.clone()),
            (None, _) => return None,
            (Some(party), _) => party,
        };
        match event {
            PartyEvent::PartyRegistered(_) => {}
            PartyEvent::PartyChanged(changed) => {
                party.is_active = changed.is_active;
                party.deleted = party.deleted && !changed.is_active;
                party.territory = changed.territory.clone();
            }
            PartyEvent::TermsSet { terms, .. } => {
                party.terms.insert(terms.group, terms.clone());
            }
            PartyEvent::PartyDeactivated { .. } => {
                party.is_active = false;
                party.deleted = true;
            }
            PartyEvent::PersonForgotten { .. } => {
                party.is_active = false;
                party.deleted = true;
                party.forgotten = true;
            }
        }
        Some(party)
    }

    /// Whose customers it works with: its agency's, or its own.
    #[must_use]
    pub fn customer_owner(&self) -> PartyId {
        self.agency.unwrap_or(self.id)
    }

    /// Whose balances and terms its sales draw on.
    #[must_use]
    pub fn seller(&self) -> PartyId {
        match (self.role, self.agency) {
            (Role::InternalAgent, Some(agency)) => agency,
            _ => self.id,
        }
    }

    /// Whether `other` is within this party's scope: itself, an agency's agent, a dealer's delivery man; all for a manager.
    #[must_use]
    pub fn oversees(&self, other: &Self) -> bool {
        permission::oversees(self.into(), other.into())
    }

    /// Whether `other` is directly under this party.
    #[must_use]
    pub fn commands(&self, other: &Self) -> bool {
        permission::commands(self.into(), other.into())
    }
}

pub(crate) fn decide(
    own: Option<&Party>,
    command: &PartyCommand,
    ctx: &Context<'_>,
) -> Result<Decision<PartyEvent>, Refusal> {
    if let PartyCommand::Register(registration) = command {
        return Decision::of_new(register::decide(registration, ctx), own.is_some());
    }
    let own = own.ok_or_else(|| Refusal::not_found("party_not_found"))?;
    match command {
        PartyCommand::Register(registration) => register::decide(registration, ctx),
        PartyCommand::Change(change) => change::decide(own, change, ctx),
        PartyCommand::SetTerms(change) => terms::decide(own, change, ctx),
        PartyCommand::Deactivate => change::deactivate(own, ctx),
        PartyCommand::Forget(order) => forget::decide(own, order, ctx),
    }
}

/// Checks a dealer's or delivery man's province and zones.
fn validate_territory(territory: &Territory) -> Result<(), Refusal> {
    use crate::nomenclator::place;
    require(territory.zones.len() <= MAX_ZONES, || {
        Refusal::invalid_with("zones", "too_many", [("max", MAX_ZONES.to_string())])
    })?;
    if let Some(id) = territory.province {
        require(place::province(id).is_some(), || {
            Refusal::invalid("provinceId", "province_unknown")
        })?;
    }
    for (index, zone) in territory.zones.iter().enumerate() {
        let known = place::municipality(*zone)
            .ok_or_else(|| Refusal::invalid(format!("zones[{index}]"), "municipality_unknown"))?;
        require(territory.province == Some(known.province), || {
            Refusal::invalid(format!("zones[{index}]"), "municipality_of_another_province")
        })?;
    }
    Ok(())
}
