import { localMoment } from '#shared/text/local-day';
import {
  claimNotification,
  closeSilentAlerts,
  type ReportedAlert as Notified,
  type OpenAlert,
  readOpenAlerts,
  releaseNotification,
} from '#worker/data/alerts/alerts';
import type { NewMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import type { AlertMessage, OperatorChannel } from '#worker/vendors/outgoing-webhooks/port';
import { alertInstallation } from './measure.ts';
import { ruleOf, SILENCE_MS } from './register.ts';
import { storeAlerts } from './store-alerts.ts';

/** Maximum number of accounts named in a message; the others are counted. */
const MAX_NAMED_ACCOUNTS = 20;

const utcTime = (at: number): string => `${localMoment(at, 'UTC')} UTC`;

function describeClinics({ accounts, affected }: OpenAlert): string[] {
  const namedAccounts = affected.filter(({ account }) => account !== 0).slice(0, MAX_NAMED_ACCOUNTS);
  if (namedAccounts.length === 0) return [];
  const moreText = accounts > namedAccounts.length ? ` and ${accounts - namedAccounts.length} more` : '';
  return [
    `${accounts === 1 ? 'clinic' : `${accounts} clinics:`} ${namedAccounts.map(({ account }) => account).join(', ')}${moreText}`,
  ];
}

/** Describes an alert in one line that needs no context. */
export function describeAlert(alert: OpenAlert): string {
  const { event, subject, firstAt, n } = alert;
  const facts = [
    ...(subject ? [subject] : []),
    ...describeClinics(alert),
    `since ${utcTime(firstAt)}`,
    ...(n > 1 ? [`${n} times`] : []),
  ];
  return `${ruleOf(event).description} (${facts.join('; ')})`;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const MAX_MESSAGES_PER_HOUR = 20;
/** The pause after a message (ms): the receiver accepts one message a second. */
const PAUSE_MS = 1000;
const HELD_EVENT = 'alerts-held';

/**
 * Sends new alerts to the operator. An alert is sent again, an hour later at the earliest, once there are ten times as
 * many occurrences or another clinic is affected. Then closes alerts that stopped occurring. Daily alerts are sent
 * together, once a day.
 */
export async function notifyOperator(deps: Deps): Promise<void> {
  const at = deps.now();
  const { open, reported: notified } = await readOpenAlerts(deps.installation, at - DAY_MS);
  const due = open.filter((alert) => alert.event !== HELD_EVENT && isDue(alert, at));
  const urgent = due.filter(({ severity }) => severity === 'now');
  const daily = notified.some(({ severity }) => severity === 'daily')
    ? []
    : due.filter((alert) => alert.severity === 'daily');

  const messages = [...urgent.map((alert) => [alert]), ...(daily.length > 0 ? [daily] : [])];
  const remainingMessages = MAX_MESSAGES_PER_HOUR - notificationsSince(notified, at - HOUR_MS);
  const exceedsLimit =
    messages.length > remainingMessages &&
    !notified.some(({ key, toldAt }) => key === HELD_EVENT && isWithinHour(toldAt, at));
  const channel = deps.operatorChannel;
  const batch = messages.slice(0, Math.max(exceedsLimit ? remainingMessages - 1 : remainingMessages, 0));
  for (const alerts of batch) if (!(await sendMessage(deps, channel, alerts))) return;
  if (exceedsLimit && remainingMessages > 0) await notifyOfHeldAlerts(deps, channel, messages.length - batch.length);

  const silentAlerts = open.filter(({ event, lastAt }) => lastAt <= at - (ruleOf(event).silenceMs ?? SILENCE_MS));
  if (silentAlerts.length > 0) await closeSilentAlerts(deps.installation, silentAlerts, at);
}

const isWithinHour = (toldAt: number | null, at: number) => toldAt !== null && toldAt > at - HOUR_MS;

/** All alerts in a daily message have the same time, so they count once. */
const notificationsSince = (notified: Notified[], since: number): number =>
  new Set(
    notified.flatMap(({ key, severity, toldAt }) =>
      toldAt !== null && toldAt > since ? [severity === 'daily' ? `daily ${toldAt}` : key] : [],
    ),
  ).size;

/** Accounts affected for at least the event's `afterMs`. */
const affectedLongEnough = ({ event, affected }: OpenAlert, at: number) =>
  affected.filter(({ firstAt }) => firstAt <= at - (ruleOf(event).afterMs ?? 0));

function isDue(alert: OpenAlert, at: number): boolean {
  const { event, n, toldAt, toldN, toldAccounts, ackedAt } = alert;
  const lastingAccounts = affectedLongEnough(alert, at);
  if (toldN === 0) return n >= (ruleOf(event).minCount ?? 1) && lastingAccounts.length > 0;
  if (isWithinHour(toldAt, at)) return false;
  const isTenfold = ackedAt === null && n >= 10 ** (Math.floor(Math.log10(toldN)) + 1);
  return isTenfold || lastingAccounts.filter(({ account }) => account !== 0).length > toldAccounts;
}

/** Sends one message. Returns false if the receiver does not answer and should not be tried again in this run. */
async function sendMessage(deps: Deps, channel: OperatorChannel, alerts: OpenAlert[]): Promise<boolean> {
  const { installation, log, now, pause } = deps;
  const [first] = alerts;
  if (!first) return true;
  const at = now();
  const mail = mailOf(deps, alerts);
  if (!(await claimNotification(installation, alerts, at, mail))) return true;
  const result = await channel.post(messageOf(deps, alerts));
  if (result === 'sent') await pause(PAUSE_MS);
  if (result === 'sent' || result === 'none') return true;
  log.info('alert-not-posted', { key: first.key, result });
  if (!mail) await releaseNotification(installation, alerts, at);
  return result !== 'silent';
}

async function notifyOfHeldAlerts(deps: Deps, channel: OperatorChannel, heldCount: number): Promise<void> {
  deps.log.alert(HELD_EVENT, { held: heldCount });
  await storeAlerts(deps);
  const { open } = await readOpenAlerts(deps.installation, deps.now());
  await sendMessage(
    deps,
    channel,
    open.filter(({ event }) => event === HELD_EVENT),
  );
}

const operatorPage = ({ settings }: Pick<Deps, 'settings'>) => `${settings.APP_URL}/operator`;

function textOf(alerts: OpenAlert[]): string {
  const [first] = alerts;
  if (first?.event === HELD_EVENT) return `And ${JSON.parse(first.fields).held} more alerts, which will be told later.`;
  return alerts.map(describeAlert).join('\n');
}

function messageOf(deps: Deps, alerts: OpenAlert[]): AlertMessage {
  const [first] = alerts;
  const isOne = alerts.length === 1;
  return {
    text: textOf(alerts),
    event: isOne ? (first?.event ?? '') : 'daily',
    key: isOne ? (first?.key ?? '') : 'daily',
    n: isOne ? (first?.n ?? 0) : alerts.length,
    first_at: new Date(Math.min(...alerts.map(({ firstAt }) => firstAt))).toISOString(),
    url: operatorPage(deps),
  };
}

/** The email for a message; null if no recipient is set, or if all alerts are about mail itself. */
function mailOf(deps: Deps, alerts: OpenAlert[]): NewMail | null {
  const mailedAlerts = alerts.filter(({ event }) => !ruleOf(event).withoutMail);
  const [first] = mailedAlerts;
  const recipient = deps.settings.ALERT_MAIL_TO;
  if (!first || recipient === '') return null;
  return {
    id: `alert-${first.key.replaceAll(' ', '-')}-${first.firstAt}-${first.n}`,
    kind: 'alert',
    recipient,
    details: {
      text: textOf(mailedAlerts),
      page: operatorPage(deps),
      events: [...new Set(mailedAlerts.map(({ event }) => event))].join(' '),
    },
  };
}

/** Runs each minute in the installation's alarm: checks the installation, sends new alerts and closes ended ones. */
export async function runAlerts(deps: Deps): Promise<void> {
  await alertInstallation(deps);
  await notifyOperator(deps);
}
