//! Query parameters of lists in the OpenAPI document: paging, and the declared sorts and filters.

use crate::listing::FORMAT;
use caudal_export::Format;
use caudal_projections::{
    lists::{Declared, Takes},
    page::{DEFAULT_RECORDS_PER_PAGE, MAX_ALL_RECORDS, MAX_PAGE, MAX_QUERY_LENGTH, MAX_RECORDS_PER_PAGE},
};
use serde_json::Value;
use utoipa::PartialSchema as _;
use utoipa::openapi::{
    KnownFormat, ObjectBuilder, Ref, RefOr, Required, SchemaFormat,
    path::{Parameter, ParameterBuilder, ParameterIn},
    schema::{Schema, Type},
};

/// A day, `YYYYMMDD`, as far as a pattern can express it.
const DAY: &str = "^[0-9]{4}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])$";

/// A text without control characters.
const TEXT: &str = r"^[^\u0000-\u001F\u007F-\u009F]*$";

fn schema(takes: Takes) -> RefOr<Schema> {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let formatted = |format| text().format(Some(SchemaFormat::KnownFormat(format)));
    match takes {
        Takes::Id => formatted(KnownFormat::Uuid).into(),
        Takes::Day => text().pattern(Some(DAY)).into(),
        Takes::Time => formatted(KnownFormat::DateTime).into(),
        Takes::Currency => text().pattern(Some("^[A-Z]{3}$")).into(),
        Takes::Position => ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(0))
            .into(),
        Takes::Amount => caudal_projections::scalar::Money::schema(),
        Takes::Number => ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(0))
            .into(),
        Takes::Text => text().max_length(Some(MAX_QUERY_LENGTH)).pattern(Some(TEXT)).into(),
        Takes::Flag => ObjectBuilder::new().schema_type(Type::Boolean).into(),
        Takes::Known(known) => Ref::from_schema_name(known.schema).into(),
    }
}

/// An optional query parameter.
pub fn parameter(name: &str, description: &str, schema: impl Into<RefOr<Schema>>) -> Parameter {
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Query)
        .required(Required::False)
        .description(Some(description))
        .schema(Some(schema))
        .build()
}

/// Search and filters of a list.
pub fn filters(list: &Declared) -> Vec<Parameter> {
    let search = list
        .search
        .map(|search| parameter(search.parameter, search.about, schema(Takes::Text)));
    let filters = list
        .filters
        .iter()
        .map(|filter| parameter(filter.name, filter.about, schema(filter.takes)));
    search.into_iter().chain(filters).collect()
}

/// All parameters of a list.
pub fn parameters(list: &Declared) -> Vec<Parameter> {
    let number = |minimum: i64, maximum: i64, default: i64| {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(minimum))
            .maximum(Some(maximum))
            .default(Some(default.into()))
    };
    let size = format!("Rows of a page: 1 to {MAX_RECORDS_PER_PAGE}; 0 means all, up to {MAX_ALL_RECORDS} rows.");
    let sizes = number(0, MAX_RECORDS_PER_PAGE, DEFAULT_RECORDS_PER_PAGE);
    let ways = list
        .sorts
        .iter()
        .flat_map(|sort| [(*sort).to_owned(), format!("-{sort}")]);
    let order = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(ways.map(Value::from)));
    let formats = Format::ALL.map(|format| Value::from(format.extension()));
    let format = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(formats));
    let mut parameters = vec![
        parameter("CurrentPage", "The page, from 1.", number(1, MAX_PAGE, 1)),
        parameter("RecordsPerPage", &size, sizes),
        parameter("sort", "A column; - in front: descending.", order),
        parameter(FORMAT, "All rows as a file, in place of a page.", format),
    ];
    parameters.extend(filters(list));
    parameters
}

/// The parameters of a list that is answered as a document: all but the format.
pub fn parameters_of_document(list: &Declared) -> Vec<Parameter> {
    let mut parameters = parameters(list);
    parameters.retain(|parameter| parameter.name != FORMAT);
    parameters
}

/// Declares types for lists' parameters in `utoipa::path`.
macro_rules! asked {
    ($($name:ident = $list:expr;)*) => {$(
        struct $name;

        impl utoipa::IntoParams for $name {
            fn into_params(
                _: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>,
            ) -> Vec<utoipa::openapi::path::Parameter> {
                $crate::parameters::parameters(&$list.declared())
            }
        }
    )*};
}
pub(crate) use asked;
