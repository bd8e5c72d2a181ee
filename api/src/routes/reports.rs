//! The reports, generated from their declarations (`caudal_projections::report`).

use crate::{listing::Listing, parameters::parameters, problem::ApiError, registry::Registry};
use actix_web::{HttpResponse, get};
use caudal_projections::report;
use std::borrow::Cow;
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{
        RefOr,
        path::{Parameter, ParameterIn},
        schema::Schema,
    },
};

/// Declares the calls: path, operation and schema name.
macro_rules! reports {
    ($($(#[$doc:meta])* $call:ident $path:literal $operation:literal $schema:ident = $report:ident;)*) => {
        $(
            #[doc = concat!("A page of the report at `", $path, "`.")]
            struct $schema;

            impl PartialSchema for $schema {
                fn schema() -> RefOr<Schema> {
                    report::$report.page_schema()
                }
            }

            impl ToSchema for $schema {
                fn name() -> Cow<'static, str> {
                    stringify!($schema).into()
                }
            }

            impl IntoParams for $schema {
                fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
                    parameters(&report::$report.declared())
                }
            }

            $(#[$doc])*
            #[utoipa::path(tag = "Reports", operation_id = $operation, params($schema),
                responses((status = 200, description = "A page with its totals.", body = $schema)))]
            #[get($path)]
            async fn $call(listing: Listing) -> Result<HttpResponse, ApiError> {
                listing.report(&report::$report).await
            }
        )*

        pub fn configure(cfg: &mut Registry<'_, '_>) {
            cfg$(.service($call))*;
        }
    };
}

reports! {
    /// By recipient: number and sum of remittances.
    addressee "/api/reports/addressee" "getAddresseeReport" AddresseeReport = ADDRESSEE;
    /// By sale: amount sent by each agency or agent, percentage, and commission due.
    agency "/api/reports/agency" "getAgencyReport" AgencyReport = AGENCY;
    /// All status changes of remittances.
    history "/api/reports/history" "getHistoryReport" HistoryReport = HISTORY;
    /// By reason and rule: holds, how they were decided, and how long it took.
    holds "/api/reports/holds" "getHoldsReport" HoldsReport = HOLDS;
    /// By person: the largest sum and number of remittances within a rolling window.
    large_sums "/api/reports/large_sums" "getLargeSumsReport" LargeSumsReport = LARGE_SUMS;
    /// Deliveries received by an authorised representative.
    attorney "/api/reports/attorney" "getAttorneyReport" AttorneyReport = ATTORNEY;
    /// Remittances handled by each dealer, by agency.
    distribution_agency "/api/reports/distribution_agency" "getDistributionAgencyReport" DistributionAgencyReport = DISTRIBUTION_AGENCY;
    /// Pending, delivered and failed remittances of each dealer.
    distributor "/api/reports/distributor" "getDistributorReport" DistributorReport = DISTRIBUTOR;
    /// Dispatch sheet: pending deliveries of each dealer and delivery man; as PDF one page per dealer.
    distributor_shipping "/api/reports/distributor_shipping" "getDistributorShippingReport" DistributorShippingReport = DISTRIBUTOR_SHIPPING;
    /// Undelivered remittances by place, with the dealers that cover it.
    pending_distributor "/api/reports/pending_distributor" "getPendingDistributorReport" PendingDistributorReport = PENDING_DISTRIBUTOR;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Verdict, look_up};

    #[test]
    fn the_policy_lets_through_whom_the_definitions_name() {
        for report in report::ALL {
            let Verdict::Known(row) = look_up("GET", &format!("/api/reports/{}", report.name)) else {
                panic!("{} has no row", report.name)
            };
            for role in caudal_domain::party::Role::ALL {
                assert_eq!(
                    row.access.admits(*role),
                    report.roles.contains(role),
                    "{} {role:?}",
                    report.name
                );
            }
        }
    }
}
