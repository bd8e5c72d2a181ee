//! Who asks.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest, dev::Payload};
use caudal_domain::{
    Actor,
    ids::{PartyId, TenantId},
    party::Role,
};
use caudal_projections::Scope;
use std::future::{Ready, ready};
use uuid::Uuid;

/// A logged-in party whose role the policy table lets through. The gate puts it into the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The tenant that it belongs to, which the request is about.
    pub tenant: TenantId,
    pub party: PartyId,
    pub role: Role,
    /// An agent's agency.
    pub agency: Option<PartyId>,
    /// A delivery man's dealer.
    pub dealer: Option<PartyId>,
    /// The session that its token belongs to.
    pub session: Uuid,
}

impl Caller {
    /// The caller as queries know it.
    pub const fn scope(&self) -> Scope {
        Scope {
            party: self.party,
            role: self.role,
            agency: self.agency,
            dealer: self.dealer,
        }
    }

    /// The caller as the domain knows it.
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
