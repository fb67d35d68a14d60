import * as z from 'zod/mini';

const url = z.pipe(
  z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  z.transform((value) => value.replace(/\/+$/, '')),
);
const optionalUrl = z._default(z.union([z.literal(''), url], { error: 'must be an http or https address' }), '');
const optionalSecret = z._default(
  z.union([z.literal(''), z.string().check(z.minLength(24))], { error: 'must have at least 24 characters' }),
  '',
);
const requiredText = z.string().check(z.minLength(1));
const numberSetting = (fallback: number, min: number) =>
  z._default(
    z.coerce.number().check(z.int(), z.gte(min, { error: `must be a whole number of at least ${min}` })),
    fallback,
  );

/** A key ring `id:base64,id:base64` of 32-byte keys; the first key encrypts, all decrypt. */
const keyRing = z.string().check(
  z.regex(/^[\w-]{1,16}:[A-Za-z0-9+/]{43}=(,[\w-]{1,16}:[A-Za-z0-9+/]{43}=)*$/, {
    error: 'must be id:base64key pairs of 32 bytes, separated by commas',
  }),
);

/** Parses an ISO date-time to UTC ms; null if empty. */
const optionalInstant = z.pipe(
  z._default(
    z.string().check(
      z.refine((text) => text === '' || !Number.isNaN(Date.parse(text)), {
        error: 'must be an instant like 2026-01-31T12:00:00Z',
      }),
    ),
    '',
  ),
  z.transform((text) => (text === '' ? null : Date.parse(text))),
);

const Settings = z.object({
  APP_URL: url,
  HUBSPOT_API_BASE: url,
  HUBSPOT_AUTHORIZE_BASE: url,
  HUBSPOT_CLIENT_ID: requiredText,
  HUBSPOT_CLIENT_SECRET: requiredText,
  /**
   * Optional scopes, which are requested when a clinic turns on the recording of payments; the CRM app must declare
   * each. The setting stays empty, and the feature is not offered, until the operator's probe has passed.
   */
  HUBSPOT_OPTIONAL_SCOPES: z._default(
    z.string().check(z.regex(/^([a-z.]+( [a-z.]+)*)?$/, { error: 'must be scopes separated by spaces' })),
    '',
  ),
  GATEWAY_BASE_URL: url,
  GATEWAY_SANDBOX: z.pipe(
    z.enum(['true', 'false'], { error: 'must be true or false' }),
    z.transform((value) => value === 'true'),
  ),
  BOARDING_BASE_URL: url,
  /** Empty: deposits are not read. */
  REPORTING_BASE_URL: optionalUrl,
  BOARDING_ACCESS_KEY: requiredText,
  BOARDING_NODE_KEY: requiredText,
  /** Further hosts of the provider's sign-up pages, separated by commas; includes their subdomains. */
  BOARDING_LINK_HOSTS: z._default(
    z.pipe(
      z.string().check(z.regex(/^([a-z0-9.-]+(,[a-z0-9.-]+)*)?$/, { error: 'must be host names separated by commas' })),
      z.transform((list) => list.split(',').filter(Boolean)),
    ),
    [],
  ),
  /** The part of the webhook URL that only the provider knows. */
  BOARDING_WEBHOOK_SECRET: z.string().check(z.minLength(24)),
  /**
   * The secret part of the URL of the transaction webhooks. That URL is in each terminal's settings, where more people
   * see it.
   */
  TRANSACTION_WEBHOOK_SECRET: z.string().check(z.minLength(24)),
  /** Merchant category code of the businesses that sign up here (8021: dentists). */
  MCC_CODE: z._default(z.string().check(z.regex(/^\d{4}$/, { error: 'must be four digits' })), '8021'),
  MAIL_API_BASE: url,
  MAIL_API_KEY: requiredText,
  MAIL_FROM: z
    .string()
    .check(z.regex(/^[^<>\r\n]+ <[^<>\s]+@[^<>\s]+>$/, { error: 'must look like Name <address@domain>' })),
  /** Verifies the webhooks of the mail service; several keys during a rotation. Empty: the route is disabled. */
  MAIL_WEBHOOK_SECRET: z._default(
    z
      .string()
      .check(z.regex(/^(whsec_[\w+/]{32,}=*(,|$))*$/, { error: 'must be whsec_ secrets, separated by commas' })),
    '',
  ),
  TOKEN_KEYS: keyRing,
  /**
   * Signs pay links, receipts and refresh cookies, which contain their clinic's number. Keep each key as long as the
   * receipts that it signed.
   */
  CAPABILITY_KEYS: keyRing,
  /** The code with which the first owner of the content area registers, once. */
  OWNER_SETUP_CODE: z.string().check(z.minLength(16)),
  /** True if owners of the content area need a passkey in addition to their password. */
  OWNERS_NEED_PASSKEY: z.pipe(
    z._default(z.enum(['true', 'false'], { error: 'must be true or false' }), 'true'),
    z.transform((value) => value === 'true'),
  ),
  /** The code with which an operator enrolls, once. Empty: disabled. */
  OPERATOR_SETUP_CODE: z._default(
    z.union([z.literal(''), z.string().check(z.minLength(16))], { error: 'must have at least 16 characters' }),
    '',
  ),
  /** The URL that starts a build of the public site after a publication; empty: no build is started. */
  DEPLOY_HOOK_URL: optionalUrl,
  /** The secret with which the site builder reports its progress. */
  BUILD_SECRET: z.string().check(z.minLength(24)),
  /**
   * The secret with which the tamper monitor's browser reports its findings; empty: only the check inside the Worker
   * runs.
   */
  MONITOR_SECRET: optionalSecret,
  /** The secret of the operator's programs, which read, restore and erase clinics; empty: their routes are disabled. */
  OPERATOR_SECRET: optionalSecret,
  /** The recipients of alerts: an email address, and a URL that accepts JSON; empty: none. */
  ALERT_MAIL_TO: z._default(
    z.string().check(z.regex(/^([^\s@<>]+@[^\s@<>]+)?$/, { error: 'must be a mail address' })),
    '',
  ),
  ALERT_WEBHOOK_URL: optionalUrl,
  /** Called after each run of the schedule without a failure; empty: no call. */
  HEARTBEAT_URL: optionalUrl,
  /** Grants access to the details of /api/health; empty: no one has access. */
  HEALTH_SECRET: optionalSecret,
  /** The deployed commit; `npm run deploy` sets it. */
  COMMIT: z._default(z.string(), ''),
  /** `paused`: online payments are refused, and payers are told whom to contact. */
  PAY_PAGE: z._default(z.enum(['open', 'paused'], { error: 'must be open or paused' }), 'open'),
  /** Signs the access tokens of merchants and editors; the first key signs, the older ones still verify. */
  SESSION_KEYS: keyRing,

  /**
   * The time at which the database was restored to an older state. An account takes payments again once its
   * transactions up to that time have been read from the gateway. Empty: never restored.
   */
  RESTORED_AT: optionalInstant,
  /** How long a charge without a response blocks other payments of its invoice (ms). */
  HOLD_MS: numberSetting(15 * 60_000, 0),
  /**
   * The time limit of a card call (ms). Once the payer has left, the platform allows at most 30 s for the remaining
   * work.
   */
  CHARGE_TIMEOUT_MS: numberSetting(25_000, 1),
  /**
   * The time limit of a sale on a card reader (ms), which waits for a card. The reader's own time limit must be
   * shorter.
   */
  TERMINAL_TIMEOUT_MS: numberSetting(180_000, 1),
  /** A charge without an outcome counts as unanswered this long after its time limit (ms). */
  SENT_GRACE_MS: numberSetting(60_000, 0),
  CRM_TIMEOUT_MS: numberSetting(10_000, 1),
  /** The card provider's search may lag by this long (ms). It accepts full minutes only. */
  SEARCH_LAG_MS: numberSetting(10 * 60_000, 0),
  MAX_AMOUNT_CENTS: numberSetting(5_000_000, 1),
  PAY_LINK_DAYS: numberSetting(30, 1),
  /**
   * The intervals (ms) at which a clinic's alarm requests changes from its CRM: the first while someone is viewing the
   * records, the second at other times.
   */
  SYNC_EVERY_MS: numberSetting(60_000, 5000),
  SYNC_IDLE_MS: numberSetting(10 * 60_000, 5000),
  /** The maximum age (ms) of the details on the pay page. A charge always reads the CRM again. */
  SNAPSHOT_MS: numberSetting(60_000, 0),
  DECLINES_PER_LINK_HOUR: numberSetting(5, 1),
  DECLINES_PER_IP_HOUR: numberSetting(10, 1),
  DECLINES_PER_UNKNOWN_IP_HOUR: numberSetting(5, 1),
  BREAKER_MIN_ATTEMPTS: numberSetting(20, 2),
  BREAKER_WINDOW_MS: numberSetting(10 * 60_000, 1000),
  ACCESS_TOKEN_MS: numberSetting(15 * 60_000, 1000),
  SESSION_IDLE_MS: numberSetting(30 * 60_000, 1000),
  SESSION_MS: numberSetting(12 * 3_600_000, 1000),
  /** The wait (ms) before the same email about an invoice can be requested again. */
  MAIL_PAUSE_MS: numberSetting(60_000, 0),
  MAILS_PER_INVOICE_DAY: numberSetting(5, 1),
  /** The daily maximum of emails to payers per account; receipts count, but are never held back. */
  MAILS_PER_ACCOUNT_DAY: numberSetting(2000, 1),
  /** Sessions of the content area last longer, because writing takes longer than a merchant's tasks. */
  CONTENT_SESSION_IDLE_MS: numberSetting(4 * 3_600_000, 1000),
  CONTENT_SESSION_MS: numberSetting(24 * 3_600_000, 1000),
  LOGIN_TRIES_PER_ACCOUNT: numberSetting(5, 1),
  LOGIN_TRIES_PER_IP: numberSetting(30, 1),
  LOGIN_TRIES_PER_UNKNOWN_IP: numberSetting(15, 1),
  REGISTRATIONS_PER_IP_HOUR: numberSetting(30, 1),
  REGISTRATIONS_PER_UNKNOWN_IP_HOUR: numberSetting(20, 1),
  /**
   * The interval between two password hashes, and the maximum wait for one (ms). A hash blocks the isolate's only
   * thread.
   */
  HASH_INTERVAL_MS: numberSetting(600, 0),
  HASH_WAIT_MS: numberSetting(8000, 0),
  UPLOADS_PER_DAY: numberSetting(100, 1),
  /** The interval between two builds of the public site, and the quiet time after the last publication (ms). */
  BUILD_WAIT_MS: numberSetting(60_000, 0),
  BUILD_QUIET_MS: numberSetting(3000, 0),
});

/** The parsed settings; docs/settings.md describes each. */
export type Settings = z.output<typeof Settings>;

const MINIMUMS = {
  HOLD_MS: 15 * 60_000,
  CHARGE_TIMEOUT_MS: 10_000,
  TERMINAL_TIMEOUT_MS: 60_000,
  CRM_TIMEOUT_MS: 2_000,
  SEARCH_LAG_MS: 10 * 60_000,
  HASH_INTERVAL_MS: 300,
} as const;

const isLocal = (appUrl: string) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(appUrl).hostname);

/** Parses the settings. Throws an Error that names each missing or malformed setting, but never its value. */
export function readEnv(vars: Record<string, unknown>): Settings {
  const parsed = Settings.safeParse(vars);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `setting ${name} ${vars[name] === undefined || vars[name] === '' ? 'is missing' : `is malformed: ${issue.message}`}`;
    });
    throw new Error(lines.join('\n'));
  }
  const settings = parsed.data;
  if (!isLocal(settings.APP_URL)) {
    for (const [name, minimum] of Object.entries(MINIMUMS)) {
      if (settings[name as keyof typeof MINIMUMS] < minimum)
        throw new Error(`setting ${name} must be at least ${minimum} outside localhost`);
    }
    for (const name of [
      'APP_URL',
      'HUBSPOT_API_BASE',
      'HUBSPOT_AUTHORIZE_BASE',
      'GATEWAY_BASE_URL',
      'BOARDING_BASE_URL',
      'MAIL_API_BASE',
    ] as const) {
      if (!settings[name].startsWith('https:')) throw new Error(`setting ${name} must be https outside localhost`);
    }
    for (const name of ['REPORTING_BASE_URL', 'DEPLOY_HOOK_URL', 'ALERT_WEBHOOK_URL', 'HEARTBEAT_URL'] as const) {
      if (settings[name].startsWith('http:')) throw new Error(`setting ${name} must be https outside localhost`);
    }
  }
  return settings;
}
