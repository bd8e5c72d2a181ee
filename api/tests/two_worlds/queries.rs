//! All queries of a role: the read-only rows of the policy table, with the filters of the OpenAPI document.

use super::{
    masked::masked,
    world::{Whose, World},
};
use crate::support::{Answer, Call, Kind};
use caudal_api::policy::{Access, TABLE};
use caudal_domain::party::Role;
use chrono::{Duration, Utc};
use serde_json::{Value, json};

/// A value, resolved per world.
#[derive(Clone, Debug)]
enum Given {
    Text(String),
    Id(Kind, Whose),
    /// A dealer's proposal.
    Proposal(Whose),
    /// An agency's import.
    Import(Whose),
    Group,
    Municipality,
    Province,
    /// The day of the test.
    Today,
    /// A time after all business.
    Now,
    /// The head position.
    Head,
}

#[derive(Clone, Debug)]
pub struct Query {
    method: &'static str,
    path: &'static str,
    /// The path's `{id}`.
    about: Option<Given>,
    filters: Vec<(String, Given)>,
}

/// The OpenAPI document.
pub struct Contract(pub Value);

impl Contract {
    pub fn queries(&self, role: Role) -> Vec<Query> {
        let mut queries = Vec::new();
        for row in TABLE.iter() {
            let Access::Roles(roles) = row.access else { continue };
            let asks = row.method == "GET" || is_query(row.path);
            // These tell positions, which differ between worlds, or schemas; their scopes have tests of their own.
            let streams = row.path.ends_with("/stream")
                || row.path == "/api/events/news"
                || row.path.starts_with("/api/feed")
                || row.path == "/api/metrics"
                || row.path.starts_with("/api/webhooks/");
            if !asks || !roles.contains(&role) || streams {
                continue;
            }
            for about in about(row.path, role) {
                let plain = Query {
                    method: row.method,
                    path: row.path,
                    about,
                    filters: Vec::new(),
                };
                self.with_filters(&plain, &mut queries);
            }
        }
        queries
    }

    fn with_filters(&self, plain: &Query, queries: &mut Vec<Query>) {
        let operation = &self.0["paths"][plain.path][plain.method.to_lowercase()];
        assert!(operation.is_object(), "{} is not in the document", plain.path);
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let all = parameters.iter().any(|parameter| parameter["name"] == "RecordsPerPage");
        let required = required(plain.path);
        let with = |more: Option<(String, Given)>| {
            let all = all.then(|| ("RecordsPerPage".to_owned(), Given::Text("0".into())));
            let filters = all.into_iter().chain(required.clone()).chain(more).collect();
            Query {
                filters,
                ..plain.clone()
            }
        };
        queries.push(with(None));
        for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
            let name = parameter["name"].as_str().unwrap();
            // Pages and orders show the same rows as the whole list; a payout replaces an amount.
            let shown = matches!(name, "CurrentPage" | "RecordsPerPage" | "sort" | "Payout");
            if shown || required.iter().any(|(of, _)| of == name) {
                continue;
            }
            for value in self.values(name, &parameter["schema"]) {
                if !is_refused(plain.path, name, &value) {
                    queries.push(with(Some((name.to_owned(), value))));
                }
            }
        }
    }

    /// Values of a filter: all values of an enumeration, own and foreign ids, the day of the test.
    fn values(&self, name: &str, schema: &Value) -> Vec<Given> {
        // The other formats have the same cells.
        if name == "format" {
            return vec![Given::Text("csv".into())];
        }
        let target = schema["$ref"].as_str();
        let schema = target.map_or(schema, |target| self.0.pointer(target.trim_start_matches('#')).unwrap());
        let choices = schema["enum"].as_array().or_else(|| schema["oneOf"].as_array());
        if let Some(choices) = choices {
            let choice = |choice: &Value| match choice {
                Value::String(text) => text.clone(),
                Value::Object(_) => choice["const"].as_str().unwrap_or_default().to_owned(),
                other => other.to_string(),
            };
            return choices.iter().map(|value| Given::Text(choice(value))).collect();
        }
        if schema["type"] == "boolean" {
            return vec![Given::Text("true".into()), Given::Text("false".into())];
        }
        match (name, schema["format"].as_str()) {
            ("paymentGroupId", _) => vec![Given::Group],
            ("provinceId", _) => vec![Given::Province],
            ("municipalityId", _) => vec![Given::Municipality],
            (_, Some("uuid")) => {
                let kind = named(name);
                vec![Given::Id(kind, Whose::Own), Given::Id(kind, Whose::Others)]
            }
            ("at", _) => vec![Given::Now],
            ("position", _) => vec![Given::Head],
            ("currency", _) => vec![Given::Text("CUP".into()), Given::Text("USD".into())],
            ("query" | "name", _) => vec![Given::Text("Norte".into()), Given::Text("Zafiro".into())],
            _ if schema["pattern"]
                .as_str()
                .is_some_and(|pattern| pattern.contains("[0-9]{4}") || pattern.contains("{8}")) =>
            {
                vec![Given::Today]
            }
            ("account", _) => vec![Given::Text("treasury/USD".into())],
            ("eventType", _) => vec![Given::Text("RemittanceCreated".into())],
            ("code", _) => vec![Given::Text("1000".into()), Given::Text("2000".into())],
            // Rows per hour need a period of one day.
            ("per", _) => vec![Given::Text("day".into()), Given::Text("month".into())],
            ("hash" | "requestId", _) => Vec::new(),
            _ => vec![Given::Text("1".into())],
        }
    }
}

/// Whether a call is a query: some queries, such as the dealer desk and previews, are POST requests.
fn is_query(path: &str) -> bool {
    path == "/api/remittances/dealer" || path.starts_with("/api/dashboard/")
}

/// Whether a query is refused before any read: only the manager quotes for others, and managers have no holdings.
fn is_refused(path: &str, name: &str, value: &Given) -> bool {
    match (path, name) {
        ("/api/remittances/fees", "sellerId") => true,
        ("/api/accounting/party_balances", "userType") => matches!(value, Given::Text(kind) if kind == "5"),
        _ => false,
    }
}

/// Required filters of a path.
fn required(path: &str) -> Vec<(String, Given)> {
    match path {
        "/api/remittances/fees" => vec![
            ("Amount".into(), Given::Text("10".into())),
            ("PaymentGroupId".into(), Given::Group),
        ],
        "/api/imports/{id}/file" => vec![("format".into(), Given::Text("csv".into()))],
        "/api/nomenclators/cities" => vec![("country".into(), Given::Text("CU".into()))],
        _ => Vec::new(),
    }
}

/// Values of a path's `{…}`: an own and a foreign id.
fn about(path: &str, role: Role) -> Vec<Option<Given>> {
    let kind = match path {
        _ if !path.contains('{') => return vec![None],
        _ if path.starts_with("/api/nomenclators/") => return vec![Some(Given::Text("CU".into()))],
        "/api/customer/{id}/cards" => Kind::Recipient,
        _ if path.starts_with("/api/customer/") => Kind::Sender,
        _ if path.starts_with("/api/agency/") => Kind::Agency,
        _ if path.starts_with("/api/agent/") => Kind::Agent,
        _ if path.starts_with("/api/remittances/") => Kind::Remittance,
        _ if path.starts_with("/api/sources/movements/") => Kind::Movement,
        _ if path.starts_with("/api/accounting/closures/") => Kind::Closure,
        _ if path.starts_with("/api/files/") => Kind::File,
        "/api/proposals/{id}" => {
            return [Whose::Own, Whose::Others]
                .map(|whose| Some(Given::Proposal(whose)))
                .to_vec();
        }
        _ if path.starts_with("/api/imports/") => {
            return [Whose::Own, Whose::Others]
                .map(|whose| Some(Given::Import(whose)))
                .to_vec();
        }
        _ => panic!("say here what {path} names for {role:?}"),
    };
    [Whose::Own, Whose::Others]
        .map(|whose| Some(Given::Id(kind, whose)))
        .to_vec()
}

/// Kind of the record that a filter names.
fn named(name: &str) -> Kind {
    match name.to_lowercase().as_str() {
        "agencyid" | "partyid" | "ownerid" | "sellerid" => Kind::Agency,
        "agentid" => Kind::Agent,
        "dealerid" | "receiverid" | "makerid" => Kind::Dealer,
        "deliverymanid" => Kind::DeliveryMan,
        "senderid" => Kind::Sender,
        "recipientid" | "customerid" => Kind::Recipient,
        "cause" | "remittanceid" => Kind::Remittance,
        _ => panic!("say here what {name} names"),
    }
}

impl Query {
    /// Name of the query, equal in every world.
    pub fn name(&self) -> String {
        format!(
            "{} {} about {:?} with {:?}",
            self.method, self.path, self.about, self.filters
        )
    }

    pub fn send(&self, world: &World, role: Role, head: i64) -> Answer {
        let say = |given: &Given| match given {
            Given::Text(text) => text.clone(),
            Given::Id(kind, whose) => world.id(role, *kind, *whose),
            Given::Proposal(whose) => world.proposal(*whose).to_owned(),
            Given::Import(whose) => world.import(*whose).to_owned(),
            Given::Group => world.business.cup.clone(),
            Given::Municipality => world.business.municipality.clone(),
            Given::Province => world.business.province.clone(),
            Given::Today => world.today.clone(),
            Given::Now => (Utc::now() + Duration::days(3))
                .format("%Y-%m-%dT%H:%M:%SZ")
                .to_string(),
            Given::Head => head.to_string(),
        };
        let mut path = self.path.trim_start_matches("/api").to_owned();
        if let Some(about) = &self.about {
            path = path.replace("{id}", &say(about)).replace("{code}", &say(about));
        }
        let filters = self
            .filters
            .iter()
            .map(|(name, value)| format!("{name}={}", say(value)));
        let filters: Vec<String> = filters.collect();
        if !filters.is_empty() {
            path = format!("{path}?{}", filters.join("&"));
        }
        let mut call = Call::new(self.method, &path).token(world.token(role));
        if self.method == "POST" {
            call = call.json(&json!({}));
        }
        world.client.send(call)
    }

    /// The masked answer.
    ///
    /// # Errors
    /// A query that is malformed compares nothing; the error has the reason.
    pub fn ask(&self, world: &World, role: Role, head: i64) -> Result<String, String> {
        let answer = self.send(world, role, head);
        if answer.status == 422 || answer.status >= 500 {
            return Err(format!(
                "{} is no query that can be compared: {}",
                self.name(),
                answer.body
            ));
        }
        Ok(masked(&answer))
    }
}
