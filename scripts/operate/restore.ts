import type { RestoreEnded } from '#shared/contracts/operate';
import type { Calls } from './calls.ts';
import { checkExport, piecesOf } from './export-file.ts';

/** Of one request. A value that is bound to a statement may have two megabytes, and a character four bytes. */
const MOST = { rows: 250, chars: 400_000 };

/** What a clinic is put back of: `name` for the operator, then its account and schema, its rows, and its end. */
export type Source = {
  name: string;
  account: number;
  schema: number;
  putBack(clinic: number): Promise<void>;
  end(clinic: number): Promise<RestoreEnded>;
};

/** An export in a file, which is checked first. */
export async function fromFile(calls: Calls, file: string): Promise<Source> {
  const { account, schema, counts, ledgerCents } = await checkExport(file);
  return {
    ...{ name: file, account, schema },
    async putBack(clinic) {
      for await (const { table, rows } of piecesOf(file, MOST)) await calls.putBack(clinic, table, rows);
    },
    end: (clinic) => calls.end(clinic, { account, counts, ledgerCents }),
  };
}

/** A dump in the bucket of backups, which the installation reads itself: none of its rows comes here. */
export async function fromDump(calls: Calls, folder: string): Promise<Source> {
  const { account, schema, pieces } = await calls.manifest(folder);
  return {
    ...{ name: folder, account, schema },
    async putBack(clinic) {
      for (const at of pieces.keys()) await calls.putBackPiece(clinic, folder, at);
    },
    end: (clinic) => calls.end(clinic, { account, folder }),
  };
}

/** Puts a clinic back. What does not come to its end leaves nothing. */
export async function restoreFrom(calls: Calls, account: number, source: Source): Promise<RestoreEnded> {
  if (source.account !== account) throw new Error(`${source.name} is of account ${source.account}`);
  const { clinic } = await calls.begin(account, source.schema);
  try {
    await source.putBack(clinic);
    return await source.end(clinic);
  } catch (cause) {
    await calls.abandon(clinic).catch(() => undefined);
    throw cause;
  }
}
