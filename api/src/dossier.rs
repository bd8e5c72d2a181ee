//! Dossiers for an authority: canonical form and signature of a customer's dossier (docs/chain-format.md).

use crate::{app::App, problem::ApiError};
use caudal_journal::{DossierSignature, to_hex};
use caudal_projections::{document::PrintedSignature, dossier::Dossier};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A dossier with its signature; verifiable without the log by `scripts/verify_receipt.py`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedDossier {
    /// Type of the file: `dossier`.
    #[schema(examples("dossier"))]
    caudal: String,
    /// Version of the file's format: 1.
    #[schema(examples(1))]
    format: u32,
    /// The dossier. Its canonical bytes are its JSON with sorted names and no spaces.
    pub dossier: Dossier,
    /// SHA-256 of the canonical bytes: 64 hexadecimal digits.
    digest: String,
    /// Name of the signing key, one of those that sign checkpoints.
    key: String,
    /// Public key, in Base64. Trust it only if it is published elsewhere.
    public_key: String,
    /// Ed25519 signature of the digest, in Base64.
    signature: String,
}

impl SignedDossier {
    /// Signs a dossier.
    ///
    /// # Errors
    /// When the signing keys can't be read.
    pub async fn sign(app: &App, dossier: Dossier) -> Result<Self, ApiError> {
        let value = serde_json::to_value(&dossier).map_err(ApiError::internal)?;
        let signed: DossierSignature = app.checkpoints.sign_dossier(&canonical(&value)).await?;
        Ok(Self {
            caudal: "dossier".to_owned(),
            format: 1,
            dossier,
            digest: to_hex(&signed.digest),
            public_key: signed.public_key_text(),
            signature: signed.signature_text(),
            key: signed.key,
        })
    }

    /// The signature as printed.
    pub fn printed(&self) -> PrintedSignature {
        PrintedSignature {
            digest: self.digest.clone(),
            key: self.key.clone(),
            public_key: self.public_key.clone(),
            signature: self.signature.clone(),
        }
    }
}

/// JSON with the names of every object sorted and without spaces.
fn canonical(value: &Value) -> Vec<u8> {
    let mut text = String::new();
    write(value, &mut text);
    text.into_bytes()
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            text.push('{');
            for (place, name) in names.into_iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write(&fields[name], text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        value => text.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_canonical_form_sorts_names_and_has_no_spaces() {
        let value = json!({"b": [1, {"d": null, "c": "ñ \"\u{1}\n"}], "a": {}, "É": true});
        let text = String::from_utf8(canonical(&value)).unwrap();
        assert_eq!(text, r#"{"a":{},"b":[1,{"c":"ñ \"\u0001\n","d":null}],"É":true}"#);
    }
}
