//! Parties: people and firms with a login. One login is one party.

mod change;
mod erase;
mod permission;
mod register;
mod second_factor;
mod terms;

pub(crate) use permission::permitted;
pub use permission::{Action, Caller, Facts, Ties, judge};
pub use register::{RegisterParty, Registration};
pub use terms::TermsChange;

use crate::{
    contact::Numbers,
    decision::{Context, Decision},
    erasure::Forget,
    ids::{MunicipalityId, PartyId, PaymentGroupId, ProvinceId, SecondFactorId},
    office::{self, OfficeAccess},
    personal::Personal,
    phone,
    quote::Terms,
    refusal::{Refusal, require},
    text,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Role of a party in its tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Runs the business: all permissions.
    Manager,
    /// Sells remittances and owns issuers.
    Agency,
    /// Sells on its own terms and balances.
    ExternalAgent,
    /// Sells on its agency's terms and balances.
    InternalAgent,
    /// Distributes payouts in Cuba.
    Dealer,
    /// Delivers for one dealer.
    DeliveryMan,
}

impl Role {
    pub const ALL: &'static [Self] = &[
        Self::Manager,
        Self::Agency,
        Self::ExternalAgent,
        Self::InternalAgent,
        Self::Dealer,
        Self::DeliveryMan,
    ];

    /// Stable name in the log and in tokens.
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

    /// Whether the role has terms and prepaid balances of its own.
    #[must_use]
    pub const fn holds_terms(self) -> bool {
        matches!(self, Self::Agency | Self::ExternalAgent)
    }

    /// Whether the role holds cash in Cuba.
    #[must_use]
    pub const fn holds_cash(self) -> bool {
        matches!(self, Self::Dealer | Self::DeliveryMan)
    }

    /// Whether the role sells remittances.
    #[must_use]
    pub const fn sells(self) -> bool {
        matches!(self, Self::Agency | Self::ExternalAgent | Self::InternalAgent)
    }
}

/// A party without personal data: what decisions may read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Party {
    /// Also the id of its login.
    pub id: PartyId,
    pub role: Role,
    /// An agent's agency; `None` for other roles and for agents of the manager.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agency: Option<PartyId>,
    /// A delivery man's dealer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<PartyId>,
    /// Whether it may log in and be named by new commands.
    pub is_active: bool,
    #[serde(default)]
    pub terms: BTreeMap<PaymentGroupId, Terms>,
    #[serde(default)]
    pub territory: Territory,
    /// Whether the personal data was erased; implies inactive. Never set in the registration.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub forgotten: bool,
    /// Deleted and not reactivated. Never set in the registration.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

/// A distributor's area and delivery methods.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Territory {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub province: Option<ProvinceId>,
    /// Municipalities served.
    #[serde(default)]
    pub zones: Vec<MunicipalityId>,
    /// Whether it pays to MLC cards.
    #[serde(default)]
    pub handle_mlc: bool,
}

/// Personal data of a party: encrypted under the party's own key.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct PartyDetails {
    pub name: String,
    /// Login address; unique in the tenant.
    pub email: String,
    pub phone: Option<String>,
    pub phone2: Option<String>,
    pub identification_number: Option<String>,
    pub license: Option<String>,
    /// ISO 3166-1 country.
    pub country: Option<String>,
    /// State or province outside Cuba's catalogue.
    pub province: Option<String>,
    pub city: Option<String>,
    pub zip: Option<String>,
    /// Street and number, first of three lines.
    pub address_line1: Option<String>,
    /// Second of three lines.
    pub address_line2: Option<String>,
    /// Third of three lines.
    pub address_line3: Option<String>,
    /// Content hash (SHA-256) of the stored picture.
    pub profile_picture: Option<String>,
}

crate::personal::personal_data!(PartyDetails);

/// In characters.
pub const MAX_NAME_LENGTH: usize = 120;
/// For address lines, document numbers and other short texts, in characters.
pub const MAX_LINE_LENGTH: usize = 200;
/// All municipalities of Cuba.
pub const MAX_ZONES: usize = 168;
pub const MAX_TERMS: usize = 100;

impl PartyDetails {
    /// Normalises telephones and the document that differ from `before`.
    fn check_numbers(&mut self, role: Role, before: Option<&Self>, today: chrono::NaiveDate) -> Result<(), Refusal> {
        self.read_numbers(role, before, today).finish()
    }

    /// Fields whose stored telephone or document today's rules refuse: recorded before these rules or imported. `today`
    /// is the latest possible date of birth.
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

    /// Checks the details. An address that stays as it was `before` is not judged: earlier rules permitted others.
    fn validate(&self, before: Option<&Self>) -> Result<(), Refusal> {
        text::required("name", &self.name, MAX_NAME_LENGTH)?;
        if before.is_none_or(|before| before.email != self.email) {
            text::email("email", &self.email)?;
        }
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

    /// Normal form for comparing e-mail addresses.
    #[must_use]
    pub fn normal_email(email: &str) -> String {
        email.trim().to_lowercase()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum PartyCommand {
    Register(RegisterParty),
    /// Replaces details, territory and activity.
    Change(ChangeParty),
    /// Sets the terms for one group.
    SetTerms(TermsChange),
    /// Deactivates the party; history stays.
    Deactivate,
    /// Erases the personal data; postings stay.
    Forget(Forget),
    /// Puts an enrolled second factor into force. By the party itself.
    EnrolSecondFactor(SecondFactorId),
    /// Ends the second factor. By the party itself, a manager or the operator.
    RemoveSecondFactor(SecondFactorId),
    /// Records that the party used a recovery code.
    UseRecoveryCode {
        factor: SecondFactorId,
        /// Recovery codes left.
        left: u8,
    },
    /// Puts a passkey into force. By the party itself.
    AddPasskey(SecondFactorId),
    /// Ends a passkey. By the party itself.
    RemovePasskey(SecondFactorId),
    /// Records that a passkey's signature counter went back: there may be a copy of it. By the system.
    RefusePasskey(SecondFactorId),
    /// Ends the second factor and all passkeys. By a manager or the operator.
    EndSecondFactors,
    /// Sets a manager's permission set and expiry. Managers only.
    SetOfficeAccess(OfficeAccess),
}

/// A replacement of a party's details. `None` leaves a part unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeParty {
    /// Complete details: the state does not hold the old ones.
    #[serde(with = "PartyDetails")]
    pub details: PartyDetails,
    /// Current details, present when the command is conditional on the record being unchanged (`as_of`); a change to
    /// identical details then writes no event. Not stored with a proposal.
    #[serde(skip)]
    pub known: Option<Box<PartyDetails>>,
    /// Whether the same commit sets a password: then it is a change even with equal details.
    pub sets_password: bool,
    pub is_active: Option<bool>,
    /// Replaces the territory.
    pub territory: Option<Territory>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum PartyEvent {
    PartyRegistered(PartyRegistered),
    PartyChanged(PartyChanged),
    TermsSet {
        id: PartyId,
        /// Terms after the change.
        terms: Terms,
    },
    /// Deactivated; history stays.
    PartyDeactivated {
        id: PartyId,
    },
    #[serde(rename_all = "camelCase")]
    PersonForgotten {
        id: PartyId,
        /// Retention after the last business that the operator applied, in days.
        retention_days: u32,
    },
    /// Logins need a code of this factor. Its secret is in no event.
    SecondFactorEnrolled {
        id: PartyId,
        factor: SecondFactorId,
    },
    /// Ended by the event's actor.
    SecondFactorRemoved {
        id: PartyId,
        factor: SecondFactorId,
    },
    /// A recovery code was used in place of a code of the factor.
    RecoveryCodeUsed {
        id: PartyId,
        factor: SecondFactorId,
        /// Recovery codes left.
        left: u8,
    },
    /// A passkey logs its party in from now on. Its public key is in no event.
    PasskeyAdded {
        id: PartyId,
        factor: SecondFactorId,
    },
    /// Ended by the event's actor.
    PasskeyRemoved {
        id: PartyId,
        factor: SecondFactorId,
    },
    /// A right signature was refused, because its counter was not above that of an earlier one.
    PasskeyRefused {
        id: PartyId,
        factor: SecondFactorId,
    },
    /// What narrows a manager from now on.
    OfficeAccessSet {
        id: PartyId,
        access: OfficeAccess,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartyRegistered {
    pub party: Party,
    pub personal: Personal<PartyDetails>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PartyChanged {
    pub id: PartyId,
    /// State after the change.
    pub is_active: bool,
    /// State after the change.
    pub territory: Territory,
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
            // In the tenant's state beside the party: registrations have the party's shape.
            PartyEvent::SecondFactorEnrolled { .. }
            | PartyEvent::SecondFactorRemoved { .. }
            | PartyEvent::RecoveryCodeUsed { .. }
            | PartyEvent::PasskeyAdded { .. }
            | PartyEvent::PasskeyRemoved { .. }
            | PartyEvent::PasskeyRefused { .. }
            | PartyEvent::OfficeAccessSet { .. } => {}
        }
        Some(party)
    }

    /// The owner of the customers it works with: its agency, or itself.
    #[must_use]
    pub fn customer_owner(&self) -> PartyId {
        self.agency.unwrap_or(self.id)
    }

    /// The party whose balances and terms its sales use: an internal agent's agency, otherwise itself.
    #[must_use]
    pub fn seller(&self) -> PartyId {
        match (self.role, self.agency) {
            (Role::InternalAgent, Some(agency)) => agency,
            _ => self.id,
        }
    }

    /// Whether `other` is in this party's scope: itself, an agency's agents, a dealer's delivery men; everybody for a
    /// manager.
    #[must_use]
    pub fn oversees(&self, other: &Self) -> bool {
        permission::oversees(self.into(), other.into())
    }

    /// Whether `other` reports directly to this party.
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
        PartyCommand::Forget(order) => erase::decide(own, order, ctx),
        PartyCommand::EnrolSecondFactor(factor) => second_factor::enrol(own, *factor, ctx),
        PartyCommand::RemoveSecondFactor(factor) => second_factor::remove(own, *factor, ctx),
        PartyCommand::UseRecoveryCode { factor, left } => second_factor::use_code(own, *factor, *left, ctx),
        PartyCommand::AddPasskey(factor) => second_factor::add_passkey(own, *factor, ctx),
        PartyCommand::RemovePasskey(factor) => second_factor::remove_passkey(own, *factor, ctx),
        PartyCommand::RefusePasskey(factor) => second_factor::refuse_passkey(own, *factor, ctx),
        PartyCommand::EndSecondFactors => second_factor::end_all(own, ctx),
        PartyCommand::SetOfficeAccess(access) => office::set_access(own, access, ctx),
    }
}

/// Checks a distributor's province and zones against the catalogue.
fn validate_territory(territory: &Territory) -> Result<(), Refusal> {
    use crate::reference_data::place;
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
