/** Let the browser save a file that was fetched. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the file over only after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
