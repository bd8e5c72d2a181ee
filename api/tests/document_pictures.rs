//! Pictures of customers' documents: which are accepted, who sees them, when they show the present document no more, and how
//! they go.

use crate::support::{
    Answer, Branch, Business, Call, Kind, PASSWORD, Server,
    pdf::{pdf, pdf_with},
    picture, text, whole_feed,
};
use caudal_api::{
    files::Owner,
    policy::{Access, TABLE},
};
use caudal_domain::{
    customer,
    office::{Area, Right, Template},
    party::Role,
};
use chrono::{Duration, Utc};
use serde_json::{Value, json};

fn upload(business: &Business, token: &str, customer: &str, content: &[u8]) -> Answer {
    let call = Call::new("POST", &format!("/customer/{customer}/document/files")).token(token);
    business.client.send(call.multipart([("file", "document", content)]))
}

/// The id of a stored file.
fn kept(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.body);
    text(&answer.body["id"])
}

fn path(customer: &str) -> String {
    format!("/customer/{customer}/document/pictures")
}

fn send(business: &Business, token: &str, call: (&str, &str), body: Option<Value>) -> Answer {
    let call = Call::new(call.0, call.1).token(token);
    business.client.send(match &body {
        Some(body) => call.json(body),
        None => call,
    })
}

fn record(business: &Business, token: &str, customer: &str, files: &[&str]) -> Answer {
    let body = json!({ "files": files });
    send(business, token, ("PUT", &path(customer)), Some(body))
}

fn open(business: &Business, token: &str, hash: &str) -> Answer {
    send(business, token, ("GET", &format!("/files/{hash}")), None)
}

/// Ids of the pictures of the present document.
fn pictures(business: &Business, token: &str, customer: &str) -> Vec<String> {
    let answer = send(business, token, ("GET", &path(customer)), None);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let files = answer.body["files"].as_array().unwrap().iter();
    files.map(|file| text(&file["id"])).collect()
}

/// Uploads pictures of a customer's document and records them, as the customer's seller.
fn pictured(business: &Business, token: &str, customer: &str, contents: &[&[u8]]) -> Vec<String> {
    let contents = contents.iter();
    let hashes: Vec<String> = contents
        .map(|content| kept(&upload(business, token, customer, content)))
        .collect();
    let files: Vec<&str> = hashes.iter().map(String::as_str).collect();
    let recorded = record(business, token, customer, &files);
    assert_eq!(recorded.status, 200, "{}", recorded.body);
    hashes
}

#[test]
fn a_seller_records_images_and_pdfs_of_a_customers_document_once_and_the_log_names_them() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (agency, sender) = (business.agency_token.as_str(), business.sender.as_str());
    assert!(pictures(&business, agency, sender).is_empty());
    let content = pdf("passport");
    let document = kept(&upload(&business, agency, sender, &content));
    assert_eq!(
        kept(&upload(&business, agency, sender, &content)),
        document,
        "equal content is stored once"
    );
    let image = include_bytes!("../src/images/samples/gps.jpg").as_slice();
    let image = kept(&upload(&business, agency, sender, image));

    let body = json!({"files": [document, image]});
    let head = server.head("acme");
    let preview = format!("{}?preview=true", path(sender));
    let previewed = send(&business, agency, ("PUT", &preview), Some(body.clone()));
    assert_eq!(previewed.status, 200, "{}", previewed.body);
    assert_eq!(server.head("acme"), head, "a preview records nothing");
    assert!(pictures(&business, agency, sender).is_empty());

    let once = || {
        let call = Call::new("PUT", &path(sender)).token(agency).key("passport");
        business.client.send(call.json(&body))
    };
    let (first, again) = (once(), once());
    assert_eq!((first.status, &first.body), (200, &again.body), "{}", first.body);
    let listed = json!({"files": [{"id": document, "url": format!("/api/files/{document}")},
        {"id": image, "url": format!("/api/files/{image}")}]});
    assert_eq!(first.body, listed);
    assert_eq!(server.head("acme"), head + 1);
    let unchanged = record(&business, agency, sender, &[&document, &image]);
    assert_eq!((unchanged.status, server.head("acme")), (200, head + 1));
    let event = format!("/audit/events/{}", head + 1);
    let event = send(&business, &business.manager, ("GET", &event), None).body;
    assert_eq!(event["event"]["eventType"], "DocumentPicturesRecorded");
    assert_eq!(event["payload"]["files"], json!([document, image]));
    let feed = json!(whole_feed(&business.client, &business.manager, 500)).to_string();
    assert!(!feed.contains(&image), "the feed tells of no picture");

    let served = open(&business, agency, &document);
    assert_eq!((served.status, served.bytes.as_slice()), (200, content.as_slice()));
    let name = format!("attachment; filename=\"{}.pdf\"", &document[..16]);
    for (header, value) in [
        ("Content-Type", "application/pdf"),
        ("Content-Disposition", &name),
        ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "private, no-store"),
    ] {
        assert_eq!(served.header(header), value, "{header}");
    }
    let served = open(&business, agency, &image);
    assert_eq!(served.header("Content-Disposition"), "inline");
    let holds = |what: &[u8]| served.bytes.windows(what.len()).any(|window| window == what);
    assert!(!holds(b"CameraMaker"), "the photograph has no metadata any more");

    // What is replaced is no picture of the present document, and stays to be seen.
    assert_eq!(record(&business, agency, sender, &[&image]).status, 200);
    assert_eq!(pictures(&business, agency, sender), [image]);
    assert_eq!(open(&business, agency, &document).status, 200);
}

#[test]
fn a_document_has_a_few_pictures_that_were_uploaded_for_its_customer() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (agency, sender) = (business.agency_token.as_str(), business.sender.as_str());
    let wrong = |files: &[&str]| {
        let refused = record(&business, agency, sender, files);
        let error = &refused.body["errors"][0];
        assert_eq!(
            (refused.status, &error["field"]),
            (422, &json!("files")),
            "{}",
            refused.body
        );
        text(&error["code"])
    };
    let own = kept(&upload(&business, agency, sender, &picture("own")));
    assert_eq!(wrong(&["pasaporte.jpg"]), "file_not_found");
    assert_eq!(wrong(&[&"0".repeat(64)]), "file_not_found");
    assert_eq!(wrong(&[&own, &own]), "duplicate");
    let many: Vec<_> = (0..7)
        .map(|number| kept(&upload(&business, agency, sender, &picture(&number.to_string()))))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(wrong(&many), "too_many");
    let foreign = kept(&upload(&business, agency, &business.recipient, &picture("aunt")));
    assert_eq!(wrong(&[&foreign]), "file_not_found", "of another customer");
    let call = Call::new("POST", "/files/uploadfile").token(agency);
    let avatar = picture("avatar");
    let avatar = kept(
        &business
            .client
            .send(call.multipart([("file", "a.png", avatar.as_slice())])),
    );
    assert_eq!(wrong(&[&avatar]), "file_not_found", "uploaded for something else");
    let missing = send(&business, agency, ("PUT", &path(sender)), Some(json!({})));
    assert_eq!(missing.body["errors"][0]["code"], "required");
    assert_eq!(record(&business, agency, sender, &many[..6]).status, 200);

    let refused = |content: &[u8]| {
        let answer = upload(&business, agency, sender, content);
        let error = &answer.body["errors"][0];
        assert_eq!(
            (answer.status, &error["field"]),
            (422, &json!("file")),
            "{}",
            answer.body
        );
        text(&error["code"])
    };
    assert_eq!(refused(b"MZ\x90\0"), "file_not_image_or_pdf");
    let active = pdf_with("x", "<< /S /JavaScript /JS (app.alert\\(1\\)) >>");
    assert_eq!(refused(&active), "pdf_active");
}

#[test]
fn another_number_type_or_country_leaves_the_document_without_pictures_and_other_changes_keep_them() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (agency, sender) = (business.agency_token.as_str(), business.sender.as_str());
    let change = |body: Value| business.as_agency(200, "PUT", &format!("/customer/{sender}"), body);
    let none: [String; 0] = [];
    let first = pictured(&business, agency, sender, &[&picture("first")]);
    // The number is typed after the photograph was taken.
    change(
        json!({"personalIdentificationType": 1, "personalIdentificationNumber": "K123456",
                  "personalIdentificationCountry": "ES", "was": {}}),
    );
    change(json!({"lastName": "Mora", "personalIdentificationExpirationDate": "2031-05-01", "was": {}}));
    assert_eq!(pictures(&business, agency, sender), first);
    for (number, other) in [
        json!({"personalIdentificationNumber": "K123457", "was": {"personalIdentificationNumber": "K123456"}}),
        json!({"personalIdentificationCountry": "IT", "was": {"personalIdentificationCountry": "ES"}}),
        json!({"personalIdentificationType": 3, "was": {"personalIdentificationType": 1}}),
    ]
    .into_iter()
    .enumerate()
    {
        let head = server.head("acme");
        change(other);
        assert_eq!(pictures(&business, agency, sender), none, "change {number}");
        assert_eq!(server.head("acme"), head + 2, "the log says it");
        assert_eq!(open(&business, agency, &first[0]).status, 200, "the history has them");
        pictured(&business, agency, sender, &[&picture(&format!("next {number}"))]);
    }
}

/// The refusals of a caller who sees no picture of another's customer's document.
fn sees_nothing(business: &Business, token: &str, customer: &str, hash: &str, who: &str) {
    let answer = open(business, token, hash);
    assert_eq!((answer.status, answer.code()), (404, "file_not_found"), "{who}");
    for call in [
        send(business, token, ("GET", &path(customer)), None),
        record(business, token, customer, &[hash]),
        upload(business, token, customer, &picture("x")),
    ] {
        assert!(matches!(call.status, 403 | 404), "{who}: {}", call.body);
    }
    // Nobody makes it his own by its hash.
    let own = json!({"profilePicture": hash});
    let call = send(business, token, ("PUT", "/users/profile"), Some(own));
    assert_eq!(call.status, 422, "{who}");
}

#[test]
fn who_works_with_the_customer_and_who_reviews_see_the_pictures_and_nobody_else_does() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let branch = Branch::found(&business, "Norte");
    let other = Branch::found(&business, "Sur");
    let seller = &branch.tokens[&Role::Agency];
    for kind in [Kind::Sender, Kind::Recipient] {
        let customer = branch.any(kind);
        let photograph = picture(&format!("passport of a {kind:?}"));
        let [hash] = pictured(&business, seller, customer, &[&photograph])
            .try_into()
            .unwrap();
        for role in [Role::Agency, Role::ExternalAgent, Role::InternalAgent] {
            let token = &branch.tokens[&role];
            assert_eq!(pictures(&business, token, customer), [hash.as_str()], "{role:?}");
            assert_eq!(open(&business, token, &hash).status, 200, "{role:?}");
        }
        assert_eq!(open(&business, &business.manager, &hash).status, 200);
        for role in [Role::Dealer, Role::DeliveryMan] {
            sees_nothing(&business, &branch.tokens[&role], customer, &hash, role.as_str());
        }
        for (role, token) in &other.tokens {
            sees_nothing(
                &business,
                token,
                customer,
                &hash,
                &format!("{} of another branch", role.as_str()),
            );
        }
        let seller_there = &other.tokens[&Role::Agency];
        let same = upload(&business, seller_there, other.any(kind), &photograph);
        assert_eq!(kept(&same), hash, "the same photograph at another agency");
        assert_eq!(open(&business, seller_there, &hash).status, 200);
        // Members of the office by their permission sets.
        for template in Template::ALL {
            let who = template.as_str();
            let email = format!("{who}-{customer}@office.test");
            let body = json!({"name": "Olga", "email": email, "password": PASSWORD, "permissionSet": who});
            business.as_manager(201, "POST", "/users", body);
            let token = business.client.login(&email, PASSWORD);
            let permissions = template.permissions();
            let reads = |area| permissions.may(area, Right::Read);
            let sees = reads(Area::Compliance) || reads(Area::Audit) || permissions.may(Area::Customers, Right::Write);
            assert_eq!(
                open(&business, &token, &hash).status,
                if sees { 200 } else { 404 },
                "{who}"
            );
            let listed = send(&business, &token, ("GET", &path(customer)), None);
            let missing = if reads(Area::Customers) { 404 } else { 403 };
            assert_eq!(
                listed.status,
                if sees { 200 } else { missing },
                "{who}: {}",
                listed.body
            );
        }
    }
    let (customer, hash) = (
        branch.any(Kind::Sender),
        &pictures(&business, seller, branch.any(Kind::Sender))[0],
    );
    // An API key, also a manager's with every scope that there is.
    let scopes = send(&business, &business.manager, ("GET", "/keys/scopes"), None).body;
    let names = scopes["results"].as_array().unwrap().iter();
    let names: Vec<_> = names.map(|scope| scope["scope"].clone()).collect();
    let wanted = json!({"name": "Key", "scopes": names, "expiresAt": (Utc::now() + Duration::days(9)).to_rfc3339()});
    let key = text(&business.as_manager(201, "POST", "/keys", wanted)["secret"]);
    for call in [
        open(&business, &key, hash),
        send(&business, &key, ("GET", &path(customer)), None),
        record(&business, &key, customer, &[]),
    ] {
        assert!(matches!(call.status, 403 | 404), "{}", call.body);
    }
    let stranger = Business::new(&server, "other");
    assert_eq!(open(&stranger, &stranger.manager, hash).status, 404);
    assert_eq!(
        send(&stranger, &stranger.manager, ("GET", &path(customer)), None).status,
        404
    );
}

#[test]
fn a_member_of_the_office_who_only_reads_customers_sees_no_picture() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let [hash] = pictured(
        &business,
        &business.agency_token,
        &business.sender,
        &[&picture("passport")],
    )
    .try_into()
    .unwrap();
    for (name, reads, writes, sees) in [
        ("Reads customers", &["customers"][..], &[][..], false),
        ("Changes customers", &[], &["customers"], true),
        ("Reads reviews", &["compliance"], &[], true),
        ("Reads the log", &["audit"], &[], true),
        ("Sells", &["customers"], &["sales"], false),
    ] {
        let set = json!({"name": name, "reads": reads, "writes": writes});
        let set = text(&business.as_manager(201, "POST", "/permission_sets", set)["id"]);
        let email = format!("{}@office.test", name.to_lowercase().replace(' ', "-"));
        let body = json!({"name": "Olga", "email": email, "password": PASSWORD, "permissionSet": set});
        business.as_manager(201, "POST", "/users", body);
        let token = business.client.login(&email, PASSWORD);
        let listed = send(&business, &token, ("GET", &path(&business.sender)), None);
        let opened = open(&business, &token, &hash);
        let expected = if sees { 200 } else { 404 };
        assert_eq!((listed.status, opened.status), (expected, expected), "{name}");
        let may_write = writes.contains(&"customers");
        let changed = record(&business, &token, &business.sender, &[&hash]);
        assert_eq!(changed.status, if may_write { 200 } else { 403 }, "{name}");
    }
}

#[test]
fn pictures_are_recorded_and_seen_by_sessions_alone() {
    let rows = TABLE.iter().filter(|row| row.path.contains("/document/"));
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert_eq!(row.access, Access::Roles(customer::ROLES), "{}", row.path);
        assert!(!row.by_key, "{}", row.path);
        if row.method != "GET" {
            assert_eq!(row.areas, [Area::Customers], "{}", row.path);
        }
    }
}

#[test]
fn the_opening_of_a_picture_is_recorded_as_a_reading_of_the_customers_data() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (agency, sender) = (business.agency_token.as_str(), business.sender.as_str());
    let [hash] = pictured(&business, agency, sender, &[&picture("passport")])
        .try_into()
        .unwrap();
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    assert_eq!(open(&business, &dealer, &hash).status, 404);
    assert_eq!(open(&business, agency, &hash).status, 200);
    let listed = pictures(&business, &business.manager, sender);
    assert_eq!(listed, [hash]);
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let rows = format!("/audit/readings?recordId={sender}");
    let rows = send(&business, &business.manager, ("GET", &rows), None).body;
    let rows = rows["data"].as_array().unwrap().iter();
    let mut read: Vec<_> = rows
        .map(|row| (text(&row["kind"]), text(&row["call"]), text(&row["reader"]["id"])))
        .collect();
    read.retain(|(_, call, reader)| call == "/api/files/{id}" || *reader != business.agency);
    let calls: Vec<_> = read
        .iter()
        .map(|(kind, call, _)| (kind.as_str(), call.as_str()))
        .collect();
    assert_eq!(
        calls,
        [
            ("customer", "/api/customer/{id}/document/pictures"),
            ("customer", "/api/files/{id}")
        ]
    );
}

#[test]
fn the_dossier_lists_the_pictures_of_all_documents_with_their_hashes() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (agency, sender) = (business.agency_token.as_str(), business.sender.as_str());
    let dossier = || {
        let path = format!("/customer/{sender}/dossiers");
        let position = business.client.expect(201, &business.manager, "POST", &path, None)["position"].clone();
        let read = |format: &str| {
            let path = format!("{path}/{position}{format}");
            send(&business, &business.manager, ("GET", &path), None)
        };
        (read("").body["dossier"].clone(), read("?format=pdf").status)
    };
    let (before, _) = dossier();
    assert_eq!(
        before["documentPictures"],
        Value::Null,
        "without pictures a dossier is as it was"
    );
    let number = |number: &str, was: Value| {
        let body = json!({"personalIdentificationType": 1, "personalIdentificationNumber": number, "was": was});
        business.as_agency(200, "PUT", &format!("/customer/{sender}"), body);
    };
    number("K123456", json!({}));
    let old = pictured(&business, agency, sender, &[&picture("front"), &picture("back")]);
    let at = server.head("acme");
    number("K123457", json!({"personalIdentificationNumber": "K123456"}));
    let new = pictured(&business, agency, sender, &[&picture("new"), &picture("back")]);
    let (after, printed) = dossier();
    let listed: Vec<_> = after["documentPictures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (text(&file["kind"]), text(&file["hash"])))
        .collect();
    let expected = [&old[0], &old[1], &new[0]];
    assert_eq!(listed, expected.map(|hash| ("document".to_owned(), hash.clone())));
    assert_eq!(after["documentPictures"][1]["position"], at);
    assert_eq!(printed, 200);
}

#[test]
fn pictures_go_with_their_customer_and_stay_with_another_who_has_the_same_photograph() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let agency = business.agency_token.as_str();
    let (one, other) = (business.sender.as_str(), business.recipient.as_str());
    let own = pictured(&business, agency, one, &[&picture("one"), &picture("family")]);
    let shared = pictured(&business, agency, other, &[&picture("family")]);
    assert_eq!(own[1], shared[0]);
    let owner = |customer: &str| Owner::CustomerDocument(customer.parse().unwrap());
    // One that was uploaded and never recorded goes too.
    let left = kept(&upload(&business, agency, one, &picture("left")));
    assert_eq!(server.remove_files("acme", &[owner(one)]), 2);
    for hash in [&own[0], &left] {
        assert_eq!(open(&business, &business.manager, hash).status, 404);
    }
    assert_eq!(open(&business, &business.manager, &shared[0]).status, 200);
    assert_eq!(server.remove_files("acme", &[owner(one)]), 0, "it is repeatable");
    assert_eq!(server.remove_files("acme", &[owner(other)]), 1);
}

#[test]
fn pictures_of_a_deleted_customer_are_for_those_who_review() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (agency, recipient) = (business.agency_token.as_str(), business.recipient.as_str());
    let [hash] = pictured(&business, agency, recipient, &[&picture("passport")])
        .try_into()
        .unwrap();
    let gone = send(&business, agency, ("DELETE", &format!("/users/{recipient}")), None);
    assert!((200..300).contains(&gone.status), "{}", gone.body);
    sees_nothing(&business, agency, recipient, &hash, "the seller");
    assert_eq!(open(&business, &business.manager, &hash).status, 200);
    let refused = record(&business, &business.manager, recipient, &[]);
    assert_eq!((refused.status, refused.code()), (404, "customer_not_found"));
}

#[test]
fn pictures_are_recorded_for_the_document_and_beside_the_pictures_that_their_seller_saw() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (agency, sender) = (business.agency_token.as_str(), business.sender.as_str());
    let customer = format!("/customer/{sender}");
    let document = |number: &str| {
        let body = json!({"personalIdentificationType": 1, "personalIdentificationNumber": number,
            "personalIdentificationCountry": "ES", "was": {}});
        business.as_agency(200, "PUT", &customer, body)
    };
    let row = document("K123456");
    let seen = |files: &[&str]| {
        json!({"files": files, "personalIdentificationType": row["personalIdentificationType"],
            "personalIdentificationNumber": row["personalIdentificationNumber"],
            "personalIdentificationCountry": row["personalIdentificationCountry"]})
    };
    let put = |files: &[&str], was: Value| {
        let body = json!({"files": files, "was": was});
        send(&business, agency, ("PUT", &path(sender)), Some(body))
    };
    let errors = |answer: &Answer| -> Vec<(String, Value)> {
        assert_eq!(
            (answer.status, answer.code()),
            (409, "changed_since_read"),
            "{}",
            answer.body
        );
        let errors = answer.body["errors"].as_array().unwrap().iter();
        errors
            .map(|error| (text(&error["field"]), error["now"].clone()))
            .collect()
    };
    let one = kept(&upload(&business, agency, sender, &pdf("front")));
    let two = kept(&upload(&business, agency, sender, &pdf("back")));
    assert_eq!(put(&[&one], seen(&[])).status, 200);
    // Another seller, who saw no picture, does not take it away.
    assert_eq!(errors(&put(&[&two], seen(&[]))), [("files".to_owned(), json!([one]))]);
    assert_eq!(put(&[&one, &two], seen(&[&one])).status, 200);
    // Meanwhile the customer has another passport: the photographs of the first one are not recorded as of this one.
    document("K999999");
    assert!(pictures(&business, agency, sender).is_empty());
    let head = server.head("acme");
    let late = put(&[&one, &two], seen(&[]));
    let number = "personalIdentificationNumber".to_owned();
    assert_eq!(errors(&late), [(number, json!("K999999"))]);
    let late = put(&[&one, &two], seen(&[&one, &two]));
    assert_eq!(errors(&late).len(), 2);
    assert_eq!(server.head("acme"), head);
    // Without `was` nothing is compared; with a part of it, that part.
    assert_eq!(
        put(&[&two], json!({"personalIdentificationNumber": "K999999"})).status,
        200
    );
    assert_eq!(record(&business, agency, sender, &[&one]).status, 200);
    let unknown = put(&[&two], json!({"number": "K999999"}));
    assert_eq!(unknown.status, 422, "{}", unknown.body);
}
