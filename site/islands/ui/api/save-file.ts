/** Saves a fetched file through the browser. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: the browser reads the file only after this event.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
