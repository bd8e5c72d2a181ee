//! Screening: lists and thresholds, and the review of customers who are like listed people.

use super::{approvals::stored_command, pages, reviews::require_of};
use crate::{
    catalogue,
    extract::{JsonBody, Language, PathId, Reading},
    files::Owner,
    input::{
        merge::Mergeable as _,
        remittance::ReasonInput,
        screening::{PairDecisionInput, ScreeningRuleInput},
    },
    listing::Listing,
    multipart::{Form, Limits},
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    screening::{
        Chosen, Wanted, named,
        own::{self, MAX_OWN_BYTES, OwnFile},
        store::{About, EVERYBODY, Listed, MAX_OWN_NAMES, StoreError, stored_name},
    },
    submit::Submit,
};
use actix_web::{
    FromRequest, HttpRequest, HttpResponse, delete,
    dev::Payload,
    get, post, put,
    web::{Bytes, Path},
};
use caudal_domain::{
    Command, FieldError, Refusal, RefusalKind, TenantCommand,
    approval::{ApprovalKind, ProposedCommand},
    customer::{
        CustomerCommand, DecidePair, ListedPerson, OwnList, PairOutcome, ScreeningCandidate,
        screening::{DEFAULT_THRESHOLD, is_list_name},
    },
    ids::{CustomerId, PartyId, ProposalId, RemittanceId, TenantId},
    refusal::Params,
    remittance::{HoldOutcome, RemittanceCommand, ReviewHold},
};
use caudal_projections::{
    ReadError, Scope, Snapshot,
    customer::{self, Customer},
    lists,
    refs::ReviewFile,
    screening::{self as cases, CaseDetail, OwnListVersion, ProposedReview, PublicPairOutcome, ScreeningCase},
};
use caudal_screening::{Born, Date, Language as Spoken};
use chrono::{DateTime, Utc};
use futures::future::LocalBoxFuture;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Digits of a version, as people compare it.
const SHOWN_DIGITS: usize = 12;

asked! {
    ScreeningCasesParams = lists::SCREENING_CASES;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(get_screening)
        .service(set_lists)
        .service(check_own_list)
        .service(load_own_list)
        .service(own_list_versions)
        .service(remove_own_list)
        .service(list_cases)
        .service(get_case)
        .service(decide_pair)
        .service(release_holds);
}

/// Lists of a tenant, and how far the screening of all customers is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningView {
    /// Lists that the operator has loaded, the tenant's own ones, and those that are chosen.
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
    /// Releases of remittances in review for the match that wait for an approval, oldest first.
    proposed_releases: Vec<ProposedReview>,
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
    /// The entry: of a decided pair as it was when decided, of an open one in the present version of the list; null where it is
    /// gone.
    listed: Option<ListedEntryView>,
    /// The decision; null while it is open.
    decision: Option<PairDecisionView>,
    /// The decision that they are two persons, proposed and waiting for its approval; null where none waits. A second one would wait
    /// beside it.
    proposed: Option<ProposedReview>,
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
    /// Files that the reviewer attached.
    files: Vec<ReviewFile>,
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

async fn view(app: &crate::app::App, tenant: &TenantId) -> Result<ScreeningView, ApiError> {
    let (books, _) = app.journal.books(tenant).await?;
    let catalogue = app.screening.catalogue().await.map_err(ApiError::internal)?;
    let run = app.screening.store.run(tenant).await.map_err(ApiError::internal)?;
    Ok(ScreeningView {
        lists: lists_of(&catalogue, tenant, &Chosen::of(&books)),
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
    let input = body.into_inner();
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    let catalogue = app.screening.catalogue().await.map_err(ApiError::internal)?;
    let amended = submit.amend(async |submit| {
        let (books, _) = app.journal.books(tenant).await?;
        let stands = || ScreeningRuleInput::standing(books.screening_rule());
        let rule = input.clone().merged(stands)?.rule()?;
        let chosen = Chosen::of(&books);
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

/// A file with entries of an own list: CSV with a header `name`, and any of `aliases`, `document`, `born`, `countries`, `id`;
/// at most 10 MB and 50,000 entries. Decided matches go by the `id`; an entry without one has an id derived from its content, so
/// that a changed entry is reviewed again.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is the form's shape in the OpenAPI document")]
pub struct OwnListInput {
    /// Name of the list: lower-case letters, digits and inner hyphens, at most 40.
    #[schema(example = "own-blocked")]
    name: String,
    /// The file.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<u8>,
}

/// What a file of an own list has.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnListCheck {
    /// Number of entries.
    entries: usize,
    /// Number of names, with aliases.
    names: usize,
    /// Start of the digest of its entries: the version that it would be.
    #[schema(example = "5f2a9c01d3b4")]
    version: String,
    /// The first entries.
    sample: Vec<ListedEntryView>,
    /// What was left out, by line: the first 20.
    warnings: Vec<OwnListWarning>,
    /// Number of all warnings.
    warned: usize,
}

/// What of a line was left out.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnListWarning {
    /// Line of the file, from 1.
    line: u64,
    /// `screening_entry_empty`: neither a name nor a document; `screening_born_unknown`: a date of birth that is not understood.
    #[schema(example = "screening_born_unknown")]
    code: String,
    /// Text in the caller's language.
    detail: String,
}

/// Versions of an own list.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnListVersions {
    /// Newest first, the newest 50.
    results: Vec<OwnListVersion>,
}

struct OwnListForm(Form);

const OWN_LIST: Limits = Limits {
    form: MAX_OWN_BYTES + 64 * 1024,
    part: MAX_OWN_BYTES,
    too_large: |field| {
        ApiError::all_invalid(vec![FieldError {
            field,
            code: "screening_file_too_large",
            params: Params::from([("max", MAX_OWN_BYTES.to_string())]),
        }])
    },
};

impl FromRequest for OwnListForm {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let payload = payload.take();
        Box::pin(async move { Form::within(&request, payload, OWN_LIST).await.map(Self) })
    }
}

impl OwnListForm {
    /// Name and content of the file.
    fn parts(self) -> Result<(String, Bytes), ApiError> {
        let Self(mut form) = self;
        form.has_only(&["name", "file"])?;
        let required = |field: &'static str| move || ApiError::invalid(field, "required");
        let name = form.take("name").ok_or_else(required("name"))?;
        let name = String::from_utf8(name.to_vec()).unwrap_or_default();
        let name = name.trim().to_owned();
        if !is_list_name(&name) {
            return Err(ApiError::invalid("name", "list_name_invalid"));
        }
        let file = form.take("file").ok_or_else(required("file"))?;
        Ok((name, file))
    }
}

/// Refuses the name of a list that the operator loaded: an own list would stand in its place.
async fn require_free(app: &crate::app::App, tenant: &TenantId, name: &str) -> Result<(), ApiError> {
    let catalogue = app.screening.catalogue().await.map_err(ApiError::internal)?;
    let of_tenant = |list: &&Listed| list.scope == EVERYBODY || list.scope == tenant.as_str();
    if catalogue.iter().filter(of_tenant).any(|list| list.name == name) {
        return Err(Refusal::invalid("name", "list_name_taken").into());
    }
    Ok(())
}

/// Check a file of an own list: how many entries it has, the first ones, and what would be left out. Nothing is stored.
#[utoipa::path(tag = "Screening", operation_id = "checkOwnScreeningList",
    request_body(content = OwnListInput, content_type = "multipart/form-data"),
    responses((status = 200, description = "What it has.", body = OwnListCheck)))]
#[post("/api/screening/own-lists/check")]
async fn check_own_list(reading: Reading, request: HttpRequest, form: OwnListForm) -> Result<HttpResponse, ApiError> {
    let (name, content) = form.parts()?;
    require_free(&reading.app, &reading.caller.tenant, &name).await?;
    let OwnFile {
        packed,
        summary,
        sample,
    } = own::read(content).await?;
    let language = Language::of(&request);
    let warnings = summary.warnings.iter().map(|warning| {
        let code = own::warned(warning);
        OwnListWarning {
            line: warning.line,
            code: code.to_owned(),
            detail: catalogue::text(code, language, &Params::new()),
        }
    });
    let mut version = packed.version();
    version.truncate(SHOWN_DIGITS);
    Ok(HttpResponse::Ok().json(OwnListCheck {
        entries: packed.entries(),
        names: packed.names(),
        version,
        sample: sample.iter().map(as_listed).map(ListedEntryView::from).collect(),
        warnings: warnings.collect(),
        warned: summary.warned,
    }))
}

/// Load an own list, or another version of one. Where it is chosen, everybody is screened again in the background.
#[utoipa::path(tag = "Screening", operation_id = "loadOwnScreeningList",
    request_body(content = OwnListInput, content_type = "multipart/form-data"),
    responses((status = 201, description = "Lists and progress.", body = ScreeningView)))]
#[post("/api/screening/own-lists")]
async fn load_own_list(submit: Submit, form: OwnListForm) -> Result<HttpResponse, ApiError> {
    let (name, content) = form.parts()?;
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    require_free(app, tenant, &name).await?;
    let OwnFile { packed, summary, .. } = own::read(content).await?;
    let list = OwnList {
        name,
        version: packed.version(),
        entries: u32::try_from(packed.entries()).unwrap_or(u32::MAX),
        names: u32::try_from(packed.names()).unwrap_or(u32::MAX),
    };
    if !submit.previews() {
        let (books, _) = app.journal.books(tenant).await?;
        let waits = books
            .waiting(app.now())
            .any(|proposal| proposal.kind == ApprovalKind::ScreeningRules);
        let keep = Chosen::of(&books).stored();
        drop(books);
        let about = About {
            scope: tenant.as_str().to_owned(),
            name: stored_name(&list.name, &list.version),
            format: caudal_screening::Format::Csv.name(),
            published: summary.published,
            now: app.now(),
        };
        // The content first: the log never says a version that no node can read.
        let stored = app
            .screening
            .store
            .put_own(about, packed, (!waits).then_some(&keep))
            .await;
        stored.map_err(|error| match error {
            StoreError::TooManyOwnNames { .. } => Refusal::conflict("own_lists_too_large")
                .with("max", MAX_OWN_NAMES)
                .into(),
            StoreError::TooManyNames { .. } => Refusal::conflict("screening_lists_too_large").into(),
            error => ApiError::internal(error),
        })?;
        app.screening.forget_catalogue();
    }
    submit
        .run_as_read(Command::Tenant(TenantCommand::LoadOwnList(list)))
        .await?;
    Ok(HttpResponse::Created().json(view(app, tenant).await?))
}

/// Versions of an own list: who loaded each, and when.
#[utoipa::path(tag = "Screening", operation_id = "listOwnScreeningListVersions",
    params(("name" = String, Path, description = "Name of the list")),
    responses((status = 200, description = "The versions.", body = OwnListVersions)))]
#[get("/api/screening/own-lists/{name}/versions")]
async fn own_list_versions(reading: Reading, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let (mut snapshot, _) = reading.begin().await?;
    let results = cases::own_versions(&reading.app.journal, &mut snapshot, &name).await?;
    Ok(HttpResponse::Ok().json(OwnListVersions { results }))
}

/// Remove an own list that is not chosen.
#[utoipa::path(tag = "Screening", operation_id = "removeOwnScreeningList",
    params(("name" = String, Path, description = "Name of the list")),
    responses((status = 200, description = "Lists and progress.", body = ScreeningView)))]
#[delete("/api/screening/own-lists/{name}")]
async fn remove_own_list(submit: Submit, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let name = name.into_inner();
    submit
        .run_as_read(Command::Tenant(TenantCommand::RemoveOwnList(name)))
        .await?;
    Ok(HttpResponse::Ok().json(view(&submit.app, &submit.caller.tenant).await?))
}

/// Customers who are like listed people.
#[utoipa::path(tag = "Screening", operation_id = "listScreeningCases", params(ScreeningCasesParams),
    responses((status = 200, description = "A page.", body = pages::ScreeningCasePage)))]
#[get("/api/screening/cases")]
async fn list_cases(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer(&lists::SCREENING_CASES, move |s, c, q| {
            Box::pin(cases::list(s, c, q, now))
        })
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

/// Decide whether the customer is a listed person. When the last candidate is somebody else and another search finds nobody,
/// the remittances that were held for it are released with the same reason. A match that is decided to be the same person keeps
/// the customer in review until it is decided again.
///
/// Where a rule of approvals covers releases, `different` answers 202 with a proposal, whatever its amount from. The customer stays
/// in review until it is approved; the approval holds for the releases.
#[utoipa::path(tag = "Screening", operation_id = "decideScreeningPair", request_body = PairDecisionInput,
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 200, description = "The case after it.", body = ScreeningCaseDetail)))]
#[post("/api/screening/cases/{id}/decisions")]
async fn decide_pair(submit: Submit, id: PathId, body: JsonBody<PairDecisionInput>) -> Result<HttpResponse, ApiError> {
    let given = body.into_inner().decision()?;
    let id = CustomerId(id.0);
    require_of(
        &submit.app,
        &submit.caller.tenant,
        Owner::ScreeningReview(id),
        &given.files,
    )
    .await?;
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    let (books, _) = app.journal.books(tenant).await?;
    let lists = app.screening.lists(tenant, &Chosen::of(&books), Wanted::Shown).await?;
    drop(books);
    let present = lists.entry(&given.list, &given.entry).map(as_listed);
    let given = DecidePair {
        list: given.list,
        entry: given.entry,
        outcome: given.outcome,
        reason: given.reason,
        files: given.files,
        // Until it is read.
        others_remain: true,
        listed: present,
    };
    let done = submit
        .amend(async |submit| {
            let pair = as_of_now(submit, id, given.clone()).await?;
            submit
                .run(Command::Customer(id, CustomerCommand::DecidePair(pair)))
                .await
        })
        .await?;
    submit.read_back(&done).await?;
    release_cleared(&submit, id, &given.reason, None).await?;
    answer_with(&submit, id).await
}

/// Release what is still held for a match of which nobody is left to judge: the customer's name or document was corrected, or a
/// list or its threshold changed. Each remittance is released with the reason; where releases need an approval, each is proposed.
#[utoipa::path(tag = "Screening", operation_id = "releaseScreeningHolds", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 200, description = "The case after it.", body = ScreeningCaseDetail)))]
#[post("/api/screening/cases/{id}/release")]
async fn release_holds(submit: Submit, id: PathId, body: JsonBody<ReasonInput>) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    let id = CustomerId(id.0);
    let (mut snapshot, _) = submit.read_now().await?;
    let found = cases::get_case(&mut snapshot, id, submit.app.now()).await?;
    if found.case.status != "cleared" {
        return Err(Refusal::conflict("screening_case_not_cleared").into());
    }
    let holds = cases::holds_of(&mut snapshot, id).await?;
    drop(snapshot);
    if holds.is_empty() {
        return Err(Refusal::conflict("screening_nothing_held").into());
    }
    if submit.previews() {
        return Err(previewed_releases(&submit, holds, &reason).await?);
    }
    release(&submit, holds, &reason, None).await?;
    answer_with(&submit, id).await
}

/// The case as it is now.
async fn answer_with(submit: &Submit, id: CustomerId) -> Result<HttpResponse, ApiError> {
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

/// A decision of a pair as it is now: whether other candidates keep the customer in review. Whom another search finds is recorded.
///
/// # Errors
/// 404 for a pair that is not found any more.
pub(super) async fn as_of_now(submit: &Submit, id: CustomerId, given: DecidePair) -> Result<DecidePair, ApiError> {
    let (mut snapshot, _) = submit.read_now().await?;
    let found = cases::get_case(&mut snapshot, id, submit.app.now()).await?;
    drop(snapshot);
    let is_pair = |own: &cases::StoredCandidate| own.list == given.list && own.entry == given.entry;
    let Some(own) = found.candidates.iter().find(|own| is_pair(own)) else {
        return Err(Refusal::not_found("screening_case_not_found").into());
    };
    let keeps = |own: &cases::StoredCandidate| {
        let decision = own.decision.as_ref();
        let different = decision.is_some_and(|own| own.outcome == PairOutcome::Different);
        !different && !is_pair(own)
    };
    let mut others_remain = found.candidates.iter().any(keeps);
    if given.outcome == PairOutcome::Different && !others_remain {
        // The last one that is shown: the search may have been cut to the best ones.
        let pair = ScreeningCandidate {
            list: own.list.clone(),
            entry: own.entry.clone(),
            name: own.name.clone(),
            score: own.score,
        };
        let (app, tenant) = (&submit.app, &submit.caller.tenant);
        others_remain = app.finds_others(tenant, id, &pair, !submit.previews()).await?;
    }
    let before = own.decision.as_ref().and_then(|own| own.listed.clone());
    Ok(DecidePair {
        others_remain,
        listed: given.listed.or(before),
        ..given
    })
}

/// Releases what was held for a customer once no candidate is left: as the caller, or as the maker whose decision the caller
/// approved. The caller's approval then holds for the releases too, where a rule covers them.
pub(super) async fn release_cleared(
    submit: &Submit,
    id: CustomerId,
    reason: &str,
    maker: Option<PartyId>,
) -> Result<(), ApiError> {
    let (mut snapshot, _) = submit.read_now().await?;
    let found = cases::get_case(&mut snapshot, id, submit.app.now()).await?;
    if found.case.status != "cleared" {
        return Ok(());
    }
    let holds = cases::holds_of(&mut snapshot, id).await?;
    drop(snapshot);
    release(submit, holds, reason, maker).await
}

/// The preview of releases together: one that has become impossible is left out of it, as [`release`] leaves it out.
async fn previewed_releases(
    submit: &Submit,
    holds: Vec<(RemittanceId, u32)>,
    reason: &str,
) -> Result<ApiError, ApiError> {
    let mut all: Option<ApiError> = None;
    for (remittance, number) in holds {
        let Err(decided) = submit.run(release_of(remittance, number, reason)).await else {
            continue;
        };
        if let Some(view) = decided.preview() {
            all = Some(match all {
                Some(before) => before.with_preview(view.clone()),
                None => decided,
            });
        } else if !decided.is_refused() {
            return Err(decided);
        }
    }
    Ok(all.unwrap_or_else(|| Refusal::conflict("screening_nothing_held").into()))
}

fn release_of(remittance: RemittanceId, number: u32, reason: &str) -> Command {
    let review = ReviewHold {
        number,
        outcome: HoldOutcome::Release,
        reason: reason.to_owned(),
        // They are of the review of the customer, and stand with its decision.
        files: Vec::new(),
    };
    Command::Remittance(remittance, RemittanceCommand::ReviewHold(review))
}

/// Releases holds of a review that is over, each as a release of its own.
async fn release(
    submit: &Submit,
    holds: Vec<(RemittanceId, u32)>,
    reason: &str,
    maker: Option<PartyId>,
) -> Result<(), ApiError> {
    for (remittance, number) in holds {
        let release = release_of(remittance, number, reason);
        let part = format!("{remittance} {number}");
        let outcome = match maker {
            None => submit.run_part(part, release).await.map(|_| ()),
            Some(maker) => submit.run_entailed(maker, part, release).await,
        };
        match outcome {
            // A rule that was made since the decision: the release is proposed.
            Err(error) if error.is_proposed() => {}
            // Released, canceled or completed meanwhile.
            Err(error) if error.is_refused() => {}
            outcome => outcome?,
        }
    }
    Ok(())
}

async fn detail(
    app: &crate::app::App,
    tenant: &TenantId,
    mut snapshot: Snapshot,
    scope: &Scope,
    id: CustomerId,
    language: Language,
) -> Result<ScreeningCaseDetail, ApiError> {
    let CaseDetail {
        case,
        candidates,
        waiting,
    } = cases::get_case(&mut snapshot, id, app.now()).await?;
    let person = match customer::get(&mut snapshot, scope, id).await {
        Err(ReadError::Refused(refusal)) if refusal.kind == RefusalKind::NotFound => None,
        outcome => Some(outcome?),
    };
    let subject = cases::subjects(&app.journal, &mut snapshot, &[id])
        .await?
        .into_iter()
        .next();
    drop(snapshot);
    let (mut decisions, mut proposed_releases) = (BTreeMap::new(), Vec::new());
    for proposed in waiting {
        if proposed.remittance.is_some() {
            proposed_releases.push(proposed);
            continue;
        }
        // The pair stands in the proposal's event alone: it is personal data.
        let stored = stored_command(app, tenant, ProposalId(proposed.id)).await?;
        if let Some(ProposedCommand::DecidePair { pair, .. }) = stored {
            decisions.entry((pair.list, pair.entry)).or_insert(proposed);
        }
    }
    let (books, _) = app.journal.books(tenant).await?;
    let lists = app.screening.lists(tenant, &Chosen::of(&books), Wanted::Shown).await?;
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
        let when_decided = own.decision.as_ref().and_then(|own| own.listed.clone());
        let entry = when_decided.or_else(|| explained.as_ref().map(|found| as_listed(&found.entry)));
        views.push(ScreeningCandidateView {
            explanation: explanation.map(|found| found.words.clone()),
            listed: entry.map(ListedEntryView::from),
            proposed: decisions.remove(&(own.list.clone(), own.entry.clone())),
            list: own.list,
            entry: own.entry,
            name: own.name,
            score: own.score,
            decision: own.decision.map(|own| PairDecisionView {
                outcome: own.outcome.into(),
                reason: own.reason,
                at: own.at,
                by: own.by,
                files: own.files,
            }),
        });
    }
    Ok(ScreeningCaseDetail {
        case,
        person,
        candidates: views,
        proposed_releases,
    })
}

impl From<ListedPerson> for ListedEntryView {
    fn from(listed: ListedPerson) -> Self {
        Self {
            names: listed.names,
            documents: listed.documents,
            born: listed.born,
            countries: listed.countries,
            programs: listed.programs,
        }
    }
}

/// An entry in the words that a reviewer reads.
fn as_listed(entry: &caudal_screening::Entry) -> ListedPerson {
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
    ListedPerson {
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
