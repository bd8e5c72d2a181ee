//! The lists of senders and recipients, and who sees whom.

use super::{
    counted_as,
    view::{Customer, views},
};
use crate::{
    error::ReadError,
    list::{self, Common, Filter, ListSpec, Sample, SearchSpec},
    page::{ListQuery, Page},
    scalar::CustomerType,
    scope::Scope,
    snapshot::{Snapshot, only},
    sql::Sql,
    tally::{Narrows, TallySpec},
};
use caudal_domain::{ids::CustomerId, party::Role};
use uuid::Uuid;

const SORTS: &[(&str, &str)] = &[("name", "c.search"), ("created", "c.position")];
/// The newest customers of a kind, as searches look at them.
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
pub(crate) const SENDERS_SAMPLE: Sample = sample("c.kind = 0 AND NOT c.deleted");
/// The newest recipients.
pub(crate) const RECIPIENTS_SAMPLE: Sample = sample("c.kind = 1 AND NOT c.deleted");

const SEARCH: SearchSpec = SearchSpec {
    parameter: "name",
    function: Some(("search_customers", "c.id")),
    texts: &["c.search"],
    common: Some(Common {
        samples: &[SENDERS_SAMPLE, RECIPIENTS_SAMPLE],
        position: "c.position",
    }),
};
const IS_ACTIVE: (&str, Filter) = (
    "isActive",
    Filter::OneOf(&[("true", "c.is_active"), ("false", "NOT c.is_active")]),
);

/// How the lists are counted.
fn counted(kind: CustomerType) -> TallySpec {
    TallySpec {
        list: counted_as(kind.number().into()),
        position: "c.position",
        time: "c.created_at",
        has_index_of_time: false,
        filters: &[
            ("agencyId", Narrows::Id("owner")),
            (
                "isActive",
                Narrows::Part(|value| match value {
                    "true" => Some(1),
                    "false" => Some(0),
                    _ => None,
                }),
            ),
        ],
    }
}

const SENDERS: ListSpec = ListSpec {
    sorts: SORTS,
    default_sort: "-created",
    tie: "c.position",
    indexed: &["c.search"],
    filters: &[
        IS_ACTIVE,
        ("senderId", Filter::Id("c.id")),
        ("agencyId", Filter::Id("c.owner")),
    ],
    search: Some(SEARCH),
};

const RECIPIENTS: ListSpec = ListSpec {
    filters: &[
        IS_ACTIVE,
        ("senderId", Filter::Id("c.sender")),
        ("agencyId", Filter::Id("c.owner")),
    ],
    ..SENDERS
};

/// The senders, or the recipients, of the caller's agency; all for a manager.
///
/// # Errors
/// Sorts, filters and pages that the list does not have.
pub async fn list(
    snapshot: &mut Snapshot,
    scope: &Scope,
    kind: CustomerType,
    query: &ListQuery,
) -> Result<Page<Customer>, ReadError> {
    let mut from = visible(snapshot, scope);
    from.push(&format!(" AND c.kind = {}", kind.number()));
    let spec = if kind == CustomerType::Sender {
        &SENDERS
    } else {
        &RECIPIENTS
    };
    let owned = match scope.role {
        Role::Manager => None,
        _ => Some(("owner", scope.customer_owner().to_string())),
    };
    let counted = counted(kind);
    let keys = list::counted_keys::<Uuid>(snapshot, spec, &counted, owned, query, from, "c.id").await?;
    let rows = views(snapshot, &keys.keys).await?;
    Ok(keys.page(rows))
}

fn visible(snapshot: &Snapshot, scope: &Scope) -> Sql {
    let mut from = snapshot.rows("customers", "c");
    from.push(" AND NOT c.deleted");
    and_visible(&mut from, scope);
    from
}

/// Adds that the customer `c` is in the caller's scope.
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

/// Refuses a customer out of the caller's sight.
pub(super) async fn require_visible(snapshot: &mut Snapshot, scope: &Scope, id: CustomerId) -> Result<(), ReadError> {
    let mut from = visible(snapshot, scope).after("SELECT c.id");
    from.push(" AND c.id = ").bind(id.0);
    only(snapshot.fetch(&from).await?, "customer_not_found").map(|_| ())
}
