//! Query strings, read in one way: names whatever their case, empty values as absent, no name twice, no control characters.

use crate::problem::ApiError;
use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor, value::Error},
    forward_to_deserialize_any,
};

/// The fields of a query string, as they were given.
#[derive(Debug)]
pub(crate) struct QueryFields(pub(crate) Vec<(String, String)>);

impl QueryFields {
    /// Reads a query string.
    ///
    /// # Errors
    /// What can't be read, or has control characters; a name given twice.
    pub(crate) fn read(text: &str) -> Result<Self, ApiError> {
        let mut fields = Self::read_with_empty(text)?;
        fields.0.retain(|(_, value)| !value.is_empty());
        Ok(fields)
    }

    /// [`Self::read`] with the fields that have an empty value, or none.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    pub(crate) fn read_with_empty(text: &str) -> Result<Self, ApiError> {
        let unreadable = || ApiError::unreadable("query_unreadable");
        let fields: Vec<(String, String)> = serde_urlencoded::from_str(text).map_err(|_| unreadable())?;
        if fields.iter().any(|(_, value)| value.chars().any(char::is_control)) {
            return Err(unreadable());
        }
        for (index, (name, _)) in fields.iter().enumerate() {
            if fields[..index]
                .iter()
                .any(|(other, _)| other.eq_ignore_ascii_case(name))
            {
                return Err(ApiError::invalid(name.clone(), "given_twice"));
            }
        }
        Ok(Self(fields))
    }

    /// The value of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// Its fields under the names that a struct has for them; others stay as they were given.
    pub(crate) fn named_as_in<T: DeserializeOwned>(mut self) -> Vec<(String, String)> {
        let known = struct_fields::<T>();
        for (name, _) in &mut self.0 {
            if let Some(known) = known.iter().find(|known| known.eq_ignore_ascii_case(name)) {
                (*known).clone_into(name);
            }
        }
        self.0
    }
}

/// Names of a struct's fields, as serde reads them; empty for anything else.
pub(crate) fn struct_fields<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut known = None;
    // It ends with the names of the fields, and so with an error.
    let _ = T::deserialize(FieldNames(&mut known));
    known.unwrap_or_default()
}

/// Learns the names of a struct's fields.
struct FieldNames<'a>(&'a mut Option<&'static [&'static str]>);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("no struct"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = Some(fields);
        Err(Error::custom("only the names are asked for"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only its names are asked for")]
    struct Asked {
        #[serde(rename = "PaymentGroupId")]
        group: Option<String>,
        #[serde(rename = "sellerId")]
        seller: Option<String>,
    }

    #[test]
    fn names_are_read_without_case_and_empty_values_are_absent() {
        let fields = QueryFields::read("paymentgroupid=7&SELLERID=&other=x%20y").unwrap();
        assert_eq!(
            (fields.get("PaymentGroupId"), fields.get("sellerId")),
            (Some("7"), None)
        );
        let named =
            [("PaymentGroupId", "7"), ("other", "x y")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(fields.named_as_in::<Asked>(), named);
    }

    #[test]
    fn a_name_given_twice_in_any_case_and_control_characters_are_refused() {
        for text in ["a=1&A=2", "a=&a=", "a=%00", "a=x%0Ay"] {
            assert!(QueryFields::read(text).is_err(), "{text}");
        }
    }
}
