//! Every operation of the OpenAPI document, by every role that may call it, reaches the role's own records and none
//! of another branch or tenant. Operations, fields and bodies come from the document, so a new operation is covered.

use crate::support::{Answer, Branch, Business, Call, Kind, MANAGER, PASSWORD, Server, pdf::pages, text, whole_feed};
use caudal_api::policy::{Access, Row, TABLE};
use caudal_domain::party::Role;
use serde_json::{Map, Value, json};
use uuid::Uuid;

/// Part of every name of the other branch.
const MARK: &str = "Zafiro";

/// Deposits of cash in a currency; the other deposits are to a group's balance.
const CASH: &[&str] = &["/api/sources/deposit/dealer/", "/api/sources/deposit/delivery/"];

/// Operations that name all dealers to a dealer: for handing over cash, and for other dealers' coverage of waiting
/// places.
const OPEN: &[&str] = &["/api/dealer/directory", "/api/reports/pending_distributor"];

/// Kind of the record that a path's `{id}` names for a role; `None` where the record is the whole tenant's, or the
/// path has no id.
fn kind(path: &str, role: Role) -> Option<Kind> {
    let sells = matches!(role, Role::Agency | Role::ExternalAgent | Role::InternalAgent);
    Some(match path {
        _ if !path.contains("{id}") => return None,
        // Tried by tests/api_keys.rs, which has keys.
        _ if path.starts_with("/api/keys/") => return None,
        // Tried by tests/webhooks.rs, which has endpoints.
        _ if path.starts_with("/api/webhooks/") => return None,
        // Tried by tests/open_sessions.rs, which has sessions.
        _ if path.starts_with("/api/sessions/") => return None,
        // Tried by tests/sign_on.rs, which has a provider.
        _ if path.ends_with("/sign_on") => return None,
        // Tried by tests/viewing.rs.
        _ if path.ends_with("/viewing") => return None,
        // Tried by tests/second_factor.rs, which has second factors.
        _ if path.contains("/second_factor") => return None,
        // Tried by tests/office.rs, which has sets.
        _ if path.starts_with("/api/permission_sets/") => return None,
        // Tried by tests/screening, which has candidates.
        _ if path.starts_with("/api/screening/") => return None,
        // Tried by tests/imports.rs, which has files.
        _ if path.starts_with("/api/imports/") => return None,
        // Tried by tests/approvals.rs, which has rules and proposals.
        _ if path.starts_with("/api/approval-rules/") || path.starts_with("/api/proposals/") => return None,
        // Tried by tests/limits.rs, which has rules.
        _ if path.starts_with("/api/limit-rules/") => return None,
        _ if path.starts_with("/api/nomenclators/") || path.starts_with("/api/rates/") => return None,
        "/api/customer/{id}/cards" => Kind::Recipient,
        "/api/sources/deposit/{id}" if sells => Kind::Agent,
        "/api/sources/deposit/{id}" => Kind::DeliveryMan,
        "/api/users/{id}" if role == Role::Dealer => Kind::DeliveryMan,
        "/api/users/{id}" if sells && role != Role::Agency => Kind::Sender,
        "/api/dealer/expenses/{id}" if role == Role::DeliveryMan => Kind::DeliveryMan,
        _ if path.starts_with("/api/sources/deposit/agency/") => Kind::Agency,
        _ if path.starts_with("/api/sources/deposit/agent/") => Kind::Agent,
        _ if path.starts_with("/api/sources/deposit/dealer/") => Kind::Dealer,
        _ if path.starts_with("/api/sources/deposit/delivery/") => Kind::DeliveryMan,
        _ if path.starts_with("/api/agency/") => Kind::Agency,
        _ if path.starts_with("/api/agent/") || path.starts_with("/api/users/") => Kind::Agent,
        _ if path.starts_with("/api/dealer/") => Kind::Dealer,
        _ if path.starts_with("/api/delivery_men/") => Kind::DeliveryMan,
        _ if path.starts_with("/api/customer/") => Kind::Sender,
        _ if path.starts_with("/api/remittances/") => Kind::Remittance,
        _ if path.starts_with("/api/sources/movements/") => Kind::Movement,
        _ if path.starts_with("/api/accounting/closures/") => Kind::Closure,
        _ if path.starts_with("/api/files/") => Kind::File,
        "/api/audit/timeline/{type}/{id}" => Kind::Remittance,
        _ => panic!("say here what the id in {path} names"),
    })
}

/// Kind of the record that a field of a body or query names.
fn named(field: &str) -> Option<Kind> {
    Some(match field.to_lowercase().as_str() {
        "agencyid" | "partyid" | "ownerid" | "sellerid" => Kind::Agency,
        "agentid" => Kind::Agent,
        "dealerid" | "receiverid" | "from" | "to" => Kind::Dealer,
        "deliverymanid" => Kind::DeliveryMan,
        "senderid" => Kind::Sender,
        "recipientid" | "customerid" => Kind::Recipient,
        "remittanceid" | "remittanceids" | "cause" => Kind::Remittance,
        _ => return None,
    })
}

/// The document, and the values that fill its bodies.
struct Contract<'b> {
    document: Value,
    business: &'b Business,
    /// The branch whose records bodies and queries name.
    branch: &'b Branch,
}

impl Contract<'_> {
    fn operation(&self, row: &Row) -> &Value {
        let operation = &self.document["paths"][row.path][row.method.to_lowercase()];
        assert!(
            operation.is_object(),
            "{} {} is not in the document",
            row.method,
            row.path
        );
        operation
    }

    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(target) => self.document.pointer(target.trim_start_matches('#')).unwrap(),
            None => schema,
        }
    }

    /// A call's body with the required fields, and every optional file and id.
    fn body(&self, row: &Row, path: &str) -> Call {
        let (operation, call) = (self.operation(row), Call::new(row.method, path));
        let content = &operation["requestBody"]["content"];
        if let Some(schema) = content["multipart/form-data"]["schema"].as_object() {
            let schema = Value::Object(schema.clone());
            let fields = self.resolve(&schema)["properties"].as_object().unwrap();
            let image = include_bytes!("worked_day/id.png").as_slice();
            let files = fields.iter().filter(|(_, field)| field["format"] == "binary");
            let parts: Vec<_> = files.map(|(name, _)| (name.as_str(), "a.png", image)).collect();
            return call.multipart(parts);
        }
        match &content["application/json"]["schema"] {
            Value::Null => call,
            schema => {
                let mut body = self.sample("", schema);
                if CASH.iter().any(|path| row.path.starts_with(path)) {
                    body["currency"] = "CUP".into();
                    body.as_object_mut().unwrap().remove("paymentGroupId");
                }
                call.json(&body)
            }
        }
    }

    /// Whether a call's body names a record of a branch.
    fn names_branch(&self, operation: &Value) -> bool {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        !schema.is_null() && has_name(&self.sample("", schema))
    }

    fn sample(&self, field: &str, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        if let Some(choice) = schema["oneOf"].as_array().and_then(|choices| choices.first()) {
            return self.sample(field, choice);
        }
        if let Some(value) = schema["enum"].as_array().and_then(|values| values.first()) {
            return value.clone();
        }
        let is = |kind: &str| match &schema["type"] {
            Value::Array(kinds) => kinds.iter().any(|known| known == kind),
            one => one == kind,
        };
        if is("object") {
            let required = schema["required"].as_array();
            let properties = schema["properties"].as_object().into_iter().flatten();
            let wanted = properties.filter(|(name, property)| {
                required.is_some_and(|required| required.iter().any(|known| known == *name))
                    || self.resolve(property)["format"] == "uuid"
            });
            let fields: Map<_, _> = wanted
                .map(|(name, property)| (name.clone(), self.sample(name, property)))
                .collect();
            return fields.into();
        }
        if is("array") {
            return json!([self.sample(field, &schema["items"])]);
        }
        if is("integer") {
            return schema["minimum"].as_i64().unwrap_or(1).into();
        }
        if is("boolean") {
            return true.into();
        }
        if is("number") {
            return json!("1");
        }
        match schema["format"].as_str() {
            Some("uuid") => self.id(field).into(),
            Some("email") => format!("{}@example.test", Uuid::now_v7().simple()).into(),
            Some("password") => PASSWORD.into(),
            _ if schema["pattern"] == "^[A-Z]{3}$" => "CUP".into(),
            _ => "text".into(),
        }
    }

    fn id(&self, field: &str) -> String {
        match named(field) {
            Some(kind) => self.branch.any(kind).to_owned(),
            None if field == "paymentGroupId" => self.business.cup.clone(),
            None if field == "provinceId" => self.business.province.clone(),
            None if field == "municipalityId" || field == "zones" => self.business.municipality.clone(),
            None => Uuid::now_v7().to_string(),
        }
    }
}

/// The calls of the policy table by role, except those that end a session or do not end.
fn calls() -> impl Iterator<Item = (&'static Row, &'static [Role])> {
    let rows = TABLE.iter().filter(|row| !row.path.ends_with("/stream"));
    rows.filter_map(|row| match row.access {
        Access::Roles(roles) => Some((row, roles)),
        Access::Public => None,
    })
}

/// The path of a call about a record; `dossier` is the position of the other branch's exported dossier.
fn path_at(row: &Row, id: &str, dossier: i64) -> String {
    let position = if row.path.contains("/dossiers/") { dossier } else { 1 };
    row.path
        .trim_start_matches("/api")
        .replace("{id}", id)
        .replace("{type}", "remittance")
        .replace("{position}", &position.to_string())
        .replace("{email}", "nobody@example.test")
        .replace("{code}", "CU")
}

/// Whether a call is a query: some queries, such as the dealer desk and previews, are POST requests.
fn is_query(row: &Row) -> bool {
    row.method == "GET" || row.path == "/api/remittances/dealer" || row.path.starts_with("/api/dashboard/")
}

#[test]
fn every_call_reaches_own_records_and_none_of_another_branch_or_tenant() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let own = Branch::found(&business, "Norte");
    let foreign = Branch::found(&business, MARK);
    let client = &business.client;
    let elsewhere = server.client("other");
    let stranger = elsewhere.login(MANAGER, PASSWORD);
    let document = client.send(Call::new("GET", "/openapi.json")).body;
    let contract = Contract {
        document,
        business: &business,
        branch: &foreign,
    };
    let mut wrong = Vec::new();
    let mut tried = 0;
    let dossier = format!("/customer/{}/dossiers", foreign.any(Kind::Sender));
    let dossier = client.expect(201, &business.manager, "POST", &dossier, None)["position"].as_i64();
    let path_of = |row: &Row, id: &str| path_at(row, id, dossier.unwrap());
    let head = (server.head("acme"), server.head("other"));
    for (row, roles) in calls() {
        let operation = contract.operation(row);
        let call = |path: &str| contract.body(row, path);
        let mut want = |who: &str, what: &str, answer: &Answer, good: bool| {
            tried += 1;
            if !good || answer.status >= 500 {
                let told = answer.body["code"].as_str().unwrap_or_default();
                wrong.push(format!(
                    "{} {} by {who}: {what}: {} {told}",
                    row.method, row.path, answer.status
                ));
            }
        };
        for role in roles.iter().filter(|role| **role != Role::Manager) {
            let token = &own.tokens[role];
            if let Some(kind) = kind(row.path, *role) {
                let path = path_of(row, foreign.any(kind));
                let answer = client.send(call(&path).token(token));
                let hidden = if is_query(row) {
                    answer.status == 404
                } else {
                    matches!(answer.status, 403 | 404)
                };
                want(role.as_str(), "another branch's", &answer, hidden);
                let Some(id) = own.own(*role, kind).filter(|_| row.method == "GET") else {
                    continue;
                };
                let answer = client.send(Call::new("GET", &path_of(row, id)).token(token));
                want(
                    role.as_str(),
                    "its own",
                    &answer,
                    answer.status == 200 && !tells(&answer, &foreign, None),
                );
            } else if is_query(row) {
                for query in queries(&contract, operation) {
                    let path = format!("{}?{query}", path_of(row, ""));
                    let answer = client.send(call(&path).token(token));
                    let known = OPEN.contains(&row.path).then_some(Kind::Dealer);
                    want(role.as_str(), &query, &answer, !tells(&answer, &foreign, known));
                }
            } else if !row.path.starts_with("/api/nomenclators/") && contract.names_branch(operation) {
                let answer = client.send(call(&path_of(row, "")).token(token));
                // A bulk action answers per row.
                let rows = answer.body["results"].as_array();
                let none_done = rows.is_some_and(|rows| rows.iter().all(|row| row["ok"] == false));
                want(
                    role.as_str(),
                    "with ids of another branch",
                    &answer,
                    (400..500).contains(&answer.status) || none_done,
                );
            }
        }
        if let Some(kind) = kind(row.path, Role::Manager).filter(|_| roles.contains(&Role::Manager)) {
            let path = path_of(row, foreign.any(kind));
            let answer = elsewhere.send(call(&path).token(&stranger));
            want(
                "another tenant's manager",
                "an id of here",
                &answer,
                answer.status == 404,
            );
            if row.method == "GET" {
                let answer = client.send(Call::new("GET", &path).token(&business.manager));
                want("manager", "anybody's", &answer, answer.status == 200);
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}: {wrong:#?}", wrong.len());
    assert_eq!((server.head("acme"), server.head("other")), head, "nothing was written");
    assert!(tried > 500, "only {tried} calls were tried");
}

/// Whether an answer, as JSON or as a file, has a record of the branch, except records of the known kind.
fn tells(answer: &Answer, branch: &Branch, known: Option<Kind>) -> bool {
    let mut text = String::from_utf8_lossy(&answer.bytes).into_owned();
    if let Some(kind) = known {
        text = text
            .replace(&format!("{MARK} dealer"), "")
            .replace(branch.any(kind), "");
    }
    answer.status < 300 && (text.contains(MARK) || branch.all().any(|id| text.contains(id)))
}

/// A list's queries: all rows, as a file, and filtered by each field for the other branch's records.
fn queries(contract: &Contract<'_>, operation: &Value) -> Vec<String> {
    let mut queries = vec!["RecordsPerPage=0".to_owned()];
    let parameters = operation["parameters"].as_array().unwrap();
    if !parameters.iter().any(|parameter| parameter["name"] == "RecordsPerPage") {
        queries = vec![String::new()];
    }
    for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
        let name = parameter["name"].as_str().unwrap();
        if name == "format" {
            queries.push("format=csv".to_owned());
        } else if contract.resolve(&parameter["schema"])["format"] == "uuid" && named(name).is_some() {
            queries.push(format!("{name}={}", contract.id(name)));
        } else if name == "query" || name == "name" {
            queries.push(format!("{name}={MARK}"));
        }
    }
    queries
}

/// Whether a field of the value names a record of a branch.
fn has_name(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| named(name).is_some() || has_name(value)),
        Value::Array(values) => values.iter().any(has_name),
        _ => false,
    }
}

#[test]
fn of_a_payment_on_debits_of_two_agencies_each_reads_its_own_part_everywhere() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let client = &business.client;
    let zafiro = json!({"name": MARK, "email": "zafiro@example.test", "password": PASSWORD,
                        "paymentGroups": [{"paymentGroupId": business.cup, "agencyCommission": {"rate": "1"}}]});
    let zafiro = text(&business.as_manager(201, "POST", "/agency", zafiro)["id"]);
    let zafiro_token = client.login("zafiro@example.test", PASSWORD);
    let debits = [(&business.agency, "320"), (&zafiro, "256000")].map(|(agency, amount)| {
        let funds = json!({"paymentGroupId": business.cup, "amount": amount, "onCredit": true});
        text(&business.as_manager(201, "POST", &format!("/sources/deposit/agency/{agency}"), funds)["debitId"])
    });
    let pay = json!({"debitIds": debits, "note": "Together"});
    let paid = business.as_manager(201, "POST", "/sources/pay_debits", pay);
    assert_eq!(paid["amounts"], json!([{"currency": "USD", "amount": "801.00"}]));
    assert_eq!((&paid["from"], &paid["note"]), (&Value::Null, &json!("Together")));
    let (id, position) = (text(&paid["id"]), server.head("acme"));
    let path = format!("/sources/movements/{id}");
    let reversed = business.as_manager(
        200,
        "POST",
        &format!("{path}/reverse"),
        json!({"reason": "Bounced of both"}),
    );
    assert_eq!(reversed["reverseReason"], "Bounced of both");

    for (own, name, token, amount, foreign, foreign_name) in [
        (
            &business.agency,
            "Agency",
            &business.agency_token,
            "1.00",
            &zafiro,
            MARK,
        ),
        (&zafiro, MARK, &zafiro_token, "800.00", &business.agency, "Agency"),
    ] {
        let get = |path: &str| {
            let answer = client.send(Call::new("GET", path).token(token));
            assert_eq!(answer.status, 200, "{path}: {}", answer.body);
            answer
        };
        let part = json!([{"currency": "USD", "amount": amount}]);
        let shown = get(&path).body;
        assert_eq!((&shown["amounts"], &shown["from"]["id"]), (&part, &json!(own)));
        assert_eq!((&shown["note"], &shown["reverseReason"]), (&Value::Null, &Value::Null));
        let news = get(&format!("/events/news?positions={position}")).body;
        assert_eq!(news["news"][0]["amounts"], part);
        let feed = whole_feed(client, token, 500);
        let of_payment = |name: &str| {
            let told = |event: &&Value| event["data"]["id"] == *id && event["type"] == name;
            feed.iter().find(told).map(|event| event["data"].clone()).unwrap()
        };
        let posted = of_payment("caudal.movement.posted.v1");
        assert_eq!((&posted["amount"], &posted["fromId"]), (&json!(amount), &json!(own)));
        assert_eq!(posted["note"], Value::Null);
        assert_eq!(of_payment("caudal.movement.reversed.v1")["reason"], Value::Null);

        let list = |query: &str| get(&format!("/sources/movements?RecordsPerPage=0&kind=debitPayment{query}")).body;
        let of = |party: &str, name: &str| [format!("&partyId={party}"), format!("&query={name}")];
        for query in of(own, name) {
            assert_eq!(list(&query)["data"][0]["amounts"], part, "{query}");
        }
        for query in of(foreign, foreign_name) {
            assert_eq!(list(&query)["totalRecords"], 0, "{query}");
        }
        let entries = |query: &str| get(&format!("/accounting/entries?cause={id}{query}")).body["totalRecords"].clone();
        assert_eq!((entries(""), entries(&format!("&ownerId={own}"))), (json!(2), json!(2)));
        assert_eq!(entries("&kind=treasury"), 2, "the other side of its own transfer");
        assert_eq!(
            entries(&format!("&ownerId={foreign}")),
            0,
            "others' transfers of the same entries"
        );

        let receipt = pages(&get(&format!("{path}/receipt")).bytes);
        let file = get("/sources/movements?format=csv&kind=debitPayment").bytes;
        for told in [receipt, String::from_utf8(file).unwrap(), json!(feed).to_string()] {
            assert!(
                told.contains(amount) || told.contains(&amount.replace('.', ",")),
                "{told}"
            );
            for others in ["801.00", "801,00", "Together", "Bounced"] {
                assert!(!told.contains(others), "{others} is in {told}");
            }
        }
    }
}
