//! Request bodies of rate changes.

use super::{
    decimal::RateInput,
    field::{Faults, Field, FromJson, FromObject, fault},
};
use caudal_domain::{
    Refusal,
    ids::{CurrencyId, PartyId, PaymentGroupId},
    money::Rate,
    rates::{RateTarget, RatesCommand, WantedRate},
};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// Owner kind of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Reference,
    Catalogue,
    Terms,
}

impl FromJson for Kind {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<caudal_domain::FieldError>> {
        match String::from_json(raw)?.as_str() {
            "reference" => Ok(Self::Reference),
            "catalogue" => Ok(Self::Catalogue),
            "terms" => Ok(Self::Terms),
            _ => Err(super::field::fault_with(
                "value_unknown",
                [("allowed", "reference, catalogue, terms".to_owned())],
            )),
        }
    }
}

/// An RFC 3339 time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment(pub(super) DateTime<Utc>);

impl FromJson for Moment {
    const BLANK_IS_NULL: bool = true;

    fn from_json(raw: &RawValue) -> Result<Self, Vec<caudal_domain::FieldError>> {
        let text = String::from_json(raw)?;
        let moment = DateTime::parse_from_rfc3339(&text).map_err(|_| fault("time_invalid"))?;
        Ok(Self(moment.with_timezone(&Utc)))
    }
}

/// A rate to set.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WantedRateInput {
    /// Owner: `reference` of a currency, `catalogue` of a payment group, or `terms` of a party for a payment group.
    #[serde(default)]
    #[schema(value_type = String, required, pattern = "^(reference|catalogue|terms)$")]
    kind: Field<Kind>,
    /// Id of the currency, for `reference`.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    currency_id: Field<CurrencyId>,
    /// Id of the payment group, for `catalogue` and `terms`.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    payment_group_id: Field<PaymentGroupId>,
    /// Id of the party, for `terms`.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    party_id: Field<PartyId>,
    /// Rate at confirmation; if the current rate differs, no rate of the change is set.
    #[serde(default)]
    #[schema(value_type = Option<RateInput>)]
    from: Field<Rate>,
    /// New rate: units of the currency per USD.
    #[serde(default)]
    #[schema(value_type = RateInput, required)]
    to: Field<Rate>,
}

/// A parsed rate.
#[derive(Debug)]
struct Wanted(WantedRate);

impl FromObject for Wanted {
    type Input = WantedRateInput;

    fn from_object(input: WantedRateInput, faults: &mut Faults) -> Option<Self> {
        let kind = faults.required("kind", input.kind);
        let from = faults.optional("from", input.from);
        let to = faults.required("to", input.to);
        let target = match kind? {
            Kind::Reference => RateTarget::Reference {
                currency: faults.required("currencyId", input.currency_id)?,
            },
            Kind::Catalogue => RateTarget::Catalogue {
                group: faults.required("paymentGroupId", input.payment_group_id)?,
            },
            Kind::Terms => {
                let party = faults.required("partyId", input.party_id);
                let group = faults.required("paymentGroupId", input.payment_group_id);
                RateTarget::Terms {
                    party: party?,
                    group: group?,
                }
            }
        };
        Some(Self(WantedRate { target, from, to: to? }))
    }
}

/// A change of exchange rates.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RateChangeInput {
    /// Rates to set; at most 1,000, each owner once.
    #[serde(default)]
    #[schema(value_type = Vec<WantedRateInput>, required, min_items = 1, max_items = 1000)]
    rates: Field<Vec<Wanted>>,
    /// Effective time, RFC 3339, at most a year ahead; absent for at once.
    #[serde(default)]
    #[schema(value_type = Option<DateTime<Utc>>)]
    at: Field<Moment>,
}

impl RateChangeInput {
    /// Converts to a command.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self) -> Result<RatesCommand, Refusal> {
        let mut faults = Faults::default();
        let rates = faults.required("rates", self.rates);
        let at = faults.optional("at", self.at);
        faults.finish(|| {
            Some(RatesCommand::Change {
                rates: rates?.into_iter().map(|wanted| wanted.0).collect(),
                at: at.map(|moment| moment.0),
            })
        })
    }
}
