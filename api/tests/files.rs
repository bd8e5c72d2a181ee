//! Files: which are accepted, and who can read them.

use crate::support::{self, Answer, Business, Call, Client, S3, Server, Surroundings, picture, text};
use caudal_api::files::{Bucket, MAX_FILE_BYTES, Quotas};
use caudal_api::rates::WriteRate;
use object_store::aws::AmazonS3Builder;
use serde_json::json;

const PNG: &[u8] = include_bytes!("worked_day/id.png");

fn upload(client: &Client, token: &str, content: &[u8]) -> Answer {
    client.send(
        Call::new("POST", "/files/uploadfile")
            .token(token)
            .multipart([("file", "a.png", content)]),
    )
}

#[test]
fn an_image_is_stored_once_and_served_with_its_type() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let kept = upload(&business.client, &business.manager, PNG);
    assert_eq!(kept.status, 201, "{}", kept.body);
    assert_eq!(
        (kept.body["mediaType"].as_str(), kept.body["size"].as_u64()),
        (Some("image/png"), Some(PNG.len() as u64))
    );
    assert_eq!(upload(&business.client, &business.manager, PNG).body, kept.body);
    let url = text(&kept.body["url"]);
    let served = business
        .client
        .send(Call::new("GET", url.trim_start_matches("/api")).token(&business.manager));
    assert_eq!((served.status, served.bytes.as_slice()), (200, PNG));
    assert_eq!(served.header("Content-Type"), "image/png");
    assert_eq!(served.header("Content-Security-Policy"), "default-src 'none'; sandbox");
}

#[test]
fn the_content_names_a_file_and_no_idempotency_key_does() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let upload = |content: &[u8]| {
        let call = Call::new("POST", "/files/uploadfile").token(&business.manager);
        business
            .client
            .send(call.key("one").multipart([("file", "a.png", content)]))
    };
    let (first, other) = (upload(PNG), upload(&picture("another")));
    assert_eq!((first.status, other.status), (201, 201));
    assert_ne!(first.body["id"], other.body["id"]);
    let again = upload(PNG);
    assert_eq!((again.status, &again.body), (201, &first.body));
}

#[test]
fn a_bucket_stores_files_like_a_folder() {
    let bucket = S3::start();
    let store = AmazonS3Builder::new()
        .with_endpoint(bucket.endpoint())
        .with_allow_http(true)
        .with_region("here")
        .with_access_key_id("key")
        .with_secret_access_key("secret");
    let place: Bucket = "s3://photos/caudal".parse().unwrap();
    let around = Surroundings {
        store: Some(place.open_with(store).unwrap()),
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let business = Business::new(&server, "acme");
    let kept = upload(&business.client, &business.manager, PNG);
    assert_eq!(kept.status, 201, "{}", kept.body);
    assert_eq!(upload(&business.client, &business.manager, PNG).body, kept.body);
    let url = text(&kept.body["url"]);
    let call = Call::new("GET", url.trim_start_matches("/api")).token(&business.manager);
    assert_eq!(business.client.send(call).bytes, PNG);
    let hash = text(&kept.body["id"]);
    assert_eq!(bucket.names(), [format!("/photos/caudal/acme/{}/{hash}", &hash[..2])]);
}

#[test]
fn files_whose_content_is_no_image_are_refused() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let code = |content: &[u8]| {
        let answer = upload(&business.client, &business.manager, content);
        assert_eq!(answer.status, 422, "{}", answer.body);
        assert_eq!(answer.body["errors"][0]["field"], "file");
        text(&answer.body["errors"][0]["code"])
    };
    assert_eq!(code(b"<svg onload=alert(1)>"), "file_not_image");
    assert_eq!(code(b"GIF89a"), "file_not_image");
    assert_eq!(code(b""), "required");
    let mut large = PNG.to_vec();
    large.resize(MAX_FILE_BYTES + 1, 0);
    assert_eq!(code(&large), "file_too_large");
}

#[test]
fn the_location_in_a_photographs_metadata_is_removed() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let samples: [(&[u8], &str); 3] = [
        (include_bytes!("../src/images/samples/gps.jpg"), "image/jpeg"),
        (include_bytes!("../src/images/samples/gps.png"), "image/png"),
        (include_bytes!("../src/images/samples/gps.webp"), "image/webp"),
    ];
    for (photograph, media_type) in samples {
        let kept = upload(&business.client, &business.manager, photograph);
        assert_eq!(kept.status, 201, "{}", kept.body);
        assert_eq!(kept.body["mediaType"], media_type);
        let url = text(&kept.body["url"]);
        let served = business
            .client
            .send(Call::new("GET", url.trim_start_matches("/api")).token(&business.manager));
        let holds = |what: &[u8]| served.bytes.windows(what.len()).any(|window| window == what);
        assert!(!holds(b"CameraMaker") && !holds(b"secret"), "{media_type}");
        assert_eq!(kept.body["size"].as_u64(), Some(served.bytes.len() as u64));
        assert_eq!(served.header("ETag"), format!("\"{}\"", text(&kept.body["id"])));
        // The same picture without its metadata has the same hash.
        assert_eq!(
            upload(&business.client, &business.manager, &served.bytes).body,
            kept.body
        );
    }
    let cut_off = &samples[0].0[..400];
    let refused = upload(&business.client, &business.manager, cut_off);
    assert_eq!(
        (refused.status, refused.body["errors"][0]["code"].as_str()),
        (422, Some("image_damaged"))
    );
}

#[test]
fn uploads_beyond_the_daily_quota_are_refused_and_stored_content_does_not_count() {
    let around = Surroundings {
        quotas: Quotas {
            files_a_day: 3,
            ..Quotas::default()
        },
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let business = Business::new(&server, "acme");
    let sent = |token: &str, what: &str| upload(&business.client, token, &picture(what));
    for what in ["one", "two", "three", "three", "one"] {
        assert_eq!(sent(&business.manager, what).status, 201, "{what}");
    }
    let refused = sent(&business.manager, "four");
    assert_eq!((refused.status, refused.code()), (429, "too_many_uploads"));
    let wait: u64 = refused.header("Retry-After").parse().unwrap();
    assert!((1..=86_400).contains(&wait), "{wait}");
    assert_eq!(sent(&business.agency_token, "four").status, 201, "another caller");
    server.pass(chrono::Duration::days(1));
    let manager = business.client.login(support::MANAGER, support::PASSWORD);
    assert_eq!(sent(&manager, "five").status, 201);
}

#[test]
fn a_tenant_at_its_storage_limit_stores_no_new_files() {
    let size = u64::try_from(picture("one").len()).unwrap();
    let around = Surroundings {
        quotas: Quotas {
            tenant_bytes: 2 * size,
            ..Quotas::default()
        },
        ..Surroundings::default()
    };
    let server = Server::among(&["acme", "other"], around);
    let (business, other) = (Business::new(&server, "acme"), Business::new(&server, "other"));
    let sent = |of: &Business, what: &str| upload(&of.client, &of.manager, &picture(what));
    assert_eq!(sent(&business, "one").status, 201);
    assert_eq!(sent(&business, "two").status, 201);
    let refused = sent(&business, "six");
    assert_eq!((refused.status, refused.code()), (409, "storage_full"));
    assert_eq!(sent(&business, "one").status, 201, "it is kept already");
    assert_eq!(sent(&other, "six").status, 201);
}

#[test]
fn a_caller_above_the_write_rate_is_limited_and_others_are_not() {
    let around = Surroundings {
        write_rate: WriteRate::per_second(2),
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let business = Business::new(&server, "acme");
    let change = || {
        let call = Call::new("PUT", "/users/profile").token(&business.agency_token);
        business.client.send(call.json(&json!({"name": "Agency"})))
    };
    let answers: Vec<Answer> = (0..60).map(|_| change()).collect();
    let slowed = answers.iter().find(|answer| answer.status == 429).unwrap();
    assert_eq!((slowed.code(), slowed.header("Retry-After")), ("too_many_writes", "1"));
    let read = business
        .client
        .send(Call::new("GET", "/users/profile").token(&business.agency_token));
    assert_eq!(read.status, 200, "reading goes on");
    business.client.expect(
        200,
        &business.client.login("dealer@example.test", support::PASSWORD),
        "PUT",
        "/users/profile",
        Some(json!({"name": "Dealer"})),
    );
}

#[test]
fn a_file_is_visible_to_its_owner_and_superiors_only() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let other = Business::new(&server, "other");
    let kept = upload(&business.client, &business.agency_token, PNG);
    let path = format!("/files/{}", text(&kept.body["id"]));
    let status = |client: &Client, token: &str| client.send(Call::new("GET", &path).token(token)).status;
    let dealer = business.client.login("dealer@example.test", support::PASSWORD);
    assert_eq!(status(&business.client, &business.agency_token), 200);
    assert_eq!(status(&business.client, &business.manager), 200);
    assert_eq!(status(&business.client, &dealer), 404);
    assert_eq!(status(&other.client, &other.manager), 404);
    assert_eq!(business.client.send(Call::new("GET", &path)).status, 401);
    let unknown = format!("/files/{}", "0".repeat(64));
    assert_eq!(
        business
            .client
            .send(Call::new("GET", &unknown).token(&business.manager))
            .status,
        404
    );
}

#[test]
fn delivery_proofs_are_visible_with_their_remittance() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    business.as_manager(
        201,
        "POST",
        "/sources/deposit/manager",
        json!({"currency": "CUP", "amount": "100000"}),
    );
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("50"));
    let id = text(&sold["id"]);
    let assign = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
    let dealer = business.client.login("dealer@example.test", support::PASSWORD);
    let complete = Call::new("POST", &format!("/remittances/{id}/complete"))
        .token(&dealer)
        .multipart([("identificationDocument", "id.png", PNG), ("firmPicture", "s.png", PNG)]);
    let done = business.client.send(complete);
    assert_eq!(done.status, 200, "{}", done.body);
    let seen = business
        .client
        .expect(200, &business.agency_token, "GET", &format!("/remittances/{id}"), None);
    let url = text(&seen["proof"]["identificationDocument"]);
    let path = url.trim_start_matches("/api").to_owned();
    for token in [&business.agency_token, &business.manager, &dealer] {
        assert_eq!(business.client.send(Call::new("GET", &path).token(token)).bytes, PNG);
    }
}
