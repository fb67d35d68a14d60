import type { PublishState } from '#shared/contracts/content/content';
import { formatMoment, formatSince } from '#site/islands/ui/format-moment.ts';
import type { ArticleDetail } from '../api.ts';
import type { DraftState } from './use-draft.ts';
import type { LivePage } from './use-live-page.ts';

/** How far a saved version has reached the site: first its own page, then the lists, which need a build. */
export type Progress = { saved: ArticleDetail; live: LivePage; publish: PublishState | null };

export const needsBuild = ({ revision }: ArticleDetail, publish: PublishState | null): boolean =>
  publish !== null && revision > publish.liveRevision;
export const showsSavedVersion = ({ saved, live }: Progress): boolean =>
  live.kind === 'shown' && live.version === saved.version;

const CHECKING = 'Looking at the live page...';
const unpublishedTexts: Record<LivePage['kind'], string> = {
  unknown: CHECKING,
  missing: 'No longer on the site.',
  shown: 'Still on the site.',
};

/** The scheduled changes of the saved version, as sentences. */
const describeSchedule = ({ startsAt, endsAt }: Pick<ArticleDetail, 'startsAt' | 'endsAt'>): string[] => [
  ...(startsAt === null ? [] : [`Goes live ${formatMoment(startsAt)}.`]),
  ...(endsAt === null ? [] : [`Leaves the site ${formatMoment(endsAt)}.`]),
];

function describeLivePage(progress: Progress, isDirty: boolean): string {
  const { saved, live, publish } = progress;
  const subject = isDirty ? 'The saved version is live' : 'Live';
  if (live.kind === 'unknown' || publish === null) return CHECKING;
  if (!needsBuild(saved, publish)) {
    if (live.kind === 'missing') return 'The live page could not be read.';
    return showsSavedVersion(progress) ? `${subject}.` : `The site shows version ${live.version}.`;
  }
  if (showsSavedVersion(progress)) return `${subject} at its address; lists follow with the build.`;
  if (publish.state === 'failed') return 'Not live yet.';
  const buildStatus = publish.state === 'waiting' ? 'The build is about to start' : publish.step || 'Building';
  return live.kind === 'shown' ? `${buildStatus}. Its page shows version ${live.version}.` : `${buildStatus}.`;
}

/** The live version and the scheduled changes, as sentences; '' before the first save. */
export function describeSite(
  { saved, ...site }: Omit<Progress, 'saved'> & { saved: ArticleDetail | null },
  isDirty: boolean,
) {
  if (!saved) return '';
  const schedule = describeSchedule(saved);
  const wasPublic = saved.publishedAt !== null;
  if (saved.status === 'PUBLISHED') return [describeLivePage({ saved, ...site }, isDirty), ...schedule].join(' ');
  if (wasPublic) return [unpublishedTexts[site.live.kind], ...schedule].join(' ');
  return schedule.length > 0 ? schedule.join(' ') : 'Not on the site.';
}

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' });

export type SaveStatus = {
  text: string;
  /** True if the typed text exists only in this browser. */
  isAtRisk: boolean;
  /** True if the text changes with each stored draft, so that screen readers need not announce it. */
  isFrequent: boolean;
};

/** Describes how far the typed text is saved. */
export function describeSaveStatus(saved: ArticleDetail | null, isDirty: boolean, draft: DraftState): SaveStatus {
  const noFlags = { isAtRisk: false, isFrequent: false };
  if (!isDirty) return { ...noFlags, text: saved ? `Saved ${formatSince(saved.updatedAt)}.` : 'Nothing is saved yet.' };
  if (draft.kind === 'only-here')
    return { ...noFlags, text: `Not sent yet; kept in this browser. ${draft.message}`, isAtRisk: true };
  const isKept = draft.kind === 'kept';
  return {
    ...noFlags,
    text: isKept ? `Draft kept ${clock.format(draft.at).replaceAll('\u202f', '\u00a0')}.` : 'Not saved yet.',
    isFrequent: true,
  };
}
