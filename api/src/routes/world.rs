//! Countries, their states, and city suggestions, without third parties.

use crate::{
    extract::{Filters, Language, Reading},
    problem::ApiError,
    registry::Registry,
    world::{self, NamedPlace, NamedPlaceList},
};
use actix_web::{HttpRequest, HttpResponse, get, web::Path};
use caudal_projections::customer::city;
use serde::Deserialize;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_countries).service(list_states).service(list_cities);
}

/// Parameters of an unfiltered list.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFilters {}

/// Filters of the cities.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CityFilters {
    country: Option<String>,
    query: Option<String>,
}

/// Countries of the world (ISO 3166-1).
#[utoipa::path(tag = "World", operation_id = "listCountries",
    responses((status = 200, description = "All of them, by name.", body = NamedPlaceList)))]
#[get("/api/nomenclators/countries")]
async fn list_countries(request: HttpRequest, _: Filters<NoFilters>) -> HttpResponse {
    HttpResponse::Ok().json(world::countries(Language::of(&request)))
}

/// States or provinces of a country (ISO 3166-2); may be empty.
#[utoipa::path(tag = "World", operation_id = "listStates",
    params(("code" = String, Path, pattern = "^[A-Za-z]{2}$", description = "ISO 3166-1 alpha-2 code.")),
    responses((status = 200, description = "All of them, by name.", body = NamedPlaceList)))]
#[get("/api/nomenclators/statescountry/country/{code}")]
async fn list_states(
    request: HttpRequest,
    code: Path<String>,
    _: Filters<NoFilters>,
) -> Result<HttpResponse, ApiError> {
    let country = world::country(&code).ok_or_else(|| ApiError::not_found("country_unknown"))?;
    Ok(HttpResponse::Ok().json(country.states(Language::of(&request))))
}

/// City suggestions from the addresses of the caller's issuers: most used first, at most 50.
#[utoipa::path(tag = "World", operation_id = "listCities",
    params(("country" = Option<String>, Query, pattern = "^[A-Za-z]{2}$", description = "ISO 3166-1 alpha-2 code."),
           ("query" = Option<String>, Query, max_length = 100, description = "Searched for without case and accents.")),
    responses((status = 200, description = "The cities.", body = NamedPlaceList)))]
#[get("/api/nomenclators/cities")]
async fn list_cities(reading: Reading, filters: Filters<CityFilters>) -> Result<HttpResponse, ApiError> {
    let CityFilters { country, query } = filters.0;
    if country.as_deref().is_some_and(|code| world::country(code).is_none()) {
        return Err(ApiError::invalid("country", "country_unknown"));
    }
    let (mut transaction, scope) = reading.begin().await?;
    let names = city::suggestions(&mut transaction, &scope, country.as_deref(), query.as_deref()).await?;
    let results = names.into_iter().map(NamedPlace::city).collect();
    Ok(HttpResponse::Ok().json(NamedPlaceList { results }))
}
