//! Validation of telephones and documents in a change. Only changed values are checked: records from before these
//! rules, or from an import, can be edited without correcting the number.

use crate::{
    customer::IdentificationType,
    document, phone,
    refusal::{FieldError, Refusal},
};
use chrono::NaiveDate;

/// Collects field errors of a person's numbers.
pub(crate) struct Numbers {
    today: NaiveDate,
    faults: Vec<FieldError>,
}

impl Numbers {
    pub(crate) const fn of(today: NaiveDate) -> Self {
        Self {
            today,
            faults: Vec::new(),
        }
    }

    /// Normalises a telephone to E.164 when it differs from `before`.
    pub(crate) fn phone(
        &mut self,
        field: &'static str,
        number: &mut Option<String>,
        before: Option<&Option<String>>,
        country: Option<&str>,
    ) {
        let given = number.as_deref().map(str::trim).filter(|text| !text.is_empty());
        if let Some(text) = given
            && before != Some(number)
        {
            match phone::parse(text, country) {
                Ok(parsed) => *number = Some(parsed),
                Err(fault) => self.add(field, fault),
            }
        }
    }

    /// Normalises a document when its type or number differs from `before`.
    pub(crate) fn document(
        &mut self,
        field: &'static str,
        kind: Option<IdentificationType>,
        number: &mut Option<String>,
        before: Option<(Option<IdentificationType>, &Option<String>)>,
    ) {
        let given = number.as_deref().map(str::trim).filter(|text| !text.is_empty());
        if let Some(text) = given
            && before != Some((kind, number))
        {
            match document::parse(kind, text, self.today) {
                Ok(parsed) => *number = Some(parsed),
                Err(fault) => self.add(field, fault),
            }
        }
    }

    fn add(&mut self, field: &'static str, fault: FieldError) {
        self.faults.push(FieldError {
            field: field.into(),
            ..fault
        });
    }

    /// Fields with errors.
    pub(crate) fn fields(self) -> Vec<String> {
        self.faults.into_iter().map(|fault| fault.field.into_owned()).collect()
    }

    /// Returns the collected field errors as one refusal.
    pub(crate) fn finish(self) -> Result<(), Refusal> {
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(Refusal::all_invalid(self.faults))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        customer::{CustomerDetails, CustomerKind, IdentificationType},
        party::{PartyDetails, Role},
    };
    use chrono::NaiveDate;

    fn today() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, 22).unwrap()
    }

    #[test]
    fn numbers_kept_before_the_rules_are_named_as_to_correct_and_good_ones_are_not() {
        let kept = CustomerDetails {
            name: "Berta".into(),
            phone_number: Some("abc".into()),
            alternative_phone_number: Some("5234 5678".into()),
            personal_identification_type: Some(IdentificationType::Ci),
            personal_identification_number: Some("123".into()),
            ..CustomerDetails::default()
        };
        assert_eq!(
            kept.to_correct(CustomerKind::Recipient, today()),
            ["personalIdentificationNumber", "phoneNumber"]
        );
        let of_an_issuer = kept.to_correct(CustomerKind::Issuer, today());
        assert!(
            of_an_issuer.contains(&"alternativePhoneNumber".to_owned()),
            "no country says whose it is"
        );
        let good = CustomerDetails {
            phone_number: Some("+5352345678".into()),
            personal_identification_number: Some("75010112345".into()),
            ..kept
        };
        assert!(good.to_correct(CustomerKind::Recipient, today()).is_empty());

        let agency = PartyDetails {
            phone: Some("305 555 0100".into()),
            ..PartyDetails::default()
        };
        assert_eq!(agency.to_correct(Role::Agency, today()), ["phone"]);
        assert!(agency.to_correct(Role::Dealer, today()).contains(&"phone".to_owned()));
    }
}
