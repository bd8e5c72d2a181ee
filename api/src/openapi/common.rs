//! Parts common to all operations: security, headers, problems.

use crate::{
    catalogue::CATALOGUE,
    extract::DEFAULT_TENANT,
    listing::FORMAT,
    notes::{POSITION, REPLAYED},
    policy::{self, Access},
};
use caudal_domain::ids::TenantId;
use caudal_export::Format;
use caudal_journal::MAX_KEY_BYTES;
use serde_json::{Map, Value, json};

/// Names of the security schemes: a session's access token, and an API key.
const BEARER: &str = "bearer";
const API_KEY: &str = "apiKey";

/// Problems by status: name and description.
const PROBLEMS: &[(u16, &str, &str)] = &[
    (400, "Unreadable", "The request can't be parsed."),
    (
        401,
        "Unauthorized",
        "The access token or API key is missing, invalid, or of another tenant.",
    ),
    (403, "Forbidden", "The caller lacks the role or permission."),
    (404, "NotFound", "No such record is in the caller's scope."),
    (408, "TimedOut", "The body did not arrive in time."),
    (409, "Conflict", "The present state does not allow the call."),
    (413, "TooLarge", "The body is beyond its limit."),
    (415, "MediaType", "The body is of another type."),
    (422, "Invalid", "Fields break rules; `errors` names all of them."),
    (
        429,
        "TooManyAttempts",
        "Too many attempts, writes, uploads, or requests with an API key; Retry-After tells when to try again.",
    ),
    (431, "HeadTooLarge", "The head of the request is beyond its limit."),
    (
        503,
        "Unavailable",
        "Temporarily unavailable; Retry-After tells when to try again.",
    ),
];

pub(super) fn complete(document: &mut Value) {
    if let Some(components) = object(document, "components") {
        add_components(components);
    }
    close_forms(document);
    let Some(paths) = object(document, "paths") else { return };
    for (path, item) in paths.iter_mut() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            if let Some(operation) = operation.as_object_mut() {
                complete_operation(path, &method.to_uppercase(), operation);
            }
        }
    }
}

fn object<'v>(parent: &'v mut Value, name: &str) -> Option<&'v mut Map<String, Value>> {
    parent
        .as_object_mut()?
        .entry(name)
        .or_insert_with(|| json!({}))
        .as_object_mut()
}

/// Forbids additional form parts.
fn close_forms(document: &mut Value) {
    let forms: Vec<_> = document["paths"]
        .as_object()
        .into_iter()
        .flat_map(|paths| paths.values())
        .filter_map(Value::as_object)
        .flat_map(|item| item.values())
        .filter_map(|operation| operation["requestBody"]["content"]["multipart/form-data"]["schema"]["$ref"].as_str())
        .filter_map(|schema| schema.strip_prefix('#').map(str::to_owned))
        .collect();
    for form in forms {
        if let Some(schema) = document.pointer_mut(&form) {
            schema["additionalProperties"] = false.into();
        }
    }
}

fn add_components(components: &mut Map<String, Value>) {
    let security = json!({
        BEARER: {
            "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
            "description": "The access token of a login, from /api/auth0/login.",
        },
        API_KEY: {
            "type": "http", "scheme": "bearer", "bearerFormat": "caudal_live_",
            "description": "An API key, in the same header: Authorization: Bearer caudal_live_… It acts as its party, \
                            within its scopes. Each operation names the scope that it requires; operations without \
                            this scheme require a login.",
        },
    });
    components.insert("securitySchemes".to_owned(), security);
    components.insert("parameters".to_owned(), parameters());
    components.insert("headers".to_owned(), headers());
    components.insert("responses".to_owned(), responses());
    let Some(schemas) = components.get_mut("schemas").and_then(Value::as_object_mut) else {
        return;
    };
    schemas.insert("ProblemCode".to_owned(), problem_code());
    for problem in ["Problem", "FieldProblem"] {
        if let Some(code) = schemas
            .get_mut(problem)
            .and_then(|schema| schema.pointer_mut("/properties/code"))
        {
            *code = json!({"$ref": "#/components/schemas/ProblemCode"});
        }
    }
}

/// All codes with their texts; `{name}` is a placeholder.
fn problem_code() -> Value {
    let codes: Vec<_> = CATALOGUE.iter().map(|entry| entry.code).collect();
    let texts: Map<_, _> = CATALOGUE
        .iter()
        .map(|entry| (entry.code.to_owned(), json!({"es": entry.es, "en": entry.en})))
        .collect();
    json!({
        "type": "string",
        "description": "What is wrong. Codes are stable; their texts are in x-texts.",
        "enum": codes,
        "x-texts": texts,
    })
}

fn parameters() -> Value {
    json!({
        "Tenant": {
            "name": "X-Tenant", "in": "header", "required": false, "description": "The tenant.",
            "schema": {
                "type": "string", "maxLength": TenantId::MAX_LENGTH, "default": DEFAULT_TENANT,
                "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$",
            },
        },
        "Language": {
            "name": "Accept-Language", "in": "header", "required": false,
            "description": "The language of texts: es or en.", "schema": {"type": "string", "default": "es"},
        },
        "MinLedgerPosition": {
            "name": "X-Min-Ledger-Position", "in": "header", "required": false,
            "description": "Answer no older figures than these.",
            "schema": {"type": "integer", "format": "int64", "minimum": 0},
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "The same key again has the same answer and no second effect.",
            "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY_BYTES, "pattern": "^[!-~]+$"},
        },
    })
}

fn headers() -> Value {
    json!({
        "LedgerPosition": {
            "description": "The position of the log that the answer reflects.",
            "schema": {"type": "integer", "format": "int64", "minimum": 0},
        },
        "IdempotencyReplayed": {
            "description": "There where the same key had been answered before.",
            "schema": {"type": "string", "enum": ["true"]},
        },
        "RetryAfter": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}},
        "Challenge": {"description": "What to show.", "schema": {"type": "string", "enum": ["Bearer"]}},
    })
}

fn responses() -> Value {
    let responses: Map<_, _> = PROBLEMS
        .iter()
        .map(|(status, name, description)| {
            let mut response = json!({
                "description": description,
                "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
            });
            let header = match status {
                401 => Some(("WWW-Authenticate", "Challenge")),
                429 | 503 => Some(("Retry-After", "RetryAfter")),
                _ => None,
            };
            if let Some((name, header)) = header {
                response["headers"] = json!({name: header_ref(header)});
            }
            ((*name).to_owned(), response)
        })
        .collect();
    responses.into()
}

fn header_ref(name: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{name}")})
}

/// Properties of an operation that determine its problems.
struct Shape {
    is_query: bool,
    is_public: bool,
    has_body: bool,
    names_something: bool,
}

impl Shape {
    /// Whether it may answer with this status.
    fn may_answer(&self, status: u16) -> bool {
        match status {
            403 => !self.is_public,
            404 => self.names_something || !(self.is_query || self.is_public),
            408 | 413 | 415 => self.has_body,
            409 => !(self.is_query || self.is_public),
            _ => true,
        }
    }
}

fn complete_operation(path: &str, method: &str, operation: &mut Map<String, Value>) {
    let row = policy::TABLE
        .iter()
        .find(|row| row.path == path && row.method == method);
    let access = row.map(|row| row.access);
    let is_public = access == Some(Access::Public);
    let shape = Shape {
        is_query: method == "GET",
        is_public,
        has_body: operation.contains_key("requestBody"),
        names_something: path.contains('{'),
    };
    let security = match row.and_then(policy::scope) {
        _ if is_public => json!([]),
        Some(scope) => json!([{BEARER: []}, {API_KEY: [scope]}]),
        None => json!([{BEARER: []}]),
    };
    operation.insert("security".to_owned(), security);
    if let Some(Access::Roles(roles)) = access {
        say_roles(operation, &roles.iter().map(|role| role.as_str()).collect::<Vec<_>>());
        if let Some(row) = row.filter(|row| !row.areas.is_empty()) {
            let areas: Vec<_> = row.areas.iter().map(|area| area.as_str()).collect();
            operation.insert(
                "x-office".to_owned(),
                json!({"areas": areas, "right": row.right.as_str()}),
            );
        }
    }
    if let Some(Value::Array(parameters)) = Some(operation.entry("parameters").or_insert_with(|| json!([]))) {
        for parameter in parameters.iter_mut().filter(|parameter| parameter["in"] == "query") {
            // Forms send an empty value for an unset choice.
            parameter["allowEmptyValue"] = true.into();
        }
        let header = if shape.is_query {
            "MinLedgerPosition"
        } else {
            "IdempotencyKey"
        };
        for name in ["Tenant", "Language", header] {
            parameters.push(json!({"$ref": format!("#/components/parameters/{name}")}));
        }
    }
    let gives_files = operation["parameters"]
        .as_array()
        .is_some_and(|parameters| parameters.iter().any(|parameter| parameter["name"] == FORMAT));
    if let Some(Value::Object(responses)) = operation.get_mut("responses") {
        complete_responses(responses, &shape, gives_files);
    }
}

fn say_roles(operation: &mut Map<String, Value>, roles: &[&str]) {
    let said = operation
        .get("description")
        .and_then(Value::as_str)
        .map(|text| format!("{text}\n\n"));
    let description = format!("{}For: {}.", said.unwrap_or_default(), roles.join(", "));
    operation.insert("description".to_owned(), description.into());
    operation.insert("x-roles".to_owned(), json!(roles));
}

fn complete_responses(responses: &mut Map<String, Value>, shape: &Shape, gives_files: bool) {
    for response in responses.values_mut() {
        response["headers"][POSITION.as_str()] = header_ref("LedgerPosition");
        if !shape.is_query {
            response["headers"][REPLAYED.as_str()] = header_ref("IdempotencyReplayed");
        }
    }
    // Operations that return files only describe them themselves.
    let listed = |response: &&mut Value| gives_files && response["content"]["application/json"].is_object();
    if let Some(content) = responses.get_mut("200").filter(listed) {
        for format in Format::ALL {
            content["content"][format.content_type()] = json!({"schema": {"type": "string", "format": "binary"}});
        }
    }
    for (status, name, _) in PROBLEMS {
        let status_text = status.to_string();
        // Handlers add specific ones.
        if shape.may_answer(*status) || responses.contains_key(&status_text) {
            let response = json!({"$ref": format!("#/components/responses/{name}")});
            responses.insert(status_text, response);
        }
    }
}
