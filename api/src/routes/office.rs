//! Members of the office: permission sets, and who has which.

use crate::{
    app::App,
    extract::{Caller, JsonBody, PathId},
    input::{
        merge::Mergeable as _,
        office::{OfficeAccessInput, PermissionSetInput},
    },
    offers,
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpResponse, delete, get, post, put, web::Data};
use caudal_domain::{
    Command, TenantCommand, TenantState,
    ids::{PartyId, PermissionSetId},
    office::{self, Area, Permission, PermissionSet, Permissions, Right, SetName, Template},
    party::{Party, PartyCommand, Role},
};
use caudal_projections::party::{
    profile::OfficeArea,
    user::{self, User},
};
use serde::Serialize;
use utoipa::ToSchema;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_sets)
        .service(add_set)
        .service(change_set)
        .service(remove_set)
        .service(set_access);
}

/// What the holders of a permission set may do.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfficePermissionSet {
    /// Name of a template, or id of one of the tenant's own sets.
    #[schema(example = "auditor")]
    id: String,
    /// Whether it is a template, which every tenant has and none changes.
    is_template: bool,
    /// Name of the tenant's own set; null for a template.
    name: Option<String>,
    /// Areas that its holders read.
    reads: Vec<OfficeArea>,
    /// Areas that its holders write.
    writes: Vec<OfficeArea>,
    /// Active members of the office who have it.
    members: usize,
    /// Whether the caller has all of its permissions, and so may give it to others.
    may_give: bool,
}

/// Permission sets.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfficePermissionSets {
    /// Templates first, then the tenant's own by name.
    results: Vec<OfficePermissionSet>,
}

impl OfficePermissionSet {
    fn of(name: SetName, own: Option<&PermissionSet>, state: &TenantState, caller: Permissions) -> Self {
        let permissions = match (name, own) {
            (SetName::Template(template), _) => template.permissions(),
            (SetName::Own(_), own) => own.map_or(Permissions::NONE, |own| own.permissions),
        };
        let has = |party: &&Party| party.is_active && state.office_access(party.id).permission_set == Some(name);
        Self {
            id: name.to_string(),
            is_template: own.is_none(),
            name: own.map(|own| own.name.clone()),
            reads: OfficeArea::held(permissions, Right::Read),
            writes: OfficeArea::held(permissions, Right::Write),
            members: state.parties().filter(has).count(),
            may_give: caller.lack(permissions).is_none(),
        }
    }
}

/// Permission sets for members of the office: the templates, and the tenant's own.
#[utoipa::path(tag = "Office", operation_id = "listPermissionSets",
    responses((status = 200, description = "All of them.", body = OfficePermissionSets)))]
#[get("/api/permission_sets")]
async fn list_sets(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let view = |name, own| OfficePermissionSet::of(name, own, &state, caller.permissions);
    let templates = Template::ALL
        .iter()
        .map(|template| view(SetName::Template(*template), None));
    let mut own: Vec<&PermissionSet> = state.permission_sets().collect();
    own.sort_by_key(|set| (set.name.to_lowercase(), set.id));
    let own = own.into_iter().map(|set| view(SetName::Own(set.id), Some(set)));
    Ok(HttpResponse::Ok().json(OfficePermissionSets {
        results: templates.chain(own).collect(),
    }))
}

/// Add a permission set. It can give no more than its maker has.
#[utoipa::path(tag = "Office", operation_id = "addPermissionSet", request_body = PermissionSetInput,
    responses((status = 201, description = "Added.", body = OfficePermissionSet)))]
#[post("/api/permission_sets")]
async fn add_set(submit: Submit, body: JsonBody<PermissionSetInput>) -> Result<HttpResponse, ApiError> {
    let set = body.into_inner().set(PermissionSetId::generate())?;
    let done = submit
        .run(Command::Tenant(TenantCommand::DefinePermissionSet(set)))
        .await?;
    let view = shown(&submit, PermissionSetId(done.answer.id)).await?;
    Ok(HttpResponse::Created().json(view))
}

/// Change name and permissions of a permission set. It takes effect with the next request of each of its holders.
#[utoipa::path(tag = "Office", operation_id = "changePermissionSet", request_body = PermissionSetInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Changed.", body = OfficePermissionSet)))]
#[put("/api/permission_sets/{id}")]
async fn change_set(submit: Submit, id: PathId, body: JsonBody<PermissionSetInput>) -> Result<HttpResponse, ApiError> {
    let id = PermissionSetId(id.0);
    let input = body.into_inner();
    let amended = submit.amend(async |submit| {
        let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
        let Some(stands) = state.permission_set(id) else {
            // What is wrong by itself is told first.
            input.clone().set(id)?;
            return Err(ApiError::not_found("permission_set_not_found"));
        };
        let set = input.clone().merged(|| PermissionSetInput::standing(stands))?.set(id)?;
        submit
            .run(Command::Tenant(TenantCommand::DefinePermissionSet(set)))
            .await
    });
    amended.await?;
    Ok(HttpResponse::Ok().json(shown(&submit, id).await?))
}

/// Remove a permission set. One that somebody has is refused (409).
#[utoipa::path(tag = "Office", operation_id = "removePermissionSet", params(("id" = uuid::Uuid, Path)),
    responses((status = 204, description = "Removed.")))]
#[delete("/api/permission_sets/{id}")]
async fn remove_set(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let command = TenantCommand::RemovePermissionSet(PermissionSetId(id.0));
    submit.run(Command::Tenant(command)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Set a manager's permission set and end of access. It takes effect with the manager's next request. The last full manager
/// is refused (409).
#[utoipa::path(tag = "Office", operation_id = "setOfficeAccess", request_body = OfficeAccessInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Set.", body = User)))]
#[put("/api/users/{id}/access")]
async fn set_access(submit: Submit, id: PathId, body: JsonBody<OfficeAccessInput>) -> Result<HttpResponse, ApiError> {
    let party = PartyId(id.0);
    let input = body.into_inner();
    let amended = submit.amend(async |submit| {
        let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
        let stands = state.office_access(party);
        let access = input.clone().merged(|| OfficeAccessInput::standing(stands))?.access()?;
        drop(state);
        submit
            .run(Command::Party(party, PartyCommand::SetOfficeAccess(access)))
            .await
    });
    let done = amended.await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let view = user::get(&mut transaction, &scope, party).await?;
    Ok(HttpResponse::Ok().json(offers::one(view, &mut transaction, &scope).await?))
}

async fn shown(submit: &Submit, id: PermissionSetId) -> Result<OfficePermissionSet, ApiError> {
    let caller = &submit.caller;
    let (state, _) = submit.app.journal.state(&caller.tenant).await?;
    let set = state.permission_set(id);
    let set = set.ok_or_else(|| ApiError::not_found("permission_set_not_found"))?;
    Ok(OfficePermissionSet::of(
        SetName::Own(id),
        Some(set),
        &state,
        caller.permissions,
    ))
}

/// Refuses a member of the office who lacks the area of another party's login. To end what a manager has open, or to see as
/// one, needs all of that manager's permissions, and an own access that does not end earlier.
///
/// # Errors
/// 403 with the lacking permission, or `beyond_own_access`.
pub(super) fn require_login(state: &TenantState, caller: &Caller, party: &Party, right: Right) -> Result<(), ApiError> {
    let is_of_office = party.role == Role::Manager;
    let area = if is_of_office { Area::Office } else { Area::Parties };
    if !caller.permissions.may(area, right) {
        let permission = Permission { area, right };
        return Err(ApiError::forbidden("permission_missing").with("permission", permission));
    }
    if right == Right::Write {
        office::contain_member(caller.party, party, state)?;
    }
    Ok(())
}
