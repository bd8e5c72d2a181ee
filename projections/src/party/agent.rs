//! Agents, internal and external.

use super::{
    ProfilePaymentGroup,
    agency::{DELETED, IS_ACTIVE, detail, rows, without_deleted},
    terms,
};
use crate::{
    error::ReadError,
    list::{BY_NAME, List, filter, flag, text, time, values},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{address, word, words},
    read_transaction::{ReadTransaction, only},
    rows::PartyRow,
    scalar::AgentType,
    scope::Scope,
    sql::Sql,
};
use caudal_domain::{ids::PartyId, party::Role};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// An agent.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// UUID.
    pub id: Uuid,
    /// Name; empty after erasure.
    pub name: String,
    /// E-mail address of its login; unique in the tenant.
    pub email: String,
    /// Telephone number in E.164, such as `+5352345678`.
    pub phone: Option<String>,
    /// Address, first of three lines.
    pub address_line1: Option<String>,
    /// Address, second of three lines.
    pub address_line2: Option<String>,
    /// Address, third of three lines.
    pub address_line3: Option<String>,
    /// City, as text.
    pub country: Option<String>,
    /// State or province, as text.
    pub province: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Postal code, as text.
    pub zip: Option<String>,
    /// URL path of the profile picture; null when there is none.
    pub profile_picture: Option<String>,
    /// Whether it can log in and be named by new commands.
    pub is_active: bool,
    /// Time of creation, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Time of the last change, RFC 3339 in UTC.
    pub updated: DateTime<Utc>,
    /// Names of fields whose stored telephone or document number today's validation rejects (recorded before these
    /// rules, or imported). Changing such a field requires a valid value.
    pub to_correct: Vec<String>,
    /// Internal or external.
    pub agent_type: AgentType,
    /// Id of its agency; null for an agent of the manager.
    pub agency_id: Option<Uuid>,
    /// Name of its agency.
    pub agency_name: Option<String>,
    /// Terms and balances per payment group; an internal agent has its agency's.
    pub payment_groups: Vec<ProfilePaymentGroup>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

impl Agent {
    fn new(row: PartyRow, agency_name: Option<String>, payment_groups: Vec<ProfilePaymentGroup>) -> Self {
        let details = row.details();
        let to_correct = row.to_correct();
        Self {
            id: row.id,
            name: details.name,
            email: details.email,
            phone: details.phone,
            address_line1: details.address_line1,
            address_line2: details.address_line2,
            address_line3: details.address_line3,
            country: details.country,
            province: details.province,
            city: details.city,
            zip: details.zip,
            profile_picture: details.profile_picture.as_deref().map(crate::file_address),
            is_active: row.is_active,
            created: row.created_at,
            updated: row.updated_at,
            to_correct,
            agent_type: AgentType::of(row.role).unwrap_or(AgentType::External),
            agency_id: row.agency,
            agency_name,
            payment_groups,
            actions: Vec::new(),
        }
    }
}

/// List of agents. Balances are per group: not sortable by them.
pub const AGENTS: List<Agent> = List {
    title: word::AGENTS,
    columns: &[
        text("name", word::NAME, |a: &Agent, _| Some(a.name.clone())).sort("p.search"),
        text("agentType", word::TYPE, |a: &Agent, p| {
            Some(p.say(words::agent(a.agent_type)).to_owned())
        })
        .sort("p.role"),
        text("agencyName", word::AGENCY, |a: &Agent, _| a.agency_name.clone())
            .sort("(SELECT a.search FROM parties AS a WHERE a.tenant = p.tenant AND a.id = p.agency)"),
        text("email", word::EMAIL, |a: &Agent, _| Some(a.email.clone())).sort(detail!("email")),
        text("phone", word::PHONE, |a: &Agent, _| a.phone.clone()).sort(detail!("phone")),
        text("addressLine1", word::ADDRESS, |a: &Agent, _| {
            address([&a.address_line1, &a.address_line2, &a.address_line3])
        })
        .sort(detail!("addressLine1")),
        text("city", word::CITY, |a: &Agent, _| a.city.clone()).sort(detail!("city")),
        text("province", word::PROVINCE, |a: &Agent, _| a.province.clone()).sort(detail!("province")),
        text("country", word::COUNTRY, |a: &Agent, _| a.country.clone()).sort(detail!("country")),
        flag("isActive", word::ACTIVE, |a: &Agent| a.is_active).sort("p.is_active"),
        text("balances", word::BALANCES, |a: &Agent, p| {
            terms::balances(&a.payment_groups, p)
        }),
        time("created", word::CREATED, |a: &Agent| Some(a.created)).sort("p.created_at"),
    ],
    filters: &[
        filter::one_of(
            "AgentType",
            word::AGENT_TYPE,
            "Of this kind.",
            values::AGENT_TYPE,
            &[("0", "p.role = 'internal_agent'"), ("1", "p.role = 'external_agent'")],
        ),
        filter::id("AgencyId", word::AGENCY, "Of this agency.", "p.agency"),
        IS_ACTIVE,
        DELETED,
    ],
    search: Some(&BY_NAME),
    default_sort: "name",
    tie: "p.id",
    counted: None,
    hides_prices: false,
};

/// Agents: all for a manager, an agency's own for the agency and its internal agents, itself for an external agent.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Agent>, ReadError> {
    let from = without_deleted(visible(transaction, scope), query);
    let keys = AGENTS.keys::<Uuid>(transaction, query, from, "p.id").await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One agent.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: PartyId) -> Result<Agent, ReadError> {
    let mut from = visible(transaction, scope).after("SELECT p.id");
    from.push(" AND p.id = ").bind(id.0);
    only(transaction.fetch(&from).await?, "party_not_found")?;
    only(views(transaction, &[id.0]).await?, "party_not_found")
}

fn visible(transaction: &ReadTransaction, scope: &Scope) -> Sql {
    let mut from = transaction.rows("parties", "p");
    let roles = [AgentType::Internal, AgentType::External].map(|kind| kind.role().as_str().to_owned());
    from.push(" AND p.role = ANY (").bind(roles.to_vec()).push(")");
    match scope.role {
        Role::Manager => {}
        Role::Agency | Role::InternalAgent => {
            from.push(" AND p.agency = ").bind(scope.principal().0);
        }
        Role::ExternalAgent | Role::Dealer | Role::DeliveryMan => {
            from.push(" AND p.id = ").bind(scope.party.0);
        }
    }
    from
}

async fn views(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<Agent>, ReadError> {
    let agents = rows(transaction, ids).await?;
    let agencies: Vec<Uuid> = agents.iter().filter_map(|row| row.agency).collect();
    let agencies = rows(transaction, &agencies).await?;
    let sellers = agents.iter().chain(&agencies).map(|row| row.id).collect();
    let groups = terms::of_sellers(transaction, sellers).await?;
    let view = |row: PartyRow| {
        let agency = agencies.iter().find(|agency| Some(agency.id) == row.agency);
        let seller = match row.role {
            Role::InternalAgent => row.agency.unwrap_or(row.id),
            _ => row.id,
        };
        let groups = groups.get(&seller).cloned().unwrap_or_default();
        let agency_name = agency.and_then(|agency| agency.name.clone());
        Agent::new(row, agency_name, groups)
    };
    Ok(agents.into_iter().map(view).collect())
}
