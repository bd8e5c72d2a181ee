//! Users from a spreadsheet, who then log in by the tenant's provider or by a mailed code.

use crate::{
    sign_on::{CLIENT_ID, ORIGIN, Provider},
    support::{Answer, Business, Call, Client, PASSWORD, Process, code_in, create_tenant, secret_of, text},
};
use caudal_api::auth::totp;
use caudal_postgres_testing::TestDatabase;
use chrono::Utc;
use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};
use tokio::runtime::Runtime;

const PATIENCE: Duration = Duration::from_secs(60);

/// A manager at the screen of imports.
struct Desk<'a>(&'a Business);

impl Desk<'_> {
    fn upload(&self, content: &str) -> String {
        let parts = [
            ("kind", "kind", b"users".as_slice()),
            ("name", "name", b"people.csv"),
            ("file", "x", content.as_bytes()),
        ];
        let call = Call::new("POST", "/imports").token(&self.0.manager).multipart(parts);
        let answer = self.0.client.send(call);
        assert_eq!(answer.status, 201, "{}", answer.body);
        text(&answer.body["id"])
    }

    fn pass(&self, id: &str, act: &str, after: &str) -> Value {
        self.0
            .as_manager(200, "POST", &format!("/imports/{id}/{act}"), json!({}));
        let deadline = Instant::now() + PATIENCE;
        loop {
            let now = self.get(&format!("/imports/{id}"));
            if now["state"] == after {
                return now;
            }
            assert!(Instant::now() < deadline, "still {now}");
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    fn get(&self, path: &str) -> Value {
        let Business { client, manager, .. } = self.0;
        client.expect(200, manager, "GET", path, None)
    }

    /// Result, and field and code of the first error, of each row.
    fn results(&self, id: &str, of: &str) -> Vec<String> {
        let rows = self.get(&format!("/imports/{id}/rows?RecordsPerPage=100"));
        let told = |row: &Value| {
            let (result, error) = (text(&row[of]), &row["errors"][0]);
            match error["field"].as_str() {
                Some(field) => format!("{result} {field} {}", text(&error["code"])),
                None => result,
            }
        };
        rows["data"].as_array().unwrap().iter().map(told).collect()
    }
}

fn by_provider(client: &Client, provider: &Provider, email: &str) -> Answer {
    let begun = client.send(Call::new("POST", "/auth0/sign_on").header("Origin", ORIGIN));
    assert_eq!(begun.status, 200, "{}", begun.body);
    let cookie = begun.header("Set-Cookie").split(';').next().unwrap().to_owned();
    let (code, state) = provider.log_in(&text(&begun.body["url"]), email, |claims| {
        claims["email"] = json!(email)
    });
    let body = json!({"code": code, "state": state});
    client.send(
        Call::new("POST", "/auth0/sign_on/finish")
            .header("Cookie", &cookie)
            .json(&body),
    )
}

fn code_for(folder: &Path, email: &str) -> String {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mails = fs::read_dir(folder.join("outbox")).into_iter().flatten();
        let mut texts = mails.filter_map(|mail| fs::read_to_string(mail.unwrap().path()).ok());
        if let Some(mail) = texts.find(|mail| mail.contains(&format!("To: {email}"))) {
            return code_in(&mail);
        }
        assert!(Instant::now() < deadline, "no mail to {email}");
        std::thread::sleep(Duration::from_millis(40));
    }
}

#[test]
fn users_of_a_file_log_in_by_the_provider_or_by_a_mailed_code_and_by_no_password_before() {
    let runtime = Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), "acme");
    let arguments = ["--webhook-networks", "127.0.0.0/8"];
    let node = Process::serve_with(database.url(), folder.path(), "warn", &arguments);
    let business = Business::set_up(node.client("acme"));
    let desk = Desk(&business);
    let file = "Tipo;Nombre;Correo;Teléfono;Pertenece a;Permisos;Acceso hasta\n\
                Oficina;Olga Auditora;olga@example.test;;;Auditor;31/12/2098\n\
                agente interno;Ines;ines@example.test;+13055550123;agency@example.test;;\n\
                Distribuidor;Dario;dario@example.test;;;;\n\
                Oficina;Sin permisos;sin@example.test;;;;\n\
                Oficina;Otro;otro@example.test;;;Jefe;\n\
                Cartero;Pablo;pablo@example.test;;;;\n\
                Repartidor;Rosa;rosa@example.test;;Nadie;;\n\
                Agencia;Ana;ana@example.test;;;Auditor;\n\
                Agente interno;Sola;sola@example.test;;;;\n\
                Agencia;Otra vez;agency@example.test;;;;\n";
    let id = desk.upload(file);
    desk.pass(&id, "preview", "previewed");
    let expected = [
        "added",
        "added",
        "added",
        "refused permissionSet required",
        "refused permissionSet permission_set_unknown",
        "refused role value_unknown",
        "refused superior party_not_found",
        "refused permissionSet not_for_this_role",
        "refused agencyId required",
        "there",
    ];
    assert_eq!(desk.results(&id, "preview"), expected);
    desk.pass(&id, "start", "done");
    assert_eq!(desk.results(&id, "result"), expected);

    let client = &business.client;
    let set = json!({"issuer": "x", "clientId": CLIENT_ID, "clientSecret": "a secret: of the client/&"});
    let provider = Provider::start();
    let mut set = set;
    set["issuer"] = json!(provider.issuer());
    client.expect(200, &business.manager, "PUT", "/settings/sign_on", Some(set));
    let login = |email: &str, password: &str| {
        let body = json!({"email": email, "password": password});
        client.send(Call::new("POST", "/auth0/login").json(&body)).status
    };
    for email in ["olga@example.test", "ines@example.test"] {
        for password in [PASSWORD, "", "a password that nobody has"] {
            assert_ne!(login(email, password), 200, "{email}");
        }
    }
    let olga = by_provider(client, &provider, "olga@example.test");
    assert_eq!(olga.status, 200, "{}", olga.body);
    assert_eq!(olga.body["profile"]["name"], "Olga Auditora");
    let token = text(&olga.body["token"]["accessToken"]);
    client.expect(200, &token, "GET", "/audit/events", None);
    client.expect(
        403,
        &token,
        "POST",
        "/permission_sets",
        Some(json!({"name": "X", "reads": [], "writes": []})),
    );

    let email = "ines@example.test";
    let asked = client.send(Call::new("POST", &format!("/users/forgot_password/{email}")));
    assert!(asked.status < 300, "{}", asked.body);
    let body = json!({"code": code_for(folder.path(), email), "password": "Otra#2027x"});
    let reset = client.send(Call::new("POST", &format!("/users/reset_password/{email}")).json(&body));
    assert_eq!(reset.status, 204, "{}", reset.body);
    assert_eq!(login(email, "Otra#2027x"), 200);

    // The file of the next month: nobody twice, and who was refused is added once the row is right.
    let again = desk.upload(&file.replace("Cartero", "Agencia").replace("31/12/2098", "30/12/2098"));
    desk.pass(&again, "preview", "previewed");
    desk.pass(&again, "start", "done");
    assert_eq!(
        desk.results(&again, "result")[..6],
        ["there", "there", "there", expected[3], expected[4], "added"]
    );

    // As at the screen, users are added with a fresh code where the maker has a second factor.
    let begun = business.as_manager(201, "POST", "/second_factor/enrolments", json!({"password": PASSWORD}));
    let secret = secret_of(&text(&begun["secret"]));
    let step = totp::step_of(Utc::now());
    let path = format!("/second_factor/enrolments/{}/confirm", text(&begun["id"]));
    business.as_manager(
        200,
        "POST",
        &path,
        json!({"code": totp::code(&secret, step).to_string()}),
    );
    let last = desk.upload("Tipo;Nombre;Correo\nAgencia;Ultima;ultima@example.test\n");
    desk.pass(&last, "preview", "previewed");
    for act in ["start", "resume"] {
        let refused = business.as_manager(403, "POST", &format!("/imports/{last}/{act}"), json!({}));
        assert_eq!(refused["code"], "second_factor_code_required", "{act}");
    }
    let next = json!({"code": totp::code(&secret, step + 1).to_string()});
    business.as_manager(200, "POST", "/second_factor/code", next);
    desk.pass(&last, "start", "done");
    assert_eq!(desk.results(&last, "result"), ["added"]);
}
