//! Remittances. Issuer, recipient and card are found, or registered on the way.

use super::{
    FieldSpec, Kind, Plan, Setting, Shape, Step, group, invalid,
    person::{SENDER_DOCUMENT, SENDER_LAST_NAME, SENDER_NAME, SENDER_PHONE, is_card, meant, prefixed},
    request,
};
use crate::{
    imports::{mapping::Values, values},
    input::remittance::RemittanceInput,
};
use caudal_domain::{
    Command, Refusal, customer::CustomerKind, ids::RemittanceId, money::CurrencyCode, office::Area,
    remittance::RemittanceCommand,
};
use serde_json::json;

pub struct Remittances;

const FIELDS: &[FieldSpec] = &[
    SENDER_NAME.showing(&["senderId", "agencyId", "agentId"]),
    SENDER_LAST_NAME,
    SENDER_DOCUMENT,
    SENDER_PHONE,
    FieldSpec::new(
        "recipientName",
        Shape::Text,
        &[
            "destinatario",
            "beneficiario",
            "recipient",
            "nombre del destinatario",
            "nombre del beneficiario",
            "recipient name",
        ],
    )
    .required()
    .showing(&["recipientId"]),
    FieldSpec::new(
        "recipientLastName",
        Shape::Text,
        &[
            "apellidos del destinatario",
            "apellidos del beneficiario",
            "recipient last name",
            "recipient surname",
        ],
    ),
    FieldSpec::new(
        "recipientPersonalIdentificationNumber",
        Shape::Digits,
        &[
            "documento del destinatario",
            "carne del destinatario",
            "carne",
            "ci",
            "recipient document",
        ],
    ),
    FieldSpec::new(
        "recipientPhoneNumber",
        Shape::Digits,
        &[
            "telefono del destinatario",
            "telefono del beneficiario",
            "recipient phone",
            "telefono",
            "phone",
        ],
    ),
    FieldSpec::new(
        "recipientAddressLine",
        Shape::Text,
        &[
            "direccion",
            "direccion del destinatario",
            "address",
            "recipient address",
        ],
    )
    .showing(&["address"]),
    FieldSpec::new("recipientProvince", Shape::Text, &["provincia", "province"]).showing(&["provinceId"]),
    FieldSpec::new(
        "recipientMunicipality",
        Shape::Text,
        &["municipio", "municipality", "city"],
    )
    .showing(&["municipalityId", "recipientMunicipalityId"]),
    FieldSpec::new(
        "recipientCardNumber",
        Shape::Digits,
        &["tarjeta", "numero de tarjeta", "card", "card number"],
    )
    .looking(is_card)
    .showing(&["cardId"]),
    FieldSpec::new(
        "amount",
        Shape::Number,
        &[
            "importe",
            "monto",
            "cantidad",
            "usd",
            "amount",
            "amount usd",
            "importe usd",
        ],
    )
    .required(),
    FieldSpec::new(
        "paymentGroup",
        Shape::Text,
        &["grupo", "grupo de pago", "moneda", "payment group", "currency", "group"],
    )
    .required()
    .showing(&["paymentGroupId"]),
    FieldSpec::new(
        "deliveryMethod",
        Shape::Text,
        &[
            "entrega",
            "metodo",
            "forma de entrega",
            "delivery",
            "delivery method",
            "method",
        ],
    ),
    FieldSpec::new("reference", Shape::Text, &["referencia", "numero", "reference", "ref"]),
    FieldSpec::new(
        "notes",
        Shape::Text,
        &["notas", "nota", "observaciones", "notes", "comments"],
    ),
    FieldSpec::new(
        "purpose",
        Shape::Text,
        &["proposito", "proposito de la remesa", "finalidad", "motivo", "purpose"],
    ),
    FieldSpec::new(
        "sourceOfFunds",
        Shape::Text,
        &[
            "origen de los fondos",
            "procedencia de los fondos",
            "source of funds",
            "source of the funds",
        ],
    ),
];

/// Delivery by its name in either language; by the row's card where none is named.
fn method(text: Option<&str>, has_card: bool) -> Result<&'static str, Refusal> {
    let Some(text) = text else {
        return Ok(if has_card { "card" } else { "home" });
    };
    match values::folded(text).as_str() {
        "home" | "domicilio" | "a domicilio" | "efectivo" | "casa" | "cash" => Ok("home"),
        "card" | "tarjeta" | "transferencia" | "a tarjeta" | "transfer" => Ok("card"),
        _ => Err(invalid("deliveryMethod", "value_unknown")),
    }
}

impl Kind for Remittances {
    fn fields(&self) -> &'static [FieldSpec] {
        FIELDS
    }

    fn area(&self) -> Area {
        Area::Sales
    }

    fn plan(&self, row: u32, values: &Values, setting: &mut Setting<'_>) -> Result<Plan, Refusal> {
        let group = group(
            "paymentGroup",
            values.get("paymentGroup").unwrap_or_default(),
            setting.state,
        )?;
        let sender = meant("sender", CustomerKind::Issuer, None, values, setting)?;
        let recipient = meant("recipient", CustomerKind::Recipient, Some(sender.id), values, setting)?;
        let method = method(values.get("deliveryMethod"), recipient.card.is_some())?;
        // The delivery goes to the recipient's home, at its municipality's fee, and not to what the row says.
        if let Some(field) = recipient.elsewhere.filter(|_| method == "home") {
            return Err(Refusal::invalid(
                prefixed("recipient", field),
                "import_recipient_elsewhere",
            ));
        }
        let mut fields = vec![
            ("senderId", json!(sender.id.0)),
            ("recipientId", json!(recipient.id.0)),
            ("paymentGroupId", json!(group.0)),
            ("amount", json!(values.amount("amount", CurrencyCode::USD)?)),
            ("deliveryMethod", json!(method)),
        ];
        if let Some(card) = recipient.card.filter(|_| method == "card") {
            fields.push(("cardId", json!(card.0)));
        }
        if let Some(seller) = setting.named_seller() {
            fields.push(("agencyId", json!(seller.0)));
        }
        for name in ["reference", "notes", "purpose", "sourceOfFunds"] {
            if let Some(text) = values.get(name) {
                fields.push((name, json!(text)));
            }
        }
        let input: RemittanceInput =
            serde_json::from_value(request(fields)).map_err(|_| Refusal::conflict("request_unreadable"))?;
        let sale = input.command(RemittanceId(setting.own_id(format!("remittance:{row}"))))?;
        let mut steps = sender.steps;
        steps.extend(recipient.steps);
        steps.push(Step {
            part: "remittance".to_owned(),
            command: Command::Remittance(sale.id, RemittanceCommand::Create(sale)),
        });
        Ok(Plan::Commands(steps))
    }
}
