//! Office staff: managers with a permission set, which narrows what they read and write, and an optional expiry.
//!
//! A manager without a set and without an expiry is a full manager. Who has a set keeps the manager's scope: all records
//! of the tenant, of the areas that the set reads. Permissions are checked with every call, by the API's policy table, and
//! again with every command, on the state that it is decided on.

mod permissions;
mod rules;

pub use permissions::{Area, Permission, Permissions, Right};
pub(crate) use rules::{check, define, permit, remove, set_access, takes_over};
pub use rules::{contain_login, contain_member, reads};

use crate::{ids::PermissionSetId, party::Role};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Permission sets of a tenant, templates not counted: a screen shows all of them.
pub const MAX_SETS: usize = 50;
/// Of a permission set, in characters.
pub const MAX_NAME_LENGTH: usize = 60;

/// A permission set that every tenant has and none changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Template {
    /// Reads everything, writes nothing.
    Auditor,
    /// Keeps the accounts: closes periods, records payments.
    Accountant,
    /// Runs the daily business, without rates, settings and the office itself.
    Operations,
    /// Checks people and remittances.
    Compliance,
    /// Sells at the counter.
    Cashier,
}

impl Template {
    pub const ALL: &'static [Self] = &[
        Self::Auditor,
        Self::Accountant,
        Self::Operations,
        Self::Compliance,
        Self::Cashier,
    ];

    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auditor => "auditor",
            Self::Accountant => "accountant",
            Self::Operations => "operations",
            Self::Compliance => "compliance",
            Self::Cashier => "cashier",
        }
    }

    #[must_use]
    pub const fn permissions(self) -> Permissions {
        use Area::{Accounting, Audit, Compliance, Customers, Parties, Payments, Rates, Reports, Sales, Settings};
        match self {
            Self::Auditor => Permissions::reading(Area::ALL),
            Self::Accountant => {
                Permissions::writing(&[Accounting, Payments]).and_reading(&[Sales, Customers, Parties, Rates, Reports])
            }
            Self::Operations => Permissions::writing(&[Sales, Customers, Payments, Parties, Accounting])
                .and_reading(&[Rates, Reports, Settings]),
            Self::Compliance => Permissions::writing(&[Customers, Compliance])
                .and_reading(&[Sales, Payments, Parties, Accounting, Reports, Audit]),
            Self::Cashier => Permissions::writing(&[Sales, Customers]).and_reading(&[Payments, Parties, Rates]),
        }
    }
}

/// Name of a permission set: a template's name, or the id of one of the tenant's own sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SetName {
    Template(Template),
    Own(PermissionSetId),
}

/// Returned for a text that names no template and is no id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a permission set is named by a template's name or an id")]
pub struct InvalidSetName;

impl FromStr for SetName {
    type Err = InvalidSetName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let template = Template::ALL.iter().find(|template| template.as_str() == text);
        if let Some(template) = template {
            return Ok(Self::Template(*template));
        }
        let id = Uuid::parse_str(text).map_err(|_| InvalidSetName)?;
        Ok(Self::Own(PermissionSetId(id)))
    }
}

impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Template(template) => f.write_str(template.as_str()),
            Self::Own(id) => id.fmt(f),
        }
    }
}

impl TryFrom<String> for SetName {
    type Error = InvalidSetName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SetName> for String {
    fn from(name: SetName) -> Self {
        name.to_string()
    }
}

/// A tenant's own permission set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PermissionSet {
    pub id: PermissionSetId,
    /// Unique in the tenant. Must not name people: the event is not encrypted.
    pub name: String,
    pub permissions: Permissions,
}

/// Office access of a manager; empty for a full manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OfficeAccess {
    /// `None` permits everything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_set: Option<SetName>,
    /// From this moment on the party has no access; `None` for no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
}

impl OfficeAccess {
    /// Access of a full manager.
    pub const FULL: Self = Self {
        permission_set: None,
        expires_at: None,
    };

    /// Whether it has ended at a moment.
    #[must_use]
    pub fn has_expired(&self, now: DateTime<Utc>) -> bool {
        self.expires_at.is_some_and(|end| now >= end)
    }
}

/// What the login of another role than the manager can do, by the areas of the calls that the role is admitted to. Who makes
/// such a login, or sets its password or address, needs it in the own permissions, since he could act by that login. Keys
/// and webhooks of the login are not counted: they can do no more than the login.
#[must_use]
pub const fn permissions_of_login(role: Role) -> Permissions {
    use Area::{Accounting, Customers, Parties, Payments, Reports, Sales};
    match role {
        Role::Manager => Permissions::ALL,
        Role::Agency => {
            Permissions::writing(&[Sales, Customers, Payments, Parties, Accounting]).and_reading(&[Reports])
        }
        // Parties: the own terms.
        Role::ExternalAgent => {
            Permissions::writing(&[Sales, Customers, Parties]).and_reading(&[Payments, Accounting, Reports])
        }
        Role::InternalAgent => Permissions::writing(&[Sales, Customers]).and_reading(&[Payments, Accounting, Reports]),
        Role::Dealer => Permissions::writing(&[Sales, Payments, Parties]).and_reading(&[Accounting, Reports]),
        Role::DeliveryMan => Permissions::writing(&[Sales, Payments]).and_reading(&[Accounting]),
    }
}
