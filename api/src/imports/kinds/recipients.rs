//! Recipients with a card each, below their issuer, who is found or registered on the way. A known one gets a card that it
//! lacks; several rows may name one recipient with different cards.

use super::{FieldSpec, Kind, Plan, Setting, Shape, is_card, is_phone, meant};
use crate::imports::mapping::Values;
use caudal_domain::{Refusal, customer::CustomerKind, office::Area};

pub struct Recipients;

const FIELDS: &[FieldSpec] = &[
    FieldSpec::new(
        "senderName",
        Shape::Text,
        &[
            "remitente",
            "emisor",
            "sender",
            "nombre del remitente",
            "nombre del emisor",
            "sender name",
        ],
    )
    .required()
    .showing(&["senderId", "agencyId"]),
    FieldSpec::new(
        "senderLastName",
        Shape::Text,
        &[
            "apellidos del remitente",
            "apellidos del emisor",
            "apellido del remitente",
            "sender last name",
            "sender surname",
        ],
    ),
    FieldSpec::new(
        "senderPersonalIdentificationNumber",
        Shape::Digits,
        &["documento del remitente", "documento del emisor", "sender document"],
    ),
    FieldSpec::new(
        "senderPhoneNumber",
        Shape::Digits,
        &["telefono del remitente", "telefono del emisor", "sender phone"],
    ),
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
    FieldSpec::new(
        "lastName",
        Shape::Text,
        &["apellido", "apellidos", "primer apellido", "last name", "surname"],
    ),
    FieldSpec::new("secondSurname", Shape::Text, &["segundo apellido", "second surname"]),
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
    FieldSpec::new(
        "phoneNumber",
        Shape::Digits,
        &[
            "telefono",
            "movil",
            "celular",
            "phone",
            "telephone",
            "mobile",
            "phone number",
        ],
    )
    .looking(is_phone),
    FieldSpec::new("addressLine", Shape::Text, &["direccion", "calle", "address", "street"]),
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
