//! Scope: the caller of a query and the rows it sees. Rows outside the scope do not exist for the caller.

use crate::sql::Sql;
use caudal_domain::{
    StreamKind, TenantState,
    ids::{PartyId, TenantId},
    office::{Area, Permissions, Right},
    party::{Caller, Party, Role},
};
use uuid::Uuid;

/// Caller of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    pub party: PartyId,
    pub role: Role,
    /// An agent's agency.
    pub agency: Option<PartyId>,
    /// A delivery man's dealer.
    pub dealer: Option<PartyId>,
    /// What the caller's permission set allows; everything for other roles than the manager.
    pub permissions: Permissions,
    /// Whether a manager sees as the caller.
    pub is_viewed: bool,
}

/// Position of a party in a condition.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PartyIn {
    Column(&'static str),
    /// The condition ends before the party's column and continues after the scope's restriction.
    Within(&'static str, &'static str),
}

impl Scope {
    /// Scope of a party in the tenant's state.
    #[must_use]
    pub fn of(party: &Party, state: &TenantState) -> Self {
        Self {
            party: party.id,
            role: party.role,
            agency: party.agency,
            dealer: party.dealer,
            permissions: state.permissions_of(&state.office_access(party.id)),
            is_viewed: false,
        }
    }

    /// The caller as the rules of permissions take it.
    #[must_use]
    pub const fn caller(&self) -> Caller {
        Caller {
            id: self.party,
            role: self.role,
            agency: self.agency,
        }
    }

    /// Whether the caller's permission set reads an area.
    #[must_use]
    pub const fn reads(&self, area: Area) -> bool {
        self.permissions.may(area, Right::Read)
    }

    /// Whether the caller sees files of reviews: who reviews, and who reads the log that names them.
    #[must_use]
    pub fn sees_reviews(&self) -> bool {
        self.role == Role::Manager && (self.reads(Area::Compliance) || self.reads(Area::Audit))
    }

    /// Whether the caller sees pictures of the documents of those customers that the caller works with: who changes customers,
    /// and who sees files of reviews.
    #[must_use]
    pub fn sees_document_pictures(&self) -> bool {
        self.permissions.may(Area::Customers, Right::Write) || self.sees_reviews()
    }

    /// Whether the caller's permission set reads records of a kind.
    #[must_use]
    pub fn reads_records_of(&self, kind: StreamKind) -> bool {
        self.permissions.may_in_one(Area::of_records(kind), Right::Read)
    }

    /// The party that the caller acts for: an internal agent's agency, otherwise the caller.
    #[must_use]
    pub fn principal(&self) -> PartyId {
        self.role.principal(self.party, self.agency)
    }

    /// Whether the caller sees the whole tenant.
    #[must_use]
    pub fn sees_all(&self) -> bool {
        self.role == Role::Manager
    }

    /// Owner of the visible customers: an agency, also for its agents; an agent without agency itself.
    #[must_use]
    pub fn customer_owner(&self) -> PartyId {
        self.agency.filter(|_| self.role.sells()).unwrap_or(self.party)
    }

    /// Whether a party's records are in scope: the principal's and its subordinates', determined by the party's agency
    /// and dealer. Records without owner are the tenant's, and visible to managers only.
    #[must_use]
    pub fn covers(&self, owner: Option<Uuid>, above: [Option<Uuid>; 2]) -> bool {
        let principal = Some(self.principal().0);
        self.sees_all() || owner.is_some_and(|_| owner == principal || above.contains(&principal))
    }

    /// Adds `AND a column is a party in scope`: the principal or a subordinate.
    pub(crate) fn and_party(&self, sql: &mut Sql, tenant: &TenantId, columns: &[&'static str]) {
        let columns: Vec<PartyIn> = columns.iter().map(|column| PartyIn::Column(column)).collect();
        self.and_party_in(sql, tenant, &columns);
    }

    /// Adds that one of the conditions holds for a party in scope.
    pub(crate) fn and_party_in(&self, sql: &mut Sql, tenant: &TenantId, conditions: &[PartyIn]) {
        if self.sees_all() {
            return;
        }
        sql.push(" AND (");
        for (index, condition) in conditions.iter().enumerate() {
            if index > 0 {
                sql.push(" OR ");
            }
            let (before, after) = match *condition {
                PartyIn::Column(column) => (column, ""),
                PartyIn::Within(before, after) => (before, after),
            };
            sql.push(&format!("{before} IN (SELECT s.id FROM parties AS s WHERE s.tenant = "));
            sql.bind(tenant);
            for (word, field) in [(" AND (", "id"), (" OR ", "agency"), (" OR ", "dealer")] {
                sql.push(&format!("{word}s.{field} = ")).bind(self.principal().0);
            }
            sql.push("))").push(after);
        }
        sql.push(")");
    }
}
