//! People with a login: the office, agencies and their agents, dealers and their delivery men. Nobody knows the password they
//! begin with: they log in by the tenant's provider, or set one by mail.

use super::{
    FieldSpec, Kind, Named, Plan, Setting, Shape, Step, invalid,
    person::{PHONE, is_email},
};
use crate::imports::{known::FoundParty, mapping::Values, values};
use caudal_domain::{
    Command, Refusal,
    ids::PartyId,
    office::{Area, OfficeAccess, Right, SetName, Template},
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, Role, Territory},
};
use chrono::{DateTime, Utc};

pub struct Users;

const FIELDS: &[FieldSpec] = &[
    FieldSpec::new(
        "role",
        Shape::Text,
        &[
            "tipo",
            "tipo de usuario",
            "rol",
            "puesto",
            "role",
            "sort",
            "sort of user",
        ],
    )
    .required(),
    FieldSpec::new(
        "name",
        Shape::Text,
        &[
            "nombre",
            "nombre completo",
            "nombre y apellidos",
            "usuario",
            "name",
            "full name",
            "user",
        ],
    )
    .required(),
    FieldSpec::new(
        "email",
        Shape::Text,
        &["correo", "correo electronico", "email", "e mail"],
    )
    .required()
    .looking(is_email),
    PHONE.showing(&["phone"]),
    FieldSpec::new(
        "superior",
        Shape::Text,
        &[
            "agencia",
            "distribuidor",
            "pertenece a",
            "agency",
            "dealer",
            "belongs to",
        ],
    )
    .showing(&["agencyId", "dealerId"]),
    FieldSpec::new(
        "permissionSet",
        Shape::Text,
        &["permisos", "conjunto de permisos", "permissions", "permission set"],
    ),
    FieldSpec::new(
        "accessExpiresAt",
        Shape::Date,
        &["acceso hasta", "hasta", "vence", "access until", "until", "expires"],
    ),
];

/// What roles are called in files: lower case, without accents.
const ROLES: &[(Role, &[&str])] = &[
    (
        Role::Manager,
        &[
            "oficina",
            "gerencia",
            "personal de oficina",
            "office",
            "office staff",
            "staff",
        ],
    ),
    (Role::Agency, &["agencia", "agency"]),
    (Role::ExternalAgent, &["agente externo", "external agent"]),
    (Role::InternalAgent, &["agente interno", "internal agent"]),
    (Role::Dealer, &["distribuidor", "dealer"]),
    (Role::DeliveryMan, &["repartidor", "delivery man"]),
];

/// What templates are called in files.
const TEMPLATES: &[(Template, &[&str])] = &[
    (Template::Auditor, &["auditor"]),
    (Template::Accountant, &["contador", "accountant"]),
    (
        Template::Operations,
        &["operador", "operaciones", "operator", "operations"],
    ),
    (Template::Compliance, &["cumplimiento", "compliance"]),
    (Template::Cashier, &["cajero", "cashier"]),
];

fn role_of(text: &str) -> Option<Role> {
    let wanted = values::folded(text);
    let found = ROLES.iter().find(|(_, names)| names.contains(&wanted.as_str()));
    found.map(|(role, _)| *role)
}

/// The permission set that a row names: a template, or one of the tenant's.
fn set_named(name: &str, setting: &Setting<'_>) -> Result<SetName, Refusal> {
    let templates = TEMPLATES.iter().flat_map(|(template, names)| {
        let names = names.iter();
        names.map(move |name| (SetName::Template(*template), *name))
    });
    let own = setting.state.permission_sets();
    let own = own.map(|set| (SetName::Own(set.id), set.name.as_str()));
    let names: Vec<_> = templates.chain(own).collect();
    match super::named(name, &names, |_| false) {
        Named::One(set) => Ok(set),
        Named::Several => Err(invalid("permissionSet", "import_permission_set_ambiguous")),
        Named::None => Err(invalid("permissionSet", "permission_set_unknown")),
    }
}

/// A full manager is made at the screen alone.
fn access(values: &Values, setting: &Setting<'_>) -> Result<OfficeAccess, Refusal> {
    let (state, field) = (setting.state, "permissionSet");
    let own = state.permissions_of(&state.office_access(setting.maker.id));
    if !own.may(Area::Office, Right::Write) {
        return Err(invalid("role", "role_not_allowed"));
    }
    let name = values.get(field).ok_or_else(|| invalid(field, "required"))?;
    let permission_set = set_named(name, setting)?;
    let expires_at = values.get("accessExpiresAt").map(|day| end_of(day, setting));
    Ok(OfficeAccess {
        permission_set: Some(permission_set),
        expires_at: expires_at.transpose()?,
    })
}

fn end_of(day: &str, setting: &Setting<'_>) -> Result<DateTime<Utc>, Refusal> {
    let end = day
        .parse()
        .ok()
        .and_then(|day| values::end_of(day, setting.state.zone()));
    end.ok_or_else(|| invalid("accessExpiresAt", "date_invalid"))
}

fn superior(values: &Values, setting: &Setting<'_>) -> Result<Option<PartyId>, Refusal> {
    let Some(name) = values.get("superior") else {
        return Ok(None);
    };
    match setting.known.party(name) {
        FoundParty::One(party) => Ok(Some(party)),
        FoundParty::None => Err(invalid("superior", "party_not_found")),
        FoundParty::Several => Err(invalid("superior", "import_party_ambiguous")),
    }
}

fn registration(values: &Values, setting: &Setting<'_>) -> Result<Registration, Refusal> {
    let role = role_of(values.get("role").unwrap_or_default()).ok_or_else(|| invalid("role", "value_unknown"))?;
    let superior = superior(values, setting)?;
    let belongs = matches!(role, Role::ExternalAgent | Role::InternalAgent | Role::DeliveryMan);
    if superior.is_some() && !belongs {
        return Err(invalid("superior", "not_for_this_role"));
    }
    for field in ["permissionSet", "accessExpiresAt"] {
        if role != Role::Manager && values.get(field).is_some() {
            return Err(invalid(field, "not_for_this_role"));
        }
    }
    Ok(match role {
        Role::Manager => Registration::Office(access(values, setting)?),
        Role::Agency => Registration::Agency { terms: Vec::new() },
        Role::ExternalAgent => Registration::ExternalAgent {
            agency: superior,
            terms: Vec::new(),
        },
        Role::InternalAgent => Registration::InternalAgent { agency: superior },
        Role::Dealer => Registration::Dealer {
            territory: Territory::default(),
        },
        Role::DeliveryMan => Registration::DeliveryMan {
            dealer: superior,
            handle_mlc: false,
        },
    })
}

impl Kind for Users {
    fn fields(&self) -> &'static [FieldSpec] {
        FIELDS
    }

    /// Rows of the office need the area of the office besides.
    fn area(&self) -> Area {
        Area::Parties
    }

    fn roles(&self) -> &'static [Role] {
        &[Role::Manager]
    }

    fn has_owner(&self) -> bool {
        false
    }

    fn needs_fresh_code(&self) -> bool {
        true
    }

    /// Members of the office, with their permission sets.
    fn also_tells(&self) -> Option<Area> {
        Some(Area::Office)
    }

    fn names_parties(&self) -> bool {
        true
    }

    fn plan(&self, row: u32, values: &Values, setting: &mut Setting<'_>) -> Result<Plan, Refusal> {
        let text = |field| values.get(field).unwrap_or_default().trim().to_owned();
        let id = PartyId(setting.own_id(format!("user:{row}")));
        match setting.known.party_of_address(&text("email")) {
            FoundParty::One(known) if known == id => return Ok(Plan::Done(known.0)),
            FoundParty::One(known) => return Ok(Plan::There(known.0)),
            FoundParty::Several => return Err(invalid("email", "import_party_ambiguous")),
            FoundParty::None => {}
        }
        let register = RegisterParty {
            id,
            registration: registration(values, setting)?,
            details: PartyDetails {
                name: text("name"),
                email: text("email"),
                phone: values.get("phoneNumber").map(str::to_owned),
                ..PartyDetails::default()
            },
            is_active: true,
        };
        Ok(Plan::Commands(vec![Step {
            part: "user".to_owned(),
            command: Command::Party(id, PartyCommand::Register(register)),
        }]))
    }
}
