//! Rows of senders, recipients and their cards.

use crate::table::{Json, PersonalJson, row};
use caudal_domain::customer::{CustomerDetails, card::Brand};
use chrono::{DateTime, Utc};
use uuid::Uuid;

row! {
    CustomerRow in "customers" key (id: Uuid) {
        id: Uuid,
        kind: i16,
        owner: Uuid,
        sender: Option<Uuid>,
        is_active: bool,
        deleted: bool,
        province: Option<Uuid>,
        municipality: Option<Uuid>,
        name: Option<String>,
        phone: Option<String>,
        identification: Option<String>,
        details: Option<PersonalJson<CustomerDetails>>,
        created_at: DateTime<Utc>,
        updated_at: DateTime<Utc>,
        search: Option<String>,
        /// Position of the registration.
        position: i64,
        /// Hashes of the pictures of the present document.
        document_pictures: Option<Json<Vec<String>>>,
        /// The present document, by which customers are one person, as limits compare it.
        document: Option<String>,
    }
}

row! {
    CardRow in "cards" key (id: Uuid) {
        id: Uuid,
        customer: Uuid,
        brand: Brand,
        number: Option<String>,
        added_at: DateTime<Utc>,
    }
}
