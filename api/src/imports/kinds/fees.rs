//! Delivery fees of municipalities. A municipality stands in a file once.

use super::{FieldSpec, Kind, Plan, Setting, Shape, Step, flag, invalid, person::place_of, request};
use crate::{imports::mapping::Values, input::reference_data::MunicipalityInput};
use caudal_domain::{Command, Refusal, ids::MunicipalityId, money::CurrencyCode, office::Area, party::Role};
use serde_json::{Map, Value, json};

pub struct Fees;

const FIELDS: &[FieldSpec] = &[
    FieldSpec::new("province", Shape::Text, &["provincia", "province"]),
    FieldSpec::new(
        "municipality",
        Shape::Text,
        &["municipio", "ciudad", "municipality", "city"],
    )
    .required(),
    FieldSpec::new(
        "distributionFee",
        Shape::Number,
        &[
            "tarifa",
            "coste",
            "costo",
            "comision",
            "comision de entrega",
            "costo de distribucion",
            "importe",
            "fee",
            "delivery fee",
            "distribution fee",
            "amount",
        ],
    )
    .required()
    .showing(&["distributionFeeCurrency"]),
    FieldSpec::new(
        "distributionFeeCurrency",
        Shape::Text,
        &["moneda", "divisa", "currency"],
    ),
    FieldSpec::new("enabled", Shape::Text, &["activo", "habilitado", "enabled", "active"]),
];

impl Kind for Fees {
    fn fields(&self) -> &'static [FieldSpec] {
        FIELDS
    }

    fn area(&self) -> Area {
        Area::Settings
    }

    fn roles(&self) -> &'static [Role] {
        &[Role::Manager]
    }

    fn has_owner(&self) -> bool {
        false
    }

    fn needs_fresh_code(&self) -> bool {
        true
    }

    fn plan(&self, row: u32, values: &Values, setting: &mut Setting<'_>) -> Result<Plan, Refusal> {
        let mut place = Map::new();
        place_of("", values.get("province"), values.get("municipality"), &mut place)?;
        let id = place
            .get("municipalityId")
            .cloned()
            .map(serde_json::from_value::<MunicipalityId>);
        let Some(Ok(id)) = id else {
            return Err(invalid("municipality", "municipality_unknown"));
        };
        if setting.known.row_of_place(id, row) != row {
            return Err(invalid("municipality", "duplicate"));
        }
        let currency = match values.get("distributionFeeCurrency") {
            Some(currency) => {
                let code = currency.trim().to_uppercase().parse::<CurrencyCode>();
                code.map_err(|_| invalid("distributionFeeCurrency", "currency_code_invalid"))?
            }
            // A fee keeps the currency of the one before.
            None => {
                let before = setting.state.municipality(id).distribution_fee;
                let before = before.ok_or_else(|| invalid("distributionFeeCurrency", "import_fee_currency_missing"))?;
                before.currency
            }
        };
        let mut fields = vec![
            ("distributionFee", json!(values.amount("distributionFee", currency)?)),
            ("distributionFeeCurrency", json!(currency)),
        ];
        if let Some(text) = values.get("enabled") {
            fields.push(("enabled", Value::Bool(flag("enabled", text)?)));
        }
        let input: MunicipalityInput =
            serde_json::from_value(request(fields)).map_err(|_| invalid("distributionFee", "number_invalid"))?;
        Ok(Plan::Commands(vec![Step {
            part: "fee".to_owned(),
            command: Command::Place(input.command(id, setting.state)?),
        }]))
    }
}
