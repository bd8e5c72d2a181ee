//! What of an image is kept, and what is refused.

use super::*;

const JPEG: &[u8] = include_bytes!("samples/gps.jpg");
const PNG: &[u8] = include_bytes!("samples/gps.png");
const WEBP: &[u8] = include_bytes!("samples/gps.webp");

/// Texts in the samples' metadata, and the marks of the containers that hold metadata.
const METADATA: [&[u8]; 5] = [b"secret", b"CameraMaker", b"xmpmeta", b"tEXt", b"XMP "];

fn holds(content: &[u8], text: &[u8]) -> bool {
    content.windows(text.len()).any(|window| window == text)
}

#[test]
fn metadata_goes_and_the_picture_with_its_orientation_stays() {
    for (sample, format) in [(JPEG, Format::Jpeg), (PNG, Format::Png), (WEBP, Format::WebP)] {
        assert!(METADATA.iter().any(|text| holds(sample, text)), "{format:?}");
        let (found, cleaned) = clean_now(sample).unwrap();
        assert_eq!(found, format);
        for text in METADATA {
            assert!(!holds(&cleaned, text), "{format:?}");
        }
        // The tag of the orientation with its value, to be turned to the right.
        assert!(holds(&cleaned, b"\x01\x12\0\x03\0\0\0\x01\0\x06"), "{format:?}");
        // 0x8825 points to where the picture was taken.
        assert!(
            !holds(&cleaned, b"\x88\x25\0\x04") && !holds(&cleaned, b"\x25\x88\x04\0"),
            "{format:?}"
        );
        assert_eq!(
            clean_now(&cleaned).unwrap().1,
            cleaned,
            "{format:?}: cleaning changes nothing more"
        );
        assert_eq!(pixels(&cleaned), pixels(sample), "{format:?}");
    }
}

/// The picture as a decoder sees it.
fn pixels(content: &[u8]) -> Vec<u8> {
    use std::io::Cursor;
    match Format::sniff(content).unwrap() {
        Format::Jpeg => {
            let source = zune_jpeg::zune_core::bytestream::ZCursor::new(content);
            zune_jpeg::JpegDecoder::new(source).decode().unwrap()
        }
        Format::Png => {
            let mut reader = ::png::Decoder::new(Cursor::new(content)).read_info().unwrap();
            let mut picture = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut picture).unwrap();
            picture
        }
        Format::WebP => {
            let mut decoder = image_webp::WebPDecoder::new(Cursor::new(content)).unwrap();
            let mut picture = vec![0; decoder.output_buffer_size().unwrap()];
            decoder.read_image(&mut picture).unwrap();
            picture
        }
    }
}

#[test]
fn an_image_without_metadata_is_unchanged() {
    let samples: [&[u8]; 3] = [
        include_bytes!("../../generators/src/demo/identification.png"),
        include_bytes!("samples/lossy.webp"),
        include_bytes!("samples/lossless.webp"),
    ];
    for sample in samples {
        assert_eq!(clean_now(sample).unwrap().1, sample);
    }
    let jpegs: [&[u8]; 3] = [
        include_bytes!("samples/progressive.jpg"),
        include_bytes!("samples/cmyk.jpg"),
        include_bytes!("samples/grey.jpg"),
    ];
    for sample in jpegs {
        let (_, cleaned) = clean_now(sample).unwrap();
        assert_eq!(pixels(&cleaned), pixels(sample));
    }
}

#[test]
fn bytes_after_the_end_of_the_image_are_cut_off() {
    const PAGE: &[u8] = b"<html><script>alert(1)</script></html>";
    for sample in [JPEG, PNG, WEBP] {
        let polyglot = [sample, PAGE].concat();
        let (_, cleaned) = clean_now(&polyglot).unwrap();
        assert!(!holds(&cleaned, b"<script>"));
        assert_eq!(cleaned, clean_now(sample).unwrap().1);
    }
}

#[test]
fn an_image_cut_off_anywhere_is_refused_and_nothing_panics() {
    for sample in [JPEG, PNG, WEBP] {
        for length in 12..sample.len() - 1 {
            let outcome = clean_now(&sample[..length]);
            assert!(
                matches!(outcome, Err(Fault::Damaged)),
                "{length} of {}: {outcome:?}",
                sample.len()
            );
        }
    }
}

#[test]
fn an_image_with_changed_bytes_is_kept_whole_or_refused_and_nothing_panics() {
    for sample in [JPEG, PNG, WEBP] {
        for at in 0..sample.len() {
            for value in [0x00, 0xFF, sample[at] ^ 0x55] {
                let mut changed = sample.to_vec();
                changed[at] = value;
                if let Ok((_, cleaned)) = clean_now(&changed) {
                    clean_now(&cleaned).unwrap();
                }
            }
        }
    }
}

#[test]
fn animations_are_refused() {
    let samples: [&[u8]; 2] = [
        include_bytes!("samples/animated.webp"),
        include_bytes!("samples/animated.png"),
    ];
    for sample in samples {
        assert_eq!(clean_now(sample), Err(Fault::Animated));
    }
}

/// A PNG that says this size and has this data.
fn png_of(width: u32, height: u32, data: &[u8]) -> Vec<u8> {
    let mut content = super::png::SIGNATURE.to_vec();
    let mut chunk = |kind: &[u8], data: &[u8]| {
        content.extend((data.len() as u32).to_be_bytes());
        let body = [kind, data].concat();
        content.extend(&body);
        content.extend(super::png::checksum(&body).to_be_bytes());
    };
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    chunk(b"IHDR", &header);
    chunk(b"IDAT", data);
    chunk(b"IEND", &[]);
    content
}

#[test]
fn a_picture_that_says_it_is_huge_is_refused_before_it_takes_memory() {
    assert_eq!(clean_now(&png_of(5_001, 5_000, &[])), Err(Fault::TooManyPixels));
    assert_eq!(clean_now(&png_of(u32::MAX >> 1, 1, &[])), Err(Fault::TooManyPixels));
    assert_eq!(clean_now(&png_of(0, 1, &[])), Err(Fault::Damaged));
    assert_eq!(clean_now(&png_of(100, 100, &[])), Err(Fault::Damaged));
    // The size in the frame header of a JPEG: its height, then its width.
    let frame = JPEG.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
    let mut huge = JPEG.to_vec();
    huge[frame + 5..frame + 9].copy_from_slice(&[0xFF; 4]);
    assert_eq!(clean_now(&huge), Err(Fault::TooManyPixels));
}

#[test]
fn a_jpeg_of_thousands_of_scans_is_refused() {
    let sample: &[u8] = include_bytes!("samples/progressive.jpg");
    let scan = sample.windows(2).position(|marker| marker == [0xFF, 0xDA]).unwrap();
    let next = scan
        + 2
        + sample[scan + 2..]
            .windows(2)
            .position(|pair| pair[0] == 0xFF && pair[1] != 0)
            .unwrap();
    let bomb = [&sample[..scan], &sample[scan..next].repeat(5_000), &sample[scan..]].concat();
    assert_eq!(clean_now(&bomb), Err(Fault::Damaged));
}

#[test]
fn a_content_is_known_by_its_first_bytes() {
    assert_eq!(Format::sniff(b"\x89PNG\r\n\x1a\n...."), Some(Format::Png));
    assert_eq!(Format::sniff(&[0xFF, 0xD8, 0xFF, 0xE0]), Some(Format::Jpeg));
    assert_eq!(Format::sniff(b"RIFF\0\0\0\0WEBPVP8 "), Some(Format::WebP));
    for content in [&b"RIFF\0\0\0\0WAVEfmt "[..], b"<svg onload=alert(1)>", b"GIF89a", b""] {
        assert_eq!(Format::sniff(content), None);
        assert_eq!(clean_now(content), Err(Fault::NotAnImage));
    }
}
