/** Lets the browser save a fetched file. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The URL is revoked later, since the browser reads the file only after this event.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
