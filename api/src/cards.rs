//! Numbers of cards in the JSON of commands, events and records, which are shown by their last digits.

use caudal_projections::customer::masked;
use serde_json::Value;

/// Field of a card's number in events and records.
const NUMBER: &str = "cardNumber";
/// Object of a proposed card, and its field.
const PROPOSED: (&str, &str) = ("card", "number");

/// Masks the numbers of cards in a value, at any depth.
pub fn mask(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                mask_at(name, field);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask),
        _ => {}
    }
}

/// [`mask`] for a value at a path of fields, separated by dots.
pub fn mask_at(path: &str, value: &mut Value) {
    let mut names = path.rsplit('.');
    let (name, within) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    match value {
        Value::String(number) if name == NUMBER || (within, name) == PROPOSED => *number = masked(number),
        Value::Object(fields) if name == PROPOSED.0 => {
            for (field, value) in fields {
                mask_at(&format!("{name}.{field}"), value);
            }
        }
        _ => mask(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_of_cards_are_masked_at_any_depth_and_other_numbers_stay() {
        let mut value = json!({
            "command": "addCard", "card": {"number": "9225 0612 3456 7890", "brand": "x"},
            "personal": {"cardNumber": "9225061234567890"}, "number": "R-000001",
            "rows": [{"cardNumber": null}, {"card": "0197"}],
        });
        mask(&mut value);
        assert_eq!(
            value,
            json!({
                "command": "addCard", "card": {"number": "***************7890", "brand": "x"},
                "personal": {"cardNumber": "************7890"}, "number": "R-000001",
                "rows": [{"cardNumber": null}, {"card": "0197"}],
            })
        );
    }

    #[test]
    fn a_changed_number_is_masked_by_its_path() {
        let masked = |path, value: &str| {
            let mut value = json!(value);
            mask_at(path, &mut value);
            value
        };
        assert_eq!(masked("personal.cardNumber", "9225061234567890"), "************7890");
        assert_eq!(masked("personal.card.number", "9225061234567890"), "************7890");
        assert_eq!(masked("personal.number", "9225061234567890"), "9225061234567890");
    }
}
