//! Profile of the authenticated party, for the top bar.

use super::{ProfilePaymentGroup, agency::rows, terms};
use crate::{
    error::ReadError,
    rows::PartyRow,
    scalar::{AgentType, UserType},
    scope::Scope,
    snapshot::{Snapshot, only},
};
use caudal_domain::party::Role;
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
    /// Terms with balances, or cash; empty for a manager.
    pub payment_groups: Vec<ProfilePaymentGroup>,
}

/// The caller's profile.
///
/// # Errors
/// Not found while the caller is not projected yet.
pub async fn get(snapshot: &mut Snapshot, scope: &Scope) -> Result<Profile, ReadError> {
    let party: PartyRow = only(rows(snapshot, &[scope.party.0]).await?, "party_not_found")?;
    let agency = match (party.role, party.agency) {
        (Role::Agency, _) => Some(party.clone()),
        (_, Some(agency)) => rows(snapshot, &[agency]).await?.pop(),
        _ => None,
    };
    let payment_groups = match party.role {
        Role::Manager => Vec::new(),
        Role::Dealer | Role::DeliveryMan => terms::of_cash(snapshot, scope.party).await?,
        Role::Agency | Role::ExternalAgent | Role::InternalAgent => {
            let seller = scope.principal().0;
            let mut groups = terms::of_sellers(snapshot, vec![seller]).await?;
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
        time_zone: snapshot.zone().name().to_owned(),
        payment_groups,
    })
}
