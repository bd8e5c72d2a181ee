//! Receipt of a remittance, for sender and recipient.

use super::Composer;
use crate::{
    customer::masked,
    print::{MONEY, Printing, Words, brand, method, status, word},
    remittance::{Remittance, RemittancePerson, SellerContact},
};
use caudal_export::{Cell, Document, Kind, Total};

/// Receipt of a remittance, without prices for readers who do not see them. Card numbers are always masked: paper is
/// passed on.
#[must_use]
pub fn receipt(remittance: &Remittance, seller_contact: Option<&SellerContact>, printing: &Printing) -> Document {
    let seller = remittance.agent.as_ref().or(remittance.agency.as_ref());
    let about = seller.map(|seller| printing.name(seller)).into_iter().collect();
    let title = Words::new("Recibo de remesa", "Remittance receipt");
    let mut composer = Composer::new(printing, title, &remittance.code, about);
    let payout = word::PAYOUT;
    composer.amount(payout, remittance.payout, remittance.currency_to);
    composer.text(word::CODE, Some(remittance.code.as_str()));
    composer.time(word::DATE, Some(remittance.created));
    let state = status(remittance.status, Some(remittance.delivery_method));
    composer.text(word::STATUS, Some(printing.say(state)));
    composer.text(word::REFERENCE, remittance.reference.as_deref());
    if let Some(contact) = seller_contact {
        let (label, phone) = if contact.is_agency {
            (word::AGENCY, word::AGENCY_PHONE)
        } else {
            (word::AGENT, word::AGENT_PHONE)
        };
        composer.text(label, Some(printing.name_or_erased(contact.name.as_deref())));
        composer.text(phone, contact.phone_number.as_deref());
    }
    people(&mut composer, remittance);
    delivery(&mut composer, remittance);
    price(&mut composer, remittance);
    let caption = word::RECEIPT_CAPTION;
    composer.finish(&remittance.code, caption)
}

fn people(composer: &mut Composer<'_>, remittance: &Remittance) {
    let mut person = |label: Words, phone: Words, person: &RemittancePerson| {
        let name = composer.printing.name_or_erased(person.name.as_deref());
        composer.text(label, Some(name));
        composer.text(phone, person.phone_number.as_deref());
    };
    person(word::SENDER, word::SENDER_PHONE, &remittance.sender);
    person(word::RECIPIENT, word::RECIPIENT_PHONE, &remittance.recipient);
    let identification = remittance.recipient.identification_number.as_deref();
    composer.text(word::RECIPIENT_ID, identification);
}

fn delivery(composer: &mut Composer<'_>, remittance: &Remittance) {
    let printing = composer.printing;
    let how = method(remittance.delivery_method);
    composer.text(word::DELIVERY, Some(printing.say(how)));
    if let Some(address) = &remittance.address {
        let parts = [&address.address_line, &address.municipality, &address.province];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        let text = Some(parts.join(", ")).filter(|text| !text.is_empty());
        composer.text(word::ADDRESS, text);
    }
    if let Some(card) = &remittance.card {
        let number = card.card_number.as_deref().map(masked).unwrap_or_default();
        let text = format!("{} {number}", printing.say(brand(card.brand.0)));
        composer.text(word::CARD, Some(text.trim_end()));
    }
    if remittance.completed.is_some() {
        composer.time(word::DELIVERED, remittance.completed);
        let by = remittance.delivery_man.as_ref().or(remittance.dealer.as_ref());
        composer.text(word::DELIVERED_BY, by.map(|by| printing.name(by)));
        let representative = word::TAKEN_BY_THE_REPRESENTATIVE;
        composer.mark(representative, remittance.to_representative);
    }
    composer.text(word::REASON, remittance.reason.as_deref());
}

fn price(composer: &mut Composer<'_>, remittance: &Remittance) {
    let printing = composer.printing;
    let figures = (
        remittance.exchange_rate,
        remittance.amount,
        remittance.total_fee,
        remittance.total_to_pay,
    );
    let (Some(rate), Some(amount), Some(fees), Some(to_pay)) = figures else {
        return;
    };
    composer.section(word::AMOUNT);
    let rate = format!("1 {} = ", remittance.currency_from.0)
        + &printing.shown(&Cell::Decimal(rate.0.to_string()))
        + &format!(" {}", remittance.currency_to.0);
    composer.text(word::EXCHANGE_RATE, Some(rate));
    let row = |label: Words, amount: i64| vec![printing.say(label).into(), Cell::Money(amount)];
    let total = Words::new("Total a pagar USD", "Total to pay USD");
    composer.table(
        &[(word::ITEM, Kind::Text), (Words::new("USD", "USD"), MONEY)],
        vec![
            row(word::AMOUNT_SENT, amount.0.minor()),
            row(word::FEES, fees.0.minor()),
        ],
        vec![Total {
            label: printing.say(total).to_owned(),
            cells: vec![Cell::Empty, Cell::Money(to_pay.0.minor())],
        }],
    );
}
