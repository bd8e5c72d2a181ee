//! The id in a path.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use std::future::{Ready, ready};
use uuid::Uuid;

/// The `{id}` of the path. What is no UUID names nothing, so it is 404.
#[derive(Clone, Copy, Debug)]
pub struct PathId(pub Uuid);

impl FromRequest for PathId {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request
            .match_info()
            .get("id")
            .and_then(|text| Uuid::parse_str(text).ok());
        ready(id.map(Self).ok_or_else(|| ApiError::not_found("not_found")))
    }
}
