//! Paging, search and order of a list.

use crate::problem::ApiError;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use std::future::{Ready, ready};
use utoipa::IntoParams;

/// Rows of a page where the request does not say.
pub const DEFAULT_PER_PAGE: u32 = 10;
/// The most rows of a page; more belongs in an export.
pub const MAX_PER_PAGE: u32 = 100;
/// The last page that can be asked for; with the largest page it is far beyond any list.
pub const MAX_PAGE: u32 = 10_000_000;
/// The longest search text, in characters.
pub const MAX_QUERY_LENGTH: usize = 200;

/// The query fields of a list that are not its filters.
pub(crate) const FIELDS: &[&str] = &["CurrentPage", "RecordsPerPage", "query", "sort", "format"];

/// Paging, search and order.
#[derive(Clone, Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// The page, from 1.
    #[param(rename = "CurrentPage", required = false, default = 1, minimum = 1)]
    pub page: u32,
    /// 1 to 100; 0 means all, up to 10,000 rows.
    #[param(
        rename = "RecordsPerPage",
        required = false,
        default = 10,
        minimum = 0,
        maximum = 100
    )]
    pub per_page: u32,
    /// A text to search for.
    pub query: Option<String>,
    /// A column; - in front: descending.
    pub sort: Option<String>,
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
        let find = |name: &str| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.trim());
        let number = |name: &'static str, default: u32, min: u32, max: u32| match find(name) {
            None | Some("") => Ok(default),
            Some(text) => text
                .parse()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .ok_or_else(|| ApiError::invalid(name, "number_out_of_range")),
        };
        let query = find("query").filter(|text| !text.is_empty());
        if query.is_some_and(|text| text.chars().count() > MAX_QUERY_LENGTH || text.chars().any(char::is_control)) {
            return Err(ApiError::invalid("query", "value_invalid"));
        }
        Ok(Self {
            page: number("CurrentPage", 1, 1, MAX_PAGE)?,
            per_page: number("RecordsPerPage", DEFAULT_PER_PAGE, 0, MAX_PER_PAGE)?,
            query: query.map(str::to_owned),
            sort: find("sort").filter(|text| !text.is_empty()).map(str::to_owned),
        })
    }
}
