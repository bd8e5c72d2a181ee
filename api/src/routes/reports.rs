//! The eight reports. Their definitions are data (`caudal_projections::report`); a call each is all there is here.

use super::params::{Takes, list};
use crate::{listing::Listing, problem::ApiError};
use actix_web::{HttpResponse, get};
use caudal_projections::report::{self, FilterKind, Report};
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

/// What the filters of reports are about.
const ABOUT: &[(&str, &str)] = &[
    ("agencyId", "Sold with this agency."),
    ("agentId", "Sold by this agent."),
    ("currency", "Paid out in this currency."),
    ("dealerId", "With this dealer."),
    ("deliveryManId", "With this delivery man."),
    ("deliveryMethod", "Paid this way."),
    ("finalDate", "On this day or before."),
    ("fromStatus", "Leaving this state."),
    ("initDate", "On this day or later."),
    ("municipalityId", "Brought to this municipality."),
    ("paymentGroupId", "Of this payment group."),
    ("provinceId", "Brought to this province."),
    ("recipientId", "For this recipient."),
    ("remittanceId", "Of this remittance."),
    ("senderId", "Of this sender."),
    ("status", "In this state."),
    ("toStatus", "Reaching this state."),
];

/// What a report may be asked.
fn parameters(report: &'static Report) -> Vec<Parameter> {
    let sorts: Vec<&str> = report.sorts().collect();
    let filter = |(name, kind): (&'static str, FilterKind)| {
        let takes = match (name, kind) {
            ("status" | "fromStatus" | "toStatus", _) => Takes::Known("RemittanceStatus"),
            ("deliveryMethod", _) => Takes::Known("DeliveryMethod"),
            (_, FilterKind::Id) => Takes::Id,
            (_, FilterKind::Currency) => Takes::Currency,
            (_, FilterKind::Day) => Takes::Day,
            (_, FilterKind::OneOf(_) | FilterKind::Text) => Takes::Text,
        };
        let about = ABOUT.iter().find(|(known, _)| *known == name);
        (name, takes, about.map_or("", |(_, about)| *about))
    };
    let search = report.search().map(|name| (name, Takes::Text, "A text to search for."));
    let filters: Vec<_> = search.into_iter().chain(report.filters().map(filter)).collect();
    list(&sorts, &filters)
}

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
                    parameters(&report::$report)
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

    #[test]
    fn every_filter_of_a_report_is_described() {
        for report in report::ALL {
            for (name, kind) in report.filters() {
                assert!(ABOUT.iter().any(|(known, _)| *known == name), "{name}");
                let enumerated = matches!(kind, FilterKind::OneOf(_));
                assert!(
                    !enumerated || name.to_lowercase().contains("status") || name == "deliveryMethod",
                    "{name}"
                );
            }
        }
    }
}
