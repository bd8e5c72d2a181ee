//! The reports, by their declarations (`caudal_projections::report`): each is served and described at `/api/reports/` and its name.

use crate::{listing::Listing, parameters::parameters, registry::Registry};
use actix_web::{guard, web};
use caudal_projections::report::{self, Report};
use utoipa::openapi::{
    ContentBuilder, HttpMethod, OpenApi, Ref, ResponseBuilder,
    path::{OperationBuilder, PathItem},
};

fn path(report: &Report) -> String {
    format!("/api/reports/{}", report.name)
}

/// A report's name in operations and schemas, like `LargeSumsReport`.
fn type_name(report: &Report) -> String {
    let capitalised = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    report.name.split('_').map(capitalised).collect::<String>() + "Report"
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    for report in report::ALL.iter().copied() {
        let path = path(report);
        let handler = move |listing: Listing| listing.report(report);
        cfg.served(&path, web::resource(path.as_str()).guard(guard::Get()).to(handler));
    }
}

/// Adds the reports to the API's document.
pub fn describe(document: &mut OpenApi) {
    for report in report::ALL {
        let schema = type_name(report);
        let page = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name(&schema)))
            .build();
        let answer = ResponseBuilder::new()
            .description("A page with its totals.")
            .content("application/json", page)
            .build();
        let operation = OperationBuilder::new()
            .tag("Reports")
            .summary(Some(report.about))
            .operation_id(Some(format!("get{schema}")))
            .parameters(Some(parameters(&report.declared())))
            .response("200", answer)
            .build();
        let item = PathItem::new(HttpMethod::Get, operation);
        document.paths.paths.insert(path(report), item);
        let components = document.components.get_or_insert_default();
        components.schemas.insert(schema, report.page_schema());
    }
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
