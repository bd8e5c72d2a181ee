//! Request bodies about members of the office.

use super::{
    field::{Faults, Field, FromJson, fault},
    merge::{mergeable, standing},
    rates::Moment,
};
use caudal_domain::{
    FieldError, Refusal,
    ids::PermissionSetId,
    office::{Area, OfficeAccess, PermissionSet, Permissions, Right, SetName},
};
use caudal_projections::party::profile::OfficeArea;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

impl FromJson for Area {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        serde_json::from_str(raw.get()).map_err(|_| fault("value_unknown"))
    }
}

impl FromJson for SetName {
    const BLANK_IS_NULL: bool = true;

    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        String::from_json(raw)?
            .parse()
            .map_err(|_| fault("permission_set_unknown"))
    }
}

/// A permission set.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PermissionSetInput {
    /// Name, unique in the tenant. It must not name people.
    #[serde(default)]
    #[schema(value_type = String, required, example = "Counter and customers")]
    name: Field<String>,
    /// Areas that its holders read; those of `writes` need not be repeated.
    #[serde(default)]
    #[schema(value_type = Vec<OfficeArea>, required, max_items = 12, example = json!(["payments"]))]
    reads: Field<Vec<Area>>,
    /// Areas that its holders write, which includes reading.
    #[serde(default)]
    #[schema(value_type = Vec<OfficeArea>, required, max_items = 12, example = json!(["sales", "customers"]))]
    writes: Field<Vec<Area>>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`. Absent, the set is replaced as a whole. Only for changes.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(PermissionSetInput {
    name: "name",
    reads: "reads",
    writes: "writes",
});

impl PermissionSetInput {
    /// The current set.
    #[must_use]
    pub fn standing(set: &PermissionSet) -> Self {
        let held = |right: Right| {
            let areas = Area::ALL.iter().copied();
            Field::Given(areas.filter(|area| set.permissions.may(*area, right)).collect())
        };
        Self {
            name: Field::Given(set.name.clone()),
            reads: held(Right::Read),
            writes: held(Right::Write),
            was: None,
        }
    }

    /// The set under an id.
    ///
    /// # Errors
    /// All field errors.
    pub fn set(self, id: PermissionSetId) -> Result<PermissionSet, Refusal> {
        let mut faults = Faults::default();
        let name = faults.required_text("name", self.name);
        let reads = faults.required("reads", self.reads);
        let writes = faults.required("writes", self.writes);
        faults.finish(|| {
            Some(PermissionSet {
                id,
                name: name?,
                permissions: Permissions::writing(&writes?).and_reading(&reads?),
            })
        })
    }
}

/// Permission set and end of access of a manager; absent and null are a full manager without an end.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OfficeAccessInput {
    /// Name of a template, or id of one of the tenant's sets; null permits everything.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^([a-z]+|[0-9a-fA-F-]{36})$", example = "auditor")]
    permission_set: Field<SetName>,
    /// From this moment on the login has no access, RFC 3339; null for no end.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    access_expires_at: Field<Moment>,
    /// Previous values of the sent fields, as the client read them. With `was`, absent fields stay unchanged, and a field that
    /// someone else has changed since is refused: 409 `changed_since_read`. Without it, the access is replaced as a whole.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(OfficeAccessInput {
    permission_set: "permissionSet",
    access_expires_at: "accessExpiresAt",
});

impl OfficeAccessInput {
    /// The current access.
    #[must_use]
    pub fn standing(access: OfficeAccess) -> Self {
        Self {
            permission_set: standing(access.permission_set),
            access_expires_at: standing(access.expires_at.map(Moment)),
            was: None,
        }
    }

    /// The access.
    ///
    /// # Errors
    /// All field errors.
    pub fn access(self) -> Result<OfficeAccess, Refusal> {
        let mut faults = Faults::default();
        let access = read_access(self.permission_set, self.access_expires_at, &mut faults);
        faults.finish(|| Some(access))
    }
}

/// The access of two fields, as far as they are valid.
pub(super) fn read_access(set: Field<SetName>, expires_at: Field<Moment>, faults: &mut Faults) -> OfficeAccess {
    OfficeAccess {
        permission_set: faults.optional("permissionSet", set),
        expires_at: faults.optional("accessExpiresAt", expires_at).map(|moment| moment.0),
    }
}
