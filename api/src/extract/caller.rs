//! Who asks.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpMessage as _, HttpRequest, dev::Payload};
use caudal_domain::{
    Actor,
    ids::{PartyId, TenantId},
    party::Role,
};
use std::future::{Ready, ready};
use uuid::Uuid;

/// A logged-in party whose role the policy table lets through. The gate puts it into the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The tenant that it belongs to, which the request is about.
    pub tenant: TenantId,
    /// The party.
    pub party: PartyId,
    /// What it is.
    pub role: Role,
    /// An agent's agency; an agency's own id.
    pub agency: Option<PartyId>,
    /// A delivery man's dealer; a dealer's own id.
    pub dealer: Option<PartyId>,
    /// The session that its token belongs to.
    pub session: Uuid,
}

impl Caller {
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
