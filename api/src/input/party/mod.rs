//! Request bodies of agencies, agents, dealers and delivery men.

use super::{
    field::{Faults, Field},
    merge::Mergeable,
};
use crate::auth::passwords::require_strong;
use caudal_domain::{
    PasswordPolicy, Refusal, TenantState,
    ids::PartyId,
    party::{ChangeParty, Party, PartyDetails, RegisterParty, Registration, Territory},
};

/// A registration with its password.
#[derive(Debug)]
pub struct NewParty {
    /// The command.
    pub command: RegisterParty,
    /// Validated password, not hashed yet.
    pub password: String,
}

/// A requested change of a party.
pub(crate) trait PartyChangeInput: Mergeable + Clone {
    /// Current values in the shape of a request.
    fn standing(party: &Party, details: PartyDetails) -> Self;

    /// Refuses terms that are not as they stand: the call of the change sets none.
    ///
    /// # Errors
    /// Each part that another call sets.
    fn require_standing_terms(&self, _: &Party, _: &TenantState) -> Result<(), Refusal> {
        Ok(())
    }

    /// Converts to a change of the current party.
    ///
    /// # Errors
    /// All field errors.
    fn change(self, party: &Party, details: PartyDetails, policy: PasswordPolicy) -> Result<PartyChange, Refusal>;
}

/// A party to be changed.
#[derive(Debug)]
pub struct PartyChange {
    /// The command.
    pub command: ChangeParty,
    /// New password, validated and not hashed yet.
    pub password: Option<String>,
}

/// Declares the inputs of a party kind, new and changed, which share most fields.
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
            /// Name, at most 120 characters.
            #[serde(default)]
            #[schema(value_type = String, required, min_length = 1)]
            name: Field<String>,
            /// E-mail address of the login; unique in the tenant.
            #[serde(default)]
            #[schema(value_type = String, required, format = "email", max_length = 254)]
            email: Field<String>,
            /// By the tenant's policy: 8 to 15 characters with a digit, a special character, an upper and a lower case letter and
    /// no blanks; or 12 to 128 of any kind.
            #[serde(default)]
            #[schema(value_type = String, required, format = "password", min_length = 8, max_length = 128)]
            password: Field<String>,
            $($(#[$common_meta])* $common: $common_type,)*
            $($(#[$new_meta])* $only_new: $new_type,)*
        }

        $(#[$change_doc])*
        #[derive(Clone, Debug, Default, Deserialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct $change {
            /// Name, at most 120 characters.
            #[serde(default)]
            #[schema(value_type = String, required, min_length = 1)]
            name: Field<String>,
            /// E-mail address of the login; unique in the tenant.
            #[serde(default)]
            #[schema(value_type = String, required, format = "email", max_length = 254)]
            email: Field<String>,
            /// New password; the current one stays when absent.
            #[serde(default)]
            #[schema(value_type = Option<String>, format = "password", min_length = 8, max_length = 128)]
            password: Field<String>,
            /// Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged,
            /// and a field that someone else has changed since is refused: 409 `changed_since_read`. Without it, the
            /// whole record is replaced.
            #[serde(default, deserialize_with = "crate::input::merge::was")]
            #[schema(value_type = Option<Object>)]
            was: Option<Box<Self>>,
            $($(#[$common_meta])* $common: $common_type,)*
            $($(#[$change_meta])* $only_change: $change_type,)*
        }
    };
}

// After the macro that it uses.
mod distributor;
mod seller;

pub use distributor::{DealerChangeInput, DealerInput, DeliveryManChangeInput, DeliveryManInput};
pub use seller::{AgencyChangeInput, AgencyInput, AgentChangeInput, AgentInput};

/// A picture is given by file id, or by URL path from clients that send whole parties back.
pub(super) fn picture(named: String) -> String {
    named.strip_prefix("/api/files/").map_or(named.clone(), str::to_owned)
}

/// URL path of a picture.
pub(super) fn picture_address(hash: String) -> String {
    format!("/api/files/{hash}")
}

/// The superior is immutable; clients send whole parties back.
fn require_fixed(name: &'static str, given: Field<PartyId>, current: Option<PartyId>, faults: &mut Faults) {
    if faults.change(name, given).is_some_and(|given| given != current) && faults.is_clear_of(name) {
        faults.add(name, "party_above_is_fixed");
    }
}

/// The party id in a body.
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

/// Reads and validates a password.
pub(super) fn checked_password(
    field: Field<String>,
    required: bool,
    policy: PasswordPolicy,
    faults: &mut Faults,
) -> Option<String> {
    let password = if required {
        faults.required("password", field)
    } else {
        // Forms send an empty field for an unchanged password.
        faults
            .optional("password", field)
            .filter(|password| !password.is_empty())
    }?;
    match require_strong("password", &password, policy) {
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
