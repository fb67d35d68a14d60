import type { RestoreEnded } from '#shared/contracts/operate';
import type { Calls } from './calls.ts';
import { checkExport, piecesOf } from './export-file.ts';

/** Of one request. A value that is bound to a statement may have two megabytes, and a character four bytes. */
const MOST = { rows: 250, chars: 400_000 };

/** Puts a clinic back out of an export, which is checked first. What does not come to its end leaves nothing. */
export async function restoreFrom(calls: Calls, account: number, file: string): Promise<RestoreEnded> {
  const manifest = await checkExport(file);
  if (manifest.account !== account) throw new Error(`${file} is an export of account ${manifest.account}`);
  const { clinic } = await calls.begin(account, manifest.schema);
  try {
    for await (const { table, rows } of piecesOf(file, MOST)) await calls.putBack(clinic, table, rows);
    return await calls.end(clinic, { account, counts: manifest.counts, ledgerCents: manifest.ledgerCents });
  } catch (cause) {
    await calls.abandon(clinic).catch(() => undefined);
    throw cause;
  }
}
