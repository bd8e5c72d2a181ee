//! Paged lists: how they are asked for and how they are answered.

use caudal_domain::Refusal;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Rows of a page where the caller says nothing.
pub const DEFAULT_RECORDS_PER_PAGE: i64 = 10;
/// The most rows of a page: as many as a screen scrolls through.
pub const MAX_RECORDS_PER_PAGE: i64 = 100;
/// The most rows where all are asked for; whoever wants more exports them, which needs no memory for all of them.
pub const MAX_ALL_RECORDS: i64 = 10_000;
/// The last page that can be asked for: far beyond what anybody reaches, and no overflow in its offset.
pub const MAX_PAGE: i64 = 1_000_000;
/// The longest search text, in characters.
pub const MAX_QUERY_LENGTH: usize = 100;

/// One page of a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// The rows.
    pub data: Vec<T>,
    /// How many rows a page has.
    pub items_per_page: i64,
    /// Which page this is, from 1.
    pub current_page: i64,
    /// How many pages there are.
    pub total_pages: i64,
    /// How many rows there are.
    pub total_records: i64,
    /// Set where a search was for what very many rows have: only the newest were looked through, and these are
    /// counted. A further word finds the others.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_partial: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// What is asked of a list, as it came: names and values are checked against the list that answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListQuery {
    /// Which page, from 1.
    pub current_page: i64,
    /// How many rows a page; 0 for all, up to [`MAX_ALL_RECORDS`].
    pub records_per_page: i64,
    /// What to search for.
    pub query: Option<String>,
    /// By what to sort; a `-` in front for descending.
    pub sort: Option<String>,
    /// Filters by name. Names are compared without case, since the specification writes them both ways.
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

    /// How many rows are before the page.
    pub(crate) const fn offset(&self) -> i64 {
        (self.current_page - 1).saturating_mul(self.records_per_page)
    }

    /// Adds a filter.
    #[must_use]
    pub fn filter(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.filters.insert(name.into(), value.to_string());
        self
    }

    /// Reads decoded query parameters. An empty value counts as absent.
    ///
    /// # Errors
    /// A parameter given twice, a page or a size that is no number or out of range, a search text too long.
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

    /// A filter by its name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.filters.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// A search text; none where it is blank.
pub(crate) fn search_text(field: &'static str, text: &str) -> Result<Option<String>, Refusal> {
    require_length(field, text)?;
    Ok(Some(text.trim()).filter(|text| !text.is_empty()).map(str::to_owned))
}

/// Refuses a text that is longer than any that a list is asked for.
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
