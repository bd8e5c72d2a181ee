/** Files that a reviewer attaches to a decision, and pictures of a customer's document. */
import { MAX_IMAGE_BYTES, shrinkImage } from '~/shared/lib/shrinkImage';
import { z } from '~/shared/lib/zod';

/** Of the server's rules: files of one decision, pictures of one document, and bytes of a PDF. */
const MAX_FILES = 10;
export const MAX_PICTURES = 6;
const MAX_PDF_BYTES = 10 * 1024 * 1024;
const PDF = 'application/pdf';
const IMAGES = ['image/jpeg', 'image/png', 'image/webp'];

/** What a file's choice offers. */
export const ACCEPTED = [...IMAGES, PDF].join(',');

/** Small print of a contract stays legible. */
const LONGEST_SIDE_PX = 3000;

const isPdf = (file: File) => file.type === PDF || /\.pdf$/i.test(file.name);
const isImage = (file: File) => file.type.startsWith('image/');

// One message for all of them: the form has one field.
export const imagesAndPdfs = z
  .array(z.instanceof(File))
  .refine((files) => files.every((file) => isPdf(file) || isImage(file)), 'entities:file.wrongKind')
  .refine(
    (files) => files.every((file) => !isPdf(file) || file.size <= MAX_PDF_BYTES),
    'entities:file.tooLarge',
  );

export const reviewFiles = imagesAndPdfs.refine(
  (files) => files.length <= MAX_FILES,
  'entities:file.tooMany',
);

/** Whether two choices are of the same file. */
export const isSameFile = (one: File, other: File) =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified;

/** A large photograph is scaled down; what the browser can't read is sent as it is, and the server says why not. */
async function fitting(file: File): Promise<File> {
  if (!isImage(file) || file.size <= MAX_IMAGE_BYTES) return file;
  return shrinkImage(file, LONGEST_SIDE_PX).catch(() => file);
}

/** Sends files one after the other, and returns their ids: the same file has one. */
export async function sendFiles(
  files: File[],
  send: (file: File) => Promise<{ id: string }>,
): Promise<string[]> {
  const ids = new Set<string>();
  for (const file of files) ids.add((await send(await fitting(file))).id);
  return [...ids];
}
