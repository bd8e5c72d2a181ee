//! What was asked for, in words: the lines under the title of an export.

use super::{
    printing::Printing,
    words::{self, Words},
};
use crate::{
    customer,
    debit::DebitStatus,
    error::ReadError,
    list::day,
    movement::MovementKind,
    page::ListQuery,
    remittance::and_visible,
    scalar::{AgentType, DealerType, RangeSelector, RemittanceStatus, UserType},
    scope::Scope,
    snapshot::Snapshot,
    sql::Sql,
};
use caudal_export::Language;
use sqlx::Row as _;
use std::collections::HashMap;
use uuid::Uuid;

/// Filters by their names without case.
const NAMES: &[(&str, Words)] = &[
    ("account", Words::new("Cuenta", "Account")),
    ("agencyid", Words::new("Agencia", "Agency")),
    ("agentid", Words::new("Agente", "Agent")),
    ("agenttype", Words::new("Tipo de agente", "Agent type")),
    ("at", Words::new("A fecha de", "As of")),
    ("cause", Words::new("Causa", "Cause")),
    ("change", Words::new("Cambio", "Change")),
    ("code", Words::new("Cuenta", "Account")),
    ("currency", Words::new("Moneda", "Currency")),
    ("customerid", Words::new("Destinatario", "Recipient")),
    ("datetime", Words::new("Día", "Day")),
    ("dealerid", Words::new("Distribuidor", "Dealer")),
    ("deliverymanid", Words::new("Repartidor", "Delivery man")),
    ("deliverymethod", Words::new("Entrega", "Delivery")),
    ("eventtype", Words::new("Evento", "Event")),
    ("finaldate", Words::new("Hasta", "To")),
    ("from", Words::new("Desde", "From")),
    ("fromstatus", Words::new("Estado anterior", "Status before")),
    ("initdate", Words::new("Desde", "From")),
    ("isactive", Words::new("Activo", "Active")),
    ("kind", Words::new("Tipo", "Kind")),
    ("municipalityid", Words::new("Municipio", "Municipality")),
    ("name", Words::new("Búsqueda", "Search")),
    ("ownerid", Words::new("Titular", "Owner")),
    ("partyid", Words::new("Usuario", "User")),
    ("paymentgroupid", Words::new("Grupo de pago", "Payment group")),
    ("provinceid", Words::new("Provincia", "Province")),
    ("query", Words::new("Búsqueda", "Search")),
    ("rangeselector", Words::new("Período", "Period")),
    ("receiverid", Words::new("Distribuidor", "Dealer")),
    ("recipientid", Words::new("Destinatario", "Recipient")),
    ("remittanceid", Words::new("Remesa", "Remittance")),
    ("senderid", Words::new("Emisor", "Issuer")),
    ("status", Words::new("Estado", "Status")),
    ("to", Words::new("Hasta", "To")),
    ("tostatus", Words::new("Estado", "Status")),
    ("type", Words::new("Tipo", "Type")),
    ("usertype", Words::new("Tipo", "Type")),
];

/// The most ids that are looked up: a list has not so many filters, so more are no filters.
const MAX_NAMED: usize = 32;

/// A filter's name in words; its own name where it has no words.
fn name_of(filter: &str, language: Language) -> &str {
    let folded = filter.to_ascii_lowercase();
    let found = NAMES.iter().find(|(name, _)| *name == folded);
    found.map_or(filter, |(_, words)| words.in_language(language))
}

/// A value that stands for something, by its filter without case.
fn value_of(filter: &str, value: &str) -> Option<Words> {
    let number = || value.parse::<u8>().ok();
    match filter {
        "status" | "fromstatus" | "tostatus" => {
            if let Some(status) = number().and_then(RemittanceStatus::numbered) {
                return Some(words::status(status, None));
            }
            let all = [
                ("open", DebitStatus::Open),
                ("settled", DebitStatus::Settled),
                ("void", DebitStatus::Void),
            ];
            all.iter()
                .find(|(name, _)| *name == value)
                .map(|(_, status)| words::debit(*status))
        }
        "deliverymethod" => words::method_named(value).map(words::method),
        "agenttype" => number().and_then(AgentType::numbered).map(words::agent),
        "type" => number().and_then(DealerType::numbered).map(words::dealer),
        "usertype" => number().and_then(UserType::numbered).map(words::user),
        "rangeselector" => number().and_then(RangeSelector::numbered).map(words::range),
        "isactive" => match value {
            "true" => Some(Words::new("sí", "yes")),
            "false" => Some(Words::new("no", "no")),
            _ => None,
        },
        "kind" => {
            let movement = MovementKind::named(value).map(words::movement);
            movement.or_else(|| value.parse().ok().map(words::account))
        }
        _ => None,
    }
}

/// The filters of a query, and what else the rows are restricted to, in words.
///
/// # Errors
/// Where the database fails.
pub(crate) async fn described(
    snapshot: &mut Snapshot,
    scope: &Scope,
    query: &ListQuery,
    printing: &Printing,
    own_values: &[(&str, &str, Words)],
) -> Result<Vec<String>, ReadError> {
    let named = names(snapshot, scope, query).await?;
    let language = printing.language;
    let mut said: Vec<String> = Vec::new();
    for (filter, value) in &query.filters {
        let folded = filter.to_ascii_lowercase();
        let own = own_values
            .iter()
            .find(|(name, known, _)| name.eq_ignore_ascii_case(filter) && known == value);
        let words = own.map(|(_, _, words)| *words).or_else(|| value_of(&folded, value));
        let id = Uuid::parse_str(value).ok();
        let text = match (words, id.and_then(|id| named.get(&id))) {
            (Some(words), _) => words.in_language(language).to_owned(),
            (None, Some(name)) => name.clone(),
            (None, None) => shown_day(value, language).unwrap_or_else(|| value.clone()),
        };
        said.push(format!("{}: {text}", name_of(filter, language)));
    }
    if let Some(text) = &query.query {
        said.push(format!("{}: «{text}»", name_of("query", language)));
    }
    Ok(if said.is_empty() {
        Vec::new()
    } else {
        vec![said.join(" · ")]
    })
}

fn shown_day(value: &str, language: Language) -> Option<String> {
    let day = day("", value).ok()?;
    Some(language.date(day))
}

/// What the ids in a query are called, as far as the caller may know.
async fn names(snapshot: &mut Snapshot, scope: &Scope, query: &ListQuery) -> Result<HashMap<Uuid, String>, ReadError> {
    let values = query.filters.values();
    let ids: Vec<Uuid> = values
        .filter_map(|value| Uuid::parse_str(value).ok())
        .take(MAX_NAMED)
        .collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let tenant = snapshot.tenant().clone();
    let mut sql = Sql::new("SELECT p.id, p.name FROM parties AS p WHERE p.tenant = ");
    sql.bind(&tenant).push(" AND p.id = ANY (").bind(ids.clone()).push(")");
    if !scope.sees_all() {
        // Themselves, who is above and who is under them; and every dealer, whom the directory names.
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
    for row in snapshot.fetch(&sql).await? {
        if let Some(name) = row.try_get::<Option<String>, _>("name")? {
            names.insert(row.try_get("id")?, name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::remittance::DeliveryMethod;

    #[test]
    fn names_are_folded_in_order_and_there_once() {
        assert!(NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(NAMES.iter().all(|(name, _)| name.to_ascii_lowercase() == *name));
    }

    #[test]
    fn a_days_filter_reads_as_a_date_and_a_status_as_its_label() {
        assert_eq!(shown_day("20261121", Language::Spanish).as_deref(), Some("21/11/2026"));
        assert_eq!(shown_day("2026112", Language::Spanish), None);
        assert_eq!(value_of("status", "4"), Some(Words::new("Error", "Error")));
        assert_eq!(value_of("status", "9"), None);
        assert_eq!(name_of("AgencyId", Language::English), "Agency");
    }

    #[test]
    fn delivery_methods_are_named_as_in_the_api() {
        for method in [DeliveryMethod::Home, DeliveryMethod::Card] {
            let name = crate::table::name_in_log(&method);
            assert_eq!(words::method_named(&name), Some(method));
        }
    }
}
