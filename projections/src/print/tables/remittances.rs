//! Remittances and what happened to them.

use super::{
    super::table::{Table, currency, money, sum, text, time},
    actor, joined, name,
};
use crate::{
    print::Printing,
    print::{Words, change, method, status, words},
    remittance::{DeliveryDispute, DeliveryMethod, Remittance, RemittanceHistoryItem, RemittancePerson},
};

fn person(person: &RemittancePerson, printing: &Printing) -> Option<String> {
    Some(printing.name_or_erased(person.name.as_deref()))
}

fn place(remittance: &Remittance) -> Option<String> {
    let address = remittance.address.as_ref()?;
    joined([address.municipality.as_deref(), address.province.as_deref()], ", ")
}

/// Remittances, with their figures.
pub const REMITTANCES: Table<Remittance> = Table::new(
    Words::new("Remesas", "Remittances"),
    &[
        text("Código", "Code", |r, _| Some(r.code.clone())),
        time("Fecha", "Date", |r| Some(r.created)),
        text("Estado", "Status", |r, p| {
            Some(p.say(status(r.status, Some(r.delivery_method))).to_owned())
        }),
        text("Emisor", "Issuer", |r, p| person(&r.sender, p)),
        text("Destinatario", "Recipient", |r, p| person(&r.recipient, p)),
        text("Teléfono", "Phone", |r, _| r.recipient.phone_number.clone()),
        text("Entrega", "Delivery", |r, p| {
            Some(p.say(method(r.delivery_method)).to_owned())
        }),
        text("Lugar", "Place", |r, _| place(r)),
        text("Grupo", "Group", |r, _| Some(r.group_name.clone())),
        sum("Enviado USD", "Sent USD", |r| r.amount),
        sum("Comisiones USD", "Fees USD", |r| r.total_fee),
        sum("Total a pagar USD", "Total to pay USD", |r| r.total_to_pay),
        sum("A entregar", "Payout", |r| Some(r.payout)),
        currency("Moneda", "Currency", |r| Some(r.currency_to)),
        text("Agencia", "Agency", |r, p| name(r.agency.as_ref(), p)),
        text("Agente", "Agent", |r, p| name(r.agent.as_ref(), p)),
        text("Distribuidor", "Dealer", |r, p| name(r.dealer.as_ref(), p)),
        text("Repartidor", "Delivery man", |r, p| name(r.delivery_man.as_ref(), p)),
        text("Referencia", "Reference", |r, _| r.reference.clone()),
        text("Motivo", "Reason", |r, _| r.reason.clone()),
    ],
);

/// Remittances for who delivers them.
pub const DISPATCH: Table<Remittance> = Table::new(
    Words::new("Remesas para despacho", "Remittances for dispatch"),
    &[
        text("Código", "Code", |r, _| Some(r.code.clone())),
        time("Fecha", "Date", |r| Some(r.created)),
        text("Estado", "Status", |r, p| {
            Some(p.say(status(r.status, Some(r.delivery_method))).to_owned())
        }),
        text("Destinatario", "Recipient", |r, p| person(&r.recipient, p)),
        text("Teléfono", "Phone", |r, _| r.recipient.phone_number.clone()),
        text("CI", "ID", |r, _| r.recipient.identification_number.clone()),
        text("Dirección", "Address", |r, _| {
            r.address.as_ref().and_then(|a| a.address_line.clone())
        }),
        text("Lugar", "Place", |r, _| place(r)),
        text("Tarjeta", "Card", |r, _| {
            let card = r.card.as_ref().filter(|_| r.delivery_method == DeliveryMethod::Card)?;
            card.card_number.clone()
        }),
        sum("A entregar", "Payout", |r| Some(r.payout)),
        currency("Moneda", "Currency", |r| Some(r.currency_to)),
        text("Agencia", "Agency", |r, p| name(r.agency.as_ref(), p)),
        text("Distribuidor", "Dealer", |r, p| name(r.dealer.as_ref(), p)),
        text("Repartidor", "Delivery man", |r, p| name(r.delivery_man.as_ref(), p)),
        text("Notas", "Notes", |r, _| r.notes.clone()),
    ],
);

/// What happened to a remittance.
pub const HISTORY: Table<RemittanceHistoryItem> = Table::new(
    Words::new("Historial de la remesa", "History of the remittance"),
    &[
        time("Fecha", "Date", |h| Some(h.at)),
        time("Ocurrió", "Happened", |h| h.occurred),
        text("Cambio", "Change", |h, p| Some(p.say(change(h.change)).to_owned())),
        text("Estado anterior", "Status before", |h, p| {
            h.from_status.map(|before| p.say(status(before, None)).to_owned())
        }),
        text("Estado", "Status", |h, p| {
            Some(p.say(status(h.status, None)).to_owned())
        }),
        text("Quién", "Who", |h, p| actor(&h.actor, p)),
        text("Distribuidor", "Dealer", |h, p| name(h.dealer.as_ref(), p)),
        text("Repartidor", "Delivery man", |h, p| name(h.delivery_man.as_ref(), p)),
        money("Enviado USD", "Sent USD", |h| h.amount),
        money("A entregar", "Payout", |h| h.payout),
        currency("Moneda", "Currency", |h| h.currency_to),
        text("Motivo", "Reason", |h, p| {
            let attempt = h.attempt_reason.map(words::attempt);
            let said = attempt.or_else(|| h.refused.as_deref().map(words::refused));
            h.reason.clone().or_else(|| said.map(|said| p.say(said).to_owned()))
        }),
    ],
);

/// Disputed deliveries.
pub const DISPUTES: Table<DeliveryDispute> = Table::new(
    Words::new("Entregas en disputa", "Disputed deliveries"),
    &[
        text("Código", "Code", |d, _| Some(d.code.clone())),
        text("Estado", "Status", |d, p| {
            Some(p.say(words::dispute(d.status)).to_owned())
        }),
        text("Motivo", "Reason", |d, p| {
            Some(p.say(words::refused(&d.refused)).to_owned())
        }),
        text("Remesa", "Remittance", |d, p| {
            Some(p.say(status(d.remittance_status, None)).to_owned())
        }),
        text("Destinatario", "Recipient", |d, p| {
            Some(p.name_or_erased(d.recipient.as_deref()))
        }),
        sum("A entregar", "Payout", |d| Some(d.payout)),
        currency("Moneda", "Currency", |d| Some(d.currency_to)),
        text("Dice que entregó", "Says that he delivered", |d, p| {
            name(Some(&d.reported_by), p)
        }),
        text("Distribuidor", "Dealer", |d, p| name(d.dealer.as_ref(), p)),
        time("Entregada", "Delivered", |d| d.delivered),
        time("Enviada", "Sent", |d| Some(d.sent)),
        time("Resuelta", "Settled", |d| d.settled),
        text("Quién", "Who", |d, p| {
            d.settled_by.as_ref().and_then(|who| actor(who, p))
        }),
        text("Solución", "Settlement", |d, _| d.settlement.clone()),
    ],
);
