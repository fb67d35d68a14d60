/** What an uploaded file turned out to be: the bytes that may be stored, in pieces of what came, without being decoded. */
export type ReadImage = { width: number; height: number; parts: Uint8Array<ArrayBuffer>[] };
export type Bytes = Uint8Array<ArrayBuffer>;

/** The file is not what it says it is, or is broken. */
export class FileError extends Error {}

export const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const textAt = (bytes: Bytes, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** A piece that must be there. */
export function cut(bytes: Bytes, from: number, to: number): Bytes {
  if (from < 0 || to < from || to > bytes.length) throw new FileError('the file ends too early');
  return bytes.subarray(from, to);
}
