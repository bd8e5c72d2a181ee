//! OpenAPI schemas of a report, from its declaration.

use super::{Column, Kind, Report};
use crate::{
    print::Words,
    scalar::{CurrencyCode, Decimal, Money, RemittanceStatus},
};
use caudal_export::Language;
use utoipa::{
    PartialSchema,
    openapi::{
        KnownFormat, ObjectBuilder, RefOr, SchemaFormat,
        schema::{ArrayBuilder, OneOfBuilder, Schema, Type},
    },
};

fn english(words: Words) -> &'static str {
    words.in_language(Language::English)
}

fn integer() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
}

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

fn formatted(format: KnownFormat) -> ObjectBuilder {
    text().format(Some(SchemaFormat::KnownFormat(format)))
}

impl Kind {
    fn schema(self) -> RefOr<Schema> {
        match self {
            Self::Text | Self::CardNumber => text().into(),
            Self::Id => formatted(KnownFormat::Uuid).into(),
            Self::Count => integer().into(),
            Self::Money => Money::schema(),
            Self::Rate => Decimal::schema(),
            Self::Time => formatted(KnownFormat::DateTime).into(),
            Self::Currency => CurrencyCode::schema(),
            Self::Status => RemittanceStatus::schema(),
            Self::Named(_, schema) => schema(),
        }
    }
}

/// A nullable value: erased, or unknown for this row.
fn nullable(kind: Kind) -> RefOr<Schema> {
    let null = ObjectBuilder::new().schema_type(Type::Null);
    OneOfBuilder::new().item(kind.schema()).item(null).into()
}

fn object<'a>(columns: impl IntoIterator<Item = &'a Column>, of: fn(Kind) -> RefOr<Schema>) -> ObjectBuilder {
    columns.into_iter().fold(ObjectBuilder::new(), |object, column| {
        object.property(column.key, of(column.kind)).required(column.key)
    })
}

impl Report {
    #[must_use]
    pub fn row_schema(&self) -> RefOr<Schema> {
        object(self.columns, nullable)
            .description(Some(english(self.title)))
            .into()
    }

    /// A page with its totals.
    #[must_use]
    pub fn page_schema(&self) -> RefOr<Schema> {
        let added = self.columns.iter().filter(|column| column.is_total);
        let currency = self.columns.iter().filter(|column| column.kind.is_currency());
        let total = object(currency.chain(added), Kind::schema)
            .property("records", integer())
            .required("records");
        let numbers = ["itemsPerPage", "currentPage", "totalPages", "totalRecords"];
        let page = ObjectBuilder::new()
            .property("data", ArrayBuilder::new().items(self.row_schema()))
            .required("data")
            .property(
                "totals",
                ArrayBuilder::new()
                    .items(total)
                    .description(Some("One line a currency, over all rows.")),
            )
            .required("totals");
        numbers
            .into_iter()
            .fold(page, |page, name| page.property(name, integer()).required(name))
            .into()
    }
}
