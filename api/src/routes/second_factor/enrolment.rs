//! Enrolment of an authenticator app: its secret as a QR code, and the first code, which puts it into force.

use super::{
    super::{parties::addressee, users::require_password},
    codes::{own_attempt, refusal},
    end_sessions,
    recovery_codes::{IsFirst, SecondFactorRecoveryCodes, issue_with_first, shown},
    tell,
};
use crate::{
    app::App,
    auth::{second_factors::ENROLMENT, totp},
    extract::{Caller, JsonBody, Language, PathId},
    fresh_code,
    input::second_factor::{SecondFactorCodeInput, SecondFactorEnrolmentInput},
    mail::FactorNotice,
    problem::ApiError,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, post, web::Data};
use caudal_domain::{Command, Refusal, ids::SecondFactorId, party::PartyCommand};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::Serialize;
use std::{cell::Cell, fmt::Write as _};
use utoipa::ToSchema;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Issuer shown by the authenticator app where the tenant has no name.
const ISSUER: &str = "Caudal";

/// An enrolment under way. It ends after 15 minutes.
#[derive(Serialize, ToSchema)]
pub struct SecondFactorEnrolment {
    /// Id of the enrolment, for its confirmation.
    id: Uuid,
    /// Secret for the authenticator app, in Base32; shown this once.
    #[schema(example = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")]
    secret: String,
    /// The same for a QR code, as `otpauth://totp/…`.
    uri: String,
    /// The QR code of `uri`.
    qr: QrImage,
}

/// A QR code to draw.
#[derive(Serialize, ToSchema)]
pub struct QrImage {
    /// Modules per side, without the quiet zone of four modules.
    #[schema(example = 45)]
    size: i32,
    /// Its dark modules as the data of an SVG path, one unit per module.
    #[schema(example = "M0 0h7v1h-7z")]
    path: String,
}

/// Begin the enrolment of a second factor: a secret for an authenticator app, which is shown this once.
///
/// Logins need no code before the enrolment is confirmed. The caller's password is checked as for its change, and a caller with
/// passkeys needs a fresh code.
#[utoipa::path(tag = "Second factor", operation_id = "beginSecondFactorEnrolment",
    request_body = SecondFactorEnrolmentInput,
    responses((status = 201, description = "Begun.", body = SecondFactorEnrolment)))]
#[post("/api/second_factor/enrolments")]
pub(super) async fn begin_enrolment(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    body: JsonBody<SecondFactorEnrolmentInput>,
) -> Result<HttpResponse, ApiError> {
    let password = body.into_inner().password()?;
    let (state, _) = app.journal.state(&caller.tenant).await?;
    if state.second_factor(caller.party).is_some() {
        return Err(ApiError::conflict("second_factor_enrolled"));
    }
    let party = state
        .party(caller.party)
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    let (_, email) = addressee(&app, &caller.tenant, party).await?;
    require_password(&request, &app, &caller, &email, "password", &password).await?;
    let begun = app
        .second_factors
        .begin(&caller.tenant, caller.party, app.now())
        .await?;
    let issuer = state.tenant().map_or(ISSUER, |tenant| tenant.name.as_str());
    let secret = totp::base32(&begun.secret);
    let uri = uri(issuer, &email, &secret);
    Ok(HttpResponse::Created().json(SecondFactorEnrolment {
        id: begun.factor.0,
        qr: image(&uri)?,
        secret: secret.to_string(),
        uri: uri.to_string(),
    }))
}

/// Put an enrolled second factor into force with a code of the authenticator app, and get ten recovery codes.
///
/// From now on logins need a code. The caller's other sessions end. The recovery codes are made with the first second factor and
/// shown this once: a repetition answers without them. A caller with passkeys needs a fresh code.
#[utoipa::path(tag = "Second factor", operation_id = "confirmSecondFactorEnrolment",
    request_body = SecondFactorCodeInput, params(("id" = Uuid, Path)),
    responses((status = 200, description = "In force.", body = SecondFactorRecoveryCodes)))]
#[post("/api/second_factor/enrolments/{id}/confirm")]
pub(super) async fn confirm_enrolment(
    request: HttpRequest,
    submit: Submit,
    id: PathId,
    body: JsonBody<SecondFactorCodeInput>,
) -> Result<HttpResponse, ApiError> {
    // Recovery codes must not be stored with the answer.
    submit.answers_by_record();
    let (app, caller, factor) = (&submit.app, &submit.caller, SecondFactorId(id.0));
    let code = body.into_inner().code()?;
    // A code is accepted once, and the command may be decided again.
    let is_checked = Cell::new(false);
    let enrolled = submit.amend(async |submit| {
        let (state, _) = app.journal.state(&caller.tenant).await?;
        match state.second_factor(caller.party) {
            Some(in_force) if in_force == factor => return Ok(None),
            Some(_) => return Err(ApiError::conflict("second_factor_enrolled")),
            None => {}
        }
        let others = state.second_factors(caller.party);
        fresh_code::require_of(app, caller, &others).await?;
        if !is_checked.get() {
            check_first(&request, app, caller, factor, &code).await?;
            is_checked.set(true);
        }
        let command = PartyCommand::EnrolSecondFactor(factor);
        submit.run(Command::Party(caller.party, command)).await?;
        Ok(Some(IsFirst(others.is_empty())))
    });
    let Some(is_first) = enrolled.await? else {
        // The answer to the first request was lost.
        return Ok(HttpResponse::Ok().json(shown(None)));
    };
    let codes = issue_with_first(app, caller, factor, is_first).await?;
    end_sessions(app, &caller.tenant, caller.party, caller.session).await?;
    tell(
        app,
        &caller.tenant,
        caller.party,
        Language::of(&request),
        FactorNotice::Enrolled,
    );
    Ok(HttpResponse::Ok().json(shown(codes)))
}

/// Checks the first code of an enrolment.
async fn check_first(
    request: &HttpRequest,
    app: &App,
    caller: &Caller,
    factor: SecondFactorId,
    code: &str,
) -> Result<(), ApiError> {
    let now = app.now();
    let admission = app
        .second_factor_limits
        .admit(&own_attempt(request, app, caller).await?, now)
        .await?;
    let verdict = app
        .second_factors
        .confirm(&caller.tenant, caller.party, factor, code, now - ENROLMENT, now)
        .await?;
    if let Some(refused) = refusal(verdict) {
        admission.counts().await?;
        return Err(refused);
    }
    admission.succeeded().await
}

/// Address of an account for authenticator apps.
fn uri(issuer: &str, email: &str, secret: &str) -> Zeroizing<String> {
    // Apps show a plus as it is.
    let encoded = |text: &str| -> String {
        form_urlencoded::byte_serialize(text.as_bytes())
            .collect::<String>()
            .replace('+', "%20")
    };
    let issuer = encoded(issuer);
    Zeroizing::new(format!(
        "otpauth://totp/{issuer}:{}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits={}&period={}",
        encoded(email),
        totp::DIGITS,
        totp::STEP_SECONDS
    ))
}

/// The QR code of a text: runs of dark modules, row by row.
fn image(text: &str) -> Result<QrImage, ApiError> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).map_err(ApiError::internal)?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let run = (x..size).take_while(|x| code.get_module(*x, y)).count();
            let run = i32::try_from(run).unwrap_or_default();
            if run > 0 {
                // Writing to a String cannot fail.
                let _ = write!(path, "M{x} {y}h{run}v1h-{run}z");
            }
            x += run + 1;
        }
    }
    Ok(QrImage { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_for_apps_has_no_plus_and_the_form_that_they_read() {
        let uri = uri("Envíos del Sur", "ana+1@example.test", "GEZDGNBV");
        assert_eq!(
            uri.as_str(),
            "otpauth://totp/Env%C3%ADos%20del%20Sur:ana%2B1%40example.test?secret=GEZDGNBV\
             &issuer=Env%C3%ADos%20del%20Sur&algorithm=SHA1&digits=6&period=30"
        );
    }

    #[test]
    fn a_qr_code_is_drawn_by_its_dark_modules() {
        let image = image("otpauth://totp/a").unwrap();
        assert!(image.path.starts_with("M0 0h7v1h-7z"), "the finder pattern");
        assert_eq!(image.size, 21 + 4);
    }
}
