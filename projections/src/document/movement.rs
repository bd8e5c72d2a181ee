//! Receipt of a movement, for both parties.

use super::Composer;
use crate::{
    movement::Movement,
    print::{Printing, Words, name, word},
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
    composer.text(word::NUMBER, Some(movement.number.as_str()));
    composer.time(word::DATE, Some(movement.created));
    composer.text(word::FROM, movement.giver(printing));
    composer.text(word::TO, movement.receiver(printing));
    for counter in amounts {
        composer.money(Words::new("Contravalor", "Counter amount"), counter.amount);
        let currency = counter.currency.0.to_string();
        composer.text(Words::new("Moneda del contravalor", "Counter currency"), Some(currency));
    }
    composer.mark(word::ON_CREDIT, movement.on_credit);
    let by = movement
        .actor
        .id
        .map(|_| printing.name_or_erased(movement.actor.name.as_deref()));
    composer.text(Words::new("Hecho por", "Made by"), by);
    composer.text(word::APPROVED_BY, name(movement.approved_by.as_ref(), printing));
    composer.text(word::NOTE, movement.note.as_deref());
    composer.mark(Words::new("Revertido", "Reversed"), movement.reversed);
    composer.text(word::REASON, movement.reverse_reason.as_deref());
    let caption = Words::new(
        "Con este número se consulta el movimiento.",
        "The movement is found by this number.",
    );
    composer.finish(&movement.number, caption)
}
