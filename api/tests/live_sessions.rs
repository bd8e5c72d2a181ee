//! Live streams end with their session, on every node and for every cause.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod support;

use caudal_api::auth::sessions::MAX_SESSIONS;
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use support::{Answer, Business, Call, Client, PASSWORD, Process, Stream, create_tenant, text};

const TENANT: &str = "acme";
const NEXT: &str = "Another#2026";
/// Time within which a stream ends after the request that ended its session.
const WITHIN: Duration = Duration::from_secs(1);
/// Slack for a busy machine, at most once.
const BUSY: Duration = Duration::from_secs(4);

/// A login with its token and cookie.
struct Login {
    token: String,
    cookie: String,
}

fn log_in(client: &Client, email: &str) -> Login {
    let body = json!({"email": email, "password": PASSWORD});
    let answer = client.send(Call::new("POST", "/auth0/login").json(&body));
    assert_eq!(answer.status, 200, "{}", answer.body);
    Login {
        token: text(&answer.body["token"]["accessToken"]),
        cookie: cookie(&answer),
    }
}

fn cookie(answer: &Answer) -> String {
    answer.header("Set-Cookie").split(';').next().unwrap().to_owned()
}

/// The code in the outbox's only mail.
fn mailed_code(folder: &Path) -> String {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let mails = fs::read_dir(folder.join("outbox")).into_iter().flatten();
        let mut texts = mails.filter_map(|mail| fs::read_to_string(mail.ok()?.path()).ok());
        let code = texts.find_map(|text| {
            let line = text.lines().find(|line| line.starts_with("    "))?;
            Some(line.trim().to_owned())
        });
        if let Some(code) = code {
            return code;
        }
        assert!(Instant::now() < deadline, "no mail");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn streams_end_with_their_session_on_every_node_within_a_second() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), TENANT);
    let nodes = [
        Process::serve(database.url(), folder.path()),
        Process::serve(database.url(), folder.path()),
    ];
    let business = Business::set_up(nodes[0].client(TENANT));
    let here = nodes[0].client(TENANT);
    let user = |name: &str| {
        let email = format!("{name}@example.test");
        let body = json!({"name": name, "email": email, "password": PASSWORD, "paymentGroups": []});
        (text(&business.as_manager(201, "POST", "/agency", body)["id"]), email)
    };
    let mut took: Vec<(String, Duration)> = Vec::new();
    // Ends a session on the first node and measures the time until its streams end on both.
    let mut ends = |cause: &str, login: &Login, end: &dyn Fn()| {
        let open = |node: &Process| {
            let mut stream = Stream::open(node.address(), TENANT, &login.token, None).unwrap();
            stream.message();
            stream
        };
        let mut streams: Vec<(&str, Stream)> = vec![("here", open(&nodes[0])), ("there", open(&nodes[1]))];
        end();
        let ended = Instant::now();
        for (place, stream) in &mut streams {
            stream.read_to_its_end();
            took.push((format!("{cause} {place}"), ended.elapsed()));
        }
    };

    let (_, email) = user("logout");
    let login = log_in(&here, &email);
    ends("logout", &login, &|| {
        let call = Call::new("POST", "/auth0/logout").header("Cookie", &login.cookie);
        assert_eq!(here.send(call).status, 204);
    });

    let (_, email) = user("password");
    let (login, other) = (log_in(&here, &email), log_in(&here, &email));
    let mut goes_on = Stream::open(nodes[1].address(), TENANT, &other.token, None).unwrap();
    goes_on.message();
    ends("another password", &login, &|| {
        let change = json!({"email": email, "oldPassword": PASSWORD, "newPassword": NEXT});
        let path = format!("/users/change_password/{email}");
        here.expect(204, &other.token, "POST", &path, Some(change));
    });

    let (_, email) = user("reset");
    let login = log_in(&here, &email);
    let forgot = Call::new("POST", &format!("/users/forgot_password/{email}"));
    fs::remove_dir_all(folder.path().join("outbox")).unwrap();
    fs::create_dir(folder.path().join("outbox")).unwrap();
    assert_eq!(here.send(forgot).status, 202);
    let code = mailed_code(folder.path());
    ends("reset password", &login, &|| {
        let reset = json!({"code": code, "password": NEXT});
        let call = Call::new("POST", &format!("/users/reset_password/{email}")).json(&reset);
        assert_eq!(here.send(call).status, 204);
    });

    let (id, email) = user("inactive");
    let login = log_in(&here, &email);
    ends("deactivation", &login, &|| {
        let change = json!({"name": "inactive", "email": email, "isActive": false});
        business.as_manager(200, "PUT", &format!("/agency/{id}"), change);
    });

    let (id, email) = user("erased");
    let login = log_in(&here, &email);
    ends("erasure", &login, &|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
        let status = command
            .args(["forget", TENANT, &id, "--retention-days", "0"])
            .env("DATABASE_URL", database.url())
            .env("CAUDAL_DATA_DIR", folder.path())
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
    });

    let (_, email) = user("reuse");
    let login = log_in(&here, &email);
    let renew = |cookie: &str| here.send(Call::new("POST", "/auth0/token").header("Cookie", cookie));
    assert_eq!(renew(&login.cookie).status, 200);
    // A token that is neither the session's current nor its previous one indicates a copy.
    let (name_and_id, secret) = login.cookie.split_once('.').unwrap();
    let turned = if secret.starts_with('A') { 'B' } else { 'A' };
    let copy = format!("{name_and_id}.{turned}{}", &secret[1..]);
    ends("a token used twice", &login, &|| {
        assert_eq!(renew(&copy).code(), "session_ended");
    });

    let (_, email) = user("many");
    let login = log_in(&here, &email);
    ends("too many sessions", &login, &|| {
        for _ in 0..MAX_SESSIONS {
            log_in(&here, &email);
        }
    });

    // A renewed session keeps its stream, which receives the next change.
    let currency = json!({"code": "XTS", "symbol": "€", "exchangeRate": "0.9", "distributionRate": "0", "accounted": true,
                              "enabled": true});
    business.as_manager(201, "POST", "/nomenclators/currency", currency);
    while goes_on.next().data["kind"] != "currency" {}

    assert!(took.iter().all(|(_, time)| *time < WITHIN + BUSY), "{took:?}");
    let in_time = took.iter().filter(|(_, time)| *time < WITHIN).count();
    assert!(in_time + 1 >= took.len(), "{took:?}");
    println!("{took:?}");
}
