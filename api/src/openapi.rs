//! The OpenAPI document, gathered from the handlers as they are registered.

use crate::{
    extract::DEFAULT_TENANT,
    listing::FORMAT,
    policy::{self, Access},
    problem::{FieldProblem, Problem},
    routes,
};
use actix_web::App;
use caudal_export::Format;
use caudal_projections::scalar::RangeSelector;
use serde_json::Value;
use utoipa::{
    OpenApi as Derive,
    openapi::{
        Content, HttpMethod, KnownFormat, OpenApi, Ref, RefOr, ResponseBuilder, SchemaFormat,
        path::{Operation, Parameter, ParameterBuilder, ParameterIn},
        schema::{ObjectBuilder, Type},
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};
use utoipa_actix_web::AppExt as _;

#[derive(Derive)]
#[openapi(
    info(
        title = "Caudal",
        description = "Every call takes X-Tenant (default: default) and Accept-Language (es, en). Any write takes \
                       Idempotency-Key; a replayed answer carries Idempotency-Replayed: true. Answers carry \
                       X-Ledger-Position; a query may ask X-Min-Ledger-Position. A trailing slash never matters."
    ),
    components(schemas(Problem, FieldProblem, RangeSelector))
)]
struct Base;

/// The name of the security scheme.
const BEARER: &str = "bearer";

/// The document of all registered calls.
///
/// # Errors
/// Where it can't be written as JSON.
pub fn document() -> serde_json::Result<Value> {
    let mut document = serde_json::to_value(gathered())?;
    if let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") {
        for (_, schema) in schemas.iter_mut().filter(|(name, _)| !is_input(name)) {
            require_nullable(schema);
        }
    }
    Ok(document)
}

/// The document as it is committed: frontend/openapi.json, from which the interface's client is made.
///
/// # Errors
/// Where it can't be written as JSON.
pub fn text() -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(&document()?)? + "\n")
}

/// Whether a schema is of what requests bring, by the name that all of these have.
fn is_input(name: &str) -> bool {
    name.ends_with("Input") || name.ends_with("Request")
}

/// What may be null in an answer is there all the same.
fn require_nullable(schema: &mut Value) {
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return;
    };
    let nullable: Vec<_> = properties
        .iter()
        .filter(|(_, property)| is_nullable(property))
        .map(|(name, _)| name.clone())
        .collect();
    let Some(fields) = schema.as_object_mut() else { return };
    let required = fields.entry("required").or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(required) = required {
        for name in nullable {
            if !required.iter().any(|known| known == &name) {
                required.push(name.into());
            }
        }
    }
}

fn is_nullable(property: &Value) -> bool {
    let is_null = |schema: &Value| schema.get("type").is_some_and(|kind| kind == "null");
    let kinds = property.get("type").and_then(Value::as_array);
    let choices = property.get("oneOf").and_then(Value::as_array);
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "null"))
        || choices.is_some_and(|choices| choices.iter().any(is_null))
}

fn gathered() -> OpenApi {
    let (_, mut document) = App::new()
        .into_utoipa_app()
        .openapi(Base::openapi())
        .configure(routes::configure)
        .split_for_parts();
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(
        BEARER,
        SecurityScheme::Http(
            HttpBuilder::new()
                .scheme(HttpAuthScheme::Bearer)
                .bearer_format("JWT")
                .build(),
        ),
    );
    components.responses.insert("Problem".to_owned(), problem_response());
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in [
            (HttpMethod::Get, item.get.as_mut()),
            (HttpMethod::Post, item.post.as_mut()),
            (HttpMethod::Put, item.put.as_mut()),
            (HttpMethod::Delete, item.delete.as_mut()),
        ] {
            if let Some(operation) = operation {
                complete(path, &method, operation);
            }
        }
    }
    document
}

/// What every operation has, said once: its security, its headers, its problems.
fn complete(path: &str, method: &HttpMethod, operation: &mut Operation) {
    let access = policy::TABLE
        .iter()
        .find(|row| row.path == path && row.method == method_name(method))
        .map(|row| row.access);
    operation.security = Some(match access {
        Some(Access::Public) => Vec::new(),
        _ => vec![SecurityRequirement::new::<_, [&str; 0], &str>(BEARER, [])],
    });
    if let Some(Access::Roles(roles)) = access {
        let roles: Vec<_> = roles.iter().map(|role| role.as_str()).collect();
        let said = operation
            .description
            .take()
            .map(|text| text + "\n\n")
            .unwrap_or_default();
        operation.description = Some(format!("{said}For: {}.", roles.join(", ")));
    }
    let parameters = operation.parameters.get_or_insert_default();
    parameters.push(header("X-Tenant", "The tenant.", DEFAULT_TENANT));
    if *method == HttpMethod::Get {
        parameters.push(header(
            "X-Min-Ledger-Position",
            "Answer no older figures than these.",
            "1",
        ));
    } else {
        let text = "The same key again has the same answer and no second effect.";
        parameters.push(header("Idempotency-Key", text, "0199c2f0-5d1c-7c3e-9a61-0b7f5f2b8d11"));
    }
    if parameters.iter().any(|parameter| named(parameter, FORMAT)) {
        add_files(operation);
    }
    operation
        .responses
        .responses
        .insert("default".to_owned(), RefOr::Ref(Ref::from_response_name("Problem")));
}

fn named(parameter: &RefOr<Parameter>, name: &str) -> bool {
    matches!(parameter, RefOr::T(parameter) if parameter.name == name)
}

/// A list's answer as a file.
fn add_files(operation: &mut Operation) {
    let Some(RefOr::T(response)) = operation.responses.responses.get_mut("200") else {
        return;
    };
    let file = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .build();
    for format in Format::ALL {
        let content = Content::new(Some(file.clone()));
        response
            .content
            .insert(format.content_type().to_owned(), content.into());
    }
}

const fn method_name(method: &HttpMethod) -> &'static str {
    match method {
        HttpMethod::Get => "GET",
        HttpMethod::Post => "POST",
        HttpMethod::Put => "PUT",
        HttpMethod::Delete => "DELETE",
        _ => "",
    }
}

fn header(name: &str, description: &str, example: &str) -> RefOr<Parameter> {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Header)
        .required(utoipa::openapi::Required::False)
        .description(Some(description))
        .example(Some(example.into()))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build()
        .into()
}

fn problem_response() -> RefOr<utoipa::openapi::Response> {
    ResponseBuilder::new()
        .description("Refused or failed.")
        .content(
            "application/problem+json",
            Content::new(Some(Ref::from_schema_name("Problem"))),
        )
        .build()
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, fs, path::Path};

    #[test]
    fn the_committed_document_is_the_code_s() {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frontend/openapi.json");
        assert!(
            fs::read_to_string(committed).unwrap() == text().unwrap(),
            "frontend/openapi.json is not what the code says: run `make contract` and commit what it changes"
        );
    }

    #[test]
    fn every_operation_has_a_policy_and_every_policy_an_operation() {
        let document = gathered();
        let mut operations = BTreeSet::new();
        for (path, item) in &document.paths.paths {
            for (method, operation) in [
                ("GET", &item.get),
                ("POST", &item.post),
                ("PUT", &item.put),
                ("DELETE", &item.delete),
            ] {
                if operation.is_some() {
                    operations.insert(format!("{method} {path}"));
                }
            }
        }
        let rows: BTreeSet<_> = policy::TABLE
            .iter()
            .map(|row| format!("{} {}", row.method, row.path))
            .collect();
        assert_eq!(rows.len(), policy::TABLE.len(), "a row is there twice");
        let without_policy: Vec<_> = operations.difference(&rows).collect();
        let without_operation: Vec<_> = rows.difference(&operations).collect();
        assert!(without_policy.is_empty(), "no policy for {without_policy:#?}");
        assert!(without_operation.is_empty(), "no operation for {without_operation:#?}");
    }
}
