/** Longest side of a photograph that is sent: an identity card stays legible and weighs some 300 KB. */
const LONGEST_SIDE_PX = 1600;
const JPEG_QUALITY = 0.85;
/** The server takes images of at most 5 MB. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

/** A photograph scaled down to a JPEG. Rejects what the browser cannot read as an image. */
export async function shrinkImage(file: File, longestSide = LONGEST_SIDE_PX): Promise<File> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    // JPEG has no transparency: without this a clear PNG turns black.
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY),
    );
    if (!blob) throw new Error('image could not be encoded');
    return new File([blob], `${file.name.replace(/\.[^.]*$/, '') || 'image'}.jpg`, { type: 'image/jpeg' });
  } finally {
    bitmap.close();
  }
}
