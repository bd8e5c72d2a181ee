//! Merging what a form changed into what stands, so that nobody overwrites what another changed meanwhile.
//!
//! A request with `was` sends only what was changed, and in `was` the values of those fields as the form read them:
//!
//! | The field | Outcome |
//! |---|---|
//! | not sent | stays |
//! | sent, and stands as `was` says | as sent |
//! | sent, and stands as sent already | as sent |
//! | sent, and stands otherwise | 409 `changed_since_read`, with the value that stands |
//!
//! A value of several parts, as a commission, is merged part by part: a part that is sent as it was read stays as another
//! left it.
//!
//! A request without `was` is taken whole, as before: what it leaves out is empty.

use super::{enumeration::DeliveryMethod, field::Field};
use crate::problem::ApiError;
use caudal_domain::{
    UtilityType,
    customer::{CustomerKind, IdentificationType},
    ids::{CardId, CustomerId, MunicipalityId, ProvinceId},
    money::{Amount, CurrencyCode, Rate},
};
use serde_json::Value;
use std::borrow::Cow;

/// A value as the API shows it, by which two are compared.
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
    /// In one order: which come first says nothing.
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

shown_as_text!(
    Amount,
    CardId,
    CurrencyCode,
    CustomerId,
    MunicipalityId,
    ProvinceId,
    Rate
);

impl Shown for UtilityType {
    fn shown(&self) -> Value {
        serde_json::to_value(caudal_projections::scalar::UtilityType::from(*self)).unwrap_or_default()
    }
}

/// A value whose parts are merged one by one.
pub(super) trait Parts: Sized {
    /// Each part merged with what stands; `name` is the field that holds them.
    fn merged(self, was: &Self, stands: &Self, name: &'static str, merge: &mut Merge) -> Self;
}

/// What a field holds; nothing where it is absent, `null` or blank, and no value at all where it is faulty.
fn shown<T: Shown>(field: &Field<T>) -> Option<Value> {
    match field {
        Field::Absent | Field::Null => Some(Value::Null),
        Field::Given(value) => Some(value.shown()),
        Field::Faulty(_) => None,
    }
}

/// Collects the fields that another changed.
#[derive(Debug, Default)]
pub(super) struct Merge {
    conflicts: Vec<(Cow<'static, str>, Value)>,
}

impl Merge {
    /// The value that a field is to have.
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

    /// The value that is sent, checked against what stands; one that is not sent stays absent.
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

    /// A value merged part by part, where the request, what it read and what stands all have one; as sent where not.
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

    /// One part of a value; `None` says nothing of it.
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

    fn finish(self) -> Result<(), ApiError> {
        if self.conflicts.is_empty() {
            Ok(())
        } else {
            Err(ApiError::changed_since_read(self.conflicts))
        }
    }
}

/// A change that can say what it was made of.
pub(crate) trait Mergeable: Sized {
    /// Takes the values that the form read.
    fn take_was(&mut self) -> Option<Box<Self>>;

    /// Each field merged with what stands.
    #[allow(private_interfaces, reason = "merged here and nowhere else")]
    fn onto(self, was: &Self, stands: Self, merge: &mut Merge) -> Self;

    /// The change merged with what stands, where it says what it was made of.
    ///
    /// # Errors
    /// 409 with the fields that another changed since.
    fn merged(mut self, stands: impl FnOnce() -> Self) -> Result<Self, ApiError> {
        let Some(was) = self.take_was() else { return Ok(self) };
        let mut merge = Merge::default();
        let merged = self.onto(&was, stands(), &mut merge);
        merge.finish().map(|()| merged)
    }
}

/// Names the fields of a change that are merged; all others are as sent.
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

/// A value that stands, or none.
pub(super) fn standing<T>(value: Option<T>) -> Field<T> {
    value.map_or(Field::Null, Field::Given)
}
