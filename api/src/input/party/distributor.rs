//! Dealers and delivery men as requests give them.

use super::{
    super::{
        field::{Faults, Field},
        merge::{mergeable, standing},
    },
    NewParty, PartyChange, PartyChangeInput, checked_password, named, named_in_body, new_party, party_change,
    require_fixed,
};
use caudal_domain::{
    Refusal,
    ids::{MunicipalityId, PartyId, ProvinceId},
    party::{Party, PartyDetails, Registration, Territory},
};
use serde::Deserialize;
use utoipa::ToSchema;

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

/// Merges a change of a distributor, and reads it.
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

            fn change(self, party: &Party, _: PartyDetails) -> Result<PartyChange, Refusal> {
                self.read(party)
            }
        }
    };
}

distributor_change!(DealerChangeInput {
    province_id: "provinceId" = |party: &Party| standing(party.territory.province),
    zones: "zones" = |party: &Party| Field::Given(party.territory.zones.clone())
});
distributor_change!(DeliveryManChangeInput {});

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
    fn read(self, current: &Party) -> Result<PartyChange, Refusal> {
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
    fn read(self, current: &Party) -> Result<PartyChange, Refusal> {
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
