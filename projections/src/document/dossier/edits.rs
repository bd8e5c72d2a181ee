//! Before and after of edits, as printed.

use super::{text, yes_or_no};
use crate::{
    document::Composer,
    dossier::{DossierEdit, DossierField, document_type_name},
    print::{MONEY, Printing, Words, method, method_named, word},
    scalar::IdentificationType,
};
use caudal_domain::money::Amount;
use caudal_export::{Cell, Kind, Row};

/// Label of a type of document.
pub(super) const fn document_type(kind: IdentificationType) -> Words {
    match kind {
        IdentificationType::Ci => word::IDENTITY_CARD,
        IdentificationType::Passport => word::PASSPORT,
        IdentificationType::SocialSecurity => word::SOCIAL_SECURITY,
        IdentificationType::AlienCard => word::ALIEN_CARD,
        IdentificationType::PassportCardUs => word::PASSPORT_CARD_US,
        IdentificationType::DriverLicense => word::DRIVER_LICENSE,
        IdentificationType::IdOfficial => word::ID_OFFICIAL,
    }
}

/// Label of a field.
pub(super) const fn field(field: DossierField) -> Words {
    match field {
        DossierField::IsActive => word::ACTIVE,
        DossierField::Province => word::PROVINCE,
        DossierField::Municipality => word::MUNICIPALITY,
        DossierField::Name => word::NAME,
        DossierField::LastName => word::LAST_NAME,
        DossierField::SecondSurname => word::SECOND_SURNAME,
        DossierField::Alias => KNOWN_AS,
        DossierField::DocumentNumber => Words::new("Número del documento", "Number of the document"),
        DossierField::DocumentType => word::TYPE_OF_DOCUMENT,
        DossierField::DocumentCountry => word::DOCUMENT_COUNTRY,
        DossierField::DocumentIssued => ISSUED,
        DossierField::DocumentExpires => word::EXPIRES,
        DossierField::PhoneNumber => word::PHONE,
        DossierField::Email => word::EMAIL,
        DossierField::AddressLine | DossierField::Address => word::ADDRESS,
        DossierField::Repart => word::NEIGHBOURHOOD,
        DossierField::City => word::CITY,
        DossierField::StateOrProvince => word::STATE_OR_PROVINCE,
        DossierField::ZipCode => word::ZIP_CODE,
        DossierField::Country => word::COUNTRY,
        DossierField::RepresentativeName => word::REPRESENTATIVE,
        DossierField::RepresentativeLastName => word::REPRESENTATIVE_SURNAME,
        DossierField::RepresentativeDocumentNumber => word::REPRESENTATIVE_ID,
        DossierField::RepresentativePhoneNumber => word::REPRESENTATIVE_PHONE,
        DossierField::Recipient => word::RECIPIENT,
        DossierField::PaymentGroup => word::PAYMENT_GROUP,
        DossierField::Amount => word::SENT_USD,
        DossierField::Payout => word::PAYOUT,
        DossierField::Currency => word::CURRENCY,
        DossierField::ExchangeRate => word::EXCHANGE_RATE,
        DossierField::TotalFee => FEES,
        DossierField::TotalToPay => TOTAL_TO_PAY,
        DossierField::Reference => word::REFERENCE,
        DossierField::DeliveryMethod => word::DELIVERY,
        DossierField::Card => word::CARD,
        DossierField::Notes => word::NOTES,
        DossierField::Dealer => word::DEALER,
        DossierField::DeliveryMan => word::DELIVERY_MAN,
    }
}

pub(super) const KNOWN_AS: Words = Words::new("Conocido como", "Known as");
pub(super) const ISSUED: Words = Words::new("Emitido el", "Issued on");
pub(super) const FEES: Words = Words::new("Comisiones USD", "Fees USD");
pub(super) const TOTAL_TO_PAY: Words = Words::new("Total a pagar USD", "Total to pay USD");

/// Columns of edits: the field, before and after.
pub(super) const COLUMNS: [(Words, Kind); 3] = [
    (word::CHANGE, Kind::Text),
    (word::BEFORE, Kind::Text),
    (word::AFTER, Kind::Text),
];

/// What an edit changed, in the cells of [`COLUMNS`].
pub(super) fn row(edit: &DossierEdit, printing: &Printing) -> Row {
    let of = |value: &Option<String>| text(value.as_deref().map(|value| shown(edit.field, value, printing)));
    vec![
        printing.say(field(edit.field)).into(),
        of(&edit.before),
        of(&edit.after),
    ]
}

/// Edits of a version of the customer.
pub(super) fn table(composer: &mut Composer<'_>, edits: &[DossierEdit]) {
    if edits.is_empty() {
        return;
    }
    let printing = composer.printing;
    let rows = edits.iter().map(|edit| row(edit, printing));
    composer.table(&COLUMNS, rows.collect(), Vec::new());
}

/// A value in words, or as people write it.
fn shown(field: DossierField, value: &str, printing: &Printing) -> String {
    let words = match field {
        DossierField::IsActive => Some(yes_or_no(value == "true")),
        DossierField::DocumentType => {
            let all = IdentificationType::ALL.iter();
            let mut named = all.filter(|kind| document_type_name(**kind) == value);
            named.next().map(|kind| document_type(*kind))
        }
        DossierField::DeliveryMethod => method_named(value).map(method),
        _ => None,
    };
    if let Some(words) = words {
        return printing.say(words).to_owned();
    }
    let cell = match field {
        DossierField::Amount | DossierField::Payout | DossierField::TotalFee | DossierField::TotalToPay => {
            value.parse::<Amount>().ok().map(|amount| Cell::Money(amount.minor()))
        }
        DossierField::ExchangeRate => Some(Cell::Decimal(value.to_owned())),
        _ => None,
    };
    cell.map_or_else(|| value.to_owned(), |cell| cell.shown(MONEY, printing.language))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_field_of_the_customer_and_one_of_a_remittance_have_labels_of_their_own() {
        // A recipient's address and the address of one delivery are of different records, and read alike.
        let labels: BTreeSet<_> = DossierField::ALL.iter().map(|of| format!("{:?}", field(*of))).collect();
        assert_eq!(labels.len() + 1, DossierField::ALL.len());
    }
}
