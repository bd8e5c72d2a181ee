//! Reference data: currencies, Cuban places and payment groups.

use super::pages;
use crate::{
    extract::{Filters, JsonBody, PathId, Reading},
    input::{
        merge::Mergeable as _,
        reference_data::{CurrencyInput, MunicipalityInput, PaymentGroupInput, PaymentGroupRef, ProvinceInput},
    },
    listing::Listing,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpResponse, delete, get, post, put};
use caudal_domain::{
    Command, TenantState,
    ids::{CurrencyId, MunicipalityId, PaymentGroupId, ProvinceId},
    reference_data::{currency::CurrencyCommand, payment_group::PaymentGroupCommand},
};
use caudal_projections::{
    lists,
    reference_data::{
        currency::{self, Currency},
        payment_group::{self, PaymentGroup},
        place::{self, Municipality, MunicipalityList, Province, ProvinceList},
    },
};
use serde::Deserialize;
use uuid::Uuid;

asked! {
    CurrenciesParams = lists::CURRENCIES;
    PaymentGroupsParams = lists::PAYMENT_GROUPS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_currencies)
        .service(create_currency)
        .service(update_currency)
        .service(delete_currency)
        .service(list_provinces)
        .service(list_municipalities)
        .service(update_province)
        .service(update_municipality)
        .service(list_payment_groups)
        .service(create_payment_group)
        .service(update_named_payment_group)
        .service(update_payment_group)
        .service(delete_named_payment_group)
        .service(delete_payment_group);
}

/// Currencies of the reference data.
#[utoipa::path(tag = "Currencies", operation_id = "listCurrencies", params(CurrenciesParams),
    responses((status = 200, description = "A page.", body = pages::CurrencyPage)))]
#[get("/api/nomenclators/currency")]
async fn list_currencies(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::CURRENCIES, |s, c, q| Box::pin(currency::list(s, c, q)))
        .await
}

/// Add a currency.
#[utoipa::path(tag = "Currencies", operation_id = "createCurrency", request_body = CurrencyInput,
    responses((status = 201, description = "Added.", body = Currency)))]
#[post("/api/nomenclators/currency")]
async fn create_currency(submit: Submit, body: JsonBody<CurrencyInput>) -> Result<HttpResponse, ApiError> {
    let new = body.into_inner().currency(CurrencyId::generate())?;
    let done = submit.run(Command::Currency(new.id, CurrencyCommand::Add(new))).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let currency = currency::get(&mut transaction, &scope, CurrencyId(done.answer.id)).await?;
    Ok(HttpResponse::Created().json(currency))
}

/// Change a currency. Its code is immutable.
#[utoipa::path(tag = "Currencies", operation_id = "updateCurrency", request_body = CurrencyInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Currency)))]
#[put("/api/nomenclators/currency/{id}")]
async fn update_currency(submit: Submit, id: PathId, body: JsonBody<CurrencyInput>) -> Result<HttpResponse, ApiError> {
    let (id, input) = (CurrencyId(id.0), body.into_inner());
    let amended = submit.amend(async |submit| {
        let state = state(submit).await?;
        let input = match state.currency_by_id(id) {
            Some(stands) => input.clone().merged(|| CurrencyInput::standing(stands.clone()))?,
            None => input.clone(),
        };
        let change = CurrencyCommand::Change(input.currency(id)?);
        submit.run(Command::Currency(id, change)).await
    });
    let done = amended.await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(currency::get(&mut transaction, &scope, id).await?))
}

/// Remove an unused currency.
#[utoipa::path(tag = "Currencies", operation_id = "deleteCurrency", params(("id" = Uuid, Path)),
    responses((status = 204, description = "Taken out.")))]
#[delete("/api/nomenclators/currency/{id}")]
async fn delete_currency(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    submit
        .run(Command::Currency(CurrencyId(id.0), CurrencyCommand::Remove))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Parameters of an unfiltered list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFilters {}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct MunicipalityFilters {
    province_id: Option<Uuid>,
}

/// Cuba's provinces.
#[utoipa::path(tag = "Places", operation_id = "listProvinces",
    responses((status = 200, description = "All of them.", body = ProvinceList)))]
#[get("/api/nomenclators/cuban_states")]
async fn list_provinces(reading: Reading, _: Filters<NoFilters>) -> Result<HttpResponse, ApiError> {
    let (mut transaction, _) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(place::provinces(&mut transaction).await?))
}

/// Cuba's municipalities, of one province or all.
#[utoipa::path(tag = "Places", operation_id = "listMunicipalities",
    params(("provinceId" = Option<Uuid>, Query, description = "Of this province.")),
    responses((status = 200, description = "All of them.", body = MunicipalityList)))]
#[get("/api/nomenclators/cuban_cities")]
async fn list_municipalities(
    reading: Reading,
    filters: Filters<MunicipalityFilters>,
) -> Result<HttpResponse, ApiError> {
    let province = filters.0.province_id.map(ProvinceId);
    let (mut transaction, _) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(place::municipalities(&mut transaction, province).await?))
}

/// Enable or disable a province for deliveries.
#[utoipa::path(tag = "Places", operation_id = "updateProvince", request_body = ProvinceInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Province)))]
#[put("/api/nomenclators/province/{id}")]
async fn update_province(submit: Submit, id: PathId, body: JsonBody<ProvinceInput>) -> Result<HttpResponse, ApiError> {
    let (id, input) = (ProvinceId(id.0), body.into_inner());
    let amended = submit.amend(async |submit| {
        let command = input.clone().command(id, &state(submit).await?)?;
        submit.run(Command::Place(command)).await
    });
    let done = amended.await?;
    let (mut transaction, _) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(place::province(&mut transaction, id).await?))
}

/// Change a municipality: distribution fee, and whether deliveries are enabled. Absent fields stay unchanged.
#[utoipa::path(tag = "Places", operation_id = "updateMunicipality", request_body = MunicipalityInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Municipality)))]
#[put("/api/nomenclators/municipality/{id}")]
async fn update_municipality(
    submit: Submit,
    id: PathId,
    body: JsonBody<MunicipalityInput>,
) -> Result<HttpResponse, ApiError> {
    let (id, input) = (MunicipalityId(id.0), body.into_inner());
    let amended = submit.amend(async |submit| {
        let state = state(submit).await?;
        let stands = || MunicipalityInput::standing(state.municipality(id));
        let command = input.clone().merged(stands)?.command(id, &state)?;
        submit.run(Command::Place(command)).await
    });
    let done = amended.await?;
    let (mut transaction, _) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(place::municipality(&mut transaction, id).await?))
}

/// Payment groups: the catalogue (Type 0) or the caller's own terms (Type 1).
#[utoipa::path(tag = "PaymentGroups", operation_id = "listPaymentGroups",
    params(PaymentGroupsParams),
    responses((status = 200, description = "A page.", body = pages::PaymentGroupPage)))]
#[get("/api/nomenclators/payment_group")]
async fn list_payment_groups(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::PAYMENT_GROUPS, |s, c, q| Box::pin(payment_group::list(s, c, q)))
        .await
}

/// Add a payment group.
#[utoipa::path(tag = "PaymentGroups", operation_id = "createPaymentGroup", request_body = PaymentGroupInput,
    responses((status = 201, description = "Added.", body = PaymentGroup)))]
#[post("/api/nomenclators/payment_group")]
async fn create_payment_group(submit: Submit, body: JsonBody<PaymentGroupInput>) -> Result<HttpResponse, ApiError> {
    let new = body.into_inner().group(PaymentGroupId::generate(), None)?;
    let command = Command::PaymentGroup(new.id, PaymentGroupCommand::Create(new));
    let done = submit.run(command).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let group = payment_group::get(&mut transaction, &scope, PaymentGroupId(done.answer.id)).await?;
    Ok(HttpResponse::Created().json(group))
}

/// Change a payment group named in the body. Its currency is immutable.
#[utoipa::path(tag = "PaymentGroups", operation_id = "updateNamedPaymentGroup", request_body = PaymentGroupInput,
    responses((status = 200, description = "Changed.", body = PaymentGroup)))]
#[put("/api/nomenclators/payment_group")]
async fn update_named_payment_group(
    submit: Submit,
    body: JsonBody<PaymentGroupInput>,
) -> Result<HttpResponse, ApiError> {
    let mut input = body.into_inner();
    let id = input.named()?;
    change_payment_group(submit, id, input).await
}

/// Change a payment group. Its currency is immutable.
#[utoipa::path(tag = "PaymentGroups", operation_id = "updatePaymentGroup", request_body = PaymentGroupInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = PaymentGroup)))]
#[put("/api/nomenclators/payment_group/{id}")]
async fn update_payment_group(
    submit: Submit,
    id: PathId,
    body: JsonBody<PaymentGroupInput>,
) -> Result<HttpResponse, ApiError> {
    change_payment_group(submit, PaymentGroupId(id.0), body.into_inner()).await
}

async fn change_payment_group(
    submit: Submit,
    id: PaymentGroupId,
    input: PaymentGroupInput,
) -> Result<HttpResponse, ApiError> {
    let amended = submit.amend(async |submit| {
        let state = state(submit).await?;
        let current = state.group(id);
        let input = match current {
            Some(stands) => input.clone().merged(|| PaymentGroupInput::standing(stands.clone()))?,
            None => input.clone(),
        };
        let changed = input.group(id, current)?;
        let command = Command::PaymentGroup(id, PaymentGroupCommand::Change(changed));
        submit.run(command).await
    });
    let done = amended.await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(payment_group::get(&mut transaction, &scope, id).await?))
}

/// Remove a payment group named in the body, if no party has it in its terms.
#[utoipa::path(tag = "PaymentGroups", operation_id = "deleteNamedPaymentGroup", request_body = PaymentGroupRef,
    responses((status = 204, description = "Taken out.")))]
#[delete("/api/nomenclators/payment_group")]
async fn delete_named_payment_group(submit: Submit, body: JsonBody<PaymentGroupRef>) -> Result<HttpResponse, ApiError> {
    let id = body.into_inner().id()?;
    submit
        .run(Command::PaymentGroup(id, PaymentGroupCommand::Remove))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Remove a payment group, if no party has it in its terms.
#[utoipa::path(tag = "PaymentGroups", operation_id = "deletePaymentGroup", params(("id" = Uuid, Path)),
    responses((status = 204, description = "Taken out.")))]
#[delete("/api/nomenclators/payment_group/{id}")]
async fn delete_payment_group(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = PaymentGroupId(id.0);
    submit
        .run(Command::PaymentGroup(id, PaymentGroupCommand::Remove))
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Current state, for the fields that a partial change keeps.
async fn state(submit: &Submit) -> Result<TenantState, ApiError> {
    Ok(submit.app.journal.state(&submit.caller.tenant).await?.0)
}
