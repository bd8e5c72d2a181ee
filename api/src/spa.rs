//! Static files of the interface, embedded or read from a folder at startup. The build precompresses each file
//! (`NAME.br`, `NAME.gz`); the smallest accepted encoding is served. Of these the program carries the compressed forms
//! alone.

use crate::problem::ApiError;
use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        Method, StatusCode,
        header::{
            self, AcceptEncoding, ContentEncoding, ETag, Encoding, EntityTag, Header as _, HeaderValue, IfNoneMatch,
            Preference,
        },
    },
    web::Bytes,
};
use flate2::read::GzDecoder;
use sha2::{Digest as _, Sha256};
use std::{
    collections::HashMap,
    fs,
    io::{self, Read as _},
    path::Path,
};

/// Files with a content hash in their name: cached without expiry.
const HASHED: &str = "assets/";
/// Served for client-side routes.
const INDEX: &str = "index.html";
/// Bytes of a file's hash in its ETag.
const TAG_BYTES: usize = 16;
/// Limits for an interface read from a folder, against a wrong folder.
const MAX_FILES: usize = 5_000;
const MAX_BYTES: u64 = 100 * 1024 * 1024;

/// Precompressed encodings, smallest first, with their suffixes.
const ENCODINGS: [(&str, ContentEncoding); 2] = [(".br", ContentEncoding::Brotli), (GZIP, ContentEncoding::Gzip)];
const GZIP: &str = ".gz";

/// The embedded interface: names and contents, as `build.rs` lists them.
static EMBEDDED: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/interface.rs"));

struct Asset {
    bytes: Bytes,
    media_type: HeaderValue,
    /// Hash of `bytes`. The encoding's name is appended for a strong ETag.
    tag: String,
    immutable: bool,
    /// Compressed content, in the order of `ENCODINGS`.
    compressed: [Option<Bytes>; ENCODINGS.len()],
}

impl Asset {
    /// Whether the format is compressed already.
    fn is_dense(&self) -> bool {
        let media_type = self.media_type.as_bytes();
        media_type.starts_with(b"font/") || media_type == b"image/png"
    }

    /// Bytes and encoding for a request; `Identity` when no compressed one is accepted.
    fn encoded(&self, request: &HttpRequest) -> (&Bytes, ContentEncoding) {
        let accepted = AcceptEncoding::parse(request).ok();
        ENCODINGS
            .iter()
            .zip(&self.compressed)
            .filter_map(|((_, encoding), bytes)| bytes.as_ref().map(|bytes| (bytes, *encoding)))
            .find(|(_, encoding)| accepted.as_ref().is_some_and(|accepted| accepts(accepted, *encoding)))
            .unwrap_or((&self.bytes, ContentEncoding::Identity))
    }
}

/// Whether the request accepts this encoding with a non-zero weight.
fn accepts(accepted: &AcceptEncoding, encoding: ContentEncoding) -> bool {
    let weight = |wanted: &Preference<Encoding>| {
        accepted
            .iter()
            .find(|one| one.item == *wanted)
            .map(|one| one.quality > header::Quality::ZERO)
    };
    weight(&Preference::Specific(Encoding::Known(encoding)))
        .or_else(|| weight(&Preference::Any))
        .unwrap_or(false)
}

/// The built interface.
#[derive(Default)]
pub struct Interface {
    files: HashMap<String, Asset>,
}

impl Interface {
    /// The embedded interface; empty when built without.
    ///
    /// # Errors
    /// When a compressed file can't be read.
    pub fn embedded() -> io::Result<Self> {
        Self::packed(EMBEDDED)
    }

    /// The interface in files of which some are there in compressed forms only.
    fn packed(files: &[(&str, &'static [u8])]) -> io::Result<Self> {
        let mut interface = Self::default();
        for (name, bytes) in files {
            interface.add((*name).to_owned(), Bytes::from_static(bytes));
            if let Some(plain) = name.strip_suffix(GZIP) {
                let mut content = Vec::new();
                GzDecoder::new(*bytes).read_to_end(&mut content)?;
                interface.add(plain.to_owned(), content.into());
            }
        }
        interface.attach_compressed();
        Ok(interface)
    }

    /// The interface in a folder.
    ///
    /// # Errors
    /// When the folder can't be read or contains no interface.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut interface = Self::default();
        let mut folders = vec![folder.to_owned()];
        let mut bytes = 0;
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                bytes += fs::metadata(&path)?.len();
                if bytes > MAX_BYTES || interface.files.len() >= MAX_FILES {
                    return Err(io::Error::other("too large for an interface"));
                }
                let name = path
                    .strip_prefix(folder)
                    .map_err(io::Error::other)?
                    .to_string_lossy()
                    .into_owned();
                interface.add(name, fs::read(&path)?.into());
            }
        }
        if !interface.files.contains_key(INDEX) {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no index.html"));
        }
        interface.attach_compressed();
        Ok(interface)
    }

    pub fn of(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        let mut interface = Self::default();
        for (name, bytes) in files {
            interface.add(name, bytes.into());
        }
        interface
    }

    pub fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Files with a content hash in their name.
    pub fn hashed(&self) -> Vec<(&str, &Bytes)> {
        let hashed = self.files.iter().filter(|(_, asset)| asset.immutable);
        let mut hashed: Vec<_> = hashed.map(|(name, asset)| (name.as_str(), &asset.bytes)).collect();
        hashed.sort_unstable_by_key(|(name, _)| *name);
        hashed
    }

    fn add(&mut self, name: String, bytes: Bytes) {
        let media_type = mime_guess::from_path(&name).first_or_octet_stream();
        let text = match media_type.type_() {
            mime_guess::mime::TEXT => format!("{}; charset=utf-8", media_type.essence_str()),
            _ => media_type.essence_str().to_owned(),
        };
        let hash: [u8; 32] = Sha256::digest(&bytes).into();
        let tag = hex::encode(&hash[..TAG_BYTES]);
        let asset = Asset {
            media_type: HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("application/octet-stream")),
            tag,
            immutable: name.starts_with(HASHED),
            bytes,
            compressed: [const { None }; ENCODINGS.len()],
        };
        self.files.insert(name, asset);
    }

    /// Attaches each compressed file to its original.
    fn attach_compressed(&mut self) {
        let names: Vec<String> = self.files.keys().cloned().collect();
        for name in names {
            for (place, (ending, _)) in ENCODINGS.iter().enumerate() {
                let Some(compressed) = self.files.remove(&format!("{name}{ending}")) else {
                    continue;
                };
                if let Some(asset) = self.files.get_mut(&name)
                    && let Some(at) = asset.compressed.get_mut(place)
                {
                    *at = Some(compressed.bytes);
                }
            }
        }
    }

    /// Serves a file, or the start page for a client-side route.
    pub fn answer(&self, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Err(ApiError::method_not_allowed("GET, HEAD".to_owned()));
        }
        let path = request.path().trim_start_matches('/');
        let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let asset = match self.files.get(path) {
            Some(asset) => Some(asset),
            None if is_file => None,
            None => self.files.get(INDEX),
        };
        let asset = asset.ok_or_else(|| ApiError::not_found("route_unknown"))?;
        let caching = match asset {
            asset if asset.immutable => "public, max-age=31536000, immutable",
            // Browsers ask for the icon again at every address; another one is seen a day later.
            asset if asset.media_type.as_bytes().starts_with(b"image/") => "public, max-age=86400",
            _ => "no-cache",
        };
        let (bytes, encoding) = asset.encoded(request);
        let tag = EntityTag::new_strong(match encoding {
            ContentEncoding::Identity => asset.tag.clone(),
            named => format!("{}-{}", asset.tag, named.as_str()),
        });
        let fresh = match IfNoneMatch::parse(request) {
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(&tag)),
            _ => false,
        };
        let mut response = HttpResponse::build(if fresh {
            StatusCode::NOT_MODIFIED
        } else {
            StatusCode::OK
        });
        response
            .insert_header(ETag(tag))
            .insert_header((header::CACHE_CONTROL, caching));
        if asset.compressed.iter().any(Option::is_some) {
            response.insert_header((header::VARY, "accept-encoding"));
        }
        if fresh {
            return Ok(response.finish());
        }
        // The middleware compresses responses without an encoding, as in a build without compressed files.
        if encoding != ContentEncoding::Identity || asset.is_dense() {
            response.insert_header(encoding);
        }
        Ok(response
            .insert_header((header::CONTENT_TYPE, asset.media_type.clone()))
            .body(bytes.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn interface() -> (tempfile::TempDir, Interface) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("assets")).unwrap();
        fs::write(folder.path().join("index.html"), "<!doctype html>").unwrap();
        fs::write(folder.path().join("assets/app-1a2b.js"), "let x").unwrap();
        fs::write(folder.path().join("favicon.svg"), "<svg/>").unwrap();
        let interface = Interface::read(folder.path()).unwrap();
        (folder, interface)
    }

    fn header(response: &HttpResponse, name: header::HeaderName) -> &str {
        response.headers().get(name).unwrap().to_str().unwrap()
    }

    #[test]
    fn a_path_of_the_interface_is_its_page_and_a_missing_file_is_missing() {
        let (_folder, interface) = interface();
        for path in ["/", "/remittances/new", "/index.html"] {
            let response = interface
                .answer(&TestRequest::with_uri(path).to_http_request())
                .unwrap();
            assert_eq!(header(&response, header::CONTENT_TYPE), "text/html; charset=utf-8");
            assert_eq!(header(&response, header::CACHE_CONTROL), "no-cache");
        }
        for path in ["/assets/gone.js", "/../Cargo.toml"] {
            assert!(
                interface
                    .answer(&TestRequest::with_uri(path).to_http_request())
                    .is_err(),
                "{path}"
            );
        }
    }

    #[test]
    fn a_file_that_is_carried_compressed_is_served_as_it_was_too() {
        let mut packed = flate2::read::GzEncoder::new(&b"let x"[..], flate2::Compression::best());
        let mut compressed = Vec::new();
        packed.read_to_end(&mut compressed).unwrap();
        let files: [(&str, &'static [u8]); 2] = [
            ("assets/app-1a2b.js.br", b"br"),
            ("assets/app-1a2b.js.gz", compressed.leak()),
        ];
        let interface = Interface::packed(&files).unwrap();
        assert_eq!(
            interface.hashed(),
            [("assets/app-1a2b.js", &Bytes::from_static(b"let x"))]
        );
        for (accepted, encoding) in [("br", Some("br")), ("gzip", Some("gzip")), ("identity", None)] {
            let request = TestRequest::with_uri("/assets/app-1a2b.js")
                .insert_header((header::ACCEPT_ENCODING, accepted))
                .to_http_request();
            let response = interface.answer(&request).unwrap();
            let told = response.headers().get(header::CONTENT_ENCODING);
            assert_eq!(told.map(|told| told.to_str().unwrap()), encoding);
        }
    }

    #[test]
    fn the_smallest_accepted_encoding_is_served_with_its_own_etag() {
        let (folder, _) = interface();
        let script = folder.path().join("assets/app-1a2b.js");
        fs::write(script.with_extension("js.br"), "br").unwrap();
        fs::write(script.with_extension("js.gz"), "gzip").unwrap();
        let interface = Interface::read(folder.path()).unwrap();
        let mut tags = Vec::new();
        for (accepted, expected) in [
            (Some("gzip, deflate, br, zstd"), Some("br")),
            (Some("gzip;q=1, br;q=0.5"), Some("br")),
            (Some("gzip, br;q=0"), Some("gzip")),
            (Some("gzip"), Some("gzip")),
            (Some("*"), Some("br")),
            (Some("identity"), None),
            (None, None),
        ] {
            let mut request = TestRequest::with_uri("/assets/app-1a2b.js");
            if let Some(accepted) = accepted {
                request = request.insert_header((header::ACCEPT_ENCODING, accepted));
            }
            let response = interface.answer(&request.to_http_request()).unwrap();
            let encoding = response.headers().get(header::CONTENT_ENCODING);
            let encoding = encoding
                .map(|one| one.to_str().unwrap())
                .filter(|one| *one != "identity");
            assert_eq!(encoding, expected, "{accepted:?}");
            assert_eq!(header(&response, header::VARY), "accept-encoding");
            assert_eq!(
                header(&response, header::CONTENT_TYPE),
                "text/javascript; charset=utf-8",
                "{accepted:?}"
            );
            tags.push((expected, header(&response, header::ETAG).to_owned()));
        }
        tags.sort();
        tags.dedup();
        assert_eq!(tags.len(), 3, "{tags:?}");
        let compressed = TestRequest::with_uri("/assets/app-1a2b.js.br").to_http_request();
        assert!(interface.answer(&compressed).is_err());
    }

    #[test]
    fn a_hashed_file_is_kept_for_good_and_the_page_asked_for_by_its_tag() {
        let (_folder, interface) = interface();
        let script = interface
            .answer(&TestRequest::with_uri("/assets/app-1a2b.js").to_http_request())
            .unwrap();
        assert!(header(&script, header::CACHE_CONTROL).contains("immutable"));
        let page = interface.answer(&TestRequest::with_uri("/").to_http_request()).unwrap();
        let tag = header(&page, header::ETAG).to_owned();
        let again = TestRequest::with_uri("/")
            .insert_header((header::IF_NONE_MATCH, tag))
            .to_http_request();
        assert_eq!(interface.answer(&again).unwrap().status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn the_icon_is_kept_for_a_day() {
        let (_folder, interface) = interface();
        let icon = TestRequest::with_uri("/favicon.svg").to_http_request();
        let icon = interface.answer(&icon).unwrap();
        assert_eq!(header(&icon, header::CACHE_CONTROL), "public, max-age=86400");
    }
}
