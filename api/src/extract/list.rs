//! Paging, search, order and filters of a list.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use caudal_projections::page;
use std::{
    future::{Ready, ready},
    ops::Deref,
};

/// What a list is asked for: paging, search, order, and in its `filters` every other query field. The list that
/// answers checks them and refuses what it does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery(pub page::ListQuery);

impl Deref for ListQuery {
    type Target = page::ListQuery;

    fn deref(&self) -> &page::ListQuery {
        &self.0
    }
}

impl FromRequest for ListQuery {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::parse(request.query_string()))
    }
}

impl ListQuery {
    fn parse(text: &str) -> Result<Self, ApiError> {
        let pairs: Vec<(String, String)> =
            serde_urlencoded::from_str(text).map_err(|_| ApiError::unreadable("query_unreadable"))?;
        if pairs.iter().any(|(_, value)| value.chars().any(char::is_control)) {
            return Err(ApiError::unreadable("query_unreadable"));
        }
        let parameters = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Ok(Self(page::ListQuery::parse(parameters)?))
    }
}
