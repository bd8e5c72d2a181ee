//! Lists of senders and recipients, and their visibility.

use super::{
    counted_as,
    view::{Customer, views},
};
use crate::{
    codes::customer_kind,
    error::ReadError,
    list::{Common, Filter, List, MatchedBy, Sample, SearchSpec, Takes, count, filter, flag, text, time},
    page::{ListQuery, Page},
    print::{Printing, Words, joined, word},
    read_transaction::{ReadTransaction, only},
    scalar::{self, CustomerType},
    scope::Scope,
    sql::Sql,
    tally::{Narrows, TallySpec},
};
use caudal_domain::{Refusal, ids::CustomerId, party::Role};
use chrono::{DateTime, Days, Utc};
use uuid::Uuid;

/// The newest customers of a kind, sampled by searches.
const fn sample(only: &'static str) -> Sample {
    Sample {
        table: "customers",
        alias: "c",
        only,
        position: "c.position",
        text: "c.search",
    }
}

/// The newest senders.
pub(crate) const SENDERS_SAMPLE: Sample = sample(concat!(customer_kind!("c.kind" is sender), " AND NOT c.deleted"));
/// The newest recipients.
pub(crate) const RECIPIENTS_SAMPLE: Sample =
    sample(concat!(customer_kind!("c.kind" is recipient), " AND NOT c.deleted"));

/// Folded text of a customer's detail.
macro_rules! detail {
    ($name:literal) => {
        concat!("lower(c.details ->> '", $name, "')")
    };
}

fn full_name(customer: &Customer, printing: &Printing) -> Option<String> {
    Some(printing.name_or_erased(customer.full_name.as_deref()))
}

const SEARCH: SearchSpec = SearchSpec {
    parameter: "name",
    function: Some(("search_customers", MatchedBy::Ids("c.id"))),
    common: Some(Common {
        samples: &[SENDERS_SAMPLE, RECIPIENTS_SAMPLE],
        alias: "c",
        position: "c.position",
    }),
    ..SearchSpec::of(&["c.search"])
};
const IS_ACTIVE: Filter = filter::flagged(
    "isActive",
    word::ACTIVE,
    "Whether they may be used.",
    &[("true", "c.is_active"), ("false", "NOT c.is_active")],
)
.counted(Narrows::Part(|value| match value {
    "true" => Some(1),
    "false" => Some(0),
    _ => None,
}));
const AGENCY: Filter = filter::id(
    "agencyId",
    word::AGENCY,
    "Of this agency, or agent with none.",
    "c.owner",
)
.counted(Narrows::Id("owner"));

/// Tallies of the lists.
const fn counted(kind: CustomerType) -> TallySpec {
    TallySpec {
        list: counted_as(kind.number() as i16),
        alias: "c",
        position: "c.position",
        time: "c.created_at",
        has_index_of_time: false,
    }
}

/// List of issuers.
pub const SENDERS: List<Customer> = List {
    title: word::SENDERS,
    columns: &[
        text("name", word::NAME, full_name).in_order("c.search"),
        text("phoneNumber", word::PHONE, |c: &Customer, _| c.phone_number.clone()).bounded("c.phone"),
        text(
            "personalIdentificationNumber",
            Words::new("Identificación", "Identification"),
            |c: &Customer, _| c.personal_identification_number.clone(),
        )
        .bounded("c.identification"),
        text(
            "personalIdentificationCountry",
            word::DOCUMENT_COUNTRY,
            |c: &Customer, _| c.personal_identification_country.clone(),
        )
        .bounded(detail!("personalIdentificationCountry")),
        text("email", word::EMAIL, |c: &Customer, _| c.email.clone()).bounded(detail!("email")),
        text("addressLine", word::ADDRESS, |c: &Customer, _| c.address_line.clone()).bounded(detail!("addressLine")),
        text("municipality", word::CITY, |c: &Customer, _| c.municipality.clone()).bounded(detail!("municipality")),
        text("province", word::PROVINCE, |c: &Customer, _| c.province.clone()).bounded(detail!("province")),
        text("country", word::COUNTRY, |c: &Customer, _| c.country.clone()).bounded(detail!("country")),
        text("zipCode", word::ZIP_CODE, |c: &Customer, _| c.zip_code.clone()).bounded(detail!("zipCode")),
        flag("isActive", word::ACTIVE, |c: &Customer| c.is_active).bounded("c.is_active"),
        count("totalReceivers", word::RECIPIENTS, |c: &Customer| c.total_receivers).bounded(
            "(SELECT count(*) FROM customers AS r WHERE r.tenant = c.tenant AND r.sender = c.id AND NOT r.deleted)",
        ),
        time("created", word::CREATED, |c: &Customer| Some(c.created)).in_order("c.position"),
    ],
    filters: &[
        filter::id("senderId", word::SENDER, "Of this sender.", "c.id"),
        AGENCY,
        IS_ACTIVE,
    ],
    search: Some(&SEARCH),
    default_sort: "-created",
    tie: "c.position",
    counted: Some(&counted(CustomerType::Sender)),
    hides_prices: false,
};

pub const RECIPIENTS: List<Customer> = List {
    title: word::RECIPIENTS,
    columns: &[
        text("name", word::NAME, full_name).in_order("c.search"),
        text("personalIdentificationNumber", word::ID, |c: &Customer, _| {
            c.personal_identification_number.clone()
        })
        .bounded("c.identification"),
        text(
            "personalIdentificationCountry",
            word::DOCUMENT_COUNTRY,
            |c: &Customer, _| c.personal_identification_country.clone(),
        )
        .bounded(detail!("personalIdentificationCountry")),
        text("phoneNumber", word::PHONE, |c: &Customer, _| c.phone_number.clone()).bounded("c.phone"),
        text("addressLine", word::ADDRESS, |c: &Customer, _| c.address_line.clone()).bounded(detail!("addressLine")),
        text("repart", word::NEIGHBOURHOOD, |c: &Customer, _| c.repart.clone()).bounded(detail!("repart")),
        text("municipality", word::MUNICIPALITY, |c: &Customer, _| {
            c.municipality.clone()
        })
        .bounded("(SELECT m.name FROM municipalities AS m WHERE m.tenant = c.tenant AND m.id = c.municipality)"),
        text("province", word::PROVINCE, |c: &Customer, _| c.province.clone())
            .bounded("(SELECT p.name FROM provinces AS p WHERE p.tenant = c.tenant AND p.id = c.province)"),
        text("alternativeName", word::REPRESENTATIVE, |c: &Customer, _| {
            joined([c.alternative_name.as_deref(), c.alternative_last_name.as_deref()], " ")
        })
        .bounded(detail!("alternativeName")),
        text(
            "alternativePersonalIdentificationNumber",
            word::REPRESENTATIVE_ID,
            |c: &Customer, _| c.alternative_personal_identification_number.clone(),
        )
        .bounded(detail!("alternativePersonalIdentificationNumber")),
        text(
            "alternativePhoneNumber",
            word::REPRESENTATIVE_PHONE,
            |c: &Customer, _| c.alternative_phone_number.clone(),
        )
        .bounded(detail!("alternativePhoneNumber")),
        flag("isActive", word::ACTIVE, |c: &Customer| c.is_active).bounded("c.is_active"),
        time("created", word::CREATED, |c: &Customer| Some(c.created)).in_order("c.position"),
    ],
    filters: &[
        filter::id("senderId", word::SENDER, "Of this sender.", "c.sender"),
        AGENCY,
        IS_ACTIVE,
    ],
    counted: Some(&counted(CustomerType::Recipient)),
    ..SENDERS
};

/// When a customer's document expires, `YYYY-MM-DD`, which sorts as a text.
macro_rules! expires {
    () => {
        "(c.details ->> 'personalIdentificationExpirationDate')"
    };
}

/// Days ahead of its expiry for which a document is listed where no day is asked for.
const AHEAD_DAYS: u64 = 30;

/// List of customers whose document is expired, or will be soon.
pub const EXPIRING_DOCUMENTS: List<Customer> = List {
    title: word::DOCUMENTS_THAT_EXPIRE,
    columns: &[
        text("name", word::NAME, full_name).bounded("c.search"),
        text("personalIdentificationNumber", word::ID, |c: &Customer, _| {
            c.personal_identification_number.clone()
        })
        .bounded("c.identification"),
        text(
            "personalIdentificationCountry",
            word::DOCUMENT_COUNTRY,
            |c: &Customer, _| c.personal_identification_country.clone(),
        )
        .bounded(detail!("personalIdentificationCountry")),
        text("expires", word::EXPIRES, |c: &Customer, _| {
            c.personal_identification_expiration_date.clone()
        })
        .bounded(expires!()),
        text("phoneNumber", word::PHONE, |c: &Customer, _| c.phone_number.clone()).bounded("c.phone"),
    ],
    filters: &[
        filter::own(
            "expiresTo",
            word::TO,
            "Expiring on this day or before; the next 30 days where absent.",
            Takes::Day,
        ),
        AGENCY,
    ],
    search: None,
    default_sort: "expires",
    tie: "c.position",
    counted: None,
    hides_prices: false,
};

/// Active customers of the caller's agency whose document expires by a day; all for a manager.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn expiring(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<Customer>, ReadError> {
    let today = now.with_timezone(&transaction.zone()).date_naive();
    let until = match query.get("expiresTo") {
        Some(day) => scalar::day(day).ok_or_else(|| Refusal::invalid("expiresTo", "date_invalid"))?,
        None => today.checked_add_days(Days::new(AHEAD_DAYS)).unwrap_or(today),
    };
    let mut from = visible(transaction, scope);
    from.push(concat!(" AND c.is_active AND ", expires!(), " <= "))
        .bind(until.to_string());
    let keys = EXPIRING_DOCUMENTS
        .keys::<Uuid>(transaction, query, from, "c.id")
        .await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// Senders or recipients of the caller's agency; all for a manager.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    kind: CustomerType,
    query: &ListQuery,
) -> Result<Page<Customer>, ReadError> {
    let mut from = visible(transaction, scope);
    from.push(&format!(" AND c.kind = {}", kind.number()));
    let list = if kind == CustomerType::Sender {
        &SENDERS
    } else {
        &RECIPIENTS
    };
    let owned = match scope.role {
        Role::Manager => None,
        _ => Some(("owner", scope.customer_owner().to_string())),
    };
    let keys = list
        .counted_keys::<Uuid>(transaction, owned, query, from, "c.id")
        .await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

fn visible(transaction: &ReadTransaction, scope: &Scope) -> Sql {
    let mut from = transaction.rows("customers", "c");
    from.push(" AND NOT c.deleted");
    and_visible(&mut from, scope);
    from
}

/// Those of the customers that are in the caller's scope, deleted ones included.
pub(crate) async fn in_scope(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    ids: &[Uuid],
) -> Result<Vec<Uuid>, ReadError> {
    let mut from = transaction.rows("customers", "c").after("SELECT c.id");
    and_visible(&mut from, scope);
    from.push(" AND c.id = ANY (").bind(ids.to_vec()).push(")");
    transaction.fetch_ids(&from).await
}

/// Restricts the customer `c` to the caller's scope.
pub(crate) fn and_visible(from: &mut Sql, scope: &Scope) {
    match scope.role {
        Role::Manager => {}
        Role::Agency | Role::ExternalAgent | Role::InternalAgent => {
            from.push(" AND c.owner = ").bind(scope.customer_owner().0);
        }
        Role::Dealer | Role::DeliveryMan => {
            from.push(" AND FALSE");
        }
    }
}

/// Refuses a customer outside the caller's scope.
pub(super) async fn require_visible(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: CustomerId,
) -> Result<(), ReadError> {
    let mut from = visible(transaction, scope).after("SELECT c.id");
    from.push(" AND c.id = ").bind(id.0);
    only(transaction.fetch(&from).await?, "customer_not_found").map(|_| ())
}
