//! City suggestions from the addresses of a tenant's issuers.

use super::and_visible;
use crate::{
    error::ReadError,
    page::search_text,
    read_transaction::ReadTransaction,
    scalar::CustomerType,
    scope::Scope,
    search::{Search, folded},
};
use sqlx::Row as _;

/// Maximum suggestions.
pub const MAX_SUGGESTIONS: usize = 50;
/// Maximum distinct names scanned, most used first.
const MAX_KNOWN: i64 = 5_000;

/// Cities in the addresses of the issuers in the caller's scope, most used first. The country is given by code; the
/// text is matched without case and accents.
///
/// # Errors
/// A text that is too long.
pub async fn suggestions(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    country: Option<&str>,
    query: Option<&str>,
) -> Result<Vec<String>, ReadError> {
    let text = query.map_or(Ok(None), |query| search_text("query", query))?;
    let mut sql = transaction
        .rows("customers", "c")
        .after("SELECT min(btrim(c.details->>'municipality')) AS city");
    sql.push(&format!(
        " AND NOT c.deleted AND c.kind = {} AND btrim(c.details->>'municipality') <> ''",
        CustomerType::Sender.number()
    ));
    and_visible(&mut sql, scope);
    if let Some(country) = country {
        sql.push(" AND upper(c.details->>'country') = ")
            .bind(country.to_uppercase());
    }
    sql.push(" GROUP BY lower(btrim(c.details->>'municipality')) ORDER BY count(*) DESC, 1 LIMIT ")
        .bind(MAX_KNOWN);
    let rows = transaction.fetch(&sql).await?;
    let names: Vec<String> = rows
        .iter()
        .map(|row| row.try_get("city"))
        .collect::<Result<_, sqlx::Error>>()?;
    let Some(text) = text else {
        return Ok(names.into_iter().take(MAX_SUGGESTIONS).collect());
    };
    let Some(search) = Search::of(&text) else {
        return Ok(Vec::new());
    };
    let found = names
        .into_iter()
        .filter(|name| search.finds(&folded([Some(name.as_str())])));
    Ok(found.take(MAX_SUGGESTIONS).collect())
}
