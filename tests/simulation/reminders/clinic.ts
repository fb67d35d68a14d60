import { openNearStorage } from '#tests/support/near-storage';
import { testSettings } from '#tests/support/unit/settings';
import { capabilityOf } from '#worker/clinic/capability-keys';
import { clinicMigrations } from '#worker/clinic/migrations';
import { firstDue } from '#worker/clinic/next-alarm';
import { asD1 } from '#worker/clinic/storage-as-d1';
import type { Deps, Env } from '#worker/deps';
import { boundTo } from '#worker/security/token-cipher';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import type { Mail } from '#worker/vendors/resend/port';
import { files } from '../day/files.ts';
import * as product from './product.ts';

export const ZONE = 'America/Indiana/Indianapolis';
export const ACCOUNT = 700_001;
export const STAFF = { sessionId: '', accountId: ACCOUNT, userId: 1, role: 'admin' } as const;

/** Minimum time (ms) between two turns of a clinic. */
const SOON_MS = 500;

/** A mail that the mail service accepted, one for each key; `at`: UTC ms. */
export type SentMail = { key: string; to: string; stop: string; at: number };
/** Start and end (UTC ms); the end is excluded. */
export type Span = [from: number, until: number];
export const isIn = (spans: Span[], at: number) => spans.some(([from, until]) => from <= at && at < until);

export type Faults = {
  /** The clinic's alarm does not fire. */
  down: Span[];
  /** The CRM does not respond. */
  silent: Span[];
  /** True if the mail service's response is lost after it accepted the mail. */
  isAnswerLost(): boolean;
};

/**
 * A clinic with an in-memory database, a map as its CRM, and a clock that the test advances; its steps for mails and
 * reminders run when they are due. `from`: the product, or a mutant without one of its guards.
 */
export async function openClinic(start: number, cap: number, faults: Faults, from: typeof product = product) {
  const { storage, read } = openNearStorage();
  for (const { sql } of clinicMigrations) storage.sql.exec(sql);
  const d1 = asD1(storage);
  const crmInvoices = new Map<string, CrmInvoice>();
  const sentMails = new Map<string, SentMail>();
  let at = start;
  const env = { AUDIT_ANCHORS: files(), ...testSettings('http://127.0.0.1:1') } as unknown as Env;
  const productDeps = from.createDeps(env);
  const deps: Deps = {
    ...productDeps,
    db: from.openDb(d1),
    clinic: 1,
    crm: {
      ...productDeps.crm,
      getInvoice: async (_token, id) => {
        if (isIn(faults.silent, at)) throw new from.CrmError('unavailable', 'silent');
        return crmInvoices.get(id) ?? null;
      },
    },
    mailer: {
      async send({ idempotencyKey: key, to, headers }: Mail) {
        // The service recognizes a repeat by its key.
        if (!sentMails.has(key)) sentMails.set(key, { key, to, stop: stopCapabilityOf(headers), at });
        if (faults.isAnswerLost()) throw new Error('the answer is lost');
        return { id: providerIdOf(key) };
      },
    },
    settings: { ...productDeps.settings, MAILS_PER_ACCOUNT_DAY: cap },
    log: { info: () => undefined, alert: () => undefined },
    newCapability: () => capabilityOf(productDeps.settings.CAPABILITY_KEYS, 1, productDeps.newSecret()),
    now: () => at,
  };
  await d1.batch([
    d1
      .prepare(
        "INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (?1, 'Maple', 'm', ?2, 0)",
      )
      .bind(ACCOUNT, ZONE),
    d1
      .prepare(
        `INSERT INTO terminals (account_id, terminal_id, name, channel, public_key, api_key, created_at)
          VALUES (?1, 'web', 'Web', 'ecommerce', 'key', '', 0)`,
      )
      .bind(ACCOUNT),
    // No reconciliation with the card provider in this month: it would be due every night.
    ...['card', 'ach'].map((method) =>
      d1
        .prepare(
          'INSERT INTO reconciliation_cursors (account_id, method, read_from, read_until, next_at, lease_until) VALUES (?1, ?2, 0, 0, ?3, 0)',
        )
        .bind(ACCOUNT, method, 9_000_000_000_000),
    ),
    d1
      .prepare(
        `INSERT INTO crm_tokens (account_id, access_token, refresh_token, expires_at, scopes)
          VALUES (?1, ?2, '', 9000000000000, '')`,
      )
      .bind(ACCOUNT, await deps.sealer.seal('token', boundTo.accessToken(ACCOUNT))),
  ]);
  const { mails, reminders, audit } = from.CLINIC_STEPS;

  return {
    deps,
    d1,
    crmInvoices,
    read,
    product: from,
    now: () => at,
    sentMails: () => [...sentMails.values()],
    /** Advances the time and runs the steps whenever something is due, except while the clinic is down. */
    async passUntil(end: number) {
      for (;;) {
        let next = Math.max(at + SOON_MS, firstDue(storage.sql));
        for (const [stop, restart] of faults.down) if (stop <= next && next < restart) next = restart;
        if (next > end) break;
        at = next;
        for (const step of [mails, reminders, audit]) await step?.(deps);
      }
      at = Math.max(at, end);
    },
  };
}

export type Clinic = Awaited<ReturnType<typeof openClinic>>;

export const providerIdOf = (key: string) => `em-${key}`;

/** The capability in the List-Unsubscribe URL; empty if the mail has none. */
const stopCapabilityOf = (headers: Record<string, string> = {}) =>
  /\/([\w-]+)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
