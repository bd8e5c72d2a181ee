//! Uploaded files: images, and PDF documents of reviews and customers, stored under the hash of their content.

mod bucket;
mod quota;
mod removal;

pub use bucket::{Bucket, InvalidBucket};
pub use quota::Quotas;

use crate::{
    auth::caller::Caller,
    images::{self, Fault, Images},
    pdf::{self, Documents, MAX_PDF_BYTES},
    problem::ApiError,
};
use actix_web::web::Bytes;
use caudal_domain::{
    FieldError,
    ids::{CustomerId, PartyId, RemittanceId, TenantId},
};
use caudal_journal::{FileOwnerRow, FileRow, RowMacs, WithCauses};
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use object_store::{
    ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, local::LocalFileSystem, path::Path as StorePath,
};
use sha2::{Digest as _, Sha256};
use sqlx::{PgConnection, Row as _};
use std::{
    borrow::Cow,
    fs, io,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::{Arc, PoisonError, RwLock},
};
use uuid::Uuid;

/// Maximum file size in bytes; the interface scales photographs below it.
pub const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;

/// Folder in the data folder.
const FOLDER: &str = "files";

/// Owner-only; the umask does the same for files.
const PRIVATE_FOLDER: u32 = 0o700;

/// Owner of a file. Visibility of an owner implies visibility of its files; those of a review are visible to reviewers and to
/// who reads the log, and pictures of a customer's document to these and to who changes the customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Uploader, or party whose picture it is.
    Party(PartyId),
    /// Remittance whose delivery it proves.
    Remittance(RemittanceId),
    /// Review of a remittance's holds, which is not for everybody who sees the remittance.
    HoldReview(RemittanceId),
    /// Review of a customer who is like a listed person.
    ScreeningReview(CustomerId),
    /// A customer, whose identity document it shows: the present one, or an earlier one.
    CustomerDocument(CustomerId),
}

impl Owner {
    const fn parts(self) -> (&'static str, Uuid) {
        match self {
            Self::Party(id) => ("party", id.0),
            Self::Remittance(id) => ("remittance", id.0),
            Self::HoldReview(id) => ("hold_review", id.0),
            Self::ScreeningReview(id) => ("screening_review", id.0),
            Self::CustomerDocument(id) => ("customer_document", id.0),
        }
    }

    fn row(self, hash: &str) -> FileOwnerRow {
        let (kind, owner) = self.parts();
        FileOwnerRow {
            hash: hash.to_owned(),
            kind: kind.to_owned(),
            owner,
        }
    }
}

/// A stored file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// Id: SHA-256 of the content, in hexadecimal.
    pub hash: String,
    pub media_type: String,
    /// In bytes.
    pub size: i64,
}

impl KeptFile {
    fn of(media_type: &str, content: &[u8]) -> Self {
        Self {
            size: i64::try_from(content.len()).unwrap_or(i64::MAX),
            media_type: media_type.to_owned(),
            hash: hex::encode(Sha256::digest(content)),
        }
    }

    /// URL path of the file.
    pub fn url(&self) -> String {
        address(&self.hash)
    }
}

/// URL path of a file.
pub fn address(hash: &str) -> String {
    format!("/api/files/{hash}")
}

/// Errors of the file store's setup.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    #[error("the folder of the files")]
    Folder(#[from] io::Error),
    #[error("the bucket of the files")]
    Bucket(#[from] object_store::Error),
}

/// File store of a node.
#[derive(Clone)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    database: Database,
    macs: RowMacs,
    images: Images,
    documents: Documents,
    quotas: Arc<RwLock<Quotas>>,
}

impl Files {
    /// Opens a bucket, or else a folder in the data folder.
    ///
    /// # Errors
    /// When the folder can't be created, or the bucket's settings are inconsistent.
    pub fn open(
        bucket: Option<&Bucket>,
        data_dir: &Path,
        database: Database,
        macs: RowMacs,
    ) -> Result<Self, FilesError> {
        if let Some(bucket) = bucket {
            return Ok(Self::in_store(bucket.open()?, database, macs));
        }
        let folder = data_dir.join(FOLDER);
        fs::create_dir_all(&folder)?;
        // Also for a folder created by an earlier version with wider permissions.
        fs::set_permissions(&folder, fs::Permissions::from_mode(PRIVATE_FOLDER))?;
        let store = LocalFileSystem::new_with_prefix(&folder)
            .map_err(io::Error::other)?
            .with_fsync(true);
        Ok(Self::in_store(Arc::new(store), database, macs))
    }

    /// Files in a given store.
    pub fn in_store(store: Arc<dyn ObjectStore>, database: Database, macs: RowMacs) -> Self {
        Self {
            store,
            database,
            macs,
            images: Images::default(),
            documents: Documents::default(),
            quotas: Arc::default(),
        }
    }

    /// The store itself, for objects outside tenants.
    pub(crate) fn store(&self) -> Arc<dyn ObjectStore> {
        Arc::clone(&self.store)
    }

    /// Replaces the quotas.
    #[must_use]
    pub fn with_quotas(self, quotas: Quotas) -> Self {
        self.set_quotas(quotas);
        self
    }

    /// Other quotas from now on, of this value and its clones.
    pub fn set_quotas(&self, quotas: Quotas) {
        *self.quotas.write().unwrap_or_else(PoisonError::into_inner) = quotas;
    }

    fn quotas(&self) -> Quotas {
        *self.quotas.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores an image without its metadata (`images`). Equal content is stored once and may have several owners. The
    /// hash is that of the cleaned content; the uploaded file name is ignored.
    ///
    /// # Errors
    /// 422 with the field for an unsupported image; 429 or 409 when the uploader's or the tenant's quota is exhausted.
    /// Without an uploader no quota applies.
    pub async fn keep(
        &self,
        tenant: &TenantId,
        uploader: Option<PartyId>,
        field: &'static str,
        content: Bytes,
        owners: &[Owner],
        now: DateTime<Utc>,
    ) -> Result<KeptFile, ApiError> {
        let (kept, content) = self.examine(field, content).await?;
        self.store_as(tenant, uploader, kept, content, owners, now).await
    }

    /// [`Self::keep`] for a review or a customer's document, which take PDF documents too.
    ///
    /// # Errors
    /// 422 with the field for a file of another kind, and for a document that is damaged, encrypted or active; quotas as for
    /// an image.
    pub async fn keep_image_or_pdf(
        &self,
        tenant: &TenantId,
        uploader: PartyId,
        field: &'static str,
        content: Bytes,
        owner: Owner,
        now: DateTime<Utc>,
    ) -> Result<KeptFile, ApiError> {
        let (kept, content) = if pdf::is_pdf(&content) {
            self.examine_document(field, content).await?
        } else if images::Format::sniff(&content).is_some() || content.is_empty() {
            self.examine(field, content).await?
        } else {
            return Err(ApiError::invalid(field, "file_not_image_or_pdf"));
        };
        self.store_as(tenant, Some(uploader), kept, content, &[owner], now)
            .await
    }

    async fn store_as(
        &self,
        tenant: &TenantId,
        uploader: Option<PartyId>,
        kept: KeptFile,
        content: Bytes,
        owners: &[Owner],
        now: DateTime<Utc>,
    ) -> Result<KeptFile, ApiError> {
        if let Some(party) = uploader {
            self.reserve(tenant, party, &kept, now).await?;
        }
        // Content first: a row must never refer to a missing file.
        let options = PutOptions::from(PutMode::Create);
        match self
            .store
            .put_opts(&place(tenant, &kept.hash), content.into(), options)
            .await
        {
            Ok(_) | Err(object_store::Error::AlreadyExists { .. }) => {}
            Err(error) => return Err(failed(error)),
        }
        self.note(tenant, &kept, owners, now).await?;
        Ok(kept)
    }

    /// Cleans an image without storing it.
    ///
    /// # Errors
    /// 422 with the field for an unsupported image.
    pub async fn examine(&self, field: &'static str, content: Bytes) -> Result<(KeptFile, Bytes), ApiError> {
        if content.is_empty() {
            return Err(ApiError::invalid(field, "file_empty"));
        }
        if content.len() > MAX_FILE_BYTES {
            return Err(too_large(Cow::Borrowed(field)));
        }
        let cleaned = self.images.clean(content).await;
        let (format, content) = cleaned.map_err(|fault| not_kept(field, fault))?;
        let content = Bytes::from(content);
        Ok((KeptFile::of(format.as_str(), &content), content))
    }

    /// Checks a PDF document. It is stored as it is.
    async fn examine_document(&self, field: &'static str, content: Bytes) -> Result<(KeptFile, Bytes), ApiError> {
        if content.len() > MAX_PDF_BYTES {
            return Err(document_too_large(Cow::Borrowed(field)));
        }
        let checked = self.documents.check(content.clone()).await;
        checked.map_err(|fault| match fault {
            pdf::Fault::Damaged => ApiError::invalid(field, "pdf_damaged"),
            pdf::Fault::Encrypted => ApiError::invalid(field, "pdf_encrypted"),
            pdf::Fault::Active => ApiError::invalid(field, "pdf_active"),
            pdf::Fault::Busy => ApiError::unavailable("busy"),
        })?;
        Ok((KeptFile::of(pdf::MEDIA_TYPE, &content), content))
    }

    async fn note(
        &self,
        tenant: &TenantId,
        kept: &KeptFile,
        owners: &[Owner],
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let file = FileRow {
            hash: kept.hash.clone(),
            media_type: kept.media_type.clone(),
            size: kept.size,
            stored_at: now,
        };
        sqlx::query(
            "INSERT INTO journal.files (tenant, hash, media_type, size, stored_at, mac) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(&kept.hash)
        .bind(&kept.media_type)
        .bind(kept.size)
        .bind(now)
        .bind(file.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?;
        self.add_owners(&mut transaction, tenant, &kept.hash, owners).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn add_owners(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        hash: &str,
        owners: &[Owner],
    ) -> Result<(), sqlx::Error> {
        let (kinds, ids): (Vec<_>, Vec<_>) = owners.iter().map(|owner| owner.parts()).unzip();
        let rows = owners.iter().map(|owner| owner.row(hash));
        let macs: Vec<_> = rows.map(|row| row.mac(&self.macs, tenant).finish().to_vec()).collect();
        sqlx::query(
            "INSERT INTO journal.file_owners (tenant, hash, kind, owner, mac)
             SELECT $1, $2, o.kind, o.id, o.mac FROM unnest($3::text[], $4::uuid[], $5::bytea[]) AS o (kind, id, mac)
             ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(hash)
        .bind(kinds)
        .bind(ids)
        .bind(macs)
        .execute(connection)
        .await?;
        Ok(())
    }

    /// Assigns a caller's uploaded file to a party as its picture.
    ///
    /// # Errors
    /// 422 with the field when the caller owns no such file.
    pub async fn give(&self, caller: &Caller, field: &'static str, hash: &str, to: PartyId) -> Result<(), ApiError> {
        let (_, owners) = self.find(&caller.tenant, hash).await?.ok_or_else(|| unknown(field))?;
        if owners.contains(&Owner::Party(to)) {
            return Ok(());
        }
        if !owners.contains(&Owner::Party(caller.party)) {
            return Err(unknown(field));
        }
        self.add_owner(&caller.tenant, hash, Owner::Party(to)).await
    }

    /// Adds an owner to a stored file.
    pub async fn add_owner(&self, tenant: &TenantId, hash: &str, owner: Owner) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        self.add_owners(&mut transaction, tenant, hash, &[owner]).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// A file with its owners. Owners whose MAC does not match are ignored.
    ///
    /// # Errors
    /// When the database fails, or the file's row does not match its MAC.
    pub async fn find(&self, tenant: &TenantId, hash: &str) -> Result<Option<(KeptFile, Vec<Owner>)>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(&format!(
            "SELECT f.*, o.kind, o.owner, o.mac AS owner_mac
               FROM (SELECT {}, mac FROM journal.files WHERE tenant = $1 AND hash = $2) AS f
               JOIN journal.file_owners AS o ON o.tenant = $1 AND o.hash = f.hash",
            FileRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(hash)
        .fetch_all(&mut *transaction)
        .await?;
        let Some(first) = rows.first() else {
            return Ok(None);
        };
        let file = FileRow::from_row(first)?;
        file.mac(&self.macs, tenant).check(first.try_get("mac")?)?;
        let mut owners = Vec::with_capacity(rows.len());
        for row in &rows {
            let owner = FileOwnerRow::from_row(row)?;
            if owner.mac(&self.macs, tenant).check(row.try_get("owner_mac")?).is_err() {
                continue;
            }
            owners.push(match owner.kind.as_str() {
                "remittance" => Owner::Remittance(RemittanceId(owner.owner)),
                "hold_review" => Owner::HoldReview(RemittanceId(owner.owner)),
                "screening_review" => Owner::ScreeningReview(CustomerId(owner.owner)),
                "customer_document" => Owner::CustomerDocument(CustomerId(owner.owner)),
                _ => Owner::Party(PartyId(owner.owner)),
            });
        }
        let kept = KeptFile {
            hash: file.hash,
            media_type: file.media_type,
            size: file.size,
        };
        Ok((!owners.is_empty()).then_some((kept, owners)))
    }

    /// A file's content.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn content(&self, tenant: &TenantId, hash: &str) -> Result<Bytes, ApiError> {
        let found = self.store.get(&place(tenant, hash)).await.map_err(failed)?;
        found.bytes().await.map_err(failed)
    }
}

/// Error of a failing store: a full disk or an unreachable bucket is temporary, a missing file is not.
fn failed(error: object_store::Error) -> ApiError {
    if matches!(error, object_store::Error::NotFound { .. }) {
        return ApiError::internal(error);
    }
    tracing::error!(error = %WithCauses(&error), "the store of files is not available");
    ApiError::unavailable("unavailable")
}

/// Error of a rejected image.
fn not_kept(field: &'static str, fault: Fault) -> ApiError {
    match fault {
        Fault::NotAnImage => ApiError::invalid(field, "file_not_image"),
        Fault::Damaged => ApiError::invalid(field, "image_damaged"),
        Fault::Animated => ApiError::invalid(field, "image_animated"),
        Fault::TooManyPixels => ApiError::all_invalid(vec![FieldError {
            field: field.into(),
            code: "image_too_many_pixels",
            params: [("max", images::MAX_PIXELS.to_string())].into(),
        }]),
        Fault::Busy => ApiError::unavailable("busy"),
    }
}

/// 413 for a file beyond its limit, with its field.
pub fn too_large(field: Cow<'static, str>) -> ApiError {
    beyond(field, MAX_FILE_BYTES)
}

/// The same for a document of a review.
pub fn document_too_large(field: Cow<'static, str>) -> ApiError {
    beyond(field, MAX_PDF_BYTES)
}

fn beyond(field: Cow<'static, str>, max: usize) -> ApiError {
    ApiError::all_invalid(vec![FieldError {
        field,
        code: "file_too_large",
        params: [("max", max.to_string())].into(),
    }])
}

fn unknown(field: &'static str) -> ApiError {
    ApiError::invalid(field, "file_not_found")
}

/// The first two hexadecimal digits are the folder, so that none grows large.
fn place(tenant: &TenantId, hash: &str) -> StorePath {
    let folder = hash.get(..2).unwrap_or_default();
    StorePath::from(format!("{tenant}/{folder}/{hash}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_document_fits_into_a_form() {
        const { assert!(MAX_PDF_BYTES >= MAX_FILE_BYTES && MAX_PDF_BYTES < crate::multipart::MULTIPART_LIMIT) }
    }
}
