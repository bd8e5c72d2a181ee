//! Exports files as a caller does, and reads them back.

use crate::common::Office;
use bytes::Bytes;
use calamine::{Data, Reader, Xlsx};
use caudal_domain::ids::PartyId;
use caudal_export::{Export, Format, Language};
use caudal_projections::{
    ListQuery, ReadError, ReadTransaction, Scope,
    export::{self, ExportRequest, Turn},
    lists::List,
    page::Paged,
    print::Printing,
};
use futures::{TryStreamExt as _, future::BoxFuture};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use std::io::Cursor;

pub async fn asked(office: &Office, who: PartyId, query: ListQuery, language: Language) -> ExportRequest {
    let mut transaction = office.begin().await;
    let printing = Printing::of(&mut transaction, language, chrono::Utc::now())
        .await
        .unwrap();
    ExportRequest {
        transaction,
        scope: office.scope(who).await,
        query,
        about: Vec::new(),
        printing,
        turn: Turn::take().await.unwrap(),
    }
}

pub async fn bytes(export: Export) -> Vec<u8> {
    let chunks: Vec<_> = export.body.try_collect().await.unwrap();
    chunks.concat()
}

/// The header and the rows of a CSV file.
pub fn csv(file: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
    let text = file.strip_prefix("\u{feff}".as_bytes()).expect("a byte order mark");
    let mut reader = csv::Reader::from_reader(text);
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect());
    (header, rows.collect())
}

/// The rows of a spreadsheet below its header, unparsed, without the totals, which follow an empty row.
pub fn xlsx(file: Vec<u8>) -> Vec<Vec<Data>> {
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(file)).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    let rows = range.rows().skip(1);
    rows.take_while(|row| row.iter().any(|cell| *cell != Data::Empty))
        .map(<[Data]>::to_vec)
        .collect()
}

/// The text of every page, without spaces.
pub fn pdf(file: &[u8]) -> Vec<String> {
    let pdf = lopdf::Document::load_mem(file).unwrap();
    let text = |page: &u32| pdf.extract_text(&[*page]).unwrap().split_whitespace().collect();
    pdf.get_pages().keys().map(text).collect()
}

/// Numbers of rows and columns.
pub fn parquet(file: Vec<u8>) -> (usize, usize) {
    let reader = SerializedFileReader::new(Bytes::from(file)).unwrap();
    let facts = reader.metadata().file_metadata();
    (
        usize::try_from(facts.num_rows()).unwrap(),
        facts.schema_descr().num_columns(),
    )
}

pub fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Exports a list in every format and compares the files with the list.
pub async fn holds<P, L, F>(
    office: &Office,
    who: PartyId,
    query: ListQuery,
    table: &'static List<L>,
    list: F,
    lines: fn(P::Row) -> Vec<L>,
) -> usize
where
    P: Paged,
    L: Send + Sync + 'static,
    F: for<'a> Fn(&'a mut ReadTransaction, &'a Scope, &'a ListQuery) -> BoxFuture<'a, Result<P, ReadError>>
        + Copy
        + Send
        + Sync
        + 'static,
{
    let scope = office.scope(who).await;
    let all = ListQuery {
        records_per_page: 0,
        ..query.clone()
    };
    let page = list(&mut office.begin().await, &scope, &all).await.unwrap();
    let expected = page.into_rows().into_iter().flat_map(lines).count();
    let mut files = Vec::new();
    for format in Format::ALL {
        let asked = asked(office, who, query.clone(), Language::Spanish).await;
        let export = export::list(asked, format, table, list, lines).await.unwrap();
        assert!(export.file_name.ends_with(format.extension()));
        files.push(bytes(export).await);
    }
    let [in_csv, in_xlsx, in_pdf, in_parquet] = files.try_into().unwrap();
    let (header, rows) = csv(&in_csv);
    assert_eq!(parquet(in_parquet), (expected, header.len()));
    assert_eq!(header.len(), table.headers().count());
    assert_eq!(rows.len(), expected, "{}", table.title.in_language(Language::Spanish));
    let sheet = xlsx(in_xlsx);
    assert_eq!(sheet.len(), expected, "{sheet:?}");
    let pages = pdf(&in_pdf).concat();
    for (row, cells) in rows.iter().zip(&sheet) {
        for (text, cell) in row.iter().zip(cells) {
            match cell {
                Data::String(cell) => assert_eq!(text.trim_start_matches('\''), cell),
                Data::Float(number) => assert_eq!(text.parse::<f64>().unwrap(), *number),
                Data::Empty => assert_eq!(text, ""),
                _ => {}
            }
        }
        assert!(
            pages.contains(&bare(&row[0])) || row[0].contains('-'),
            "{} is not in {pages}",
            row[0]
        );
    }
    rows.len()
}

/// Calls the function with a list's query.
macro_rules! holds {
    ($office:expr, $who:expr, $query:expr, $table:expr, $list:expr, $lines:expr) => {
        holds(
            $office,
            $who,
            $query,
            $table,
            move |s, c, q| Box::pin($list(s, c, q)),
            $lines,
        )
        .await
    };
    ($office:expr, $who:expr, $query:expr, $table:expr, $list:expr) => {
        holds!($office, $who, $query, $table, $list, print::one_line)
    };
}
