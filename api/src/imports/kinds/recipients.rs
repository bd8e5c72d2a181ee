//! Recipients with a card each, below their issuer, who is found or registered on the way. A known one gets a card that it
//! lacks; several rows may name one recipient with different cards.

use super::{
    FieldSpec, Kind, Plan, Setting, Shape,
    person::{
        ADDRESS, DOCUMENT_COUNTRY, LAST_NAME, PHONE, SECOND_SURNAME, SENDER_DOCUMENT, SENDER_LAST_NAME, SENDER_NAME,
        SENDER_PHONE, is_card, meant,
    },
};
use crate::imports::mapping::Values;
use caudal_domain::{Refusal, customer::CustomerKind, office::Area};

pub struct Recipients;

const FIELDS: &[FieldSpec] = &[
    SENDER_NAME.showing(&["senderId", "agencyId"]),
    SENDER_LAST_NAME,
    SENDER_DOCUMENT,
    SENDER_PHONE,
    FieldSpec::new(
        "name",
        Shape::Text,
        &[
            "nombre",
            "nombres",
            "name",
            "first name",
            "destinatario",
            "beneficiario",
            "recipient",
            "nombre y apellidos",
            "full name",
        ],
    )
    .required(),
    LAST_NAME,
    SECOND_SURNAME,
    FieldSpec::new(
        "personalIdentificationNumber",
        Shape::Digits,
        &[
            "documento",
            "carne",
            "carne de identidad",
            "ci",
            "identificacion",
            "document",
            "id number",
        ],
    ),
    FieldSpec::new(
        "personalIdentificationType",
        Shape::Text,
        &["tipo de documento", "document type"],
    ),
    DOCUMENT_COUNTRY,
    PHONE,
    ADDRESS,
    FieldSpec::new(
        "repart",
        Shape::Text,
        &["reparto", "barrio", "neighbourhood", "neighborhood"],
    ),
    FieldSpec::new("province", Shape::Text, &["provincia", "province"]).showing(&["provinceId"]),
    FieldSpec::new(
        "municipality",
        Shape::Text,
        &["municipio", "ciudad", "municipality", "city"],
    )
    .showing(&["municipalityId"]),
    FieldSpec::new("alias", Shape::Text, &["alias", "apodo", "nickname"]),
    FieldSpec::new(
        "alternativeName",
        Shape::Text,
        &["representante", "nombre del representante", "representative"],
    ),
    FieldSpec::new(
        "alternativePhoneNumber",
        Shape::Digits,
        &["telefono del representante", "representative phone"],
    ),
    FieldSpec::new(
        "cardNumber",
        Shape::Digits,
        &["tarjeta", "numero de tarjeta", "card", "card number"],
    )
    .looking(is_card),
];

impl Kind for Recipients {
    fn fields(&self) -> &'static [FieldSpec] {
        FIELDS
    }

    fn area(&self) -> Area {
        Area::Customers
    }

    fn plan(&self, _row: u32, values: &Values, setting: &mut Setting<'_>) -> Result<Plan, Refusal> {
        let sender = meant("sender", CustomerKind::Issuer, None, values, setting)?;
        let mut recipient = meant("", CustomerKind::Recipient, Some(sender.id), values, setting)?;
        recipient.steps.splice(0..0, sender.steps);
        Ok(recipient.plan())
    }
}
