use crate::Format;

/// Export errors. [`ExportError::code`] is stable; the messages are for operators.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    #[error("more than {limit} rows do not go into {format}: use {instead}")]
    TooManyRows {
        /// Requested format.
        format: Format,
        /// In rows.
        limit: usize,
        /// Formats without this limit, for the message.
        instead: &'static str,
    },
    #[error("more than {limit} bytes of text do not go into PDF: use CSV or XLSX")]
    TooMuchText {
        /// In bytes of UTF-8.
        limit: usize,
    },
    #[error("{length} bytes do not go into a QR code: at most {limit} do")]
    TooLongForQr {
        /// In bytes of UTF-8.
        length: usize,
        /// In bytes of UTF-8.
        limit: usize,
    },
    /// A table without columns, or with more than [`crate::MAX_COLUMNS`].
    #[error("a table of {0} columns")]
    Columns(usize),
    #[error("a row of {found} cells in a table of {expected} columns")]
    Width { expected: usize, found: usize },
    /// Sums beyond 64 bits, or more than [`crate::MAX_SUMS`] of them.
    #[error("the rows do not add up to totals")]
    Sums,
    #[error("the rows could not be read")]
    Rows(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("a temporary file failed")]
    Io(#[from] std::io::Error),
    #[error("the spreadsheet could not be written")]
    Xlsx(#[from] rust_xlsxwriter::XlsxError),
    #[error("the document could not be written: {0}")]
    Pdf(String),
    #[error("the Parquet file could not be written: {0}")]
    Parquet(String),
    /// Aborted: a library failed, or the process is shutting down.
    #[error("the export was given up")]
    GivenUp,
}

impl ExportError {
    /// Stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyRows { .. } | Self::TooMuchText { .. } => "export_too_large",
            Self::TooLongForQr { .. } => "export_qr_too_long",
            Self::Columns(_)
            | Self::Width { .. }
            | Self::Sums
            | Self::Rows(_)
            | Self::Io(_)
            | Self::Xlsx(_)
            | Self::Pdf(_)
            | Self::Parquet(_)
            | Self::GivenUp => "export_failed",
        }
    }
}
