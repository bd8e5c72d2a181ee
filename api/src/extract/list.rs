//! Paging, search, order and filters of a list.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use caudal_projections::page;
use std::{
    future::{Ready, ready},
    ops::Deref,
};
use utoipa::{
    IntoParams,
    openapi::{
        KnownFormat, Required, SchemaFormat,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::{ObjectBuilder, Type},
    },
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

impl IntoParams for ListQuery {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let number = |minimum: i64| {
            ObjectBuilder::new()
                .schema_type(Type::Integer)
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
                .minimum(Some(minimum))
        };
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let all = format!(
            "1 to {}; 0 means all, up to {} rows.",
            page::MAX_RECORDS_PER_PAGE,
            page::MAX_ALL_RECORDS
        );
        [
            (
                "CurrentPage",
                "The page, from 1.".to_owned(),
                number(1).default(Some(1.into())),
            ),
            (
                "RecordsPerPage",
                all,
                number(0)
                    .maximum(Some(page::MAX_RECORDS_PER_PAGE))
                    .default(Some(page::DEFAULT_RECORDS_PER_PAGE.into())),
            ),
            (
                "query",
                "A text to search for.".to_owned(),
                text().max_length(Some(page::MAX_QUERY_LENGTH)),
            ),
            ("sort", "A column; - in front: descending.".to_owned(), text()),
        ]
        .into_iter()
        .map(|(name, description, schema)| {
            ParameterBuilder::new()
                .name(name)
                .parameter_in(ParameterIn::Query)
                .required(Required::False)
                .description(Some(description))
                .schema(Some(schema))
                .build()
        })
        .collect()
    }
}
