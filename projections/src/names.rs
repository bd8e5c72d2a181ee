//! Names of the API for the domain's enumerations.

/// A public enumeration of a domain's enumeration.
macro_rules! names {
    ($($(#[$meta:meta])* $name:ident($of:ty) { $($(#[$vmeta:meta])* $variant:ident),* $(,)? })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$vmeta])* $variant),* }

        impl From<$of> for $name {
            fn from(of: $of) -> Self {
                match of { $(<$of>::$variant => Self::$variant),* }
            }
        }
    )*};
}

pub(crate) use names;
