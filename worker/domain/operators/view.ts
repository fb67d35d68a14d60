import { deliveries } from '#shared/contracts/lists/mail-values';
import type {
  ClinicItem,
  ClinicsQuery,
  Mails,
  OperatorClinic,
  OperatorClinics,
  OperatorOverview,
} from '#shared/contracts/operators/operator';
import { type ClinicState, operatorLimits } from '#shared/contracts/operators/operator-values';
import { partners } from '#shared/partners';
import { listAlertsOf, listOpenAlerts } from '#worker/data/alerts/alerts';
import { findSiteState } from '#worker/data/content/publishing/builds';
import { findClinicRow, newestSchemaOf, pageOfClinics, sumDirectory } from '#worker/data/directory/clinics';
import { SILENT_MS } from '#worker/data/directory/status-reports';
import { findAccount } from '#worker/data/merchants/accounts';
import { findMerchant } from '#worker/data/merchants/merchants';
import { readPaymentSwitch } from '#worker/data/operators/interventions';
import { countUndecided, lastMailSentAt, listUnsent, type Unsent } from '#worker/data/operators/look';
import type { ClinicRow } from '#worker/data/schema/directory';
import type { AlertRow } from '#worker/data/schema/monitoring';
import type { Deps } from '#worker/deps';
import { ruleOf } from '#worker/domain/alerts/register';
import { viewInstallationTrail } from '#worker/domain/audit/account-trail';
import { viewPublishState } from '#worker/domain/content/publishing/build';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { causeOf, type LogFields } from '#worker/log';

/** A queued mail older than this (ms) counts as unsent. */
const OWED_MS = 5 * 60_000;
/** How long a failed mail is shown (ms). */
const FAILED_MS = 30 * 86_400_000;
const ALERTS = 100;
const TRAIL = 6;
/** Payments per state that a clinic's page lists; the rest are only counted. */
const UNDECIDED = 10;

type Undecideds = OperatorClinic['undecided'][number]['items'];

const iso = (at: number) => new Date(at).toISOString();
const isoOrNull = (at: number | null) => (at === null ? null : iso(at));

const mailsOf = ({ due, failed, oldest, mails, told }: Unsent): Mails => ({
  due,
  failed,
  oldest: isoOrNull(oldest),
  items: mails.map(({ id, kind, about, state, tries, at, next }) => ({
    id,
    kind,
    about,
    state,
    tries,
    at: iso(at),
    next_at: iso(next),
  })),
  told: deliveries.flatMap((delivery) => {
    const its = told.find((one) => one.delivery === delivery);
    return its ? [{ delivery, n: its.n }] : [];
  }),
});

const spans = (now: number) => ({ owedBefore: now - OWED_MS, failedFrom: now - FAILED_MS });

function stateOf(clinic: ClinicRow, now: number): ClinicState {
  if (clinic.erasedAt !== null) return 'erased';
  // A clinic that is being restored has no schedule yet.
  if (clinic.accountId !== null && clinic.heardAt < now - SILENT_MS) return 'silent';
  if (clinic.needsHuman > 0) return 'waiting';
  if (clinic.stuckSince !== null) return 'stuck';
  return clinic.failingSince === null ? 'ok' : 'failing';
}

const itemOf = (clinic: ClinicRow, now: number, newestSchema: number): ClinicItem => ({
  number: clinic.number,
  account: clinic.accountId,
  name: clinic.name,
  state: stateOf(clinic, now),
  last_payment_at: isoOrNull(clinic.lastPaymentAt),
  stuck_since: isoOrNull(clinic.stuckSince),
  failing_since: isoOrNull(clinic.failingSince),
  needs_human: clinic.needsHuman,
  schema: clinic.schema,
  is_behind: clinic.erasedAt === null && clinic.schema < newestSchema,
  bytes: clinic.bytes,
  heard_at: iso(clinic.heardAt),
  region: clinic.region,
  erased_at: isoOrNull(clinic.erasedAt),
});

/** The state of the installation, from its own database; no clinic is queried. */
export async function viewOverview(deps: Deps): Promise<OperatorOverview> {
  const { installation } = deps;
  const now = deps.now();
  const [payments, sums, alerts, unsent, sentAt, build, { build: lastBuild }, trail] = await Promise.all([
    viewPayments(deps),
    sumDirectory(installation, now - SILENT_MS),
    listOpenAlerts(installation, ALERTS),
    listUnsent(installation, null, spans(now)),
    lastMailSentAt(installation),
    viewPublishState(deps, null),
    findSiteState(installation),
    viewInstallationTrail(deps, { size: TRAIL, format: 'json' }),
  ]);
  return {
    at: iso(now),
    payments,
    sums: {
      clinics: sums.clinics,
      waiting: sums.waiting,
      needs_human: sums.needsHuman,
      stuck: sums.stuck,
      failing: sums.failing,
      silent: sums.silent,
      behind: sums.behind,
      bytes: sums.bytes,
      stuck_since: isoOrNull(sums.stuckSince),
      last_payment_at: isoOrNull(sums.lastPaymentAt),
    },
    alerts: alerts.map((alert) => ({
      key: alert.key,
      event: alert.event,
      subject: alert.subject,
      severity: alert.severity,
      n: alert.n,
      says: ruleOf(alert.event).says,
      accounts: alert.accounts,
      clinics: alert.clinics,
      facts: factsOf(alert),
      first_at: iso(alert.firstAt),
      last_at: iso(alert.lastAt),
      acked_at: isoOrNull(alert.ackedAt),
      acked_by: alert.ackedBy,
    })),
    mails: mailsOf(unsent),
    build: { state: build.state, since: build.since, reason: build.reason },
    vendors: [
      // Clinics report only since when their CRM has been failing, not when it last answered.
      vendor('HubSpot', undefined, `CRM sync fails at ${sums.failing} of ${sums.clinics} clinics`),
      vendor(partners.cards, sums.lastPaymentAt, 'last payment of any clinic'),
      vendor('Mail service', sentAt, 'last mail of the installation’s own'),
      vendor('Build service', lastBuild?.reportedAt ?? null, 'last report of a build'),
    ],
    trail: trail.events.map(({ seq, at, sentence }) => ({ seq, at, sentence })),
    verified: trail.verified,
  };
}

/** The account is shown as its clinic, and the start time in a field of its own. */
const factsOf = ({ fields }: Pick<AlertRow, 'fields'>) =>
  Object.entries(JSON.parse(fields) as LogFields).flatMap(([name, value]) =>
    name === 'accountId' || name === 'since' ? [] : [{ name, value: String(value) }],
  );

/** `heardAt` in UTC ms; null: no answer yet; undefined: not measured. */
const vendor = (name: string, heardAt: number | null | undefined, what: string) => ({
  name,
  is_measured: heardAt !== undefined,
  heard_at: isoOrNull(heardAt ?? null),
  what,
});

async function viewPayments({ installation, settings }: Deps): Promise<OperatorOverview['payments']> {
  const set = await readPaymentSwitch(installation);
  if (settings.PAY_PAGE === 'paused') return { state: 'paused', by: 'setting', since: null, reason: '' };
  if (!set) return { state: 'open', by: null, since: null, reason: '' };
  return { state: set.state, by: 'operator', since: iso(set.at), reason: set.reason };
}

/** A page of the directory. */
export async function viewClinics(deps: Deps, { q, filter, page }: ClinicsQuery): Promise<OperatorClinics> {
  const now = deps.now();
  const size = operatorLimits.page;
  const asked = { words: q, filter, page, size, silentFrom: now - SILENT_MS };
  const { rows, total, newestSchema } = await pageOfClinics(deps.installation, asked);
  return {
    clinics: rows.map((row) => itemOf(row, now, newestSchema)),
    total,
    page,
    pages: Math.max(1, Math.ceil(total / size)),
  };
}

/** The account of a clinic. Null if there is no such clinic, or it was erased. */
export async function accountOfClinic({ installation }: Deps, number: number): Promise<number | null> {
  const clinic = await findClinicRow(installation, number);
  return clinic && clinic.erasedAt === null ? clinic.accountId : null;
}

/**
 * One clinic, with the data that only its own database holds: its contact and its open payments and mails. `at`: the
 * deps of the clinic. Null if there is no such clinic. A clinic that cannot be read is shown without that data.
 */
export async function viewClinic(deps: Deps, at: Deps, number: number): Promise<OperatorClinic | null> {
  const now = deps.now();
  const [row, newestSchema] = await Promise.all([
    findClinicRow(deps.installation, number),
    newestSchemaOf(deps.installation),
  ]);
  if (!row) return null;
  const clinic = itemOf(row, now, newestSchema);
  const unread = { clinic, alerts: [], contact: null, undecided: [], mails: null };
  if (row.erasedAt !== null || row.accountId === null) return unread;
  const standing = await listAlertsOf(deps.installation, row.accountId);
  const alerts = standing.map(({ key, event, firstAt, ackedBy }) => ({
    key,
    event,
    says: ruleOf(event).says,
    first_at: iso(firstAt),
    acked_by: ackedBy,
  }));
  try {
    return { clinic, alerts, ...(await lookInto(at, row.accountId, now)) };
  } catch (cause) {
    deps.log.info('clinic-not-read', { clinic: number, cause: causeOf(cause) });
    return { ...unread, alerts };
  }
}

type LookedInto = Omit<OperatorClinic, 'clinic' | 'alerts'>;

async function lookInto({ db }: Deps, accountId: number, now: number): Promise<LookedInto> {
  const [account, merchant, undecided, unsent] = await Promise.all([
    findAccount(db, accountId),
    findMerchant(db, accountId),
    countUndecided(db, accountId),
    listUnsent(db, accountId, spans(now)),
  ]);
  return {
    contact: account
      ? {
          name: businessName(account, merchant),
          phone: account.phone,
          email: account.email,
          time_zone: account.timeZone,
        }
      : null,
    undecided: undecided.map(({ what, state, n, since, items }) => ({
      what,
      state,
      n,
      since: iso(since),
      items: (JSON.parse(items) as Undecideds).slice(0, UNDECIDED),
    })),
    mails: mailsOf(unsent),
  };
}
