//! Rendering of tables and documents to files.

use crate::{
    Document, ExportError, PDF_ROWS, Row, Sheet, XLSX_ROWS, csv, parquet,
    pdf::{self, TextBudget},
    sheet::check_row,
    xlsx::{self, Part},
};
use bytes::Bytes;
use chrono::NaiveDateTime;
use futures::{Stream, StreamExt, stream, stream::BoxStream};
use std::{
    fmt,
    fs::File,
    io::{self, BufWriter, Seek as _, Write as _},
    pin::pin,
    str::FromStr,
};
use tokio::{
    io::AsyncReadExt,
    sync::{Semaphore, SemaphorePermit, mpsc},
    task::spawn_blocking,
};

/// Concurrent renderings of XLSX, PDF and Parquet: each holds a thread, and a PDF up to some 100 MB. More wait.
pub const RENDERS_AT_ONCE: usize = 4;
/// Rows per message to the writing thread; amortises its wake-up.
const BATCH_ROWS: usize = 256;
/// Capacity of the queue to the writing thread.
const BATCHES_AHEAD: usize = 4;

static RENDERS: Semaphore = Semaphore::const_new(RENDERS_AT_ONCE);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    Csv,
    /// An Office Open XML spreadsheet.
    Xlsx,
    /// Pages to print.
    Pdf,
    /// Typed columns for analysis.
    Parquet,
}

impl Format {
    pub const ALL: [Self; 4] = [Self::Csv, Self::Xlsx, Self::Pdf, Self::Parquet];

    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Pdf => "application/pdf",
            Self::Parquet => "application/vnd.apache.parquet",
        }
    }

    /// File name extension; also the format's name in requests.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Pdf => "pdf",
            Self::Parquet => "parquet",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csv => "CSV",
            Self::Xlsx => "XLSX",
            Self::Pdf => "PDF",
            Self::Parquet => "Parquet",
        })
    }
}

/// Returned for a name of no [`Format`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not csv, xlsx, pdf or parquet")]
pub struct UnknownFormat;

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.extension() == text)
            .ok_or(UnknownFormat)
    }
}

/// Bytes of a file. An error is the last item; the file is then incomplete.
pub type Body = BoxStream<'static, Result<Bytes, ExportError>>;

/// A file to send.
pub struct Export {
    pub format: Format,
    /// ASCII file name from title and time.
    pub file_name: String,
    /// Size in bytes, if known before sending.
    pub length: Option<u64>,
    pub body: Body,
}

impl fmt::Debug for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Export")
            .field("file_name", &self.file_name)
            .field("length", &self.length)
            .finish()
    }
}

/// Renders rows. CSV reads them while sending; the other formats have read all rows on return.
///
/// # Errors
/// Too many rows or too much text for the format, a row that does not match the columns, a failing source (for CSV:
/// before the first chunk is full; later the body ends with the error), or no space for temporary files.
pub async fn export<S, E>(format: Format, mut sheet: Sheet, rows: S) -> Result<Export, ExportError>
where
    S: Stream<Item = Result<Row, E>> + Send + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>> + Send + 'static,
{
    sheet.check()?;
    let file_name = file_name(&sheet.title, sheet.generated_at, format);
    let (length, body) = match format {
        Format::Csv => (None, begun(csv::render(sheet, rows).boxed()).await?),
        Format::Xlsx => {
            let file = written(sheet, rows, Some(XLSX_ROWS), xlsx::write).await?;
            (Some(file.metadata()?.len()), file_body(file))
        }
        Format::Parquet => {
            let file = written(sheet, rows, None, parquet::write).await?;
            (Some(file.metadata()?.len()), file_body(file))
        }
        Format::Pdf => {
            let permit = permit().await?;
            let rows = gather(&sheet, rows).await?;
            if let Some(sums) = &sheet.sums {
                sheet.totals.extend(sums.of(sheet.columns.len(), &rows)?);
            }
            in_memory(print(Document::of_sheet(sheet, rows), permit).await?)
        }
    };
    Ok(Export {
        format,
        file_name,
        length,
        body,
    })
}

/// Prints a document as PDF.
///
/// # Errors
/// Too many rows or too much text for a PDF, rows that do not match their columns, or too long a text for a QR code.
pub async fn document(document: Document) -> Result<Export, ExportError> {
    let file_name = file_name(&document.title, document.generated_at, Format::Pdf);
    let (length, body) = in_memory(print(document, permit().await?).await?);
    Ok(Export {
        format: Format::Pdf,
        file_name,
        length,
        body,
    })
}

async fn permit() -> Result<SemaphorePermit<'static>, ExportError> {
    RENDERS.acquire().await.map_err(|_| ExportError::GivenUp)
}

async fn print(document: Document, permit: SemaphorePermit<'static>) -> Result<Vec<u8>, ExportError> {
    let printing = spawn_blocking(move || {
        let _held_to_the_end = permit;
        pdf::render(&document)
    });
    printing.await.map_err(|_| ExportError::GivenUp)?
}

/// Collects all rows for a PDF, within its limits.
async fn gather<S, E>(sheet: &Sheet, rows: S) -> Result<Vec<Row>, ExportError>
where
    S: Stream<Item = Result<Row, E>>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut rows = pin!(rows);
    let mut gathered = Vec::new();
    let mut budget = TextBudget::default();
    while let Some(row) = rows.next().await {
        let row = row.map_err(|error| ExportError::Rows(error.into()))?;
        if gathered.len() == PDF_ROWS {
            return Err(pdf::too_many_rows());
        }
        check_row(&sheet.columns, &row)?;
        budget.spend(&row)?;
        gathered.push(row);
    }
    Ok(gathered)
}

/// Writes rows to a temporary file, in a thread of its own. `limit` is the number of rows that the format can hold.
async fn written<S, E>(
    sheet: Sheet,
    rows: S,
    limit: Option<usize>,
    write: fn(&Sheet, mpsc::Receiver<Part>) -> Result<File, ExportError>,
) -> Result<File, ExportError>
where
    S: Stream<Item = Result<Row, E>>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let permit = permit().await?;
    let (sender, receiver) = mpsc::channel(BATCHES_AHEAD);
    let writing = spawn_blocking(move || {
        let _held_to_the_end = permit;
        write(&sheet, receiver)
    });
    let fed = feed(rows, limit, sender).await;
    let written = writing.await.map_err(|_| ExportError::GivenUp)?;
    // The source's error explains the writer's abort.
    fed.and(written)
}

/// On an error the writer never receives the end mark; a failed writer reports its own error.
async fn feed<S, E>(rows: S, limit: Option<usize>, sender: mpsc::Sender<Part>) -> Result<(), ExportError>
where
    S: Stream<Item = Result<Row, E>>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let mut rows = pin!(rows);
    let mut batch = Vec::with_capacity(BATCH_ROWS);
    let mut count = 0;
    while let Some(row) = rows.next().await {
        let row = row.map_err(|error| ExportError::Rows(error.into()))?;
        if limit == Some(count) {
            return Err(xlsx::too_many_rows());
        }
        count += 1;
        batch.push(row);
        if batch.len() == BATCH_ROWS {
            let full = std::mem::replace(&mut batch, Vec::with_capacity(BATCH_ROWS));
            if sender.send(Part::Rows(full)).await.is_err() {
                return Ok(());
            }
        }
    }
    for part in [Part::Rows(batch), Part::End] {
        if sender.send(part).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// Waits for the first chunk, so that a source that fails at once yields an error instead of a truncated file.
async fn begun(mut body: Body) -> Result<Body, ExportError> {
    let first = body.next().await.transpose()?;
    Ok(stream::iter(first.map(Ok)).chain(body).boxed())
}

/// A complete file, to be read from its beginning.
pub(crate) fn rewound(mut file: BufWriter<File>) -> Result<File, ExportError> {
    file.flush()?;
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(file)
}

fn in_memory(bytes: Vec<u8>) -> (Option<u64>, Body) {
    let length = u64::try_from(bytes.len()).ok();
    (length, stream::iter([Ok(Bytes::from(bytes))]).boxed())
}

fn file_body(file: File) -> Body {
    stream::unfold(Some(tokio::fs::File::from_std(file)), |file| async move {
        let mut file = file?;
        let mut chunk = Vec::with_capacity(csv::CHUNK_BYTES);
        match file.read_buf(&mut chunk).await {
            Ok(0) => None,
            Ok(_) => Some((Ok(Bytes::from(chunk)), Some(file))),
            Err(error) => Some((Err(error.into()), None)),
        }
    })
    .boxed()
}

/// Length limit of a title in a file name, in characters.
const NAME_CHARACTERS: usize = 60;

fn file_name(title: &str, at: NaiveDateTime, format: Format) -> String {
    let plain: String = title.chars().flat_map(char::to_lowercase).map(unaccented).collect();
    let words: Vec<_> = plain.split('-').filter(|word| !word.is_empty()).collect();
    let name: String = words.join("-").chars().take(NAME_CHARACTERS).collect();
    let name = if name.is_empty() { "caudal" } else { &name };
    format!("{name}-{}.{}", at.format("%Y%m%d-%H%M"), format.extension())
}

fn unaccented(character: char) -> char {
    match character {
        'a'..='z' | '0'..='9' => character,
        'á' | 'à' | 'â' | 'ã' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ñ' => 'n',
        'ç' => 'c',
        _ => '-',
    }
}
