//! Filters in words: the lines below the title of an export.

use crate::{
    customer,
    error::ReadError,
    list::{Declared, Filter, day, filter::SEARCH},
    page::ListQuery,
    print::{Printing, Words},
    read_transaction::ReadTransaction,
    remittance::and_visible,
    scope::Scope,
    sql::Sql,
};
use caudal_export::Language;
use sqlx::Row as _;
use std::collections::HashMap;
use uuid::Uuid;

/// Maximum ids looked up per export.
const MAX_NAMED: usize = 32;

/// Filters of a query, and other restrictions of its rows, in words.
pub(crate) async fn described(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    printing: &Printing,
    declared: &Declared,
    about: &[(Words, Uuid)],
) -> Result<Vec<String>, ReadError> {
    let values = query.filters.values().filter_map(|value| Uuid::parse_str(value).ok());
    let ids = values.chain(about.iter().map(|(_, id)| *id)).take(MAX_NAMED).collect();
    let named = names(transaction, scope, ids).await?;
    let mut said: Vec<String> = Vec::new();
    for (label, id) in about {
        let name = named.get(id).cloned().unwrap_or_else(|| id.to_string());
        said.push(format!("{}: {name}", printing.say(*label)));
    }
    for (name, value) in &query.filters {
        let filter = declared
            .filters
            .iter()
            .find(|filter| filter.name.eq_ignore_ascii_case(name));
        let label = match filter {
            Some(filter) => printing.say(filter.label),
            None => printing.say(SEARCH),
        };
        said.push(format!("{label}: {}", shown(filter, value, &named, printing)));
    }
    if let Some(text) = &query.query {
        said.push(format!("{}: «{text}»", printing.say(SEARCH)));
    }
    Ok(if said.is_empty() {
        Vec::new()
    } else {
        vec![said.join(" · ")]
    })
}

/// Label of a filter's value; the value itself without a label.
fn shown(filter: Option<&Filter>, value: &str, named: &HashMap<Uuid, String>, printing: &Printing) -> String {
    let words = filter.and_then(|filter| filter.takes.words(value));
    let id = Uuid::parse_str(value).ok();
    match (words, id.and_then(|id| named.get(&id))) {
        (Some(words), _) => printing.say(words).to_owned(),
        (None, Some(name)) => name.clone(),
        (None, None) => shown_day(value, printing.language).unwrap_or_else(|| value.to_owned()),
    }
}

fn shown_day(value: &str, language: Language) -> Option<String> {
    let day = day("", value).ok()?;
    Some(language.date(day))
}

/// Names of the ids in a query, as far as the caller may see them.
async fn names(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: Vec<Uuid>,
) -> Result<HashMap<Uuid, String>, ReadError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let tenant = transaction.tenant().clone();
    let mut sql = Sql::new("SELECT p.id, p.name FROM parties AS p WHERE p.tenant = ");
    sql.bind(&tenant).push(" AND p.id = ANY (").bind(ids.clone()).push(")");
    if !scope.sees_all() {
        // The caller, its superiors and subordinates; and every dealer, since the directory lists them.
        let above = [Some(scope.party), scope.agency, scope.dealer];
        let above: Vec<Uuid> = above.into_iter().flatten().map(Uuid::from).collect();
        sql.push(" AND (p.id = ANY (")
            .bind(above)
            .push(") OR p.role = 'dealer'");
        for column in ["agency", "dealer"] {
            sql.push(&format!(" OR p.{column} = ")).bind(scope.principal().0);
        }
        sql.push(")");
    }
    sql.push(" UNION ALL SELECT c.id, c.name FROM customers AS c WHERE c.tenant = ")
        .bind(&tenant);
    customer::and_visible(&mut sql, scope);
    sql.push(" AND c.id = ANY (").bind(ids.clone()).push(")");
    sql.push(" UNION ALL SELECT r.id, r.code FROM remittances AS r WHERE r.tenant = ")
        .bind(&tenant);
    and_visible(&mut sql, scope);
    sql.push(" AND r.id = ANY (").bind(ids.clone()).push(")");
    for table in ["provinces", "municipalities", "payment_groups"] {
        sql.push(&format!(
            " UNION ALL SELECT x.id, x.name FROM {table} AS x WHERE x.tenant = "
        ))
        .bind(&tenant);
        sql.push(" AND x.id = ANY (").bind(ids.clone()).push(")");
    }
    let mut names = HashMap::new();
    for row in transaction.fetch(&sql).await? {
        if let Some(name) = row.try_get::<Option<String>, _>("name")? {
            names.insert(row.try_get("id")?, name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_days_filter_reads_as_a_date() {
        assert_eq!(shown_day("20261121", Language::Spanish).as_deref(), Some("21/11/2026"));
        assert_eq!(shown_day("2026112", Language::Spanish), None);
    }
}
