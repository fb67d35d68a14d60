import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { MAX_TRAILER_LENGTH, parseArchiveTrailer } from '#shared/archive';
import type { ArchiveStatus } from '#shared/contracts/staff/archive-and-closing';
import type { Calls } from './calls.ts';

const POLL_MS = 1000;
/** Time limit (ms): about the time for a clinic of a million rows. */
const LIMIT_MS = 6 * 3_600_000;

export type Written = { rows: number; bytes: number; sha256: string };

/**
 * Requests all records of a clinic, waits until the clinic has written them, and downloads them into a file that only
 * its owner may read. Never replaces an existing file, and leaves no file after a failure.
 */
export async function writeArchive(
  calls: Calls,
  account: number,
  file: string,
  onStatus: (status: ArchiveStatus) => void = () => undefined,
): Promise<Written> {
  if (await stat(file).catch(() => null)) throw new Error(`${file} already exists`);
  const part = `${file}.part`;
  try {
    const status = await whenReady(calls, account, onStatus);
    const hash = createHash('sha256');
    const out = await open(part, 'wx', 0o600);
    try {
      for (let n = 0; n < status.parts; n++) {
        const bytes = await calls.archivePart(account, status.id ?? '', n);
        hash.update(bytes);
        await out.write(bytes);
      }
      if ((await out.stat()).size !== status.bytes) throw new Error('the archive is incomplete; request it again');
    } finally {
      await out.close();
    }
    await rename(part, file);
    return { rows: status.total, bytes: status.bytes, sha256: hash.digest('hex') };
  } finally {
    await rm(part, { force: true });
  }
}

async function whenReady(
  calls: Calls,
  account: number,
  onStatus: (status: ArchiveStatus) => void,
): Promise<ArchiveStatus> {
  const { asked_at: requestedAt } = await calls.askArchive(account);
  for (const end = Date.now() + LIMIT_MS; Date.now() < end; await setTimeout(POLL_MS)) {
    const status = await calls.archive(account);
    if (status.state === 'ready' && status.asked_at === requestedAt) return status;
    onStatus(status);
  }
  throw new Error('the archive is still being created; request it later');
}

/** An archive in a file. `lastAt`: offset of its last part. `read` returns the bytes between two offsets. */
export type ArchiveFile = { lastAt: number; size: number; read(from: number, to: number): Promise<Uint8Array> };

/** Opens an archive. Throws an Error if the file is not an archive, or is truncated. */
export async function readArchive(file: string): Promise<ArchiveFile> {
  const { size } = await stat(file).catch(() => {
    throw new Error(`${file} does not exist`);
  });
  const read = async (from: number, to: number): Promise<Uint8Array> => {
    const handle = await open(file, 'r');
    try {
      const bytes = new Uint8Array(to - from);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
      if (bytesRead !== bytes.length) throw new Error(`${file} is incomplete`);
      return bytes;
    } finally {
      await handle.close();
    }
  };
  const last = await read(Math.max(0, size - MAX_TRAILER_LENGTH), size);
  const end = parseArchiveTrailer(String.fromCharCode(...last));
  if (!end || end.at >= size) throw new Error(`${file} is not an archive, or its end is missing`);
  return { lastAt: end.at, size, read };
}
