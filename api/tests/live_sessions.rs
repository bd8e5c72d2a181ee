//! Live streams end with their session, on every node and for every cause.

use crate::support::{Answer, Business, Call, Client, PASSWORD, Process, Stream, create_tenant, text};
use caudal_api::auth::{refresh::GRACE, sessions::MAX_SESSIONS};
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    cell::RefCell,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const TENANT: &str = "acme";
const NEXT: &str = "Another#2026";
/// Time within which a stream ends after the request that ended its session.
const WITHIN: Duration = Duration::from_secs(1);
/// Slack for a busy machine, at most once per cause.
const BUSY: Duration = Duration::from_secs(4);

/// A login with its token and cookie.
#[derive(Clone)]
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

/// Times until the streams of a session ended, one on each node.
type Ends = [Duration; 2];

/// Ends the session of a new user of this name.
type Cause<'a> = &'a dyn Fn(&str) -> Ends;

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
    let mut took: Vec<(String, Ends)> = Vec::new();
    let goes_on = RefCell::new(None);
    // Ends a session on the first node. Returns the time until its streams end on each.
    let ends = |login: &Login, end: &dyn Fn()| {
        let open = |node: &Process| {
            let mut stream = Stream::open(node.address(), TENANT, &login.token, None).unwrap();
            stream.message();
            stream
        };
        let streams = [open(&nodes[0]), open(&nodes[1])];
        end();
        let ended = Instant::now();
        streams.map(|mut stream| {
            stream.read_to_its_end();
            ended.elapsed()
        })
    };
    let renew = |cookie: &str| here.send(Call::new("POST", "/auth0/token").header("Cookie", cookie));

    let logout = |name: &str| {
        let (_, email) = user(name);
        let login = log_in(&here, &email);
        ends(&login, &|| {
            let call = Call::new("POST", "/auth0/logout").header("Cookie", &login.cookie);
            assert_eq!(here.send(call).status, 204);
        })
    };
    let ended_from_the_list = |name: &str| {
        let (id, email) = user(name);
        let login = log_in(&here, &email);
        ends(&login, &|| {
            let call = Call::new("DELETE", &format!("/sessions?partyId={id}")).token(&business.manager);
            assert_eq!(here.send(call).status, 204);
        })
    };
    let another_password = |name: &str| {
        let (_, email) = user(name);
        let (login, other) = (log_in(&here, &email), log_in(&here, &email));
        let mut renewed = Stream::open(nodes[1].address(), TENANT, &other.token, None).unwrap();
        renewed.message();
        goes_on.replace(Some(renewed));
        ends(&login, &|| {
            let change = json!({"email": email, "oldPassword": PASSWORD, "newPassword": NEXT});
            let path = format!("/users/change_password/{email}");
            here.expect(204, &other.token, "POST", &path, Some(change));
        })
    };
    let reset_password = |name: &str| {
        let (_, email) = user(name);
        let login = log_in(&here, &email);
        let forgot = Call::new("POST", &format!("/users/forgot_password/{email}"));
        fs::remove_dir_all(folder.path().join("outbox")).unwrap();
        fs::create_dir(folder.path().join("outbox")).unwrap();
        assert_eq!(here.send(forgot).status, 202);
        let code = mailed_code(folder.path());
        ends(&login, &|| {
            let reset = json!({"code": code, "password": NEXT});
            let call = Call::new("POST", &format!("/users/reset_password/{email}")).json(&reset);
            assert_eq!(here.send(call).status, 204);
        })
    };
    let deactivation = |name: &str| {
        let (id, email) = user(name);
        let login = log_in(&here, &email);
        ends(&login, &|| {
            let change = json!({"name": name, "email": email, "isActive": false});
            business.as_manager(200, "PUT", &format!("/agency/{id}"), change);
        })
    };
    let erasure = |name: &str| {
        let (id, email) = user(name);
        let login = log_in(&here, &email);
        ends(&login, &|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
            let status = command
                .args(["forget", TENANT, &id, "--retention-days", "0"])
                .env("DATABASE_URL", database.url())
                .env("CAUDAL_DATA_DIR", folder.path())
                .stdout(Stdio::null())
                .status();
            assert!(status.unwrap().success());
        })
    };
    // A token that is used again after its grace period indicates a copy. The causes before it take most of that time.
    let renewed = ["reuse", "reuse-again"].map(|name| {
        let login = log_in(&here, &user(name).1);
        assert_eq!(renew(&login.cookie).status, 200);
        login
    });
    let (renewed, since) = (RefCell::new(renewed.to_vec()), Instant::now());
    let token_used_twice = |_: &str| {
        let login = renewed.borrow_mut().pop().unwrap();
        let grace = (GRACE + chrono::Duration::seconds(1)).to_std().unwrap();
        std::thread::sleep(grace.saturating_sub(since.elapsed()));
        ends(&login, &|| assert_eq!(renew(&login.cookie).code(), "session_ended"))
    };
    let too_many_sessions = |name: &str| {
        let (_, email) = user(name);
        let login = log_in(&here, &email);
        ends(&login, &|| {
            for _ in 0..MAX_SESSIONS {
                log_in(&here, &email);
            }
        })
    };

    let causes: [(&str, Cause); 8] = [
        ("logout", &logout),
        ("closed", &ended_from_the_list),
        ("password", &another_password),
        ("reset", &reset_password),
        ("inactive", &deactivation),
        ("erased", &erasure),
        ("reuse", &token_used_twice),
        ("many", &too_many_sessions),
    ];
    for (cause, end) in causes {
        let is_late = |times: Ends| times.iter().any(|time| *time >= WITHIN);
        let mut times = end(cause);
        took.push((cause.to_owned(), times));
        // A busy machine may delay a cause once; one that is slow by itself is late again.
        if is_late(times) {
            assert!(times.iter().all(|time| *time < WITHIN + BUSY), "{took:?}");
            times = end(&format!("{cause}-again"));
            took.push((format!("{cause} again"), times));
        }
        assert!(!is_late(times), "{took:?}");
    }
    println!("{took:?}");

    // A renewed session keeps its stream, which receives the next change.
    let currency = json!({"code": "XTS", "symbol": "€", "exchangeRate": "0.9", "distributionRate": "0", "accounted": true,
                              "enabled": true});
    business.as_manager(201, "POST", "/nomenclators/currency", currency);
    let mut goes_on = goes_on.into_inner().unwrap();
    while goes_on.next().data["kind"] != "currency" {}
}

#[test]
fn a_stream_that_reads_missed_changes_ends_with_its_session() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), TENANT);
    let node = Process::serve(database.url(), folder.path());
    let business = Business::set_up(node.client(TENANT));
    let client = node.client(TENANT);
    let body = json!({"name": "logout", "email": "logout@example.test", "password": PASSWORD, "paymentGroups": []});
    business.as_manager(201, "POST", "/agency", body);
    let login = log_in(&client, "logout@example.test");
    let mut present = Stream::open(node.address(), TENANT, &login.token, None).unwrap();
    present.message();
    // Whatever reads the changes waits.
    let mut owner = runtime.block_on(PgConnection::connect(database.url())).unwrap();
    runtime
        .block_on(owner.execute("BEGIN; LOCK TABLE read.changes IN ACCESS EXCLUSIVE MODE"))
        .unwrap();
    // Ahead of the feed, so that it reads for itself; more of them than read at once.
    let open = |_| {
        let mut stream = Stream::open(node.address(), TENANT, &login.token, Some(1_000_000)).unwrap();
        stream.message();
        stream
    };
    let streams: Vec<Stream> = (0..4).map(open).collect();
    std::thread::sleep(Duration::from_millis(300));
    let call = Call::new("POST", "/auth0/logout").header("Cookie", &login.cookie);
    assert_eq!(client.send(call).status, 204);
    let ended = Instant::now();
    for mut stream in streams {
        stream.read_to_its_end();
    }
    assert!(ended.elapsed() < WITHIN + BUSY, "{:?}", ended.elapsed());
    runtime.block_on(owner.execute("COMMIT")).unwrap();
}
