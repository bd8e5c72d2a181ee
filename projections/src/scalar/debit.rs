//! Values of obligations.

use caudal_domain::tenant_state::obligation::ObligationOrigin;
use serde::Serialize;
use utoipa::ToSchema;

/// Status of a debit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DebitStatus {
    /// Something is outstanding.
    Open,
    /// Paid in full.
    Settled,
    /// The movement that opened it was reversed.
    Void,
}

/// Cause of a debit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ObligationOrigin)]
pub enum DebitSource {
    /// Balance assigned on credit.
    Assignment,
    /// Commission of a closed period.
    Closure,
}

impl From<ObligationOrigin> for DebitSource {
    fn from(origin: ObligationOrigin) -> Self {
        match origin {
            ObligationOrigin::Assignment => Self::Assignment,
            ObligationOrigin::Closure => Self::Closure,
        }
    }
}
