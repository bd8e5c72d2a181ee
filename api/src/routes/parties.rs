//! Shared parts of the calls on agencies, agents, dealers and delivery men.

use crate::{
    app::App,
    auth::guesses::{Personal, require_impersonal},
    extract::{Caller, Language},
    input::{
        merge::Mergeable as _,
        party::{NewParty, PartyChange, PartyChangeInput},
        terms::TermsInput,
    },
    mail::{Letter, Mail},
    problem::ApiError,
    submit::{Done, Submit},
};
use actix_web::{HttpResponse, web::Data};
use caudal_domain::{
    Command, PasswordPolicy, Refusal, TenantState,
    ids::{PartyId, TenantId},
    party::{ChangeParty, Party, PartyCommand, PartyDetails, Role},
};
use caudal_journal::Credential;
use caudal_projections::{from_log, party::user};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// The created record.
#[derive(Debug, Serialize, ToSchema)]
pub struct Created {
    /// Id of the created record.
    pub id: Uuid,
}

/// A party with one of the roles, and the current state. The decision checks the permission; a party outside the
/// caller's scope is already reported as not found, so that nothing is revealed.
pub(super) async fn party_in_state(
    submit: &Submit,
    id: PartyId,
    roles: &[Role],
) -> Result<(TenantState, Party), ApiError> {
    let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
    let caller = state.party(submit.caller.party);
    let party = state
        .party(id)
        .filter(|party| roles.contains(&party.role) && caller.is_some_and(|caller| caller.oversees(party)))
        .cloned()
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    Ok((state, party))
}

/// Assigns an uploaded picture to the party, so that callers who see the party see it.
async fn give_picture(submit: &Submit, party: PartyId, details: &PartyDetails) -> Result<(), ApiError> {
    match &details.profile_picture {
        None => Ok(()),
        _ if submit.previews() => Ok(()),
        Some(hash) => {
            submit
                .app
                .files
                .give(&submit.caller, "profilePicture", hash, party)
                .await
        }
    }
}

/// Name and address of a party.
pub(super) async fn addressee(app: &App, tenant: &TenantId, party: &Party) -> Result<(String, String), ApiError> {
    let details = from_log::party_details(&app.journal, tenant, party.id).await?;
    Ok((details.name, details.email))
}

/// Refuses a password made of the party's name or address, or of the name of the business.
pub(super) fn require_unlike(
    field: &'static str,
    password: &str,
    details: &PartyDetails,
    state: &TenantState,
) -> Result<(), Refusal> {
    let business = state.tenant().map_or("", |tenant| tenant.name.as_str());
    let personal = Personal::of([details.name.as_str(), details.email.as_str(), business]);
    require_impersonal(field, password, &personal)
}

/// What new passwords of the caller's tenant must be.
pub(super) async fn password_policy(submit: &Submit) -> Result<PasswordPolicy, ApiError> {
    let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
    Ok(state.password_policy())
}

/// Registers a party with its login.
pub(super) async fn register(submit: &Submit, new: NewParty) -> Result<HttpResponse, ApiError> {
    let NewParty { command, password } = new;
    let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
    require_unlike("password", &password, &command.details, &state)?;
    give_picture(submit, command.id, &command.details).await?;
    let (party, hash) = (command.id, submit.app.passwords.hash(&password).await?);
    let command = Command::Party(party, PartyCommand::Register(command));
    let done = submit.run_with_credential(command, Credential { party, hash }).await?;
    Ok(HttpResponse::Created().json(Created { id: done.answer.id }))
}

/// Changes a party with one of the roles by a request, merged with the current details.
pub(super) async fn amend(
    submit: &Submit,
    id: PartyId,
    roles: &[Role],
    input: impl PartyChangeInput,
) -> Result<Done, ApiError> {
    let amended = submit.amend(async |submit| {
        let (state, party) = party_in_state(submit, id, roles).await?;
        let (mut transaction, scope) = submit.read_now().await?;
        user::details(&mut transaction, &scope, id).await?;
        drop(transaction);
        let details = from_log::party_details(&submit.app.journal, &submit.caller.tenant, id).await?;
        input.require_standing_terms(&party, &state)?;
        let stands = || PartyChangeInput::standing(&party, details.clone());
        let merged = input.clone().merged(stands)?;
        let changed = merged.change(&party, details.clone(), state.password_policy())?;
        require_others(submit, id, &details, &changed)?;
        let of_login = LoginChange::of(details.clone(), &changed.command.details, changed.password.is_some());
        Ok((change(submit, id, changed, details).await?, of_login))
    });
    let (done, of_login) = amended.await?;
    if !done.replayed {
        of_login
            .follow(&submit.app, &submit.caller, id, submit.language())
            .await?;
    }
    Ok(done)
}

/// Refuses another password or address of the caller's own login, which the profile changes with the current password.
fn require_others(submit: &Submit, id: PartyId, before: &PartyDetails, change: &PartyChange) -> Result<(), ApiError> {
    let field = if change.password.is_some() {
        "password"
    } else if is_another_address(before, &change.command.details) {
        "email"
    } else {
        return Ok(());
    };
    if id == submit.caller.party {
        return Err(ApiError::invalid(field, "own_login_by_profile"));
    }
    Ok(())
}

/// Whether a change of details gives a login another address.
fn is_another_address(before: &PartyDetails, after: &PartyDetails) -> bool {
    PartyDetails::normal_email(&before.email) != PartyDetails::normal_email(&after.email)
}

/// What a change of a party means for its login.
pub(super) struct LoginChange {
    before: PartyDetails,
    /// The new address, where it is another.
    to: Option<String>,
    sets_password: bool,
}

impl LoginChange {
    pub(super) fn of(before: PartyDetails, after: &PartyDetails, sets_password: bool) -> Self {
        let to = is_another_address(&before, after).then(|| after.email.clone());
        Self {
            before,
            to,
            sets_password,
        }
    }

    /// Ends the sessions that were opened by a former address, but the caller's, and tells the owner there. Those of a former
    /// password ended with its commit.
    pub(super) async fn follow(
        self,
        app: &Data<App>,
        caller: &Caller,
        party: PartyId,
        language: Language,
    ) -> Result<(), ApiError> {
        let Self {
            before: PartyDetails { name, email, .. },
            to,
            sets_password,
        } = self;
        let password = sets_password.then(|| Letter::PasswordChanged { name: name.clone() });
        let address = to.map(|to| Letter::AddressChanged { name, to });
        if address.is_some() {
            let (tenant, keep) = (&caller.tenant, caller.session);
            app.sessions.end_others(tenant, party, keep, app.now()).await?;
            app.callers.forget_party(tenant, party);
            app.streams.check_sessions(tenant);
        }
        for letter in password.into_iter().chain(address) {
            let mail = Mail {
                to: email.clone(),
                language,
                letter,
            };
            if let Err(error) = app.mailer.post(async { Ok(Some(mail)) }) {
                tracing::warn!(%error, "the mail about a changed password or address was not sent");
            }
        }
        Ok(())
    }
}

/// Changes a party with known details, and its credential if a password is given. A new password alone is a change: its
/// event records the time.
pub(super) async fn change(
    submit: &Submit,
    party: PartyId,
    change: PartyChange,
    known: PartyDetails,
) -> Result<Done, ApiError> {
    let PartyChange { command, password } = change;
    let sets_login = password.is_some() || is_another_address(&known, &command.details);
    if sets_login && submit.caller.api_key.is_some() {
        // Its holder could log in as the party, and go on after the key's end.
        return Err(ApiError::forbidden("api_key_sets_no_login"));
    }
    if let Some(password) = &password {
        let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
        require_unlike("password", password, &command.details, &state)?;
    }
    give_picture(submit, party, &command.details).await?;
    let command = ChangeParty {
        known: Some(Box::new(known)),
        sets_password: password.is_some(),
        ..command
    };
    let command = Command::Party(party, PartyCommand::Change(command));
    match password {
        None => submit.run(command).await,
        Some(password) => {
            let hash = submit.app.passwords.hash(&password).await?;
            submit.run_with_credential(command, Credential { party, hash }).await
        }
    }
}

/// Sets a party's terms for one group; absent fields stay unchanged.
pub(super) async fn set_terms(
    submit: &Submit,
    id: PartyId,
    roles: &[Role],
    input: TermsInput,
) -> Result<Done, ApiError> {
    let amended = submit.amend(async |submit| {
        let (state, party) = party_in_state(submit, id, roles).await?;
        let held = input.group().and_then(|group| party.terms.get(&group));
        let input = match held {
            None => input.clone(),
            Some(terms) => {
                let name = state.group(terms.group).map_or("", |group| group.name.as_str());
                input.clone().merged(|| TermsInput::standing(terms, name))?
            }
        };
        let change = input.change(&party, |group| {
            let group = state.group(group);
            let held = group.and_then(|group| party.terms.get(&group.id));
            let commission = match (held, group) {
                (Some(terms), _) => terms.commission,
                (None, Some(group)) if party.role == Role::Agency => group.agency_commission,
                (None, Some(group)) => group.agent_commission,
                (None, None) => Default::default(),
            };
            (commission, group.map(|group| group.currency_to))
        })?;
        submit.run(Command::Party(id, PartyCommand::SetTerms(change))).await
    });
    amended.await
}
