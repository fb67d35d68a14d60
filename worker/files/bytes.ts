/** A checked image: its size in pixels, and the parts of the upload that may be stored, not decoded. */
export type ReadImage = { width: number; height: number; parts: Uint8Array<ArrayBuffer>[] };
export type Bytes = Uint8Array<ArrayBuffer>;

/** The file is broken, or is not of the type that it claims. */
export class FileError extends Error {}

export const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const textAt = (bytes: Bytes, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** A slice; throws FileError where it exceeds the bytes. */
export function cut(bytes: Bytes, from: number, to: number): Bytes {
  if (from < 0 || to < from || to > bytes.length) throw new FileError('the file ends too early');
  return bytes.subarray(from, to);
}
