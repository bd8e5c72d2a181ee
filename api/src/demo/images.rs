//! The images that prove the demonstration's deliveries.

use super::DemoError;
use crate::files::{Files, Owner};
use actix_web::web::Bytes;
use caudal_domain::ids::{RemittanceId, TenantId};
use chrono::{DateTime, Utc};

/// The images that stand for identifications and signatures.
pub struct Images {
    /// An identification, by its hash.
    pub identification: String,
    /// A signature, by its hash.
    pub signature: String,
}

const IDENTIFICATION: &[u8] = include_bytes!("identification.png");
const SIGNATURE: &[u8] = include_bytes!("signature.png");

impl Images {
    pub async fn keep(files: &Files, tenant: &TenantId, at: DateTime<Utc>) -> Result<Self, DemoError> {
        let keep = async |content: &'static [u8]| {
            let kept = files
                .keep(tenant, None, "file", Bytes::from_static(content), &[], at)
                .await;
            kept.map(|kept| kept.hash).map_err(DemoError::Files)
        };
        Ok(Self {
            identification: keep(IDENTIFICATION).await?,
            signature: keep(SIGNATURE).await?,
        })
    }

    /// Makes them the proofs of what was delivered.
    pub async fn give(
        &self,
        files: &Files,
        tenant: &TenantId,
        delivered: &[RemittanceId],
        at: DateTime<Utc>,
    ) -> Result<(), DemoError> {
        let owners: Vec<_> = delivered.iter().map(|id| Owner::Remittance(*id)).collect();
        for content in [IDENTIFICATION, SIGNATURE] {
            files
                .keep(tenant, None, "file", Bytes::from_static(content), &owners, at)
                .await
                .map_err(DemoError::Files)?;
        }
        Ok(())
    }
}
