//! What the dashboard and the previews of closures are asked.

use super::field::{Faults, Field};
use caudal_domain::{Refusal, ids::PartyId};
use caudal_projections::{
    accounting::{DashboardQuery, Per, PeriodQuery, PreviewQuery},
    scalar::RangeSelector,
};
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;

/// Whose remittances are counted per day, and over which days.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StatisticsQuery {
    /// Sold with this agency.
    #[param(value_type = uuid::Uuid, required = false)]
    agency_id: Option<String>,
    /// The first day; 29 days before the last one where absent.
    #[param(value_type = String, required = false, pattern = r"^\d{8}$")]
    init_date: Option<String>,
    /// The last day; today where absent.
    #[param(value_type = String, required = false, pattern = r"^\d{8}$")]
    final_date: Option<String>,
    /// What a row counts: `hour` (of one day), `day` or `month`; a day where absent.
    #[param(value_type = String, required = false, pattern = "^(hour|day|month)$")]
    per: Option<String>,
}

impl StatisticsQuery {
    /// What it asks for.
    ///
    /// # Errors
    /// Names an id that is none, or what is neither hour, day nor month.
    pub fn query(self) -> Result<(DashboardQuery, Per), Refusal> {
        let per = match self.per.as_deref() {
            Some("hour") => Per::Hour,
            None | Some("day") => Per::Day,
            Some("month") => Per::Month,
            Some(_) => {
                let allowed = [("allowed", "hour, day, month".to_owned())];
                return Err(Refusal::invalid_with("per", "value_unknown", allowed));
            }
        };
        let query = DashboardQuery {
            agency: agency(self.agency_id)?,
            currency: None,
            period: PeriodQuery {
                init_date: self.init_date,
                final_date: self.final_date,
                range_selector: None,
            },
        };
        Ok((query, per))
    }
}

/// Whose remittances are totalled, of which currency, and over which period.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TotalsQuery {
    /// Sold with this agency.
    #[param(value_type = uuid::Uuid, required = false)]
    agency_id: Option<String>,
    /// Paid out in this currency.
    #[param(value_type = String, required = false, pattern = "^[A-Z]{3}$")]
    currency: Option<String>,
    /// The first day; with a last one alone the beginning.
    #[param(value_type = String, required = false, pattern = r"^\d{8}$")]
    init_date: Option<String>,
    /// The last day; with a first one alone until now.
    #[param(value_type = String, required = false, pattern = r"^\d{8}$")]
    final_date: Option<String>,
    /// A span around today where no day is named; today where absent.
    #[param(value_type = RangeSelector, required = false)]
    range_selector: Option<String>,
}

impl TotalsQuery {
    /// What it asks for.
    ///
    /// # Errors
    /// Names an id that is none.
    pub fn query(self) -> Result<DashboardQuery, Refusal> {
        Ok(DashboardQuery {
            agency: agency(self.agency_id)?,
            currency: self.currency,
            period: PeriodQuery {
                init_date: self.init_date,
                final_date: self.final_date,
                range_selector: self.range_selector,
            },
        })
    }
}

fn agency(text: Option<String>) -> Result<Option<PartyId>, Refusal> {
    let read = |text: String| text.parse().map_err(|_| Refusal::invalid("agencyId", "id_invalid"));
    text.map(read).transpose()
}

/// Which agencies' closures to preview, and of which days.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AgencyReportInput {
    /// This agency; all in the caller's scope where absent.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agency_id: Field<PartyId>,
    /// The first day, in the tenant's time zone; since the last closure where absent.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9]{8}$")]
    init_date: Field<NaiveDate>,
    /// The last day; until now where absent.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9]{8}$")]
    final_date: Field<NaiveDate>,
}

impl AgencyReportInput {
    /// What it asks for.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn query(self) -> Result<PreviewQuery, Refusal> {
        let mut faults = Faults::default();
        let party = faults.optional("agencyId", self.agency_id);
        let first = faults.optional("initDate", self.init_date);
        let last = faults.optional("finalDate", self.final_date);
        faults.finish(|| {
            Some(PreviewQuery {
                party,
                agency: None,
                first,
                last,
            })
        })
    }
}

/// Which external agents' closures to preview, and of which days.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AgentReportInput {
    /// This agent; all in the caller's scope where absent.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agent_id: Field<PartyId>,
    /// The agents of this agency.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agency_id: Field<PartyId>,
    /// The first day, in the tenant's time zone; since the last closure where absent.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9]{8}$")]
    init_date: Field<NaiveDate>,
    /// The last day; until now where absent.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9]{8}$")]
    final_date: Field<NaiveDate>,
}

impl AgentReportInput {
    /// What it asks for.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn query(self) -> Result<PreviewQuery, Refusal> {
        let mut faults = Faults::default();
        let party = faults.optional("agentId", self.agent_id);
        let agency = faults.optional("agencyId", self.agency_id);
        let first = faults.optional("initDate", self.init_date);
        let last = faults.optional("finalDate", self.final_date);
        faults.finish(|| {
            Some(PreviewQuery {
                party,
                agency,
                first,
                last,
            })
        })
    }
}
