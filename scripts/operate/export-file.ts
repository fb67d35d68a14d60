import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import type { ExportRow } from '#shared/contracts/operate';
import type { Calls } from './calls.ts';

/** The last line of an export; `sha256`: of all lines before it. */
const Manifest = z.object({
  manifest: z.object({
    ...{ clinic: z.number(), account: z.number(), schema: z.number(), at: z.number(), ledgerCents: z.number() },
    counts: z.record(z.string(), z.number()),
    sha256: z.string(),
  }),
});
export type Manifest = z.output<typeof Manifest>['manifest'];
type Line = { table: string; row: ExportRow };

/** Tries to read a clinic while nothing is done for it. */
const TRIES = 5;

/**
 * Writes a clinic's records to a file, a line for each row with its table, and a manifest as the last line. Only the
 * owner of the file may read it. An act for the clinic meanwhile would tear the export, so it is begun again.
 */
export async function writeExport(calls: Calls, account: number, file: string): Promise<Manifest> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const manifest = await tryExport(calls, account, `${file}.part`);
    if (manifest) {
      await rename(`${file}.part`, file);
      return manifest;
    }
  }
  await rm(`${file}.part`, { force: true });
  throw new Error(`something was done for the clinic in each of ${TRIES} tries; export it at a quieter time`);
}

async function tryExport(calls: Calls, account: number, file: string): Promise<Manifest | null> {
  const { clinic, schema, tables, counts, ledgerCents, mark } = await calls.plan(account);
  await rm(file, { force: true });
  const out = createWriteStream(file, { mode: 0o600, flags: 'wx' });
  const hash = createHash('sha256');
  const written: Record<string, number> = {};
  for (const table of tables) {
    written[table] = 0;
    let after: Awaited<ReturnType<Calls['piece']>>['next'] = null;
    do {
      const piece = await calls.piece(account, table, after);
      const text = piece.rows.map((row) => `${JSON.stringify({ table, row } satisfies Line)}\n`).join('');
      hash.update(text);
      if (!out.write(text)) await once(out, 'drain');
      written[table] += piece.rows.length;
      after = piece.next;
    } while (after);
  }
  const manifest = {
    clinic,
    account,
    schema,
    at: Date.now(),
    ledgerCents,
    counts: written,
    sha256: hash.digest('hex'),
  };
  out.end(`${JSON.stringify({ manifest })}\n`);
  await once(out, 'close');
  const isWhole = tables.every((table) => written[table] === counts[table]);
  return isWhole && (await calls.plan(account)).mark === mark ? manifest : null;
}

/** Reads an export from its beginning to its end and holds it against its manifest. Throws where it is not whole. */
export async function checkExport(file: string): Promise<Manifest> {
  if (!(await stat(file).catch(() => null))) throw new Error(`${file} is not there`);
  const hash = createHash('sha256');
  let last = '';
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (last) hash.update(`${last}\n`);
    last = line;
  }
  const found = Manifest.safeParse(jsonOf(last));
  if (!found.success) throw new Error(`${file} has no manifest: it is no export, or its end is missing`);
  if (found.data.manifest.sha256 !== hash.digest('hex')) throw new Error(`${file} is not as it was exported`);
  return found.data.manifest;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rows of an export in pieces of `size` at most, each of one table. */
export async function* piecesOf(file: string, size: number): AsyncGenerator<{ table: string; rows: ExportRow[] }> {
  let piece: { table: string; rows: ExportRow[] } | null = null;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const { table, row } = JSON.parse(line) as Partial<Line>;
    if (table === undefined || row === undefined) continue;
    if (piece && (piece.table !== table || piece.rows.length === size)) {
      yield piece;
      piece = null;
    }
    piece ??= { table, rows: [] };
    piece.rows.push(row);
  }
  if (piece) yield piece;
}
