//! Attacks on the server: forged tokens, concurrent guesses, endless requests, compression bombs, cross-site
//! requests, files of a false type.

use crate::support::{self, Business, Call, MANAGER, PASSWORD, Server};
use serde_json::{Value, json};
use std::{
    io::{Read as _, Write as _},
    net::{Shutdown, TcpStream},
    time::{Duration, Instant},
};

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for letter in 0..=group.len() {
            text.push(char::from(LETTERS[(bits >> (18 - 6 * letter) & 63) as usize]));
        }
    }
    text
}

/// Sends raw bytes. Returns the raw answer, and the time until it was complete.
fn exchange(server: &Server, request: &[u8]) -> (String, Duration) {
    let begun = Instant::now();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(90))).unwrap();
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let _ = stream.shutdown(Shutdown::Both);
    (String::from_utf8_lossy(&answer).into_owned(), begun.elapsed())
}

#[test]
fn tokens_with_forged_headers_or_signatures_are_refused() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let parts: Vec<&str> = token.split('.').collect();
    let [head, claims, signature] = parts[..] else {
        panic!("a token has three parts")
    };
    let heads = [
        r#"{"alg":"none"}"#,
        r#"{"alg":"None","typ":"JWT"}"#,
        r#"{"alg":"HS384","typ":"JWT"}"#,
        r#"{"alg":"HS512","typ":"JWT"}"#,
        r#"{"alg":"RS256","typ":"JWT"}"#,
        r#"{"alg":"HS256","typ":"JWT","kid":"../../keys/master.keys"}"#,
        r#"{"alg":"HS256","typ":"JWT","jwk":{"kty":"oct","k":"AAAA"}}"#,
    ];
    let mut forged: Vec<String> = heads
        .iter()
        .flat_map(|head| {
            let head = base64(head.as_bytes());
            [format!("{head}.{claims}.{signature}"), format!("{head}.{claims}.")]
        })
        .collect();
    forged.extend([
        format!("{head}.{claims}."),
        format!("{head}.{claims}"),
        format!("{head}.{claims}.{signature}A"),
        format!("{head}.{}.{signature}", base64(br#"{"sub":"0","role":"manager"}"#)),
        format!("{token}.{token}"),
        "a".repeat(20_000),
    ]);
    for forged in forged {
        let answer = client.send(Call::new("GET", "/users/profile").token(&forged));
        assert_eq!((answer.status, answer.code()), (401, "token_invalid"), "{forged}");
    }
    client.expect(200, &token, "GET", "/users/profile", None);
}

#[test]
fn concurrent_guesses_are_limited_like_sequential_ones() {
    const GUESSES: usize = 60;
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let guesses: Vec<_> = (0..GUESSES)
        .map(|guess| {
            let client = client.clone();
            std::thread::spawn(move || {
                let body = json!({"email": MANAGER, "password": format!("Guess#{guess:04}")});
                client.send(Call::new("POST", "/auth0/login").json(&body)).status
            })
        })
        .collect();
    let statuses: Vec<u16> = guesses.into_iter().map(|guess| guess.join().unwrap()).collect();
    let checked = statuses.iter().filter(|status| **status == 401).count();
    assert!((1..=10).contains(&checked), "{statuses:?}");
    assert!(
        statuses.iter().all(|status| [401, 429].contains(status)),
        "{statuses:?}"
    );
}

#[test]
fn an_endless_request_is_ended_and_others_are_served_meanwhile() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    // More unfinished request heads than the server has workers.
    let slow: Vec<TcpStream> = (0..64)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address()).unwrap();
            stream
                .write_all(b"GET /healthz HTTP/1.1\r\nHost: test\r\nX-A: ")
                .unwrap();
            stream
        })
        .collect();
    let body = format!(
        "POST /api/customer HTTP/1.1\r\nHost: test\r\nX-Tenant: acme\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{\"name\":"
    );
    let begun = Instant::now();
    client.expect(200, &token, "GET", "/users/profile", None);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let (answer, took) = exchange(&server, body.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(took < Duration::from_secs(60), "{took:?}");
    for mut stream in slow {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
}

#[test]
fn oversized_or_compressed_bodies_are_refused_before_they_are_buffered() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let post = |body: Vec<u8>| {
        Call::new("POST", "/customer")
            .token(&token)
            .raw("application/json", body)
    };
    let long = format!("{{\"name\":\"{}\"}}", "a".repeat(300 * 1024));
    assert_eq!(client.send(post(long.into_bytes())).status, 413);
    // A body with a `Content-Encoding` is not decompressed.
    let packed = post(vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).header("Content-Encoding", "gzip");
    let answer = client.send(packed);
    assert!([400, 415, 422].contains(&answer.status), "{}", answer.body);
    // Nesting is limited.
    let deep = format!("{{\"name\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let answer = client.send(post(deep.into_bytes()));
    assert!([400, 422].contains(&answer.status), "{}", answer.status);
    let request = format!(
        "GET /healthz HTTP/1.1\r\nHost: test\r\nX-Long: {}\r\nConnection: close\r\n\r\n",
        "a".repeat(64 * 1024)
    );
    let (answer, _) = exchange(&server, request.as_bytes());
    assert!(
        answer.starts_with("HTTP/1.1 431"),
        "{}",
        answer.get(..40).unwrap_or_default()
    );
    let many: String = (0..3_000).map(|number| format!("X-{number}: a\r\n")).collect();
    let request = format!("GET /healthz HTTP/1.1\r\nHost: test\r\n{many}Connection: close\r\n\r\n");
    let (answer, _) = exchange(&server, request.as_bytes());
    let refused = answer.is_empty() || answer.starts_with("HTTP/1.1 4");
    assert!(refused, "{}", answer.get(..40).unwrap_or_default());
    client.expect(200, &token, "GET", "/users/profile", None);
}

#[test]
fn a_foreign_page_can_neither_call_nor_read_nor_frame_the_service() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let login = json!({"email": MANAGER, "password": PASSWORD});
    let answer = client.send(Call::new("POST", "/auth0/login").json(&login));
    let cookie = answer.header("set-cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/api/auth0"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    // The tenant's header forces a preflight; no answer allows the cross-origin call.
    for path in ["/auth0/token", "/customer", "/users"] {
        let asked = Call::new("OPTIONS", path)
            .header("Origin", "https://evil.example")
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "x-tenant,authorization,content-type");
        let answer = client.send(asked);
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
        assert!(answer.status >= 400, "{path}: {}", answer.status);
    }
    // A form post with the cookie needs no preflight. It is refused because it has no tenant and is no JSON.
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let plain = format!(
        "POST /api/auth0/token HTTP/1.1\r\nHost: test\r\nCookie: {cookie}\r\nOrigin: https://evil.example\r\n\
         Content-Type: text/plain\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    let (answer, _) = exchange(&server, plain.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 4"), "{answer}");
    let form = Call::new("POST", "/auth0/login").raw("text/plain", login.to_string());
    assert_eq!(client.send(form).status, 415);
    let page = client.send(Call::new("GET", "root:/"));
    let policy = page.header("content-security-policy");
    for part in [
        "default-src 'self'",
        "frame-ancestors 'none'",
        "object-src 'none'",
        "base-uri 'self'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(
        !policy.contains("script-src") && !policy.contains("unsafe-eval"),
        "{policy}"
    );
}

#[test]
fn a_picture_that_is_also_html_is_stored_without_the_html_and_its_name_is_ignored() {
    let server = Server::start(&["acme"]);
    let client = server.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let page = b"<html><script>alert(document.cookie)</script></html>";
    let sent = |content: &[u8]| {
        let call = Call::new("POST", "/files/uploadfile").token(&token);
        client.send(call.multipart([("file", "../../../etc/cron.d/x.html", content)]))
    };
    let refused = sent(&[b"\x89PNG\r\n\x1a\n".as_slice(), page].concat());
    assert_eq!(
        (refused.status, refused.body["errors"][0]["code"].as_str()),
        (422, Some("image_damaged"))
    );
    let image = support::picture("a face");
    let kept = sent(&[image.as_slice(), page].concat());
    assert_eq!(kept.status, 201, "{}", kept.body);
    let path = format!("/files/{}", support::text(&kept.body["id"]));
    let shown = client.send(Call::new("GET", &path).token(&token));
    assert_eq!(shown.bytes, image);
    assert_eq!(shown.header("content-type"), "image/png");
    assert_eq!(shown.header("x-content-type-options"), "nosniff");
    assert_eq!(shown.header("content-security-policy"), "default-src 'none'; sandbox");
    for path in [
        "/files/..%2f..%2fkeys%2fmaster.keys",
        "/files/..",
        "/files/%2e%2e%2f",
        "/files/a%00",
    ] {
        let answer = client.send(Call::new("GET", path).token(&token));
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
    }
    for path in [
        "root:/..%2f..%2fetc%2fpasswd",
        "root:/assets/..%2f..%2f..%2fetc%2fpasswd",
        "root:/%2e%2e/%2e%2e/etc/passwd",
    ] {
        let answer = client.send(Call::new("GET", path));
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("root:"), "{path}");
    }
}

#[test]
fn fields_a_caller_may_not_set_are_refused_or_ignored() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("1000000");
    let agency = &business.agency_token;
    let before = business.client.expect(200, agency, "GET", "/users/profile", None);
    let with = |mut body: Value, extra: &Value| {
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body
    };
    for extra in [
        json!({"userType": 5, "role": "manager", "id": business.dealer}),
        json!({"agencyId": business.dealer, "isActive": false, "agentType": 0}),
    ] {
        let body = with(json!({"name": "Agency"}), &extra);
        let answer = business
            .client
            .send(Call::new("PUT", "/users/profile").token(agency).json(&body));
        assert!([200, 422].contains(&answer.status), "{extra}: {}", answer.body);
    }
    let after: Value = business.client.expect(200, agency, "GET", "/users/profile", None);
    assert_eq!(after, before);
    let sold = |body: Value| {
        let sold = business.as_agency(201, "POST", "/remittances", body);
        let path = format!("/remittances/{}", support::text(&sold["id"]));
        let sold = business.client.expect(200, agency, "GET", &path, None);
        [
            "status",
            "managerFee",
            "agencyFee",
            "exchangeRate",
            "payout",
            "totalToPay",
            "agency",
            "dealer",
        ]
        .map(|field| sold[field].clone())
    };
    let plain = sold(business.sale("10"));
    for extra in [
        json!({"managerFee": "0.00", "totalFee": "0.00", "totalToPay": "1.00"}),
        json!({"status": 3, "dealerId": business.dealer, "exchangeRate": "9999", "payout": null}),
        json!({"sellerId": business.dealer, "terms": {"exchangeRate": "9999"}}),
    ] {
        assert_eq!(sold(with(business.sale("10"), &extra)), plain, "{extra}");
    }
}
