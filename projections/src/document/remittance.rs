//! Receipt of a remittance, for sender and recipient.

use super::Composer;
use crate::{
    customer::masked,
    print::{MONEY, Printing, Words, brand, method, status},
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
    let payout = Words::new("A entregar", "Payout");
    composer.amount(payout, remittance.payout, remittance.currency_to);
    composer.text(Words::new("Código", "Code"), Some(remittance.code.as_str()));
    composer.time(Words::new("Fecha", "Date"), Some(remittance.created));
    let state = status(remittance.status, Some(remittance.delivery_method));
    composer.text(Words::new("Estado", "Status"), Some(printing.say(state)));
    composer.text(Words::new("Referencia", "Reference"), remittance.reference.as_deref());
    if let Some(contact) = seller_contact {
        let (label, phone) = if contact.is_agency {
            (
                Words::new("Agencia", "Agency"),
                Words::new("Teléfono de la agencia", "Agency's phone"),
            )
        } else {
            (
                Words::new("Agente", "Agent"),
                Words::new("Teléfono del agente", "Agent's phone"),
            )
        };
        composer.text(label, Some(printing.name_or_erased(contact.name.as_deref())));
        composer.text(phone, contact.phone_number.as_deref());
    }
    people(&mut composer, remittance);
    delivery(&mut composer, remittance);
    price(&mut composer, remittance);
    let caption = Words::new(
        "Presente este código para consultar o recibir la remesa.",
        "Show this code to ask about the remittance or to be paid.",
    );
    composer.finish(&remittance.code, caption)
}

fn people(composer: &mut Composer<'_>, remittance: &Remittance) {
    let mut person = |label: Words, phone: Words, person: &RemittancePerson| {
        let name = composer.printing.name_or_erased(person.name.as_deref());
        composer.text(label, Some(name));
        composer.text(phone, person.phone_number.as_deref());
    };
    person(
        Words::new("Emisor", "Issuer"),
        Words::new("Teléfono del emisor", "Issuer's phone"),
        &remittance.sender,
    );
    person(
        Words::new("Destinatario", "Recipient"),
        Words::new("Teléfono del destinatario", "Recipient's phone"),
        &remittance.recipient,
    );
    let identification = remittance.recipient.identification_number.as_deref();
    composer.text(Words::new("CI del destinatario", "Recipient's ID"), identification);
}

fn delivery(composer: &mut Composer<'_>, remittance: &Remittance) {
    let printing = composer.printing;
    let how = method(remittance.delivery_method);
    composer.text(Words::new("Entrega", "Delivery"), Some(printing.say(how)));
    if let Some(address) = &remittance.address {
        let parts = [&address.address_line, &address.municipality, &address.province];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        let text = Some(parts.join(", ")).filter(|text| !text.is_empty());
        composer.text(Words::new("Dirección", "Address"), text);
    }
    if let Some(card) = &remittance.card {
        let number = card.card_number.as_deref().map(masked).unwrap_or_default();
        let text = format!("{} {number}", printing.say(brand(card.brand.0)));
        composer.text(Words::new("Tarjeta", "Card"), Some(text.trim_end()));
    }
    if remittance.completed.is_some() {
        composer.time(Words::new("Entregada", "Delivered"), remittance.completed);
        let by = remittance.delivery_man.as_ref().or(remittance.dealer.as_ref());
        composer.text(Words::new("Entregó", "Delivered by"), by.map(|by| printing.name(by)));
        let representative = Words::new("Recibió el apoderado", "Taken by the representative");
        composer.mark(representative, remittance.to_representative);
    }
    composer.text(Words::new("Motivo", "Reason"), remittance.reason.as_deref());
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
    composer.section(Words::new("Importe", "Amount"));
    let rate = format!("1 {} = ", remittance.currency_from.0)
        + &printing.shown(&Cell::Decimal(rate.0.to_string()))
        + &format!(" {}", remittance.currency_to.0);
    composer.text(Words::new("Tasa de cambio", "Exchange rate"), Some(rate));
    let row = |label: Words, amount: i64| vec![printing.say(label).into(), Cell::Money(amount)];
    let total = Words::new("Total a pagar USD", "Total to pay USD");
    composer.table(
        &[
            (Words::new("Concepto", "Item"), Kind::Text),
            (Words::new("USD", "USD"), MONEY),
        ],
        vec![
            row(Words::new("Enviado", "Sent"), amount.0.minor()),
            row(Words::new("Comisiones", "Fees"), fees.0.minor()),
        ],
        vec![Total {
            label: printing.say(total).to_owned(),
            cells: vec![Cell::Empty, Cell::Money(to_pay.0.minor())],
        }],
    );
}
