//! Lists that managers load: checking a file, loading it as a version, the versions, and removal.

use super::{
    ListedEntryView, as_listed,
    choice::{ScreeningView, view},
};
use crate::{
    catalogue,
    extract::{Language, Reading},
    multipart::{Form, Limits},
    problem::ApiError,
    screening::{
        Chosen,
        own::{self, MAX_OWN_BYTES, OwnFile},
        store::{About, EVERYBODY, Listed, MAX_OWN_NAMES, StoreError, stored_name},
    },
    submit::Submit,
};
use actix_web::{
    FromRequest, HttpRequest, HttpResponse, delete,
    dev::Payload,
    get, post,
    web::{Bytes, Path},
};
use caudal_domain::{
    Command, FieldError, Refusal, TenantCommand,
    approval::ApprovalKind,
    customer::{OwnList, screening::is_list_name},
    ids::TenantId,
    refusal::Params,
};
use caudal_projections::screening::{self as cases, OwnListVersion};
use futures::future::LocalBoxFuture;
use serde::Serialize;
use utoipa::ToSchema;

/// Digits of a version, as people compare it.
const SHOWN_DIGITS: usize = 12;

/// A file with entries of an own list: CSV with a header `name`, and any of `aliases`, `document`, `born`, `countries`, `id`;
/// at most 10 MB and 50,000 entries. Decided matches go by the `id`; an entry without one has an id derived from its content, so
/// that a changed entry is reviewed again.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it is the form's shape in the OpenAPI document")]
struct OwnListInput {
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
struct OwnListCheck {
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
struct OwnListWarning {
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
struct OwnListVersions {
    /// Newest first, the newest 50.
    results: Vec<OwnListVersion>,
}

pub(super) struct OwnListForm(Form);

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
pub(super) async fn check_own_list(
    reading: Reading,
    request: HttpRequest,
    form: OwnListForm,
) -> Result<HttpResponse, ApiError> {
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
pub(super) async fn load_own_list(submit: Submit, form: OwnListForm) -> Result<HttpResponse, ApiError> {
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
        let (state, _) = app.journal.state(tenant).await?;
        let waits = state
            .waiting(app.now())
            .any(|proposal| proposal.kind == ApprovalKind::ScreeningRules);
        let keep = Chosen::of(&state).stored();
        drop(state);
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
pub(super) async fn own_list_versions(reading: Reading, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let (mut transaction, _) = reading.begin().await?;
    let results = cases::own_versions(&reading.app.journal, &mut transaction, &name).await?;
    Ok(HttpResponse::Ok().json(OwnListVersions { results }))
}

/// Remove an own list that is not chosen.
#[utoipa::path(tag = "Screening", operation_id = "removeOwnScreeningList",
    params(("name" = String, Path, description = "Name of the list")),
    responses((status = 200, description = "Lists and progress.", body = ScreeningView)))]
#[delete("/api/screening/own-lists/{name}")]
pub(super) async fn remove_own_list(submit: Submit, name: Path<String>) -> Result<HttpResponse, ApiError> {
    let name = name.into_inner();
    submit
        .run_as_read(Command::Tenant(TenantCommand::RemoveOwnList(name)))
        .await?;
    Ok(HttpResponse::Ok().json(view(&submit.app, &submit.caller.tenant).await?))
}
