//! Completions: remittances by their codes, with proofs from a ZIP.

use super::{FieldSpec, Kind, Plan, Setting, Shape, Step, flag, invalid};
use crate::imports::{mapping::Values, values};
use caudal_domain::{
    Command, Refusal,
    office::Area,
    party::Role,
    remittance::{CompleteRemittance, RemittanceCommand, Status},
};
use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};
use chrono_tz::Tz;

pub struct Completions;

/// Field of the image of the identification or of the transfer's proof; as in the call of one completion.
pub const IDENTIFICATION: &str = "identificationDocument";
/// Field of the image of the signature.
pub const SIGNATURE: &str = "firmPicture";
/// Field of the remittance's code.
pub const REMITTANCE: &str = "remittance";

const FIELDS: &[FieldSpec] = &[
    FieldSpec::new(
        REMITTANCE,
        Shape::Text,
        &[
            "remesa",
            "codigo",
            "codigo de la remesa",
            "remittance",
            "code",
            "remittance code",
        ],
    )
    .required()
    .looking(is_code),
    FieldSpec::new(
        IDENTIFICATION,
        Shape::Text,
        &[
            "prueba",
            "comprobante",
            "foto",
            "identificacion",
            "documento",
            "proof",
            "photo",
            "identification",
            "proof file",
        ],
    ),
    FieldSpec::new(SIGNATURE, Shape::Text, &["firma", "signature", "signature file"]),
    FieldSpec::new(
        "deliveredAt",
        Shape::Moment,
        &[
            "entregada",
            "fecha",
            "fecha de entrega",
            "delivered",
            "date",
            "delivery date",
        ],
    ),
    FieldSpec::new(
        "toRepresentative",
        Shape::Text,
        &[
            "representante",
            "a representante",
            "representative",
            "to representative",
        ],
    ),
];

fn is_code(text: &str) -> bool {
    let digits = text
        .trim()
        .strip_prefix("R-")
        .or_else(|| text.trim().strip_prefix("r-"));
    digits.is_some_and(|digits| digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The code that a row names.
pub fn code_of(values: &Values) -> String {
    values.get(REMITTANCE).unwrap_or_default().trim().to_uppercase()
}

/// A time of the tenant's zone. A day without a time is its end; the end of today is now, which is no time in the command. A time
/// that a clock change skips is as long after midnight as it says.
fn moment(text: &str, zone: Tz, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, Refusal> {
    let wrong = || invalid("deliveredAt", "time_invalid");
    let in_zone = |local: NaiveDateTime| {
        let at = |local: NaiveDateTime| local.and_local_timezone(zone).latest();
        let put_forward = || at(local + TimeDelta::hours(1));
        at(local).or_else(put_forward).map(|at| at.to_utc())
    };
    if let Ok(day) = text.parse::<NaiveDate>() {
        let end = values::end_of(day, zone).ok_or_else(wrong)?;
        let is_today = now.with_timezone(&zone).date_naive() == day;
        return Ok((!is_today).then_some(end));
    }
    let local = NaiveDateTime::parse_from_str(text, values::MOMENT).map_err(|_| wrong())?;
    in_zone(local).map(Some).ok_or_else(wrong)
}

impl Kind for Completions {
    fn fields(&self) -> &'static [FieldSpec] {
        FIELDS
    }

    fn area(&self) -> Area {
        Area::Sales
    }

    /// Delivery men complete at the door, one by one.
    fn roles(&self) -> &'static [Role] {
        &[Role::Manager, Role::Dealer]
    }

    fn has_owner(&self) -> bool {
        false
    }

    fn has_proofs(&self) -> bool {
        true
    }

    fn plan(&self, row: u32, values: &Values, setting: &mut Setting<'_>) -> Result<Plan, Refusal> {
        let deliveries = &mut *setting.deliveries;
        let found = deliveries.remittance(&code_of(values)).cloned();
        let found = found.ok_or_else(|| invalid(REMITTANCE, "remittance_not_found"))?;
        if deliveries.row_of(found.id, row) != row {
            return Err(invalid(REMITTANCE, "duplicate"));
        }
        let proofs = deliveries.proofs_of(values)?;
        // The rule tells why a remittance that is not in shipping can't be completed; its proofs are not looked at.
        let (mut identification, mut signature) = (None, None);
        if found.status == Status::Shipping {
            identification = Some(deliveries.hash(IDENTIFICATION, proofs.identification)?);
            signature = proofs
                .signature
                .map(|entry| deliveries.hash(SIGNATURE, Some(entry)))
                .transpose()?;
            if found.needs_signature && signature.is_none() {
                return Err(invalid(SIGNATURE, "import_signature_missing"));
            }
        }
        let delivered_at = values.get("deliveredAt");
        let delivered_at = delivered_at.map(|text| moment(text, setting.state.zone(), setting.now));
        let complete = CompleteRemittance {
            identification,
            signature,
            to_representative: values
                .get("toRepresentative")
                .map_or(Ok(false), |text| flag("toRepresentative", text))?,
            delivered_at: delivered_at.transpose()?.flatten(),
            carried_since: found.carried_since,
            carried: Default::default(),
            or_dispute: false,
            at_once: false,
        };
        Ok(Plan::Commands(vec![Step {
            part: "completion".to_owned(),
            command: Command::Remittance(found.id, RemittanceCommand::Complete(complete)),
        }]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_its_end_in_the_tenants_zone_and_today_is_now() {
        let now = "2026-11-27T15:00:00Z".parse().unwrap();
        let at = |text| moment(text, caudal_domain::DEFAULT_ZONE, now).map(|at| at.map(|at| at.to_rfc3339()));
        assert_eq!(at("2026-11-26"), Ok(Some("2026-11-27T04:59:59+00:00".to_owned())));
        assert_eq!(at("2026-11-27"), Ok(None));
        assert_eq!(
            at("2026-11-26T18:30:09"),
            Ok(Some("2026-11-26T23:30:09+00:00".to_owned()))
        );
        assert!(at("ayer").is_err());
    }

    #[test]
    fn days_and_times_at_the_clock_changes_of_havana_are_read() {
        let now = "2026-11-27T15:00:00Z".parse().unwrap();
        let zone = chrono_tz::America::Havana;
        let at = |text| moment(text, zone, now).unwrap().map(|at| at.to_rfc3339());
        for (text, expected) in [
            ("2026-03-07", "2026-03-08T04:59:59+00:00"),
            ("2026-03-08T00:30:00", "2026-03-08T05:30:00+00:00"),
            ("2026-10-31", "2026-11-01T03:59:59+00:00"),
            ("2026-10-31T23:30:00", "2026-11-01T03:30:00+00:00"),
        ] {
            assert_eq!(at(text).as_deref(), Some(expected), "{text}");
        }
    }
}
