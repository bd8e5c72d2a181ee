//! Forms and query strings made by chance, straight at what reads them: many more than come through the server's door.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where it must")]

#[path = "../../domain/tests/fuzz/harness.rs"]
mod harness;

use actix_web::{
    FromRequest as _,
    dev::Payload,
    error::PayloadError,
    http::{Uri, header::CONTENT_TYPE},
    test::TestRequest,
    web::Bytes,
};
use caudal_api::{extract::Filters, multipart::Form};
use futures::stream;
use harness::fuzz;
use serde::{Deserialize, Serialize};
use tokio::runtime::{Builder, Runtime};

const FORM: &[u8] =
    b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\
                      \r\n\x89PNG\r\n--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nabc\r\n--x--\r\n";

const PIECES: &[&str] = &[
    "--x",
    "--x--",
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    "--",
    "name=\"\"",
    "name=file",
    "filename*=UTF-8''%00",
    "Content-Length: -1\r\n",
    "Content-Transfer-Encoding: base64\r\n",
    "Content-Type: multipart/mixed; boundary=x\r\n",
    "\u{0}",
    ";",
    "\"",
];

/// What is read of a body that arrives in pieces of this size.
fn read(runtime: &Runtime, body: &[u8], size: usize) -> String {
    let pieces: Vec<Result<Bytes, PayloadError>> = body
        .chunks(size)
        .map(|piece| Ok(Bytes::copy_from_slice(piece)))
        .collect();
    let mut payload: Payload = Payload::Stream {
        payload: Box::pin(stream::iter(pieces)),
    };
    let request = TestRequest::post()
        .insert_header((CONTENT_TYPE, "multipart/form-data; boundary=x"))
        .to_http_request();
    match runtime.block_on(Form::from_request(&request, &mut payload)) {
        Ok(form) => format!("{form:?}"),
        Err(error) => error.code().to_owned(),
    }
}

#[test]
fn a_form_is_read_as_the_same_however_it_is_cut_on_its_way() {
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let whole = read(&runtime, FORM, FORM.len());
    assert!(whole.contains("note") && whole.contains("abc"), "{whole}");
    fuzz("forms", |chance| {
        let body = chance.mutated(FORM, PIECES);
        let whole = read(&runtime, &body, body.len().max(1));
        let size = 1 + chance.below(30);
        let shown = String::from_utf8_lossy(&body);
        assert_eq!(read(&runtime, &body, size), whole, "in pieces of {size}: {shown:?}");
    });
}

/// Fields of the kinds that calls have.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
struct Fields {
    province_id: Option<uuid::Uuid>,
    amount: Option<String>,
    page: Option<u32>,
    is_active: Option<bool>,
}

fn fields(query: &str) -> Option<Fields> {
    let uri: Uri = format!("/api/x?{query}").parse().ok()?;
    let request = TestRequest::with_uri(&uri.to_string()).to_http_request();
    let read = Filters::<Fields>::from_request(&request, &mut Payload::None).into_inner();
    read.ok().map(|fields| fields.0)
}

#[test]
fn a_query_string_is_fields_that_read_back_the_same_or_it_is_refused() {
    const TEXT: &str = "provinceId=0196a000-0000-7000-8000-000000000008&amount=%31.00&page=3&isActive=true";
    const PIECES: &[&str] = &[
        "&",
        "=",
        "%",
        "%00",
        "%FF",
        "%C3%28",
        "+",
        "amount",
        "page=",
        "-1",
        "4294967296",
        "null",
        "[]",
        ";",
        "%26",
        "%3D",
    ];
    assert_eq!(fields(TEXT).unwrap().amount.as_deref(), Some("1.00"));
    fuzz("queries", |chance| {
        let text = chance.mutated(TEXT.as_bytes(), PIECES);
        let Ok(text) = std::str::from_utf8(&text) else { return };
        if let Some(read) = fields(text) {
            let written = serde_urlencoded::to_string(&read).unwrap();
            assert_eq!(fields(&written), Some(read), "{text:?} as {written:?}");
        }
    });
}
