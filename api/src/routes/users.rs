//! Users: the tenant's logins, and the caller's own profile.

use super::{
    auth::attempt,
    pages,
    parties::{Created, LoginChange, amend, change, party_in_state, password_policy, register},
};
use crate::{
    app::App,
    auth::limits::Shown,
    extract::{Caller, JsonBody, PathId, Reading},
    input::{
        merge::Mergeable as _,
        user::{ProfileInput, UserChangeInput, UserInput},
    },
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, delete, get, post, put};
use caudal_domain::{
    Command,
    customer::CustomerCommand,
    ids::{CustomerId, PartyId},
    office::{Area, Right},
    party::{PartyCommand, Role},
};
use caudal_projections::{
    from_log, lists,
    party::{
        profile::{self, Profile},
        user::{self, User},
    },
};

asked! {
    UsersParams = lists::USERS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(get_profile)
        .service(update_profile)
        .service(list_users)
        .service(create_user)
        .service(get_user)
        .service(update_user)
        .service(delete_user);
}

/// Profile of the authenticated party.
#[utoipa::path(tag = "Profile", operation_id = "getProfile",
    responses((status = 200, description = "The caller.", body = Profile)))]
#[get("/api/users/profile")]
async fn get_profile(reading: Reading) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(profile::get(&mut transaction, &scope).await?))
}

/// Change the caller's name, address and picture. Absent fields stay unchanged.
///
/// A new address requires the current password, because codes for forgotten passwords are mailed to it; it ends the other
/// sessions, and the previous address is notified. Such a change has no preview, which would reveal whether the password is right.
#[utoipa::path(tag = "Profile", operation_id = "updateProfile", request_body = ProfileInput,
    responses((status = 200, description = "Changed.", body = Profile)))]
#[put("/api/users/profile")]
async fn update_profile(
    request: HttpRequest,
    submit: Submit,
    body: JsonBody<ProfileInput>,
) -> Result<HttpResponse, ApiError> {
    let (party, input) = (submit.caller.party, body.into_inner());
    let amended = submit.amend(async |submit| {
        let before = from_log::party_details(&submit.app.journal, &submit.caller.tenant, party).await?;
        let merged = input.clone().merged(|| ProfileInput::standing(before.clone()))?;
        let asked = merged.change(before.clone())?;
        if let Some(password) = &asked.shown {
            // A preview would test the password, or bring the account nearer to its limit.
            if submit.previews() {
                return Err(ApiError::unprocessable("preview_not_available"));
            }
            require_password(
                &request,
                &submit.app,
                &submit.caller,
                &before.email,
                "oldPassword",
                password,
            )
            .await?;
        }
        let of_login = LoginChange::of(before.clone(), &asked.change.command.details, false);
        Ok((change(submit, party, asked.change, before).await?, of_login))
    });
    let (done, of_login) = amended.await?;
    if !done.replayed {
        of_login
            .follow(&submit.app, &submit.caller, party, submit.language())
            .await?;
    }
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(profile::get(&mut transaction, &scope).await?))
}

/// Checks the caller's password; wrong ones count as failed logins.
pub(super) async fn require_password(
    request: &HttpRequest,
    app: &App,
    caller: &Caller,
    email: &str,
    field: &'static str,
    password: &str,
) -> Result<(), ApiError> {
    let now = app.now();
    let attempt = attempt(app, request, &caller.tenant, email, Shown::Session(caller.session));
    let admission = app.limits.admit(&attempt, now).await?;
    let credential = app.journal.credential(&caller.tenant, caller.party).await?;
    let hash = credential.as_ref().map(|credential| credential.hash.as_str());
    if app.passwords.verify(password, hash).await? {
        return Ok(());
    }
    admission.counts().await?;
    Err(ApiError::invalid(field, "password_wrong"))
}

/// Logins of the tenant, of all roles.
#[utoipa::path(tag = "Users", operation_id = "listUsers", params(UsersParams),
    responses((status = 200, description = "A page.", body = pages::UserPage)))]
#[get("/api/users")]
async fn list_users(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::USERS, |s, c, q| {
            Box::pin(async move { offers::page(user::list(s, c, q).await?, s, c).await })
        })
        .await
}

/// One login.
#[utoipa::path(tag = "Users", operation_id = "getUser", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", body = User)))]
#[get("/api/users/{id}")]
async fn get_user(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            user::get(&mut transaction, &scope, PartyId(id.0)).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Add a manager.
#[utoipa::path(tag = "Users", operation_id = "createUser", request_body = UserInput,
    responses((status = 201, description = "Added.", body = Created)))]
#[post("/api/users")]
async fn create_user(submit: Submit, body: JsonBody<UserInput>) -> Result<HttpResponse, ApiError> {
    let policy = password_policy(&submit).await?;
    let new = body.into_inner().new_party(PartyId::generate(), policy)?;
    register(&submit, new).await
}

/// Change a login. Absent fields stay unchanged; a new password or address ends its sessions, and its owner is told at the
/// previous address.
#[utoipa::path(tag = "Users", operation_id = "updateUser", request_body = UserChangeInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Changed.", body = User)))]
#[put("/api/users/{id}")]
async fn update_user(submit: Submit, id: PathId, body: JsonBody<UserChangeInput>) -> Result<HttpResponse, ApiError> {
    let (id, input) = (PartyId(id.0), body.into_inner());
    let done = amend(&submit, id, Role::ALL, input).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok()
        .json(offers::one(user::get(&mut transaction, &scope, id).await?, &mut transaction, &scope).await?))
}

/// Deactivate a party or a customer; its history stays.
///
/// A manager may deactivate everyone, an agency its agents and customers, an agent its customers, a dealer his delivery
/// men. A party with open deliveries, the last manager and an issuer with open remittances are refused (409).
#[utoipa::path(tag = "Users", operation_id = "deleteUser", params(("id" = uuid::Uuid, Path)),
    responses((status = 204, description = "Ended.")))]
#[delete("/api/users/{id}")]
async fn delete_user(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let (party, customer) = (PartyId(id.0), CustomerId(id.0));
    let command = match party_in_state(&submit, party, Role::ALL).await {
        Ok(_) => Command::Party(party, PartyCommand::Deactivate),
        Err(error) if !error.is_not_found() => return Err(error),
        // A dealer has no customers, nor has a member of the office without them.
        Err(error) if submit.caller.role == Role::Dealer => return Err(error),
        Err(error) if !submit.caller.permissions.may(Area::Customers, Right::Write) => return Err(error),
        Err(_) => Command::Customer(customer, CustomerCommand::Delete),
    };
    submit.run(command).await?;
    Ok(HttpResponse::NoContent().finish())
}
