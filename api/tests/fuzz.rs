//! Random requests over HTTP: heads, queries, JSON and forms. Every request gets a 2xx or 4xx answer, no handler
//! panics, and the ledger's invariants hold.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

#[path = "../../domain/tests/fuzz/harness.rs"]
mod harness;
#[allow(dead_code, unused_imports, reason = "the main test program uses it all")]
mod support;

use caudal_api::policy::TABLE;
use harness::{Chance, fuzz};
use serde_json::{Value, json};
use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    time::Duration,
};
use support::{Business, Server};

/// Timeout of an answer, with slack for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Timeout for a request that may be incomplete.
const LITTLE_PATIENCE: Duration = Duration::from_secs(2);

const VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "100",
    "999999999999",
    "1e9",
    "true",
    "null",
    "2026-01-31",
    "2026-02-30",
    "9999-12-31T00:00:00Z",
    "%00",
    "%FF%FE",
    "%C3%28",
    "'",
    "%25",
    "_",
    "\\",
    ";",
    "--",
    "(",
    "Ana",
    "mar%C3%ADa",
    "CUP",
    "-name",
    "csv",
    "xlsx",
    "%F0%9F%92%A9",
    "=cmd",
    "../..",
    "+",
    "&",
    "=",
    "[",
    "]",
];

const NAMES: &[&str] = &[
    "CurrentPage",
    "RecordsPerPage",
    "query",
    "name",
    "sort",
    "format",
    "from",
    "to",
    "asOf",
    "status",
    "agencyId",
    "partyId",
    "currency",
    "period",
    "isActive",
    "senderId",
    "groupId",
    "paymentGroupId",
    "amount",
    "payout",
    "unknown",
    "",
];

const JSON: &[&str] = &[
    "\"",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "-1",
    "1e999",
    "\\ud800",
    "\\u0000",
    "\"1.00\"",
    "\"0.001\"",
    "99999999999999999999",
    "\u{202e}",
    "\"id\":1,",
    "\"isActive\":\"yes\"",
    "{\"a\":{\"a\":{\"a\":{}}}}",
];

const FORM: &[&str] = &[
    "--x",
    "--x--",
    "\r\n",
    "\r\n\r\n",
    "Content-Disposition: form-data; name=\"file\"; filename=\"a.png\"",
    "Content-Type: image/png",
    "name=\"\"",
    "filename*=UTF-8''%00",
    "\u{0}",
    "\u{89}PNG\r\n\u{1a}\n",
    "Content-Length: -1",
    "Content-Disposition: form-data; name=\"toRepresentative\"",
];

/// A server with some business, and the parts that requests are made of.
struct Door {
    server: Server,
    tokens: [String; 2],
    ids: Vec<String>,
    bodies: Vec<Vec<u8>>,
}

impl Door {
    fn open() -> Self {
        let server = Server::start(&["fuzz"]);
        let business = Business::new(&server, "fuzz");
        business.fund("1000000");
        let sale = business.sale("100");
        let sold = business.as_agency(201, "POST", "/remittances", sale.clone());
        let ids = [
            &business.cup,
            &business.agency,
            &business.dealer,
            &business.sender,
            &business.recipient,
        ]
        .into_iter()
        .cloned()
        .chain([
            support::text(&sold["id"]),
            "0".to_owned(),
            "%2e%2e".to_owned(),
            "CU".to_owned(),
        ])
        .collect();
        let bodies = [
            sale,
            json!({"name": "Ana", "customerType": 1, "senderId": business.sender, "provinceId": business.province}),
            json!({"paymentGroupId": business.cup, "amount": "12.50", "onCredit": true}),
            json!({"name": "G", "currencyTo": "CUP", "exchangeRate": "320", "managerCommission": {"rate": "2"}}),
            json!({"email": "a@b.cu", "phone": "+5355512345", "isActive": true}),
            json!({"partyId": business.agency, "through": "2026-01-31"}),
        ];
        let bodies = bodies
            .iter()
            .map(|body: &Value| body.to_string().into_bytes())
            .collect();
        let tokens = [business.manager.clone(), business.agency_token.clone()];
        Self {
            server,
            tokens,
            ids,
            bodies,
        }
    }

    fn query(chance: &mut Chance) -> String {
        let pairs: Vec<String> = (0..chance.below(5))
            .map(|_| {
                format!(
                    "{}={}",
                    chance.one_of(NAMES),
                    chance.text(VALUES, 3).replace(|c: char| !c.is_ascii_graphic(), "%20")
                )
            })
            .collect();
        if pairs.is_empty() {
            String::new()
        } else {
            format!("?{}", pairs.join("&"))
        }
    }

    fn request(&self, chance: &mut Chance) -> Vec<u8> {
        let row = loop {
            let row = &TABLE[chance.below(TABLE.len())];
            // Streams do not end, and a login that has logged out or changed can't be used again.
            let of_logins = ["/api/auth0/logout", "/api/users", "/api/agency"]
                .iter()
                .any(|path| row.path.starts_with(path));
            if !row.path.contains("/stream") && (row.method == "GET" || !of_logins) {
                break row;
            }
        };
        let mut path = String::new();
        for segment in row.path.split('/').skip(1) {
            path.push('/');
            if segment.starts_with('{') {
                path.push_str(&self.ids[chance.below(self.ids.len())]);
            } else {
                path.push_str(segment);
            }
        }
        let (kind, body) = match (row.method, chance.below(5)) {
            ("GET", _) => ("", Vec::new()),
            (_, 0) => ("multipart/form-data; boundary=x", {
                let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n\
                            \u{89}PNG\r\n--x--\r\n";
                chance.mutated(form.as_bytes(), FORM)
            }),
            _ => ("application/json", {
                let body = &self.bodies[chance.below(self.bodies.len())];
                chance.mutated(body, JSON)
            }),
        };
        let mut head = format!(
            "{} {path}{} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n",
            row.method,
            Self::query(chance)
        );
        head += &format!("X-Tenant: {}\r\n", if chance.once_in(20) { "other" } else { "fuzz" });
        if !chance.once_in(10) {
            head += &format!("Authorization: Bearer {}\r\n", self.tokens[chance.below(2)]);
        }
        if chance.once_in(3) {
            head += &format!(
                "Idempotency-Key: {}\r\n",
                chance.one_of(&["a", "b", " ", "\u{e9}", "0123456789"])
            );
        }
        if chance.once_in(10) {
            head += &format!(
                "X-Min-Ledger-Position: {}\r\n",
                chance.one_of(&["1", "-1", "x", "9223372036854775807"])
            );
        }
        if !kind.is_empty() {
            head += &format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", body.len());
        }
        let mut request = head.into_bytes();
        request.extend(b"\r\n");
        request.extend(body);
        request
    }
}

/// Outcome of sending some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Answered(u16),
    /// The server closed the connection without an answer.
    Closed,
    /// The server waits for more bytes.
    Waits,
}

fn send(address: SocketAddr, request: &[u8], patience: Duration) -> Outcome {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(patience)).unwrap();
    // The server may answer and close before the request is sent completely.
    let _ = stream.write_all(request);
    let mut answer = [0; "HTTP/1.1 200".len()];
    match stream.read_exact(&mut answer) {
        Ok(()) => {
            let status = std::str::from_utf8(&answer[9..]).unwrap().parse().unwrap();
            Outcome::Answered(status)
        }
        Err(error) if matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset) => Outcome::Closed,
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Outcome::Waits,
        Err(error) => panic!("{error}: {}", String::from_utf8_lossy(request)),
    }
}

#[test]
fn random_requests_never_cause_a_500() {
    let door = Door::open();
    let address = door.server.address();
    let mut statuses = std::collections::BTreeMap::<Outcome, u64>::new();
    fuzz("requests", |chance| {
        let mut request = door.request(chance);
        let broken = chance.once_in(4);
        if broken {
            let head = request
                .windows(4)
                .position(|end| end == b"\r\n\r\n")
                .unwrap_or(request.len());
            let mut changed = chance.mutated(
                &request[..head],
                &["\r\n", ":", " ", "\u{0}", "HTTP/1.0", "%", "Content-Length: 5\r\n"],
            );
            changed.extend(&request[head..]);
            // The end of the headers, which a corrupted length may keep the server from reading.
            changed.extend(b"\r\n\r\n");
            request = changed;
        }
        let outcome = send(address, &request, if broken { LITTLE_PATIENCE } else { PATIENCE });
        let shown = String::from_utf8_lossy(&request);
        // A read at a future position may time out with 503.
        let not_yet = shown.contains("X-Min-Ledger-Position: 9223372036854775807");
        match outcome {
            Outcome::Answered(status) => assert!(status < 500 || (status == 503 && not_yet), "{status}: {shown}"),
            Outcome::Closed | Outcome::Waits => assert!(broken, "{outcome:?}: {shown}"),
        }
        *statuses.entry(outcome).or_default() += 1;
    });
    println!("{statuses:?}");
    for seen in [200, 422] {
        assert!(statuses.contains_key(&Outcome::Answered(seen)), "{statuses:?}");
    }
    let client = door.server.client("fuzz");
    assert_eq!(client.send(support::Call::new("GET", "root:/readyz")).status, 200);
    let path = "/accounting/balances?RecordsPerPage=0";
    let balances = client.expect(200, &door.tokens[0], "GET", path, None);
    let of = |row: &Value| -> i64 { support::text(&row["closing"]).replace('.', "").parse().unwrap() };
    let mut sums = std::collections::BTreeMap::<String, i64>::new();
    for row in balances["data"].as_array().unwrap() {
        *sums.entry(support::text(&row["currency"])).or_default() += of(row);
    }
    assert!(!sums.is_empty() && sums.values().all(|sum| *sum == 0), "{sums:?}");
}
