//! Which column is which field. Guessed once from headers and content, corrected by a person, and kept for files with the
//! same headers.

use super::{
    kinds::{self, CellValue, FieldSpec, ImportKind, Shape},
    reader::{NO_VALUE, NUMBER, RawRow, Table, shown},
    values::{self, DateOrder, Decimal},
};
use caudal_domain::{
    FieldError, Refusal,
    money::{Amount, CurrencyCode},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Rows from which formats are guessed.
const SAMPLE: usize = 500;
/// Maximum length of a value that stands for all rows.
pub const MAX_CONSTANT_CHARS: usize = 300;

/// Fields whose values for all rows are kept for files with the same headers: they say how such rows are meant, and of nobody
/// who he is.
const KEPT_CONSTANTS: &[&str] = &[
    "country",
    "currency",
    "deliveryMethod",
    "distributionFeeCurrency",
    "enabled",
    "municipality",
    "paymentGroup",
    "permissionSet",
    "personalIdentificationCountry",
    "personalIdentificationType",
    "province",
    "recipientMunicipality",
    "recipientProvince",
    "role",
    "toRepresentative",
];

/// Columns of fields, and how numbers and days are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ImportMapping)]
pub struct Mapping {
    /// Column of each field, from 0.
    #[serde(default)]
    pub columns: BTreeMap<String, usize>,
    /// Values of fields that no column has, for all rows.
    #[serde(default)]
    pub constants: BTreeMap<String, String>,
    /// How numbers are written, as the file's amounts show or a person says. Absent where neither does: then a number that
    /// may have thousands or decimals, such as `1.500`, is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decimal: Option<Decimal>,
    /// The order of days and months, as the file's dates show or a person says. Absent where neither does: then a date that is
    /// another day in the other order, such as `03/04/2026`, is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateOrder>,
    /// Totals by currency that another system says of the file, as decimal strings: the preview compares them with what the
    /// rows pay out or open, and the run does not begin while they differ. Opening balances need them.
    #[serde(default)]
    pub expected: BTreeMap<String, String>,
    /// For a manager: the agency or the agent without agency that owns the customers and sells the remittances.
    #[serde(default)]
    #[schema(value_type = Option<Uuid>)]
    pub owner: Option<Uuid>,
}

/// Guesses the mapping of a table.
pub fn guess(kind: ImportKind, table: &Table) -> Mapping {
    let mut mapping = Mapping::default();
    // Contents of columns are guessed from the first rows.
    let sample = table.rows.get(..SAMPLE).unwrap_or(&table.rows);
    let headers: Vec<String> = table.headers.iter().map(|header| values::folded(header)).collect();
    let mut taken = vec![false; headers.len()];
    // Whole headers first, so that "telefono" is not taken by "telefono del destinatario".
    for is_whole in [true, false] {
        for spec in kind.fields() {
            if mapping.columns.contains_key(spec.name) {
                continue;
            }
            let fits = |header: &String| {
                spec.words.iter().any(|word| {
                    if is_whole {
                        header == word
                    } else {
                        word.split(' ').count() > 1 && header.contains(word)
                    }
                })
            };
            let found = headers
                .iter()
                .enumerate()
                .find(|(index, header)| !taken.get(*index).copied().unwrap_or(true) && fits(header));
            if let Some((index, _)) = found {
                mapping.columns.insert(spec.name.to_owned(), index);
                if let Some(place) = taken.get_mut(index) {
                    *place = true;
                }
            }
        }
    }
    // By content: a column whose values all look like the field's.
    for spec in kind.fields().iter().filter(|spec| spec.looks.is_some()) {
        let Some(looks) = spec.looks.filter(|_| !mapping.columns.contains_key(spec.name)) else {
            continue;
        };
        let column = (0..headers.len()).find(|column| {
            let mut cells = cells(sample, *column).peekable();
            !taken.get(*column).copied().unwrap_or(true)
                && cells.peek().is_some()
                && cells.all(|cell| looks(shown(cell)))
        });
        if let Some(column) = column {
            mapping.columns.insert(spec.name.to_owned(), column);
            if let Some(place) = taken.get_mut(column) {
                *place = true;
            }
        }
    }
    mapping.as_shown_by(kind, table)
}

fn cells(rows: &[RawRow], column: usize) -> impl Iterator<Item = &str> {
    let cells = rows.iter().filter_map(move |row| row.cells.get(column));
    cells.map(String::as_str).filter(|cell| !shown(cell).trim().is_empty())
}

/// What all that show something show alike.
fn only<T: PartialEq>(mut shown: impl Iterator<Item = T>) -> Option<T> {
    let first = shown.next()?;
    shown.all(|other| other == first).then_some(first)
}

impl Mapping {
    /// Columns of the fields of a shape.
    fn of_shape(&self, kind: ImportKind, shape: Shape) -> impl Iterator<Item = usize> {
        let specs = kind.fields().iter().filter(move |spec| spec.shape == shape);
        specs.filter_map(move |spec| self.columns.get(spec.name).copied())
    }

    /// The decimal separator that all amounts of a file show, of those that show one.
    fn decimal_of(&self, kind: ImportKind, table: &Table) -> Option<Decimal> {
        let amounts = self.of_shape(kind, Shape::Number);
        let amounts = amounts.flat_map(|column| cells(&table.rows, column));
        only(amounts.filter_map(values::decimal_of))
    }

    /// Columns of days, with a time or without.
    fn days(&self, kind: ImportKind) -> impl Iterator<Item = usize> {
        let days = self.of_shape(kind, Shape::Date);
        days.chain(self.of_shape(kind, Shape::Moment))
    }

    /// Whether the order of days and months is neither said nor shown, and a column has them.
    #[must_use]
    pub fn lacks_order(&self, kind: ImportKind) -> bool {
        self.dates.is_none() && self.days(kind).next().is_some()
    }

    /// The orders of days and months that the dates of some rows show, of those that show one.
    pub fn orders_of(&self, kind: ImportKind, rows: &[RawRow]) -> impl Iterator<Item = DateOrder> {
        let days = self.days(kind).flat_map(move |column| cells(rows, column));
        let texts = days.filter(|cell| !cell.starts_with(NUMBER));
        texts.filter_map(values::order_of)
    }

    /// The mapping with the decimal separator, and the order of days and months, that a file shows.
    #[must_use]
    pub fn as_shown_by(self, kind: ImportKind, table: &Table) -> Self {
        let decimal = self.decimal_of(kind, table);
        let dates = only(self.orders_of(kind, &table.rows));
        Self { decimal, dates, ..self }
    }

    /// Checks a mapping that a person has corrected.
    ///
    /// # Errors
    /// All its faults, by field.
    pub fn check(&self, kind: ImportKind, columns: usize) -> Result<(), Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut add = |field: &str, code: &'static str| {
            errors.push(FieldError {
                field: field.to_owned().into(),
                code,
                params: BTreeMap::new(),
            });
        };
        let mut taken = BTreeMap::new();
        for (field, column) in &self.columns {
            if kind.field(field).is_none() || *column >= columns {
                add(field, "value_unknown");
            } else if taken.insert(*column, field).is_some() {
                add(field, "duplicate");
            }
        }
        for (field, value) in &self.constants {
            if kind.field(field).is_none() || value.chars().count() > MAX_CONSTANT_CHARS {
                add(field, "value_unknown");
            }
        }
        for (currency, total) in &self.expected {
            if currency.parse::<CurrencyCode>().is_err() {
                add("expected", "currency_unknown");
            } else if total.parse::<Amount>().is_err() {
                add("expected", "number_invalid");
            }
        }
        for spec in kind.fields().iter().filter(|spec| spec.required) {
            if !self.columns.contains_key(spec.name) && !self.constants.contains_key(spec.name) {
                add(spec.name, "required");
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// What is kept for files with the same headers. The totals, the seller, the decimal separator and the order of dates belong to
    /// one file, and so do values that may be of a person: the mapping outlives the file.
    #[must_use]
    pub fn kept(mut self) -> Self {
        self.constants
            .retain(|field, _| KEPT_CONSTANTS.contains(&field.as_str()));
        Self {
            expected: BTreeMap::new(),
            owner: None,
            decimal: None,
            dates: None,
            ..self
        }
    }

    /// Column of a field in which an error is shown: its own, or that of a field that stands for it.
    pub fn column_of(&self, kind: ImportKind, field: &str) -> Option<usize> {
        let own = self.columns.get(field).copied();
        own.or_else(|| {
            let of = |spec: &&FieldSpec| spec.shows.contains(&field);
            let mut specs = kind.fields().iter().filter(of);
            specs.find_map(|spec| self.columns.get(spec.name).copied())
        })
        // The log refuses a person by the fields of its own record.
        .or_else(|| {
            let mut persons = ["recipient", "sender"].into_iter();
            persons.find_map(|person| self.columns.get(&kinds::person::prefixed(person, field)).copied())
        })
    }

    /// Values of a row by field, as the API has them. Empty cells are left out.
    ///
    /// # Errors
    /// All cells that can't be read.
    pub fn values(&self, kind: ImportKind, row: &RawRow) -> Result<Values, Vec<FieldError>> {
        let (mut values, mut errors) = (Values::default(), Vec::new());
        for spec in kind.fields() {
            let cell = self.columns.get(spec.name).and_then(|column| row.cells.get(*column));
            // Neither empty nor a text: nothing else stands for it.
            if let Some(error) = cell.and_then(|cell| cell.strip_prefix(NO_VALUE)) {
                errors.push(FieldError {
                    field: spec.name.into(),
                    code: if error.is_empty() {
                        "import_formula_without_value"
                    } else {
                        "import_error_value"
                    },
                    params: BTreeMap::new(),
                });
                continue;
            }
            let cell = cell
                .map(|cell| cell.trim())
                .filter(|cell| !shown(cell).trim().is_empty());
            let Some(cell) = cell.or_else(|| self.constants.get(spec.name).map(String::as_str)) else {
                if spec.required {
                    errors.push(FieldError {
                        field: spec.name.into(),
                        code: "required",
                        params: BTreeMap::new(),
                    });
                }
                continue;
            };
            match spec.shape.read(cell, self) {
                Ok(value) => {
                    values.0.insert(spec.name, value);
                }
                Err(fault) => errors.push(fault.at(spec.name)),
            }
        }
        if errors.is_empty() { Ok(values) } else { Err(errors) }
    }
}

/// A row's values by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<&'static str, CellValue>);

impl Values {
    /// A value that is no number: see [`Self::amount`].
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&str> {
        match self.0.get(field)? {
            CellValue::Text(text) => Some(text),
            CellValue::Number(_) => None,
        }
    }

    /// A number as an amount in the currency that the row means; empty where the row has none.
    ///
    /// # Errors
    /// When the cell says another currency.
    pub fn amount(&self, field: &'static str, currency: CurrencyCode) -> Result<&str, Refusal> {
        match self.0.get(field) {
            Some(CellValue::Number(number)) => number
                .in_currency(currency)
                .map_err(|fault| Refusal::all_invalid(vec![fault.at(field)])),
            _ => Ok(""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imports::reader;

    #[test]
    fn fields_are_guessed_from_headers_in_both_languages_and_from_content() {
        let es = "Nombre;Apellidos;Teléfono;Correo\nAna;Pérez;+13055550100;ana@example.org\n";
        let mapping = guess(ImportKind::Issuers, &reader::read(es.as_bytes()).unwrap());
        let columns = |mapping: &Mapping| mapping.columns.clone().into_iter().collect::<Vec<_>>();
        let expected = [("email", 3), ("lastName", 1), ("name", 0), ("phoneNumber", 2)];
        assert_eq!(
            columns(&mapping),
            expected.map(|(field, column)| (field.to_owned(), column))
        );
        let en =
            "First name,Surname,x,y\nAna,Perez,+13055550100,ana@example.org\nEva,Diaz,+13055550101,eva@example.org\n";
        let mapping = guess(ImportKind::Issuers, &reader::read(en.as_bytes()).unwrap());
        assert_eq!(
            columns(&mapping),
            expected.map(|(field, column)| (field.to_owned(), column))
        );
    }

    #[test]
    fn of_the_values_for_all_rows_those_that_say_who_somebody_is_are_not_kept() {
        for name in KEPT_CONSTANTS {
            assert!(ImportKind::ALL.iter().any(|kind| kind.field(name).is_some()), "{name}");
        }
        for kind in ImportKind::ALL {
            let of_field = |spec: &FieldSpec| (spec.name.to_owned(), "Ana".to_owned());
            let mapping = Mapping {
                constants: kind.fields().iter().map(of_field).collect(),
                owner: Some(Uuid::nil()),
                ..Mapping::default()
            };
            let kept = mapping.kept();
            assert_eq!(kept.owner, None);
            for field in kept.constants.keys() {
                let spec = kind.field(field).unwrap();
                assert_eq!(spec.shape, Shape::Text, "{field}");
                let tells = [
                    "name", "surname", "phone", "number", "email", "address", "notes", "alias", "superior", "account",
                ];
                let name = field.to_lowercase();
                assert!(!tells.iter().any(|part| name.contains(part)), "{field}");
            }
        }
    }

    #[test]
    fn the_decimal_separator_is_the_one_that_the_amounts_show_or_is_not_known() {
        let decimal = |separator: &str, amounts: &[&str]| {
            let rows: String = amounts
                .iter()
                .map(|amount| format!("Ana{separator}Eva{separator}{amount}\n"))
                .collect();
            let file = format!("Remitente{separator}Destinatario{separator}Monto\n{rows}");
            guess(ImportKind::Remittances, &reader::read(file.as_bytes()).unwrap()).decimal
        };
        assert_eq!(decimal(";", &["1.234", "12,50"]), Some(Decimal::Comma));
        assert_eq!(decimal("\t", &["12.50"]), Some(Decimal::Point));
        // The separator of the columns shows nothing.
        for separator in [";", "\t"] {
            assert_eq!(decimal(separator, &["1.500", "2,000", "100"]), None, "{separator}");
            assert_eq!(decimal(separator, &["12.50", "12,50"]), None, "{separator}");
        }
        let late = [vec!["1.500"; SAMPLE], vec!["1.250,00"]].concat();
        assert_eq!(decimal(";", &late), Some(Decimal::Comma), "in a late row");
    }

    #[test]
    fn a_number_of_two_meanings_is_read_by_the_separator_that_the_file_shows_or_a_person_says() {
        let file = "Remitente;Destinatario;Monto;Moneda\nAna;Eva;1.500;CUP\n";
        let table = reader::read(file.as_bytes()).unwrap();
        let kind = ImportKind::Remittances;
        let guessed = guess(kind, &table);
        let amount = |mapping: &Mapping| {
            let values = mapping.values(kind, &table.rows[0]);
            values.map(|values| values.amount("amount", CurrencyCode::USD).unwrap().to_owned())
        };
        let refused = amount(&guessed).unwrap_err();
        assert_eq!(
            (&*refused[0].field, refused[0].code),
            ("amount", "import_decimal_unknown")
        );
        for (decimal, expected) in [(Decimal::Point, "1.500"), (Decimal::Comma, "1500")] {
            let said = Mapping {
                decimal: Some(decimal),
                ..guessed.clone()
            };
            assert_eq!(amount(&said), Ok(expected.to_owned()));
            // Another file with the same headers says it again.
            assert!(amount(&said.kept().as_shown_by(kind, &table)).is_err());
        }
    }

    #[test]
    fn the_order_of_dates_is_the_one_that_the_file_shows_or_is_not_known() {
        let guessed = |rows: &[&str]| {
            let file = format!("Nombre;Expedido;Vence\n{}\n", rows.join("\n"));
            let table = reader::read(file.as_bytes()).unwrap();
            (guess(ImportKind::Issuers, &table), table)
        };
        let dates = |rows: &[&str]| guessed(rows).0.dates;
        assert_eq!(dates(&["Ana;03/04/1980;", "Eva;05/05/1981;"]), None);
        assert_eq!(
            dates(&["Ana;03/04/1980;", "Eva;25/12/1981;"]),
            Some(DateOrder::DayFirst),
            "another row"
        );
        assert_eq!(
            dates(&["Ana;03/04/1980;12/31/2030"]),
            Some(DateOrder::MonthFirst),
            "another column"
        );
        assert_eq!(dates(&["Ana;25/12/1980;12/31/2030"]), None, "both");
        let late = [vec!["Ana;03/04/1980;"; SAMPLE], vec!["Ana;25/12/1980;"]].concat();
        assert_eq!(dates(&late), Some(DateOrder::DayFirst), "in a late row");

        let (unknown, table) = guessed(&["Ana;03/04/1980;"]);
        let kind = ImportKind::Issuers;
        assert!(unknown.lacks_order(kind));
        let field = "personalIdentificationIssueDate";
        let issued = |mapping: &Mapping| {
            let values = mapping.values(kind, &table.rows[0]);
            values.map(|values| values.get(field).map(str::to_owned))
        };
        let refused = issued(&unknown).unwrap_err();
        assert_eq!(
            (&*refused[0].field, refused[0].code),
            (field, "import_date_order_unknown")
        );
        for (order, expected) in [
            (DateOrder::DayFirst, "1980-04-03"),
            (DateOrder::MonthFirst, "1980-03-04"),
        ] {
            let said = Mapping {
                dates: Some(order),
                ..unknown.clone()
            };
            assert_eq!(issued(&said), Ok(Some(expected.to_owned())));
            assert!(!said.lacks_order(kind));
            assert!(
                issued(&said.kept().as_shown_by(kind, &table)).is_err(),
                "of another file"
            );
        }
    }

    #[test]
    fn a_mapping_of_an_earlier_version_keeps_its_order_of_dates() {
        let stored = r#"{"columns":{"name":0},"constants":{},"dates":"dayFirst","expected":{},"owner":null}"#;
        let mapping: Mapping = serde_json::from_str(stored).unwrap();
        assert_eq!(mapping.dates, Some(DateOrder::DayFirst));
    }
}
