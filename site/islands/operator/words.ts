import type { ClinicState } from '#shared/contracts/operators/operator-values';
import type { IconName } from '../ui/Icon.tsx';

const count = new Intl.NumberFormat('en-US');

/** "1 clinic", "1,200 clinics" */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${count.format(n)} ${n === 1 ? one : many}`;

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB'];

/** "1.9 GB" */
export function formatBytes(bytes: number): string {
  let [size, at] = [bytes, 0];
  for (; size >= 1000 && at < SIZES.length - 1; at++) size /= 1000;
  return `${at === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${SIZES[at]}`;
}

/** "3 h 39 min" from then to `now` (UTC ms); a future time counts as now. */
export function formatAge(iso: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(iso)) / 60_000));
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
  return `${Math.floor(hours / 24)} days`;
}

type Told = { tone: 'plain' | 'ok' | 'note' | 'warn' | 'bad'; icon: IconName; text: string };

const STATES: Record<ClinicState, Told> = {
  ok: { tone: 'ok', icon: 'check', text: 'Running' },
  waiting: { tone: 'warn', icon: 'alert', text: 'Payment waits' },
  stuck: { tone: 'warn', icon: 'clock', text: 'Outcome unknown' },
  failing: { tone: 'warn', icon: 'warn', text: 'CRM sync fails' },
  silent: { tone: 'bad', icon: 'x', text: 'Silent' },
  erased: { tone: 'plain', icon: 'minus', text: 'Erased' },
};

const isState = (state: string): state is ClinicState => Object.hasOwn(STATES, state);

/** A clinic's state in words; unknown states from a newer Worker are shown unchanged. */
export const toldState = (state: string): Told =>
  isState(state) ? STATES[state] : { tone: 'plain', icon: 'info', text: state };
