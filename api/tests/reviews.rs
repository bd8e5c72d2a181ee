//! Files of reviews: which are accepted, who sees them, where they are named, and how they go.

use crate::support::{
    Answer, Branch, Business, Call, PASSWORD, Server,
    pdf::{pdf, pdf_with},
    picture, text,
};
use caudal_api::{
    files::{MAX_FILE_BYTES, Owner},
    policy::{Access, TABLE},
};
use caudal_domain::{
    office::{Area, Template},
    party::Role,
};
use chrono::{Duration, Utc};
use serde_json::{Value, json};

/// A business with a held remittance of the agency, beyond a rule of limits.
struct Held {
    business: Business,
    id: String,
}

impl Held {
    fn new(server: &Server, tenant: &str) -> Self {
        let business = Business::new(server, tenant);
        business.fund("90000.00");
        let rule = json!({"side": "sender", "window": "sale", "amount": "1", "outcome": "hold"});
        business.as_manager(201, "POST", "/limit-rules", rule);
        let id = text(&business.as_agency(201, "POST", "/remittances", business.sale("25.00"))["id"]);
        Self { business, id }
    }

    fn path(&self, rest: &str) -> String {
        format!("/remittances/{}/holds{rest}", self.id)
    }

    fn upload(&self, content: &[u8]) -> Answer {
        upload(&self.business, &self.business.manager, &self.path("/files"), content)
    }

    fn keep(&self, content: &[u8]) -> String {
        kept(&self.upload(content))
    }

    fn review(&self, status: u16, outcome: &str, files: &[&str]) -> Value {
        let body = json!({"outcome": outcome, "reason": "Enseñó el contrato", "files": files});
        self.business.as_manager(status, "POST", &self.path("/1/review"), body)
    }

    fn holds(&self) -> Value {
        let (client, manager) = (&self.business.client, &self.business.manager);
        client.expect(200, manager, "GET", &self.path(""), None)["results"].clone()
    }
}

fn upload(business: &Business, token: &str, path: &str, content: &[u8]) -> Answer {
    let call = Call::new("POST", path).token(token);
    business.client.send(call.multipart([("file", "contract", content)]))
}

/// The id of a stored file.
fn kept(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.body);
    text(&answer.body["id"])
}

fn get(business: &Business, token: &str, hash: &str) -> Answer {
    business
        .client
        .send(Call::new("GET", &format!("/files/{hash}")).token(token))
}

fn fault(answer: &Answer) -> (u16, Value, Value) {
    let error = &answer.body["errors"][0];
    (answer.status, error["field"].clone(), error["code"].clone())
}

#[test]
fn a_reviewer_attaches_images_and_documents_and_the_hold_and_the_log_name_them() {
    let server = Server::start(&["acme"]);
    let held = Held::new(&server, "acme");
    let (client, manager) = (&held.business.client, &held.business.manager);
    let content = pdf("a contract");
    let document = held.keep(&content);
    assert_eq!(held.keep(&content), document, "equal content is stored once");
    let image = held.keep(include_bytes!("../src/images/samples/gps.jpg"));

    let decision = json!({"outcome": "keep", "reason": "Enseñó el contrato", "files": [document, image]});
    let path = held.path("/1/review");
    let preview = Call::new("POST", &format!("{path}?preview=true")).token(manager);
    assert_eq!(client.send(preview.json(&decision)).status, 200);
    assert_eq!(held.holds()[0]["files"], json!([]), "a preview attaches nothing");
    let once = |_: u8| client.send(Call::new("POST", &path).token(manager).key("review").json(&decision));
    let (first, again) = (once(1), once(2));
    assert_eq!((first.status, &first.body), (200, &again.body), "{}", first.body);
    let listed = json!([{"id": document, "url": format!("/api/files/{document}")},
        {"id": image, "url": format!("/api/files/{image}")}]);
    assert_eq!(held.holds()[0]["files"], listed);
    let event = client.expect(
        200,
        manager,
        "GET",
        &format!("/audit/events/{}", server.head("acme")),
        None,
    );
    assert_eq!(event["event"]["eventType"], "HoldKept");
    assert_eq!(event["payload"]["files"], json!([document, image]));

    let served = get(&held.business, manager, &document);
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
    let served = get(&held.business, manager, &image);
    assert_eq!(
        (served.header("Content-Type"), served.header("Content-Disposition")),
        ("image/jpeg", "inline")
    );
    let holds = |what: &[u8]| served.bytes.windows(what.len()).any(|window| window == what);
    assert!(!holds(b"CameraMaker"), "the photograph has no metadata any more");

    let last = held.keep(&picture("last"));
    assert_eq!(
        held.review(200, "release", &[&last])["results"][0]["files"][0]["id"],
        json!(last)
    );
}

#[test]
fn a_decision_takes_a_few_files_of_its_own_review() {
    let server = Server::start(&["acme"]);
    let held = Held::new(&server, "acme");
    let business = &held.business;
    let wrong = |files: &[&str]| {
        let refused = held.review(422, "keep", files);
        (
            text(&refused["errors"][0]["field"]),
            text(&refused["errors"][0]["code"]),
        )
    };
    let not_found = ("files".to_owned(), "file_not_found".to_owned());
    let own = held.keep(&picture("own"));
    assert_eq!(wrong(&["contrato.pdf"]), not_found);
    assert_eq!(wrong(&[&"0".repeat(64)]), not_found);
    assert_eq!(wrong(&[&own, &own]).1, "duplicate");
    let many: Vec<_> = (0..11).map(|number| held.keep(&picture(&number.to_string()))).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(wrong(&many), ("files".to_owned(), "too_many".to_owned()));
    // A file of another remittance's review, and one that the manager uploaded for something else.
    let other = text(&business.as_agency(201, "POST", "/remittances", business.sale("30.00"))["id"]);
    let foreign = kept(&upload(
        business,
        &business.manager,
        &format!("/remittances/{other}/holds/files"),
        &picture("other"),
    ));
    assert_eq!(wrong(&[&foreign]), not_found);
    let avatar = kept(&upload(
        business,
        &business.manager,
        "/files/uploadfile",
        &picture("avatar"),
    ));
    assert_eq!(wrong(&[&avatar]), not_found);
    held.review(200, "keep", &many[..10]);
    // Nothing is uploaded where there is nothing to review.
    let free = text(&business.as_agency(201, "POST", "/remittances", business.sale("0.50"))["id"]);
    let nothing = upload(
        business,
        &business.manager,
        &format!("/remittances/{free}/holds/files"),
        &picture("free"),
    );
    assert_eq!((nothing.status, nothing.code()), (404, "hold_not_found"));
    let path = format!("/screening/cases/{}/files", business.recipient);
    let nothing = upload(business, &business.manager, &path, &picture("free"));
    assert_eq!((nothing.status, nothing.code()), (404, "screening_case_not_found"));
}

#[test]
fn files_of_other_kinds_too_large_ones_and_documents_that_act_are_refused_at_their_field() {
    let server = Server::start(&["acme"]);
    let held = Held::new(&server, "acme");
    let refused = |content: &[u8]| {
        let answer = held.upload(content);
        let (status, field, code) = fault(&answer);
        assert_eq!((status, field), (422, json!("file")), "{}", answer.body);
        text(&code)
    };
    assert_eq!(refused(b""), "required");
    assert_eq!(refused(b"MZ\x90\0"), "file_not_image_or_pdf");
    assert_eq!(refused(b"<svg onload=alert(1)>"), "file_not_image_or_pdf");
    assert_eq!(
        refused(&pdf_with("x", "<< /S /JavaScript /JS (app.alert\\(1\\)) >>")),
        "pdf_active"
    );
    assert_eq!(
        refused(&pdf_with("x", "<< /OpenAction << /S /Launch >> >>")),
        "pdf_active"
    );
    assert_eq!(
        refused(&pdf_with("x", "<< /Names << /EmbeddedFiles 4 0 R >> >>")),
        "pdf_active"
    );
    assert_eq!(refused(&pdf_with("x", "<< /Encrypt 4 0 R >>")), "pdf_encrypted");
    assert_eq!(refused(&pdf("x")[..100]), "pdf_damaged");
    let largest = |mut content: Vec<u8>, bytes: usize| {
        content.resize(bytes, b' ');
        content
    };
    let most = 10 * 1024 * 1024;
    let document = |bytes: usize| {
        let rest = bytes - pdf("large").len();
        pdf_with("large", &format!("<< {} >>", " ".repeat(rest - 1)))
    };
    assert_eq!(document(most).len(), most);
    assert_eq!(held.upload(&document(most)).status, 201);
    let beyond = held.upload(&document(most + 1));
    assert_eq!(fault(&beyond).2, "file_too_large");
    assert!(beyond.body.to_string().contains(&most.to_string()), "{}", beyond.body);
    let image = held.upload(&largest(picture("x"), MAX_FILE_BYTES + 1));
    assert_eq!(fault(&image).2, "file_too_large");
    assert!(
        image.body.to_string().contains(&MAX_FILE_BYTES.to_string()),
        "{}",
        image.body
    );
}

/// Whose branch has a shipping remittance to a recipient who is like a listed person: a hold and a case, each with a file.
fn listed(server: &Server, business: &Business) -> (Branch, [String; 2]) {
    business.fund("90000.00");
    let branch = Branch::found(business, "Zafiro");
    server.load_list("sample", "id;name\n1;Zafiro recipient\n");
    business.as_manager(200, "PUT", "/screening/lists", json!({"lists": {"sample": 86}}));
    server.screen_everybody();
    let (recipient, remittance) = (
        branch.any(crate::support::Kind::Recipient),
        branch.any(crate::support::Kind::Remittance),
    );
    let files = [
        (format!("/remittances/{remittance}/holds/files"), pdf("of a hold")),
        (format!("/screening/cases/{recipient}/files"), pdf("of a case")),
    ];
    let files = files.map(|(path, content)| kept(&upload(business, &business.manager, &path, &content)));
    (branch, files)
}

#[test]
fn who_may_not_review_gets_no_file_of_a_review_whatever_else_they_see_of_the_remittance() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let (branch, files) = listed(&server, &business);
    let remittance = branch.any(crate::support::Kind::Remittance);
    let missing = |token: &str, who: &str| {
        for hash in &files {
            let answer = get(&business, token, hash);
            assert_eq!((answer.status, answer.code()), (404, "file_not_found"), "{who}");
        }
    };
    for role in Role::ALL.iter().filter(|role| **role != Role::Manager) {
        let token = &branch.tokens[role];
        let seen = Call::new("GET", &format!("/remittances/{remittance}")).token(token);
        assert_eq!(business.client.send(seen).status, 200, "{role:?} sees the remittance");
        missing(token, role.as_str());
        let path = format!("/remittances/{remittance}/holds/files");
        assert_eq!(upload(&business, token, &path, &picture("x")).status, 403, "{role:?}");
        // Nobody makes it his own by its hash.
        for hash in &files {
            let picture = json!({"profilePicture": hash});
            let call = Call::new("PUT", "/users/profile").token(token).json(&picture);
            assert_eq!(business.client.send(call).status, 422, "{role:?}");
        }
    }
    // Members of the office by their permission sets.
    for template in Template::ALL {
        let email = format!("{}@office.test", template.as_str());
        let body = json!({"name": "Olga", "email": email, "password": PASSWORD, "permissionSet": template.as_str()});
        business.as_manager(201, "POST", "/users", body);
        let token = business.client.login(&email, PASSWORD);
        let permissions = template.permissions();
        let reads = |area| permissions.may(area, caudal_domain::office::Right::Read);
        if reads(Area::Compliance) || reads(Area::Audit) {
            for hash in &files {
                assert_eq!(get(&business, &token, hash).status, 200, "{}", template.as_str());
            }
        } else {
            missing(&token, template.as_str());
        }
    }
    // An API key, also a manager's with every scope that there is.
    let scopes = business
        .client
        .expect(200, &business.manager, "GET", "/keys/scopes", None);
    let names: Vec<_> = scopes["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scope| scope["scope"].clone())
        .collect();
    let wanted = json!({"name": "Key", "scopes": names, "expiresAt": (Utc::now() + Duration::days(9)).to_rfc3339()});
    let issued = business.as_manager(201, "POST", "/keys", wanted);
    for hash in &files {
        let answer = get(&business, &text(&issued["secret"]), hash);
        assert!(matches!(answer.status, 403 | 404), "{}", answer.status);
    }
    // A manager who sees as the agency, and the manager of another tenant.
    let other = Business::new(&server, "other");
    for hash in &files {
        assert_eq!(get(&other, &other.manager, hash).status, 404);
    }
}

#[test]
fn only_reviewers_upload_files_of_reviews() {
    let uploads = ["/api/remittances/{id}/holds/files", "/api/screening/cases/{id}/files"];
    for path in uploads {
        let row = TABLE.iter().find(|row| row.path == path).unwrap();
        assert_eq!(row.access, Access::Roles(&[Role::Manager]), "{path}");
        assert_eq!((row.areas, row.by_key), (&[Area::Compliance][..], false), "{path}");
    }
}

#[test]
fn the_opening_of_a_file_is_recorded_as_one_of_the_persons_data() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (branch, files) = listed(&server, &business);
    let of = |record: &str| {
        let path = format!("/audit/readings?recordId={record}");
        let rows = business.client.expect(200, &business.manager, "GET", &path, None);
        let rows = rows["data"].as_array().unwrap().clone();
        let calls = rows.into_iter().filter(|row| row["call"] == "/api/files/{id}");
        calls
            .map(|row| (text(&row["kind"]), text(&row["reader"]["name"])))
            .collect::<Vec<_>>()
    };
    let records = [
        (branch.any(crate::support::Kind::Remittance), "remittance"),
        (branch.any(crate::support::Kind::Recipient), "customer"),
    ];
    for ((record, kind), hash) in records.into_iter().zip(&files) {
        assert!(of(record).is_empty());
        assert_eq!(get(&business, branch.tokens.values().next().unwrap(), hash).status, 404);
        assert_eq!(get(&business, &business.manager, hash).status, 200);
        std::thread::sleep(std::time::Duration::from_millis(1_500));
        let read = of(record);
        assert_eq!(read.len(), 1, "{read:?}");
        assert_eq!(read[0].0, kind);
    }
}

#[test]
fn a_decided_match_has_its_files_and_so_have_the_dossiers() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (branch, [of_hold, of_case]) = listed(&server, &business);
    let (recipient, remittance) = (
        branch.any(crate::support::Kind::Recipient),
        branch.any(crate::support::Kind::Remittance),
    );
    let dossier = || {
        let path = format!("/customer/{recipient}/dossiers");
        let position = business.client.expect(201, &business.manager, "POST", &path, None)["position"].clone();
        let read = |format: &str| {
            business
                .client
                .send(Call::new("GET", &format!("{path}/{position}{format}")).token(&business.manager))
        };
        (read("").body["dossier"].clone(), read("?format=pdf"))
    };
    let (before, _) = dossier();
    assert_eq!(
        before["reviewFiles"],
        Value::Null,
        "without files a dossier is as it was"
    );
    let review = json!({"outcome": "keep", "reason": "Enseñó el contrato", "files": [of_hold]});
    business.as_manager(
        200,
        "POST",
        &format!("/remittances/{remittance}/holds/1/review"),
        review,
    );
    let decision =
        json!({"list": "sample", "entry": "1", "outcome": "same", "reason": "Es la misma", "files": [of_case]});
    let path = format!("/screening/cases/{recipient}/decisions");
    let foreign = {
        let mut foreign = decision.clone();
        foreign["files"] = json!([of_hold]);
        foreign
    };
    let refused = business.as_manager(422, "POST", &path, foreign);
    assert_eq!(refused["errors"][0]["code"], "file_not_found");
    let decided = business.as_manager(200, "POST", &path, decision);
    assert_eq!(
        decided["candidates"][0]["decision"]["files"],
        json!([{"id": of_case, "url": format!("/api/files/{of_case}")}])
    );
    let (dossier, pdf) = dossier();
    let of_review = |files: &Value| -> Vec<(String, String)> {
        let files = files.as_array().unwrap().iter();
        files.map(|file| (text(&file["kind"]), text(&file["hash"]))).collect()
    };
    assert_eq!(of_review(&dossier["reviewFiles"]), [("review".to_owned(), of_case)]);
    assert_eq!(
        of_review(&dossier["remittances"][0]["files"]),
        [("review".to_owned(), of_hold)]
    );
    assert_eq!(pdf.status, 200);
    let found = &dossier["screenings"][0];
    assert_eq!(
        (
            &found["inReview"],
            &found["candidates"][0]["list"],
            &found["candidates"][0]["entry"]
        ),
        (&json!(true), &json!("sample"), &json!("1"))
    );
    let decided = &dossier["pairDecisions"][0];
    assert_eq!(
        (&decided["outcome"], &decided["entry"], &decided["reason"]),
        (&json!("same"), &json!("1"), &json!("Es la misma"))
    );
    // Beside the decision stands whom it was about, as the list had that person then.
    let path = format!("/screening/cases/{recipient}");
    let case = business.client.expect(200, &business.manager, "GET", &path, None);
    let listed = &case["candidates"][0]["listed"];
    assert!(!listed["names"].as_array().unwrap().is_empty(), "{case}");
    assert_eq!(&decided["listed"], listed);
    let history = dossier["remittances"][0]["history"].as_array().unwrap();
    let held = history.iter().find(|step| step["change"] == "held").unwrap();
    assert_eq!(held["hold"], "screening");
}

#[test]
fn files_go_with_their_person_and_stay_with_another_review() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (branch, [of_hold, of_case]) = listed(&server, &business);
    let (recipient, remittance) = (
        branch.any(crate::support::Kind::Recipient),
        branch.any(crate::support::Kind::Remittance),
    );
    let removed = |owners: &[Owner]| server.remove_files("acme", owners);
    let customer = Owner::ScreeningReview(recipient.parse().unwrap());
    let hold = Owner::HoldReview(remittance.parse().unwrap());
    // The same document was shown in both reviews.
    let path = format!("/remittances/{remittance}/holds/files");
    assert_eq!(
        kept(&upload(&business, &business.manager, &path, &pdf("of a case"))),
        of_case
    );
    assert_eq!(removed(&[customer]), 0);
    assert_eq!(get(&business, &business.manager, &of_case).status, 200);
    assert_eq!(removed(&[hold]), 2);
    for hash in [&of_hold, &of_case] {
        assert_eq!(get(&business, &business.manager, hash).status, 404);
    }
    assert_eq!(removed(&[customer, hold]), 0, "it is repeatable");
}
