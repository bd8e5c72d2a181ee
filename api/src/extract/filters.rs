//! Query parameters of non-list calls.

use super::{json::field_error, query::QueryFields};
use crate::problem::ApiError;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use serde::de::DeserializeOwned;
use std::future::{Ready, ready};

/// The query fields of a call, into a struct, by their names in any case. Empty values count as absent. With `#[serde(deny_unknown_fields)]` on
/// the struct an unknown filter is 422 as it should be.
#[derive(Clone, Debug)]
pub struct Filters<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Filters<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(parse(request.query_string()).map(Self))
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ApiError> {
    let fields = QueryFields::read(text)?.named_as_in::<T>();
    let text = serde_urlencoded::to_string(&fields).map_err(|_| ApiError::unreadable("query_unreadable"))?;
    let reader = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(reader).map_err(|error| {
        let path = error.path().to_string();
        field_error(&path, &error.inner().to_string())
    })
}
