/** Saves a fetched file through the browser. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: the browser reads the file only after this event.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
