//! OpenAPI document, generated from the registered handlers.

mod common;
mod examples;
mod limits;
pub mod public_events;

use crate::{
    figures::PreviewView,
    problem::{FieldProblem, Problem},
    registry::Registry,
    routes,
};
use actix_web::{App, web::Bytes};
use caudal_projections::scalar::{CustomerSide, RangeSelector, RollingDays};
use serde_json::Value;
use std::sync::OnceLock;
use utoipa::{OpenApi as Derive, openapi::OpenApi};
use utoipa_actix_web::AppExt as _;

#[derive(Derive)]
#[openapi(
    info(
        title = "Caudal",
        description = "Every call takes X-Tenant (default: default) and Accept-Language (es, en). Any write takes \
                       Idempotency-Key; a replayed answer carries Idempotency-Replayed: true. Answers carry \
                       X-Ledger-Position; a query may ask X-Min-Ledger-Position. A trailing slash never matters. An \
                       empty query field counts as absent. A write with ?preview=true or Prefer: preview is decided \
                       against the present state and thrown away: it answers 200 with a Preview and \
                       Preference-Applied: preview, or with the problem that the write would meet; calls that are no \
                       commands refuse it (preview_not_available)."
    ),
    components(schemas(Problem, FieldProblem, PreviewView, RangeSelector, CustomerSide, RollingDays))
)]
struct Base;

/// The document of all registered calls.
pub fn document() -> serde_json::Result<Value> {
    let mut document = serde_json::to_value(gathered())?;
    if let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") {
        for (_, schema) in schemas.iter_mut().filter(|(name, _)| !is_input(name)) {
            require_nullable(schema);
        }
    }
    limits::tell(&mut document);
    examples::tell(&mut document);
    common::complete(&mut document);
    Ok(document)
}

/// The document as servers answer it, made at its first request.
///
/// # Errors
/// When serialisation fails.
pub fn served() -> serde_json::Result<Bytes> {
    static SERVED: OnceLock<Bytes> = OnceLock::new();
    if let Some(made) = SERVED.get() {
        return Ok(made.clone());
    }
    let made = Bytes::from(serde_json::to_vec(&document()?)?);
    Ok(SERVED.get_or_init(|| made).clone())
}

/// The committed document: frontend/openapi.json, from which the client is generated.
pub fn text() -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(&document()?)? + "\n")
}

/// Whether a schema belongs to requests, by its name.
fn is_input(name: &str) -> bool {
    name.ends_with("Input") || name.ends_with("Request")
}

/// Marks nullable fields of answers as required.
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
        .configure(|document| routes::configure(&mut Registry::Described(document)))
        .split_for_parts();
    routes::reports::describe(&mut document);
    document
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy;
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
