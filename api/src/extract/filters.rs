//! Query parameters of non-list calls.

use super::json::field_error;
use crate::problem::ApiError;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use serde::de::DeserializeOwned;
use std::future::{Ready, ready};

/// Query parameters as a struct. Empty values count as absent. With `#[serde(deny_unknown_fields)]` an unknown
/// parameter is 422.
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
    let unreadable = || ApiError::unreadable("query_unreadable");
    let mut pairs: Vec<(String, String)> = serde_urlencoded::from_str(text).map_err(|_| unreadable())?;
    pairs.retain(|(_, value)| !value.is_empty());
    let text = serde_urlencoded::to_string(&pairs).map_err(|_| unreadable())?;
    let reader = serde_urlencoded::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(reader).map_err(|error| {
        let path = error.path().to_string();
        field_error(&path, &error.inner().to_string())
    })
}
