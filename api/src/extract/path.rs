//! Path parameters.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use std::future::{Ready, ready};
use uuid::Uuid;

/// The `{id}` of the path. 404 unless a UUID.
#[derive(Clone, Copy, Debug)]
pub struct PathId(pub Uuid);

/// The `{id}` of a record and the `{number}` of its part. 404 when invalid.
#[derive(Clone, Copy, Debug)]
pub struct PathPart {
    /// Id of the record.
    pub id: Uuid,
    /// Number of the part.
    pub number: u32,
}

impl FromRequest for PathPart {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let path = request.match_info();
        let id = path.get("id").and_then(|text| Uuid::parse_str(text).ok());
        let number = path.get("number").and_then(|text| text.parse().ok());
        let part = id.zip(number).map(|(id, number)| Self { id, number });
        ready(part.ok_or_else(|| ApiError::not_found("not_found")))
    }
}

/// The `{id}` of a file: the hash of its content.
#[derive(Clone, Debug)]
pub struct PathHash(pub String);

impl FromRequest for PathHash {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let is_hash = |text: &&str| text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let hash = request.match_info().get("id").filter(is_hash).map(str::to_owned);
        ready(hash.map(Self).ok_or_else(|| ApiError::not_found("file_not_found")))
    }
}

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
