//! Page schemas of the lists in the OpenAPI document, each with its own name.

use super::imports::ImportRow;
use caudal_projections::{
    accounting::{
        ClosurePreview, DealerClosing, DealerSales, PartyBalance, RealBalance, SalesFigures, SellerRemittances,
        SellerSales,
    },
    api_key::ApiKey,
    audit::AuditEvent,
    closure::Closure,
    customer::{Card, Customer},
    debit::Debit,
    late::LateChange,
    ledger::{AccountBalance, AccountTotals, LedgerEntry},
    movement::Movement,
    party::{
        agency::Agency,
        agent::Agent,
        dealer::{Dealer, DirectoryDealer},
        user::User,
    },
    proposal::Proposal,
    rates::RateChange,
    reading::PersonalRead,
    reference_data::{currency::Currency, payment_group::PaymentGroup},
    remittance::{DeliveryDispute, Remittance, RemittanceHistoryItem},
    scalar::Money,
    screening::ScreeningCase,
    webhook::Webhook,
};
use std::borrow::Cow;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, Ref, RefOr, SchemaFormat,
        schema::{AllOfBuilder, ArrayBuilder, Schema, Type},
    },
};

/// Schema of a page of rows (`caudal_projections::page::Page`).
fn page<T: ToSchema>() -> ObjectBuilder {
    let number = || {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
    };
    let rows = ArrayBuilder::new().items(Ref::from_schema_name(T::name()));
    let mut object = ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(format!("One page of {} rows.", T::name())))
        .property("data", rows)
        .required("data");
    for field in ["itemsPerPage", "currentPage", "totalPages", "totalRecords"] {
        object = object.property(field, number()).required(field);
    }
    object.property(
        "isPartial",
        ObjectBuilder::new().schema_type(Type::Boolean).description(Some(
            "Set where a search was for what very many rows have: only the newest were looked through and counted.",
        )),
    )
}

/// Declares pages by their rows.
macro_rules! pages {
    ($($name:ident of $row:ty;)*) => {$(
        #[doc = concat!("A page of `", stringify!($row), "`.")]
        pub(super) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                page::<$row>().into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                schemas.push((<$row>::name().into_owned(), <$row>::schema()));
                <$row>::schemas(schemas);
            }
        }
    )*};
}

pages! {
    AgencyPage of Agency;
    AgentPage of Agent;
    ApiKeyPage of ApiKey;
    AuditEventPage of AuditEvent;
    PersonalReadPage of PersonalRead;
    CardPage of Card;
    ClosurePage of Closure;
    ClosurePreviewPage of ClosurePreview;
    CurrencyPage of Currency;
    CustomerPage of Customer;
    DealerClosingPage of DealerClosing;
    DealerPage of Dealer;
    DealerSalesPage of DealerSales;
    DebitPage of Debit;
    DeliveryDisputePage of DeliveryDispute;
    DirectoryDealerPage of DirectoryDealer;
    LateChangePage of LateChange;
    LedgerEntryPage of LedgerEntry;
    MovementPage of Movement;
    PartyBalancePage of PartyBalance;
    PaymentGroupPage of PaymentGroup;
    ProposalPage of Proposal;
    RateChangePage of RateChange;
    RemittanceHistoryPage of RemittanceHistoryItem;
    RemittancePage of Remittance;
    ScreeningCasePage of ScreeningCase;
    ImportRowPage of ImportRow;
    SellerRemittancesPage of SellerRemittances;
    UserPage of User;
    WebhookPage of Webhook;
}

/// Declares pages with additional fields.
macro_rules! pages_with {
    ($($name:ident of $row:ty, $field:literal $text:literal: $more:ty as $schema:expr;)*) => {$(
        #[doc = concat!("A page of `", stringify!($row), "`, with `", $field, "`.")]
        pub(super) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let more = ($schema)(Ref::from_schema_name(<$more>::name()), $text);
                page::<$row>().property($field, more).required($field).into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
                schemas.push((<$row>::name().into_owned(), <$row>::schema()));
                <$row>::schemas(schemas);
                schemas.push((<$more>::name().into_owned(), <$more>::schema()));
                <$more>::schemas(schemas);
            }
        }
    )*};
}

fn one(schema: Ref, text: &str) -> RefOr<Schema> {
    AllOfBuilder::new().item(schema).description(Some(text)).into()
}

fn several(schema: Ref, text: &str) -> RefOr<Schema> {
    ArrayBuilder::new().items(schema).description(Some(text)).into()
}

pages_with! {
    AccountBalancePage of AccountBalance, "totals" "All rows of all pages, by currency.": AccountTotals as several;
    RealBalancePage of RealBalance, "totalUsd" "The sum of all accounted currencies, in USD.": Money as one;
    SalesPage of SellerSales, "totals" "All rows of all pages, by currency.": SalesFigures as several;
}
