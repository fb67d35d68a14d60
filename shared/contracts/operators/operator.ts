import * as z from 'zod/mini';
import { listLimits } from '#shared/limits';
import { deliveries } from '../lists/mail-values.ts';
import { line, MadePasskey, ShownPasskey } from '../person-request.ts';
import { HealthCheck, HealthStatus, healthChecks } from './health.ts';
import { clinicFilters, crmFailures, installationProblems, operatorLimits } from './operator-values.ts';

/** Responses of the operator area. Times are ISO 8601 in UTC or null. They contain no payer data. */

const moment = z.nullable(z.string());

/** GET /api/operator/me, and the response to a sign-in, an enrolment and a proof. */
export const OperatorMe = z.object({ id: z.string(), name: z.string() });
export type OperatorMe = z.infer<typeof OperatorMe>;

/** Passkey options for the browser, in WebAuthn's JSON format. */
export const PasskeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });
export type PasskeyOptions = { options: object };

export const AlertItem = z.object({
  key: z.string(),
  event: z.string(),
  subject: z.string(),
  /** Explanation in one sentence. */
  says: z.string(),
  /** The runbook's first steps, in the markup of `RunbookBlock`. */
  steps: z.array(z.string()),
  severity: z.string(),
  /** Number of affected clinics, and the first of them. */
  accounts: z.number(),
  clinics: z.array(z.object({ number: z.number(), account: z.number(), name: z.string() })),
  /** Facts of the last occurrence, such as our payment id. */
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
  first_at: z.string(),
  last_at: z.string(),
  /** Number of occurrences. */
  n: z.number(),
  acked_at: moment,
  acked_by: z.nullable(z.string()),
});
export type AlertItem = z.infer<typeof AlertItem>;

export const UnsentMailItem = z.object({
  id: z.string(),
  kind: z.string(),
  /** The events of an alert email; otherwise empty. */
  about: z.string(),
  /** `due` (next attempt at `next_at`) or `failed` (no further attempts). */
  state: z.string(),
  tries: z.number(),
  at: z.string(),
  next_at: z.string(),
});
export type UnsentMailItem = z.infer<typeof UnsentMailItem>;

export const Mails = z.object({
  /** Overdue, or with a failed first attempt. */
  due: z.number(),
  failed: z.number(),
  /** New emails before their first attempt, which are not in `items`. */
  waiting: z.number(),
  oldest: moment,
  items: z.array(UnsentMailItem),
  /** Delivery states of the newest sent emails, up to 200; `accepted` if the mail service reported nothing. */
  told: z.array(z.object({ delivery: z.enum(deliveries), n: z.number() })),
});
export type Mails = z.infer<typeof Mails>;

/** GET /api/operator/mails: all unsent emails of the installation or of a clinic, and the newest sent ones. */
export const OperatorMails = z.extend(Mails, {
  /** Name of the clinic; empty for the installation. */
  name: z.string(),
  sent: z.array(z.object({ id: z.string(), kind: z.string(), at: z.string(), delivery: z.enum(deliveries) })),
});
export type OperatorMails = z.infer<typeof OperatorMails>;

/** GET /api/operator/builds: the site, and its builds, the newest first. */
export const OperatorBuilds = z.object({
  state: z.string(),
  since: z.string(),
  reason: z.string(),
  builds: z.array(
    z.object({
      id: z.string(),
      revision: z.number(),
      /** `asked`, `building`, `built` or `failed`. */
      state: z.string(),
      /** Percent. */
      progress: z.number(),
      step: z.string(),
      reason: z.string(),
      requested_at: z.string(),
      reported_at: z.string(),
    }),
  ),
});
export type OperatorBuilds = z.infer<typeof OperatorBuilds>;

/** GET /api/operator/health: the checks of GET /api/health with the last run of each job of the schedule. */
export const OperatorHealth = z.object({
  status: HealthStatus,
  version: z.string(),
  commit: z.string(),
  at: z.string(),
  checks: z.array(z.extend(HealthCheck, { name: z.enum(healthChecks) })),
  jobs: z.array(
    z.object({
      job: z.string(),
      is_ok: z.boolean(),
      finished_at: z.string(),
      /** End of the last successful run. */
      ok_at: z.string(),
      ms: z.number(),
    }),
  ),
});
export type OperatorHealth = z.infer<typeof OperatorHealth>;

/** A paragraph, list or table of the runbook. Texts use `**strong**`, `` `code` `` and `[links](file)`. */
export const RunbookBlock = z.object({
  kind: z.enum(['text', 'list', 'table']),
  /** One text; the items of a list; the rows of a table, with their cells. */
  rows: z.array(z.array(z.string())),
});
export type RunbookBlock = z.infer<typeof RunbookBlock>;

/** GET /api/operator/runbook */
export const Runbook = z.object({
  intro: z.array(RunbookBlock),
  sections: z.array(
    z.object({ event: z.string(), says: z.string(), severity: z.string(), blocks: z.array(RunbookBlock) }),
  ),
});
export type Runbook = z.infer<typeof Runbook>;

/** GET /api/operator/clinics/:number/dumps, the newest first; clinic 0 is the installation. */
export const OperatorDumps = z.object({
  /** The account number for the commands; null while the clinic has no account. */
  account: z.nullable(z.number()),
  name: z.string(),
  state: z.string(),
  problems: z.array(z.string()),
  /** True while the database is too new to have a dump: its first one is due the coming night. */
  is_first_due: z.boolean(),
  dumps: z.array(
    z.object({
      folder: z.string(),
      at: z.string(),
      rows: z.number(),
      /** Number of audit events during the dump. Above zero, its rows may be inconsistent. */
      acts: z.number(),
      ledger_cents: z.number(),
    }),
  ),
});
export type OperatorDumps = z.infer<typeof OperatorDumps>;

/** GET /api/operator/overview */
export const OperatorOverview = z.object({
  at: z.string(),
  /** The problems of the installation with their counts, the worst first; empty if there are none. */
  problems: z.array(z.object({ kind: z.enum(installationProblems), n: z.number() })),
  payments: z.object({
    state: z.string(),
    /** `setting`: paused by the settings of the installation, which the switch cannot change. */
    by: z.nullable(z.string()),
    since: moment,
    reason: z.string(),
    /** Name of the operator who used the switch last; empty if there is none, or if they were removed. */
    operator: z.string(),
  }),
  sums: z.object({
    clinics: z.number(),
    /** Clinics in each group of `clinicGroups`. */
    trouble: z.number(),
    blocked: z.number(),
    silent: z.number(),
    waiting: z.number(),
    stuck: z.number(),
    alerted: z.number(),
    failing: z.number(),
    paused: z.number(),
    behind: z.number(),
    restoring: z.number(),
    erased: z.number(),
    /** Payments that await a decision by staff. */
    needs_human: z.number(),
    stuck_since: moment,
    bytes: z.number(),
    last_payment_at: moment,
  }),
  alerts: z.array(AlertItem),
  mails: Mails,
  /** The oldest of the databases' last dumps, null if there is none; and the number of databases without one. */
  dumps: z.object({ oldest_at: moment, missing: z.number() }),
  build: z.object({ state: z.string(), since: z.string(), reason: z.string() }),
  /** Last response of each vendor, if measured; null if none yet. */
  vendors: z.array(z.object({ name: z.string(), is_measured: z.boolean(), heard_at: moment, what: z.string() })),
  trail: z.array(z.object({ seq: z.number(), at: z.string(), sentence: z.string() })),
  /** Last event of the verified hash chain, and the mismatch if any. */
  verified: z.nullable(z.object({ seq: z.number(), at: z.string(), problem: z.string() })),
});
export type OperatorOverview = z.infer<typeof OperatorOverview>;

export const ClinicItem = z.object({
  number: z.number(),
  /** The CRM account id; null if erased. */
  account: z.nullable(z.number()),
  name: z.string(),
  /** See `clinicStates`: the worst problem, or a state without one. */
  state: z.string(),
  /** See `clinicProblems`: all problems, the worst first. */
  problems: z.array(z.string()),
  last_payment_at: moment,
  stuck_since: moment,
  failing_since: moment,
  needs_human: z.number(),
  schema: z.number(),
  is_behind: z.boolean(),
  bytes: z.number(),
  heard_at: z.string(),
  region: z.string(),
  erased_at: moment,
});
export type ClinicItem = z.infer<typeof ClinicItem>;

/** GET /api/operator/clinics */
export const OperatorClinics = z.object({
  clinics: z.array(ClinicItem),
  total: z.number(),
  page: z.number(),
  pages: z.number(),
});
export type OperatorClinics = z.infer<typeof OperatorClinics>;

/** GET /api/operator/clinics/:number */
export const OperatorClinic = z.object({
  clinic: ClinicItem,
  /** Contact of the clinic; null if its records are unreadable or erased. */
  contact: z.nullable(z.object({ name: z.string(), phone: z.string(), email: z.string(), time_zone: z.string() })),
  /** Open alerts of the clinic. */
  alerts: z.array(
    z.object({
      key: z.string(),
      event: z.string(),
      says: z.string(),
      steps: z.array(z.string()),
      first_at: z.string(),
      acked_by: z.string(),
    }),
  ),
  /** Payments and reversals with an unknown outcome, with the time of the first. */
  undecided: z.array(
    z.object({
      what: z.string(),
      state: z.string(),
      n: z.number(),
      since: z.string(),
      items: z.array(z.object({ id: z.string(), invoice_number: z.string() })),
    }),
  ),
  mails: z.nullable(Mails),
  /** Reason why the CRM sync fails; null if it works, or if the clinic's records are unreadable. */
  crm_failure: z.nullable(z.enum(crmFailures)),
  /** The closing that the clinic has scheduled. `stood`: sentences on what prevented the last attempt. */
  closing: z.nullable(z.object({ closes_on: z.string(), asked_by: z.string(), stood: z.array(z.string()) })),
  /** Time until which the clinic starts no payments because it is being erased; null otherwise. */
  erasing_until: moment,
});
export type OperatorClinic = z.infer<typeof OperatorClinic>;

/** GET /api/operator/operators */
export const Operators = z.object({
  operators: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      created_at: z.string(),
      last_seen_at: moment,
      is_you: z.boolean(),
    }),
  ),
  /** Unused invitation codes; the codes themselves are shown only once. */
  codes: z.array(z.object({ id: z.string(), by: z.string(), ends_at: z.string() })),
});
export type Operators = z.infer<typeof Operators>;

/** POST /api/operator/operators/invitations */
export const InvitedOperator = z.object({ code: z.string(), ends_at: z.string() });
export type InvitedOperator = z.infer<typeof InvitedOperator>;

/** The outcome of an action, as text. */
export const Done = z.object({ done: z.string() });
export type Done = z.infer<typeof Done>;

/** Requests of the operator's area. */

const Code = z
  .string({ error: 'Please enter the code.' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Please enter the code.' }),
    z.maxLength(operatorLimits.code, { error: 'This code is not valid.' }),
  );
const Name = z.pipe(
  line('Please enter your name.'),
  z
    .string()
    .check(
      z.minLength(1, { error: 'Please enter your name.' }),
      z.maxLength(operatorLimits.name, { error: 'This name is too long.' }),
      z.regex(/^\P{Cf}*$/u, { error: 'The name contains characters that are not allowed.' }),
    ),
);

/** POST /api/operator/enrolment/options */
export const EnrolmentOptionsBody = z.object({ code: Code, name: Name });
export type EnrolmentOptionsBody = z.input<typeof EnrolmentOptionsBody>;

/** POST /api/operator/enrolment */
export const EnrolmentBody = z.object({ code: Code, name: Name, credential: MadePasskey });
export type EnrolmentBody = z.output<typeof EnrolmentBody>;

/** POST /api/operator/session, POST /api/operator/proof */
export const PasskeyBody = z.object({ credential: ShownPasskey });
export type PasskeyBody = z.output<typeof PasskeyBody>;

const page = z.coerce
  .number({ error: 'There is no such page.' })
  .check(z.int({ error: 'There is no such page.' }), z.gte(1, { error: 'There is no such page.' }), z.lte(10_000));

/** GET /api/operator/clinics */
export const ClinicsQuery = z.object({
  q: z._default(
    z.string().check(z.trim(), z.maxLength(listLimits.typedWords, { error: 'Please search for less.' })),
    '',
  ),
  filter: z._default(z.enum(clinicFilters, { error: 'There is no such group of clinics.' }), 'all'),
  page: z._default(page, 1),
});
export type ClinicsQuery = z.output<typeof ClinicsQuery>;

/** GET /api/operator/mails. `clinic` 0: emails of the installation. */
export const MailsQuery = z.object({
  clinic: z._default(
    z.coerce.number({ error: 'There is no such clinic.' }).check(z.int(), z.gte(0), z.lte(9_999_999_999)),
    0,
  ),
});
export type MailsQuery = z.output<typeof MailsQuery>;

/** POST /api/operator/alerts/acknowledgement */
export const AcknowledgeBody = z.object({ key: z.string().check(z.minLength(1), z.maxLength(operatorLimits.key)) });
export type AcknowledgeBody = z.input<typeof AcknowledgeBody>;

/** POST /api/operator/mails/again. `clinic` 0: an email of the installation. */
export const SendAgainBody = z.object({
  clinic: z.number().check(z.int(), z.gte(0)),
  mail: z.string().check(z.minLength(1), z.maxLength(operatorLimits.key)),
});
export type SendAgainBody = z.input<typeof SendAgainBody>;

const reasonError = `Please say why, in ${operatorLimits.reasonMin} to ${operatorLimits.reason} characters.`;

/** PUT /api/operator/payments */
export const PaymentsBody = z.object({
  state: z.enum(['open', 'paused'], { error: 'Payments are open or paused.' }),
  reason: z
    .string({ error: reasonError })
    .check(
      z.trim(),
      z.minLength(operatorLimits.reasonMin, { error: reasonError }),
      z.maxLength(operatorLimits.reason, { error: reasonError }),
    ),
});
export type PaymentsBody = z.input<typeof PaymentsBody>;
