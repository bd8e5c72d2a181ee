//! Figures of the business for Prometheus (docs/analytics.md).

use crate::{extract::Reading, problem::ApiError, registry::Registry};
use actix_web::{HttpResponse, get};
use caudal_projections::business;

/// Prometheus's text format.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(business_metrics);
}

/// Figures of the business as gauges for Prometheus: remittances by status, sold and paid today, undelivered ones, and cash
/// of dealers and delivery men. Amounts are in hundredths.
#[utoipa::path(tag = "Dashboard", operation_id = "businessMetrics",
    responses((status = 200, description = "Prometheus's text format.", body = String, content_type = "text/plain")))]
#[get("/api/metrics")]
async fn business_metrics(reading: Reading) -> Result<HttpResponse, ApiError> {
    let (mut transaction, _) = reading.begin().await?;
    let text = business::prometheus(&mut transaction, reading.app.now()).await?;
    Ok(HttpResponse::Ok().content_type(TEXT).body(text))
}
