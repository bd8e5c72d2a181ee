//! Users: the list of logins, managers, the caller's profile, and deactivation of parties and customers.

use crate::support::{Answer, Business, Call, MANAGER, PASSWORD, Server, text};
use serde_json::{Value, json};

const PNG: &[u8] = include_bytes!("worked_day/id.png");

fn names(answer: &Value) -> Vec<String> {
    answer["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| text(&row["name"]))
        .collect()
}

fn field(answer: &Answer) -> (u16, String, String) {
    let first = &answer.body["errors"][0];
    (answer.status, text(&first["field"]), text(&first["code"]))
}

fn at(status: u16, field: &str, code: &str) -> (u16, String, String) {
    (status, field.to_owned(), code.to_owned())
}

struct People {
    agent: String,
    man: String,
}

/// An agent of the agency and a delivery man of the dealer.
fn people(business: &Business) -> People {
    let agent = json!({"name": "Íñigo Núñez", "email": "agent@example.test", "password": PASSWORD, "agentType": 1,
                       "agencyId": business.agency, "phone": "+1 305 555 1234"});
    let man = json!({"name": "Man", "email": "man@example.test", "password": PASSWORD, "dealerId": business.dealer});
    People {
        agent: text(&business.as_manager(201, "POST", "/agent", agent)["id"]),
        man: text(&business.as_manager(201, "POST", "/delivery_men", man)["id"]),
    }
}

#[test]
fn the_list_of_users_has_every_login_with_search_filters_sorts_and_export() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let people = people(&business);
    let get = |path: &str| business.client.expect(200, &business.manager, "GET", path, None);
    assert_eq!(
        names(&get("/users")),
        ["Agency", "Dealer", "Íñigo Núñez", "Man", "Manager"]
    );
    assert_eq!(names(&get("/users?query=inigo%20NUNEZ")), ["Íñigo Núñez"]);
    assert_eq!(names(&get("/users?query=5551234")), ["Íñigo Núñez"]);
    assert_eq!(names(&get("/users?userType=5&isActive=true")), ["Manager"]);
    assert_eq!(
        names(&get("/users?sort=-email")),
        ["Manager", "Man", "Dealer", "Íñigo Núñez", "Agency"]
    );
    let created = names(&get("/users?sort=created&RecordsPerPage=2&CurrentPage=2"));
    assert_eq!(created, ["Dealer", "Íñigo Núñez"]);
    // Users without any access come last in both sort directions.
    let seen = names(&get("/users?sort=-lastAccess"));
    assert_eq!(&seen[..2], ["Agency", "Manager"]);
    assert_eq!(&names(&get("/users?sort=lastAccess"))[..2], ["Manager", "Agency"]);

    let man = get(&format!("/users/{}", people.man));
    assert_eq!(man["userType"], 6);
    assert_eq!(
        (&man["ownerId"], &man["ownerName"]),
        (&json!(business.dealer), &json!("Dealer"))
    );
    assert_eq!(
        (&man["lastAccess"], &man["agentType"], &man["isActive"]),
        (&Value::Null, &Value::Null, &json!(true))
    );
    let agent = get(&format!("/users/{}", people.agent));
    assert_eq!(
        (&agent["agentType"], &agent["ownerName"]),
        (&json!(1), &json!("Agency"))
    );
    assert!(get("/users?query=agency%40")["data"][0]["lastAccess"].is_string());

    let csv = Call::new("GET", "/users?format=csv&userType=3").token(&business.manager);
    let csv = String::from_utf8(business.client.send(csv).bytes).unwrap();
    assert!(
        csv.contains("Íñigo Núñez") && csv.contains("Agent, External") && !csv.contains("Dealer"),
        "{csv}"
    );
    for wrong in ["userType=1", "userType=x", "sort=shoeSize", "role=5", "isActive=yes"] {
        let answer = business
            .client
            .send(Call::new("GET", &format!("/users?{wrong}")).token(&business.manager));
        assert_eq!((answer.status, answer.code()), (422, "invalid"), "{wrong}");
    }
    let elsewhere = server.client("other");
    let theirs = elsewhere.login(MANAGER, PASSWORD);
    assert_eq!(
        names(&elsewhere.expect(200, &theirs, "GET", "/users", None)),
        ["Manager"]
    );
    elsewhere.expect(404, &theirs, "GET", &format!("/users/{}", people.agent), None);
}

#[test]
fn a_manager_adds_a_manager_who_logs_in_and_the_last_manager_stays() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let new = json!({"name": " Olga ", "email": "olga@example.test", "password": PASSWORD, "phone": "+5352345671"});
    let olga = text(&business.as_manager(201, "POST", "/users", new.clone())["id"]);
    let token = business.client.login("olga@example.test", PASSWORD);
    let user = business
        .client
        .expect(200, &token, "GET", &format!("/users/{olga}"), None);
    assert_eq!(
        (&user["name"], &user["userType"], &user["phone"]),
        (&json!("Olga"), &json!(5), &json!("+5352345671"))
    );

    let again = business
        .client
        .send(Call::new("POST", "/users").token(&token).json(&new));
    assert!(again.status == 409 || again.status == 422, "{}", again.body);
    let bad = json!({"name": "", "email": "x", "password": "weak", "isActive": "yes"});
    let refused = business
        .client
        .send(Call::new("POST", "/users").token(&token).json(&bad));
    let fields: Vec<String> = refused.body["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| text(&e["field"]))
        .collect();
    assert_eq!(
        (refused.status, fields),
        (422, vec!["password".into(), "name".into(), "isActive".into()])
    );

    let first = business
        .client
        .expect(200, &token, "GET", "/users?query=manager%40", None);
    let first = text(&first["data"][0]["id"]);
    business
        .client
        .expect(204, &token, "DELETE", &format!("/users/{first}"), None);
    let out = business
        .client
        .send(Call::new("GET", "/users").token(&business.manager));
    assert_eq!((out.status, out.code()), (401, "account_inactive"));
    for (method, body) in [("DELETE", None), ("PUT", Some(json!({"isActive": false})))] {
        let mut call = Call::new(method, &format!("/users/{olga}")).token(&token);
        if let Some(body) = &body {
            call = call.json(body);
        }
        let last = business.client.send(call);
        assert_eq!((last.status, last.code()), (409, "last_manager"));
    }
    business.client.expect(
        200,
        &token,
        "PUT",
        &format!("/users/{first}"),
        Some(json!({"isActive": true})),
    );
    business.client.login(MANAGER, PASSWORD);
}

#[test]
fn a_partial_change_of_a_user_keeps_absent_fields() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let people = people(&business);
    let full = json!({"name": "Dealer", "email": "dealer@example.test", "license": "L-1", "phone2": "+5352345672",
                      "addressLine1": "Calle 1"});
    business.as_manager(200, "PUT", &format!("/dealer/{}", business.dealer), full);
    let path = format!("/users/{}", business.dealer);
    let token = business.client.login("dealer@example.test", PASSWORD);
    let user = business.as_manager(200, "PUT", &path, json!({"phone": "+5352345679"}));
    assert_eq!(
        (&user["phone"], &user["name"]),
        (&json!("+5352345679"), &json!("Dealer"))
    );
    let get = format!("/dealer?ReceiverId={}", business.dealer);
    let dealer = business.client.expect(200, &business.manager, "GET", &get, None);
    assert_eq!(
        (&dealer["license"], &dealer["phone2"], &dealer["addressLine1"]),
        (&json!("L-1"), &json!("+5352345672"), &json!("Calle 1"))
    );
    assert_eq!(dealer["zones"][0]["id"], json!(business.municipality));
    assert_eq!(
        business
            .client
            .send(Call::new("GET", "/users/profile").token(&token))
            .status,
        200
    );

    business.as_manager(200, "PUT", &path, json!({"password": "Nueva#2027", "name": "Rosa"}));
    let out = business.client.send(Call::new("GET", "/users/profile").token(&token));
    assert_eq!(
        (out.status, out.code()),
        (401, "session_ended"),
        "another password ends the sessions"
    );
    business.client.login("dealer@example.test", "Nueva#2027");
    let taken = json!({"email": "AGENT@example.test"});
    let taken = business
        .client
        .send(Call::new("PUT", &path).token(&business.manager).json(&taken));
    assert_eq!(taken.body["errors"][0]["code"], "email_taken", "{}", taken.body);
    for (body, name, code) in [
        (json!({"name": " "}), "name", "required"),
        (json!({"email": null}), "email", "required"),
        (json!({"email": "x"}), "email", "email_invalid"),
        (json!({"password": "weak"}), "password", "password_length"),
    ] {
        let answer = business
            .client
            .send(Call::new("PUT", &path).token(&business.manager).json(&body));
        assert_eq!(field(&answer), at(422, name, code));
    }
    let nobody = format!("/users/{}", uuid::Uuid::now_v7());
    business.as_manager(404, "PUT", &nobody, json!({"name": "X"}));
    business.as_manager(200, "PUT", &format!("/users/{}", people.agent), json!({}));
}

#[test]
fn a_login_that_is_admitted_again_has_none_of_its_sessions_from_before() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let people = people(&business);
    let path = format!("/users/{}", people.agent);
    let profile = |token: &str| {
        let answer = business.client.send(Call::new("GET", "/users/profile").token(token));
        (answer.status, answer.code().to_owned())
    };
    for (method, body) in [("PUT", json!({"isActive": false})), ("DELETE", Value::Null)] {
        let stolen = business.client.login("agent@example.test", PASSWORD);
        assert_eq!(profile(&stolen).0, 200);
        let body = Some(body).filter(|body| !body.is_null());
        let status = if method == "PUT" { 200 } else { 204 };
        business.client.expect(status, &business.manager, method, &path, body);
        assert_eq!(profile(&stolen).0, 401);
        business.as_manager(200, "PUT", &path, json!({"isActive": true}));
        assert_eq!(profile(&stolen), (401, "session_ended".to_owned()), "{method}");
        assert_eq!(profile(&business.client.login("agent@example.test", PASSWORD)).0, 200);
    }
}

#[test]
fn nobody_changes_the_own_password_or_address_without_the_one_in_force() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let me = business
        .client
        .expect(200, &business.manager, "GET", "/users/profile", None);
    let path = format!("/users/{}", text(&me["id"]));
    for (field_name, body) in [
        ("password", json!({"password": "Nueva#2027"})),
        ("email", json!({"email": "mia@example.test"})),
    ] {
        let answer = business
            .client
            .send(Call::new("PUT", &path).token(&business.manager).json(&body));
        assert_eq!(field(&answer), at(422, field_name, "own_login_by_profile"));
    }
    business.as_manager(200, "PUT", &path, json!({"name": "Marta", "phone": "+13055550100"}));
}

#[test]
fn deactivation_requires_a_superior_and_no_open_work() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let people = people(&business);
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let agent = business.client.login("agent@example.test", PASSWORD);
    let delete = |token: &str, id: &str| {
        let answer = business
            .client
            .send(Call::new("DELETE", &format!("/users/{id}")).token(token));
        (answer.status, answer.code().to_owned())
    };
    let refused = |status: u16, code: &str| (status, code.to_owned());
    for (token, id) in [
        (&business.agency_token, &business.dealer),
        (&business.agency_token, &people.man),
        (&dealer, &people.agent),
        (&dealer, &business.sender),
        (&agent, &business.agency),
    ] {
        assert_eq!(delete(token, id).0, 404);
    }
    for (token, id) in [
        (&agent, &people.agent),
        (&dealer, &business.dealer),
        (&business.agency_token, &business.agency),
    ] {
        assert_eq!(
            delete(token, id),
            refused(403, "role_not_allowed"),
            "nobody ends his own use but a manager"
        );
    }
    business.fund("100000");
    let remittance = business.as_agency(201, "POST", "/remittances", business.sale("100"));
    let assign = format!("/remittances/{}/assign/dealer", text(&remittance["id"]));
    business.as_manager(
        200,
        "PUT",
        &assign,
        json!({"dealerId": business.dealer, "deliveryManId": people.man}),
    );
    assert_eq!(
        delete(&business.manager, &business.dealer),
        refused(409, "party_has_open_remittances")
    );
    assert_eq!(delete(&dealer, &people.man), refused(409, "party_has_open_remittances"));
    assert_eq!(
        delete(&business.agency_token, &business.sender),
        refused(409, "issuer_has_open_remittances")
    );
    let cancel = format!("/remittances/{}/cancel", text(&remittance["id"]));
    business.as_manager(200, "POST", &cancel, json!({"reason": "a test"}));

    assert_eq!(delete(&dealer, &people.man).0, 204);
    assert_eq!(delete(&dealer, &people.man), refused(409, "already_inactive"));
    let other = json!({"name": "Ada", "customerType": 0});
    let others = text(&business.as_manager(201, "POST", "/customer", with_agency(other, &business.agency))["id"]);
    assert_eq!(delete(&agent, &others).0, 204, "an agent's customers are its agency's");
    assert_eq!(delete(&business.agency_token, &business.recipient).0, 204);
    assert_eq!(delete(&business.agency_token, &business.sender).0, 204);
    assert_eq!(
        delete(&business.agency_token, &business.sender),
        refused(404, "customer_not_found")
    );
    let senders = business
        .client
        .expect(200, &business.agency_token, "GET", "/customer/sender", None);
    assert_eq!(senders["totalRecords"], 0, "{senders}");
    assert_eq!(delete(&business.agency_token, &people.agent).0, 204);
    assert_eq!(delete(&business.manager, &business.dealer).0, 204);
    let gone = business
        .client
        .expect(200, &business.manager, "GET", "/users?deleted=true", None);
    assert_eq!(names(&gone), ["Dealer", "Íñigo Núñez", "Man"]);
    let login = json!({"email": "agent@example.test", "password": PASSWORD});
    assert_eq!(
        business
            .client
            .send(Call::new("POST", "/auth0/login").json(&login))
            .status,
        401
    );
}

fn with_agency(mut customer: Value, agency: &str) -> Value {
    customer["agencyId"] = json!(agency);
    customer
}

#[test]
fn callers_change_their_name_and_picture_and_an_address_change_requires_the_password() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, token) = (&business.client, &business.agency_token);
    let put = |body: Value| client.send(Call::new("PUT", "/users/profile").token(token).json(&body));
    let upload = Call::new("POST", "/files/uploadfile")
        .token(token)
        .multipart([("file", "me.png", PNG)]);
    let picture = text(&client.send(upload).body["id"]);
    let changed = put(json!({"name": "Agencia Sur", "profilePicture": picture}));
    assert_eq!(changed.status, 200, "{}", changed.body);
    let url = text(&changed.body["profilePicture"]);
    assert_eq!(
        (&changed.body["name"], url.as_str()),
        (&json!("Agencia Sur"), format!("/api/files/{picture}").as_str())
    );
    assert_eq!(
        changed.body["paymentGroups"].as_array().unwrap().len(),
        1,
        "the whole profile is answered"
    );
    let image = client.send(Call::new("GET", &format!("/files/{picture}")).token(&business.manager));
    assert_eq!((image.status, image.bytes.as_slice()), (200, PNG));
    assert_eq!(put(json!({"profilePicture": url})).body["profilePicture"], json!(url));
    assert_eq!(
        put(json!({"name": "Agencia Este"})).body["profilePicture"],
        json!(url),
        "what is absent stays"
    );
    assert_eq!(put(json!({"profilePicture": null})).body["profilePicture"], Value::Null);
    let strange = put(json!({"profilePicture": "0".repeat(64)}));
    assert_eq!(field(&strange), at(422, "profilePicture", "file_not_found"));

    assert_eq!(
        field(&put(json!({"email": "sur@example.test"}))),
        at(422, "oldPassword", "required")
    );
    let guessed = put(json!({"email": "sur@example.test", "oldPassword": "Wrong#2026"}));
    assert_eq!(field(&guessed), at(422, "oldPassword", "password_wrong"));
    assert_eq!(
        put(json!({"email": "AGENCY@example.test"})).status,
        200,
        "it is the same address"
    );
    let moved = put(json!({"email": "sur@example.test", "oldPassword": PASSWORD}));
    assert_eq!((moved.status, &moved.body["email"]), (200, &json!("sur@example.test")));
    client.login("sur@example.test", PASSWORD);
    let told = server.mails(1).remove(0);
    assert!(
        told.contains("To: AGENCY@example.test") && told.contains("sur@example.test"),
        "{told}"
    );
    let taken = put(json!({"email": MANAGER, "oldPassword": PASSWORD}));
    assert_eq!(taken.body["errors"][0]["code"], "email_taken", "{}", taken.body);
    assert_eq!(field(&put(json!({"name": ""}))), at(422, "name", "required"));
    assert_eq!(
        field(&put(json!({"name": "Agencia Sur", "oldPassword": 7}))),
        at(422, "oldPassword", "text_expected"),
        "a field that is not needed is looked at as well"
    );
    let dealer = client.login("dealer@example.test", PASSWORD);
    let own = client.send(
        Call::new("PUT", "/users/profile")
            .token(&dealer)
            .json(&json!({"name": "Rosa"})),
    );
    assert_eq!((own.status, &own.body["name"]), (200, &json!("Rosa")));
}

#[test]
fn a_changed_address_ends_the_other_sessions_and_its_owner_is_told_at_the_former() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (client, token) = (&business.client, &business.agency_token);
    let works = |token: &str| client.send(Call::new("GET", "/users/profile").token(token)).status == 200;
    let phone = client.login("agency@example.test", PASSWORD);
    let put = |token: &str, path: &str, body: Value| {
        let answer = client.send(Call::new("PUT", path).token(token).json(&body));
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    };
    put(token, "/users/profile", json!({"email": "AGENCY@example.test"}));
    assert!(works(&phone), "the same address ends nothing");
    put(
        token,
        "/users/profile",
        json!({"email": "sur@example.test", "oldPassword": PASSWORD}),
    );
    assert!(works(token) && !works(&phone));
    let told = |count: usize, to: &str, subject: &str| {
        let mails = server.mails(count);
        assert!(
            mails.iter().any(|mail| mail.contains(to) && mail.contains(subject)),
            "{to} {subject}: {mails:?}"
        );
    };
    let (address, password) = (
        "Subject: Your e-mail address was changed",
        "Subject: Your password was changed",
    );
    told(1, "To: AGENCY@example.test", address);
    // A manager's change ends all of them, and says so to the owner.
    let phone = client.login("sur@example.test", PASSWORD);
    let path = format!("/users/{}", business.agency);
    put(&business.manager, &path, json!({"name": "Agencia"}));
    assert!(works(&phone) && works(token));
    put(&business.manager, &path, json!({"email": "este@example.test"}));
    assert!(!works(&phone) && !works(token));
    told(2, "To: sur@example.test", address);
    let dealer = client.login("dealer@example.test", PASSWORD);
    let body = json!({"was": {}, "email": "norte@example.test", "password": "Otra#2027x"});
    put(&business.manager, &format!("/dealer/{}", business.dealer), body);
    assert!(!works(&dealer));
    told(4, "To: dealer@example.test", address);
    told(4, "To: dealer@example.test", password);
    assert!(works(&business.manager));
}

#[test]
fn an_address_change_has_no_preview_that_could_test_passwords() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let put = |path: &str, body: Value| {
        let call = Call::new("PUT", path).token(&business.agency_token);
        business.client.send(call.json(&body))
    };
    let guess = |password: &str| json!({"email": "sur@example.test", "oldPassword": password});
    // More attempts than lock an account, correct passwords among them: all get the same answer.
    for tried in 0..20 {
        let password = if tried % 2 == 0 { PASSWORD } else { "Wrong#2026" };
        let answer = put("/users/profile?preview=true", guess(password));
        assert_eq!((answer.status, answer.code()), (422, "preview_not_available"));
    }
    let named = put("/users/profile?preview=true", json!({"name": "Agencia Sur"}));
    assert_eq!(named.status, 200, "{}", named.body);
    let moved = put("/users/profile", guess(PASSWORD));
    assert_eq!(moved.status, 200, "nothing was counted: {}", moved.body);
}

#[test]
fn countries_states_and_typed_cities_come_without_a_third_party() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let get = |token: &str, path: &str, language: &str| {
        let call = Call::new("GET", &format!("/nomenclators/{path}"))
            .token(token)
            .header("Accept-Language", language);
        let answer = business.client.send(call);
        let names = |rows: &Vec<Value>| rows.iter().map(|row| text(&row["name"])).collect::<Vec<_>>();
        (
            answer.status,
            answer.body["results"].as_array().map(names).unwrap_or_default(),
        )
    };
    let token = &business.agency_token;
    let countries = get(token, "countries", "es").1;
    assert_eq!((countries.len(), countries[0].as_str()), (249, "Afganistán"));
    assert!(get(token, "countries", "en").1.contains(&"Spain".to_owned()));
    assert!(
        get(token, "statescountry/country/us", "es")
            .1
            .contains(&"Nueva York".to_owned())
    );
    assert_eq!(get(token, "statescountry/country/PR", "es"), (200, vec![]));
    assert_eq!(get(token, "statescountry/country/XX", "es").0, 404);
    let raw = business
        .client
        .expect(200, token, "GET", "/nomenclators/statescountry/country/US", None);
    let florida = json!({"id": "US-FL", "code": "US-FL", "name": "Florida"});
    assert!(raw["results"].as_array().unwrap().contains(&florida));

    for (name, country, city) in [
        ("A", "US", "Miami"),
        ("B", "US", "miami "),
        ("C", "US", "Ñuñoa"),
        ("D", "MX", "Mérida"),
        ("E", "US", "Hialeah"),
    ] {
        business.as_agency(
            201,
            "POST",
            "/customer",
            json!({"name": name, "customerType": 0, "country": country, "municipality": city}),
        );
    }
    let cities = get(token, "cities?country=us", "es").1;
    assert_eq!((cities.len(), cities[0].to_lowercase().as_str()), (3, "miami"));
    assert_eq!(get(token, "cities?query=nunoa", "es").1, ["Ñuñoa"]);
    assert_eq!(get(token, "cities?query=mer", "es").1, ["Mérida"]);
    assert_eq!(get(token, "cities?country=XX", "es").0, 422);
    assert_eq!(get(token, "cities?town=x", "es").0, 422);
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    assert_eq!(get(&dealer, "cities", "es"), (200, vec![]), "a dealer has no issuers");
    assert_eq!(get(&business.manager, "cities", "es").1.len(), 4);
}
