//! Three-way merge of a form's changes with the current record, which prevents lost updates.
//!
//! A request with `was` sends only the changed fields, and in `was` their values as the form read them:
//!
//! | The field | Outcome |
//! |---|---|
//! | absent | unchanged |
//! | sent, current value equals `was` | as sent |
//! | sent, current value equals the sent one | as sent |
//! | sent, current value is another | 409 `changed_since_read`, with the current value |
//!
//! A composite value, such as a commission or the lists of a screening, is merged part by part: a part sent as it was read
//! keeps another's change.
//!
//! A request without `was` replaces the record: absent fields become empty.

use super::{enumeration::DeliveryMethod, field::Field, rates::Moment, scalar::Whole};
use crate::{extract::struct_fields, problem::ApiError};
use caudal_domain::{
    PasswordPolicy, UtilityType,
    approval::ApprovalKind,
    customer::{CustomerKind, IdentificationType},
    ids::{CardId, CustomerId, MunicipalityId, PaymentGroupId, ProvinceId},
    limits::{LimitOutcome, LimitWindow, Need, Side},
    money::{Amount, CurrencyCode, Rate},
    office::{Area, SetName},
    party::Role,
};
use chrono::SubsecRound as _;
use serde::{
    Deserialize as _, Deserializer,
    de::{DeserializeOwned, Error as _},
};
use serde_json::{Value, value::RawValue};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// Reads the `was` of a body that ignores unknown fields, as whole rows sent back have them. Within `was` such a field is refused:
/// the value of a misspelt one would guard nothing.
pub(super) fn was<'de, D, T>(deserializer: D) -> Result<Option<Box<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let Some(sent) = Option::<Box<RawValue>>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(sent.get()).map_err(D::Error::custom)?;
    let known = struct_fields::<T>();
    if let Some(unknown) = fields.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(D::Error::unknown_field(unknown, known));
    }
    serde_json::from_str(sent.get()).map(Some).map_err(D::Error::custom)
}

/// API form of a value, for comparisons.
pub(super) trait Shown {
    fn shown(&self) -> Value;
}

impl Shown for String {
    fn shown(&self) -> Value {
        match self.trim() {
            "" => Value::Null,
            text => text.replace("\r\n", "\n").into(),
        }
    }
}

impl Shown for bool {
    fn shown(&self) -> Value {
        (*self).into()
    }
}

impl Shown for Vec<MunicipalityId> {
    /// Sorted: order is irrelevant.
    fn shown(&self) -> Value {
        let mut ids: Vec<String> = self.iter().map(ToString::to_string).collect();
        ids.sort();
        ids.into()
    }
}

impl Shown for IdentificationType {
    fn shown(&self) -> Value {
        serde_json::to_value(caudal_projections::scalar::IdentificationType::from(*self)).unwrap_or_default()
    }
}

impl Shown for CustomerKind {
    fn shown(&self) -> Value {
        (*self as u8).into()
    }
}

macro_rules! shown_as_text {
    ($($type:ty),*) => {$(
        impl Shown for $type {
            fn shown(&self) -> Value {
                self.to_string().into()
            }
        }
    )*};
}

impl Shown for DeliveryMethod {
    fn shown(&self) -> Value {
        match self {
            Self::Home => "home".into(),
            Self::Card => "card".into(),
        }
    }
}

/// Enumerations by their names, and sets of them.
macro_rules! shown_by_name {
    ($($type:ty),* $(,)?) => {$(
        impl Shown for $type {
            fn shown(&self) -> Value {
                self.as_str().into()
            }
        }

        impl Shown for Vec<$type> {
            /// Sorted: order is irrelevant. None is as an absent field.
            fn shown(&self) -> Value {
                let names: BTreeSet<&str> = self.iter().map(|one| one.as_str()).collect();
                if names.is_empty() { Value::Null } else { names.into_iter().collect() }
            }
        }
    )*};
}

shown_by_name!(ApprovalKind, Area, LimitOutcome, LimitWindow, Need, Role, Side);

impl Shown for Vec<PaymentGroupId> {
    /// Sorted: order is irrelevant. None is as an absent field.
    fn shown(&self) -> Value {
        let ids: BTreeSet<String> = self.iter().map(ToString::to_string).collect();
        if ids.is_empty() {
            Value::Null
        } else {
            ids.into_iter().collect()
        }
    }
}

impl Shown for Whole {
    fn shown(&self) -> Value {
        self.0.into()
    }
}

shown_as_text!(
    Amount,
    CardId,
    CurrencyCode,
    CustomerId,
    MunicipalityId,
    ProvinceId,
    Rate,
    SetName
);

impl Shown for Moment {
    /// To the microsecond, as rows have it.
    fn shown(&self) -> Value {
        serde_json::to_value(self.0.trunc_subsecs(6)).unwrap_or_default()
    }
}

impl Shown for PasswordPolicy {
    fn shown(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Shown for Vec<String> {
    /// In its order, which counts. None is as an absent field.
    fn shown(&self) -> Value {
        if self.is_empty() {
            Value::Null
        } else {
            self.clone().into()
        }
    }
}

impl Shown for UtilityType {
    fn shown(&self) -> Value {
        serde_json::to_value(caudal_projections::scalar::UtilityType::from(*self)).unwrap_or_default()
    }
}

/// A value merged part by part.
pub(super) trait Parts: Sized {
    /// Merges each part with the current value; `name` is the containing field.
    fn merged(self, was: &Self, stands: &Self, name: &'static str, merge: &mut Merge) -> Self;
}

/// API form of a field; null when absent, `null` or blank, and `None` when invalid.
fn shown<T: Shown>(field: &Field<T>) -> Option<Value> {
    match field {
        Field::Absent | Field::Null => Some(Value::Null),
        Field::Given(value) => Some(value.shown()),
        Field::Faulty(_) => None,
    }
}

/// Collects conflicting fields.
#[derive(Debug, Default)]
pub(super) struct Merge {
    conflicts: Vec<(Cow<'static, str>, Value)>,
}

impl Merge {
    /// Merged value of a field.
    pub(super) fn field<T: Shown>(
        &mut self,
        name: &'static str,
        given: Field<T>,
        was: &Field<T>,
        stands: Field<T>,
    ) -> Field<T> {
        if !given.is_present() {
            return stands;
        }
        self.sent(name, given, was, &stands)
    }

    /// The sent value, checked for conflicts; an absent one stays absent.
    pub(super) fn sent<T: Shown>(
        &mut self,
        name: &'static str,
        given: Field<T>,
        was: &Field<T>,
        stands: &Field<T>,
    ) -> Field<T> {
        let now = shown(stands);
        let meets = !given.is_present()
            || !was.is_present()
            || shown(was) == now
            || shown(&given) == now
            || shown(&given).is_none();
        if !meets {
            self.conflicts.push((name.into(), now.unwrap_or_default()));
        }
        given
    }

    /// Compares a value that is read and not sent.
    pub(super) fn same<T: Shown>(&mut self, name: &'static str, was: &Field<T>, stands: Option<T>) {
        let now = shown(&standing(stands));
        if was.is_present() && shown(was) != now {
            self.conflicts.push((name.into(), now.unwrap_or_default()));
        }
    }

    /// Merges part by part when request, `was` and record all have a value; otherwise as sent.
    pub(super) fn parts<T: Parts>(
        &mut self,
        name: &'static str,
        given: Field<T>,
        was: &Field<T>,
        stands: &Field<T>,
    ) -> Field<T> {
        match (given, was, stands) {
            (Field::Given(given), Field::Given(was), Field::Given(stands)) => {
                Field::Given(given.merged(was, stands, name, self))
            }
            (given, ..) => given,
        }
    }

    /// One part; `None` when unspecified.
    pub(super) fn part<T: Copy>(
        &mut self,
        (name, part): (&'static str, &'static str),
        given: Option<T>,
        was: Option<T>,
        stands: Option<T>,
        shown: impl Fn(T) -> Value,
    ) -> Option<T> {
        let (to, from, now) = (given.map(&shown), was.map(&shown), stands.map(&shown));
        if to.is_none() || to == from {
            return stands;
        }
        if from.is_some() && from != now && to != now {
            self.conflicts
                .push((format!("{name}.{part}").into(), now.unwrap_or_default()));
        }
        given
    }

    /// One entry of a map; `None` for an absent one.
    pub(super) fn entry<T: Copy + PartialEq>(
        &mut self,
        (name, entry): (&'static str, &str),
        given: Option<T>,
        was: Option<T>,
        stands: Option<T>,
        shown: impl Fn(T) -> Value,
    ) -> Option<T> {
        if given == was {
            return stands;
        }
        if was != stands && given != stands {
            let now = stands.map(shown).unwrap_or_default();
            self.conflicts.push((format!("{name}.{entry}").into(), now));
        }
        given
    }

    pub(super) fn finish(self) -> Result<(), ApiError> {
        if self.conflicts.is_empty() {
            Ok(())
        } else {
            Err(ApiError::changed_since_read(self.conflicts))
        }
    }
}

/// A change with an optional `was`.
pub(crate) trait Mergeable: Sized {
    /// Takes the values of `was`.
    fn take_was(&mut self) -> Option<Box<Self>>;

    /// Merges each field with the current record.
    #[allow(private_interfaces, reason = "merged here and nowhere else")]
    fn onto(self, was: &Self, stands: Self, merge: &mut Merge) -> Self;

    /// Merges the change with the current record, if it has a `was`.
    ///
    /// # Errors
    /// 409 with the conflicting fields.
    fn merged(mut self, stands: impl FnOnce() -> Self) -> Result<Self, ApiError> {
        let Some(was) = self.take_was() else { return Ok(self) };
        let mut merge = Merge::default();
        let merged = self.onto(&was, stands(), &mut merge);
        merge.finish().map(|()| merged)
    }
}

/// Lists the merged fields of a change; all others are as sent.
macro_rules! mergeable {
    ($type:ty { $($field:ident: $name:literal),* $(,)? } $(parts { $($whole:ident: $of:literal),* $(,)? })?) => {
        impl crate::input::merge::Mergeable for $type {
            fn take_was(&mut self) -> Option<Box<Self>> {
                self.was.take()
            }

            #[allow(private_interfaces, reason = "as its trait")]
            fn onto(self, was: &Self, stands: Self, merge: &mut crate::input::merge::Merge) -> Self {
                Self {
                    $($field: merge.field($name, self.$field, &was.$field, stands.$field),)*
                    $($($whole: if self.$whole.is_present() {
                        merge.parts($of, self.$whole, &was.$whole, &stands.$whole)
                    } else {
                        stands.$whole
                    },)*)?
                    ..self
                }
            }
        }
    };
}

pub(super) use mergeable;

/// A current value as a field.
pub(super) fn standing<T>(value: Option<T>) -> Field<T> {
    value.map_or(Field::Null, Field::Given)
}
