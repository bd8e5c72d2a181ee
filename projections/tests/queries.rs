//! The queries: scope and shape of rows, sorts, filters, search and pages.

mod lists;
mod live;
mod movements;
mod people;
mod remittances;
mod search;
mod tenant_state;

use crate::common::Office;
use caudal_projections::{Page, ReadError, Scope};
use serde::Serialize;
use serde_json::Value;

/// A value as the API serialises it.
fn shown<T: Serialize>(value: T) -> Value {
    serde_json::to_value(value).unwrap()
}

/// The values of one field, in order.
fn column<T: Serialize>(page: &Page<T>, field: &str) -> Vec<Value> {
    page.data
        .iter()
        .map(|row| shown(row).pointer(field).cloned().unwrap_or(Value::Null))
        .collect()
}

fn refused<T: std::fmt::Debug>(result: Result<T, ReadError>) -> (String, &'static str) {
    match result.unwrap_err() {
        ReadError::Refused(refusal) => match refusal.errors.first() {
            Some(error) => (error.field.to_string(), error.code),
            None => (String::new(), refusal.code),
        },
        other => panic!("{other:?}"),
    }
}

struct Scopes {
    manager: Scope,
    agency: Scope,
    clerk: Scope,
    agent: Scope,
    dealer: Scope,
    delivery_man: Scope,
}

impl Scopes {
    async fn of(office: &Office) -> Self {
        Self {
            manager: office.scope(office.manager).await,
            agency: office.scope(office.agency).await,
            clerk: office.scope(office.clerk).await,
            agent: office.scope(office.agent).await,
            dealer: office.scope(office.dealer).await,
            delivery_man: office.scope(office.delivery_man).await,
        }
    }

    fn all(&self) -> [(&'static str, &Scope); 6] {
        [
            ("manager", &self.manager),
            ("agency", &self.agency),
            ("clerk", &self.clerk),
            ("agent", &self.agent),
            ("dealer", &self.dealer),
            ("delivery man", &self.delivery_man),
        ]
    }
}
