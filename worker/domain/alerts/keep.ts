import { accountsOfClinics, type NewAlert, noteAlerts } from '#worker/data/alerts/alerts';
import type { Deps } from '#worker/deps';
import { causeOf, type LogFields, type Raised } from '#worker/log';
import { keyOf, ruleOf } from './register.ts';

export type Keeping = Pick<Deps, 'raised' | 'installation' | 'log'>;

const { stringify } = JSON;

/**
 * Write down the alerts of the log that are not in their table yet, one row for each trouble; never throws. Where the
 * database does not answer they wait for the next one who calls this.
 */
export async function keepAlerts({ raised, installation, log }: Keeping): Promise<void> {
  const waiting = raised.splice(0);
  if (waiting.length === 0) return;
  try {
    const nameless = waiting.flatMap(({ event, fields }) => clinicIn(event, fields) ?? []);
    const accounts = nameless.length > 0 ? await accountsOfClinics(installation, nameless) : new Map();
    await noteAlerts(installation, together(waiting, accounts));
  } catch (cause) {
    raised.unshift(...waiting);
    log.info('alerts-not-kept', { n: waiting.length, cause: causeOf(cause) });
  }
}

function together(raised: Raised[], accountsOf: Map<number, number>): NewAlert[] {
  const byKey = new Map<string, NewAlert>();
  for (const { event, fields, at } of raised) {
    const { severity, by } = ruleOf(event);
    const subject = by ? String(fields[by] ?? '') : '';
    const key = keyOf(event, subject);
    const account = accountIn(fields) || (accountsOf.get(clinicIn(event, fields) ?? 0) ?? 0);
    const since = typeof fields.since === 'number' ? fields.since : at;
    const known = byKey.get(key);
    const accounts = known?.accounts ?? new Map<number, number>();
    accounts.set(account, Math.min(since, accounts.get(account) ?? since));
    byKey.set(key, {
      ...{ key, event, subject, severity, accounts, fields: stringify(fields) },
      firstAt: Math.min(since, known?.firstAt ?? since),
      lastAt: Math.max(at, known?.lastAt ?? at),
      n: (known?.n ?? 0) + 1,
    });
  }
  return [...byKey.values()];
}

const accountIn = ({ accountId }: LogFields): number => (typeof accountId === 'number' ? accountId : 0);

/** The clinic of an alert whose account was not known when it was met; a trouble of a job is one of all clinics. */
const clinicIn = (event: string, { accountId, clinic }: LogFields): number | null =>
  accountId === undefined && typeof clinic === 'number' && !ruleOf(event).by ? clinic : null;
