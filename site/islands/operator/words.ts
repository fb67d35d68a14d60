import type { OperatorOverview } from '#shared/contracts/operators/operator';
import {
  type ClinicState,
  type CrmFailure,
  clinicStates,
  type InstallationJob,
  type InstallationProblem,
} from '#shared/contracts/operators/operator-values';
import { partners } from '#shared/partners';
import { formatCount } from '#shared/text/format-count';
import { formatSince } from '../ui/format-moment.ts';
import type { IconName } from '../ui/Icon.tsx';

const jobNames: Record<InstallationJob, string> = {
  mails: 'Sending emails',
  'silent-clinics': 'Waking silent clinics',
  erasures: 'Finishing erasures',
  'tamper-monitor': 'Checking the payment page for changes',
  'article-schedules': 'Publishing scheduled articles',
  'site-builds': 'Building the public site',
  retention: 'Deleting what is no longer kept',
  keys: 'Looking for keys out of use',
  refusals: 'Counting refused requests',
  audit: 'Sealing the audit trail',
  anchors: 'Storing seals of the audit trail elsewhere',
  dumps: 'Making nightly dumps',
  alerts: 'Sending alerts',
};

/** Returns the name of a scheduled job, or the key of a job that only a newer Worker has. */
export const jobName = (job: string): string => (Object.hasOwn(jobNames, job) ? jobNames[job as InstallationJob] : job);

/** Texts that explain why a clinic's CRM cannot be read, and who must fix it. */
export const crmFailureTexts: Record<CrmFailure, string> = {
  unavailable: `${partners.crm} does not answer. We retry automatically; no action is needed yet.`,
  expired: `${partners.crm} refuses our access. We renew it automatically; if this lasts an hour, an administrator of the clinic must connect ${partners.crm} again.`,
  revoked: `The connection to ${partners.crm} was ended there. An administrator of the clinic must connect it again.`,
  'missing-scopes': `${partners.crm} does not let us read all that we need. An administrator of the clinic must connect it again and allow everything.`,
};

/** "Resumed by Olga Reyes at 1:16 AM: Provider is fine." */
export function describeSwitch({ state, by: source, since, reason, operator }: OperatorOverview['payments']): string {
  if (source === 'setting') return 'The setting PAY_PAGE pauses them; change it there and deploy.';
  if (since === null) return '';
  const sinceText = formatSince(since);
  const actor = operator && ` by ${operator}`;
  const cause = reason && `: ${reason.replace(/\.$/, '')}`;
  return `${state === 'paused' ? 'Paused' : 'Resumed'}${actor} ${sinceText.includes(',') ? 'on' : 'at'} ${sinceText}${cause}.`;
}

/** The name of a kind of email. */
export const mailName = (kind: string): string => kind.replaceAll('-', ' ');

/** "3 h 39 min" from `iso` to `now` (UTC ms); a future time counts as now. */
export function formatAge(iso: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(iso)) / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
  return `${Math.floor(hours / 24)} days`;
}

/** States of the public site compared to the published articles. */
export const siteStates: Record<string, string> = {
  live: 'Live',
  building: 'Under way',
  waiting: 'Due',
  failed: 'Failed',
};

/** "40 ms", "12 s", "3 min", "26 h", "4 days" from ms. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 2 * 3_600_000) return `${Math.round(ms / 60_000)} min`;
  if (ms < 48 * 3_600_000) return `${Math.round(ms / 3_600_000)} h`;
  return `${Math.round(ms / 86_400_000)} days`;
}

type Tone = 'plain' | 'ok' | 'note' | 'warn' | 'bad';
type BadgeStyle = { tone: Tone; icon: IconName };

const BADGES: Record<ClinicState, BadgeStyle> = {
  blocked: { tone: 'bad', icon: 'x' },
  silent: { tone: 'bad', icon: 'x' },
  waiting: { tone: 'warn', icon: 'alert' },
  stuck: { tone: 'warn', icon: 'clock' },
  alerted: { tone: 'warn', icon: 'alert' },
  failing: { tone: 'warn', icon: 'warn' },
  paused: { tone: 'bad', icon: 'minus' },
  restoring: { tone: 'note', icon: 'clock' },
  erased: { tone: 'plain', icon: 'minus' },
  ok: { tone: 'ok', icon: 'check' },
};

const isClinicState = (state: string): state is ClinicState => Object.hasOwn(BADGES, state);

/** Returns the badge of a clinic's state or problem. One that only a newer Worker has is shown by its key. */
export const describeState = (state: string): BadgeStyle & { text: string } =>
  isClinicState(state) ? { ...BADGES[state], text: clinicStates[state] } : { tone: 'plain', icon: 'info', text: state };

type ProblemText = { tone: 'note' | 'warn' | 'bad'; text: (n: number) => string; to: string };

const clinicProblem = (problem: keyof typeof clinicStates, tone: ProblemText['tone'] = 'warn'): ProblemText => ({
  tone,
  text: (n) => `${clinicStates[problem]} at ${formatCount(n, 'clinic')}`,
  to: `/operator/clinics?filter=${problem}`,
});

/** Each problem of the installation as a sentence, with the page that shows it. */
export const problemTexts: Record<InstallationProblem, ProblemText> = {
  'schedule-stopped': {
    tone: 'bad',
    text: () => 'The schedule has stopped, so no problem is noticed',
    to: '/operator/health',
  },
  'payments-paused': {
    tone: 'bad',
    text: () => 'Online payments are paused for all clinics',
    to: '/operator/clinics?filter=paused',
  },
  'alerts-open': {
    tone: 'bad',
    text: (n) => `${formatCount(n, 'alert')} ${n === 1 ? 'waits' : 'wait'} for you`,
    to: '#alerts',
  },
  blocked: clinicProblem('blocked', 'bad'),
  silent: clinicProblem('silent', 'bad'),
  waiting: clinicProblem('waiting'),
  stuck: clinicProblem('stuck'),
  failing: clinicProblem('failing'),
  'trail-broken': { tone: 'bad', text: () => 'The audit trail does not agree with its seals', to: '#trail' },
  'mails-unsent': {
    tone: 'warn',
    text: (n) => `${formatCount(n, 'email')} of the installation not sent`,
    to: '/operator/mails',
  },
  'build-failed': { tone: 'warn', text: () => 'The last build of the site failed', to: '/operator/builds' },
  'alerts-acknowledged': {
    tone: 'note',
    text: (n) => `${formatCount(n, 'acknowledged alert')} still open`,
    to: '#alerts',
  },
  restoring: clinicProblem('restoring', 'note'),
};
