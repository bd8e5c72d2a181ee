//! Policy table: which role may make which call, checked by the gate before any handler.
//!
//! A row is a method, a path, the admitted roles, and the area whose permission a member of the office needs; the domain
//! and the queries' scope decide about rows. The roles of an
//! action are the domain's, those of a report its declaration's. A route without a row is unreachable, and a test compares
//! the table with the OpenAPI document, from which the interface has them (`frontend/src/api/policy.ts`).

use caudal_domain::{
    Refusal, StreamKind, customer,
    office::{Area, Permission, Permissions, Right},
    party::{Action as PartyAction, Role},
    remittance::{
        self,
        Action::{Assign, Cancel, Complete, EditAmount, EditDetails, MarkError},
    },
};
use caudal_projections::{
    Scope,
    reading::ReadingKind,
    report::{self, Report},
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::LazyLock,
};

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everyone, without a token.
    Public,
    Roles(&'static [Role]),
}

impl Access {
    /// Whether it admits a role.
    pub fn admits(self, role: Role) -> bool {
        match self {
            Self::Public => true,
            Self::Roles(roles) => roles.contains(&role),
        }
    }
}

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub method: &'static str,
    /// Path as in the OpenAPI document.
    pub path: &'static str,
    pub access: Access,
    /// Whether API keys may have a scope for it.
    pub by_key: bool,
    /// When a session whose party has a second factor needs a fresh code for it.
    pub fresh_code: FreshCode,
    /// Whether it is admitted before an enrolment that the tenant requires.
    pub before_enrolment: bool,
    /// Areas of which a member of the office needs the right in one; empty for what every member may do.
    pub areas: &'static [Area],
    /// Right that a member of the office needs.
    pub right: Right,
    /// Recorded part of its reading.
    pub reads: Reads,
    /// Whether a manager who sees as another may make it, although it is no reading.
    pub ends_viewing: bool,
}

impl Row {
    /// The permission that a member of the office lacks for it.
    pub fn lacking(&self, permissions: Permissions) -> Option<Permission> {
        let (area, right) = (*self.areas.first()?, self.right);
        (!permissions.may_in_one(self.areas, right)).then_some(Permission { area, right })
    }
}

/// What of a call's reading is recorded (docs/decisions/audit-of-reading.md), whatever its method: a change answers the record
/// too. A file of a list is recorded of every list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    Nobody,
    /// A person's data, or a record with it.
    Person(ReadingKind),
    /// A list with people's data: its file, and all its rows at once, which are as good as a file.
    Rows,
    /// A file, whatever the query.
    File,
}

/// When a call needs a fresh code of the caller's second factor (docs/decisions/second-factor.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreshCode {
    Never,
    Always,
    /// For a file of the list, not for a page of it.
    ForFile,
    /// For a file of the list, and for all its rows at once ([`crate::listing::is_whole`]).
    ForWhole,
}

const M: Role = Role::Manager;
const A: Role = Role::Agency;
const X: Role = Role::ExternalAgent;
const I: Role = Role::InternalAgent;
const D: Role = Role::Dealer;
const V: Role = Role::DeliveryMan;

const ANY: Access = Access::Roles(Role::ALL);
const MANAGER: Access = Access::Roles(&[M]);
/// Calls that reveal commissions (docs/decisions/what-a-delivery-man-sees.md).
const NOT_DELIVERY_MEN: Access = Access::Roles(&[M, A, X, I, D]);
/// Calls about customers.
const CUSTOMERS: Access = Access::Roles(customer::ROLES);
const SELLERS: Access = Access::Roles(&[M, A, X, I]);

/// What every member of the office may do: the own login, reference data, and what tells each caller only of the areas that
/// he reads.
const OWN: &[Area] = &[];
const SALES: &[Area] = &[Area::Sales];
const CUSTOMER_DATA: &[Area] = &[Area::Customers];
const PAYMENTS: &[Area] = &[Area::Payments];
const PARTIES: &[Area] = &[Area::Parties];
const RATES: &[Area] = &[Area::Rates];
const ACCOUNTING: &[Area] = &[Area::Accounting];
const REPORTS: &[Area] = &[Area::Reports];
const AUDIT: &[Area] = &[Area::Audit];
const OFFICE: &[Area] = &[Area::Office];
const INTEGRATIONS: &[Area] = &[Area::Integrations];
const SETTINGS: &[Area] = &[Area::Settings];
const SCREENING: &[Area] = &[Area::Compliance];
/// Remittances and their history: sales, and reviews of them.
const REMITTANCES: &[Area] = Area::of_records(StreamKind::Remittance);
/// Areas of the kinds of imports.
const IMPORTS: &[Area] = &[
    Area::Sales,
    Area::Customers,
    Area::Payments,
    Area::Parties,
    Area::Settings,
];
/// What a rule of approvals may cover; the approval requires the area of the proposed command.
const APPROVED: &[Area] = Area::APPROVED;
/// Dealers to whom deliveries are assigned.
const DELIVERY: &[Area] = &[Area::Sales, Area::Parties];
/// Logins of members of the office and of others; the command requires the area of the login's role.
const LOGINS: &[Area] = &[Area::Office, Area::Parties];
/// Pictures of documents: who changes customers, reviews or reads the log; the query requires it.
const PICTURES: &[Area] = &[Area::Customers, Area::Compliance, Area::Audit];
/// Documents that expire: who renews them, and who reviews.
const EXPIRING: &[Area] = &[Area::Customers, Area::Compliance];
/// Logins and customers; the command requires the area of the record.
const PEOPLE: &[Area] = &[Area::Office, Area::Parties, Area::Customers];

/// An action on a remittance.
const fn on(action: remittance::Action) -> Access {
    Access::Roles(action.roles())
}

/// An action on a party.
const fn party(action: PartyAction) -> Access {
    Access::Roles(action.roles())
}

/// All calls: [`CALLS`], and the reports by their declarations.
pub static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let report = |report: &&Report| {
        let path = format!("/api/reports/{}", report.name).leak();
        let row = rows(row(REPORTS, "GET", path, Access::Roles(report.roles)));
        if report.lists_people() { people(row) } else { row }
    };
    CALLS.iter().copied().chain(report::ALL.iter().map(report)).collect()
});

/// The table by [`group`]: every request looks its call up several times.
static GROUPS: LazyLock<HashMap<&str, Vec<&Row>>> = LazyLock::new(|| {
    let mut groups = HashMap::<_, Vec<_>>::new();
    for row in TABLE.iter() {
        groups.entry(group(row.path).unwrap_or_default()).or_default().push(row);
    }
    groups
});

/// All calls but the reports, by path.
const CALLS: &[Row] = &[
    // Sessions and users
    row(OWN, "POST", "/api/auth0/login", Access::Public),
    row(OWN, "POST", "/api/auth0/logout", Access::Public),
    row(OWN, "POST", "/api/auth0/token", Access::Public),
    row(OWN, "GET", "/api/auth0/options", Access::Public),
    row(OWN, "POST", "/api/auth0/passkey", Access::Public),
    row(OWN, "POST", "/api/auth0/passkey/finish", Access::Public),
    row(OWN, "POST", "/api/auth0/sign_on", Access::Public),
    row(OWN, "POST", "/api/auth0/sign_on/finish", Access::Public),
    session(SETTINGS, "GET", "/api/settings/sign_on", MANAGER),
    fresh(session(SETTINGS, "PUT", "/api/settings/sign_on", MANAGER)),
    fresh(session(SETTINGS, "DELETE", "/api/settings/sign_on", MANAGER)),
    fresh(session(LOGINS, "DELETE", "/api/users/{id}/sign_on", MANAGER)),
    fresh(session(OWN, "POST", "/api/users/change_password/{email}", ANY)),
    row(OWN, "POST", "/api/users/forgot_password/{email}", Access::Public),
    row(OWN, "POST", "/api/users/reset_password/{email}", Access::Public),
    fresh(session(LOGINS, "POST", "/api/users/{id}/viewing", MANAGER)),
    ending(session(OWN, "DELETE", "/api/viewing", ANY)),
    session(OWN, "GET", "/api/sessions", ANY),
    fresh(session(OWN, "DELETE", "/api/sessions", ANY)),
    fresh(session(OWN, "DELETE", "/api/sessions/{id}", ANY)),
    enrolling(session(OWN, "GET", "/api/second_factor", ANY)),
    enrolling(fresh(session(OWN, "POST", "/api/second_factor/enrolments", ANY))),
    // The handlers of confirmations ask for a fresh code too, where the answer to the first request was not lost.
    enrolling(session(OWN, "POST", "/api/second_factor/enrolments/{id}/confirm", ANY)),
    session(OWN, "POST", "/api/second_factor/code", ANY),
    session(OWN, "POST", "/api/second_factor/passkey", ANY),
    session(OWN, "POST", "/api/second_factor/passkey/finish", ANY),
    enrolling(fresh(session(OWN, "POST", "/api/second_factor/passkeys", ANY))),
    enrolling(session(OWN, "POST", "/api/second_factor/passkeys/finish", ANY)),
    fresh(session(OWN, "DELETE", "/api/second_factor/passkeys/{id}", ANY)),
    session(OWN, "POST", "/api/second_factor/recovery_codes", ANY),
    session(OWN, "POST", "/api/second_factor/remove", ANY),
    fresh(session(LOGINS, "DELETE", "/api/users/{id}/second_factor", MANAGER)),
    session(SETTINGS, "GET", "/api/settings/second_factor", MANAGER),
    fresh(session(SETTINGS, "PUT", "/api/settings/second_factor", MANAGER)),
    fresh(session(SETTINGS, "PUT", "/api/settings/passwords", MANAGER)),
    enrolling(row(OWN, "GET", "/api/users/profile", ANY)),
    session(OWN, "PUT", "/api/users/profile", ANY),
    people(row(OFFICE, "GET", "/api/users", MANAGER)),
    fresh(session(OFFICE, "POST", "/api/users", MANAGER)),
    read_of(ReadingKind::User, row(OFFICE, "GET", "/api/users/{id}", MANAGER)),
    fresh(read_of(
        ReadingKind::User,
        session(LOGINS, "PUT", "/api/users/{id}", MANAGER),
    )),
    fresh(session(
        PEOPLE,
        "DELETE",
        "/api/users/{id}",
        Access::Roles(&[M, A, X, I, D]),
    )),
    // Members of the office
    session(OFFICE, "GET", "/api/permission_sets", MANAGER),
    fresh(session(OFFICE, "POST", "/api/permission_sets", MANAGER)),
    fresh(session(OFFICE, "PUT", "/api/permission_sets/{id}", MANAGER)),
    fresh(session(OFFICE, "DELETE", "/api/permission_sets/{id}", MANAGER)),
    fresh(read_of(
        ReadingKind::User,
        session(OFFICE, "PUT", "/api/users/{id}/access", MANAGER),
    )),
    // API keys
    session(INTEGRATIONS, "GET", "/api/keys", ANY),
    fresh(session(INTEGRATIONS, "POST", "/api/keys", ANY)),
    session(INTEGRATIONS, "GET", "/api/keys/scopes", ANY),
    fresh(session(INTEGRATIONS, "POST", "/api/keys/{id}/rotate", ANY)),
    session(INTEGRATIONS, "POST", "/api/keys/{id}/revoke", ANY),
    // Webhooks: they outlive the key by which they would be added.
    session(INTEGRATIONS, "GET", "/api/webhooks", ANY),
    fresh(session(INTEGRATIONS, "POST", "/api/webhooks", ANY)),
    fresh(session(INTEGRATIONS, "PUT", "/api/webhooks/{id}", ANY)),
    session(INTEGRATIONS, "DELETE", "/api/webhooks/{id}", ANY),
    fresh(session(INTEGRATIONS, "POST", "/api/webhooks/{id}/rotate", ANY)),
    session(INTEGRATIONS, "POST", "/api/webhooks/{id}/pause", ANY),
    session(INTEGRATIONS, "POST", "/api/webhooks/{id}/resume", ANY),
    session(INTEGRATIONS, "POST", "/api/webhooks/{id}/replay", ANY),
    session(INTEGRATIONS, "GET", "/api/webhooks/{id}/deliveries", ANY),
    read_of(
        ReadingKind::Log,
        session(INTEGRATIONS, "GET", "/api/webhooks/{id}/deliveries/{number}", ANY),
    ),
    session(INTEGRATIONS, "POST", "/api/webhooks/{id}/deliveries/{number}/send", ANY),
    // Approvals: a person approves, not a key. Who may approve which proposal is the domain's rule, and needs the permission
    // for the proposed command.
    session(SETTINGS, "GET", "/api/approval-rules", MANAGER),
    // What a rule is about needs its area too.
    session(SETTINGS, "GET", "/api/approval-rules/caught", MANAGER),
    fresh(session(SETTINGS, "POST", "/api/approval-rules", MANAGER)),
    fresh(session(SETTINGS, "PUT", "/api/approval-rules/{id}", MANAGER)),
    fresh(session(SETTINGS, "DELETE", "/api/approval-rules/{id}", MANAGER)),
    session(SCREENING, "GET", "/api/limit-rules", MANAGER),
    fresh(session(SCREENING, "POST", "/api/limit-rules", MANAGER)),
    fresh(session(SCREENING, "PUT", "/api/limit-rules/{id}", MANAGER)),
    fresh(session(SCREENING, "DELETE", "/api/limit-rules/{id}", MANAGER)),
    read_of(
        ReadingKind::Remittance,
        session(SCREENING, "GET", "/api/remittances/{id}/holds", MANAGER),
    ),
    read_of(
        ReadingKind::Remittance,
        session(SCREENING, "POST", "/api/remittances/{id}/holds", MANAGER),
    ),
    read_of(
        ReadingKind::Remittance,
        session(
            SCREENING,
            "POST",
            "/api/remittances/{id}/holds/{number}/review",
            MANAGER,
        ),
    ),
    session(SCREENING, "PUT", "/api/remittances/{id}/breach", MANAGER),
    // Who may see a file of a review is decided with its content: GET /api/files/{id}.
    session(SCREENING, "POST", "/api/remittances/{id}/holds/files", MANAGER),
    session(SCREENING, "GET", "/api/screening", MANAGER),
    fresh(session(SCREENING, "PUT", "/api/screening/lists", MANAGER)),
    reading(session(SCREENING, "POST", "/api/screening/own-lists/check", MANAGER)),
    fresh(session(SCREENING, "POST", "/api/screening/own-lists", MANAGER)),
    session(SCREENING, "GET", "/api/screening/own-lists/{name}/versions", MANAGER),
    fresh(session(SCREENING, "DELETE", "/api/screening/own-lists/{name}", MANAGER)),
    customers(session(SCREENING, "GET", "/api/screening/cases", MANAGER)),
    read_of(
        ReadingKind::Customer,
        session(SCREENING, "GET", "/api/screening/cases/{id}", MANAGER),
    ),
    read_of(
        ReadingKind::Customer,
        session(SCREENING, "POST", "/api/screening/cases/{id}/decisions", MANAGER),
    ),
    read_of(
        ReadingKind::Customer,
        session(SCREENING, "POST", "/api/screening/cases/{id}/release", MANAGER),
    ),
    session(SCREENING, "POST", "/api/screening/cases/{id}/files", MANAGER),
    session(OWN, "GET", "/api/proposals", ANY),
    // With its command, from the log: that of a user or customer has the person's details.
    read_of(ReadingKind::Log, session(OWN, "GET", "/api/proposals/{id}", ANY)),
    fresh(session(
        APPROVED,
        "POST",
        "/api/proposals/{id}/approve",
        Access::Roles(&[M, A]),
    )),
    session(APPROVED, "POST", "/api/proposals/{id}/reject", Access::Roles(&[M, A])),
    session(OWN, "POST", "/api/proposals/{id}/withdraw", ANY),
    // Imports: the run of a file outlives the key by which it would be uploaded. Role and area of the kind are checked by
    // the handler, and those of every command by the domain.
    session(IMPORTS, "GET", "/api/imports", NOT_DELIVERY_MEN),
    session(IMPORTS, "POST", "/api/imports", NOT_DELIVERY_MEN),
    session(IMPORTS, "GET", "/api/imports/kinds", NOT_DELIVERY_MEN),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "GET", "/api/imports/{id}", NOT_DELIVERY_MEN),
    ),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "PUT", "/api/imports/{id}/mapping", NOT_DELIVERY_MEN),
    ),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "PUT", "/api/imports/{id}/proofs", NOT_DELIVERY_MEN),
    ),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "POST", "/api/imports/{id}/preview", NOT_DELIVERY_MEN),
    ),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "GET", "/api/imports/{id}/rows", NOT_DELIVERY_MEN),
    ),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "PUT", "/api/imports/{id}/rows/{number}", NOT_DELIVERY_MEN),
    ),
    file(people(session(
        IMPORTS,
        "GET",
        "/api/imports/{id}/file",
        NOT_DELIVERY_MEN,
    ))),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "POST", "/api/imports/{id}/start", NOT_DELIVERY_MEN),
    ),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "POST", "/api/imports/{id}/pause", NOT_DELIVERY_MEN),
    ),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "POST", "/api/imports/{id}/resume", NOT_DELIVERY_MEN),
    ),
    read_of(
        ReadingKind::Import,
        session(IMPORTS, "POST", "/api/imports/{id}/cancel", NOT_DELIVERY_MEN),
    ),
    // Files and changes
    // For who may write anything: an auditor keeps no files here.
    row(Area::ALL, "POST", "/api/files/uploadfile", ANY),
    row(OWN, "GET", "/api/files/{id}", ANY),
    session(OWN, "GET", "/api/events/stream", ANY),
    row(OWN, "GET", "/api/events/news", ANY),
    // Public feed
    fresh(read_of(ReadingKind::Log, row(INTEGRATIONS, "GET", "/api/feed", ANY))),
    row(INTEGRATIONS, "GET", "/api/feed/types", ANY),
    // Reference data
    row(OWN, "GET", "/api/nomenclators/currency", ANY),
    fresh(row(SETTINGS, "POST", "/api/nomenclators/currency", MANAGER)),
    fresh(row(SETTINGS, "PUT", "/api/nomenclators/currency/{id}", MANAGER)),
    fresh(row(SETTINGS, "DELETE", "/api/nomenclators/currency/{id}", MANAGER)),
    row(OWN, "GET", "/api/nomenclators/cuban_states", ANY),
    row(OWN, "GET", "/api/nomenclators/cuban_cities", ANY),
    row(SETTINGS, "PUT", "/api/nomenclators/province/{id}", MANAGER),
    fresh(row(SETTINGS, "PUT", "/api/nomenclators/municipality/{id}", MANAGER)),
    row(OWN, "GET", "/api/nomenclators/countries", ANY),
    row(OWN, "GET", "/api/nomenclators/statescountry/country/{code}", ANY),
    row(OWN, "GET", "/api/nomenclators/cities", ANY),
    row(OWN, "GET", "/api/nomenclators/payment_group", NOT_DELIVERY_MEN),
    fresh(row(SETTINGS, "POST", "/api/nomenclators/payment_group", MANAGER)),
    fresh(row(SETTINGS, "PUT", "/api/nomenclators/payment_group", MANAGER)),
    fresh(row(SETTINGS, "DELETE", "/api/nomenclators/payment_group", MANAGER)),
    fresh(row(SETTINGS, "PUT", "/api/nomenclators/payment_group/{id}", MANAGER)),
    fresh(row(SETTINGS, "DELETE", "/api/nomenclators/payment_group/{id}", MANAGER)),
    // Exchange rates in one place
    row(RATES, "GET", "/api/rates", MANAGER),
    row(RATES, "GET", "/api/rates/changes", MANAGER),
    fresh(row(RATES, "POST", "/api/rates/changes", MANAGER)),
    row(RATES, "GET", "/api/rates/changes/{id}", MANAGER),
    fresh(row(RATES, "POST", "/api/rates/changes/{id}/undo", MANAGER)),
    // Agencies, agents, dealers and delivery men. A key registers none: it would have their logins.
    people(row(PARTIES, "GET", "/api/agency", Access::Roles(&[M, A]))),
    fresh(session(PARTIES, "POST", "/api/agency", MANAGER)),
    read_of(
        ReadingKind::User,
        row(PARTIES, "GET", "/api/agency/{id}", Access::Roles(&[M, A])),
    ),
    fresh(read_of(ReadingKind::User, row(PARTIES, "PUT", "/api/agency", MANAGER))),
    fresh(read_of(
        ReadingKind::User,
        row(PARTIES, "PUT", "/api/agency/{id}", MANAGER),
    )),
    fresh(read_of(
        ReadingKind::User,
        row(PARTIES, "PUT", "/api/agency/exchange_rate/{id}", Access::Roles(&[M, A])),
    )),
    row(
        PAYMENTS,
        "GET",
        "/api/agency/balance_assignments",
        Access::Roles(&[M, A]),
    ),
    people(row(PARTIES, "GET", "/api/agent", Access::Roles(&[M, A]))),
    fresh(session(PARTIES, "POST", "/api/agent", Access::Roles(&[M, A]))),
    read_of(
        ReadingKind::User,
        row(PARTIES, "GET", "/api/agent/{id}", Access::Roles(&[M, A])),
    ),
    fresh(read_of(
        ReadingKind::User,
        row(PARTIES, "PUT", "/api/agent/{id}", Access::Roles(&[M, A])),
    )),
    fresh(read_of(
        ReadingKind::User,
        row(
            PARTIES,
            "PUT",
            "/api/agent/exchange_rate/{id}",
            Access::Roles(&[M, A, X]),
        ),
    )),
    row(
        PAYMENTS,
        "GET",
        "/api/agent/balance_assignments",
        Access::Roles(&[M, A, X]),
    ),
    // One of them by `ReceiverId` is recorded by its handler.
    people(row(PARTIES, "GET", "/api/dealer", Access::Roles(&[M, D]))),
    fresh(session(PARTIES, "POST", "/api/dealer", MANAGER)),
    fresh(read_of(ReadingKind::User, row(PARTIES, "PUT", "/api/dealer", MANAGER))),
    fresh(read_of(
        ReadingKind::User,
        row(PARTIES, "PUT", "/api/dealer/{id}", MANAGER),
    )),
    row(
        PAYMENTS,
        "GET",
        "/api/dealer/balance_assignments",
        Access::Roles(&[M, D]),
    ),
    row(REPORTS, "GET", "/api/dealer/report", Access::Roles(&[M, D])),
    row(DELIVERY, "GET", "/api/dealer/directory", Access::Roles(&[M, D, V])),
    fresh(session(PARTIES, "POST", "/api/delivery_men", Access::Roles(&[M, D]))),
    fresh(read_of(
        ReadingKind::User,
        row(PARTIES, "PUT", "/api/delivery_men/{id}", Access::Roles(&[M, D])),
    )),
    // Customers
    customers(row(CUSTOMER_DATA, "GET", "/api/customer/sender", CUSTOMERS)),
    customers(row(CUSTOMER_DATA, "GET", "/api/customer/reciever", CUSTOMERS)),
    row(CUSTOMER_DATA, "POST", "/api/customer", CUSTOMERS),
    read_of(
        ReadingKind::Customer,
        row(CUSTOMER_DATA, "PUT", "/api/customer/{id}", CUSTOMERS),
    ),
    read_of(
        ReadingKind::Customer,
        row(CUSTOMER_DATA, "GET", "/api/customer/{id}/details", CUSTOMERS),
    ),
    customers(row(EXPIRING, "GET", "/api/customer/expiring_documents", CUSTOMERS)),
    row(CUSTOMER_DATA, "POST", "/api/customer/add_card", CUSTOMERS),
    read_of(
        ReadingKind::Customer,
        row(CUSTOMER_DATA, "GET", "/api/customer/{id}/cards", CUSTOMERS),
    ),
    // Who may see a picture is decided with its content: GET /api/files/{id}.
    session(CUSTOMER_DATA, "POST", "/api/customer/{id}/document/files", CUSTOMERS),
    read_of(
        ReadingKind::Customer,
        session(PICTURES, "GET", "/api/customer/{id}/document/pictures", CUSTOMERS),
    ),
    read_of(
        ReadingKind::Customer,
        session(CUSTOMER_DATA, "PUT", "/api/customer/{id}/document/pictures", CUSTOMERS),
    ),
    fresh(session(SCREENING, "POST", "/api/customer/{id}/dossiers", MANAGER)),
    read_of(
        ReadingKind::Dossier,
        fresh(session(
            SCREENING,
            "GET",
            "/api/customer/{id}/dossiers/{position}",
            MANAGER,
        )),
    ),
    // Remittances
    row(SALES, "GET", "/api/remittances/fees", SELLERS),
    row(REMITTANCES, "GET", "/api/remittances/summary", ANY),
    rows(row(REMITTANCES, "GET", "/api/remittances", ANY)),
    row(SALES, "POST", "/api/remittances", SELLERS),
    rows(row(SALES, "POST", "/api/remittances/dealer", Access::Roles(&[M, D, V]))),
    read_of(
        ReadingKind::Remittance,
        row(REMITTANCES, "GET", "/api/remittances/{id}", ANY),
    ),
    read_of(
        ReadingKind::Remittance,
        row(SALES, "PUT", "/api/remittances/{id}", on(EditAmount)),
    ),
    read_of(
        ReadingKind::Remittance,
        row(SALES, "PUT", "/api/remittances/details/{id}", on(EditDetails)),
    ),
    read_of(
        ReadingKind::Remittance,
        row(REMITTANCES, "GET", "/api/remittances/{id}/history", ANY),
    ),
    read_of(
        ReadingKind::Remittance,
        row(SALES, "GET", "/api/remittances/{id}/receipt", ANY),
    ),
    row(SALES, "GET", "/api/remittances/{id}/proof", SELLERS),
    row(SALES, "GET", "/api/remittances/{id}/payment_group", NOT_DELIVERY_MEN),
    read_of(
        ReadingKind::Remittance,
        row(SALES, "PUT", "/api/remittances/{id}/assign/dealer", on(Assign)),
    ),
    // Answers no person's data.
    row(SALES, "PUT", "/api/remittances/assign/dealer", on(Assign)),
    read_of(
        ReadingKind::Remittance,
        row(SALES, "PUT", "/api/remittances/{id}/error", on(MarkError)),
    ),
    read_of(
        ReadingKind::Remittance,
        row(SALES, "POST", "/api/remittances/{id}/cancel", on(Cancel)),
    ),
    read_of(
        ReadingKind::Remittance,
        row(SALES, "POST", "/api/remittances/{id}/complete", on(Complete)),
    ),
    read_of(
        ReadingKind::Remittance,
        row(SALES, "POST", "/api/remittances/{id}/attempts", on(Complete)),
    ),
    rows(row(SALES, "GET", "/api/remittances/disputes", Access::Roles(&[M, D]))),
    row(
        SALES,
        "PUT",
        "/api/remittances/{id}/disputes/{number}",
        Access::Roles(&[M, D]),
    ),
    // Movements and debits
    row(PAYMENTS, "POST", "/api/sources/deposit/manager", MANAGER),
    row(PAYMENTS, "POST", "/api/sources/deposit/agency/{id}", MANAGER),
    row(
        PAYMENTS,
        "POST",
        "/api/sources/deposit/agent/{id}",
        Access::Roles(&[M, A]),
    ),
    row(PAYMENTS, "POST", "/api/sources/deposit/dealer/{id}", MANAGER),
    row(
        PAYMENTS,
        "POST",
        "/api/sources/deposit/delivery/{id}",
        Access::Roles(&[M, D]),
    ),
    row(
        PAYMENTS,
        "POST",
        "/api/sources/deposit/{id}",
        party(PartyAction::Deposit),
    ),
    row(PAYMENTS, "POST", "/api/dealer/transfer", party(PartyAction::Transfer)),
    row(
        PAYMENTS,
        "POST",
        "/api/dealer/expenses/{id}",
        party(PartyAction::RecordExpense),
    ),
    row(PAYMENTS, "GET", "/api/sources/debits", Access::Roles(&[M, A, X])),
    row(PAYMENTS, "POST", "/api/sources/pay_debits", Access::Roles(&[M, A])),
    row(PAYMENTS, "GET", "/api/sources/movements", ANY),
    row(PAYMENTS, "GET", "/api/sources/movements/{id}", ANY),
    row(PAYMENTS, "GET", "/api/sources/movements/{id}/receipt", ANY),
    row(PAYMENTS, "POST", "/api/sources/movements/{id}/reverse", MANAGER),
    // Accounting
    row(
        ACCOUNTING,
        "POST",
        "/api/accounting/closures",
        party(PartyAction::ClosePeriod),
    ),
    row(ACCOUNTING, "GET", "/api/accounting/closures", Access::Roles(&[M, A, X])),
    row(
        ACCOUNTING,
        "GET",
        "/api/accounting/closures/{id}",
        Access::Roles(&[M, A, X]),
    ),
    row(
        ACCOUNTING,
        "GET",
        "/api/accounting/closures/{id}/statement",
        Access::Roles(&[M, A, X]),
    ),
    row(ACCOUNTING, "GET", "/api/accounting/balances", SELLERS),
    row(ACCOUNTING, "GET", "/api/accounting/entries", SELLERS),
    file(row(ACCOUNTING, "GET", "/api/accounting/export", MANAGER)),
    row(ACCOUNTING, "GET", "/api/accounting/party_balances", ANY),
    row(ACCOUNTING, "GET", "/api/accounting/real_balances", MANAGER),
    row(
        ACCOUNTING,
        "GET",
        "/api/dealer/dayli_credit_report",
        Access::Roles(&[M, D]),
    ),
    // Figures for Prometheus: a scope of their own
    row(REPORTS, "GET", "/api/metrics", MANAGER),
    // Dashboard, sales and previews of closures
    row(REPORTS, "GET", "/api/dashboard/remittance/statistics", SELLERS),
    row(REPORTS, "GET", "/api/dashboard/agency/remittance/total", SELLERS),
    row(REPORTS, "GET", "/api/dashboard/agent/remittance", SELLERS),
    row(OWN, "GET", "/api/dashboard/attention", ANY),
    row(REPORTS, "GET", "/api/dashboard/sales", SELLERS),
    row(REPORTS, "GET", "/api/dashboard/dealer/sales", MANAGER),
    row(REPORTS, "GET", "/api/dashboard/dealer/closing", MANAGER),
    reading(row(
        ACCOUNTING,
        "POST",
        "/api/dashboard/agency/report",
        Access::Roles(&[M, A, X]),
    )),
    reading(row(
        ACCOUNTING,
        "POST",
        "/api/dashboard/agent/report",
        Access::Roles(&[M, A, X]),
    )),
    // Audit
    row(AUDIT, "GET", "/api/audit/events", MANAGER),
    read_of(
        ReadingKind::Log,
        row(AUDIT, "GET", "/api/audit/events/{position}", MANAGER),
    ),
    read_of(
        ReadingKind::Log,
        row(AUDIT, "GET", "/api/audit/timeline/{type}/{id}", MANAGER),
    ),
    file(fresh(row(AUDIT, "GET", "/api/audit/log", MANAGER))),
    row(AUDIT, "GET", "/api/audit/late-changes", MANAGER),
    row(AUDIT, "GET", "/api/audit/readings", MANAGER),
    row(AUDIT, "GET", "/api/audit/verification", MANAGER),
    reading(row(AUDIT, "POST", "/api/audit/verification", MANAGER)),
    row(AUDIT, "GET", "/api/audit/checkpoint", MANAGER),
    row(AUDIT, "GET", "/api/audit/checkpoints", MANAGER),
    row(AUDIT, "POST", "/api/audit/checkpoints", MANAGER),
    row(AUDIT, "GET", "/api/audit/quarantine", MANAGER),
    row(OWN, "GET", "/api/audit/keys", Access::Public),
    row(AUDIT, "GET", "/api/audit/proof/{position}", MANAGER),
    row(AUDIT, "GET", "/api/audit/consistency", MANAGER),
    row(AUDIT, "GET", "/api/audit/continuous", MANAGER),
];

/// Paths whose writes have a preview. Others refuse `?preview=true`, so that a preview request never has an effect.
const WITH_PREVIEW: &[&str] = &[
    "/api/users",
    "/api/users/{id}",
    "/api/users/profile",
    "/api/users/{id}/access",
    "/api/permission_sets",
    "/api/permission_sets/{id}",
    "/api/settings/passwords",
    "/api/settings/second_factor",
    "/api/keys",
    "/api/keys/{id}/rotate",
    "/api/keys/{id}/revoke",
    "/api/rates/changes",
    "/api/rates/changes/{id}/undo",
    "/api/approval-rules",
    "/api/approval-rules/{id}",
    "/api/limit-rules",
    "/api/limit-rules/{id}",
    "/api/remittances/{id}/holds",
    "/api/remittances/{id}/holds/{number}/review",
    "/api/remittances/{id}/breach",
    "/api/screening/lists",
    "/api/screening/own-lists",
    "/api/screening/own-lists/{name}",
    "/api/screening/cases/{id}/decisions",
    "/api/screening/cases/{id}/release",
    "/api/proposals/{id}/approve",
    "/api/proposals/{id}/reject",
    "/api/proposals/{id}/withdraw",
    "/api/webhooks",
    "/api/webhooks/{id}",
    "/api/webhooks/{id}/rotate",
    "/api/webhooks/{id}/pause",
    "/api/webhooks/{id}/resume",
    "/api/webhooks/{id}/replay",
    "/api/nomenclators/currency",
    "/api/nomenclators/currency/{id}",
    "/api/nomenclators/province/{id}",
    "/api/nomenclators/municipality/{id}",
    "/api/nomenclators/payment_group",
    "/api/nomenclators/payment_group/{id}",
    "/api/agency",
    "/api/agency/{id}",
    "/api/agency/exchange_rate/{id}",
    "/api/agent",
    "/api/agent/{id}",
    "/api/agent/exchange_rate/{id}",
    "/api/dealer",
    "/api/dealer/{id}",
    "/api/delivery_men",
    "/api/delivery_men/{id}",
    "/api/customer",
    "/api/customer/{id}",
    "/api/customer/add_card",
    "/api/customer/{id}/document/pictures",
    "/api/customer/{id}/dossiers",
    "/api/remittances",
    "/api/remittances/{id}",
    "/api/remittances/details/{id}",
    "/api/remittances/{id}/assign/dealer",
    "/api/remittances/assign/dealer",
    "/api/remittances/{id}/error",
    "/api/remittances/{id}/cancel",
    "/api/remittances/{id}/complete",
    "/api/remittances/{id}/attempts",
    "/api/remittances/{id}/disputes/{number}",
    "/api/sources/deposit/manager",
    "/api/sources/deposit/agency/{id}",
    "/api/sources/deposit/agent/{id}",
    "/api/sources/deposit/dealer/{id}",
    "/api/sources/deposit/delivery/{id}",
    "/api/sources/deposit/{id}",
    "/api/dealer/transfer",
    "/api/dealer/expenses/{id}",
    "/api/sources/pay_debits",
    "/api/sources/movements/{id}/reverse",
    "/api/accounting/closures",
];

/// Whether the writes of a path have a preview.
pub fn has_preview(path: &str) -> bool {
    static PATTERNS: LazyLock<HashSet<&str>> = LazyLock::new(|| WITH_PREVIEW.iter().copied().collect());
    PATTERNS.contains(pattern(path))
}

/// First part of a call's path, which is literal in all of them: `remittances` of `/api/remittances/{id}`.
pub fn group(path: &str) -> Option<&str> {
    path.strip_prefix("/api/")?.split('/').next()
}

const fn row(areas: &'static [Area], method: &'static str, path: &'static str, access: Access) -> Row {
    let right = if matches!(method.as_bytes(), b"GET") {
        Right::Read
    } else {
        Right::Write
    };
    Row {
        areas,
        right,
        method,
        path,
        access,
        by_key: true,
        fresh_code: FreshCode::Never,
        before_enrolment: false,
        reads: Reads::Nobody,
        ends_viewing: false,
    }
}

/// A call that needs a fresh code: it changes users, what may act for them, or settings.
const fn fresh(row: Row) -> Row {
    Row {
        fresh_code: FreshCode::Always,
        ..row
    }
}

/// The call by which a manager stops seeing as another.
const fn ending(row: Row) -> Row {
    Row {
        ends_viewing: true,
        ..row
    }
}

/// A call whose reading is recorded.
const fn read_of(kind: ReadingKind, row: Row) -> Row {
    Row {
        reads: Reads::Person(kind),
        ..row
    }
}

/// A list of which all rows at once are recorded as its file is.
const fn rows(row: Row) -> Row {
    Row {
        reads: Reads::Rows,
        ..row
    }
}

/// A call that answers a file, which is recorded.
const fn file(row: Row) -> Row {
    Row {
        reads: Reads::File,
        ..row
    }
}

/// A call that writes nothing of the business, whatever its method.
const fn reading(row: Row) -> Row {
    Row {
        right: Right::Read,
        ..row
    }
}

/// A list of people, whose file needs a fresh code.
const fn people(row: Row) -> Row {
    Row {
        fresh_code: FreshCode::ForFile,
        ..row
    }
}

/// A list of customers: all of them at once are as good as its file, and recorded as one. Lists of logins are read whole by the
/// interface, for its choices.
const fn customers(row: Row) -> Row {
    Row {
        fresh_code: FreshCode::ForWhole,
        ..row
    }
}

/// A call by which a party enrols a second factor that the tenant requires of it.
const fn enrolling(row: Row) -> Row {
    Row {
        before_enrolment: true,
        ..row
    }
}

/// A call that requires a session: with it an API key could get rights beyond its scopes, or outlive its revocation.
const fn session(areas: &'static [Area], method: &'static str, path: &'static str, access: Access) -> Row {
    Row {
        by_key: false,
        ..row(areas, method, path, access)
    }
}

/// Scope that an API key needs for a call: `remittances:read` for a GET below `/api/remittances`, `remittances:write`
/// for all other methods. `None` for public calls, and for those that require a session.
pub fn scope(row: &Row) -> Option<String> {
    if !row.by_key || row.access == Access::Public {
        return None;
    }
    let group = group(row.path)?;
    let access = if row.method == "GET" { "read" } else { "write" };
    Some(format!("{group}:{access}"))
}

/// Scopes of a role and the permissions of a member of the office, each with its calls.
pub fn scopes(role: Role, permissions: Permissions) -> BTreeMap<String, Vec<&'static Row>> {
    let mut scopes = BTreeMap::<_, Vec<_>>::new();
    let permitted = |row: &&Row| row.access.admits(role) && row.lacking(permissions).is_none();
    for row in TABLE.iter().filter(permitted) {
        if let Some(scope) = scope(row) {
            scopes.entry(scope).or_default().push(row);
        }
    }
    scopes
}

/// Result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The call.
    Known(&'static Row),
    /// The path has other methods.
    OtherMethods,
    /// Unknown path.
    Unknown,
}

/// Looks a call up.
pub fn look_up(method: &str, path: &str) -> Verdict {
    let mut rows = rows_of(path).peekable();
    if rows.peek().is_none() {
        return Verdict::Unknown;
    }
    rows.find(|row| row.method == method)
        .map_or(Verdict::OtherMethods, Verdict::Known)
}

/// Whether a caller may make a call, given as in the table.
///
/// # Errors
/// The gate's refusal.
pub fn admit(method: &str, path: &str, scope: &Scope) -> Result<(), Refusal> {
    let row = TABLE.iter().find(|row| row.method == method && row.path == path);
    let row = row.filter(|row| row.access.admits(scope.role));
    let row = row.ok_or_else(|| Refusal::forbidden("role_not_allowed"))?;
    match row.lacking(scope.permissions) {
        None => Ok(()),
        Some(lacking) => Err(Refusal::forbidden("permission_missing").with("permission", lacking)),
    }
}

/// Methods of a path for the header `Allow`.
pub fn methods(path: &str) -> String {
    let methods: Vec<_> = rows_of(path).map(|row| row.method).collect();
    methods.join(", ")
}

/// Path pattern of the table, for logs and metrics; unknown paths share one label.
pub fn pattern(path: &str) -> &'static str {
    best(path.trim_end_matches('/')).unwrap_or("other")
}

/// Rows of the most literal match: `PUT /remittances/fees` is not `PUT /remittances/{id}`.
fn rows_of(path: &str) -> impl Iterator<Item = &'static Row> + use<> {
    let best = best(path);
    near(path).iter().copied().filter(move |row| Some(row.path) == best)
}

/// Rows of a path's group.
fn near(path: &str) -> &'static [&'static Row] {
    group(path)
        .and_then(|group| GROUPS.get(group))
        .map_or(&[], Vec::as_slice)
}

/// Most literal match of a path: `/remittances/fees` before `/remittances/{id}`.
fn best(path: &str) -> Option<&'static str> {
    near(path)
        .iter()
        .filter_map(|row| matches(row.path, path).map(|places| (places, row.path)))
        .min_by_key(|(places, _)| *places)
        .map(|(_, path)| path)
}

/// Number of `{…}` segments, if the path matches.
fn matches(pattern: &str, path: &str) -> Option<usize> {
    let mut given = path.split('/');
    let mut places = 0;
    for wanted in pattern.split('/') {
        let segment = given.next()?;
        if wanted.starts_with('{') && !segment.is_empty() {
            places += 1;
        } else if wanted != segment {
            return None;
        }
    }
    given.next().is_none().then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_domain::api_key::KeyScope;

    #[test]
    fn the_most_literal_row_decides() {
        assert_eq!(pattern("/api/remittances/fees"), "/api/remittances/fees");
        assert_eq!(pattern("/api/remittances/0199/"), "/api/remittances/{id}");
        let Verdict::Known(directory) = look_up("GET", "/api/dealer/directory") else {
            panic!("a known call")
        };
        assert_eq!(directory.access, Access::Roles(&[M, D, V]));
        assert_eq!(look_up("PUT", "/api/remittances/fees"), Verdict::OtherMethods);
        assert_eq!(methods("/api/remittances/fees"), "GET");
    }

    #[test]
    fn every_path_begins_with_a_literal_group() {
        let groups = TABLE.iter().map(|row| group(row.path));
        for group in groups {
            assert!(
                group.is_some_and(|group| !group.is_empty() && !group.contains('{')),
                "{group:?}"
            );
        }
    }

    #[test]
    fn a_known_path_with_another_method_differs_from_an_unknown_path() {
        assert_eq!(look_up("DELETE", "/api/agency"), Verdict::OtherMethods);
        assert_eq!(methods("/api/agency"), "GET, POST, PUT");
        assert_eq!(look_up("GET", "/api/agencies"), Verdict::Unknown);
        assert_eq!(look_up("GET", "/api/agency//details"), Verdict::Unknown);
    }

    #[test]
    fn every_call_with_a_caller_has_a_scope_or_requires_a_session() {
        for row in TABLE.iter().filter(|row| row.access != Access::Public) {
            match scope(row) {
                Some(scope) => assert!(scope.parse::<KeyScope>().is_ok(), "{scope}"),
                None => assert!(!row.by_key, "{} {}", row.method, row.path),
            }
        }
        for role in Role::ALL {
            let scoped: usize = scopes(*role, Permissions::ALL).values().map(Vec::len).sum();
            let admitted = TABLE.iter().filter(|row| row.by_key && row.access != Access::Public);
            assert_eq!(
                scoped,
                admitted.filter(|row| row.access.admits(*role)).count(),
                "{role:?}"
            );
        }
    }

    #[test]
    fn no_key_reaches_a_call_by_which_it_could_get_more_rights() {
        for row in TABLE.iter().filter(|row| row.access != Access::Public) {
            let registers = ["agency", "agent", "dealer", "delivery_men"].map(|kind| format!("/api/{kind}"));
            let makes_logins = row.path.starts_with("/api/users") && row.method != "GET"
                || row.method == "POST" && registers.iter().any(|path| path == row.path);
            if makes_logins || row.path.starts_with("/api/keys") {
                assert_eq!(scope(row), None, "{} {}", row.method, row.path);
            }
        }
    }

    #[test]
    fn scopes_are_the_first_part_of_the_path_and_the_kind_of_access() {
        let seller = scopes(Role::Agency, Permissions::ALL);
        let calls = |scope: &str| -> Vec<_> { seller[scope].iter().map(|row| (row.method, row.path)).collect() };
        assert_eq!(
            calls("customer:write"),
            [
                ("POST", "/api/customer"),
                ("PUT", "/api/customer/{id}"),
                ("POST", "/api/customer/add_card")
            ]
        );
        assert!(calls("remittances:read").contains(&("GET", "/api/remittances/{id}")));
        assert!(
            !seller.contains_key("audit:read") && scopes(Role::Manager, Permissions::ALL).contains_key("audit:read")
        );
    }
}
