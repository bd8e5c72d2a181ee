//! Agencies, agents, dealers and delivery men as requests give them.

use super::{
    enumeration::AgentKind,
    field::{Faults, Field},
    terms::{AgencyTerms, AgentTerms, PartyTermsInput},
};
use crate::auth::passwords::require_strong;
use caudal_domain::{
    Refusal,
    ids::{MunicipalityId, PartyId, ProvinceId},
    party::{ChangeParty, Party, PartyDetails, RegisterParty, Registration, Role, Territory},
};
use caudal_projections::scalar::AgentType;
use serde::Deserialize;
use utoipa::ToSchema;

/// A party to be made, with the password that it will log in with.
#[derive(Debug)]
pub struct NewParty {
    /// The command.
    pub command: RegisterParty,
    /// The password, by the rules, not hashed yet.
    pub password: String,
}

/// A party to be changed.
#[derive(Debug)]
pub struct PartyChange {
    /// The command.
    pub command: ChangeParty,
    /// The password that it will log in with from now on, by the rules, not hashed yet.
    pub password: Option<String>,
}

/// Declares the inputs of a sort of party, new and changed, which share all but a few fields.
macro_rules! party_inputs {
    (
        $(#[$new_doc:meta])* $new:ident, $(#[$change_doc:meta])* $change:ident;
        common { $($(#[$common_meta:meta])* $common:ident: $common_type:ty,)* }
        new { $($(#[$new_meta:meta])* $only_new:ident: $new_type:ty,)* }
        change { $($(#[$change_meta:meta])* $only_change:ident: $change_type:ty,)* }
    ) => {
        $(#[$new_doc])*
        #[derive(Debug, Default, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $new {
            /// Its name.
            #[serde(default)]
            #[schema(value_type = String, required, min_length = 1, max_length = 120)]
            name: Field<String>,
            /// The address that it logs in with.
            #[serde(default)]
            #[schema(value_type = String, required, format = "email", max_length = 254)]
            email: Field<String>,
            /// 8 to 15 characters: a digit, a special character, an upper and a lower case letter, no blanks.
            #[serde(default)]
            #[schema(value_type = String, required, format = "password", min_length = 8, max_length = 15)]
            password: Field<String>,
            $($(#[$common_meta])* $common: $common_type,)*
            $($(#[$new_meta])* $only_new: $new_type,)*
        }

        $(#[$change_doc])*
        #[derive(Debug, Default, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $change {
            /// Its name.
            #[serde(default)]
            #[schema(value_type = String, required, min_length = 1, max_length = 120)]
            name: Field<String>,
            /// The address that it logs in with.
            #[serde(default)]
            #[schema(value_type = String, required, format = "email", max_length = 254)]
            email: Field<String>,
            /// Another password; the present one stays where absent.
            #[serde(default)]
            #[schema(value_type = Option<String>, format = "password", min_length = 8, max_length = 15)]
            password: Field<String>,
            $($(#[$common_meta])* $common: $common_type,)*
            $($(#[$change_meta])* $only_change: $change_type,)*
        }
    };
}

/// The inputs of those who sell.
macro_rules! seller_inputs {
    (
        $(#[$new_doc:meta])* $new:ident, $(#[$change_doc:meta])* $change:ident;
        new { $($only_new:tt)* } change { $($only_change:tt)* }
    ) => {
        party_inputs! {
            $(#[$new_doc])* $new, $(#[$change_doc])* $change;
            common {
                /// Telephone.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                phone: Field<String>,
                /// First line of the address.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line1: Field<String>,
                /// Second line of the address.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line2: Field<String>,
                /// Third line of the address.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line3: Field<String>,
                /// ISO 3166-1 country.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                country: Field<String>,
                /// State or province.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                province: Field<String>,
                /// City.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                city: Field<String>,
                /// Postal code.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                zip: Field<String>,
                /// A file kept before.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                profile_picture: Field<String>,
                /// Whether it may log in and be used; true for a new one where absent.
                #[serde(default)]
                #[schema(value_type = bool)]
                is_active: Field<bool>,
            }
            new { $($only_new)* }
            change { $($only_change)* }
        }
    };
}

/// The inputs of those who deliver.
macro_rules! distributor_inputs {
    (
        $(#[$new_doc:meta])* $new:ident, $(#[$change_doc:meta])* $change:ident;
        common { $($common:tt)* } new { $($only_new:tt)* } change { $($only_change:tt)* }
    ) => {
        party_inputs! {
            $(#[$new_doc])* $new, $(#[$change_doc])* $change;
            common {
                /// Number of the identity document.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                identification_number: Field<String>,
                /// Telephone.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                phone_number: Field<String>,
                /// Telephone, by another name.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                phone: Field<String>,
                /// Another telephone.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                phone2: Field<String>,
                /// Driving licence.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                license: Field<String>,
                /// ISO 3166-1 country.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                country: Field<String>,
                /// Postal code.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                zipcode: Field<String>,
                /// First line of the address.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line1: Field<String>,
                /// Second line of the address.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line2: Field<String>,
                /// Third line of the address.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line3: Field<String>,
                /// Where it lives.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                municipality: Field<String>,
                /// Whether it handles transfers to MLC cards.
                #[serde(default, rename = "handleMLC")]
                #[schema(value_type = bool)]
                handle_mlc: Field<bool>,
                /// Whether it may log in and be used; true for a new one where absent.
                #[serde(default)]
                #[schema(value_type = bool)]
                is_active: Field<bool>,
                $($common)*
            }
            new { $($only_new)* }
            change { $($only_change)* }
        }
    };
}

seller_inputs! {
    /// A new agency and its login.
    AgencyInput,
    /// An agency as it is to be; its terms are changed at their own call.
    AgencyChangeInput;
    new {
        /// Its terms, one for each group that it sells.
        #[serde(default)]
        #[schema(value_type = Vec<PartyTermsInput>)]
        payment_groups: Field<Vec<AgencyTerms>>,
    }
    change {
        /// Which one, where the address does not say.
        #[serde(default)]
        #[schema(value_type = uuid::Uuid)]
        id: Field<PartyId>,
    }
}

seller_inputs! {
    /// A new agent and its login.
    AgentInput,
    /// An agent as it is to be; its kind and agency stay, its terms are changed at their own call.
    AgentChangeInput;
    new {
        /// Internal 0, external 1.
        #[serde(default)]
        #[schema(value_type = AgentType, required)]
        agent_type: Field<AgentKind>,
        /// Its agency; an internal agent needs one, an agency need not name itself.
        #[serde(default)]
        #[schema(value_type = Option<uuid::Uuid>)]
        agency_id: Field<PartyId>,
        /// An external agent's terms, one for each group that it sells.
        #[serde(default)]
        #[schema(value_type = Vec<PartyTermsInput>)]
        payment_groups: Field<Vec<AgentTerms>>,
    }
    change {
        /// What it is, which does not change.
        #[serde(default)]
        #[schema(value_type = AgentType)]
        agent_type: Field<AgentKind>,
        /// Its agency, which does not change.
        #[serde(default)]
        #[schema(value_type = Option<uuid::Uuid>)]
        agency_id: Field<PartyId>,
    }
}

distributor_inputs! {
    /// A new dealer and its login.
    DealerInput,
    /// A dealer as it is to be.
    DealerChangeInput;
    common {
        /// The province that it distributes in.
        #[serde(default)]
        #[schema(value_type = uuid::Uuid)]
        province_id: Field<ProvinceId>,
        /// The municipalities that it distributes in.
        #[serde(default)]
        #[schema(value_type = Vec<uuid::Uuid>)]
        zones: Field<Vec<MunicipalityId>>,
    }
    new {}
    change {
        /// Which one, where the address does not say.
        #[serde(default)]
        #[schema(value_type = uuid::Uuid)]
        id: Field<PartyId>,
    }
}

distributor_inputs! {
    /// A new delivery man and his login.
    DeliveryManInput,
    /// A delivery man as he is to be; his dealer, and so his province and zones, stay.
    DeliveryManChangeInput;
    common {}
    new {
        /// His dealer; a dealer need not name itself.
        #[serde(default)]
        #[schema(value_type = uuid::Uuid)]
        dealer_id: Field<PartyId>,
    }
    change {
        /// His dealer, who does not change.
        #[serde(default)]
        #[schema(value_type = Option<uuid::Uuid>)]
        dealer_id: Field<PartyId>,
    }
}

/// Clients that send whole parties back name who is above; that is not theirs to change.
fn require_fixed(name: &'static str, given: Field<PartyId>, current: Option<PartyId>, faults: &mut Faults) {
    if faults.change(name, given).is_some_and(|given| given != current) && faults.is_clear_of(name) {
        faults.add(name, "party_above_is_fixed");
    }
}

/// Reads the party that a body names.
fn named_in_body(id: &mut Field<PartyId>) -> Result<PartyId, Refusal> {
    let mut faults = Faults::default();
    let id = faults.required("id", std::mem::take(id));
    faults.finish(|| id)
}

/// Reads what is personal about a seller.
macro_rules! seller_details {
    ($input:ident, $faults:ident) => {{
        let name = $faults.required_text("name", $input.name);
        let email = $faults.required_text("email", $input.email);
        let details = PartyDetails {
            phone: $faults.text("phone", $input.phone),
            country: $faults.text("country", $input.country),
            province: $faults.text("province", $input.province),
            city: $faults.text("city", $input.city),
            zip: $faults.text("zip", $input.zip),
            address_line1: $faults.text("addressLine1", $input.address_line1),
            address_line2: $faults.text("addressLine2", $input.address_line2),
            address_line3: $faults.text("addressLine3", $input.address_line3),
            profile_picture: $faults.text("profilePicture", $input.profile_picture).map(picture),
            ..PartyDetails::default()
        };
        named(name, email, details)
    }};
}

/// Reads what is personal about a distributor.
macro_rules! distributor_details {
    ($input:ident, $faults:ident) => {{
        let name = $faults.required_text("name", $input.name);
        let email = $faults.required_text("email", $input.email);
        let phone_number = $faults.text("phoneNumber", $input.phone_number);
        let phone = $faults.text("phone", $input.phone);
        let details = PartyDetails {
            phone: phone_number.or(phone),
            phone2: $faults.text("phone2", $input.phone2),
            identification_number: $faults.text("identificationNumber", $input.identification_number),
            license: $faults.text("license", $input.license),
            country: $faults.text("country", $input.country),
            city: $faults.text("municipality", $input.municipality),
            zip: $faults.text("zipcode", $input.zipcode),
            address_line1: $faults.text("addressLine1", $input.address_line1),
            address_line2: $faults.text("addressLine2", $input.address_line2),
            address_line3: $faults.text("addressLine3", $input.address_line3),
            ..PartyDetails::default()
        };
        named(name, email, details)
    }};
}

/// A picture is named by its file's id; clients that send whole parties back name it by its address.
fn picture(named: String) -> String {
    named.strip_prefix("/api/files/").map_or(named.clone(), str::to_owned)
}

fn named(name: Option<String>, email: Option<String>, details: PartyDetails) -> Option<PartyDetails> {
    Some(PartyDetails {
        name: name?,
        email: email?,
        ..details
    })
}

/// Reads a password and checks it by the rules.
fn checked_password(field: Field<String>, required: bool, faults: &mut Faults) -> Option<String> {
    let password = if required {
        faults.required("password", field)
    } else {
        // A form sends an empty box for a password that stays.
        faults
            .optional("password", field)
            .filter(|password| !password.is_empty())
    }?;
    match require_strong("password", &password) {
        Ok(()) => Some(password),
        Err(refusal) => {
            faults.absorb(refusal);
            None
        }
    }
}

fn new_party(
    id: PartyId,
    registration: Option<Registration>,
    details: Option<PartyDetails>,
    is_active: Option<bool>,
    password: Option<String>,
    faults: Faults,
) -> Result<NewParty, Refusal> {
    faults.finish(|| {
        Some(NewParty {
            command: RegisterParty {
                id,
                registration: registration?,
                details: details?,
                is_active: is_active.unwrap_or(true),
            },
            password: password?,
        })
    })
}

fn party_change(
    details: Option<PartyDetails>,
    is_active: Option<bool>,
    territory: Option<Territory>,
    password: Option<String>,
    faults: Faults,
) -> Result<PartyChange, Refusal> {
    faults.finish(|| {
        Some(PartyChange {
            command: ChangeParty {
                details: details?,
                is_active,
                territory,
            },
            password,
        })
    })
}

impl AgencyInput {
    /// The agency that it describes.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn new_party(self, id: PartyId) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, &mut faults);
        let details = seller_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        let terms = faults
            .optional("paymentGroups", self.payment_groups)
            .unwrap_or_default();
        let terms = terms.into_iter().map(|terms| terms.0).collect();
        new_party(
            id,
            Some(Registration::Agency { terms }),
            details,
            is_active,
            password,
            faults,
        )
    }
}

impl AgencyChangeInput {
    /// The party that it names in its body.
    ///
    /// # Errors
    /// No id, or none that is one.
    pub fn named(&mut self) -> Result<PartyId, Refusal> {
        named_in_body(&mut self.id)
    }

    /// The change that it describes.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn change(self) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, &mut faults);
        let details = seller_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        party_change(details, is_active, None, password, faults)
    }
}

impl AgentInput {
    /// The agent that it describes.
    ///
    /// # Errors
    /// All fields at fault; terms of an internal agent, who sells on his agency's.
    pub fn new_party(self, id: PartyId) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, &mut faults);
        let details = seller_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        let kind = faults.required("agentType", self.agent_type);
        let agency = faults.optional("agencyId", self.agency_id);
        let terms: Vec<_> = faults
            .optional("paymentGroups", self.payment_groups)
            .unwrap_or_default()
            .into_iter()
            .map(|terms| terms.0)
            .collect();
        let registration = kind.map(|kind| match kind {
            AgentKind::External => Registration::ExternalAgent { agency, terms },
            AgentKind::Internal => {
                if !terms.is_empty() {
                    faults.add("paymentGroups", "internal_agent_has_no_terms");
                }
                Registration::InternalAgent { agency }
            }
        });
        new_party(id, registration, details, is_active, password, faults)
    }
}

impl AgentChangeInput {
    /// The change that it describes of an agent.
    ///
    /// # Errors
    /// All fields at fault, another kind or agency among them.
    pub fn change(self, current: &Party) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, &mut faults);
        let details = seller_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        let kind = match current.role {
            Role::InternalAgent => AgentKind::Internal,
            _ => AgentKind::External,
        };
        if faults
            .optional("agentType", self.agent_type)
            .is_some_and(|given| given != kind)
        {
            faults.add("agentType", "agent_type_is_fixed");
        }
        require_fixed("agencyId", self.agency_id, current.agency, &mut faults);
        party_change(details, is_active, None, password, faults)
    }
}

impl DealerInput {
    /// The dealer that it describes.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn new_party(self, id: PartyId) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, &mut faults);
        let details = distributor_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        let territory = Territory {
            province: faults.optional("provinceId", self.province_id),
            zones: faults.optional("zones", self.zones).unwrap_or_default(),
            handle_mlc: faults.optional("handleMLC", self.handle_mlc).unwrap_or_default(),
        };
        new_party(
            id,
            Some(Registration::Dealer { territory }),
            details,
            is_active,
            password,
            faults,
        )
    }
}

impl DealerChangeInput {
    /// The party that it names in its body.
    ///
    /// # Errors
    /// No id, or none that is one.
    pub fn named(&mut self) -> Result<PartyId, Refusal> {
        named_in_body(&mut self.id)
    }

    /// The change that it describes; what it leaves out of the territory stays.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn change(self, current: &Party) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, &mut faults);
        let details = distributor_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        let current = current.territory.clone();
        let territory = Territory {
            province: faults
                .change("provinceId", self.province_id)
                .unwrap_or(current.province),
            zones: faults.optional("zones", self.zones).unwrap_or(current.zones),
            handle_mlc: faults
                .optional("handleMLC", self.handle_mlc)
                .unwrap_or(current.handle_mlc),
        };
        party_change(details, is_active, Some(territory), password, faults)
    }
}

impl DeliveryManInput {
    /// The delivery man that it describes.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn new_party(self, id: PartyId) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, &mut faults);
        let details = distributor_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        let registration = Registration::DeliveryMan {
            dealer: faults.optional("dealerId", self.dealer_id),
            handle_mlc: faults.optional("handleMLC", self.handle_mlc).unwrap_or_default(),
        };
        new_party(id, Some(registration), details, is_active, password, faults)
    }
}

impl DeliveryManChangeInput {
    /// The change that it describes of a delivery man; his dealer, province and zones stay.
    ///
    /// # Errors
    /// All fields at fault, another dealer among them.
    pub fn change(self, current: &Party) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, &mut faults);
        let details = distributor_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        let handle_mlc = faults.optional("handleMLC", self.handle_mlc);
        require_fixed("dealerId", self.dealer_id, current.dealer, &mut faults);
        let territory = Territory {
            handle_mlc: handle_mlc.unwrap_or(current.territory.handle_mlc),
            ..current.territory.clone()
        };
        party_change(details, is_active, Some(territory), password, faults)
    }
}
