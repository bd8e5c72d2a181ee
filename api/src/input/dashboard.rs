//! Parameters of the dashboard and of closure previews.

use super::field::{Faults, Field};
use caudal_domain::{Refusal, ids::PartyId};
use caudal_projections::{
    accounting::{DashboardQuery, Per, PeriodQuery, PreviewQuery},
    scalar::RangeSelector,
};
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::ToSchema;

/// Parameters of the remittance statistics.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StatisticsQuery {
    /// Restricts to this agency.
    #[param(value_type = uuid::Uuid, required = false)]
    agency_id: Option<String>,
    /// First day, `YYYYMMDD`; 29 days before the last day by default.
    #[param(value_type = String, required = false, pattern = r"^\d{8}$")]
    init_date: Option<String>,
    /// Last day, `YYYYMMDD`; today by default.
    #[param(value_type = String, required = false, pattern = r"^\d{8}$")]
    final_date: Option<String>,
    /// Unit of a row: `hour` (of one day), `day` (default) or `month`.
    #[param(value_type = String, required = false, pattern = "^(hour|day|month)$")]
    per: Option<String>,
}

impl StatisticsQuery {
    /// Converts to a query.
    ///
    /// # Errors
    /// An invalid id or unit.
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

/// Parameters of the remittance totals.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TotalsQuery {
    /// Restricts to this agency.
    #[param(value_type = uuid::Uuid, required = false)]
    agency_id: Option<String>,
    /// Restricts to this payout currency, such as `CUP`.
    #[param(value_type = String, required = false, pattern = "^[A-Z]{3}$")]
    currency: Option<String>,
    /// First day, `YYYYMMDD`; with a last day only, the beginning.
    #[param(value_type = String, required = false, pattern = r"^\d{8}$")]
    init_date: Option<String>,
    /// Last day, `YYYYMMDD`; with a first day only, until now.
    #[param(value_type = String, required = false, pattern = r"^\d{8}$")]
    final_date: Option<String>,
    /// Calendar range around today when no day is given: day 0 (default), week 1, month 2, year 3.
    #[param(value_type = RangeSelector, required = false)]
    range_selector: Option<String>,
}

impl TotalsQuery {
    /// Converts to a query.
    ///
    /// # Errors
    /// An invalid id.
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

/// Parameters of agencies' closure previews.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AgencyReportInput {
    /// Restricts to this agency; all in the caller's scope by default.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agency_id: Field<PartyId>,
    /// First day, `YYYYMMDD`, in the tenant's time zone; absent for the time since the last closure.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9]{8}$")]
    init_date: Field<NaiveDate>,
    /// Last day, `YYYYMMDD`; absent for until now.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9]{8}$")]
    final_date: Field<NaiveDate>,
}

impl AgencyReportInput {
    /// Converts to a query.
    ///
    /// # Errors
    /// All field errors.
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

/// Parameters of external agents' closure previews.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AgentReportInput {
    /// Restricts to this agent; all in the caller's scope by default.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agent_id: Field<PartyId>,
    /// Restricts to the agents of this agency.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agency_id: Field<PartyId>,
    /// First day, `YYYYMMDD`, in the tenant's time zone; absent for the time since the last closure.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9]{8}$")]
    init_date: Field<NaiveDate>,
    /// Last day, `YYYYMMDD`; absent for until now.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9]{8}$")]
    final_date: Field<NaiveDate>,
}

impl AgentReportInput {
    /// Converts to a query.
    ///
    /// # Errors
    /// All field errors.
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
