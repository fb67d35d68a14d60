import { useEffect, useState } from 'react';
import type { AuditAction } from '#shared/audit';
import { type AuditGroup, AuditHeadFile, AuditMailReply, AuditView } from '#shared/contracts/staff/audit';
import type { AuditMailBody } from '#shared/contracts/staff/audit-request';
import { type Call, sendJson } from '../api/api-client.ts';
import { type Answer, readWith } from '../api/parse-response.ts';
import { saveFile } from '../api/save-file.ts';
import { todayLocal } from '../format-moment.ts';
import { setSearch, useSearch } from '../routing/router.tsx';

/** The filters of a trail. The page's query string uses the same names. */
export const trailFilters = ['group', 'action', 'person', 'clinic', 'from', 'to', 'about'] as const;
export type TrailFilter = (typeof trailFilters)[number];
export type TrailQuery = Partial<Record<TrailFilter | 'before', string>>;

export function parseTrailSearch(search: string): TrailQuery {
  const params = new URLSearchParams(search);
  const parameterPairs = [...trailFilters, 'before'].map((name) => [name, params.get(name)?.trim() ?? '']);
  return Object.fromEntries(parameterPairs.filter(([, value]) => value !== ''));
}

export const formatTrailSearch = (query: TrailQuery): string =>
  new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();

/** The differences between the trails of an account, the content area and the operator. */
export type TrailScope = {
  /** Follows "All actions" in the introduction, for example "in this account". */
  actionScope: string;
  /** The label of the id filter. */
  idLabel: string;
  groups: readonly AuditGroup[];
  /** The choices of the action filter, if the trail has that filter. */
  actions?: readonly [action: AuditAction, name: string][];
  /** True if the trail can be filtered by clinic. */
  hasClinicFilter?: true;
  /** Actors without an account: their values in the `person` filter, and their names. */
  otherActors: readonly [person: string, name: string][];
  /** Advice if the trail does not match its seals. */
  mismatchAdvice: string;
};

const SYSTEM_ACTORS: TrailScope['otherActors'] = [
  ['system', 'The product itself'],
  ['operator', 'The operator'],
];

const TELL_OPERATOR_ADVICE = 'Keep a copy and tell the operator.';

export const accountScope: TrailScope = {
  actionScope: 'in this account',
  idLabel: 'Invoice or id',
  groups: ['money', 'batches', 'links', 'access', 'settings'],
  otherActors: [['payer', 'A payer'], ['provider', 'The card provider'], ...SYSTEM_ACTORS],
  mismatchAdvice: TELL_OPERATOR_ADVICE,
};

export const installationScope: TrailScope = {
  actionScope: 'in this content area and its settings',
  idLabel: 'Id',
  groups: ['content', 'access', 'settings'],
  otherActors: SYSTEM_ACTORS,
  mismatchAdvice: TELL_OPERATOR_ADVICE,
};

/** The API calls of one trail, such as an account's at /api/audit. */
export type TrailCalls = ReturnType<typeof createTrailCalls>;

const readView = readWith(AuditView);
const readHead = readWith(AuditHeadFile);
const readMail = readWith(AuditMailReply);

export function createTrailCalls(call: Call, path: string) {
  return {
    fetchTrail: (query: TrailQuery): Promise<Answer<AuditView>> => {
      const search = formatTrailSearch(query);
      return call(search ? `${path}?${search}` : path, readView);
    },
    setMail: (weekly: boolean) => call(`${path}/mail`, readMail, sendJson<AuditMailBody>('PUT', { weekly })),
    /** Downloads all events that match the filters. Returns the reason for a failure, or ''. */
    saveCsv: async ({ before: _, ...filters }: TrailQuery): Promise<string> => {
      const answer = await call(
        `${path}?${formatTrailSearch(filters)}&format=csv`,
        (body) => (body instanceof Blob ? body : null),
        { headers: { accept: 'text/csv' } },
      );
      if (!answer.ok) return answer.error.message;
      saveFile(answer.value, `audit-trail-${todayLocal()}.csv`);
      return '';
    },
    /** Downloads the newest seal as JSON. Returns the reason for a failure, or ''. */
    saveHead: async (): Promise<string> => {
      const answer = await call(`${path}/head`, readHead);
      if (!answer.ok) return answer.error.message;
      const text = `${JSON.stringify(answer.value, null, 2)}\n`;
      saveFile(new Blob([text], { type: 'application/json' }), `audit-seal-${todayLocal()}.json`);
      return '';
    },
  };
}

export type TrailView = {
  query: TrailQuery;
  /** The last reply, which is kept while a new one loads. */
  view: AuditView | null;
  isLoading: boolean;
  failure: { message: string; isForbidden: boolean } | null;
  show(query: TrailQuery): void;
  reload(): void;
};

/** Loads the trail for the query string, and ignores replies to outdated requests. */
export function useTrail(calls: TrailCalls): TrailView {
  const search = useSearch();
  const [reloadCount, setReloadCount] = useState(0);
  const [view, setView] = useState<AuditView | null>(null);
  const [failure, setFailure] = useState<TrailView['failure']>(null);
  const [isLoading, setLoading] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloadCount` triggers a new request
  useEffect(() => {
    let isOutdated = false;
    setLoading(true);
    void calls.fetchTrail(parseTrailSearch(search)).then((answer) => {
      if (isOutdated) return;
      setLoading(false);
      setFailure(answer.ok ? null : { message: answer.error.message, isForbidden: answer.error.status === 403 });
      if (answer.ok) setView(answer.value);
    });
    return () => {
      isOutdated = true;
    };
  }, [calls, search, reloadCount]);
  return {
    query: parseTrailSearch(search),
    view,
    isLoading,
    failure,
    show: (query) => setSearch(formatTrailSearch(query)),
    reload: () => setReloadCount((count) => count + 1),
  };
}
