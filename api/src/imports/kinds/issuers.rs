//! Issuers, who send. One that is known by document, telephone or name is left as it is.

use super::{
    FieldSpec, Kind, Plan, Setting, Shape,
    person::{ADDRESS, DOCUMENT_COUNTRY, LAST_NAME, Meant, PHONE, SECOND_SURNAME, is_email, meant},
};
use crate::imports::mapping::Values;
use caudal_domain::{Refusal, customer::CustomerKind, office::Area};

pub struct Issuers;

const FIELDS: &[FieldSpec] = &[
    FieldSpec::new(
        "name",
        Shape::Text,
        &[
            "nombre",
            "nombres",
            "name",
            "first name",
            "remitente",
            "emisor",
            "cliente",
            "customer",
            "sender",
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
            "numero de documento",
            "identificacion",
            "pasaporte",
            "document",
            "document number",
            "id number",
            "passport",
        ],
    ),
    FieldSpec::new(
        "personalIdentificationType",
        Shape::Text,
        &["tipo de documento", "tipo", "document type"],
    ),
    DOCUMENT_COUNTRY,
    FieldSpec::new(
        "personalIdentificationExpirationDate",
        Shape::Date,
        &[
            "vencimiento",
            "fecha de vencimiento",
            "vence",
            "expires",
            "expiry date",
            "expiration date",
        ],
    ),
    FieldSpec::new(
        "personalIdentificationIssueDate",
        Shape::Date,
        &["fecha de expedicion", "expedido", "issue date", "issued"],
    ),
    PHONE,
    FieldSpec::new(
        "email",
        Shape::Text,
        &["correo", "correo electronico", "email", "e mail"],
    )
    .looking(is_email),
    ADDRESS,
    FieldSpec::new("country", Shape::Text, &["pais", "country"]),
    FieldSpec::new("province", Shape::Text, &["estado", "provincia", "state", "province"]),
    FieldSpec::new("municipality", Shape::Text, &["ciudad", "municipio", "city"]),
    FieldSpec::new(
        "zipCode",
        Shape::Digits,
        &["codigo postal", "zip", "zip code", "postal code"],
    ),
];

impl Kind for Issuers {
    fn fields(&self) -> &'static [FieldSpec] {
        FIELDS
    }

    fn area(&self) -> Area {
        Area::Customers
    }

    fn plan(&self, _row: u32, values: &Values, setting: &mut Setting<'_>) -> Result<Plan, Refusal> {
        meant("", CustomerKind::Issuer, None, values, setting).map(Meant::plan)
    }
}
