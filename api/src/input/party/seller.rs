//! Agencies and agents as requests give them.

use super::{
    super::{
        enumeration::AgentKind,
        field::{Faults, Field},
        merge::{mergeable, standing},
        terms::{AgencyTerms, AgentTerms, PartyTermsInput},
    },
    NewParty, PartyChange, PartyChangeInput, checked_password, named, named_in_body, new_party, party_change, picture,
    picture_address, require_fixed,
};
use caudal_domain::{
    Refusal,
    ids::PartyId,
    party::{Party, PartyDetails, Registration, Role},
};
use caudal_projections::scalar::AgentType;
use serde::Deserialize;
use utoipa::ToSchema;

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

/// Merges a change of a seller, and reads it.
macro_rules! seller_change {
    ($type:ident) => {
        mergeable!($type {
            name: "name",
            email: "email",
            phone: "phone",
            address_line1: "addressLine1",
            address_line2: "addressLine2",
            address_line3: "addressLine3",
            country: "country",
            province: "province",
            city: "city",
            zip: "zip",
            profile_picture: "profilePicture",
            is_active: "isActive",
        });

        impl PartyChangeInput for $type {
            fn standing(party: &Party, details: PartyDetails) -> Self {
                Self {
                    name: Field::Given(details.name),
                    email: Field::Given(details.email),
                    phone: standing(details.phone),
                    address_line1: standing(details.address_line1),
                    address_line2: standing(details.address_line2),
                    address_line3: standing(details.address_line3),
                    country: standing(details.country),
                    province: standing(details.province),
                    city: standing(details.city),
                    zip: standing(details.zip),
                    profile_picture: standing(details.profile_picture.map(picture_address)),
                    is_active: Field::Given(party.is_active),
                    ..Self::default()
                }
            }

            fn change(self, party: &Party, _: PartyDetails) -> Result<PartyChange, Refusal> {
                self.read(party)
            }
        }
    };
}

seller_change!(AgencyChangeInput);
seller_change!(AgentChangeInput);

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
    fn read(self, _: &Party) -> Result<PartyChange, Refusal> {
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
    fn read(self, current: &Party) -> Result<PartyChange, Refusal> {
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
