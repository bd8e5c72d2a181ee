//! Profile of the authenticated party, for the top bar.

use super::{ProfilePaymentGroup, agency::rows, terms};
use crate::{
    error::ReadError,
    read_transaction::{ReadTransaction, only},
    rows::PartyRow,
    scalar::{AgentType, UserType},
    scope::Scope,
};
use caudal_domain::{
    office::{Area, Permissions, Right},
    party::Role,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The authenticated party.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// UUID.
    pub id: Uuid,
    /// Name of the party.
    pub name: String,
    /// E-mail address of its login; unique in the tenant.
    pub email: String,
    /// Role of the party.
    pub user_type: UserType,
    /// Kind of an agent; null for other roles.
    pub agent_type: Option<AgentType>,
    /// Agency of an agent; an agency's own id.
    pub agency_id: Option<Uuid>,
    /// Name of the agency.
    pub agency_name: Option<String>,
    /// Telephone in E.164 that tickets of the caller's sales show: the agency's, or that of an agent without one. Null
    /// where none is known, and for roles that don't sell under a name of their own.
    pub seller_phone: Option<String>,
    /// URL path of the profile picture; null when there is none.
    pub profile_picture: Option<String>,
    /// IANA time zone of the tenant, such as `America/Havana`.
    pub time_zone: String,
    /// What the caller may do in the office, by area; null for other roles than the manager.
    pub office: Option<OfficeProfile>,
    /// Terms with balances, or cash; empty for a manager.
    pub payment_groups: Vec<ProfilePaymentGroup>,
}

/// Area of permissions of members of the office.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum OfficeArea {
    /// Remittances, from the sale to the delivery.
    Sales,
    /// Issuers and recipients.
    Customers,
    /// Movements and debits.
    Payments,
    /// Agencies, agents, dealers and delivery men.
    Parties,
    /// Changes of exchange rates.
    Rates,
    /// Closures, balances and entries.
    Accounting,
    /// Reports and figures of the dashboard.
    Reports,
    /// The log and its verification.
    Audit,
    /// Members of the office and their permission sets.
    Office,
    /// API keys, webhooks and the feed.
    Integrations,
    /// Currencies, payment groups, places, and the rule of the second factor.
    Settings,
    /// Limit rules, holds and screening.
    Compliance,
}

impl From<Area> for OfficeArea {
    fn from(area: Area) -> Self {
        match area {
            Area::Sales => Self::Sales,
            Area::Customers => Self::Customers,
            Area::Payments => Self::Payments,
            Area::Parties => Self::Parties,
            Area::Rates => Self::Rates,
            Area::Accounting => Self::Accounting,
            Area::Reports => Self::Reports,
            Area::Audit => Self::Audit,
            Area::Office => Self::Office,
            Area::Integrations => Self::Integrations,
            Area::Settings => Self::Settings,
            Area::Compliance => Self::Compliance,
        }
    }
}

impl OfficeArea {
    /// The areas in which a right is held.
    #[must_use]
    pub fn held(permissions: Permissions, right: Right) -> Vec<Self> {
        let areas = Area::ALL.iter().filter(|area| permissions.may(**area, right));
        areas.map(|area| (*area).into()).collect()
    }
}

/// What a manager may do: everything for a full manager.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficeProfile {
    /// Permission set: the name of a template, or the id of one of the tenant's sets; null for everything.
    #[schema(example = "auditor")]
    pub permission_set: Option<String>,
    /// Areas that the caller reads.
    pub reads: Vec<OfficeArea>,
    /// Areas that the caller writes.
    pub writes: Vec<OfficeArea>,
    /// End of the caller's access; null for no end.
    pub access_expires_at: Option<DateTime<Utc>>,
}

impl OfficeProfile {
    fn of(party: &PartyRow, permissions: Permissions) -> Self {
        Self {
            permission_set: party.permission_set.clone(),
            reads: OfficeArea::held(permissions, Right::Read),
            writes: OfficeArea::held(permissions, Right::Write),
            access_expires_at: party.access_expires_at,
        }
    }
}

/// The caller's profile.
///
/// # Errors
/// Not found while the caller is not projected yet.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope) -> Result<Profile, ReadError> {
    let party: PartyRow = only(rows(transaction, &[scope.party.0]).await?, "party_not_found")?;
    let agency = match (party.role, party.agency) {
        (Role::Agency, _) => Some(party.clone()),
        (_, Some(agency)) => rows(transaction, &[agency]).await?.pop(),
        _ => None,
    };
    let payment_groups = match party.role {
        Role::Manager => Vec::new(),
        Role::Dealer | Role::DeliveryMan => terms::of_cash(transaction, scope.party).await?,
        Role::Agency | Role::ExternalAgent | Role::InternalAgent => {
            let seller = scope.principal().0;
            let mut groups = terms::of_sellers(transaction, vec![seller]).await?;
            groups.remove(&seller).unwrap_or_default()
        }
    };
    let details = party.details();
    let seller_phone = match party.role {
        Role::Manager | Role::Dealer | Role::DeliveryMan => None,
        Role::Agency | Role::ExternalAgent | Role::InternalAgent => {
            let seller = agency.as_ref().map_or_else(|| details.clone(), PartyRow::details);
            seller.phone.or(seller.phone2)
        }
    };
    let office = (party.role == Role::Manager).then(|| OfficeProfile::of(&party, scope.permissions));
    Ok(Profile {
        id: party.id,
        name: details.name,
        email: details.email,
        user_type: party.role.into(),
        agent_type: AgentType::of(party.role),
        agency_id: agency.as_ref().map(|agency| agency.id),
        agency_name: agency.and_then(|agency| agency.name),
        seller_phone,
        profile_picture: details.profile_picture.as_deref().map(crate::file_address),
        time_zone: transaction.zone().name().to_owned(),
        office,
        payment_groups,
    })
}
