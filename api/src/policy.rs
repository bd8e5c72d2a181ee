//! Policy table: which role may make which call, checked by the gate before any handler.
//!
//! A row is a method, a path and the admitted roles; the domain and the queries' scope decide about rows. The roles of an
//! action are the domain's, those of a report its declaration's. A route without a row is unreachable, and a test compares
//! the table with the OpenAPI document, from which the interface has them (`frontend/src/api/policy.ts`).

use caudal_domain::{
    customer,
    party::{Action as PartyAction, Role},
    remittance::{
        self,
        Action::{Assign, Cancel, Complete, EditAmount, EditDetails, MarkError},
    },
};
use caudal_projections::report::{self, Report};
use std::{collections::BTreeMap, sync::LazyLock};

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
}

/// When a call needs a fresh code of the caller's second factor (docs/decisions/second-factor.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreshCode {
    Never,
    Always,
    /// For a file of the list, not for a page of it.
    ForFile,
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
        row("GET", path, Access::Roles(report.roles))
    };
    CALLS.iter().copied().chain(report::ALL.iter().map(report)).collect()
});

/// All calls but the reports, by path.
const CALLS: &[Row] = &[
    // Sessions and users
    row("POST", "/api/auth0/login", Access::Public),
    row("POST", "/api/auth0/logout", Access::Public),
    row("POST", "/api/auth0/token", Access::Public),
    fresh(session("POST", "/api/users/change_password/{email}", ANY)),
    row("POST", "/api/users/forgot_password/{email}", Access::Public),
    row("POST", "/api/users/reset_password/{email}", Access::Public),
    session("GET", "/api/sessions", ANY),
    session("DELETE", "/api/sessions", ANY),
    session("DELETE", "/api/sessions/{id}", ANY),
    enrolling(session("GET", "/api/second_factor", ANY)),
    enrolling(session("POST", "/api/second_factor/enrolments", ANY)),
    enrolling(session("POST", "/api/second_factor/enrolments/{id}/confirm", ANY)),
    session("POST", "/api/second_factor/code", ANY),
    session("POST", "/api/second_factor/recovery_codes", ANY),
    session("POST", "/api/second_factor/remove", ANY),
    fresh(session("DELETE", "/api/users/{id}/second_factor", MANAGER)),
    session("GET", "/api/settings/second_factor", MANAGER),
    fresh(session("PUT", "/api/settings/second_factor", MANAGER)),
    enrolling(row("GET", "/api/users/profile", ANY)),
    session("PUT", "/api/users/profile", ANY),
    people(row("GET", "/api/users", MANAGER)),
    fresh(session("POST", "/api/users", MANAGER)),
    row("GET", "/api/users/{id}", MANAGER),
    fresh(session("PUT", "/api/users/{id}", MANAGER)),
    fresh(session("DELETE", "/api/users/{id}", Access::Roles(&[M, A, X, I, D]))),
    // API keys
    session("GET", "/api/keys", ANY),
    fresh(session("POST", "/api/keys", ANY)),
    session("GET", "/api/keys/scopes", ANY),
    fresh(session("POST", "/api/keys/{id}/rotate", ANY)),
    session("POST", "/api/keys/{id}/revoke", ANY),
    // Webhooks: they outlive the key by which they would be added.
    session("GET", "/api/webhooks", ANY),
    fresh(session("POST", "/api/webhooks", ANY)),
    fresh(session("PUT", "/api/webhooks/{id}", ANY)),
    session("DELETE", "/api/webhooks/{id}", ANY),
    fresh(session("POST", "/api/webhooks/{id}/rotate", ANY)),
    session("POST", "/api/webhooks/{id}/pause", ANY),
    session("POST", "/api/webhooks/{id}/resume", ANY),
    session("POST", "/api/webhooks/{id}/replay", ANY),
    session("GET", "/api/webhooks/{id}/deliveries", ANY),
    session("GET", "/api/webhooks/{id}/deliveries/{number}", ANY),
    session("POST", "/api/webhooks/{id}/deliveries/{number}/send", ANY),
    // Approvals: a person approves, not a key. Who may approve which proposal is the domain's rule.
    session("GET", "/api/approval-rules", MANAGER),
    fresh(session("POST", "/api/approval-rules", MANAGER)),
    fresh(session("PUT", "/api/approval-rules/{id}", MANAGER)),
    fresh(session("DELETE", "/api/approval-rules/{id}", MANAGER)),
    session("GET", "/api/proposals", ANY),
    session("GET", "/api/proposals/{id}", ANY),
    session("POST", "/api/proposals/{id}/approve", Access::Roles(&[M, A])),
    session("POST", "/api/proposals/{id}/reject", Access::Roles(&[M, A])),
    session("POST", "/api/proposals/{id}/withdraw", ANY),
    // Files and changes
    row("POST", "/api/files/uploadfile", ANY),
    row("GET", "/api/files/{id}", ANY),
    session("GET", "/api/events/stream", ANY),
    row("GET", "/api/events/news", ANY),
    // Public feed
    row("GET", "/api/feed", ANY),
    row("GET", "/api/feed/types", ANY),
    // Reference data
    row("GET", "/api/nomenclators/currency", ANY),
    fresh(row("POST", "/api/nomenclators/currency", MANAGER)),
    fresh(row("PUT", "/api/nomenclators/currency/{id}", MANAGER)),
    fresh(row("DELETE", "/api/nomenclators/currency/{id}", MANAGER)),
    row("GET", "/api/nomenclators/cuban_states", ANY),
    row("GET", "/api/nomenclators/cuban_cities", ANY),
    row("PUT", "/api/nomenclators/province/{id}", MANAGER),
    row("PUT", "/api/nomenclators/municipality/{id}", MANAGER),
    row("GET", "/api/nomenclators/countries", ANY),
    row("GET", "/api/nomenclators/statescountry/country/{code}", ANY),
    row("GET", "/api/nomenclators/cities", ANY),
    row("GET", "/api/nomenclators/payment_group", NOT_DELIVERY_MEN),
    fresh(row("POST", "/api/nomenclators/payment_group", MANAGER)),
    fresh(row("PUT", "/api/nomenclators/payment_group", MANAGER)),
    fresh(row("DELETE", "/api/nomenclators/payment_group", MANAGER)),
    fresh(row("PUT", "/api/nomenclators/payment_group/{id}", MANAGER)),
    fresh(row("DELETE", "/api/nomenclators/payment_group/{id}", MANAGER)),
    // Exchange rates in one place
    row("GET", "/api/rates", MANAGER),
    row("GET", "/api/rates/changes", MANAGER),
    row("POST", "/api/rates/changes", MANAGER),
    row("GET", "/api/rates/changes/{id}", MANAGER),
    row("POST", "/api/rates/changes/{id}/undo", MANAGER),
    // Agencies, agents, dealers and delivery men
    people(row("GET", "/api/agency", Access::Roles(&[M, A]))),
    fresh(row("POST", "/api/agency", MANAGER)),
    row("GET", "/api/agency/{id}", Access::Roles(&[M, A])),
    fresh(row("PUT", "/api/agency", MANAGER)),
    fresh(row("PUT", "/api/agency/{id}", MANAGER)),
    row("PUT", "/api/agency/exchange_rate/{id}", Access::Roles(&[M, A])),
    row("GET", "/api/agency/balance_assignments", Access::Roles(&[M, A])),
    people(row("GET", "/api/agent", Access::Roles(&[M, A]))),
    fresh(row("POST", "/api/agent", Access::Roles(&[M, A]))),
    row("GET", "/api/agent/{id}", Access::Roles(&[M, A])),
    fresh(row("PUT", "/api/agent/{id}", Access::Roles(&[M, A]))),
    row("PUT", "/api/agent/exchange_rate/{id}", Access::Roles(&[M, A, X])),
    row("GET", "/api/agent/balance_assignments", Access::Roles(&[M, A, X])),
    people(row("GET", "/api/dealer", Access::Roles(&[M, D]))),
    fresh(row("POST", "/api/dealer", MANAGER)),
    fresh(row("PUT", "/api/dealer", MANAGER)),
    fresh(row("PUT", "/api/dealer/{id}", MANAGER)),
    row("GET", "/api/dealer/balance_assignments", Access::Roles(&[M, D])),
    row("GET", "/api/dealer/report", Access::Roles(&[M, D])),
    row("GET", "/api/dealer/directory", Access::Roles(&[M, D, V])),
    fresh(row("POST", "/api/delivery_men", Access::Roles(&[M, D]))),
    fresh(row("PUT", "/api/delivery_men/{id}", Access::Roles(&[M, D]))),
    // Customers
    people(row("GET", "/api/customer/sender", CUSTOMERS)),
    people(row("GET", "/api/customer/reciever", CUSTOMERS)),
    row("POST", "/api/customer", CUSTOMERS),
    row("PUT", "/api/customer/{id}", CUSTOMERS),
    row("GET", "/api/customer/{id}/details", CUSTOMERS),
    row("POST", "/api/customer/add_card", CUSTOMERS),
    row("GET", "/api/customer/{id}/cards", CUSTOMERS),
    fresh(session("POST", "/api/customer/{id}/dossiers", MANAGER)),
    fresh(session("GET", "/api/customer/{id}/dossiers/{position}", MANAGER)),
    // Remittances
    row("GET", "/api/remittances/fees", SELLERS),
    row("GET", "/api/remittances/summary", ANY),
    row("GET", "/api/remittances", ANY),
    row("POST", "/api/remittances", SELLERS),
    row("POST", "/api/remittances/dealer", Access::Roles(&[M, D, V])),
    row("GET", "/api/remittances/{id}", ANY),
    row("PUT", "/api/remittances/{id}", on(EditAmount)),
    row("PUT", "/api/remittances/details/{id}", on(EditDetails)),
    row("GET", "/api/remittances/{id}/history", ANY),
    row("GET", "/api/remittances/{id}/receipt", ANY),
    row("GET", "/api/remittances/{id}/proof", SELLERS),
    row("GET", "/api/remittances/{id}/payment_group", NOT_DELIVERY_MEN),
    row("PUT", "/api/remittances/{id}/assign/dealer", on(Assign)),
    row("PUT", "/api/remittances/assign/dealer", on(Assign)),
    row("PUT", "/api/remittances/{id}/error", on(MarkError)),
    row("POST", "/api/remittances/{id}/cancel", on(Cancel)),
    row("POST", "/api/remittances/{id}/complete", on(Complete)),
    row("POST", "/api/remittances/{id}/attempts", on(Complete)),
    row("GET", "/api/remittances/disputes", Access::Roles(&[M, D])),
    row("PUT", "/api/remittances/{id}/disputes/{number}", Access::Roles(&[M, D])),
    // Movements and debits
    row("POST", "/api/sources/deposit/manager", MANAGER),
    row("POST", "/api/sources/deposit/agency/{id}", MANAGER),
    row("POST", "/api/sources/deposit/agent/{id}", Access::Roles(&[M, A])),
    row("POST", "/api/sources/deposit/dealer/{id}", MANAGER),
    row("POST", "/api/sources/deposit/delivery/{id}", Access::Roles(&[M, D])),
    row("POST", "/api/sources/deposit/{id}", party(PartyAction::Deposit)),
    row("POST", "/api/dealer/transfer", party(PartyAction::Transfer)),
    row("POST", "/api/dealer/expenses/{id}", party(PartyAction::RecordExpense)),
    row("GET", "/api/sources/debits", Access::Roles(&[M, A, X])),
    row("POST", "/api/sources/pay_debits", Access::Roles(&[M, A])),
    row("GET", "/api/sources/movements", ANY),
    row("GET", "/api/sources/movements/{id}", ANY),
    row("GET", "/api/sources/movements/{id}/receipt", ANY),
    row("POST", "/api/sources/movements/{id}/reverse", MANAGER),
    // Accounting
    row("POST", "/api/accounting/closures", party(PartyAction::ClosePeriod)),
    row("GET", "/api/accounting/closures", Access::Roles(&[M, A, X])),
    row("GET", "/api/accounting/closures/{id}", Access::Roles(&[M, A, X])),
    row(
        "GET",
        "/api/accounting/closures/{id}/statement",
        Access::Roles(&[M, A, X]),
    ),
    row("GET", "/api/accounting/balances", SELLERS),
    row("GET", "/api/accounting/entries", SELLERS),
    row("GET", "/api/accounting/export", MANAGER),
    row("GET", "/api/accounting/party_balances", ANY),
    row("GET", "/api/accounting/real_balances", MANAGER),
    row("GET", "/api/dealer/dayli_credit_report", Access::Roles(&[M, D])),
    // Dashboard, sales and previews of closures
    row("GET", "/api/dashboard/remittance/statistics", SELLERS),
    row("GET", "/api/dashboard/agency/remittance/total", SELLERS),
    row("GET", "/api/dashboard/agent/remittance", SELLERS),
    row("GET", "/api/dashboard/attention", ANY),
    row("GET", "/api/dashboard/sales", SELLERS),
    row("GET", "/api/dashboard/dealer/sales", MANAGER),
    row("GET", "/api/dashboard/dealer/closing", MANAGER),
    row("POST", "/api/dashboard/agency/report", Access::Roles(&[M, A, X])),
    row("POST", "/api/dashboard/agent/report", Access::Roles(&[M, A, X])),
    // Audit
    row("GET", "/api/audit/events", MANAGER),
    row("GET", "/api/audit/events/{position}", MANAGER),
    row("GET", "/api/audit/timeline/{type}/{id}", MANAGER),
    row("GET", "/api/audit/verification", MANAGER),
    row("POST", "/api/audit/verification", MANAGER),
    row("GET", "/api/audit/checkpoint", MANAGER),
    row("GET", "/api/audit/checkpoints", MANAGER),
    row("POST", "/api/audit/checkpoints", MANAGER),
    row("GET", "/api/audit/quarantine", MANAGER),
    row("GET", "/api/audit/keys", Access::Public),
    row("GET", "/api/audit/proof/{position}", MANAGER),
    row("GET", "/api/audit/consistency", MANAGER),
    row("GET", "/api/audit/continuous", MANAGER),
];

/// Paths whose writes have a preview. Others refuse `?preview=true`, so that a preview request never has an effect.
const WITH_PREVIEW: &[&str] = &[
    "/api/users",
    "/api/users/{id}",
    "/api/users/profile",
    "/api/approval-rules",
    "/api/approval-rules/{id}",
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
    WITH_PREVIEW.contains(&pattern(path))
}

const fn row(method: &'static str, path: &'static str, access: Access) -> Row {
    Row {
        method,
        path,
        access,
        by_key: true,
        fresh_code: FreshCode::Never,
        before_enrolment: false,
    }
}

/// A call that needs a fresh code: it changes users, what may act for them, or settings.
const fn fresh(row: Row) -> Row {
    Row {
        fresh_code: FreshCode::Always,
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

/// A call by which a party enrols a second factor that the tenant requires of it.
const fn enrolling(row: Row) -> Row {
    Row {
        before_enrolment: true,
        ..row
    }
}

/// A call that requires a session: with it an API key could get rights beyond its scopes, or outlive its revocation.
const fn session(method: &'static str, path: &'static str, access: Access) -> Row {
    Row {
        by_key: false,
        ..row(method, path, access)
    }
}

/// Scope that an API key needs for a call: `remittances:read` for a GET below `/api/remittances`, `remittances:write`
/// for all other methods. `None` for public calls, and for those that require a session.
pub fn scope(row: &Row) -> Option<String> {
    if !row.by_key || row.access == Access::Public {
        return None;
    }
    let group = row.path.strip_prefix("/api/")?.split('/').next()?;
    let access = if row.method == "GET" { "read" } else { "write" };
    Some(format!("{group}:{access}"))
}

/// Scopes of a role, each with its calls.
pub fn scopes(role: Role) -> BTreeMap<String, Vec<&'static Row>> {
    let mut scopes = BTreeMap::<_, Vec<_>>::new();
    for row in TABLE.iter().filter(|row| row.access.admits(role)) {
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

/// Whether a role may make a call, given as in the table.
pub fn admits(method: &str, path: &str, role: Role) -> bool {
    TABLE
        .iter()
        .any(|row| row.method == method && row.path == path && row.access.admits(role))
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
    TABLE.iter().filter(move |row| Some(row.path) == best)
}

/// Most literal match of a path: `/remittances/fees` before `/remittances/{id}`.
fn best(path: &str) -> Option<&'static str> {
    TABLE
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
            let scoped: usize = scopes(*role).values().map(Vec::len).sum();
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
            let makes_logins = row.path.starts_with("/api/users") && row.method != "GET";
            if makes_logins || row.path.starts_with("/api/keys") {
                assert_eq!(scope(row), None, "{} {}", row.method, row.path);
            }
        }
    }

    #[test]
    fn scopes_are_the_first_part_of_the_path_and_the_kind_of_access() {
        let seller = scopes(Role::Agency);
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
        assert!(!seller.contains_key("audit:read") && scopes(Role::Manager).contains_key("audit:read"));
    }
}
