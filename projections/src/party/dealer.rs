//! Dealers and their delivery men.

use super::agency::{DELETED, IS_ACTIVE, detail, rows, without_deleted};
use crate::{
    error::ReadError,
    list::{BY_NAME, List, filter, flag, text, time, unprinted, values},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Words, address, joined, word, words},
    read_transaction::{ReadTransaction, only},
    refs::Ref,
    rows::PartyRow,
    scalar::DealerType,
    scope::Scope,
    sql::Sql,
};
use caudal_domain::{ids::PartyId, party::Role};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A dealer or a delivery man.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Dealer {
    /// UUID.
    pub id: Uuid,
    /// Role: dealer or delivery man.
    #[serde(rename = "type")]
    pub kind: DealerType,
    /// Name; empty after erasure.
    pub name: String,
    /// E-mail address of its login; unique in the tenant.
    pub email: String,
    /// Number of the identity document, normalised.
    pub identification_number: Option<String>,
    /// Telephone number in E.164, such as `+5352345678`.
    pub phone_number: Option<String>,
    /// Second telephone number in E.164.
    pub phone2: Option<String>,
    /// Driving licence number.
    pub license: Option<String>,
    /// Country as an ISO 3166-1 alpha-2 code, such as `US`.
    pub country: Option<String>,
    /// Postal code, as text.
    pub zipcode: Option<String>,
    /// Address, first of three lines.
    pub address_line1: Option<String>,
    /// Address, second of three lines.
    pub address_line2: Option<String>,
    /// Address, third of three lines.
    pub address_line3: Option<String>,
    /// Province of distribution, from Cuba's catalogue.
    pub province_id: Option<Uuid>,
    /// Name of the province of distribution.
    pub province: Option<String>,
    /// Municipality of residence, as text.
    pub municipality: Option<String>,
    /// Municipalities served.
    pub zones: Vec<Ref>,
    /// Names of province and zones, comma-joined with leading and trailing commas.
    pub distribution_area: String,
    /// Whether it pays to MLC cards.
    #[serde(rename = "handleMLC")]
    pub handle_mlc: bool,
    /// Id of a delivery man's dealer; null for a dealer.
    pub dealer_id: Option<Uuid>,
    /// Name of a delivery man's dealer.
    pub dealer_name: Option<String>,
    /// Whether it can log in and be named by new commands.
    pub is_active: bool,
    /// Time of creation, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Time of the last change, RFC 3339 in UTC.
    pub updated: DateTime<Utc>,
    /// Names of fields whose stored telephone or document number today's validation rejects (recorded before these
    /// rules, or imported). Changing such a field requires a valid value.
    pub to_correct: Vec<String>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

/// A dealer as a receiver of cash.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DirectoryDealer {
    /// UUID.
    pub id: Uuid,
    /// Name of the dealer.
    pub name: String,
}

impl Dealer {
    fn new(row: PartyRow, dealer_name: Option<String>, places: &HashMap<Uuid, String>) -> Self {
        let details = row.details();
        let to_correct = row.to_correct();
        let named = |field: String| if field == "phone" { "phoneNumber".into() } else { field };
        let to_correct = to_correct.into_iter().map(named).collect();
        let zones: Vec<Ref> = row
            .zones
            .0
            .iter()
            .map(|id| Ref {
                id: *id,
                name: places.get(id).cloned(),
            })
            .collect();
        let province = row.province.and_then(|id| places.get(&id).cloned());
        let area = province
            .iter()
            .chain(zones.iter().filter_map(|zone| zone.name.as_ref()));
        let distribution_area = area.fold(String::from(","), |area, name| format!("{area}{name},"));
        Self {
            id: row.id,
            kind: if row.role == Role::DeliveryMan {
                DealerType::DeliveryMan
            } else {
                DealerType::Dealer
            },
            name: details.name,
            email: details.email,
            identification_number: details.identification_number,
            phone_number: details.phone,
            phone2: details.phone2,
            license: details.license,
            country: details.country,
            zipcode: details.zip,
            address_line1: details.address_line1,
            address_line2: details.address_line2,
            address_line3: details.address_line3,
            province_id: row.province,
            province,
            municipality: details.city,
            zones,
            distribution_area,
            handle_mlc: row.handle_mlc,
            dealer_id: row.dealer,
            dealer_name,
            is_active: row.is_active,
            created: row.created_at,
            updated: row.updated_at,
            to_correct,
            actions: Vec::new(),
        }
    }
}

/// List of dealers and delivery men.
pub const DEALERS: List<Dealer> = List {
    title: word::DEALERS,
    columns: &[
        text("name", word::NAME, |d: &Dealer, _| Some(d.name.clone())).sort("p.search"),
        text("type", word::TYPE, |d: &Dealer, p| {
            Some(p.say(words::dealer(d.kind)).to_owned())
        })
        .sort("p.role"),
        text("dealerName", word::DEALER, |d: &Dealer, _| d.dealer_name.clone())
            .sort("(SELECT d.search FROM parties AS d WHERE d.tenant = p.tenant AND d.id = p.dealer)"),
        text("identificationNumber", word::ID, |d: &Dealer, _| {
            d.identification_number.clone()
        })
        .sort(detail!("identificationNumber")),
        text("email", word::EMAIL, |d: &Dealer, _| Some(d.email.clone())).sort(detail!("email")),
        text("phoneNumber", word::PHONE, |d: &Dealer, _| {
            joined([d.phone_number.as_deref(), d.phone2.as_deref()], ", ")
        })
        .sort(detail!("phone")),
        text("addressLine1", word::ADDRESS, |d: &Dealer, _| {
            address([&d.address_line1, &d.address_line2, &d.address_line3])
        })
        .sort(detail!("addressLine1")),
        text("municipality", word::MUNICIPALITY, |d: &Dealer, _| {
            d.municipality.clone()
        })
        .sort(detail!("city")),
        text("province", word::PROVINCE, |d: &Dealer, _| d.province.clone()).sort(PROVINCE),
        text("zones", word::ZONES, |d: &Dealer, _| {
            joined(d.zones.iter().map(|zone| zone.name.as_deref()), ", ")
        })
        .sort("cardinality(p.zones)"),
        text("license", word::LICENSE, |d: &Dealer, _| d.license.clone()).sort(detail!("license")),
        flag(
            "handleMLC",
            Words::new("Transfiere MLC", "Transfers MLC"),
            |d: &Dealer| d.handle_mlc,
        )
        .sort("p.handle_mlc"),
        flag("isActive", word::ACTIVE, |d: &Dealer| d.is_active).sort("p.is_active"),
        time("created", word::CREATED, |d: &Dealer| Some(d.created)).sort("p.created_at"),
    ],
    filters: &[
        filter::id(
            "ReceiverId",
            word::DEALER,
            "This one alone; the answer is it and no page.",
            "p.id",
        ),
        filter::one_of(
            "type",
            word::TYPE,
            "Of this kind.",
            values::DEALER_TYPE,
            &[("0", "p.role = 'dealer'"), ("1", "p.role = 'delivery_man'")],
        ),
        filter::id("dealerId", word::DEALER, "This dealer's delivery men.", "p.dealer"),
        filter::id(
            "provinceId",
            word::PROVINCE,
            "Distributing in this province.",
            "p.province",
        ),
        filter::among_ids(
            "municipalityId",
            word::MUNICIPALITY,
            "Distributing in this municipality.",
            "p.zones",
        ),
        IS_ACTIVE,
        DELETED,
    ],
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

const PROVINCE: &str = "(SELECT x.name FROM provinces AS x WHERE x.tenant = p.tenant AND x.id = p.province)";

/// Dealer report of the specification.
pub const DEALER_LIST_REPORT: List<Dealer> = List {
    title: word::DEALER_LIST_REPORT,
    columns: &[
        text("name", word::NAME, |d: &Dealer, _| Some(d.name.clone())).sort("p.search"),
        text("phoneNumber", word::PHONE, |d: &Dealer, _| d.phone_number.clone()).sort(detail!("phone")),
        flag("isActive", word::ACTIVE, |d: &Dealer| d.is_active).sort("p.is_active"),
        text("municipality", word::MUNICIPALITY, |d: &Dealer, _| {
            d.municipality.clone()
        })
        .sort(detail!("city")),
        text("province", word::PROVINCE, |d: &Dealer, _| d.province.clone()).sort(PROVINCE),
        unprinted("created").sort("p.created_at"),
    ],
    ..DEALERS
};

/// Dealers and delivery men: all for a manager, itself and its delivery men for a dealer, himself for a delivery man.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Dealer>, ReadError> {
    let from = without_deleted(visible(transaction, scope), query);
    let keys = DEALERS.keys::<Uuid>(transaction, query, from, "p.id").await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One dealer or delivery man (`ReceiverId`).
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: PartyId) -> Result<Dealer, ReadError> {
    let mut from = visible(transaction, scope).after("SELECT p.id");
    from.push(" AND p.id = ").bind(id.0);
    only(transaction.fetch(&from).await?, "party_not_found")?;
    only(views(transaction, &[id.0]).await?, "party_not_found")
}

/// List of dealers' names.
pub const DEALER_DIRECTORY: List<DirectoryDealer> = List {
    title: word::DEALER_DIRECTORY,
    columns: &[text("name", word::NAME, |d: &DirectoryDealer, _| Some(d.name.clone())).sort("p.search")],
    filters: &[],
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

/// All active dealers, for any caller: receivers of a cash transfer.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn directory(
    transaction: &mut ReadTransaction,
    _scope: &Scope,
    query: &ListQuery,
) -> Result<Page<DirectoryDealer>, ReadError> {
    let mut from = transaction.rows("parties", "p");
    from.push(" AND p.is_active AND p.role = ").bind(Role::Dealer.as_str());
    let keys = DEALER_DIRECTORY.keys::<Uuid>(transaction, query, from, "p.id").await?;
    let dealers = rows(transaction, &keys.keys).await?;
    let view = |row: PartyRow| DirectoryDealer {
        id: row.id,
        name: row.name.unwrap_or_default(),
    };
    Ok(keys.page(dealers.into_iter().map(view).collect()))
}

fn visible(transaction: &ReadTransaction, scope: &Scope) -> Sql {
    let mut from = transaction.rows("parties", "p");
    let roles = [DealerType::Dealer, DealerType::DeliveryMan].map(|kind| kind.role().as_str().to_owned());
    from.push(" AND p.role = ANY (").bind(roles.to_vec()).push(")");
    if !scope.sees_all() {
        from.push(" AND (p.id = ").bind(scope.party.0);
        from.push(" OR p.dealer = ").bind(scope.party.0).push(")");
    }
    from
}

async fn views(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<Dealer>, ReadError> {
    let dealers = rows(transaction, ids).await?;
    let above: Vec<Uuid> = dealers.iter().filter_map(|row| row.dealer).collect();
    let above = rows(transaction, &above).await?;
    let places = place_names(transaction).await?;
    let view = |row: PartyRow| {
        let dealer = above.iter().find(|dealer| Some(dealer.id) == row.dealer);
        let name = dealer.and_then(|dealer| dealer.name.clone());
        Dealer::new(row, name, &places)
    };
    Ok(dealers.into_iter().map(view).collect())
}

/// Names of all provinces and municipalities: some 180 rows.
async fn place_names(transaction: &mut ReadTransaction) -> Result<HashMap<Uuid, String>, ReadError> {
    let mut sql = transaction.rows("provinces", "p").after("SELECT p.id, p.name");
    sql.push(" UNION ALL SELECT m.id, m.name FROM municipalities AS m WHERE m.tenant = ")
        .bind(transaction.tenant());
    let rows = transaction.fetch(&sql).await?;
    let read = |row: &PgRow| Ok((row.try_get("id")?, row.try_get("name")?));
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}
