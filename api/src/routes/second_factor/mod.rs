//! Second factor of the caller's login, its end by a manager, and the roles that need one
//! (docs/decisions/second-factor.md).
//!
//! | File | Calls and what they share |
//! |---|---|
//! | here | which second factor a party has; what follows a change of one |
//! | `enrolment.rs` | enrolment of an authenticator app |
//! | `codes.rs` | checks of codes, at logins and for calls that need a fresh one |
//! | `recovery_codes.rs` | recovery codes: with the first factor, and new ones |
//! | `ending.rs` | the end of factors, by their owner or a manager |
//! | `rule.rs` | roles that need a second factor |

mod codes;
mod ending;
mod enrolment;
mod recovery_codes;
mod rule;

pub(super) use codes::{FreshSecondFactorCode, check_login, own_attempt};
pub(super) use ending::{after_end, end};
pub(super) use recovery_codes::{IsFirst, issue_with_first, spelled};

use super::{office, parties::addressee, passkeys::PasskeyView};
use crate::{
    app::App,
    extract::{Caller, Filters, Language},
    mail::{FactorNotice, Letter, Mail},
    problem::ApiError,
    registry::Registry,
};
use actix_web::{HttpResponse, get, web::Data};
use caudal_domain::{
    Refusal,
    ids::{PartyId, TenantId},
    office::Right,
    party::Role,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(get_second_factor)
        .service(enrolment::begin_enrolment)
        .service(enrolment::confirm_enrolment)
        .service(codes::give_code)
        .service(recovery_codes::renew_recovery_codes)
        .service(ending::remove_second_factor)
        .service(ending::reset_second_factor)
        .service(rule::get_rule)
        .service(rule::set_rule);
}

/// The party whose second factor is meant.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct SecondFactorQuery {
    /// Party; absent for the caller. Others than the caller are for managers.
    party_id: Option<Uuid>,
}

/// Second factor of a party.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Whether logins by password need a second factor: a code, or a passkey in place of both.
    is_enrolled: bool,
    /// Whether an authenticator app is enrolled.
    has_app: bool,
    /// Whether the party's role needs a second factor.
    is_required: bool,
    /// Time at which the authenticator app was enrolled; null without one.
    enrolled_at: Option<DateTime<Utc>>,
    /// Recovery codes left; null without a second factor.
    recovery_codes_left: Option<usize>,
    /// Passkeys, of the caller alone.
    passkeys: Vec<PasskeyView>,
    /// Time until which this session's last code is fresh; null when none is, and for another party.
    fresh_until: Option<DateTime<Utc>>,
}

/// Second factor of the caller, or of another party for a manager.
#[utoipa::path(tag = "Second factor", operation_id = "getSecondFactor", params(SecondFactorQuery),
    responses((status = 200, description = "It.", body = SecondFactor)))]
#[get("/api/second_factor")]
async fn get_second_factor(
    app: Data<App>,
    caller: Caller,
    query: Filters<SecondFactorQuery>,
) -> Result<HttpResponse, ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let id = query.0.party_id.map_or(caller.party, PartyId);
    let party = state
        .party(id)
        .filter(|party| party.id == caller.party || caller.role == Role::Manager)
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    if party.id != caller.party {
        office::require_login(&state, &caller, party, Right::Read)?;
    }
    let (authenticator, factors) = (state.second_factor(party.id), state.second_factors(party.id));
    let (kept, tenant) = (&app.second_factors, &caller.tenant);
    let (mut enrolled_at, mut recovery_codes_left, mut fresh_until) = (None, None, None);
    let mut passkeys = Vec::new();
    if let Some(factor) = authenticator {
        enrolled_at = kept.begun_at(tenant, party.id, factor).await?;
    }
    if !factors.is_empty() {
        recovery_codes_left = Some(kept.recovery_codes_left(tenant, party.id).await?);
    }
    if party.id == caller.party {
        fresh_until = kept.fresh_until(tenant, caller.session, &factors, app.now()).await?;
        let shown = app.passkeys.list(tenant, party.id, state.passkeys(party.id)).await?;
        passkeys = shown.into_iter().map(PasskeyView::from).collect();
    }
    Ok(HttpResponse::Ok().json(SecondFactor {
        is_enrolled: !factors.is_empty(),
        has_app: authenticator.is_some(),
        is_required: state.second_factor_rule().roles.contains(&party.role),
        enrolled_at,
        recovery_codes_left,
        passkeys,
        fresh_until,
    }))
}

/// Ends the sessions of a party, except the caller's.
pub(super) async fn end_sessions(app: &App, tenant: &TenantId, party: PartyId, keep: Uuid) -> Result<(), ApiError> {
    app.sessions.end_others(tenant, party, keep, app.now()).await?;
    app.callers.forget_party(tenant, party);
    app.streams.check_sessions(tenant);
    Ok(())
}

/// Mails the owner of a second factor. A full mail queue is ignored.
pub(super) fn tell(app: &Data<App>, tenant: &TenantId, party: PartyId, language: Language, notice: FactorNotice) {
    let (node, tenant) = (app.clone(), tenant.clone());
    let told = app.mailer.post(async move {
        let (state, _) = node.journal.state(&tenant).await?;
        let Some(party) = state.party(party) else {
            return Ok(None);
        };
        let (name, to) = addressee(&node, &tenant, party).await?;
        let letter = Letter::SecondFactor { name, notice };
        Ok(Some(Mail { to, language, letter }))
    });
    if let Err(error) = told {
        tracing::warn!(%error, "nobody is told of a change of a second factor");
    }
}
