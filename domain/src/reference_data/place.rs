//! Cuba's provinces and municipalities. The catalogue ships with the product; a tenant's events hold only its settings:
//! fees and enabled places.

use crate::{
    decision::{Context, Decision},
    ids::{MunicipalityId, ProvinceId},
    money::{Amount, CurrencyCode},
    quote::validate_amount,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, sync::LazyLock};
use uuid::Uuid;

#[derive(Clone, Debug)]
pub struct Province {
    /// Equal in all tenants: derived from the code.
    pub id: ProvinceId,
    /// Code of Cuba's statistical office (ONEI).
    pub code: String,
    /// ISO 3166-2 code.
    pub iso: String,
    pub name: String,
    /// Ordered by code.
    pub municipalities: Vec<Municipality>,
}

#[derive(Clone, Debug)]
pub struct Municipality {
    /// Equal in all tenants: derived from the code.
    pub id: MunicipalityId,
    /// Code of Cuba's statistical office (ONEI).
    pub code: String,
    pub name: String,
    pub province: ProvinceId,
}

#[derive(Deserialize)]
struct Source {
    provinces: Vec<SourceProvince>,
}

#[derive(Deserialize)]
struct SourceProvince {
    code: String,
    iso: String,
    name: String,
    municipalities: Vec<SourceMunicipality>,
}

#[derive(Deserialize)]
struct SourceMunicipality {
    code: String,
    name: String,
}

/// Namespace of the derived (v5) ids. Must never change.
const NAMESPACE: Uuid = Uuid::from_u128(0x6d1f_4c1a_9a52_5e0b_8f5e_0cab_a53c_0001);

static CATALOGUE: LazyLock<Vec<Province>> = LazyLock::new(|| {
    // The file is compiled in and read by a test; a parse error means a broken build.
    let source: Source = serde_json::from_str(include_str!("../cuba-provinces-municipalities.json"))
        .unwrap_or(Source { provinces: Vec::new() });
    source.provinces.into_iter().map(Province::from_source).collect()
});

static MUNICIPALITIES: LazyLock<HashMap<MunicipalityId, &'static Municipality>> = LazyLock::new(|| {
    CATALOGUE
        .iter()
        .flat_map(|province| &province.municipalities)
        .map(|place| (place.id, place))
        .collect()
});

impl Province {
    fn from_source(source: SourceProvince) -> Self {
        let id = ProvinceId(Uuid::new_v5(&NAMESPACE, format!("province/{}", source.code).as_bytes()));
        let municipality = |place: SourceMunicipality| Municipality {
            id: MunicipalityId(Uuid::new_v5(
                &NAMESPACE,
                format!("municipality/{}", place.code).as_bytes(),
            )),
            code: place.code,
            name: place.name,
            province: id,
        };
        let municipalities = source.municipalities.into_iter().map(municipality).collect();
        Self {
            id,
            code: source.code,
            iso: source.iso,
            name: source.name,
            municipalities,
        }
    }
}

/// All provinces, ordered by code.
#[must_use]
pub fn provinces() -> &'static [Province] {
    &CATALOGUE
}

#[must_use]
pub fn province(id: ProvinceId) -> Option<&'static Province> {
    CATALOGUE.iter().find(|province| province.id == id)
}

#[must_use]
pub fn municipality(id: MunicipalityId) -> Option<&'static Municipality> {
    MUNICIPALITIES.get(&id).copied()
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlaceSettings {
    /// Delivery fee, with its currency; `None` applies the currency's distribution rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distribution_fee: Option<DistributionFee>,
    /// Whether remittances may be delivered there.
    pub enabled: bool,
}

impl Default for PlaceSettings {
    fn default() -> Self {
        Self {
            distribution_fee: None,
            enabled: true,
        }
    }
}

/// Delivery fee that overrides the currency's distribution rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistributionFee {
    /// 0 or more.
    pub amount: Amount,
    /// The fee applies to payouts in this currency.
    pub currency: CurrencyCode,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlaceCommand {
    /// Enables or disables a province.
    ChangeProvince(ProvinceId, bool),
    /// Sets a municipality's fee and whether it is enabled.
    ChangeMunicipality(MunicipalityId, PlaceSettings),
}

impl PlaceCommand {
    #[must_use]
    pub const fn id(&self) -> Uuid {
        match self {
            Self::ChangeProvince(id, _) => id.0,
            Self::ChangeMunicipality(id, _) => id.0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum PlaceEvent {
    ProvinceChanged {
        id: ProvinceId,
        /// Whether remittances may be delivered there.
        enabled: bool,
    },
    MunicipalityChanged {
        id: MunicipalityId,
        /// Settings after the change.
        settings: PlaceSettings,
    },
}

pub(crate) fn decide(command: &PlaceCommand, ctx: &Context<'_>) -> Result<Decision<PlaceEvent>, Refusal> {
    ctx.require_manager()?;
    match command {
        PlaceCommand::ChangeProvince(id, enabled) => {
            require(province(*id).is_some(), || Refusal::not_found("province_not_found"))?;
            Ok(Decision::of(
                PlaceEvent::ProvinceChanged {
                    id: *id,
                    enabled: *enabled,
                },
                *id,
            )
            .unless(ctx.state.province_enabled(*id) == *enabled))
        }
        PlaceCommand::ChangeMunicipality(id, settings) => {
            require(municipality(*id).is_some(), || {
                Refusal::not_found("municipality_not_found")
            })?;
            if let Some(fee) = settings.distribution_fee {
                if !fee.amount.is_zero() {
                    validate_amount("distributionFee", fee.amount)?;
                }
                require(ctx.state.currency(fee.currency).is_some(), || {
                    Refusal::invalid("distributionFeeCurrency", "currency_unknown")
                })?;
            }
            Ok(Decision::of(
                PlaceEvent::MunicipalityChanged {
                    id: *id,
                    settings: settings.clone(),
                },
                *id,
            )
            .unless(ctx.state.municipality(*id) == *settings))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Forbidden, Invalid, NotFound},
        aggregate::PlaceTouched,
        testing::{
            Business, amount,
            given::{Caller, Then, Tried},
        },
    };

    #[test]
    fn the_catalogue_has_the_fifteen_provinces_the_island_and_168_municipalities() {
        assert_eq!(provinces().len(), 16);
        assert_eq!(
            provinces()
                .iter()
                .map(|province| province.municipalities.len())
                .sum::<usize>(),
            168
        );
        assert_eq!(MUNICIPALITIES.len(), 168, "every id is its own");
    }

    #[test]
    fn the_ids_never_change() {
        let (province, municipality) = crate::testing::place("La Habana", "Playa");
        assert_eq!(province.to_string(), "cf892580-80a1-5ba3-b165-989c35469b39");
        assert_eq!(municipality.to_string(), "7dc74764-c031-5e71-bcaf-42651fc80d52");
    }

    fn act(business: &Business, caller: impl Caller, command: PlaceCommand) -> Tried<PlaceTouched> {
        let id = command.id();
        business
            .world
            .given::<PlaceTouched>(id)
            .when(business.world.by(caller, command))
    }

    fn fee(text: &str, currency: CurrencyCode) -> PlaceSettings {
        let amount = amount(text);
        PlaceSettings {
            distribution_fee: Some(DistributionFee { amount, currency }),
            enabled: true,
        }
    }

    #[test]
    fn managers_set_a_municipalitys_fee_and_enable_places() {
        let business = Business::new();
        let (province, id) = (business.playa.province.unwrap(), business.playa.municipality.unwrap());
        let settings = fee("250", CurrencyCode::CUP);
        act(
            &business,
            business.manager,
            PlaceCommand::ChangeMunicipality(id, settings.clone()),
        )
        .then_expect_events(vec![PlaceEvent::MunicipalityChanged { id, settings }]);
        act(
            &business,
            business.manager,
            PlaceCommand::ChangeProvince(province, false),
        )
        .then_expect_events(vec![PlaceEvent::ProvinceChanged {
            id: province,
            enabled: false,
        }]);
        act(
            &business,
            business.agency,
            PlaceCommand::ChangeProvince(province, false),
        )
        .then_refused(Forbidden, "role_not_allowed");
    }

    #[test]
    fn a_fee_is_zero_or_more_in_a_known_currency_of_a_known_place() {
        let business = Business::new();
        let manager = business.manager;
        let at = |settings| PlaceCommand::ChangeMunicipality(business.playa.municipality.unwrap(), settings);
        act(&business, manager, at(fee("0", CurrencyCode::CUP))).then_event();
        for (settings, rule) in [
            (fee("-1", CurrencyCode::CUP), "distributionFee:amount_not_positive"),
            (
                fee("1000000000000.01", CurrencyCode::CUP),
                "distributionFee:amount_too_large",
            ),
            (
                fee("1", "GBP".parse().unwrap()),
                "distributionFeeCurrency:currency_unknown",
            ),
        ] {
            act(&business, manager, at(settings)).then_refused(Invalid, &format!("invalid {rule}"));
        }
        let unknown = PlaceCommand::ChangeMunicipality(MunicipalityId::generate(), PlaceSettings::default());
        act(&business, manager, unknown).then_refused(NotFound, "municipality_not_found");
        let unknown = PlaceCommand::ChangeProvince(ProvinceId::generate(), true);
        act(&business, manager, unknown).then_refused(NotFound, "province_not_found");
    }

    #[test]
    fn a_change_to_what_a_place_has_writes_no_event() {
        let mut business = Business::new();
        let (province, id) = (business.playa.province.unwrap(), business.playa.municipality.unwrap());
        let enable = || PlaceCommand::ChangeProvince(province, true);
        act(&business, business.manager, enable()).then_expect_events(vec![]);
        let set = || PlaceCommand::ChangeMunicipality(id, fee("250", CurrencyCode::CUP));
        business
            .world
            .run(business.manager, crate::Command::Place(set()))
            .unwrap();
        act(&business, business.manager, set()).then_expect_events(vec![]);
        let other = PlaceCommand::ChangeMunicipality(id, fee("251", CurrencyCode::CUP));
        act(&business, business.manager, other).then_event();
    }
}
