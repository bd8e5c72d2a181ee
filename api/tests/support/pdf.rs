//! PDF documents.

/// A document of one empty page that says a text in its information, and has another object.
pub fn pdf_with(text: &str, object: &str) -> Vec<u8> {
    format!(
        "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\n\
         endobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n4 0 obj\n<< /Title ({text}) >>\n\
         endobj\n5 0 obj\n{object}\nendobj\ntrailer\n<< /Root 1 0 R /Info 4 0 R /Size 6 >>\nstartxref\n0\n%%EOF\n"
    )
    .into_bytes()
}

pub fn pdf(text: &str) -> Vec<u8> {
    pdf_with(text, "<< >>")
}

/// The text of a document's pages; its bytes have glyphs in place of letters.
pub fn pages(document: &[u8]) -> String {
    let pdf = lopdf::Document::load_mem(document).unwrap();
    let pages: Vec<u32> = pdf.get_pages().keys().copied().collect();
    let text = pdf.extract_text(&pages).unwrap();
    assert!(text.chars().any(char::is_alphabetic), "a PDF has a text");
    text
}
