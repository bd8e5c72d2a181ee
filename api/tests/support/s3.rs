//! An object store with the part of S3 that Caudal uses: conditional put, get, list.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

type Objects = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A running store; its objects are in memory.
pub struct S3 {
    address: SocketAddr,
    objects: Objects,
}

impl S3 {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let objects = Objects::default();
        let kept = objects.clone();
        thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let objects = kept.clone();
                thread::spawn(move || converse(&socket, &objects));
            }
        });
        Self { address, objects }
    }

    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The content of an object, by `bucket/name`.
    pub fn content(&self, name: &str) -> Option<Vec<u8>> {
        self.objects.lock().unwrap().get(name).cloned()
    }

    /// The names of the objects, as `bucket/name`.
    pub fn names(&self) -> Vec<String> {
        self.objects.lock().unwrap().keys().cloned().collect()
    }
}

/// Answers the requests of one connection.
fn converse(mut socket: &TcpStream, objects: &Objects) {
    let mut reader = BufReader::new(socket);
    loop {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or_default() == 0 {
                return;
            }
            if line.trim().is_empty() {
                break;
            }
            head.push(line.trim().to_owned());
        }
        let header = |name: &str| {
            let lines = head.iter().filter_map(|line| line.split_once(": "));
            lines
                .clone()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.to_owned())
        };
        let length = header("content-length").map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let mut words = head[0].split(' ');
        let (method, path) = (words.next().unwrap(), words.next().unwrap().to_owned());
        let mut objects = objects.lock().unwrap();
        let (status, content) = match (method, objects.get(&path)) {
            ("PUT", Some(_)) if header("if-none-match").as_deref() == Some("*") => {
                ("412 Precondition Failed", Vec::new())
            }
            ("PUT", _) => {
                objects.insert(path, body);
                ("200 OK", Vec::new())
            }
            ("GET", Some(content)) => ("200 OK", content.clone()),
            ("GET", None) if path.contains("list-type=2") => ("200 OK", listing(&path, &objects)),
            _ => ("404 Not Found", Vec::new()),
        };
        let date = "Sat, 21 Nov 2026 12:00:00 GMT";
        let head = format!(
            "HTTP/1.1 {status}\r\nETag: \"1\"\r\nLast-Modified: {date}\r\nContent-Length: {}\r\n\r\n",
            content.len()
        );
        if socket.write_all(&[head.as_bytes(), &content].concat()).is_err() {
            return;
        }
    }
}

/// ListObjectsV2: the objects whose names begin with the prefix; with a delimiter without those in folders below.
fn listing(path: &str, objects: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let (bucket, query) = path.split_once('?').unwrap();
    let fields = || query.split('&').filter_map(|field| field.split_once('='));
    let prefix = fields()
        .find(|(name, _)| *name == "prefix")
        .map_or("", |(_, prefix)| prefix);
    let prefix = prefix.replace("%2F", "/");
    let is_flat = fields().any(|(name, _)| name == "delimiter");
    let bucket = format!("{}/", bucket.trim_end_matches('/'));
    let keys = objects.iter().filter_map(|(name, content)| {
        let key = name.strip_prefix(&bucket)?;
        let rest = key.strip_prefix(&prefix)?;
        let contents = format!(
            "<Contents><Key>{key}</Key><LastModified>2026-11-21T12:00:00.000Z</LastModified><ETag>&quot;1&quot;</ETag>\
             <Size>{}</Size><StorageClass>STANDARD</StorageClass></Contents>",
            content.len()
        );
        (!is_flat || !rest.contains('/')).then_some(contents)
    });
    let keys: String = keys.collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult><IsTruncated>false</IsTruncated>\
         <Prefix>{prefix}</Prefix><KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys>{keys}</ListBucketResult>"
    )
    .into_bytes()
}
