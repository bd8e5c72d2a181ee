//! Generated pictures that decode.

/// A PNG with one row of grey pixels, one per byte of a text: different texts give different pictures.
pub fn picture(text: &str) -> Vec<u8> {
    assert!(!text.is_empty(), "a picture has a pixel");
    let row = [&[0], text.as_bytes()].concat();
    let length = u16::try_from(row.len()).unwrap();
    // One stored (uncompressed) zlib block.
    let mut data = vec![0x78, 0x01, 0x01];
    data.extend(length.to_le_bytes());
    data.extend((!length).to_le_bytes());
    data.extend(&row);
    data.extend(adler(&row).to_be_bytes());
    let width = u32::from(length) - 1;
    let header = [&width.to_be_bytes()[..], &1_u32.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", data), (b"IEND", Vec::new())] {
        picture.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        let body = [kind.as_slice(), &data].concat();
        picture.extend(&body);
        picture.extend(crc(&body).to_be_bytes());
    }
    picture
}

fn adler(data: &[u8]) -> u32 {
    let (low, high) = data.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    high << 16 | low
}

fn crc(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 }
        })
    })
}
