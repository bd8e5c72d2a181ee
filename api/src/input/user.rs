//! Request bodies of users and of the caller's profile: partial changes of personal details.

use super::{
    field::{Faults, Field},
    merge::{mergeable, standing},
    office::read_access,
    party::{NewParty, PartyChange, PartyChangeInput, checked_password, new_party, picture, picture_address},
    password::secret,
    rates::Moment,
};
use caudal_domain::{
    PasswordPolicy, Refusal,
    ids::PartyId,
    office::{OfficeAccess, SetName},
    party::{ChangeParty, Party, PartyDetails, Registration},
};
use serde::Deserialize;
use utoipa::ToSchema;
use zeroize::Zeroizing;

/// A new manager with its login. Other roles have their own calls.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserInput {
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
    /// Telephone number in E.164, such as `+5352345678`.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone: Field<String>,
    /// Whether it can log in; true when absent.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// Permission set of a member of the office: the name of a template, or the id of one of the tenant's sets. Absent for a
    /// full manager.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^([a-z]+|[0-9a-fA-F-]{36})$", example = "auditor")]
    permission_set: Field<SetName>,
    /// From this moment on the login has no access, RFC 3339; absent for no end.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    access_expires_at: Field<Moment>,
}

impl UserInput {
    /// Converts to a registration.
    ///
    /// # Errors
    /// All field errors.
    pub fn new_party(self, id: PartyId, policy: PasswordPolicy) -> Result<NewParty, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, true, policy, &mut faults);
        let name = faults.required_text("name", self.name);
        let email = faults.required_text("email", self.email);
        let phone = faults.text("phone", self.phone);
        let is_active = faults.optional("isActive", self.is_active);
        let access = read_access(self.permission_set, self.access_expires_at, &mut faults);
        let registration = match access {
            OfficeAccess::FULL => Registration::Manager,
            access => Registration::Office(access),
        };
        let details = name.zip(email).map(|(name, email)| PartyDetails {
            name,
            email,
            phone,
            ..PartyDetails::default()
        });
        new_party(id, Some(registration), details, is_active, password, faults)
    }
}

/// A partial change of a login; absent fields stay unchanged.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserChangeInput {
    /// Name, at most 120 characters.
    #[serde(default)]
    #[schema(value_type = String, min_length = 1)]
    name: Field<String>,
    /// E-mail address of the login; unique in the tenant.
    #[serde(default)]
    #[schema(value_type = String, format = "email", max_length = 254)]
    email: Field<String>,
    /// New password; ends the party's sessions.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "password", min_length = 8, max_length = 128)]
    password: Field<String>,
    /// Telephone number in E.164; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    phone: Field<String>,
    /// Whether it can log in and be named by new commands.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`.
    #[serde(default, deserialize_with = "crate::input::merge::was")]
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

    fn change(self, _: &Party, details: PartyDetails, policy: PasswordPolicy) -> Result<PartyChange, Refusal> {
        self.read(details, policy)
    }
}

impl UserChangeInput {
    /// Converts to a change of the current user.
    ///
    /// # Errors
    /// All field errors.
    fn read(self, mut details: PartyDetails, policy: PasswordPolicy) -> Result<PartyChange, Refusal> {
        let mut faults = Faults::default();
        let password = checked_password(self.password, false, policy, &mut faults);
        set_named(&mut details, self.name, self.email, &mut faults);
        if let Some(phone) = faults.text_change("phone", self.phone) {
            details.phone = phone;
        }
        let is_active = faults.optional("isActive", self.is_active);
        faults.finish(|| Some(changed(details, is_active, password)))
    }
}

/// A partial change of the caller's own details; absent fields stay unchanged.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileInput {
    /// Name, at most 120 characters.
    #[serde(default)]
    #[schema(value_type = String, min_length = 1)]
    name: Field<String>,
    /// E-mail address of the login; a change requires `oldPassword`.
    #[serde(default)]
    #[schema(value_type = String, format = "email", max_length = 254)]
    email: Field<String>,
    /// Id or URL path of a file uploaded by the caller; null removes the picture.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    profile_picture: Field<String>,
    /// Current password; required to change the address.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "password")]
    old_password: Field<String>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`.
    #[serde(default, deserialize_with = "crate::input::merge::was")]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(ProfileInput {
    name: "name",
    email: "email",
    profile_picture: "profilePicture",
});

/// A change of the caller's own details.
pub struct ProfileChange {
    /// The change.
    pub change: PartyChange,
    /// Password shown for a changed address; `None` when it stays.
    pub shown: Option<Zeroizing<String>>,
}

impl ProfileInput {
    /// Current values in the shape of a request.
    pub(crate) fn standing(details: PartyDetails) -> Self {
        Self {
            name: Field::Given(details.name),
            email: Field::Given(details.email),
            profile_picture: standing(details.profile_picture.map(picture_address)),
            ..Self::default()
        }
    }

    /// Converts to a change of the caller.
    ///
    /// # Errors
    /// All field errors, such as a missing password with a changed address.
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
            // Not needed; an invalid one is reported all the same.
            drop(faults.optional("oldPassword", self.old_password).map(Zeroizing::new));
            None
        };
        faults.finish(|| {
            let change = changed(details, None, None);
            Some(ProfileChange { change, shown })
        })
    }
}

/// Sets name and address, if given.
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
