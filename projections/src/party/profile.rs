//! Who is logged in, with what the top bar shows.

use super::{PartyRow, ProfilePaymentGroup, agency::rows, terms};
use crate::{
    error::ReadError,
    scalar::{AgentType, UserType},
    scope::Scope,
    snapshot::{Snapshot, only},
};
use caudal_domain::party::Role;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A logged-in party.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Its login's address.
    pub email: String,
    /// Its role.
    pub user_type: UserType,
    /// An agent's kind.
    pub agent_type: Option<AgentType>,
    /// The agency of an agent; an agency's own id.
    pub agency_id: Option<Uuid>,
    /// The agency's name.
    pub agency_name: Option<String>,
    /// Its picture's address.
    pub profile_picture: Option<String>,
    /// IANA zone of the tenant.
    pub time_zone: String,
    /// What it has to sell with, or its cash; none for a manager.
    pub payment_groups: Vec<ProfilePaymentGroup>,
}

/// The caller's profile.
///
/// # Errors
/// Not found where the caller is not projected (yet).
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
    Ok(Profile {
        id: party.id,
        name: details.name,
        email: details.email,
        user_type: party.role.into(),
        agent_type: AgentType::of(party.role),
        agency_id: agency.as_ref().map(|agency| agency.id),
        agency_name: agency.and_then(|agency| agency.name),
        profile_picture: details.profile_picture.as_deref().map(crate::file_address),
        time_zone: snapshot.zone().name().to_owned(),
        payment_groups,
    })
}
