//! The authenticated caller.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest, dev::Payload};
use caudal_domain::{
    Actor,
    ids::{ApiKeyId, PartyId, SecondFactorId, TenantId},
    office::Permissions,
    party::Role,
};
use caudal_projections::Scope;
use serde::{Deserialize, Serialize};
use std::future::{Ready, ready};
use uuid::Uuid;

/// Who sees as the caller: a manager, whose session reads only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewer {
    pub party: PartyId,
    /// The viewer's own session.
    pub session: Uuid,
}

/// An authenticated party whose role the policy table admits. Inserted by the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Tenant of the party and of the request.
    pub tenant: TenantId,
    pub party: PartyId,
    pub role: Role,
    /// An agent's agency.
    pub agency: Option<PartyId>,
    /// A delivery man's dealer.
    pub dealer: Option<PartyId>,
    /// What the caller's permission set allows; everything for other roles than the manager.
    pub permissions: Permissions,
    /// Session of the token; for an API key, the key's id.
    pub session: Uuid,
    /// API key of the request; `None` for a session.
    pub api_key: Option<ApiKeyId>,
    /// The party's second factors in force; none for an API key.
    pub second_factors: Vec<SecondFactorId>,
    /// Whether the party's role needs a second factor that the party does not have; false for an API key.
    pub must_enrol: bool,
    /// The manager who sees as this party; `None` for the party itself.
    pub viewer: Option<Viewer>,
}

impl Caller {
    /// Scope for queries.
    pub const fn scope(&self) -> Scope {
        Scope {
            party: self.party,
            role: self.role,
            agency: self.agency,
            dealer: self.dealer,
            permissions: self.permissions,
            is_viewed: self.viewer.is_some(),
        }
    }

    /// Actor for commands.
    pub const fn actor(&self) -> Actor {
        Actor::Party(self.party)
    }
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let caller = request.extensions().get::<Self>().cloned();
        ready(caller.ok_or_else(|| ApiError::unauthorized("token_missing")))
    }
}
