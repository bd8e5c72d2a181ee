//! Users and one's own profile, as requests give them: partial changes of what is personal about a party.

use super::{
    field::{Faults, Field},
    merge::{mergeable, standing},
    party::{NewParty, PartyChange, PartyChangeInput, checked_password, new_party, picture, picture_address},
    password::secret,
};
use caudal_domain::{
    Refusal,
    ids::PartyId,
    party::{ChangeParty, Party, PartyDetails, Registration},
};
use serde::Deserialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// A new manager and its login. Parties of other roles are made at their own calls.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserInput {
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
    /// Telephone.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone: Field<String>,
    /// Whether it may log in; true where absent.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
}

impl UserInput {
    /// The manager that it describes.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn new_party(self, id: PartyId) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, &mut faults);
        let name = faults.required_text("name", self.name);
        let email = faults.required_text("email", self.email);
        let phone = faults.text("phone", self.phone);
        let is_active = faults.optional("isActive", self.is_active);
        let details = name.zip(email).map(|(name, email)| PartyDetails {
            name,
            email,
            phone,
            ..PartyDetails::default()
        });
        new_party(id, Some(Registration::Manager), details, is_active, password, faults)
    }
}

/// A partial change of a login; what is absent stays.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserChangeInput {
    /// Its name.
    #[serde(default)]
    #[schema(value_type = String, min_length = 1)]
    name: Field<String>,
    /// The address that it logs in with.
    #[serde(default)]
    #[schema(value_type = String, format = "email", max_length = 254)]
    email: Field<String>,
    /// Another password; ends its sessions.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "password", min_length = 8, max_length = 15)]
    password: Field<String>,
    /// Telephone; null takes it away.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone: Field<String>,
    /// Whether it may log in and be used.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// The values of the fields that are sent, as they were read: what another changed since is refused
    /// (409 `changed_since_read`).
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(UserChangeInput {
    name: "name",
    email: "email",
    phone: "phone",
    is_active: "isActive",
});

impl PartyChangeInput for UserChangeInput {
    fn standing(party: &Party, details: PartyDetails) -> Self {
        Self {
            name: Field::Given(details.name),
            email: Field::Given(details.email),
            phone: standing(details.phone),
            is_active: Field::Given(party.is_active),
            ..Self::default()
        }
    }

    fn change(self, _: &Party, details: PartyDetails) -> Result<PartyChange, Refusal> {
        self.read(details)
    }
}

impl UserChangeInput {
    /// The change that it describes of a user as it stands.
    ///
    /// # Errors
    /// All fields at fault.
    fn read(self, mut details: PartyDetails) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, &mut faults);
        set_named(&mut details, self.name, self.email, &mut faults);
        if let Some(phone) = faults.text_change("phone", self.phone) {
            details.phone = phone;
        }
        let is_active = faults.optional("isActive", self.is_active);
        faults.finish(|| Some(changed(details, is_active, password)))
    }
}

/// A partial change of one's own details; what is absent stays.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileInput {
    /// One's name.
    #[serde(default)]
    #[schema(value_type = String, min_length = 1)]
    name: Field<String>,
    /// The address that one logs in with; another one than now needs `oldPassword`.
    #[serde(default)]
    #[schema(value_type = String, format = "email", max_length = 254)]
    email: Field<String>,
    /// Id or address of a file that the caller uploaded; null removes the picture.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    profile_picture: Field<String>,
    /// The present password, where the address is to be another one.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "password")]
    old_password: Field<String>,
    /// The values of the fields that are sent, as they were read: what another changed since is refused
    /// (409 `changed_since_read`).
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(ProfileInput {
    name: "name",
    email: "email",
    profile_picture: "profilePicture",
});

/// A change of one's own details.
pub struct ProfileChange {
    /// The change.
    pub change: PartyChange,
    /// The password that was shown for another address; none where the address stays.
    pub shown: Option<Zeroizing<String>>,
}

impl ProfileInput {
    /// The caller as it stands, as a request would say it.
    pub(crate) fn standing(details: PartyDetails) -> Self {
        Self {
            name: Field::Given(details.name),
            email: Field::Given(details.email),
            profile_picture: standing(details.profile_picture.map(picture_address)),
            ..Self::default()
        }
    }

    /// The change that it describes of the caller as it stands.
    ///
    /// # Errors
    /// All fields at fault; no password with another address.
    pub fn change(self, mut details: PartyDetails) -> Result<ProfileChange, Refusal> {
        let mut faults = Faults::default();
        let before = PartyDetails::normal_email(&details.email);
        set_named(&mut details, self.name, self.email, &mut faults);
        if let Some(named) = faults.text_change("profilePicture", self.profile_picture) {
            details.profile_picture = named.map(picture);
        }
        let moves = PartyDetails::normal_email(&details.email) != before;
        let shown = if moves {
            secret("oldPassword", self.old_password, &mut faults)
        } else {
            // Nobody needs it; what is no password is told all the same.
            drop(faults.optional("oldPassword", self.old_password).map(Zeroizing::new));
            None
        };
        faults.finish(|| {
            let change = changed(details, None, None);
            Some(ProfileChange { change, shown })
        })
    }
}

/// Sets the name and the address, where they are given.
fn set_named(details: &mut PartyDetails, name: Field<String>, email: Field<String>, faults: &mut Faults) {
    if name.is_present() {
        details.name = faults.required_text("name", name).unwrap_or_default();
    }
    if email.is_present() {
        details.email = faults.required_text("email", email).unwrap_or_default();
    }
}

const fn changed(details: PartyDetails, is_active: Option<bool>, password: Option<String>) -> PartyChange {
    PartyChange {
        command: ChangeParty {
            details,
            is_active,
            territory: None,
            known: None,
            sets_password: false,
        },
        password,
    }
}
