import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ExportPlan } from '#shared/contracts/operate';
import { checkExport, piecesOf, writeExport } from './export-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tillway-export-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => path.join(folder, name);

const plan: ExportPlan = {
  ...{ clinic: 1, account: 4711, schema: 1, ledgerCents: 0, mark: 1 },
  tables: ['hubs', 'users'],
  counts: { hubs: 1, users: 1 },
};
const calls = (piece: (table: string) => object = () => ({ rows: [{ hub_id: 4711 }], next: null })) =>
  ({ plan: async () => plan, piece: async (_account: number, table: string) => piece(table) }) as never;

async function readPieces(file: string, most: { rows: number; chars: number }) {
  const found: { table: string; rows: object[] }[] = [];
  for await (const piece of piecesOf(file, most)) found.push(piece);
  return found;
}

describe('an export', () => {
  it('is a file of mode 0600 that is whole by its manifest', async () => {
    const manifest = await writeExport(calls(), 4711, at('whole.ndjson'));
    expect(statSync(at('whole.ndjson')).mode & 0o777).toBe(0o600);
    expect(await checkExport(at('whole.ndjson'))).toEqual(manifest);
    expect(await readPieces(at('whole.ndjson'), { rows: 9, chars: 9999 })).toEqual([
      { table: 'hubs', rows: [{ hub_id: 4711 }] },
      { table: 'users', rows: [{ hub_id: 4711 }] },
    ]);
  });

  it('that is cut short leaves no file with what payers told', async () => {
    const cut = calls((table) => {
      if (table === 'users') throw new Error('the line was cut');
      return { rows: [{ hub_id: 4711 }], next: null };
    });
    await expect(writeExport(cut, 4711, at('cut.ndjson'))).rejects.toThrow('the line was cut');
    expect(readdirSync(folder).filter((name) => name.startsWith('cut'))).toEqual([]);
  });

  it('says where it cannot write, and never writes over another file', async () => {
    await expect(writeExport(calls(), 4711, at('nowhere/x.ndjson'))).rejects.toThrow('ENOENT');
    writeFileSync(at('mine.txt'), 'mine');
    await expect(writeExport(calls(), 4711, at('mine.txt'))).rejects.toThrow('is there already');
    expect(existsSync(at('mine.txt.part'))).toBe(false);
  });
});

describe('a piece of an export', () => {
  it('is small enough for one statement, whatever its rows hold', async () => {
    const line = (id: number) => JSON.stringify({ table: 'users', row: { id, note: 'x'.repeat(1000) } });
    writeFileSync(at('wide.ndjson'), `${[1, 2, 3, 4, 5].map(line).join('\n')}\n`);
    const pieces = await readPieces(at('wide.ndjson'), { rows: 100, chars: 2500 });
    expect(pieces.map(({ rows }) => rows.length)).toEqual([2, 2, 1]);
  });

  it.each([
    '{"table":"../../clinics/4711","row":{}}',
    '{"table":"..","row":{}}',
    '{"table":"users","row":[1]}',
    '{"table":"users","row":{"a":{"b":1}}}',
    '{"table":"users"',
    '"users"',
  ])('is none of a line like %s', async (line) => {
    writeFileSync(at('odd.ndjson'), `${line}\n`);
    await expect(readPieces(at('odd.ndjson'), { rows: 9, chars: 999 })).rejects.toThrow('line 1 of');
  });
});
