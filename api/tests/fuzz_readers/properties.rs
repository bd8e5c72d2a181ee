//! Properties of forms, query strings, JSON bodies and files to import for any input. The random test (`main.rs`) and the
//! coverage-guided fuzzer (`fuzz/`) both check them. Each function panics on a violation.

use actix_web::{
    FromRequest as _, HttpMessage as _,
    dev::Payload,
    error::PayloadError,
    http::{
        Uri,
        header::{CONTENT_TYPE, HeaderValue},
    },
    test::TestRequest,
    web::Bytes,
};
use caudal_api::{
    catalogue,
    extract::{BodyDigest, Filters, JSON_LIMIT, JsonBody, Language},
    form_memory::FormMemory,
    imports::{
        kinds::ImportKind,
        mapping::{self, Mapping},
        proofs::{self, MAX_ENTRIES},
        reader::{self, MAX_CELL_CHARS, MAX_COLUMNS, MAX_ROWS, ReadFault, Table},
    },
    input::{
        customer::{AddCardInput, CustomerInput},
        dashboard::{AgencyReportInput, AgentReportInput, StatisticsQuery, TotalsQuery},
        movement::{ClosureInput, DealerTransferInput, DepositInput, ExpenseInput, PayDebitsInput, Takes},
        party::{AgencyInput, AgentInput, DealerInput, DeliveryManInput},
        password::{ChangePasswordInput, ResetPasswordInput},
        reference_data::{CurrencyInput, PaymentGroupInput, PaymentGroupRef},
        remittance::{
            AssignDealerInput, BulkAssignInput, DealerDeskInput, QuoteQuery, ReasonInput, RemittanceAmountInput,
            RemittanceDetailsInput, RemittanceInput,
        },
        user::{ProfileInput, UserInput},
    },
    listing,
    multipart::Form,
    problem::ApiError,
};
use caudal_domain::{
    PasswordPolicy, Refusal,
    customer::CustomerKind,
    movement::{DepositTo, ExpectedParty},
    party::PartyDetails,
};
use caudal_projections::{
    from_log::OwnDetails,
    page::{MAX_PAGE, MAX_QUERY_LENGTH, MAX_RECORDS_PER_PAGE},
};
use futures::stream;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    io::{Cursor, Write as _},
    str::FromStr,
    sync::LazyLock,
};
use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().enable_time().build().unwrap());

static MEMORY: LazyLock<FormMemory> = LazyLock::new(FormMemory::default);

/// An id of any type.
fn id<T: FromStr<Err: Debug>>() -> T {
    "0196a000-0000-7000-8000-000000000008".parse().unwrap()
}

fn payload(body: &[u8], size: usize) -> Payload {
    let pieces: Vec<Result<Bytes, PayloadError>> = body
        .chunks(size)
        .map(|piece| Ok(Bytes::copy_from_slice(piece)))
        .collect();
    Payload::Stream {
        payload: Box::pin(stream::iter(pieces)),
    }
}

/// Checks that a refusal's codes have a text and that it names the field.
fn told(error: &ApiError) {
    let problem = error.problem(Language::English);
    assert!((400..500).contains(&problem.status), "{problem:?}");
    assert!(catalogue::known(&problem.code).is_some(), "{problem:?}");
    assert!(problem.code != "invalid" || !problem.errors.is_empty(), "{problem:?}");
    for error in &problem.errors {
        assert!(catalogue::known(&error.code).is_some(), "{problem:?}");
    }
}

/// A parsed form.
#[derive(Debug, PartialEq)]
pub struct Read {
    pub parts: BTreeMap<String, Bytes>,
    digest: [u8; 32],
}

/// Parses a form that arrives in chunks of a size. Returns the form, or the refusal's code.
pub fn read_form(kind: &HeaderValue, body: &[u8], size: usize) -> Result<Read, String> {
    let request = TestRequest::post()
        .insert_header((CONTENT_TYPE, kind.clone()))
        .app_data(MEMORY.clone())
        .to_http_request();
    let read = Form::from_request(&request, &mut payload(body, size));
    let mut form = RUNTIME.block_on(read).map_err(|error| {
        told(&error);
        error.code().to_owned()
    })?;
    let names = form.has_only(&[]).err().map(|error| error.problem(Language::English));
    let names = names.into_iter().flat_map(|problem| problem.errors);
    let parts = names.map(|name| (name.field.clone(), form.take(&name.field).unwrap_or_default()));
    let digest = request.extensions().get::<BodyDigest>().map(|digest| digest.0);
    Ok(Read {
        parts: parts.collect(),
        digest: digest.unwrap(),
    })
}

const BOUNDARY: &[u8] = b"\r\n--written";

/// Writes a form of these parts; `None` where a name would need escaping, or a part contains the boundary.
fn written_form(parts: &BTreeMap<String, Bytes>) -> Option<Vec<u8>> {
    let is_plain = |name: &str| !name.contains(|c: char| c.is_control() || c == '"' || c == '\\');
    let mut body = Vec::new();
    for (name, content) in parts {
        if !is_plain(name) || content.windows(BOUNDARY.len()).any(|window| window == BOUNDARY) {
            return None;
        }
        let head = format!("--written\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--written--\r\n");
    Some(body)
}

/// A form reads equal for every chunking, and reads back equal, or is refused.
pub fn form(kind: &[u8], body: &[u8], size: usize) {
    let Ok(kind) = HeaderValue::from_bytes(kind) else {
        return;
    };
    let whole = read_form(&kind, body, body.len().max(1));
    assert_eq!(read_form(&kind, body, size), whole, "in pieces of {size}");
    let Ok(read) = whole else { return };
    assert!(read.parts.values().map(Bytes::len).sum::<usize>() <= body.len());
    if let Some(written) = written_form(&read.parts).filter(|_| !read.parts.is_empty()) {
        let kind = HeaderValue::from_static("multipart/form-data; boundary=written");
        assert_eq!(read_form(&kind, &written, written.len()), Ok(read));
    }
}

/// Fields of the types that operations use.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct Fields {
    province_id: Option<uuid::Uuid>,
    pub amount: Option<String>,
    page: Option<u32>,
    is_active: Option<bool>,
}

/// Parses a query string as the server does; `None` where it is refused or can't be part of a request line.
pub fn filters<T: DeserializeOwned + 'static>(query: &str) -> Option<T> {
    let uri: Uri = format!("/api/x?{query}").parse().ok()?;
    let request = TestRequest::with_uri(&uri.to_string()).to_http_request();
    let read = Filters::<T>::from_request(&request, &mut Payload::None).into_inner();
    read.inspect_err(told).ok().map(|fields| fields.0)
}

/// A query string's fields, or a list's paging and filters, read back equal, or the string is refused.
pub fn query(text: &str) {
    if let Some(read) = filters::<Fields>(text) {
        let written = serde_urlencoded::to_string(&read).unwrap();
        assert_eq!(filters(&written), Some(read), "{text:?} as {written:?}");
    }
    let _ = command(filters::<QuoteQuery>(text), QuoteQuery::request);
    let _ = command(filters::<StatisticsQuery>(text), StatisticsQuery::query);
    let _ = command(filters::<TotalsQuery>(text), TotalsQuery::query);
    list(text);
}

fn list(text: &str) {
    let (list, format) = match listing::parse(text) {
        Ok(read) => read,
        Err(error) => return told(&error),
    };
    assert!((1..=MAX_PAGE).contains(&list.current_page), "{text:?}");
    assert!((0..=MAX_RECORDS_PER_PAGE).contains(&list.records_per_page), "{text:?}");
    let is_search = |text: &String| !text.is_empty() && text.trim() == text && text.chars().count() <= MAX_QUERY_LENGTH;
    assert!(list.query.iter().all(is_search), "{text:?}");
    let is_value = |text: &String| !text.is_empty() && !text.contains(char::is_control);
    let mut texts = list.filters.values().chain(&list.query).chain(&list.sort);
    assert!(texts.all(is_value), "{text:?}");
    let mut pairs = vec![
        ("CurrentPage", list.current_page.to_string()),
        ("RecordsPerPage", list.records_per_page.to_string()),
    ];
    pairs.extend(list.query.clone().map(|text| ("query", text)));
    pairs.extend(list.sort.clone().map(|text| ("sort", text)));
    pairs.extend(format.map(|format| (listing::FORMAT, format.extension().to_owned())));
    pairs.extend(list.filters.iter().map(|(name, value)| (name.as_str(), value.clone())));
    let written = serde_urlencoded::to_string(&pairs).unwrap();
    assert_eq!(
        listing::parse(&written).unwrap(),
        (list, format),
        "{text:?} as {written:?}"
    );
}

/// Checks that a parsed body is a command or that its refusal names the field. Returns whether it is a command.
fn command<T, C>(read: Option<T>, command: impl FnOnce(T) -> Result<C, Refusal>) -> bool {
    match read.map(command) {
        Some(Err(refusal)) => {
            told(&ApiError::from(refusal));
            false
        }
        Some(Ok(_)) => true,
        None => false,
    }
}

fn body<T: DeserializeOwned + 'static, C>(text: &[u8], to_command: impl FnOnce(T) -> Result<C, Refusal>) -> bool {
    let request = TestRequest::post()
        .insert_header((CONTENT_TYPE, "application/json"))
        .to_http_request();
    let read = JsonBody::<T>::from_request(&request, &mut payload(text, JSON_LIMIT));
    let read = RUNTIME.block_on(read).inspect_err(told);
    command(read.ok().map(JsonBody::into_inner), to_command)
}

/// Parses a body. Returns whether it is a command.
pub type Reader = fn(&[u8]) -> bool;

/// The parsers by operation, each with a valid body.
pub const BODIES: &[(&str, Reader, &str)] = &[
    (
        "deposit-of-cash",
        |text| {
            body(text, |input: DepositInput| {
                input.command(DepositTo::Treasury, Takes::Cash)
            })
        },
        include_str!("bodies/deposit-of-cash.json"),
    ),
    (
        "deposit-of-balance",
        |text| {
            body(text, |input: DepositInput| {
                input.command(DepositTo::Party(id(), ExpectedParty::Any), Takes::Balance)
            })
        },
        include_str!("bodies/deposit-of-balance.json"),
    ),
    (
        "transfer",
        |text| body(text, DealerTransferInput::command),
        include_str!("bodies/transfer.json"),
    ),
    (
        "expense",
        |text| body(text, |input: ExpenseInput| input.command(id())),
        include_str!("bodies/expense.json"),
    ),
    (
        "payment",
        |text| body(text, PayDebitsInput::command),
        include_str!("bodies/payment.json"),
    ),
    (
        "closure",
        |text| body(text, |input: ClosureInput| input.command(id())),
        include_str!("bodies/closure.json"),
    ),
    (
        "preview-for-agencies",
        |text| body(text, AgencyReportInput::query),
        include_str!("bodies/preview-for-agencies.json"),
    ),
    (
        "preview-for-agents",
        |text| body(text, AgentReportInput::query),
        include_str!("bodies/preview-for-agents.json"),
    ),
    (
        "remittance",
        |text| body(text, |input: RemittanceInput| input.command(id())),
        include_str!("bodies/remittance.json"),
    ),
    (
        "amount-of-a-remittance",
        |text| body(text, RemittanceAmountInput::command),
        include_str!("bodies/amount-of-a-remittance.json"),
    ),
    (
        "details-of-a-remittance",
        |text| {
            body(text, |input: RemittanceDetailsInput| {
                input.command(OwnDetails {
                    recipient: id(),
                    address: Some("Calle 1".to_owned()),
                    notes: None,
                })
            })
        },
        include_str!("bodies/details-of-a-remittance.json"),
    ),
    (
        "dealer-of-a-remittance",
        |text| body(text, AssignDealerInput::command),
        include_str!("bodies/dealer-of-a-remittance.json"),
    ),
    (
        "dealer-of-several-remittances",
        |text| body(text, BulkAssignInput::commands),
        include_str!("bodies/dealer-of-several-remittances.json"),
    ),
    (
        "agencies-of-the-desk",
        |text| body(text, DealerDeskInput::agencies),
        include_str!("bodies/agencies-of-the-desk.json"),
    ),
    (
        "reason",
        |text| body(text, ReasonInput::reason),
        include_str!("bodies/reason.json"),
    ),
    (
        "customer",
        |text| body(text, |input: CustomerInput| input.new_customer(id())),
        include_str!("bodies/customer.json"),
    ),
    (
        "change-of-a-customer",
        |text| body(text, |input: CustomerInput| input.change(CustomerKind::Issuer)),
        include_str!("bodies/change-of-a-customer.json"),
    ),
    (
        "card",
        |text| body(text, AddCardInput::command),
        include_str!("bodies/card.json"),
    ),
    (
        "agency",
        |text| {
            body(text, |input: AgencyInput| {
                input.new_party(id(), PasswordPolicy::Composed)
            })
        },
        include_str!("bodies/agency.json"),
    ),
    (
        "agent",
        |text| {
            body(text, |input: AgentInput| {
                input.new_party(id(), PasswordPolicy::Composed)
            })
        },
        include_str!("bodies/agent.json"),
    ),
    (
        "dealer",
        |text| {
            body(text, |input: DealerInput| {
                input.new_party(id(), PasswordPolicy::Composed)
            })
        },
        include_str!("bodies/dealer.json"),
    ),
    (
        "delivery-man",
        |text| {
            body(text, |input: DeliveryManInput| {
                input.new_party(id(), PasswordPolicy::Composed)
            })
        },
        include_str!("bodies/delivery-man.json"),
    ),
    (
        "user",
        |text| body(text, |input: UserInput| input.new_party(id(), PasswordPolicy::Composed)),
        include_str!("bodies/user.json"),
    ),
    (
        "profile",
        |text| body(text, |input: ProfileInput| input.change(PartyDetails::default())),
        include_str!("bodies/profile.json"),
    ),
    (
        "password",
        |text| {
            body(text, |input: ChangePasswordInput| {
                input.change("ana@example.test", PasswordPolicy::Composed)
            })
        },
        include_str!("bodies/password.json"),
    ),
    (
        "password-by-a-code",
        |text| body(text, |input: ResetPasswordInput| input.reset(PasswordPolicy::Long)),
        include_str!("bodies/password-by-a-code.json"),
    ),
    (
        "currency",
        |text| body(text, |input: CurrencyInput| input.currency(id())),
        include_str!("bodies/currency.json"),
    ),
    (
        "group",
        |text| body(text, |input: PaymentGroupInput| input.group(id(), None)),
        include_str!("bodies/group.json"),
    ),
    (
        "columns-of-an-import",
        |text| {
            body(text, |mapping: Mapping| {
                mapping.check(ImportKind::Remittances, 6).map_err(Refusal::all_invalid)
            })
        },
        include_str!("bodies/columns-of-an-import.json"),
    ),
    (
        "name-of-a-group",
        |text| body(text, PaymentGroupRef::id),
        include_str!("bodies/name-of-a-group.json"),
    ),
];

/// Whether a fault of a file has a text, with a value for each of its placeholders.
fn faulty(fault: &ReadFault) {
    let text = catalogue::text(fault.code, Language::English, &fault.params);
    assert!(
        catalogue::known(fault.code).is_some() && !text.contains('{'),
        "{fault:?}"
    );
}

/// A file is a table within the limits, of which each kind reads every row or tells its cells, or a fault that has a text.
pub fn import(content: &[u8]) -> Option<Table> {
    let table = match reader::read(content) {
        Ok(table) => table,
        Err(fault) => {
            faulty(&fault);
            return None;
        }
    };
    assert!((1..=MAX_ROWS).contains(&table.rows.len()) && table.headers.len() <= MAX_COLUMNS);
    for row in &table.rows {
        assert!(row.cells.len() <= table.headers.len(), "{row:?}");
        let fits = |cell: &String| cell.chars().count() <= MAX_CELL_CHARS;
        assert!(row.cells.iter().all(fits), "{row:?}");
    }
    for kind in ImportKind::ALL {
        let mapping = mapping::guess(*kind, &table);
        // What can't be guessed is left to a person.
        let faults = mapping.check(*kind, table.headers.len()).err().unwrap_or_default();
        assert!(faults.iter().all(|fault| fault.code == "required"), "{faults:?}");
        for row in &table.rows {
            for fault in mapping.values(*kind, row).err().unwrap_or_default() {
                assert!(catalogue::known(fault.code).is_some(), "{fault:?}");
            }
        }
    }
    assert_eq!(reader::read(content).as_ref(), Ok(&table), "read again");
    Some(table)
}

/// A ZIP of files by name; `None` for names that a ZIP can't have.
fn zipped(files: &[(&str, &[u8])]) -> Option<Vec<u8>> {
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, stored).ok()?;
        writer.write_all(content).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}

const WORKBOOK: &[(&str, &str)] = &[
    (
        "[Content_Types].xml",
        r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>"#,
    ),
    (
        "_rels/.rels",
        r#"<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
    ),
    (
        "xl/workbook.xml",
        r#"<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Uno" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
    ),
    (
        "xl/_rels/workbook.xml.rels",
        r#"<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
    ),
    (
        "xl/sharedStrings.xml",
        "<sst uniqueCount=\"3\"><si><t>Remitente</t></si><si><t>Destinatario</t></si><si><r><t>Mon</t></r><r><t>to</t></r></si></sst>",
    ),
    (
        "xl/styles.xml",
        r#"<styleSheet><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#,
    ),
];

/// A workbook's sheet, in an XLSX file that is whole.
pub const SHEET: &str = r#"<worksheet><dimension ref="A1:D3"/><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Ana</t></is></c><c r="B2" t="str"><f>A2</f><v>Eva</v></c><c r="C2"><v>1234.5</v></c><c r="D2" s="1"><v>45000</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B1"/></mergeCells></worksheet>"#;

/// A workbook with this sheet, and with a part replaced.
pub fn workbook(sheet: &[u8], replaced: Option<(usize, &[u8])>) -> Option<Table> {
    let mut parts: Vec<(&str, &[u8])> = WORKBOOK.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    if let Some((at, content)) = replaced {
        let count = parts.len();
        parts[at % count].1 = content;
    }
    parts.push(("xl/worksheets/sheet1.xml", sheet));
    import(&zipped(&parts)?)
}

/// Text of a workbook's part beside the sheet.
pub fn part_of_workbook(at: usize) -> &'static str {
    WORKBOOK[at % WORKBOOK.len()].1
}

/// Content of an ODS file.
pub const DOCUMENT: &str = r#"<office:document-content><office:automatic-styles><style:style style:name="ta1"><style:table-properties table:display="true"/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="Uno" table:style-name="ta1"><table:table-row><table:table-cell><text:p>Nombre</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>Monto</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell><text:p>Ana &amp; <text:span>Eva</text:span></text:p></table:table-cell><table:table-cell office:value-type="float" office:value="12.5"/><table:table-cell office:value-type="date" office:date-value="2026-11-27"/></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>"#;

/// An OpenDocument spreadsheet with this content.
pub fn document(content: &[u8]) -> Option<Table> {
    import(&zipped(&[("content.xml", content)])?)
}

/// A ZIP of proofs is entries with names of their own and no path, or a fault that has a text. Returns their number.
pub fn proofs(content: &[u8]) -> usize {
    let entries = match proofs::read(content) {
        Ok(entries) => entries,
        Err(fault) => {
            faulty(&fault);
            return 0;
        }
    };
    assert!((1..=MAX_ENTRIES).contains(&entries.len()));
    let names: BTreeSet<String> = entries.iter().map(|entry| entry.name.to_lowercase()).collect();
    assert_eq!(names.len(), entries.len(), "{names:?}");
    let is_plain = |name: &String| !name.contains(['/', '\\']) && !name.contains(char::is_control) && name != "..";
    assert!(names.iter().all(is_plain), "{names:?}");
    entries.len()
}

/// A ZIP of proofs with these names.
pub fn named_proofs(names: &[String]) -> Option<Vec<u8>> {
    let files: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), b"\x89PNG".as_slice()))
        .collect();
    zipped(&files)
}

/// An input of the fuzzer: its first byte is what it is.
#[allow(dead_code, reason = "the coverage-guided fuzzer calls it")]
pub fn imported(input: &[u8]) {
    let Some((kind, rest)) = input.split_first() else {
        return;
    };
    match kind % 5 {
        0 => drop(import(rest)),
        1 => drop(workbook(rest, None)),
        2 => drop(document(rest)),
        3 => drop(proofs(rest)),
        _ => drop(workbook(SHEET.as_bytes(), Some((usize::from(kind / 5), rest)))),
    }
}

/// A body is a command, or its refusal names the field by codes that have a text.
pub fn json(kind: &str, text: &[u8]) {
    if let Some((_, read, _)) = BODIES.iter().find(|(name, ..)| *name == kind) {
        let _ = read(text);
    }
}
