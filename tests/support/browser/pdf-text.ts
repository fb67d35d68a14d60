import type { Page } from 'playwright-core';
import { extractText, getDocumentProxy } from 'unpdf';

/** Saves the page as a PDF and returns the text of each sheet, with single spaces. */
export async function pdfSheets(page: Page, format: 'A4' | 'Letter'): Promise<string[]> {
  const pdf = await getDocumentProxy(new Uint8Array(await page.pdf({ format })));
  const { text } = await extractText(pdf, { mergePages: false });
  return text.map((sheet) => sheet.replaceAll(/\s+/g, ' ').trim());
}
