//! Paged lists: query parameters and answers.

use caudal_domain::Refusal;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Default page size.
pub const DEFAULT_RECORDS_PER_PAGE: i64 = 10;
/// Maximum page size.
pub const MAX_RECORDS_PER_PAGE: i64 = 100;
/// Maximum rows when all are requested; larger results must be exported, which streams them.
pub const MAX_ALL_RECORDS: i64 = 10_000;
/// Maximum page number; prevents overflow of the offset.
pub const MAX_PAGE: i64 = 1_000_000;
/// Maximum length of a search text, in characters.
pub const MAX_QUERY_LENGTH: usize = 100;

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// Rows of the page.
    pub data: Vec<T>,
    /// Page size requested.
    pub items_per_page: i64,
    /// Number of this page, from 1.
    pub current_page: i64,
    /// Number of pages.
    pub total_pages: i64,
    /// Number of rows over all pages.
    pub total_records: i64,
    /// True when the search matches very many rows: only the newest were searched, and the totals count these. A
    /// further search word narrows it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_partial: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Query parameters of a list as received; validated against the declaration of the answering list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    /// Page number, from 1.
    pub current_page: i64,
    /// Page size; 0 for all, up to [`MAX_ALL_RECORDS`].
    pub records_per_page: i64,
    /// Search text.
    pub query: Option<String>,
    /// Sort value; a leading `-` for descending.
    pub sort: Option<String>,
    /// Filters by name, case-insensitive: calls name the same filter `AgencyId` and `agencyId`.
    pub filters: BTreeMap<String, String>,
}

impl Default for ListQuery {
    fn default() -> Self {
        Self {
            current_page: 1,
            records_per_page: DEFAULT_RECORDS_PER_PAGE,
            query: None,
            sort: None,
            filters: BTreeMap::new(),
        }
    }
}

impl ListQuery {
    /// All rows.
    #[must_use]
    pub fn all() -> Self {
        Self {
            records_per_page: 0,
            ..Self::default()
        }
    }

    /// Number of rows before the page.
    pub(crate) const fn offset(&self) -> i64 {
        (self.current_page - 1).saturating_mul(self.records_per_page)
    }

    #[must_use]
    pub fn filter(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.filters.insert(name.into(), value.to_string());
        self
    }

    /// Parses decoded query parameters. An empty value counts as absent.
    ///
    /// # Errors
    /// A repeated parameter, an invalid page number or size, a search text that is too long.
    pub fn parse<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, Refusal> {
        let mut list = Self::default();
        let mut seen = Vec::new();
        for (name, value) in parameters {
            let folded = name.to_ascii_lowercase();
            if seen.contains(&folded) {
                return Err(Refusal::invalid(name.to_owned(), "given_twice"));
            }
            seen.push(folded.clone());
            if value.is_empty() {
                continue;
            }
            match folded.as_str() {
                "currentpage" => list.current_page = number("CurrentPage", value, 1, MAX_PAGE)?,
                "recordsperpage" => list.records_per_page = number("RecordsPerPage", value, 0, MAX_RECORDS_PER_PAGE)?,
                "query" => list.query = search_text("query", value)?,
                "sort" => list.sort = Some(value.to_owned()),
                _ => {
                    list.filters.insert(name.to_owned(), value.to_owned());
                }
            }
        }
        Ok(list)
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.filters.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// A search text; `None` when blank.
pub(crate) fn search_text(field: &'static str, text: &str) -> Result<Option<String>, Refusal> {
    require_length(field, text)?;
    Ok(Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned))
}

/// Rejects a text beyond the length limit.
pub(crate) fn require_length(field: &str, text: &str) -> Result<(), Refusal> {
    if text.chars().count() > MAX_QUERY_LENGTH {
        let max = [("max", MAX_QUERY_LENGTH.to_string())];
        return Err(Refusal::invalid_with(field.to_owned(), "text_too_long", max));
    }
    Ok(())
}

fn number(field: &'static str, text: &str, min: i64, max: i64) -> Result<i64, Refusal> {
    let number = text.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or_else(|| {
        Refusal::invalid_with(
            field,
            "number_out_of_range",
            [("min", min.to_string()), ("max", max.to_string())],
        )
    })
}

/// A list's answer that contains a page of rows.
pub trait Paged: Send + 'static {
    type Row: Send + 'static;

    /// Rows of the page.
    fn into_rows(self) -> Vec<Self::Row>;
}

impl<T: Send + 'static> Paged for Page<T> {
    type Row = T;

    fn into_rows(self) -> Vec<T> {
        self.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_without_case_and_empty_ones_are_absent() {
        let list = ListQuery::parse([
            ("currentPage", "3"),
            ("RECORDSPERPAGE", "0"),
            ("AgencyId", "x"),
            ("type", ""),
        ]);
        let list = list.unwrap();
        assert_eq!((list.current_page, list.records_per_page), (3, 0));
        assert_eq!((list.get("agencyId"), list.get("type")), (Some("x"), None));
    }

    #[test]
    fn a_page_out_of_range_is_refused_by_name() {
        for (name, value) in [("CurrentPage", "0"), ("RecordsPerPage", "101"), ("CurrentPage", "x")] {
            let refusal = ListQuery::parse([(name, value)]).unwrap_err();
            assert_eq!(
                (refusal.errors[0].field.as_ref(), refusal.errors[0].code),
                (name, "number_out_of_range")
            );
        }
        assert!(ListQuery::parse([("sort", "a"), ("Sort", "b")]).is_err());
    }
}
