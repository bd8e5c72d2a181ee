//! Agencies, agents, dealers and delivery men as requests give them: those who sell, and those who deliver.

use super::{
    field::{Faults, Field},
    merge::Mergeable,
};
use crate::auth::passwords::require_strong;
use caudal_domain::{
    Refusal,
    ids::PartyId,
    party::{ChangeParty, Party, PartyDetails, RegisterParty, Registration, Territory},
};

/// A party to be made, with the password that it will log in with.
#[derive(Debug)]
pub struct NewParty {
    /// The command.
    pub command: RegisterParty,
    /// The password, by the rules, not hashed yet.
    pub password: String,
}

/// A change of a party as a request gives it.
pub(crate) trait PartyChangeInput: Mergeable + Clone {
    /// The party as it stands, as a request would say it.
    fn standing(party: &Party, details: PartyDetails) -> Self;

    /// The change that it describes of the party as it stands.
    ///
    /// # Errors
    /// All fields at fault.
    fn change(self, party: &Party, details: PartyDetails) -> Result<PartyChange, Refusal>;
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
            #[schema(value_type = String, required, min_length = 1)]
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
        #[derive(Clone, Debug, Default, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $change {
            /// Its name.
            #[serde(default)]
            #[schema(value_type = String, required, min_length = 1)]
            name: Field<String>,
            /// The address that it logs in with.
            #[serde(default)]
            #[schema(value_type = String, required, format = "email", max_length = 254)]
            email: Field<String>,
            /// Another password; the present one stays where absent.
            #[serde(default)]
            #[schema(value_type = Option<String>, format = "password", min_length = 8, max_length = 15)]
            password: Field<String>,
            /// The values of the fields that are sent, as they were read. With it what is absent stays, and what
            /// another changed since is refused (409 `changed_since_read`).
            #[serde(default)]
            #[schema(value_type = Option<Object>)]
            was: Option<Box<Self>>,
            $($(#[$common_meta])* $common: $common_type,)*
            $($(#[$change_meta])* $only_change: $change_type,)*
        }
    };
}

// Behind the macro that they use.
mod distributor;
mod seller;

pub use distributor::{DealerChangeInput, DealerInput, DeliveryManChangeInput, DeliveryManInput};
pub use seller::{AgencyChangeInput, AgencyInput, AgentChangeInput, AgentInput};

/// A picture is named by its file's id; clients that send whole parties back name it by its address.
pub(super) fn picture(named: String) -> String {
    named.strip_prefix("/api/files/").map_or(named.clone(), str::to_owned)
}

/// A picture as clients read it.
pub(super) fn picture_address(hash: String) -> String {
    format!("/api/files/{hash}")
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

fn named(name: Option<String>, email: Option<String>, details: PartyDetails) -> Option<PartyDetails> {
    Some(PartyDetails {
        name: name?,
        email: email?,
        ..details
    })
}

/// Reads a password and checks it by the rules.
pub(super) fn checked_password(field: Field<String>, required: bool, faults: &mut Faults) -> Option<String> {
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

pub(super) fn new_party(
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
                known: None,
                sets_password: false,
            },
            password,
        })
    })
}
