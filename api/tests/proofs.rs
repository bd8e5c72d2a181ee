//! Inclusion proofs and consistency proofs, checked by `scripts/verify_receipt.py`, which shares no code with Caudal.

use crate::support::{Business, Call, PASSWORD, Server, text};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{fs, path::Path, process::Command};

fn get(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

/// Runs the verifier. Returns whether it accepts the file, and its output.
fn checked(folder: &Path, file: &Value) -> (bool, String) {
    let path = folder.join("file.json");
    fs::write(&path, file.to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/verify_receipt.py");
    let ran = Command::new("python3")
        .args([script.as_path(), &path, &folder.join("keys.json")])
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap();
    (ran.status.success(), said)
}

/// Copies of a JSON tree, each with one text or number changed.
fn tampered(value: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    collect(value, "", &mut found);
    found
        .into_iter()
        .map(|path| {
            let mut changed = value.clone();
            let place = changed.pointer_mut(&path).unwrap();
            *place = match &*place {
                Value::Number(number) => json!(number.as_i64().unwrap() + 1),
                Value::String(text) => json!(swapped(text)),
                other => panic!("{path}: {other}"),
            };
            (path, changed)
        })
        .collect()
}

/// A text with one character in the middle replaced by another of the same class.
fn swapped(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let middle = characters.len() / 2;
    let digit = (middle..characters.len())
        .chain(0..middle)
        .find(|at| characters[*at].is_ascii_alphanumeric());
    match digit {
        Some(at) => characters[at] = if characters[at] == '1' { '2' } else { '1' },
        None => characters.push('1'),
    }
    characters.into_iter().collect()
}

fn collect(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| collect(value, &format!("{path}/{name}"), found)),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(at, value)| collect(value, &format!("{path}/{at}"), found)),
        Value::Number(_) | Value::String(_) => found.push(path.to_owned()),
        _ => {}
    }
}

/// A folder with the public keys of a server.
fn with_keys(business: &Business) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let keys = business.client.send(Call::new("GET", "/audit/keys")).body;
    fs::write(folder.path().join("keys.json"), keys.to_string()).unwrap();
    folder
}

#[test]
fn a_receipt_verifies_without_the_log_and_rejects_a_change_of_any_field() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("9000.00");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
    let path = format!("/remittances/{}/proof", text(&sold["id"]));
    // The agency that sold it may read its proof. Nothing is signed yet, so the request signs the log.
    let proof = business.client.expect(200, &business.agency_token, "GET", &path, None);
    let folder = with_keys(&business);
    let (holds, said) = checked(folder.path(), &proof);
    assert!(holds && said.contains("RemittanceCreated"), "{said}");
    // A proof beside another's receipt is told by the number and the amounts that it is about.
    assert!(
        said.contains("It says: code R-0") && said.contains("totalToPay "),
        "{said}"
    );
    assert_eq!(proof["event"]["aggregateId"], sold["id"]);
    assert!(
        !proof["event"]["payload"].as_str().unwrap().contains("Ana"),
        "people are encrypted"
    );
    let changed = tampered(&proof);
    assert!(changed.len() > 25, "{}", changed.len());
    for (path, changed) in changed {
        let (holds, said) = checked(folder.path(), &changed);
        assert!(!holds && said.contains("refused"), "{path}: {said}");
    }
    // Every event has a proof, for every length of the log; a manager may read all of them.
    for _ in 0..3 {
        business.fund("10.00");
    }
    let head = server.head("acme");
    for position in 1..=head {
        let proof = get(&business, &format!("/audit/proof/{position}"));
        let (holds, said) = checked(folder.path(), &proof);
        assert!(holds, "{position}: {said}");
        // A proof of one event does not prove another.
        let mut moved = proof.clone();
        moved["event"]["position"] = json!(position + 1);
        assert!(!checked(folder.path(), &moved).0);
    }
    for nothing in ["0", "x", "99999"] {
        let path = format!("/audit/proof/{nothing}");
        business.client.expect(404, &business.manager, "GET", &path, None);
    }
    // Keys of another installation do not verify it.
    let other = Server::start(&["acme"]);
    let elsewhere = with_keys(&Business::new(&other, "acme"));
    let (holds, said) = checked(elsewhere.path(), &proof);
    assert!(!holds && said.contains("unknown key"), "{said}");
}

#[test]
fn proofs_require_visibility_and_sellers_cannot_trigger_repeated_signing() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("9000.00");
    let sell = || text(&business.as_agency(201, "POST", "/remittances", business.sale("10.00"))["id"]);
    let first = format!("/remittances/{}/proof", sell());
    business.as_manager(
        201,
        "POST",
        "/agency",
        json!({"name": "Other", "email": "other@example.test", "password": PASSWORD,
               "paymentGroups": [{"paymentGroupId": business.cup, "agencyCommission": {"rate": "1"}}]}),
    );
    business.as_manager(
        201,
        "POST",
        "/delivery_men",
        json!({"name": "Man", "email": "man@example.test", "password": PASSWORD, "dealerId": business.dealer}),
    );
    let login = |email: &str| business.client.login(email, PASSWORD);
    business
        .client
        .expect(404, &login("other@example.test"), "GET", &first, None);
    for nobody in ["dealer@example.test", "man@example.test"] {
        business.client.expect(403, &login(nobody), "GET", &first, None);
    }
    business
        .client
        .expect(403, &business.agency_token, "GET", "/audit/proof/1", None);
    business.client.expect(200, &business.agency_token, "GET", &first, None);
    let second = format!("/remittances/{}/proof", sell());
    let early = business
        .client
        .send(Call::new("GET", &second).token(&business.agency_token));
    assert_eq!((early.status, early.code()), (409, "proof_not_yet"));
    business.as_manager(201, "POST", "/audit/checkpoints", json!({}));
    business
        .client
        .expect(200, &business.agency_token, "GET", &second, None);
}

#[test]
fn two_signed_roots_are_proven_to_be_of_one_log() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let folder = with_keys(&business);
    let sign = || {
        business.as_manager(201, "POST", "/audit/checkpoints", json!({}))["checkpoint"]["position"]
            .as_i64()
            .unwrap()
    };
    let mut signed = vec![sign()];
    for _ in 0..3 {
        business.fund("10.00");
        signed.push(sign());
    }
    let last = signed[3];
    for (number, from) in signed.iter().enumerate() {
        for to in &signed[number..] {
            let file = get(&business, &format!("/audit/consistency?from={from}&to={to}"));
            let (holds, said) = checked(folder.path(), &file);
            assert!(holds, "{from} to {to}: {said}");
            // Each field of those to the last root: the others have the same fields.
            if *to != last {
                continue;
            }
            for (path, changed) in tampered(&file) {
                let (holds, said) = checked(folder.path(), &changed);
                assert!(!holds, "{from} to {to}, {path}: {said}");
            }
        }
    }
    // An unsigned root proves nothing.
    let unsigned = get(&business, &format!("/audit/consistency?from=1&to={}", signed[0]));
    assert_eq!(unsigned["from"]["checkpoint"], Value::Null);
    let (holds, said) = checked(folder.path(), &unsigned);
    assert!(!holds && said.contains("was not signed"), "{said}");
    for (query, field) in [
        ("from=3&to=2", "from"),
        ("from=-1&to=2", "from"),
        ("from=0&to=99999", "to"),
    ] {
        let path = format!("/audit/consistency?{query}");
        let refused = business.client.send(Call::new("GET", &path).token(&business.manager));
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert_eq!(
            (&refused.body["errors"][0]["field"], &refused.body["errors"][0]["code"]),
            (&json!(field), &json!("position_out_of_range"))
        );
    }
}

#[test]
fn a_changed_node_of_the_tree_is_computed_again_before_the_log_is_said_to_contradict_what_was_signed() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    // A stored node is of 256 events.
    while server.head("acme") < 260 {
        business.fund("10.00");
    }
    let folder = with_keys(&business);
    business.as_manager(201, "POST", "/audit/checkpoints", json!({}));
    let last = server.head("acme");
    let paths = [
        format!("/audit/proof/{last}"),
        format!("/audit/consistency?from={last}&to={last}"),
    ];
    for path in paths {
        let before = get(&business, &path);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(async {
            let mut owner = PgConnection::connect(server.database_url()).await.unwrap();
            owner.execute("SET caudal.tenant TO 'acme'").await.unwrap();
            let changed = "UPDATE journal.merkle_nodes SET hash = sha256(hash) WHERE tenant = 'acme' AND level = 8";
            assert_eq!(owner.execute(changed).await.unwrap().rows_affected(), 1);
        });
        let file = get(&business, &path);
        assert_eq!(file, before);
        let (holds, said) = checked(folder.path(), &file);
        assert!(holds, "{path}: {said}");
    }
}
