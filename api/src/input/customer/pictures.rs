//! Request bodies of the pictures of a customer's document.

use super::super::{
    field::{Faults, Field},
    merge::Merge,
};
use crate::problem::ApiError;
use caudal_domain::{
    Refusal,
    attachment::MAX_DOCUMENT_PICTURES,
    customer::{CustomerDetails, IdentificationType},
};
use caudal_projections::scalar;
use serde::Deserialize;
use utoipa::ToSchema;

/// Pictures of a customer's present document.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DocumentPicturesInput {
    /// Ids of all pictures, in their order: files that were uploaded for this customer's document. Empty for none.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required, max_items = 6)]
    files: Field<Vec<String>>,
    /// The document that the pictures show, and the pictures that the client read. Where the customer has another document or
    /// other pictures by now, nothing is recorded: 409 `changed_since_read`. Absent, neither is compared.
    #[serde(default)]
    was: Option<PicturedDocument>,
}

/// A customer's document with its pictures, as a client read them. Absent fields are not compared.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PicturedDocument {
    /// Ids of the recorded pictures, in their order.
    #[serde(default)]
    #[schema(value_type = Vec<String>, max_items = 6)]
    files: Field<Vec<String>>,
    /// Type of the document, as the customer's row has it.
    #[serde(default)]
    #[schema(value_type = Option<scalar::IdentificationType>)]
    personal_identification_type: Field<IdentificationType>,
    /// Number of the document, as the customer's row has it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    personal_identification_number: Field<String>,
    /// Country of the document, as the customer's row has it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    personal_identification_country: Field<String>,
}

impl PicturedDocument {
    fn require_present(&self, details: &CustomerDetails, files: &[String]) -> Result<(), ApiError> {
        let number = details.personal_identification_number.clone();
        let country = details.personal_identification_country.clone();
        let mut merge = Merge::default();
        merge.same(
            "personalIdentificationType",
            &self.personal_identification_type,
            details.personal_identification_type,
        );
        merge.same(
            "personalIdentificationNumber",
            &self.personal_identification_number,
            number,
        );
        merge.same(
            "personalIdentificationCountry",
            &self.personal_identification_country,
            country,
        );
        merge.same("files", &self.files, Some(files.to_vec()));
        merge.finish()
    }
}

impl DocumentPicturesInput {
    /// Requires the customer's document and its recorded pictures to be those that the client read, if it says which.
    ///
    /// # Errors
    /// 409 with the fields that are others.
    pub fn require_present(&self, details: &CustomerDetails, files: &[String]) -> Result<(), ApiError> {
        let was = self.was.as_ref();
        was.map_or(Ok(()), |was| was.require_present(details, files))
    }

    /// # Errors
    /// A field error.
    pub fn files(&self) -> Result<Vec<String>, Refusal> {
        const _: () = assert!(MAX_DOCUMENT_PICTURES == 6, "the contract says so");
        let mut faults = Faults::default();
        let files = faults.required("files", self.files.clone());
        faults.finish(|| files)
    }
}
