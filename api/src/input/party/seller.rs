//! Request bodies of agencies and agents.

use super::{
    super::{
        enumeration::AgentKind,
        field::{Faults, Field},
        merge::{mergeable, standing},
        standing_terms::{StandingTerms, StandingTermsInput, require_standing},
        terms::{AgencyTerms, AgentTerms, PartyTermsInput},
    },
    NewParty, PartyChange, PartyChangeInput, checked_password, named, named_in_body, new_party, party_change, picture,
    picture_address, require_fixed,
};
use caudal_domain::{
    PasswordPolicy, Refusal, TenantState,
    ids::PartyId,
    party::{Party, PartyDetails, Registration, Role},
};
use caudal_projections::scalar::AgentType;
use serde::Deserialize;
use utoipa::ToSchema;

/// Declares the inputs of sellers.
macro_rules! seller_inputs {
    (
        $(#[$new_doc:meta])* $new:ident, $(#[$change_doc:meta])* $change:ident;
        new { $($only_new:tt)* } change { $($only_change:tt)* }
    ) => {
        party_inputs! {
            $(#[$new_doc])* $new, $(#[$change_doc])* $change;
            common {
                /// Telephone number in E.164, such as `+13055550123`.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                phone: Field<String>,
                /// Address, first of three lines.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line1: Field<String>,
                /// Address, second of three lines.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line2: Field<String>,
                /// Address, third of three lines.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                address_line3: Field<String>,
                /// Country as an ISO 3166-1 alpha-2 code, such as `US`.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                country: Field<String>,
                /// State or province, as text.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                province: Field<String>,
                /// City, as text.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                city: Field<String>,
                /// Postal code, as text.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                zip: Field<String>,
                /// Id or URL path of an uploaded file.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                profile_picture: Field<String>,
                /// Whether it can log in and be named by new commands; a new one defaults to true.
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
    /// A new agency with its login.
    AgencyInput,
    /// A changed agency; its terms are changed by another call.
    AgencyChangeInput;
    new {
        /// Terms, one per payment group that it sells.
        #[serde(default)]
        #[schema(value_type = Vec<PartyTermsInput>)]
        payment_groups: Field<Vec<AgencyTerms>>,
    }
    change {
        /// Id of the agency, when the path does not contain it.
        #[serde(default)]
        #[schema(value_type = uuid::Uuid)]
        id: Field<PartyId>,
        /// Terms as they stand, from clients that send whole agencies back. Others are refused: they are changed by
        /// `PUT /api/agency/exchange_rate/{id}`.
        #[serde(default)]
        #[schema(value_type = Vec<StandingTermsInput>)]
        payment_groups: Field<Vec<StandingTerms>>,
    }
}

seller_inputs! {
    /// A new agent with its login.
    AgentInput,
    /// A changed agent; kind and agency are immutable, terms are changed by another call.
    AgentChangeInput;
    new {
        /// Kind: internal 0, external 1.
        #[serde(default)]
        #[schema(value_type = AgentType, required)]
        agent_type: Field<AgentKind>,
        /// Id of its agency; required for an internal agent, optional for a calling agency.
        #[serde(default)]
        #[schema(value_type = Option<uuid::Uuid>)]
        agency_id: Field<PartyId>,
        /// Terms of an external agent, one per payment group that it sells.
        #[serde(default)]
        #[schema(value_type = Vec<PartyTermsInput>)]
        payment_groups: Field<Vec<AgentTerms>>,
    }
    change {
        /// Kind; immutable.
        #[serde(default)]
        #[schema(value_type = AgentType)]
        agent_type: Field<AgentKind>,
        /// Id of its agency; immutable.
        #[serde(default)]
        #[schema(value_type = Option<uuid::Uuid>)]
        agency_id: Field<PartyId>,
        /// Terms as they stand, from clients that send whole agents back. Others are refused: they are changed by
        /// `PUT /api/agent/exchange_rate/{id}`.
        #[serde(default)]
        #[schema(value_type = Vec<StandingTermsInput>)]
        payment_groups: Field<Vec<StandingTerms>>,
    }
}

/// Merges and reads a change of a seller.
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

            fn require_standing_terms(&self, party: &Party, state: &TenantState) -> Result<(), Refusal> {
                require_standing(&self.payment_groups, party, state)
            }

            fn change(self, party: &Party, _: PartyDetails, policy: PasswordPolicy) -> Result<PartyChange, Refusal> {
                self.read(party, policy)
            }
        }
    };
}

seller_change!(AgencyChangeInput);
seller_change!(AgentChangeInput);

/// Reads the personal details of a seller.
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
    /// Converts to a registration.
    ///
    /// # Errors
    /// All field errors.
    pub fn new_party(self, id: PartyId, policy: PasswordPolicy) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, policy, &mut faults);
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
    /// The id in the body.
    ///
    /// # Errors
    /// A missing or invalid id.
    pub fn named(&mut self) -> Result<PartyId, Refusal> {
        named_in_body(&mut self.id)
    }

    /// Converts to a change.
    ///
    /// # Errors
    /// All field errors.
    fn read(self, _: &Party, policy: PasswordPolicy) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, policy, &mut faults);
        let details = seller_details!(self, faults);
        let is_active = faults.optional("isActive", self.is_active);
        party_change(details, is_active, None, password, faults)
    }
}

impl AgentInput {
    /// Converts to a registration.
    ///
    /// # Errors
    /// All field errors, such as terms of an internal agent, who uses his agency's.
    pub fn new_party(self, id: PartyId, policy: PasswordPolicy) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, policy, &mut faults);
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
    /// Converts to a change.
    ///
    /// # Errors
    /// All field errors, such as another kind or agency.
    fn read(self, current: &Party, policy: PasswordPolicy) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, policy, &mut faults);
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
