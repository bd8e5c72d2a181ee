//! The id in a path.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use std::future::{Ready, ready};
use uuid::Uuid;

/// The `{id}` of the path. What is no UUID names nothing, so it is 404.
#[derive(Clone, Copy, Debug)]
pub struct PathId(pub Uuid);

/// The `{id}` of the path and the `{number}` of a part of that thing. What is none names nothing, so it is 404.
#[derive(Clone, Copy, Debug)]
pub struct PathPart {
    /// The thing.
    pub id: Uuid,
    /// Its part.
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

/// The `{id}` of the path where it is a file's: the hash of its content.
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
