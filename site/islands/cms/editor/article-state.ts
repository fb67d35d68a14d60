import type { PublishState } from '#shared/contracts/content/content';
import { formatMoment, formatSince } from '#site/islands/ui/format-moment.ts';
import type { Detail } from '../api.ts';
import type { DraftState } from './use-draft.ts';
import type { LivePage } from './use-live-page.ts';

/** How far a saved version has reached the site: first its own page, then the lists, which need a build. */
export type Progress = { saved: Detail; live: LivePage; publish: PublishState | null };

export const isBehind = ({ revision }: Detail, publish: PublishState | null): boolean =>
  publish !== null && revision > publish.liveRevision;
export const isShown = ({ saved, live }: Progress): boolean => live.kind === 'shown' && live.version === saved.version;

const CHECKING = 'Looking at the live page...';
const goneTexts: Record<LivePage['kind'], string> = {
  unknown: CHECKING,
  missing: 'No longer on the site.',
  shown: 'Still on the site.',
};

/** The scheduled changes of the saved version, as sentences. */
const describePlans = ({ startsAt, endsAt }: Pick<Detail, 'startsAt' | 'endsAt'>): string[] => [
  ...(startsAt === null ? [] : [`Goes live ${formatMoment(startsAt)}.`]),
  ...(endsAt === null ? [] : [`Leaves the site ${formatMoment(endsAt)}.`]),
];

function describeLive(progress: Progress, isDirty: boolean): string {
  const { saved, live, publish } = progress;
  const subject = isDirty ? 'The saved version is live' : 'Live';
  if (live.kind === 'unknown' || publish === null) return CHECKING;
  if (!isBehind(saved, publish)) {
    if (live.kind === 'missing') return 'The live page could not be read.';
    return isShown(progress) ? `${subject}.` : `The site shows version ${live.version}.`;
  }
  if (isShown(progress)) return `${subject} at its address; lists follow with the build.`;
  if (publish.state === 'failed') return 'Not live yet.';
  const when = publish.state === 'waiting' ? 'The build is about to start' : publish.step || 'Building';
  return live.kind === 'shown' ? `${when}. Its page shows version ${live.version}.` : `${when}.`;
}

/** The live version and the scheduled changes, as sentences; '' before the first save. */
export function describeSite({ saved, ...site }: Omit<Progress, 'saved'> & { saved: Detail | null }, isDirty: boolean) {
  if (!saved) return '';
  const plans = describePlans(saved);
  const wasPublic = saved.publishedAt !== null;
  if (saved.status === 'PUBLISHED') return [describeLive({ saved, ...site }, isDirty), ...plans].join(' ');
  if (wasPublic) return [goneTexts[site.live.kind], ...plans].join(' ');
  return plans.length > 0 ? plans.join(' ') : 'Not on the site.';
}

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' });

export type SavedText = {
  text: string;
  /** True if the typed text exists only in this browser. */
  isAtRisk: boolean;
  /** True if the text changes with each stored draft, so that screen readers need not announce it. */
  isFrequent: boolean;
};

/** Describes how far the typed text is saved. */
export function describeSaved(saved: Detail | null, isDirty: boolean, draft: DraftState): SavedText {
  const quiet = { isAtRisk: false, isFrequent: false };
  if (!isDirty) return { ...quiet, text: saved ? `Saved ${formatSince(saved.updatedAt)}.` : 'Nothing is saved yet.' };
  if (draft.kind === 'only-here')
    return { ...quiet, text: `Not sent yet; kept in this browser. ${draft.message}`, isAtRisk: true };
  const isKept = draft.kind === 'kept';
  return {
    ...quiet,
    text: isKept ? `Draft kept ${clock.format(draft.at).replaceAll('\u202f', '\u00a0')}.` : 'Not saved yet.',
    isFrequent: true,
  };
}
