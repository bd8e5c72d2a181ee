//! What is called: every list at its first, middle and last page, with each filter and searches, and every figure.

use super::server::Server;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// What a call's target goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lists, searches, the dashboard and balances.
    List,
    /// Closures and reports of a month.
    Period,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    pub kind: Kind,
    pub tenant: String,
    pub token: String,
    pub path: String,
    pub body: Option<String>,
}

impl Call {
    pub fn get(name: &str, tenant: &str, token: &str, path: String) -> Self {
        Self {
            name: name.to_owned(),
            kind: Kind::List,
            tenant: tenant.to_owned(),
            token: token.to_owned(),
            path,
            body: None,
        }
    }
}

/// Lists with their filters. `{…}` is an id that a tenant has, or a day.
const LISTS: &[(&str, &str, &[&str])] = &[
    (
        "remittances",
        "/api/remittances",
        &[
            "status=4",
            "status=0",
            "status=1",
            "initDate={from}&finalDate={to}",
            "currency=CUP",
            "agencyId={agency}",
            "agencyId={agency}&status=4&currency=USD",
            "agentId={agent}",
            "dealerId={dealer}",
            "deliveryManId={man}",
            "senderId={sender}",
            "recipientId={recipient}",
            "provinceId={province}",
            "municipalityId={municipality}",
            "paymentGroupId={group}",
            "deliveryMethod=card",
            "sort=-amount",
            "sort=-updated",
            "query={code}",
            "query={phone}",
            "query={name}",
            "query=perez",
            "query=maria",
        ],
    ),
    (
        "senders",
        "/api/customer/sender",
        &[
            "isActive=true",
            "agencyId={agency}",
            "name={phone}",
            "name={name}",
            "name=perez",
            "sort=name",
        ],
    ),
    (
        "recipients",
        "/api/customer/reciever",
        &[
            "isActive=true",
            "agencyId={agency}",
            "senderId={sender}",
            "name={name}",
            "name=perez",
            "sort=name",
        ],
    ),
    (
        "movements",
        "/api/sources/movements",
        &[
            "partyId={agency}",
            "kind=balanceAssignment",
            "kind=dealerDeposit",
            "kind=debitPayment",
            "currency=CUP",
            "initDate={from}&finalDate={to}",
            "query=m-000100",
        ],
    ),
    ("debits", "/api/sources/debits", &["partyId={agency}"]),
    (
        "closures",
        "/api/accounting/closures",
        &["partyId={agency}", "initDate={from}&finalDate={to}"],
    ),
    (
        "entries",
        "/api/accounting/entries",
        &[
            "kind=treasury",
            "kind=remittances_pending",
            "ownerId={agency}",
            "account=treasury/USD",
            "currency=CUP",
            "from={from}&to={to}",
            "cause={remittance}",
            "eventType=PeriodClosed",
            "eventType=RemittanceCreated",
        ],
    ),
    (
        "audit",
        "/api/audit/events",
        &[
            "eventType=RemittanceCompleted",
            "eventType=PeriodClosed",
            "recordType=party",
            "recordId={remittance}",
            "actorId={dealer}",
            "from={from}&to={to}",
            "query={code}",
        ],
    ),
    ("agencies", "/api/agency", &["query=perez"]),
    ("agents", "/api/agent", &["AgencyId={agency}"]),
    ("dealers", "/api/dealer", &["provinceId={province}"]),
    ("users", "/api/users", &["isActive=true"]),
    (
        "agency assignments",
        "/api/agency/balance_assignments",
        &["AgencyId={agency}"],
    ),
    (
        "agent assignments",
        "/api/agent/balance_assignments",
        &["AgentId={agent}"],
    ),
    (
        "dealer assignments",
        "/api/dealer/balance_assignments",
        &["dealerId={dealer}"],
    ),
];

/// Single figures and views.
const FIGURES: &[Named] = &[
    ("remittance", "/api/remittances/{remittance}"),
    ("remittance history", "/api/remittances/{remittance}/history"),
    ("customer", "/api/customer/{sender}/details"),
    ("summary", "/api/remittances/summary"),
    ("summary of an agency", "/api/remittances/summary?agencyId={agency}"),
    (
        "summary of a month",
        "/api/remittances/summary?initDate={from}&finalDate={to}",
    ),
    ("dashboard: statistics", "/api/dashboard/remittance/statistics"),
    (
        "dashboard: statistics of a year",
        "/api/dashboard/remittance/statistics?initDate={year}&finalDate={to}",
    ),
    (
        "dashboard: totals of a month",
        "/api/dashboard/agency/remittance/total?initDate={from}&finalDate={to}",
    ),
    (
        "dashboard: sellers of a month",
        "/api/dashboard/agent/remittance?initDate={from}&finalDate={to}",
    ),
    ("dashboard: attention", "/api/dashboard/attention"),
    (
        "dashboard: sales of a month",
        "/api/dashboard/sales?initDate={from}&finalDate={to}",
    ),
    (
        "dashboard: dealers' sales",
        "/api/dashboard/dealer/sales?initDate={from}&finalDate={to}",
    ),
    (
        "dashboard: dealers' closing",
        "/api/dashboard/dealer/closing?initDate={from}&finalDate={to}",
    ),
    ("balances", "/api/accounting/balances"),
    ("balances of an agency", "/api/accounting/balances?ownerId={agency}"),
    ("balances of a month", "/api/accounting/balances?from={from}&to={to}"),
    ("balances as of", "/api/accounting/balances?at={at}"),
    ("party balances", "/api/accounting/party_balances"),
    ("party balances as of", "/api/accounting/party_balances?at={at}"),
    ("real balances", "/api/accounting/real_balances"),
    ("real balances as of", "/api/accounting/real_balances?at={at}"),
    (
        "dealers' credit of a day",
        "/api/dealer/dayli_credit_report?dateTime={to}",
    ),
];

/// Closures and reports.
const PERIODS: &[Named] = &[
    ("closure", "/api/accounting/closures/{closure}"),
    (
        "closure's statement (PDF)",
        "/api/accounting/closures/{closure}/statement",
    ),
    (
        "report: addressee",
        "/api/reports/addressee?initDate={from}&finalDate={to}",
    ),
    ("report: agency", "/api/reports/agency?initDate={from}&finalDate={to}"),
    (
        "report: agency, of one",
        "/api/reports/agency?initDate={from}&finalDate={to}&agencyId={agency}",
    ),
    (
        "report: attorney",
        "/api/reports/attorney?initDate={from}&finalDate={to}",
    ),
    (
        "report: distribution_agency",
        "/api/reports/distribution_agency?initDate={from}&finalDate={to}",
    ),
    (
        "report: distributor",
        "/api/reports/distributor?initDate={from}&finalDate={to}",
    ),
    (
        "report: distributor_shipping",
        "/api/reports/distributor_shipping?initDate={from}&finalDate={to}",
    ),
    ("report: history", "/api/reports/history?initDate={from}&finalDate={to}"),
    (
        "report: pending_distributor",
        "/api/reports/pending_distributor?initDate={from}&finalDate={to}",
    ),
];

/// Previews of closures of everybody: a POST each.
const PREVIEWS: &[Named] = &[
    ("closures to come, agencies", "/api/dashboard/agency/report"),
    ("closures to come, agents", "/api/dashboard/agent/report"),
];

/// What a call is named in the tables, and its address.
type Named = (&'static str, &'static str);

/// The lists of callers who see a part: whose they are, the login, and the calls.
const SCOPED: &[(&str, &str, &[Named])] = &[
    (
        "agency",
        "agency@caudal.demo",
        &[
            ("remittances", "/api/remittances"),
            ("remittances shipping", "/api/remittances?status=2"),
            ("summary", "/api/remittances/summary"),
            ("search perez", "/api/remittances?query=perez"),
            ("recipients", "/api/customer/reciever"),
            ("movements", "/api/sources/movements"),
            ("entries", "/api/accounting/entries"),
            ("balances", "/api/accounting/balances"),
            (
                "dashboard",
                "/api/dashboard/agency/remittance/total?initDate={from}&finalDate={to}",
            ),
        ],
    ),
    (
        "dealer",
        "dealer@caudal.demo",
        &[
            ("remittances", "/api/remittances"),
            ("movements", "/api/sources/movements"),
            ("attention", "/api/dashboard/attention"),
        ],
    ),
    (
        "delivery man",
        "delivery@caudal.demo",
        &[("remittances", "/api/remittances?status=2")],
    ),
];

/// The first and the last day of the last thirty but today and yesterday: all of it is told, and a tenant of five weeks has
/// as many of its rows as one of a year.
pub fn month() -> (String, String) {
    let days = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs()
        / 86_400;
    (day_of(days - 31), day_of(days - 2))
}

/// A day by its number since 1970 (Hinnant's civil_from_days), YYYYMMDD.
fn day_of(days: u64) -> String {
    let z = days + 719_468;
    let (era, of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}{month:02}{day:02}")
}

/// An address whose spaces and accents are percent-encoded.
fn encoded(address: &str) -> String {
    let encode = |byte: u8| match byte {
        b'!'..=b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    address.bytes().map(encode).collect()
}

pub fn all(server: &Server, tenant: &str) -> Vec<Call> {
    let token = server.login(tenant, "manager@caudal.demo");
    let places = places(server, tenant, &token);
    let fill = |path: &str| {
        let filled = places
            .iter()
            .fold(path.to_owned(), |path, (name, value)| path.replace(name, value));
        encoded(&filled)
    };
    let mut calls = Vec::new();
    for (name, path, filters) in LISTS {
        let list = |name: String, path: String| Call::get(&name, tenant, &token, path);
        let total = server.total(tenant, &token, &format!("{path}?RecordsPerPage=10"));
        let pages = (total + 9) / 10;
        for (which, page) in [("first page", 1), ("middle page", pages / 2), ("last page", pages)] {
            let page = page.max(1);
            let path = format!("{path}?CurrentPage={page}");
            // Each page has its rows, wherever it is.
            let rows = server.json(tenant, &token, &path)["data"]
                .as_array()
                .map_or(0, Vec::len);
            let wanted = usize::try_from((total - (page - 1) * 10).clamp(0, 10)).unwrap_or_default();
            assert_eq!(rows, wanted, "{path} of {tenant}, of {total}");
            calls.push(list(format!("{name}: {which}"), path));
        }
        for filter in *filters {
            calls.push(list(format!("{name}: {filter}"), fill(&format!("{path}?{filter}"))));
        }
    }
    calls.extend(
        FIGURES
            .iter()
            .map(|(name, path)| Call::get(name, tenant, &token, fill(path))),
    );
    let period = |name: &str, path: &str| Call {
        kind: Kind::Period,
        ..Call::get(name, tenant, &token, fill(path))
    };
    calls.extend(PERIODS.iter().map(|(name, path)| period(name, path)));
    calls.extend(PREVIEWS.iter().map(|(name, path)| Call {
        body: Some("{}".to_owned()),
        ..period(name, path)
    }));
    for (who, email, views) in SCOPED {
        let token = server.login(tenant, email);
        for (name, path) in *views {
            calls.push(Call::get(&format!("{who}: {name}"), tenant, &token, fill(path)));
        }
    }
    let desk = Call {
        body: Some("{}".to_owned()),
        ..Call::get(
            "dealer: desk, shipping",
            tenant,
            &server.login(tenant, "dealer@caudal.demo"),
            "/api/remittances/dealer?status=2".to_owned(),
        )
    };
    calls.push(desk);
    calls
}

/// Ids and days that calls name.
fn places(server: &Server, tenant: &str, token: &str) -> Vec<(&'static str, String)> {
    let list = |path: &str| server.json(tenant, token, path);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let total = server.total(tenant, token, "/api/remittances?RecordsPerPage=10");
    // Somewhere in the middle of the year.
    let middle = list(&format!("/api/remittances?CurrentPage={}", (total / 20).max(1)));
    let remittance = &middle["data"][0];
    let agent = list("/api/agent?query=&RecordsPerPage=100&AgentType=0");
    let dealer = list("/api/dealer?RecordsPerPage=100");
    let first_of = |role: &str| {
        let rows = dealer["data"].as_array().cloned().unwrap_or_default();
        let found = rows.iter().find(|row| row["type"].as_str() == Some(role)).cloned();
        found.unwrap_or_else(|| rows.first().cloned().unwrap_or_default())
    };
    let (from, to) = month();
    let days = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or(Duration::ZERO)
        .as_secs()
        / 86_400;
    let at = day_of(days - 20);
    let at = format!("{}-{}-{}T12:00:00Z", &at[..4], &at[4..6], &at[6..]);
    let home = ["provinceId", "municipalityId"].map(|key| {
        let rows = middle["data"].as_array().cloned().unwrap_or_default();
        let at_home = rows
            .into_iter()
            .find(|row| row["address"].is_object())
            .unwrap_or_default();
        text(&at_home["address"][key])
    });
    let assigned = middle["data"].as_array().cloned().unwrap_or_default();
    let man = assigned
        .iter()
        .find(|row| row["deliveryMan"].is_object())
        .cloned()
        .unwrap_or_default();
    let with_dealer = assigned
        .iter()
        .find(|row| row["dealer"].is_object())
        .cloned()
        .unwrap_or_default();
    let dealer_id = if with_dealer.is_null() {
        first_of("dealer")["id"].clone()
    } else {
        with_dealer["dealer"]["id"].clone()
    };
    let agency = list("/api/agency");
    vec![
        ("{remittance}", text(&remittance["id"])),
        ("{code}", text(&remittance["code"])),
        ("{sender}", text(&remittance["sender"]["id"])),
        ("{recipient}", text(&remittance["recipient"]["id"])),
        (
            "{phone}",
            text(&remittance["sender"]["phoneNumber"])
                .trim_start_matches('+')
                .to_owned(),
        ),
        ("{name}", text(&remittance["sender"]["name"])),
        ("{group}", text(&remittance["paymentGroupId"])),
        ("{agency}", text(&agency["data"][0]["id"])),
        ("{agent}", text(&agent["data"][0]["id"])),
        ("{dealer}", text(&dealer_id)),
        ("{man}", text(&man["deliveryMan"]["id"])),
        ("{province}", home[0].clone()),
        ("{municipality}", home[1].clone()),
        ("{closure}", text(&list("/api/accounting/closures")["data"][0]["id"])),
        ("{from}", from),
        ("{to}", to),
        ("{year}", day_of(days - 366)),
        ("{at}", at),
    ]
}
