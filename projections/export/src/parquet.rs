//! Parquet for analysts: typed columns under stable names, and the ledger position in the file's metadata. No value is a
//! binary float: money is a decimal over 64 bits, a rate one over 128.
//!
//! | Kind | Type |
//! |---|---|
//! | text | string |
//! | integer | 64 bits |
//! | money | decimal of 18 digits with the currency's decimals |
//! | rate | decimal of 38 digits with 12 decimals |
//! | date | days |
//! | date and time | microseconds in the reader's time zone |
//! | yes or no | boolean |
//!
//! Rows are written to a temporary file as they arrive, in groups of [`GROUP_ROWS`].

use crate::{Cell, Column, ExportError, Kind, Row, Sheet, export::rewound, sheet::check_row, xlsx::Part};
use chrono::{DateTime, NaiveDate};
use parquet::{
    basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical},
    data_type::{
        BoolType, ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
    },
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::WriterProperties,
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::types::Type,
};
use std::{collections::HashSet, fs::File, io::BufWriter, sync::Arc};
use tokio::sync::mpsc::Receiver;

/// Rows of a group, which is in memory until it is complete: some 20 MB of a wide table.
const GROUP_ROWS: usize = 10_000;
/// Digits of an amount: what 64 bits hold.
const MONEY_DIGITS: i32 = 18;
/// Digits and decimals of a rate: what 128 bits hold, and the decimals that a rate may have.
const RATE_DIGITS: i32 = 38;
const RATE_DECIMALS: u32 = 12;
const RATE_BYTES: i32 = 16;

impl From<ParquetError> for ExportError {
    fn from(error: ParquetError) -> Self {
        Self::Parquet(error.to_string())
    }
}

/// Writes the table to an unnamed temporary file and rewinds it. Blocks.
pub(crate) fn write(sheet: &Sheet, mut parts: Receiver<Part>) -> Result<File, ExportError> {
    let fields = names(&sheet.columns)
        .iter()
        .zip(&sheet.columns)
        .map(|(name, column)| field(name, column.kind).map(Arc::new))
        .collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("rows").with_fields(fields).build()?;
    let described = sheet
        .facts
        .iter()
        .map(|(key, value)| KeyValue::new(key.clone(), value.clone()))
        .collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(described))
        .build();
    let file = BufWriter::new(tempfile::tempfile()?);
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
    let mut group = Vec::new();
    loop {
        match parts.blocking_recv() {
            Some(Part::Rows(rows)) => {
                rows.iter().try_for_each(|row| check_row(&sheet.columns, row))?;
                group.extend(rows);
                if group.len() >= GROUP_ROWS {
                    write_group(&mut writer, &sheet.columns, &std::mem::take(&mut group))?;
                }
            }
            Some(Part::End) => break,
            None => return Err(ExportError::GivenUp),
        }
    }
    if !group.is_empty() {
        write_group(&mut writer, &sheet.columns, &group)?;
    }
    rewound(writer.into_inner()?)
}

/// A name of each column: its stable name, else its header. Equal ones are numbered.
fn names(columns: &[Column]) -> Vec<String> {
    let mut taken = HashSet::new();
    let name = |column: &Column| {
        let name = column.name.unwrap_or(&column.header);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut free = std::iter::once(name.to_owned()).chain(numbered);
        free.find(|name| taken.insert(name.clone())).unwrap_or_default()
    };
    columns.iter().map(name).collect()
}

fn field(name: &str, kind: Kind) -> Result<Type, ParquetError> {
    let typed = |physical, logical| {
        Type::primitive_type_builder(name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
    };
    let decimal = |physical, scale, digits| {
        typed(physical, Some(LogicalType::decimal(scale, digits)))
            .with_precision(digits)
            .with_scale(scale)
    };
    let field = match kind {
        Kind::Text => typed(Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Integer => typed(Physical::INT64, None),
        Kind::Money { decimals } => decimal(Physical::INT64, i32::from(decimals), MONEY_DIGITS),
        Kind::Rate => {
            let rate = decimal(Physical::FIXED_LEN_BYTE_ARRAY, RATE_DECIMALS.cast_signed(), RATE_DIGITS);
            rate.with_length(RATE_BYTES)
        }
        Kind::Date => typed(Physical::INT32, Some(LogicalType::Date)),
        Kind::DateTime => typed(Physical::INT64, Some(LogicalType::timestamp(false, TimeUnit::MICROS))),
        Kind::Boolean => typed(Physical::BOOLEAN, None),
    };
    field.build()
}

type Writer = SerializedFileWriter<BufWriter<File>>;

fn write_group(writer: &mut Writer, columns: &[Column], rows: &[Row]) -> Result<(), ExportError> {
    let mut group = writer.next_row_group()?;
    for (place, column) in columns.iter().enumerate() {
        let Some(mut written) = group.next_column()? else {
            return Err(ExportError::Columns(place));
        };
        let cells = rows.iter().filter_map(|row| row.get(place));
        match column.kind {
            Kind::Text => put::<ByteArrayType>(&mut written, cells, |cell| {
                Some(ByteArray::from(cell.plain(column.kind).into_bytes()))
            }),
            Kind::Integer => put::<Int64Type>(&mut written, cells, |cell| match cell {
                Cell::Integer(value) => Some(*value),
                _ => None,
            }),
            Kind::Money { .. } => put::<Int64Type>(&mut written, cells, |cell| match cell {
                Cell::Money(minor) => {
                    Some(*minor).filter(|minor| minor.unsigned_abs() < 10_u64.pow(MONEY_DIGITS.unsigned_abs()))
                }
                _ => None,
            }),
            Kind::Rate => put::<FixedLenByteArrayType>(&mut written, cells, |cell| match cell {
                Cell::Decimal(text) => scaled(text).map(|rate| FixedLenByteArray::from(rate.to_be_bytes().to_vec())),
                Cell::Integer(value) => {
                    let rate = i128::from(*value).checked_mul(10_i128.pow(RATE_DECIMALS))?;
                    Some(FixedLenByteArray::from(rate.to_be_bytes().to_vec()))
                }
                _ => None,
            }),
            Kind::Date => put::<Int32Type>(&mut written, cells, |cell| match cell {
                Cell::Date(date) => days(*date),
                Cell::DateTime(time) => days(time.date()),
                _ => None,
            }),
            Kind::DateTime => put::<Int64Type>(&mut written, cells, |cell| match cell {
                Cell::DateTime(time) => Some(time.and_utc().timestamp_micros()),
                Cell::Date(date) => days(*date).map(|days| i64::from(days) * 86_400_000_000),
                _ => None,
            }),
            Kind::Boolean => put::<BoolType>(&mut written, cells, |cell| match cell {
                Cell::Bool(value) => Some(*value),
                _ => None,
            }),
        }?;
        written.close()?;
    }
    group.close()?;
    Ok(())
}

/// Writes a column's cells. A cell that its column's type can't hold fails the export: a file must not lose a value.
fn put<'c, T: DataType>(
    column: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = &'c Cell>,
    value: impl Fn(&Cell) -> Option<T::T>,
) -> Result<(), ExportError> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    for cell in cells {
        if *cell == Cell::Empty {
            levels.push(0);
            continue;
        }
        let value = value(cell).ok_or_else(|| ExportError::Parquet(format!("no value of its column: {cell:?}")))?;
        values.push(value);
        levels.push(1);
    }
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    Ok(())
}

fn days(date: NaiveDate) -> Option<i32> {
    let days = date.signed_duration_since(DateTime::UNIX_EPOCH.date_naive()).num_days();
    i32::try_from(days).ok()
}

/// An exact decimal in units of 10⁻¹²; `None` for another text, more decimals, or too large a number.
fn scaled(text: &str) -> Option<i128> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(decimals) {
        return None;
    }
    let decimals = decimals.trim_end_matches('0');
    let missing = RATE_DECIMALS.checked_sub(u32::try_from(decimals.len()).ok()?)?;
    let joined: i128 = format!("{whole}{decimals}").parse().ok()?;
    let value = joined.checked_mul(10_i128.pow(missing))?;
    let value = if negative { -value } else { value };
    (value.unsigned_abs() < 10_u128.pow(RATE_DIGITS.unsigned_abs())).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_exact_or_refused() {
        assert_eq!(scaled("1"), Some(1_000_000_000_000));
        assert_eq!(scaled("-0.5"), Some(-500_000_000_000));
        assert_eq!(scaled("320.1250000000000000"), Some(320_125_000_000_000));
        for wrong in ["", "-", ".5", "1e3", "0.0000000000001", "1.2.3", "—"] {
            assert_eq!(scaled(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn equal_names_are_numbered() {
        let column = |name| Column::new("Importe", Kind::Integer).named(name);
        let names = names(&[
            column("amount"),
            column("amount"),
            Column::new("amount", Kind::Text),
            column("code"),
        ]);
        assert_eq!(names, ["amount", "amount_2", "amount_3", "code"]);
    }
}
