//! The pages of the lists in the OpenAPI document: each by a name of its own, its rows by their schema.

use caudal_projections::{
    closure::Closure,
    customer::{Card, Customer},
    debit::Debit,
    ledger::{AccountBalance, LedgerEntry},
    movement::Movement,
    nomenclator::{currency::Currency, payment_group::PaymentGroup},
    party::{
        agency::Agency,
        agent::Agent,
        dealer::{Dealer, DirectoryDealer},
    },
    remittance::{Remittance, RemittanceHistoryItem},
};
use std::borrow::Cow;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, Ref, RefOr, SchemaFormat,
        schema::{ArrayBuilder, Schema, Type},
    },
};

/// The schema of a page of rows (`caudal_projections::page::Page`).
fn page<T: ToSchema>() -> RefOr<Schema> {
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
    object.into()
}

/// Declares pages by their rows.
macro_rules! pages {
    ($($name:ident of $row:ty;)*) => {$(
        #[doc = concat!("A page of `", stringify!($row), "`.")]
        pub(super) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                page::<$row>()
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
    AccountBalancePage of AccountBalance;
    AgencyPage of Agency;
    AgentPage of Agent;
    CardPage of Card;
    ClosurePage of Closure;
    CurrencyPage of Currency;
    CustomerPage of Customer;
    DealerPage of Dealer;
    DebitPage of Debit;
    DirectoryDealerPage of DirectoryDealer;
    LedgerEntryPage of LedgerEntry;
    MovementPage of Movement;
    PaymentGroupPage of PaymentGroup;
    RemittanceHistoryPage of RemittanceHistoryItem;
    RemittancePage of Remittance;
}
