//! Screening: lists and thresholds, and the review of customers who are like listed people.

use super::pages;
use crate::{
    extract::{JsonBody, Language, PathId, Reading},
    input::screening::{PairDecisionInput, ScreeningRuleInput},
    listing::Listing,
    parameters::asked,
    problem::ApiError,
    screening::{
        named,
        store::{EVERYBODY, Listed},
    },
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, get, post, put};
use caudal_domain::{
    Command, Refusal, RefusalKind, TenantCommand,
    customer::{CustomerCommand, DecidePair, PairOutcome, ScreeningRule, screening::DEFAULT_THRESHOLD},
    ids::{CustomerId, TenantId},
    remittance::{HoldOutcome, RemittanceCommand, ReviewHold},
};
use caudal_projections::{
    ReadError, Scope, Snapshot,
    customer::{self, Customer},
    lists,
    screening::{self as cases, CaseDetail, PublicPairOutcome, ScreeningCase},
};
use caudal_screening::{Born, Date, Language as Spoken};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

asked! {
    ScreeningCasesParams = lists::SCREENING_CASES;
}

pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(get_screening)
        .service(set_lists)
        .service(list_cases)
        .service(get_case)
        .service(decide_pair);
}

/// Lists of a tenant, and how far the screening of all customers is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningView {
    /// Lists that the operator has loaded for the tenant, and those that are chosen.
    lists: Vec<ScreeningListView>,
    /// The latest screening of all customers; null before the first.
    run: Option<ScreeningRun>,
}

/// A list that customers may be screened against.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningListView {
    #[schema(example = "ofac-sdn")]
    name: String,
    /// Whether customers are screened against it.
    enabled: bool,
    /// Least likeness of a candidate in percent; the default where it is not chosen.
    #[schema(example = 86)]
    threshold: u8,
    /// Whether it is loaded. One that is chosen and not loaded finds nobody.
    loaded: bool,
    /// Whether it is the tenant's own; otherwise all tenants of the installation may choose it.
    own: bool,
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
pub struct ScreeningRun {
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

/// A case with its candidates.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningCaseDetail {
    #[serde(flatten)]
    case: ScreeningCase,
    /// The customer's data, to be compared; null for a deleted customer.
    person: Option<Customer>,
    /// Candidates: open ones first, best first.
    candidates: Vec<ScreeningCandidateView>,
}

/// A listed entry that the customer is like.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningCandidateView {
    #[schema(example = "ofac-sdn")]
    list: String,
    /// The entry's identifier within the list.
    #[schema(example = "18001")]
    entry: String,
    /// The listed name that was most similar when it was found.
    name: String,
    /// Likeness in percent when it was found.
    #[schema(example = 94)]
    score: u8,
    /// Why, by the present data and version of the list; null where they are not alike any more, or the list is gone.
    explanation: Option<String>,
    /// The entry in the present version of the list; null where it is gone.
    listed: Option<ListedEntryView>,
    /// The decision; null while it is open.
    decision: Option<PairDecisionView>,
}

/// An entry as it is published.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedEntryView {
    /// Names and aliases.
    names: Vec<String>,
    /// Document numbers with their kind and country.
    documents: Vec<String>,
    /// Dates, months, years or ranges of birth.
    born: Vec<String>,
    /// Countries of nationality or citizenship.
    countries: Vec<String>,
    /// Programs or regulations that list the entry.
    programs: Vec<String>,
}

/// A decision of a pair.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PairDecisionView {
    #[schema(example = "different")]
    outcome: PublicPairOutcome,
    /// Reason in the reviewer's words.
    reason: String,
    at: DateTime<Utc>,
    by: Option<caudal_projections::refs::Ref>,
}

fn lists_of(catalogue: &[Listed], tenant: &TenantId, rule: &ScreeningRule) -> Vec<ScreeningListView> {
    let mut names: Vec<&str> = catalogue
        .iter()
        .filter(|list| list.scope == EVERYBODY || list.scope == tenant.as_str())
        .map(|list| list.name.as_str())
        .chain(rule.lists.keys().map(String::as_str))
        .collect();
    names.sort_unstable();
    names.dedup();
    let view = |name: &str| {
        let list = named(catalogue, tenant, name);
        let threshold = rule.lists.get(name);
        ScreeningListView {
            name: name.to_owned(),
            enabled: threshold.is_some(),
            threshold: threshold.copied().unwrap_or(DEFAULT_THRESHOLD),
            loaded: list.is_some(),
            own: list.is_some_and(|list| list.scope != EVERYBODY),
            version: list.map(Listed::version),
            entries: list.map_or(0, |list| list.entries),
            names: list.map_or(0, |list| list.names),
            published: list.and_then(|list| list.published.clone()),
            loaded_at: list.map(|list| list.loaded_at),
        }
    };
    names.into_iter().map(view).collect()
}

async fn view(app: &crate::app::App, tenant: &TenantId) -> Result<ScreeningView, ApiError> {
    let (books, _) = app.journal.books(tenant).await?;
    let catalogue = app.screening.catalogue().await.map_err(ApiError::internal)?;
    let run = app.screening.store.run(tenant).await.map_err(ApiError::internal)?;
    Ok(ScreeningView {
        lists: lists_of(&catalogue, tenant, books.screening_rule()),
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
async fn get_screening(reading: Reading) -> Result<HttpResponse, ApiError> {
    Ok(HttpResponse::Ok().json(view(&reading.app, &reading.caller.tenant).await?))
}

/// Choose the lists that customers are screened against. Everybody is screened again in the background.
#[utoipa::path(tag = "Screening", operation_id = "setScreeningLists", request_body = ScreeningRuleInput,
    responses((status = 200, description = "Lists and progress.", body = ScreeningView)))]
#[put("/api/screening/lists")]
async fn set_lists(submit: Submit, body: JsonBody<ScreeningRuleInput>) -> Result<HttpResponse, ApiError> {
    let rule = body.into_inner().rule()?;
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    let (books, _) = app.journal.books(tenant).await?;
    let catalogue = app.screening.catalogue().await.map_err(ApiError::internal)?;
    let is_known =
        |name: &String| named(&catalogue, tenant, name).is_some() || books.screening_rule().lists.contains_key(name);
    if !rule.lists.keys().all(is_known) {
        return Err(Refusal::invalid("lists", "screening_list_unknown").into());
    }
    drop(books);
    submit.run(Command::Tenant(TenantCommand::SetScreening(rule))).await?;
    Ok(HttpResponse::Ok().json(view(app, tenant).await?))
}

/// Customers who are like listed people.
#[utoipa::path(tag = "Screening", operation_id = "listScreeningCases", params(ScreeningCasesParams),
    responses((status = 200, description = "A page.", body = pages::ScreeningCasePage)))]
#[get("/api/screening/cases")]
async fn list_cases(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::SCREENING_CASES, |s, c, q| Box::pin(cases::list(s, c, q)))
        .await
}

/// One customer beside the listed people that the customer is like.
#[utoipa::path(tag = "Screening", operation_id = "getScreeningCase",
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 200, description = "The case.", body = ScreeningCaseDetail)))]
#[get("/api/screening/cases/{id}")]
async fn get_case(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let (snapshot, scope) = reading.begin().await?;
    let language = Language::of(&request);
    let found = detail(
        &reading.app,
        &reading.caller.tenant,
        snapshot,
        &scope,
        CustomerId(id.0),
        language,
    )
    .await?;
    Ok(HttpResponse::Ok().json(found))
}

/// Decide whether the customer is a listed person. When the last candidate is somebody else, the remittances that were held
/// for it are released with the same reason.
#[utoipa::path(tag = "Screening", operation_id = "decideScreeningPair", request_body = PairDecisionInput,
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 200, description = "The case after it.", body = ScreeningCaseDetail)))]
#[post("/api/screening/cases/{id}/decisions")]
async fn decide_pair(submit: Submit, id: PathId, body: JsonBody<PairDecisionInput>) -> Result<HttpResponse, ApiError> {
    let given = body.into_inner().decision()?;
    let id = CustomerId(id.0);
    let done = submit
        .amend(async |submit| {
            let (mut snapshot, _) = submit.read_now().await?;
            let found = cases::get_case(&mut snapshot, id).await?;
            drop(snapshot);
            let is_pair = |list: &str, entry: &str| list == given.list && entry == given.entry;
            if !found.candidates.iter().any(|own| is_pair(&own.list, &own.entry)) {
                return Err(Refusal::not_found("screening_case_not_found").into());
            }
            let keeps = |own: &cases::StoredCandidate| {
                let different = own
                    .decision
                    .as_ref()
                    .is_some_and(|own| own.outcome == PairOutcome::Different);
                !different && !is_pair(&own.list, &own.entry)
            };
            let pair = DecidePair {
                list: given.list.clone(),
                entry: given.entry.clone(),
                outcome: given.outcome,
                reason: given.reason.clone(),
                others_remain: found.candidates.iter().any(keeps),
            };
            submit
                .run(Command::Customer(id, CustomerCommand::DecidePair(pair)))
                .await
        })
        .await?;
    let (mut snapshot, _) = submit.read_back(&done).await?;
    let found = cases::get_case(&mut snapshot, id).await?;
    if found.case.status == "cleared" {
        let holds = cases::holds_of(&mut snapshot, id).await?;
        drop(snapshot);
        for (remittance, number) in holds {
            let review = ReviewHold {
                number,
                outcome: HoldOutcome::Release,
                reason: given.reason.clone(),
            };
            let release = Command::Remittance(remittance, RemittanceCommand::ReviewHold(review));
            match submit.run_part(format!("{remittance} {number}"), release).await {
                // Where releases need an approval, it is proposed.
                Err(error) if error.is_proposed() => {}
                // Released, canceled or completed meanwhile.
                Err(error) if error.is_refused() => {}
                outcome => {
                    outcome?;
                }
            }
        }
    }
    let (snapshot, scope) = submit.read_now().await?;
    let found = detail(
        &submit.app,
        &submit.caller.tenant,
        snapshot,
        &scope,
        id,
        submit.language(),
    )
    .await?;
    Ok(HttpResponse::Ok().json(found))
}

async fn detail(
    app: &crate::app::App,
    tenant: &TenantId,
    mut snapshot: Snapshot,
    scope: &Scope,
    id: CustomerId,
    language: Language,
) -> Result<ScreeningCaseDetail, ApiError> {
    let CaseDetail { case, candidates } = cases::get_case(&mut snapshot, id).await?;
    let person = match customer::get(&mut snapshot, scope, id).await {
        Err(ReadError::Refused(refusal)) if refusal.kind == RefusalKind::NotFound => None,
        outcome => Some(outcome?),
    };
    let subject = cases::subjects(&mut snapshot, &[id]).await?.into_iter().next();
    drop(snapshot);
    let (books, _) = app.journal.books(tenant).await?;
    let lists = app.screening.lists(tenant, books.screening_rule()).await?;
    drop(books);
    let spoken = match language {
        Language::Spanish => Spoken::Spanish,
        Language::English => Spoken::English,
    };
    let mut views = Vec::with_capacity(candidates.len());
    for own in candidates {
        let explained = subject
            .as_ref()
            .and_then(|subject| lists.explain(subject, &own.list, &own.entry, spoken));
        let explanation = explained.as_ref().filter(|found| found.score.is_some());
        views.push(ScreeningCandidateView {
            explanation: explanation.map(|found| found.words.clone()),
            listed: explained.as_ref().map(|found| listed(&found.entry)),
            list: own.list,
            entry: own.entry,
            name: own.name,
            score: own.score,
            decision: own.decision.map(|own| PairDecisionView {
                outcome: own.outcome.into(),
                reason: own.reason,
                at: own.at,
                by: own.by,
            }),
        });
    }
    Ok(ScreeningCaseDetail {
        case,
        person,
        candidates: views,
    })
}

fn listed(entry: &caudal_screening::Entry) -> ListedEntryView {
    let document = |own: &caudal_screening::Document| {
        let parts = [
            own.kind.as_str(),
            own.number.as_str(),
            own.country.as_deref().unwrap_or_default(),
        ];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    };
    ListedEntryView {
        names: entry.names.iter().map(|name| name.text.clone()).collect(),
        documents: entry.documents.iter().map(document).collect(),
        born: entry.born.iter().map(born).collect(),
        countries: entry.countries.clone(),
        programs: entry.programs.clone(),
    }
}

/// A day, a year, or a range of days.
fn born(born: &Born) -> String {
    let day = |date: Date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day);
    let whole_year = (born.from.month, born.from.day, born.to.month, born.to.day) == (1, 1, 12, 31);
    let text = match (born.from == born.to, whole_year && born.from.year == born.to.year) {
        (true, _) => day(born.from),
        (_, true) => born.from.year.to_string(),
        _ => format!("{} – {}", day(born.from), day(born.to)),
    };
    if born.circa { format!("~ {text}") } else { text }
}
