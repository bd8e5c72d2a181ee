//! Receipt of a movement, for both parties.

use super::Composer;
use crate::{
    movement::Movement,
    print::{Printing, Words},
};
use caudal_export::Document;

#[must_use]
pub fn receipt(movement: &Movement, printing: &Printing) -> Document {
    let title = Words::new("Recibo de movimiento", "Movement receipt");
    let mut composer = Composer::new(printing, title, &movement.number, Vec::new());
    let mut amounts = movement.amounts.iter();
    if let Some(given) = amounts.next() {
        composer.amount(movement.kind.words(), given.amount, given.currency);
    }
    composer.text(Words::new("Número", "Number"), Some(movement.number.as_str()));
    composer.time(Words::new("Fecha", "Date"), Some(movement.created));
    composer.text(Words::new("De", "From"), movement.giver(printing));
    composer.text(Words::new("A", "To"), movement.receiver(printing));
    for counter in amounts {
        composer.money(Words::new("Contravalor", "Counter amount"), counter.amount);
        let currency = counter.currency.0.to_string();
        composer.text(Words::new("Moneda del contravalor", "Counter currency"), Some(currency));
    }
    composer.mark(Words::new("A crédito", "On credit"), movement.on_credit);
    let by = movement
        .actor
        .id
        .map(|_| printing.name_or_erased(movement.actor.name.as_deref()));
    composer.text(Words::new("Hecho por", "Made by"), by);
    composer.text(Words::new("Nota", "Note"), movement.note.as_deref());
    composer.mark(Words::new("Revertido", "Reversed"), movement.reversed);
    composer.text(Words::new("Motivo", "Reason"), movement.reverse_reason.as_deref());
    let caption = Words::new(
        "Con este número se consulta el movimiento.",
        "The movement is found by this number.",
    );
    composer.finish(&movement.number, caption)
}
