import { answerSlowly, answerSoon, htmlAnswer, jsonAnswer, neverAnswer } from '../answers.ts';
import { createFaults, type FaultSpan } from '../faults.ts';
import type { VendorModel, VendorStep, VendorWorld, WireAnswer, WireRequest } from '../vendor.ts';

/** Faults of the mail service. After `500-after` and `bad-json` the mail was still sent. */
export const mailFaults = ['silent', 'slow', '500', '500-after', 'html-502', '429', '403', '422', 'bad-json'] as const;
export type MailFault = (typeof mailFaults)[number];

/** A mail that was actually sent. */
export type SentMail = {
  id: string;
  at: number;
  /** The idempotency key; null for a mail without one. */
  key: string | null;
  from: string;
  to: string[];
  subject: string;
  text: string;
};

export type MailModel = VendorModel & {
  fail(fault: MailFault, span: FaultSpan): void;
  heal(): void;
  /** Every mail sent, oldest first. */
  truth(): readonly SentMail[];
};

/** A key is remembered for 24 hours. */
const KEY_LIFETIME_MS = 24 * 3_600_000;

type StoredRequest = { at: number; body: string; id: string };

const refusal = (status: number, name: string, message: string) =>
  jsonAnswer(status, { statusCode: status, name, message });

/**
 * Resend's `POST /emails`: a repeated key returns the same id and sends one mail. A key with another body is a
 * conflict, as is a key whose first request is still in progress. A refused request does not use up its key.
 */
export function createMail(world: VendorWorld, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }): MailModel {
  const sentMails: SentMail[] = [];
  const storedRequests = new Map<string, StoredRequest>();
  const keysInProgress = new Set<string>();
  const faults = createFaults<'mails', MailFault>(world);
  const host = new URL(baseUrl).host;

  function answerFromStored(key: string | null, body: string): WireAnswer | null {
    const stored = key === null ? undefined : storedRequests.get(key);
    if (!stored || stored.at + KEY_LIFETIME_MS <= world.now()) return null;
    if (stored.body === body) return jsonAnswer(200, { id: stored.id });
    return refusal(409, 'invalid_idempotent_request', 'This key was used on a request with a different payload.');
  }

  function send(key: string | null, body: string): WireAnswer {
    const mail = readMail(body);
    if (!mail) return refusal(422, 'validation_error', 'Invalid `to` field.');
    const id = `mail-${sentMails.length + 1}`;
    sentMails.push({ id, at: world.now(), key, ...mail });
    if (key !== null) storedRequests.set(key, { at: world.now(), body, id });
    return jsonAnswer(200, { id });
  }

  function begin({ headers, body }: WireRequest, fault: MailFault | null): WireAnswer | VendorStep {
    const key = headers.get('idempotency-key');
    if (key !== null && (key.length < 1 || key.length > 256))
      return refusal(400, 'invalid_idempotency_key', 'The key must be between 1-256 chars.');
    if (key !== null && keysInProgress.has(key))
      return refusal(409, 'concurrent_idempotent_requests', 'The first request with this key is still in progress.');
    if (key !== null) keysInProgress.add(key);
    return withFault(world, fault, () => {
      const answer = answerFromStored(key, body) ?? send(key, body);
      if (key !== null) keysInProgress.delete(key);
      return answer;
    });
  }

  return {
    serves: (url) => url.host === host,

    receive(request) {
      if (request.method !== 'POST' || request.url.pathname !== '/emails')
        return refusal(404, 'not_found', 'The requested endpoint does not exist.');
      const bearer = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
      if (!bearer) return refusal(401, 'missing_api_key', 'Missing API key in the authorization header.');
      if (bearer !== apiKey) return refusal(403, 'invalid_api_key', 'API key is invalid.');
      const fault = faults.take('mails');
      return earlyFault(world, fault) ?? begin(request, fault);
    },

    fail: (fault, span) => faults.set('mails', fault, span),
    heal: faults.clear,
    truth: () => sentMails,
  };
}

/** Faults before the service processes the mail: nothing is sent, and its key stays unused. */
function earlyFault(world: VendorWorld, fault: MailFault | null): VendorStep | null {
  const answers: Partial<Record<MailFault, () => WireAnswer>> = {
    '500': () => refusal(500, 'application_error', 'An unexpected error occurred.'),
    'html-502': () => htmlAnswer(502),
    '429': () => refusal(429, 'rate_limit_exceeded', 'Too many requests.'),
    '403': () => refusal(403, 'validation_error', 'The domain is not verified.'),
    '422': () => refusal(422, 'validation_error', 'Invalid `to` field.'),
  };
  if (fault === 'silent') return neverAnswer();
  const answer = fault === null ? undefined : answers[fault];
  return answer ? answerSoon(world, answer) : null;
}

function withFault(world: VendorWorld, fault: MailFault | null, work: () => WireAnswer): VendorStep {
  if (fault === 'slow') return answerSlowly(world, work);
  return answerSoon(world, () => {
    const answer = work();
    if (fault === '500-after') return refusal(500, 'application_error', 'An unexpected error occurred.');
    return fault === 'bad-json' ? { ...answer, body: answer.body.slice(0, -2) } : answer;
  });
}

const ADDRESS = /^[^\s@]+@[^\s@]+$|<[^\s@]+@[^\s@]+>$/;

function readMail(body: string): Pick<SentMail, 'from' | 'to' | 'subject' | 'text'> | null {
  try {
    const { from, to, subject, text, html } = JSON.parse(body) as Record<string, unknown>;
    const addresses = (Array.isArray(to) ? to : [to]).map(String);
    const isReadable = typeof from === 'string' && typeof subject === 'string' && (text ?? html) !== undefined;
    if (!isReadable || addresses.length === 0 || addresses.some((address) => !ADDRESS.test(address))) return null;
    return { from, to: addresses, subject, text: typeof text === 'string' ? text : '' };
  } catch {
    return null;
  }
}
