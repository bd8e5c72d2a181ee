use super::*;
use flate2::{Compression, write::ZlibEncoder};
use std::io::Write as _;

/// A document of some objects, and what stands in its trailer.
fn document(objects: &[&[u8]], trailer: &str) -> Vec<u8> {
    let mut content = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
    for (index, object) in objects.iter().enumerate() {
        content.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
        content.extend_from_slice(object);
        content.extend_from_slice(b"\nendobj\n");
    }
    content.extend_from_slice(format!("trailer\n<< /Root 1 0 R {trailer} >>\nstartxref\n0\n%%EOF\n").as_bytes());
    content
}

fn plain(object: &str) -> Vec<u8> {
    document(&[b"<< /Type /Catalog /Pages 2 0 R >>", object.as_bytes()], "")
}

fn packed(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let mut object = format!("<< {dictionary} /Length {} >>\nstream\n", data.len()).into_bytes();
    object.extend_from_slice(data);
    object.extend_from_slice(b"\nendstream");
    object
}

const OBJECTS: &str = "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode";

#[test]
fn a_plain_document_is_accepted_with_its_pictures_and_its_packed_objects() {
    let page = stream("/Filter /FlateDecode", &packed(b"BT /F1 12 Tf (Contrato) Tj ET"));
    let objects = stream(OBJECTS, &packed(b"7 0 << /Type /Page /Parent 2 0 R >>"));
    // Short names stand in pictures by chance.
    let picture = stream("/Subtype /Image /Filter /DCTDecode", b"\xFF\xD8/JS /AA /EF \xFF\xD9");
    let link = b"<< /Type /Annot /Subtype /Link /A << /S /URI /URI (https://example.test) >> >>";
    let content = document(&[b"<< /Type /Catalog >>", &page, &objects, &picture, link], "");
    assert_eq!(check_now(&content), Ok(()));
    let mut spaced = content.clone();
    spaced.extend_from_slice(b"\r\n \0");
    assert_eq!(check_now(&spaced), Ok(()));
}

#[test]
fn what_acts_or_carries_files_is_refused_however_its_name_is_written() {
    for object in [
        "<< /OpenAction 3 0 R >>",
        "<< /OpenAction << /S /URI /URI (https://example.test) >> >>",
        "<< /Open#41ction%\n3 0 R >>",
        "<< /OpenAction         [3 0 R /Fit] >>",
        "<< /S /JavaScript /JS (app.alert\\(1\\)) >>",
        "<< /S /J#61va#53cript >>",
        "<< /JS 4 0 R >>",
        "<</S/Launch/F(cmd.exe)>>",
        "<< /Names << /EmbeddedFiles 4 0 R >> >>",
        "<< /Type /EmbeddedFile >>",
        "<< /AA << /O 4 0 R >> >>",
        "<< /EF << /F 4 0 R >> >>",
        "<< /AcroForm << /XFA 4 0 R >> >>",
        "<< /Subtype /RichMedia >>",
        "<< /S /SubmitForm >>",
        "<< /S /GoToR >>",
    ] {
        assert_eq!(check_now(&plain(object)), Err(Fault::Active), "{object}");
    }
    for harmless in [
        "<< /JavaScripts 1 >>",
        "<< /Launcher 1 >>",
        "<< /AAPL:Keywords [] >>",
        // The page to begin at, as LibreOffice writes it.
        "<< /OpenAction[1 0 R /XYZ null null 0] >>",
        "<< /OpenAction [3 0 R /Fit] >>",
    ] {
        assert_eq!(check_now(&plain(harmless)), Ok(()), "{harmless}");
    }
}

#[test]
fn what_acts_is_found_in_packed_objects_whatever_their_dictionary_says() {
    let script = packed(b"7 0 << /S /JavaScript /JS (app.alert\\(1\\)) >>");
    for dictionary in [
        OBJECTS,
        "/N 1 /First 4 /Filter /FlateDecode",
        "/Filter /FlateDecode",
        // Hides its begin from whom a comment misleads.
        "/First 4 % 1 0 obj <<\n /Filter /FlateDecode",
    ] {
        let content = document(&[b"<< /Type /Catalog >>", &stream(dictionary, &script)], "");
        assert_eq!(check_now(&content), Err(Fault::Active), "{dictionary}");
    }
    let keys = packed(b"7 0 << /AA 8 0 R >>");
    let content = document(&[b"<< /Type /Catalog >>", &stream(OBJECTS, &keys)], "");
    assert_eq!(check_now(&content), Err(Fault::Active));
    // Across two chunks.
    let mut long = vec![b' '; CHUNK - 5];
    long.extend_from_slice(b"/JavaScript ");
    let content = document(&[b"<< >>", &stream("/Filter /FlateDecode", &packed(&long))], "");
    assert_eq!(check_now(&content), Err(Fault::Active));
    let opening = |place: &[u8]| [vec![b' '; CHUNK - 13].as_slice(), b"/OpenAction ", place].concat();
    for (place, outcome) in [(b"[1 0 R /Fit]".as_slice(), Ok(())), (b"1 0 R", Err(Fault::Active))] {
        let content = document(
            &[b"<< >>", &stream("/Filter /FlateDecode", &packed(&opening(place)))],
            "",
        );
        assert_eq!(check_now(&content), outcome);
    }
    // Within the data of another stream.
    let hidden = stream("/Filter /DCTDecode", &stream("/Filter /FlateDecode", &script));
    assert_eq!(check_now(&document(&[b"<< >>", &hidden], "")), Err(Fault::Active));
}

#[test]
fn encrypted_documents_are_refused() {
    let content = document(&[b"<< /Type /Catalog >>"], "/Encrypt 5 0 R");
    assert_eq!(check_now(&content), Err(Fault::Encrypted));
}

#[test]
fn what_is_cut_off_continued_or_not_to_be_looked_through_is_refused() {
    let whole = plain("<< >>");
    let damaged = |content: &[u8], what: &str| assert_eq!(check_now(content), Err(Fault::Damaged), "{what}");
    damaged(&whole[..whole.len() / 2], "cut off");
    damaged(&[b"PK\x03\x04".as_slice(), &whole].concat(), "another begin");
    damaged(
        &[whole.as_slice(), b"<script>alert(1)</script>"].concat(),
        "another end",
    );
    damaged(b"%PDF-1.4\n%%EOF", "no startxref");
    damaged(b"%PDF-9.4\nstartxref\n0\n%%EOF", "another version");
    let objects = packed(b"7 0 << /Type /Page >>");
    for (dictionary, data) in [
        ("/Type /ObjStm /First 4 /Filter /LZWDecode", b"\x80\x0B".as_slice()),
        ("/Type /ObjStm /First 4 /Filter [/ASCII85Decode /FlateDecode]", b"GhQ~>"),
        ("/Type /ObjStm /First 4 /Filter 9 0 R", b"packed in another way"),
        (
            "/Type /ObjStm /First 4 /Filter /FlateDecode",
            &objects[..objects.len() / 2],
        ),
        (
            "/Type /ObjStm /First 4 /Filter /FlateDecode /DecodeParms << /Predictor 12 >>",
            &objects,
        ),
    ] {
        let content = document(&[b"<< >>", &stream(dictionary, data)], "");
        damaged(&content, dictionary);
    }
}

#[test]
fn a_small_document_that_unpacks_to_gigabytes_is_refused() {
    let bomb = packed(&vec![b' '; 64 * 1024 * 1024]);
    assert!(bomb.len() < MAX_PDF_BYTES / 100);
    let streams: Vec<_> = (0..9).map(|_| stream("/Filter /FlateDecode", &bomb)).collect();
    let objects: Vec<&[u8]> = streams.iter().map(Vec::as_slice).collect();
    assert_eq!(check_now(&document(&objects, "")), Err(Fault::Damaged));
}
