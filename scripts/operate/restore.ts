import type { RestoreBegun, RestoreEnded } from '#shared/contracts/operators/operate';
import { readArchive } from './archive-file.ts';
import type { Calls } from './calls.ts';

/** The source of a restore: its `name` for the operator, and the steps begin, rows and end. */
export type Source = {
  name: string;
  begin(account: number): Promise<RestoreBegun>;
  putBack(begun: RestoreBegun): Promise<void>;
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
      if (from !== lastAt) throw new Error(`${file} holds more than was exported`);
    },
    end: (account, clinic) => calls.end(clinic, { account }),
  };
}

/** A dump in the backup bucket. The installation reads it itself, so no rows pass through this machine. */
export async function fromDump(calls: Calls, folder: string): Promise<Source> {
  const { account: own, schema, pieces } = await calls.manifest(folder);
  return {
    name: folder,
    async begin(account) {
      if (own !== account) throw new Error(`${folder} is of account ${own}`);
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
  const begun = await source.begin(account);
  try {
    await source.putBack(begun);
    return await source.end(account, begun.clinic);
  } catch (cause) {
    await calls.abandon(begun.clinic).catch(() => undefined);
    throw cause;
  }
}
