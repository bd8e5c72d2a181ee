//! The figures of the business for Prometheus: equal to the API's lists, of one tenant, for a manager and a scope alone.

use crate::support::{Business, Call, Client, PASSWORD, Server, picture, text};
use chrono::{Days, Utc};
use serde_json::json;
use std::collections::BTreeMap;

/// Values by name with labels, of a page whose every series has a help text and a type.
fn figures(client: &Client, token: &str) -> BTreeMap<String, i64> {
    let answer = client.send(Call::new("GET", "/metrics").token(token));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let page = String::from_utf8(answer.bytes).unwrap();
    let mut figures = BTreeMap::new();
    let mut described = Vec::new();
    for line in page.lines() {
        if let Some(described_one) = line.strip_prefix("# TYPE ") {
            described.push(described_one.strip_suffix(" gauge").unwrap().to_owned());
        } else if !line.starts_with("# HELP ") {
            let (series, value) = line.rsplit_once(' ').unwrap();
            let name = series.split('{').next().unwrap();
            assert_eq!(described.last().unwrap(), name, "{line}");
            assert_eq!(
                figures.insert(series.to_owned(), value.parse().unwrap()),
                None,
                "{line}"
            );
        }
    }
    assert!(page.ends_with('\n'));
    figures
}

fn cents(amount: &str) -> i64 {
    amount.replace('.', "").parse().unwrap()
}

#[test]
fn the_gauges_are_the_figures_of_the_business() {
    let server = Server::among(&["acme", "other"], crate::support::Surroundings::default());
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let cash = json!({"currency": "CUP", "amount": "9000"});
    business.as_manager(201, "POST", "/sources/deposit/manager", cash.clone());
    let to_dealer = format!("/sources/deposit/dealer/{}", business.dealer);
    business.as_manager(201, "POST", &to_dealer, cash);
    let sold: Vec<String> = (0..4)
        .map(|_| text(&business.as_agency(201, "POST", "/remittances", business.sale("2.50"))["id"]))
        .collect();
    let reason = json!({"reason": "Twice"});
    business.as_agency(200, "POST", &format!("/remittances/{}/cancel", sold[0]), reason);
    for remittance in &sold[1..3] {
        let to = json!({"dealerId": business.dealer});
        business.as_manager(200, "PUT", &format!("/remittances/{remittance}/assign/dealer"), to);
    }
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let proofs = [picture("identification"), picture("signature")];
    let files = [
        ("identificationDocument", "id.png", proofs[0].as_slice()),
        ("firmPicture", "signature.png", proofs[1].as_slice()),
    ];
    let complete = Call::new("POST", &format!("/remittances/{}/complete", sold[1])).token(&dealer);
    let completed = business.client.send(complete.multipart(files));
    assert!(completed.status < 300, "{}", completed.body);

    let found = figures(&business.client, &business.manager);
    let of = |series: &str| found[&format!("caudal_business_{series}")];
    for (status, count) in [
        ("pending", 1),
        ("canceled", 1),
        ("shipping", 1),
        ("completed", 1),
        ("error", 0),
    ] {
        assert_eq!(of(&format!("remittances{{status=\"{status}\"}}")), count, "{status}");
    }
    assert_eq!((of("sold_today"), of("sold_today_usd_cents")), (3, 750));
    assert_eq!((of("paid_today"), of("paid_today_usd_cents")), (1, 250));
    assert_eq!(of("undelivered"), 2);
    assert!((0..120).contains(&of("oldest_undelivered_seconds")));
    assert_eq!(of("cash_holders{currency=\"CUP\"}"), 1);
    assert_eq!(
        of("field_cash_cents{currency=\"CUP\"}"),
        cents(&business.balance("field_cash", "CUP"))
    );
    assert_eq!(of("position"), server.head("acme"));

    // The other tenant of the server has none of it.
    let other = Business::new(&server, "other");
    let found = figures(&other.client, &other.manager);
    assert_eq!(found["caudal_business_sold_today"], 0);
    assert_eq!(found["caudal_business_oldest_undelivered_seconds"], 0);
    assert!(!found.keys().any(|series| series.contains("currency")), "{found:?}");
}

#[test]
fn the_gauges_need_a_manager_and_a_key_their_scope() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let key = |scopes: &[&str]| {
        let expires = (Utc::now() + Days::new(90)).to_rfc3339();
        let body = json!({"name": "Prometheus", "scopes": scopes, "expiresAt": expires});
        text(&business.as_manager(201, "POST", "/keys", body)["secret"])
    };
    let refused = |token: &str| {
        let answer = business.client.send(Call::new("GET", "/metrics").token(token));
        (answer.status, answer.code().to_owned())
    };
    assert_eq!(
        refused(&key(&["dashboard:read"])),
        (403, "api_key_lacks_scope".to_owned())
    );
    assert_eq!(refused(&business.agency_token).0, 403);
    let own = key(&["metrics:read"]);
    let figures = figures(&business.client, &own);
    assert_eq!(figures["caudal_business_remittances{status=\"pending\"}"], 0);
    let lists = business.client.send(Call::new("GET", "/remittances").token(&own));
    assert_eq!((lists.status, lists.code()), (403, "api_key_lacks_scope"));
}
