//! The lists that customers may be screened against, which of them are chosen, and how far the screening of all customers is.

use crate::{
    extract::{JsonBody, Reading},
    input::{merge::Mergeable as _, screening::ScreeningRuleInput},
    problem::ApiError,
    screening::{
        Chosen, named,
        store::{EVERYBODY, Listed},
    },
    submit::Submit,
};
use actix_web::{HttpResponse, get, put};
use caudal_domain::{
    Command, Refusal, TenantCommand,
    customer::screening::{DEFAULT_THRESHOLD, is_list_name},
    ids::TenantId,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

/// Lists of a tenant, and how far the screening of all customers is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScreeningView {
    /// Lists that the operator has loaded, the tenant's own ones, and those that are chosen.
    lists: Vec<ScreeningListView>,
    /// The latest screening of all customers; null before the first.
    run: Option<ScreeningRun>,
}

/// A list that customers may be screened against.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ScreeningListView {
    #[schema(example = "ofac-sdn")]
    name: String,
    /// Whether customers are screened against it.
    enabled: bool,
    /// Least likeness of a candidate in percent; the default where it is not chosen.
    #[schema(example = 86)]
    threshold: u8,
    /// Whether it is loaded. While one is chosen and not loaded, sales are refused (503 `screening_list_missing`) and nobody is
    /// cleared, until it is loaded again or no longer chosen.
    loaded: bool,
    /// Whether it is the tenant's own; otherwise all tenants of the installation may choose it.
    own: bool,
    /// Whether managers loaded it, and may load another version or remove it.
    managed: bool,
    /// Start of the digest of its entries; null where it is not loaded.
    #[schema(example = "5f2a9c01d3b4")]
    version: Option<String>,
    /// Number of entries.
    entries: i32,
    /// Number of names.
    names: i32,
    /// Date of publication, as the file has it.
    published: Option<String>,
    /// When it was loaded.
    loaded_at: Option<DateTime<Utc>>,
}

/// A screening of all customers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ScreeningRun {
    /// Customers screened so far.
    screened: i32,
    /// Customers in all, when it began or was taken over.
    total: i32,
    /// Customers whose candidates changed.
    changed: i32,
    /// When it began.
    started_at: DateTime<Utc>,
    /// When it ended; null while it runs.
    finished_at: Option<DateTime<Utc>>,
}

fn lists_of(catalogue: &[Listed], tenant: &TenantId, chosen: &Chosen) -> Vec<ScreeningListView> {
    let rule = &chosen.rule;
    let mut names: Vec<&str> = catalogue
        .iter()
        .filter(|list| list.scope == EVERYBODY || list.scope == tenant.as_str())
        .map(|list| list.name.as_str())
        // Versions of own lists are stored under names that no list has.
        .filter(|name| is_list_name(name))
        .chain(rule.lists.keys().map(String::as_str))
        .chain(chosen.own())
        .collect();
    names.sort_unstable();
    names.dedup();
    let view = |name: &str| {
        let list = named(catalogue, tenant, chosen, name);
        let threshold = rule.lists.get(name);
        ScreeningListView {
            name: name.to_owned(),
            enabled: threshold.is_some(),
            threshold: threshold.copied().unwrap_or(DEFAULT_THRESHOLD),
            loaded: list.is_some(),
            own: list.is_some_and(|list| list.scope != EVERYBODY),
            managed: chosen.is_own(name),
            version: list.map(Listed::version),
            entries: list.map_or(0, |list| list.entries),
            names: list.map_or(0, |list| list.names),
            published: list.and_then(|list| list.published.clone()),
            loaded_at: list.map(|list| list.loaded_at),
        }
    };
    names.into_iter().map(view).collect()
}

pub(super) async fn view(app: &crate::app::App, tenant: &TenantId) -> Result<ScreeningView, ApiError> {
    let (state, _) = app.journal.state(tenant).await?;
    let catalogue = app.screening.catalogue().await.map_err(ApiError::internal)?;
    let run = app.screening.store.run(tenant).await.map_err(ApiError::internal)?;
    Ok(ScreeningView {
        lists: lists_of(&catalogue, tenant, &Chosen::of(&state)),
        run: run.map(|run| ScreeningRun {
            screened: run.screened,
            total: run.total.max(run.screened),
            changed: run.found,
            started_at: run.started_at,
            finished_at: run.finished_at,
        }),
    })
}

/// Lists that customers are screened against, and how far the screening of all customers is.
#[utoipa::path(tag = "Screening", operation_id = "getScreening",
    responses((status = 200, description = "Lists and progress.", body = ScreeningView)))]
#[get("/api/screening")]
pub(super) async fn get_screening(reading: Reading) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(view(&reading.app, &reading.caller.tenant).await?))
}

/// Choose the lists that customers are screened against. Everybody is screened again in the background.
#[utoipa::path(tag = "Screening", operation_id = "setScreeningLists", request_body = ScreeningRuleInput,
    responses((status = 200, description = "Lists and progress.", body = ScreeningView)))]
#[put("/api/screening/lists")]
pub(super) async fn set_lists(submit: Submit, body: JsonBody<ScreeningRuleInput>) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    let catalogue = app.screening.catalogue().await.map_err(ApiError::internal)?;
    let amended = submit.amend(async |submit| {
        let (state, _) = app.journal.state(tenant).await?;
        let stands = || ScreeningRuleInput::standing(state.screening_rule());
        let rule = input.clone().merged(stands)?.rule()?;
        let chosen = Chosen::of(&state);
        let is_known =
            |name: &String| named(&catalogue, tenant, &chosen, name).is_some() || chosen.rule.lists.contains_key(name);
        if !rule.lists.keys().all(is_known) {
            return Err(Refusal::invalid("lists", "screening_list_unknown").into());
        }
        submit.run(Command::Tenant(TenantCommand::SetScreening(rule))).await
    });
    amended.await?;
    Ok(HttpResponse::Ok().json(view(app, tenant).await?))
}
