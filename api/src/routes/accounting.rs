//! Closures, account balances and entries.

use super::pages;
use crate::{
    extract::{Filters, JsonBody, PathId, Reading},
    input::movement::ClosureInput,
    listing::{FORMAT, Listing, text_file},
    parameters::{asked, parameter},
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{FromRequest as _, HttpRequest, HttpResponse, get, post, web::Bytes};
use caudal_domain::{Command, ids::ClosureId};
use caudal_export::Format;
use caudal_projections::{
    closure::{self, Closure},
    export::Turn,
    ledger, lists,
    plaintext::{self, Program},
};
use futures::TryStreamExt as _;
use serde::Deserialize;
use serde_json::Value;
use utoipa::{
    IntoParams,
    openapi::{
        ObjectBuilder, Required,
        path::{Parameter, ParameterIn},
        schema::Type,
    },
};

/// Format of an export of the ledger.
#[derive(Deserialize)]
struct LedgerQuery {
    #[serde(default)]
    format: String,
}

/// The only parameter of the ledger for hledger or beancount, which is always the whole.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WholeLedger {
    #[serde(rename = "format")]
    _format: String,
}

asked! {
    ClosuresParams = lists::CLOSURES;
    BalancesParams = lists::BALANCES;
    EntriesParams = lists::ENTRIES;
}

/// Formats of the ledger's export.
struct LedgerExport;

impl IntoParams for LedgerExport {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let formats = ["hledger", "beancount", "csv", "xlsx"].map(Value::from);
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(formats));
        let mut parameter = parameter(FORMAT, "A program's journal, or a table.", schema);
        parameter.required = Required::True;
        vec![parameter]
    }
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(close_period)
        .service(list_closures)
        .service(get_closure)
        .service(list_balances)
        .service(list_entries)
        .service(export_ledger);
}

/// Close a seller's period: freezes its figures and bills its commission.
#[utoipa::path(tag = "Closures", operation_id = "closePeriod", request_body = ClosureInput,
    responses((status = 201, description = "Closed.", body = Closure)))]
#[post("/api/accounting/closures")]
async fn close_period(submit: Submit, body: JsonBody<ClosureInput>) -> Result<HttpResponse, ApiError> {
    let close = body.into_inner().command(ClosureId::generate())?;
    let done = submit.run(Command::Closure(close)).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let closure = closure::get(&mut transaction, &scope, ClosureId(done.answer.id)).await?;
    Ok(HttpResponse::Created().json(closure))
}

/// Closures.
#[utoipa::path(tag = "Closures", operation_id = "listClosures",
    params(ClosuresParams),
    responses((status = 200, description = "A page.", body = pages::ClosurePage)))]
#[get("/api/accounting/closures")]
async fn list_closures(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::CLOSURES, |s, c, q| Box::pin(closure::list(s, c, q)))
        .await
}

/// One closure.
#[utoipa::path(tag = "Closures", operation_id = "getClosure", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", body = Closure)))]
#[get("/api/accounting/closures/{id}")]
async fn get_closure(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(closure::get(&mut transaction, &scope, ClosureId(id.0)).await?))
}

/// Balances of all accounts over a period; current ones without dates.
#[utoipa::path(tag = "Accounting", operation_id = "listAccountBalances",
    params(BalancesParams),
    responses((status = 200, description = "A page, and the totals of all pages.", body = pages::AccountBalancePage)))]
#[get("/api/accounting/balances")]
async fn list_balances(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::BALANCES, |s, c, q| Box::pin(ledger::balances(s, c, q)))
        .await
}

/// Journal entries.
#[utoipa::path(tag = "Accounting", operation_id = "listEntries", params(EntriesParams),
    responses((status = 200, description = "A page.", body = pages::LedgerEntryPage)))]
#[get("/api/accounting/entries")]
async fn list_entries(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer_lines(
            &lists::ENTRIES,
            |s, c, q| Box::pin(ledger::entries(s, c, q)),
            lists::entry_lines,
        )
        .await
}

/// The whole ledger for hledger or beancount, with a transaction per entry, its event's position as a tag, and balance
/// assertions at the end; or as CSV or XLSX, with a line per transfer.
#[utoipa::path(tag = "Accounting", operation_id = "exportLedger", params(LedgerExport),
    responses((status = 200, description = "It.", content(
        (String = "text/plain"), (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")))))]
#[get("/api/accounting/export")]
async fn export_ledger(
    request: HttpRequest,
    reading: Reading,
    Filters(LedgerQuery { format }): Filters<LedgerQuery>,
) -> Result<HttpResponse, ApiError> {
    if let Some(program) = Program::by_name(&format) {
        Filters::<WholeLedger>::extract(&request).await?;
        let turn = Turn::take().await?;
        let (transaction, _) = reading.begin().await?;
        let name = format!(
            "{}-{}.{}",
            transaction.tenant(),
            transaction.position(),
            program.extension()
        );
        let pieces = plaintext::journal(transaction, program, turn).await?;
        return Ok(text_file(
            &name,
            "text/plain; charset=utf-8",
            pieces.map_ok(Bytes::from),
        ));
    }
    let format = match format.parse::<Format>() {
        Ok(format @ (Format::Csv | Format::Xlsx)) => format,
        _ => return Err(ApiError::invalid(FORMAT, "value_unknown")),
    };
    Listing::extract(&request)
        .await?
        .in_format(format)?
        .answer_lines(
            &lists::ENTRIES,
            |s, c, q| Box::pin(ledger::entries(s, c, q)),
            lists::entry_lines,
        )
        .await
}
