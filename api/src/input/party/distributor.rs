//! Request bodies of dealers and delivery men.

use super::{
    super::{
        field::{Faults, Field},
        merge::{mergeable, standing},
    },
    NewParty, PartyChange, PartyChangeInput, checked_password, named, named_in_body, new_party, party_change,
    require_fixed,
};
use caudal_domain::{
    PasswordPolicy, Refusal,
    ids::{MunicipalityId, PartyId, ProvinceId},
    party::{Party, PartyDetails, Registration, Territory},
};
use serde::Deserialize;
use utoipa::ToSchema;

/// Declares the inputs of distributors.
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
                /// Telephone number; without a country code it is Cuban.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                phone_number: Field<String>,
                /// Alias of `phoneNumber`.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                phone: Field<String>,
                /// Second telephone number.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                phone2: Field<String>,
                /// Driving licence number.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                license: Field<String>,
                /// Country as an ISO 3166-1 alpha-2 code, such as `CU`.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                country: Field<String>,
                /// Postal code.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                zipcode: Field<String>,
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
                /// Municipality of residence, as text.
                #[serde(default)]
                #[schema(value_type = Option<String>)]
                municipality: Field<String>,
                /// Whether it pays to MLC cards.
                #[serde(default, rename = "handleMLC")]
                #[schema(value_type = bool)]
                handle_mlc: Field<bool>,
                /// Whether it can log in and be named by new commands; a new one defaults to true.
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

distributor_inputs! {
    /// A new dealer with its login.
    DealerInput,
    /// A changed dealer.
    DealerChangeInput;
    common {
        /// Province of distribution, from Cuba's catalogue.
        #[serde(default)]
        #[schema(value_type = uuid::Uuid)]
        province_id: Field<ProvinceId>,
        /// Municipalities served, from Cuba's catalogue.
        #[serde(default)]
        #[schema(value_type = Vec<uuid::Uuid>)]
        zones: Field<Vec<MunicipalityId>>,
    }
    new {}
    change {
        /// Id of the dealer, when the path does not contain it.
        #[serde(default)]
        #[schema(value_type = uuid::Uuid)]
        id: Field<PartyId>,
    }
}

distributor_inputs! {
    /// A new delivery man with his login.
    DeliveryManInput,
    /// A changed delivery man; his dealer, and so province and zones, are immutable.
    DeliveryManChangeInput;
    common {}
    new {
        /// Id of his dealer; optional for a calling dealer.
        #[serde(default)]
        #[schema(value_type = uuid::Uuid)]
        dealer_id: Field<PartyId>,
    }
    change {
        /// Id of his dealer; immutable.
        #[serde(default)]
        #[schema(value_type = Option<uuid::Uuid>)]
        dealer_id: Field<PartyId>,
    }
}

/// Merges and reads a change of a distributor.
macro_rules! distributor_change {
    ($type:ident { $($field:ident: $name:literal = $stands:expr),* }) => {
        mergeable!($type {
            name: "name",
            email: "email",
            identification_number: "identificationNumber",
            phone_number: "phoneNumber",
            phone2: "phone2",
            license: "license",
            country: "country",
            zipcode: "zipcode",
            address_line1: "addressLine1",
            address_line2: "addressLine2",
            address_line3: "addressLine3",
            municipality: "municipality",
            handle_mlc: "handleMLC",
            is_active: "isActive",
            $($field: $name),*
        });

        impl PartyChangeInput for $type {
            fn standing(party: &Party, details: PartyDetails) -> Self {
                Self {
                    name: Field::Given(details.name),
                    email: Field::Given(details.email),
                    identification_number: standing(details.identification_number),
                    phone_number: standing(details.phone),
                    phone2: standing(details.phone2),
                    license: standing(details.license),
                    country: standing(details.country),
                    zipcode: standing(details.zip),
                    address_line1: standing(details.address_line1),
                    address_line2: standing(details.address_line2),
                    address_line3: standing(details.address_line3),
                    municipality: standing(details.city),
                    handle_mlc: Field::Given(party.territory.handle_mlc),
                    is_active: Field::Given(party.is_active),
                    $($field: ($stands)(party),)*
                    ..Self::default()
                }
            }

            fn change(self, party: &Party, _: PartyDetails, policy: PasswordPolicy) -> Result<PartyChange, Refusal> {
                self.read(party, policy)
            }
        }
    };
}

distributor_change!(DealerChangeInput {
    province_id: "provinceId" = |party: &Party| standing(party.territory.province),
    zones: "zones" = |party: &Party| Field::Given(party.territory.zones.clone())
});
distributor_change!(DeliveryManChangeInput {});

/// Reads the personal details of a distributor.
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

impl DealerInput {
    /// Converts to a registration.
    ///
    /// # Errors
    /// All field errors.
    pub fn new_party(self, id: PartyId, policy: PasswordPolicy) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, policy, &mut faults);
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
    /// The id in the body.
    ///
    /// # Errors
    /// A missing or invalid id.
    pub fn named(&mut self) -> Result<PartyId, Refusal> {
        named_in_body(&mut self.id)
    }

    /// Converts to a change; absent parts of the territory are kept.
    ///
    /// # Errors
    /// All field errors.
    fn read(self, current: &Party, policy: PasswordPolicy) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, policy, &mut faults);
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
    /// Converts to a registration.
    ///
    /// # Errors
    /// All field errors.
    pub fn new_party(self, id: PartyId, policy: PasswordPolicy) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, policy, &mut faults);
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
    /// Converts to a change; dealer, province and zones are kept.
    ///
    /// # Errors
    /// All field errors, such as another dealer.
    fn read(self, current: &Party, policy: PasswordPolicy) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, policy, &mut faults);
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
