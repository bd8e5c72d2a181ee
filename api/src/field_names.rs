//! Names of a struct's fields, for what is refused since it is none of them.

use caudal_domain::refusal::Params;
use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor, value::Error},
    forward_to_deserialize_any,
};

/// Placeholders of `field_unknown`: the fields that there are.
pub(crate) fn fields_named(names: &[&str]) -> Params {
    let allowed = if names.is_empty() {
        "–".to_owned()
    } else {
        names.join(", ")
    };
    [("allowed", allowed)].into()
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
