import type { RestoreBegun, RestoreEnded } from '#shared/contracts/operators/operate';
import { readArchive } from './archive-file.ts';
import type { Calls } from './calls.ts';

/** The source of a restore: its `name` for the operator, and the steps begin, rows and end. */
export type Source = {
  name: string;
  begin(account: number): Promise<RestoreBegun>;
  putBack(restore: RestoreBegun): Promise<void>;
  end(account: number, clinic: number): Promise<RestoreEnded>;
};

/** An archive in a file. The installation accepts only parts that it signed, unchanged. */
export async function fromFile(calls: Calls, file: string): Promise<Source> {
  const { lastAt, size, read } = await readArchive(file);
  return {
    name: file,
    begin: async (account) => calls.beginArchive(account, await read(lastAt, size)),
    async putBack({ clinic, parts }) {
      let from = 0;
      for (const [part, bytes] of parts.entries()) {
        await calls.putBackPart(clinic, part, await read(from, from + bytes));
        from += bytes;
      }
      if (from !== lastAt) throw new Error(`${file} contains more than was exported`);
    },
    end: (account, clinic) => calls.end(clinic, { account }),
  };
}

/** A dump in the backup bucket. The installation reads it itself, so no rows pass through this machine. */
export async function fromDump(calls: Calls, folder: string): Promise<Source> {
  const { account: dumpedAccount, schema, pieces } = await calls.manifest(folder);
  return {
    name: folder,
    async begin(account) {
      if (dumpedAccount !== account) throw new Error(`${folder} is of account ${dumpedAccount}`);
      return calls.begin(account, schema);
    },
    async putBack({ clinic }) {
      for (const at of pieces.keys()) await calls.putBackPiece(clinic, folder, at);
    },
    end: (account, clinic) => calls.end(clinic, { account, folder }),
  };
}

/** Restores a clinic. A failed restore is abandoned and leaves nothing. */
export async function restoreFrom(calls: Calls, account: number, source: Source): Promise<RestoreEnded> {
  const restore = await source.begin(account);
  try {
    await source.putBack(restore);
    return await source.end(account, restore.clinic);
  } catch (cause) {
    await calls.abandon(restore.clinic).catch(() => undefined);
    throw cause;
  }
}
