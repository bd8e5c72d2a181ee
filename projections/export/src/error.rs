use crate::Format;

/// Why there is no export. [`ExportError::code`] is stable; the texts are for the operator.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    #[error("more than {limit} rows do not go into {format}: use {instead}")]
    TooManyRows {
        /// The format that was asked for.
        format: Format,
        /// Its limit, in rows.
        limit: usize,
        /// The formats that do take them, as a person would write them.
        instead: &'static str,
    },
    #[error("more than {limit} bytes of text do not go into PDF: use CSV or XLSX")]
    TooMuchText {
        /// The limit, in bytes of UTF-8.
        limit: usize,
    },
    #[error("{length} bytes do not go into a QR code: at most {limit} do")]
    TooLongForQr {
        /// Bytes of UTF-8.
        length: usize,
        /// The limit, in bytes of UTF-8.
        limit: usize,
    },
    /// A table without columns, or with more than [`crate::MAX_COLUMNS`].
    #[error("a table of {0} columns")]
    Columns(usize),
    #[error("a row of {found} cells in a table of {expected} columns")]
    Width {
        /// The columns of the table.
        expected: usize,
        /// The cells of the row.
        found: usize,
    },
    /// Sums beyond 64 bits, or more of them than [`crate::MAX_SUMS`].
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
    /// The work was given up before its end: a library failed, or the process is stopping.
    #[error("the export was given up")]
    GivenUp,
}

impl ExportError {
    /// A stable name, for catalogues of errors.
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
            | Self::GivenUp => "export_failed",
        }
    }
}
