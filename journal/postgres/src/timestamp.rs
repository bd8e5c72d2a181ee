//! `timestamptz` values that are read without a panic.
//!
//! PostgreSQL stores `infinity`, `-infinity` and years up to 294276; sqlx 0.8 panics when it decodes one of them as a
//! [`DateTime`]. Whoever can write a column chooses its value, and a panic ends the task that reads it.

use sqlx::{
    Decode, Encode, Postgres, Row as _, Type,
    encode::IsNull,
    error::BoxDynError,
    postgres::{PgArgumentBuffer, PgHasArrayType, PgRow, PgTypeInfo, PgValueFormat, PgValueRef},
    types::chrono::{DateTime, Utc},
};

/// PostgreSQL's epoch, 2000-01-01, in microseconds since 1970.
const EPOCH: i64 = 946_684_800_000_000;

/// A `timestamptz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp(
    /// `None` for `infinity`, `-infinity`, and a year that [`DateTime`] does not have.
    pub Option<DateTime<Utc>>,
);

impl Timestamp {
    /// The time in a column; `None` for NULL and for a value that is no [`DateTime`].
    ///
    /// # Errors
    /// When the row has no such column, or the column has another type.
    pub fn of(row: &PgRow, column: &str) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
        Ok(row.try_get::<Option<Self>, _>(column)?.and_then(|found| found.0))
    }
}

impl Type<Postgres> for Timestamp {
    fn type_info() -> PgTypeInfo {
        <DateTime<Utc> as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for Timestamp {
    fn array_type_info() -> PgTypeInfo {
        <DateTime<Utc> as PgHasArrayType>::array_type_info()
    }
}

impl Encode<'_, Postgres> for Timestamp {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let time = self.0.ok_or("a time that is none is not written")?;
        <DateTime<Utc> as Encode<Postgres>>::encode_by_ref(&time, buffer)
    }
}

impl<'r> Decode<'r, Postgres> for Timestamp {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        Ok(Self(match value.format() {
            PgValueFormat::Binary => of_micros(<i64 as Decode<Postgres>>::decode(value)?),
            PgValueFormat::Text => <DateTime<Utc> as Decode<Postgres>>::decode(value).ok(),
        }))
    }
}

/// The time of PostgreSQL's wire format: microseconds since [`EPOCH`].
fn of_micros(micros: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(micros.checked_add(EPOCH)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinity_and_years_beyond_chrono_are_no_times() {
        let at = of_micros(1_000_001).map(|at| at.to_rfc3339());
        assert_eq!(at.as_deref(), Some("2000-01-01T00:00:01.000001+00:00"));
        // The first and the last time of a timestamptz: 4714 BC and 294276.
        for (micros, is_time) in [
            (i64::MAX, false),
            (i64::MIN, false),
            (9_223_371_331_199_999_999, false),
            (-211_813_488_000_000_000, true),
        ] {
            assert_eq!(of_micros(micros).is_some(), is_time, "{micros}");
        }
    }
}
