import { describe, expect, it } from 'vitest';
import { archiveEnd, concatBytes, directoryRecord, entryOf, pack, unpack } from './zip.ts';

const text = 'Überweisung 184.00 USD\n'.repeat(500);
const picture = Uint8Array.from({ length: 300 }, (_, index) => index % 256);

async function unpackAll(bytes: Uint8Array<ArrayBuffer>) {
  const restored: Record<string, Uint8Array> = {};
  for await (const { name, content } of unpack(bytes)) restored[name] = content;
  return restored;
}

describe('a ZIP archive', () => {
  it('restores the packed files, and compresses texts', async () => {
    const files = [await pack('tables/größe.ndjson', text), await pack('a.png', picture), await pack('empty', '')];
    const bytes = concatBytes(files.map(entryOf));
    expect(bytes.length).toBeLessThan(1500);
    const restored = await unpackAll(bytes);
    expect(new TextDecoder().decode(restored['tables/größe.ndjson'])).toBe(text);
    expect(restored['a.png']).toEqual(picture);
    expect(restored.empty).toEqual(new Uint8Array());
  });

  it('is identical for identical files', async () => {
    const firstEntry = entryOf(await pack('a', text));
    expect(entryOf(await pack('a', text))).toEqual(firstEntry);
  });

  it('is read up to its directory', async () => {
    const file = await pack('a', text);
    const entry = entryOf(file);
    const line = directoryRecord(file, 0);
    const end = archiveEnd({ entries: 1, size: line.length, offset: entry.length }, 'said');
    expect(Object.keys(await unpackAll(concatBytes([entry, line, end])))).toEqual(['a']);
    expect(new TextDecoder().decode(end.slice(-4))).toBe('said');
  });

  it('is rejected when it was altered', async () => {
    const bytes = entryOf(await pack('a.png', picture));
    bytes[bytes.length - 1] = 1;
    await expect(unpackAll(bytes)).rejects.toThrow('a.png is not as it was packed');
  });

  it('uses ZIP64 above four gigabytes or 65,534 files', async () => {
    const file = await pack('a', 'x');
    const offset = 5 * 2 ** 32;
    const line = directoryRecord(file, offset);
    const view = new DataView(line.buffer);
    expect(view.getUint32(42, true)).toBe(0xffffffff);
    expect(Number(view.getBigUint64(line.length - 8, true))).toBe(offset);
    const end = new DataView(archiveEnd({ entries: 70_000, size: 9, offset: offset }, '').buffer);
    expect(end.getUint32(0, true)).toBe(0x06064b50);
    expect(Number(end.getBigUint64(32, true))).toBe(70_000);
    expect(Number(end.getBigUint64(48, true))).toBe(offset);
    expect(Number(end.getBigUint64(64, true))).toBe(offset + 9);
    expect(end.getUint16(76 + 10, true)).toBe(0xffff);
  });
});
