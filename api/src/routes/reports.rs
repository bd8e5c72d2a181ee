//! The eight reports. Their definitions are data (`caudal_projections::report`); a call each is all there is here.

use crate::{listing::Listing, openapi::lists::parameters, problem::ApiError};
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
use utoipa_actix_web::service_config::ServiceConfig;

/// Declares the calls by their definitions: path, operation and the name of the schema.
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

        /// Registers these calls.
        pub fn configure(cfg: &mut ServiceConfig<'_>) {
            cfg$(.service($call))*;
        }
    };
}

reports! {
    /// By recipient: how often and how much each was sent.
    addressee "/api/reports/addressee" "getAddresseeReport" AddresseeReport = ADDRESSEE;
    /// By sale: what each agency or agent sent, at which percentage, and what it has to pay for it.
    agency "/api/reports/agency" "getAgencyReport" AgencyReport = AGENCY;
    /// Every change of every remittance's status.
    history "/api/reports/history" "getHistoryReport" HistoryReport = HISTORY;
    /// Deliveries that a recipient's authorised representative took.
    attorney "/api/reports/attorney" "getAttorneyReport" AttorneyReport = ATTORNEY;
    /// What each dealer handles of each agency's sales.
    distribution_agency "/api/reports/distribution_agency" "getDistributionAgencyReport" DistributionAgencyReport = DISTRIBUTION_AGENCY;
    /// What each dealer has, delivered and could not deliver.
    distributor "/api/reports/distributor" "getDistributorReport" DistributorReport = DISTRIBUTOR;
    /// The dispatch sheet: what each dealer and delivery man has to deliver; as PDF one page a dealer.
    distributor_shipping "/api/reports/distributor_shipping" "getDistributorShippingReport" DistributorShippingReport = DISTRIBUTOR_SHIPPING;
    /// What is still to be delivered, by place, and who covers the place.
    pending_distributor "/api/reports/pending_distributor" "getPendingDistributorReport" PendingDistributorReport = PENDING_DISTRIBUTOR;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Access, Verdict, look_up};

    #[test]
    fn the_policy_lets_through_whom_the_definitions_name() {
        for report in report::ALL {
            let Verdict::Known(Access::Roles(roles)) = look_up("GET", &format!("/api/reports/{}", report.name)) else {
                panic!("{} has no row", report.name)
            };
            for role in caudal_domain::party::Role::ALL {
                assert_eq!(
                    roles.contains(role),
                    report.roles.contains(role),
                    "{} {role:?}",
                    report.name
                );
            }
        }
    }
}
