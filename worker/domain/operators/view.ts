import type {
  ClinicItem,
  ClinicsQuery,
  OperatorClinic,
  OperatorClinics,
  OperatorOverview,
} from '#shared/contracts/operators/operator';
import { crmFailures, operatorLimits } from '#shared/contracts/operators/operator-values';
import { partners } from '#shared/partners';
import { localDay } from '#shared/text/local-day';
import { listAlertsOf, listOpenAlerts } from '#worker/data/alerts/alerts';
import { findSiteState } from '#worker/data/content/publishing/builds';
import { findSync } from '#worker/data/crm-sync/state';
import {
  type ClinicWithProblems,
  findClinicWithProblems,
  readClinicsPage,
  sumDirectory,
} from '#worker/data/directory/clinic-groups';
import { findClinicRow } from '#worker/data/directory/clinics';
import { type Closing, type ClosingView, readClosing } from '#worker/data/leaving/closings';
import { findAccount } from '#worker/data/merchants/accounts';
import { findMerchant } from '#worker/data/merchants/merchants';
import { erasureBlockedUntil } from '#worker/data/operate/erase';
import { countUndecided, lastMailSentAt, listUnsentMails } from '#worker/data/operators/unsent-mails';
import type { SyncRow } from '#worker/data/schema/crm';
import type { AlertRow } from '#worker/data/schema/monitoring';
import type { Deps } from '#worker/deps';
import { viewHealth } from '#worker/domain/alerts/health';
import { ruleOf } from '#worker/domain/alerts/register';
import { viewInstallationTrail } from '#worker/domain/audit/account-trail';
import { viewPublishState } from '#worker/domain/content/publishing/build';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { causeOf, type LogFields } from '#worker/log';
import { presentMails, unsentTimes } from './mails.ts';
import { firstSteps } from './runbook.ts';
import { installationStatus, problemFacts, stateOf, viewPayments } from './status.ts';

const MAX_ALERTS = 100;
const MAX_TRAIL_EVENTS = 6;
/** The number of unsent emails on all pages except the page of emails, which lists all. */
const MAX_MAILS = 20;
/** The number of payments per state that a clinic's page lists; the rest are only counted. */
const MAX_UNDECIDED = 10;

type UndecidedItems = OperatorClinic['undecided'][number]['items'];

const iso = (at: number) => new Date(at).toISOString();
const isoOrNull = (at: number | null) => (at === null ? null : iso(at));

const presentItem = ({ row, problems }: ClinicWithProblems, newestSchema: number): ClinicItem => ({
  number: row.number,
  account: row.accountId,
  name: row.name,
  state: stateOf(row, problems),
  problems,
  last_payment_at: isoOrNull(row.lastPaymentAt),
  stuck_since: isoOrNull(row.stuckSince),
  failing_since: isoOrNull(row.failingSince),
  needs_human: row.needsHuman,
  schema: row.schema,
  is_behind: row.erasedAt === null && row.schema < newestSchema,
  bytes: row.bytes,
  heard_at: iso(row.heardAt),
  region: row.region,
  erased_at: isoOrNull(row.erasedAt),
});

/** The state of the installation, from its own database; no clinic is queried. */
export async function viewOverview(deps: Deps): Promise<OperatorOverview> {
  const { installation } = deps;
  const now = deps.now();
  const payments = await viewPayments(deps);
  const [sums, alerts, unsent, sentAt, build, { build: lastBuild }, trail, { checks }] = await Promise.all([
    sumDirectory(installation, problemFacts(now, payments)),
    listOpenAlerts(installation, MAX_ALERTS),
    listUnsentMails(installation, null, unsentTimes(now)),
    lastMailSentAt(installation),
    viewPublishState(deps, null),
    findSiteState(installation),
    viewInstallationTrail(deps, { size: MAX_TRAIL_EVENTS, format: 'json' }),
    viewHealth(deps, true),
  ]);
  const { all: clinics, ...groups } = sums.groups;
  return {
    at: iso(now),
    problems: installationStatus({
      groups: sums.groups,
      alerts,
      unsent: unsent.due + unsent.failed,
      arePaused: payments.state === 'paused',
      isScheduleStopped: checks?.cron?.status === 'fail',
      isTrailBroken: Boolean(trail.verified?.problem),
      hasBuildFailed: build.state === 'failed',
    }),
    payments,
    sums: {
      clinics,
      ...groups,
      needs_human: sums.needsHuman,
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
      says: ruleOf(alert.event).description,
      steps: firstSteps(alert.event),
      accounts: alert.accounts,
      clinics: alert.clinics,
      facts: factsOf(alert),
      first_at: iso(alert.firstAt),
      last_at: iso(alert.lastAt),
      acked_at: isoOrNull(alert.ackedAt),
      acked_by: alert.ackedBy,
    })),
    mails: presentMails(unsent, MAX_MAILS),
    dumps: { oldest_at: isoOrNull(sums.oldestDumpAt), missing: sums.undumped },
    build: { state: build.state, since: build.since, reason: build.reason },
    vendors: [
      // Clinics report when their CRM began to fail, but not when it last answered.
      presentVendor('HubSpot', undefined, `CRM sync fails at ${groups.failing} of ${clinics} clinics`),
      presentVendor(partners.cards, sums.lastPaymentAt, 'last payment of any clinic'),
      presentVendor('Mail service', sentAt, 'last email of the installation’s own'),
      presentVendor('Build service', lastBuild?.reportedAt ?? null, 'last report of a build'),
    ],
    trail: trail.events.map(({ seq, at, sentence }) => ({ seq, at, sentence })),
    verified: trail.verified,
  };
}

/** Omits the account, which is shown as its clinic, and the start time, which has its own field. */
const factsOf = ({ fields }: Pick<AlertRow, 'fields'>) =>
  Object.entries(JSON.parse(fields) as LogFields).flatMap(([name, value]) =>
    name === 'accountId' || name === 'since' ? [] : [{ name, value: String(value) }],
  );

/** `heardAt` in UTC ms; null: no answer yet; undefined: not measured. */
const presentVendor = (name: string, heardAt: number | null | undefined, measure: string) => ({
  name,
  is_measured: heardAt !== undefined,
  heard_at: isoOrNull(heardAt ?? null),
  what: measure,
});

/** A page of the directory. */
export async function viewClinics(deps: Deps, { q, filter, page }: ClinicsQuery): Promise<OperatorClinics> {
  const now = deps.now();
  const size = operatorLimits.page;
  const facts = problemFacts(now, await viewPayments(deps));
  const { clinics, total, newestSchema } = await readClinicsPage(deps.installation, facts, {
    words: q,
    filter,
    page,
    size,
  });
  return {
    clinics: clinics.map((clinic) => presentItem(clinic, newestSchema)),
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
 * One clinic, with the data that only its own database holds: its contact and its open payments and emails.
 * `clinicDeps`: the deps of the clinic. Null if there is no such clinic. A clinic that cannot be read is shown without
 * that data.
 */
export async function viewClinic(deps: Deps, clinicDeps: Deps, number: number): Promise<OperatorClinic | null> {
  const now = deps.now();
  const entry = await findClinicWithProblems(deps.installation, problemFacts(now, await viewPayments(deps)), number);
  if (!entry) return null;
  const { row } = entry;
  const clinic = presentItem(entry, entry.newestSchema);
  const unreadClinic = {
    clinic,
    alerts: [],
    contact: null,
    undecided: [],
    mails: null,
    crm_failure: null,
    closing: null,
    erasing_until: null,
  };
  if (row.erasedAt !== null || row.accountId === null) return unreadClinic;
  const openAlerts = await listAlertsOf(deps.installation, row.accountId);
  const alerts = openAlerts.map(({ key, event, firstAt, ackedBy }) => ({
    key,
    event,
    says: ruleOf(event).description,
    steps: firstSteps(event),
    first_at: iso(firstAt),
    acked_by: ackedBy,
  }));
  try {
    return { clinic, alerts, ...(await readDetails(clinicDeps, row.accountId, now)) };
  } catch (cause) {
    deps.log.info('clinic-not-read', { clinic: number, cause: causeOf(cause) });
    return { ...unreadClinic, alerts };
  }
}

type ClinicDetails = Omit<OperatorClinic, 'clinic' | 'alerts'>;

async function readDetails({ db }: Deps, accountId: number, now: number): Promise<ClinicDetails> {
  const [account, merchant, undecided, unsent, sync, blockedUntil] = await Promise.all([
    findAccount(db, accountId),
    findMerchant(db, accountId),
    countUndecided(db, accountId),
    listUnsentMails(db, accountId, unsentTimes(now)),
    findSync(db, accountId),
    erasureBlockedUntil(db),
  ]);
  const closingView = account && account.closesAt !== null ? await readClosing(db, accountId) : null;
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
      items: (JSON.parse(items) as UndecidedItems).slice(0, MAX_UNDECIDED),
    })),
    mails: presentMails(unsent, MAX_MAILS),
    crm_failure: crmFailureOf(sync),
    closing: closingView?.closing ? presentClosing(closingView, closingView.closing) : null,
    // The block of an erasure that was cut short expires by itself.
    erasing_until: blockedUntil !== null && blockedUntil > now ? iso(blockedUntil) : null,
  };
}

const presentClosing = ({ timeZone, requestedBy }: ClosingView, { closesAt, stood }: Closing) => ({
  closes_on: localDay(closesAt, timeZone),
  asked_by: requestedBy,
  stood: JSON.parse(stood) as string[],
});

function crmFailureOf(sync: SyncRow | undefined): OperatorClinic['crm_failure'] {
  if (!sync || sync.failingSince === null) return null;
  return crmFailures.find((failure) => failure === sync.failure) ?? null;
}
