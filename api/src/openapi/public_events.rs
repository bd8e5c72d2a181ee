//! JSON Schemas of the public events: derived from the OpenAPI document, published in docs/feed, and never changed in a
//! way that a consumer could notice.

use caudal_projections::public_events::{PublicData, PublicType, schema_id};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Dialect of the schemas.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Where the OpenAPI document has its schemas, and where a JSON Schema has those that it uses.
const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// The schema of each type's `data`, by type.
///
/// # Errors
/// When the OpenAPI document can't be made.
pub fn schemas() -> serde_json::Result<BTreeMap<&'static str, Value>> {
    let document = super::document()?;
    let components = &document["components"]["schemas"];
    let types = PublicData::TYPES.iter();
    Ok(types.map(|of| (of.name, schema(*of, components))).collect())
}

/// A schema as the text of its published file.
///
/// # Errors
/// When serialisation fails.
pub fn text(schema: &Value) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(schema)? + "\n")
}

/// The schemas of a release, as they are frozen in docs/feed/released: without descriptions, one type a line.
///
/// # Errors
/// When the OpenAPI document can't be made.
pub fn frozen() -> serde_json::Result<String> {
    let mut lines = Vec::new();
    for (name, mut schema) in schemas()? {
        remove_descriptions(&mut schema);
        lines.push(format!(
            "{}: {}",
            serde_json::to_string(name)?,
            serde_json::to_string(&schema)?
        ));
    }
    Ok(format!("{{\n{}\n}}\n", lines.join(",\n")))
}

/// Descriptions are texts: a field of this name is an object.
fn remove_descriptions(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, value| name != "description" || !value.is_string());
            fields.values_mut().for_each(remove_descriptions);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_descriptions),
        _ => {}
    }
}

fn schema(of: PublicType, components: &Value) -> Value {
    let mut definitions = Map::new();
    let mut root = components[of.schema].clone();
    adopt(&mut root, components, &mut definitions);
    root["$schema"] = DIALECT.into();
    root["$id"] = schema_id(of.name).into();
    root["title"] = of.name.into();
    if !definitions.is_empty() {
        root["$defs"] = definitions.into();
    }
    root
}

/// Turns references to components into references to definitions, and adds those.
fn adopt(value: &mut Value, components: &Value, definitions: &mut Map<String, Value>) {
    match value {
        Value::Object(fields) => {
            let target = fields.get("$ref").and_then(Value::as_str);
            if let Some(name) = target
                .and_then(|target| target.strip_prefix(COMPONENTS))
                .map(str::to_owned)
            {
                fields.insert("$ref".to_owned(), format!("{DEFINITIONS}{name}").into());
                if !definitions.contains_key(&name) {
                    definitions.insert(name.clone(), Value::Null);
                    let mut definition = components[&name].clone();
                    adopt(&mut definition, components, definitions);
                    definitions.insert(name, definition);
                }
            }
            fields
                .values_mut()
                .for_each(|value| adopt(value, components, definitions));
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| adopt(value, components, definitions)),
        _ => {}
    }
}

/// Changes of a type's schema that a consumer of the earlier one could not read. A compatible change adds a field, or
/// promises more of one that is there.
#[must_use]
pub fn incompatibilities(before: &Value, after: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let (before, after) = (Part::of(before, before), Part::of(after, after));
    compare("data", &before, &after, &mut faults);
    faults
}

/// A part of a schema, with references and nullable choices resolved.
struct Part<'s> {
    root: &'s Value,
    schema: &'s Value,
    is_nullable: bool,
}

impl<'s> Part<'s> {
    fn of(root: &'s Value, schema: &'s Value) -> Self {
        let mut part = Self {
            root,
            schema,
            is_nullable: false,
        };
        loop {
            if let Some(target) = part.schema["$ref"].as_str() {
                let target = root.pointer(target.trim_start_matches('#'));
                part.schema = target.unwrap_or(&Value::Null);
                continue;
            }
            let choices = part.schema["oneOf"].as_array().into_iter().flatten();
            let (nulls, others): (Vec<_>, Vec<_>) = choices.partition(|choice| choice["type"] == "null");
            let [other] = others.as_slice() else { break };
            part.is_nullable |= !nulls.is_empty();
            part.schema = other;
        }
        part.is_nullable |= part.types().contains("null");
        part
    }

    fn types(&self) -> BTreeSet<&'s str> {
        texts(&self.schema["type"])
    }

    fn property(&self, name: &str) -> Option<Part<'s>> {
        let property = self.schema["properties"].get(name)?;
        Some(Part::of(self.root, property))
    }

    /// The values of an enumeration, whether listed or described one by one; `None` for what is none.
    fn values(&self) -> Option<Vec<&'s Value>> {
        if let Some(values) = self.schema["enum"].as_array() {
            return Some(values.iter().collect());
        }
        let choices = self.schema["oneOf"].as_array()?;
        let listed = choices.iter().map(|choice| choice["enum"].as_array());
        Some(listed.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    fn requires(&self, name: &str) -> bool {
        texts(&self.schema["required"]).contains(name)
    }
}

/// A text, or those of an array.
fn texts(value: &Value) -> BTreeSet<&str> {
    match value {
        Value::Array(values) => values.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

fn compare(path: &str, before: &Part<'_>, after: &Part<'_>, faults: &mut Vec<String>) {
    if after.is_nullable && !before.is_nullable {
        faults.push(format!("{path} may be null"));
    }
    let mut kinds = (before.types(), after.types());
    kinds.0.remove("null");
    kinds.1.remove("null");
    if !kinds.1.is_subset(&kinds.0) || kinds.1.is_empty() != kinds.0.is_empty() {
        faults.push(format!("{path} has another type"));
    }
    for word in ["format", "pattern"] {
        if before.schema[word] != after.schema[word] && !before.schema[word].is_null() {
            faults.push(format!("{path} has another {word}"));
        }
    }
    if let Some(known) = before.values() {
        let values = after.values();
        if values.is_none_or(|values| values.iter().any(|value| !known.contains(value))) {
            faults.push(format!("{path} has values that were not there"));
        }
    }
    let items = (&before.schema["items"], &after.schema["items"]);
    if !items.0.is_null() {
        let (before, after) = (Part::of(before.root, items.0), Part::of(after.root, items.1));
        compare(&format!("{path}[]"), &before, &after, faults);
    }
    for name in before.schema["properties"].as_object().into_iter().flat_map(Map::keys) {
        let path = format!("{path}.{name}");
        let Some((earlier, later)) = before.property(name).zip(after.property(name)) else {
            faults.push(format!("{path} is gone"));
            continue;
        };
        if before.requires(name) && !after.requires(name) {
            faults.push(format!("{path} may be absent"));
        }
        compare(&path, &earlier, &later, faults);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops where it must")]
mod tests {
    use super::*;
    use serde_json::json;

    fn base() -> Value {
        json!({
            "type": "object",
            "required": ["id", "status", "note", "inner"],
            "properties": {
                "id": {"type": "string", "format": "uuid"},
                "status": {"$ref": "#/$defs/Status"},
                "note": {"type": ["string", "null"]},
                "inner": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/Inner"}]},
            },
            "$defs": {
                "Status": {"type": "string", "enum": ["a", "b"]},
                "Inner": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}},
            },
        })
    }

    fn changed(pointer: &str, value: Value) -> Vec<String> {
        let mut after = base();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        after.pointer_mut(parent).unwrap()[name] = value;
        incompatibilities(&base(), &after)
    }

    #[test]
    fn a_new_field_and_a_stricter_promise_are_compatible() {
        let same: [String; 0] = [];
        assert_eq!(incompatibilities(&base(), &base()), same);
        assert_eq!(changed("/properties/more", json!({"type": "string"})), same);
        assert_eq!(changed("/properties/note", json!({"type": "string"})), same);
        assert_eq!(changed("/properties/inner", json!({"$ref": "#/$defs/Inner"})), same);
        assert_eq!(changed("/$defs/Status/enum", json!(["a"])), same);
    }

    #[test]
    fn what_a_consumer_could_not_read_is_incompatible() {
        for (pointer, value, fault) in [
            ("/properties/id", json!({"type": "integer"}), "data.id has another type"),
            (
                "/properties/id",
                json!({"type": "string"}),
                "data.id has another format",
            ),
            (
                "/properties/id",
                json!({"type": ["string", "null"], "format": "uuid"}),
                "data.id may be null",
            ),
            (
                "/$defs/Status/enum",
                json!(["a", "b", "c"]),
                "data.status has values that were not there",
            ),
            (
                "/$defs/Status",
                json!({"oneOf": [{"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["c"]}]}),
                "data.status has values that were not there",
            ),
            ("/required", json!(["id", "status", "inner"]), "data.note may be absent"),
            ("/$defs/Inner/properties", json!({}), "data.inner.n is gone"),
            (
                "/$defs/Inner/properties/n",
                json!({"type": "string"}),
                "data.inner.n has another type",
            ),
        ] {
            assert!(changed(pointer, value).contains(&fault.to_owned()), "{fault}");
        }
    }
}
