import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
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
/** A table's name becomes part of an address that is asked with the operator's secret. */
const Line = z.union([
  z.object({
    table: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
    row: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  }),
  z.object({ manifest: z.unknown() }),
]);

/** Tries to read a clinic while nothing is done for it. */
const TRIES = 5;

/**
 * Writes a clinic's records to a file, a line for each row with its table, and a manifest as the last line. Only the
 * owner of the file may read it. An act for the clinic meanwhile would tear the export, so it is begun again. What does
 * not come to its end leaves no file.
 */
export async function writeExport(calls: Calls, account: number, file: string): Promise<Manifest> {
  if (await stat(file).catch(() => null)) throw new Error(`${file} is there already`);
  const part = `${file}.part`;
  try {
    for (let tries = 1; tries <= TRIES; tries++) {
      const manifest = await tryExport(calls, account, part);
      if (!manifest) continue;
      await rename(part, file);
      return manifest;
    }
  } finally {
    await rm(part, { force: true });
  }
  throw new Error(`something was done for the clinic in each of ${TRIES} tries; export it at a quieter time`);
}

async function tryExport(calls: Calls, account: number, file: string): Promise<Manifest | null> {
  const { clinic, schema, tables, counts, ledgerCents, mark } = await calls.plan(account);
  await rm(file, { force: true });
  const hash = createHash('sha256');
  const written: Record<string, number> = {};
  const out = await open(file, 'wx', 0o600);
  try {
    for (const table of tables) {
      written[table] = 0;
      let after: Awaited<ReturnType<Calls['piece']>>['next'] = null;
      do {
        const piece = await calls.piece(account, table, after);
        const text = piece.rows.map((row) => `${JSON.stringify({ table, row } satisfies Line)}\n`).join('');
        hash.update(text);
        await out.write(text);
        written[table] += piece.rows.length;
        after = piece.next;
      } while (after);
    }
    const sha256 = hash.digest('hex');
    const manifest = { clinic, account, schema, at: Date.now(), ledgerCents, counts: written, sha256 };
    await out.write(`${JSON.stringify({ manifest })}\n`);
    const isWhole = tables.every((table) => written[table] === counts[table]);
    return isWhole && (await calls.plan(account)).mark === mark ? manifest : null;
  } finally {
    await out.close();
  }
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

type Piece = { table: string; rows: ExportRow[] };

/** Rows of an export in pieces, each of one table. `most`: rows of a piece, and characters of its lines. */
export async function* piecesOf(file: string, most: { rows: number; chars: number }): AsyncGenerator<Piece> {
  let piece: Piece | null = null;
  let [number, chars] = [0, 0];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const read = Line.safeParse(jsonOf(line));
    if (!read.success) throw new Error(`line ${number} of ${file} is no row of an export`);
    if ('manifest' in read.data) continue;
    const { table, row } = read.data;
    chars += line.length;
    if (piece && (piece.table !== table || piece.rows.length === most.rows || chars > most.chars)) {
      yield piece;
      piece = null;
      chars = line.length;
    }
    piece ??= { table, rows: [] };
    piece.rows.push(row);
  }
  if (piece) yield piece;
}
