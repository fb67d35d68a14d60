import { existsSync } from 'node:fs';
import type { Anchor } from '#shared/audit-chain';
import type {
  ClinicErased,
  ClinicList,
  DumpList,
  DumpManifest,
  HandedOver,
  InspectedClinic,
  ListedClinic,
  PersonErased,
  PersonShown,
  RestoreBegun,
  RestoreEnded,
  TrailEnds,
  TrailRows,
} from '#shared/contracts/operators/operate';
import type { ArchiveStatus } from '#shared/contracts/staff/archive-and-closing';
import type { Settings } from '#worker/env';
import { fileOf } from '../going-live/environment-file.ts';
import { readEnvironment } from '../going-live/read-environment.ts';
import { readLocal } from '../local/settings.ts';

const WAIT_MS = 300_000;

export type Place = { appUrl: string; secret: string; name: string };

/**
 * The target of the operator's programs: the product on this machine, or with `isRemote` the installation of
 * production.json. Throws an Error that names the missing settings.
 */
export function placeOf(isRemote: boolean, env: NodeJS.ProcessEnv = process.env): Place {
  if (!isRemote) {
    const { appUrl, vars } = readLocal(env);
    return { appUrl, secret: vars.OPERATOR_SECRET ?? '', name: 'the local product' };
  }
  if (!existsSync(fileOf('production'))) throw new Error(`${fileOf('production')} is missing`);
  const { settings } = readEnvironment('production');
  if (!settings) throw new Error(`${fileOf('production')} is not complete; npm run doctor lists what is missing`);
  return placeIn(settings);
}

/** The installation with these settings. Throws an Error if it accepts no operator programs. */
export function placeIn({ APP_URL, OPERATOR_SECRET }: Pick<Settings, 'APP_URL' | 'OPERATOR_SECRET'>): Place {
  if (!OPERATOR_SECRET) throw new Error('OPERATOR_SECRET is not set, so nothing answers there');
  return { appUrl: APP_URL, secret: OPERATOR_SECRET, name: APP_URL };
}

/** The calls of `/api/operate`. Each throws an Error with the installation's error message. */
export function callsOf({ appUrl, secret, name }: Place) {
  const ask = async (path: string, method = 'GET', body?: unknown): Promise<Response> => {
    const payload = body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
    const response = await fetch(`${appUrl}/api/operate/${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(WAIT_MS),
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: payload }),
    }).catch((cause: Error) => {
      const hint = name === 'the local product' ? '; npm start starts it' : '';
      throw new Error(`${appUrl} does not answer${hint} (${cause.message})`);
    });
    if (response.ok) return response;
    throw new Error(messageIn(await response.text()) ?? `${method} ${path} answered ${response.status}`);
  };
  const call = async <T>(path: string, method = 'GET', body?: unknown): Promise<T> => {
    const text = await (await ask(path, method, body)).text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    list: (after: number) => call<ClinicList>(`clinics?after=${after}`),
    inspect: (account: number) => call<InspectedClinic>(`clinics/${account}`),
    askArchive: (account: number) => call<ArchiveStatus>(`clinics/${account}/archive`, 'POST'),
    archive: (account: number) => call<ArchiveStatus>(`clinics/${account}/archive`),
    archivePart: async (account: number, id: string, part: number) =>
      new Uint8Array(await (await ask(`clinics/${account}/archive/${id}/parts/${part}`)).arrayBuffer()),
    beginArchive: (account: number, last: Uint8Array) =>
      call<RestoreBegun>(`restorations/archive/${account}`, 'POST', last),
    putBackPart: (clinic: number, part: number, bytes: Uint8Array) =>
      call<void>(`restorations/${clinic}/parts/${part}`, 'PUT', bytes),
    begin: (account: number, schema: number) => call<RestoreBegun>('restorations', 'POST', { account, schema }),
    putBackPiece: (clinic: number, folder: string, piece: number) =>
      call<void>(`restorations/${clinic}/pieces/${piece}`, 'PUT', { folder }),
    end: (clinic: number, exported: { account: number; folder?: string }) =>
      call<RestoreEnded>(`restorations/${clinic}/end`, 'POST', exported),
    dumps: (account: number, clinic?: string) =>
      call<DumpList>(`clinics/${account}/dumps${clinic === undefined ? '' : `?clinic=${encodeURIComponent(clinic)}`}`),
    manifest: (folder: string) => call<DumpManifest>(`dumps?folder=${encodeURIComponent(folder)}`),
    abandon: (clinic: number) => call<void>(`restorations/${clinic}`, 'DELETE'),
    erase: (account: number, name: string) => call<ClinicErased>(`clinics/${account}`, 'DELETE', { name }),
    handOver: (account: number, email: string) => call<HandedOver>(`clinics/${account}/hand-over`, 'POST', { email }),
    unlockStaff: (account: number, email: string) => call<void>(`clinics/${account}/unlock`, 'POST', { email }),
    unlock: (email: string) => call<void>('content/unlock', 'POST', { email }),
    showPerson: (account: number, email: string) =>
      call<PersonShown>(`clinics/${account}/person`, 'POST', { email, erase: false }),
    erasePerson: (account: number, email: string) =>
      call<PersonErased>(`clinics/${account}/person`, 'POST', { email, erase: true }),
    trailEnds: (account: number) => call<TrailEnds>(`clinics/${account}/trail`),
    trailRows: (account: number, kind: 'events' | 'seals', from: number, to: number) =>
      call<TrailRows>(`clinics/${account}/trail/${kind}?from=${from}&to=${to}`),
    anchor: async () => (await call<{ anchor: Anchor | null }>('anchor')).anchor,
  };
}

export type Calls = ReturnType<typeof callsOf>;

/** All clinics of the directory, in order. */
export async function everyClinic({ list }: Pick<Calls, 'list'>): Promise<{ clinics: ListedClinic[]; schema: number }> {
  const clinics: ListedClinic[] = [];
  let after: number | null = 0;
  let schema = 0;
  while (after !== null) {
    const page: ClinicList = await list(after);
    clinics.push(...page.clinics);
    ({ schema } = page);
    after = page.next;
  }
  return { clinics, schema };
}

/** The accounts that have a database: the installation's (0) and those of the clinics. */
export async function everyAccount(calls: Pick<Calls, 'list'>): Promise<number[]> {
  const { clinics } = await everyClinic(calls);
  return [0, ...clinics.flatMap(({ account }) => (account === null ? [] : [account]))];
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message;
  } catch {
    return undefined;
  }
}

/** Maximum number of parallel calls. */
const PARALLEL_CALLS = 8;

/** Calls `ask` for each item, several in parallel; the results are in order. */
export async function eachOf<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < items.length; at += PARALLEL_CALLS)
    answers.push(...(await Promise.all(items.slice(at, at + PARALLEL_CALLS).map(ask))));
  return answers;
}
