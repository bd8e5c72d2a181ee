//! Request bodies of currencies, places and payment groups.

use super::{
    CommissionInput, ManagerCommissionInput,
    decimal::{MoneyInput, RateInput},
    enumeration::TermsKind,
    field::{Faults, Field},
    merge::{mergeable, standing},
    quote::ManagerCommission,
};
use caudal_domain::{
    Commission, Refusal, TenantState,
    ids::{CurrencyId, MunicipalityId, PaymentGroupId, ProvinceId},
    money::{Amount, CurrencyCode, Rate},
    reference_data::{
        currency::Currency,
        payment_group::PaymentGroup,
        place::{self, DistributionFee, PlaceCommand, PlaceSettings},
    },
};
use caudal_projections::scalar;
use serde::Deserialize;
use utoipa::ToSchema;

/// A currency of the reference data.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrencyInput {
    /// Code: three upper-case letters, such as `CUP`; immutable.
    #[serde(default)]
    #[schema(value_type = String, required, pattern = "^[A-Z]{3}$")]
    code: Field<CurrencyCode>,
    /// Symbol before amounts, at most 5 characters.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1)]
    symbol: Field<String>,
    /// Reference rate: units per USD.
    #[serde(default)]
    #[schema(value_type = RateInput, required)]
    exchange_rate: Field<Rate>,
    /// Default delivery fee, in this currency.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    distribution_rate: Field<Amount>,
    /// Whether consolidated totals include it.
    #[serde(default)]
    #[schema(value_type = bool, required)]
    accounted: Field<bool>,
    /// Whether new operations may use it.
    #[serde(default)]
    #[schema(value_type = bool, required)]
    enabled: Field<bool>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`.
    #[serde(default, deserialize_with = "crate::input::merge::was")]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(CurrencyInput {
    code: "code",
    symbol: "symbol",
    exchange_rate: "exchangeRate",
    distribution_rate: "distributionRate",
    accounted: "accounted",
    enabled: "enabled",
});

impl CurrencyInput {
    /// Current values in the shape of a request.
    pub(crate) fn standing(currency: Currency) -> Self {
        Self {
            code: Field::Given(currency.code),
            symbol: Field::Given(currency.symbol),
            exchange_rate: Field::Given(currency.exchange_rate),
            distribution_rate: Field::Given(currency.distribution_rate),
            accounted: Field::Given(currency.accounted),
            enabled: Field::Given(currency.enabled),
            was: None,
        }
    }

    /// Converts to a currency.
    ///
    /// # Errors
    /// All field errors.
    pub fn currency(self, id: CurrencyId) -> Result<Currency, Refusal> {
        let mut faults = Faults::default();
        let code = faults.required("code", self.code);
        let symbol = faults.required_text("symbol", self.symbol);
        let exchange_rate = faults.required("exchangeRate", self.exchange_rate);
        let distribution_rate = faults.required("distributionRate", self.distribution_rate);
        let accounted = faults.required("accounted", self.accounted);
        let enabled = faults.required("enabled", self.enabled);
        faults.finish(|| {
            Some(Currency {
                id,
                code: code?,
                symbol: symbol?,
                exchange_rate: exchange_rate?,
                distribution_rate: distribution_rate?,
                accounted: accounted?,
                enabled: enabled?,
            })
        })
    }
}

/// A partial change of a province.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProvinceInput {
    /// Name of the place; accepted for round-trips, but immutable.
    #[serde(default)]
    #[schema(value_type = String)]
    name: Field<String>,
    /// Whether remittances may be delivered there.
    #[serde(default)]
    #[schema(value_type = bool)]
    enabled: Field<bool>,
}

impl ProvinceInput {
    /// Converts to a command; absent fields keep the current value.
    ///
    /// # Errors
    /// An unknown province, or all field errors.
    pub fn command(self, id: ProvinceId, state: &TenantState) -> Result<PlaceCommand, Refusal> {
        let known = place::province(id).ok_or_else(|| Refusal::not_found("province_not_found"))?;
        let mut faults = Faults::default();
        require_fixed_name(self.name, &known.name, &mut faults);
        let enabled = faults.optional("enabled", self.enabled);
        faults.finish(|| {
            let enabled = enabled.unwrap_or_else(|| state.province_enabled(id));
            Some(PlaceCommand::ChangeProvince(id, enabled))
        })
    }
}

/// A partial change of a municipality; null removes the fee.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MunicipalityInput {
    /// Name of the place; accepted for round-trips, but immutable.
    #[serde(default)]
    #[schema(value_type = String)]
    name: Field<String>,
    /// Delivery fee there, as a decimal string.
    #[serde(default)]
    #[schema(value_type = Option<MoneyInput>)]
    distribution_fee: Field<Amount>,
    /// Currency of the fee, which applies to payouts in this currency.
    #[serde(default)]
    #[schema(value_type = Option<scalar::CurrencyCode>)]
    distribution_fee_currency: Field<CurrencyCode>,
    /// Whether remittances may be delivered there.
    #[serde(default)]
    #[schema(value_type = bool)]
    enabled: Field<bool>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`.
    #[serde(default, deserialize_with = "crate::input::merge::was")]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(MunicipalityInput {
    distribution_fee: "distributionFee",
    distribution_fee_currency: "distributionFeeCurrency",
    enabled: "enabled",
});

impl MunicipalityInput {
    /// Current settings in the shape of a request.
    pub(crate) fn standing(settings: PlaceSettings) -> Self {
        Self {
            distribution_fee: standing(settings.distribution_fee.map(|fee| fee.amount)),
            distribution_fee_currency: standing(settings.distribution_fee.map(|fee| fee.currency)),
            enabled: Field::Given(settings.enabled),
            ..Self::default()
        }
    }

    /// Converts to a command; absent fields keep the current value.
    ///
    /// # Errors
    /// An unknown municipality, or all field errors.
    pub fn command(self, id: MunicipalityId, state: &TenantState) -> Result<PlaceCommand, Refusal> {
        let known = place::municipality(id).ok_or_else(|| Refusal::not_found("municipality_not_found"))?;
        let current = state.municipality(id);
        let mut faults = Faults::default();
        require_fixed_name(self.name, &known.name, &mut faults);
        let amount = faults.change("distributionFee", self.distribution_fee);
        let currency = faults.change("distributionFeeCurrency", self.distribution_fee_currency);
        let amount = amount.unwrap_or_else(|| current.distribution_fee.map(|fee| fee.amount));
        let currency = currency.unwrap_or_else(|| current.distribution_fee.map(|fee| fee.currency));
        let distribution_fee = match (amount, currency) {
            (Some(amount), Some(currency)) => Some(DistributionFee { amount, currency }),
            (Some(_), None) => {
                faults.add("distributionFeeCurrency", "required");
                None
            }
            (None, _) => None,
        };
        let enabled = faults.optional("enabled", self.enabled).unwrap_or(current.enabled);
        let settings = PlaceSettings {
            distribution_fee,
            enabled,
        };
        faults.finish(|| Some(PlaceCommand::ChangeMunicipality(id, settings)))
    }
}

/// Names of the catalogue are immutable; clients send whole places back.
fn require_fixed_name(given: Field<String>, name: &str, faults: &mut Faults) {
    if faults.text("name", given).is_some_and(|given| given != name) {
        faults.add("name", "name_is_fixed");
    }
}

/// A payment group of the catalogue.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentGroupInput {
    /// Id of the group, when the path does not contain it.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    id: Field<PaymentGroupId>,
    /// Name, unique among the groups, at most 80 characters.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1)]
    name: Field<String>,
    /// Currency of the amount sold: always USD.
    #[serde(default)]
    #[schema(value_type = String)]
    currency_from: Field<CurrencyCode>,
    /// Currency paid out, such as `CUP`; immutable.
    #[serde(default)]
    #[schema(value_type = String, required, pattern = "^[A-Z]{3}$")]
    currency_to: Field<CurrencyCode>,
    /// Exchange rate: units of `currencyTo` per USD; a party's terms may override it.
    #[serde(default)]
    #[schema(value_type = RateInput, required)]
    exchange_rate: Field<Rate>,
    /// The manager's commission.
    #[serde(default)]
    #[schema(value_type = ManagerCommissionInput, required)]
    manager_commission: Field<ManagerCommission>,
    /// Default commission of agencies' terms; 0 % when absent.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agency_commission: Field<Commission>,
    /// Default commission of agents' terms; 0 % when absent.
    #[serde(default)]
    #[schema(value_type = CommissionInput)]
    agent_commission: Field<Commission>,
    /// Whether it may be sold; true when absent.
    #[serde(default)]
    #[schema(value_type = bool)]
    is_active: Field<bool>,
    /// Always 0: a catalogue group.
    #[serde(default)]
    #[schema(value_type = scalar::PaymentGroupType)]
    r#type: Field<TermsKind>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`.
    #[serde(default, deserialize_with = "crate::input::merge::was")]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(PaymentGroupInput {
    name: "name",
    currency_to: "currencyTo",
    exchange_rate: "exchangeRate",
    is_active: "isActive",
} parts {
    manager_commission: "managerCommission",
    agency_commission: "agencyCommission",
    agent_commission: "agentCommission",
});

impl PaymentGroupInput {
    /// Current values in the shape of a request.
    pub(crate) fn standing(group: PaymentGroup) -> Self {
        Self {
            name: Field::Given(group.name),
            currency_to: Field::Given(group.currency_to),
            exchange_rate: Field::Given(group.exchange_rate),
            manager_commission: Field::Given(ManagerCommission(group.manager_commission)),
            agency_commission: Field::Given(group.agency_commission),
            agent_commission: Field::Given(group.agent_commission),
            is_active: Field::Given(group.is_active),
            ..Self::default()
        }
    }

    /// The id in the body.
    ///
    /// # Errors
    /// A missing or invalid id.
    pub fn named(&mut self) -> Result<PaymentGroupId, Refusal> {
        let mut faults = Faults::default();
        let id = faults.required("id", std::mem::take(&mut self.id));
        faults.finish(|| id)
    }

    /// Converts to a group; absent fields keep the value of `current`, or get their default.
    ///
    /// # Errors
    /// All field errors.
    pub fn group(self, id: PaymentGroupId, current: Option<&PaymentGroup>) -> Result<PaymentGroup, Refusal> {
        let mut faults = Faults::default();
        let name = faults.required_text("name", self.name);
        let sells = faults.optional("currencyFrom", self.currency_from);
        if sells.is_some_and(|currency| currency != CurrencyCode::USD) {
            faults.add("currencyFrom", "currency_from_is_usd");
        }
        let currency_to = faults.required("currencyTo", self.currency_to);
        let exchange_rate = faults.required("exchangeRate", self.exchange_rate);
        let manager = faults.required("managerCommission", self.manager_commission);
        let agency = faults.optional("agencyCommission", self.agency_commission);
        let agent = faults.optional("agentCommission", self.agent_commission);
        let is_active = faults.optional("isActive", self.is_active);
        if faults.optional("type", self.r#type) == Some(TermsKind::Party) {
            faults.add("type", "catalogue_type_is_zero");
        }
        faults.finish(|| {
            Some(PaymentGroup {
                id,
                name: name?,
                currency_to: currency_to?,
                exchange_rate: exchange_rate?,
                manager_commission: manager?.0,
                agency_commission: agency
                    .or(current.map(|group| group.agency_commission))
                    .unwrap_or_default(),
                agent_commission: agent
                    .or(current.map(|group| group.agent_commission))
                    .unwrap_or_default(),
                is_active: is_active.or(current.map(|group| group.is_active)).unwrap_or(true),
            })
        })
    }
}

/// The id of a payment group in a body.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PaymentGroupRef {
    /// Id of the record.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    id: Field<PaymentGroupId>,
}

impl PaymentGroupRef {
    /// The id.
    ///
    /// # Errors
    /// A missing or invalid id.
    pub fn id(self) -> Result<PaymentGroupId, Refusal> {
        let mut faults = Faults::default();
        let id = faults.required("id", self.id);
        faults.finish(|| id)
    }
}
