import type { AuditEventItem, AuditView } from '#shared/contracts/staff/audit';
import { answerCalls, type Caller } from './answer-calls.ts';

export const GRACE = 'grace.lindqvist@maplestreetdental.example';
export const HASH = '9f2c4b1e'.repeat(8);

const event = (seq: number, sentence: string, fields: Partial<AuditEventItem> = {}): AuditEventItem => ({
  seq,
  at: new Date(Date.UTC(2026, 2, 4, 15, seq % 60)).toISOString(),
  action: 'link.issued',
  group: 'links',
  sentence,
  person: 'user:71204401',
  name: GRACE,
  subject: { kind: 'invoice', id: '90412' },
  changes: [],
  session: '5f0e8d7c6b5a49382716',
  address: 'c0ffee00c0ffee00c0ffee00c0ffee00',
  ...fields,
});

export const view: AuditView = {
  events: [
    event(412, `${GRACE} asked for the void of 1042, $184.00, reason: Billed twice.`, {
      action: 'reversal.claimed',
      group: 'money',
      subject: { kind: 'void', id: 'r1042' },
      changes: [
        { field: 'state', before: 'approved', after: 'sent' },
        { field: 'amount', before: null, after: '$184.00' },
      ],
    }),
    event(411, 'A payer paid 1042, $184.00.', {
      action: 'payment.moved',
      group: 'money',
      person: 'payer',
      name: 'A payer',
      subject: { kind: 'payment', id: 'p1042' },
      session: '',
    }),
    event(410, `${GRACE} issued a payment link for invoice ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}.`),
    event(409, `${GRACE} logged in.`, { action: 'session.opened', subject: { kind: 'session', id: '' } }),
  ],
  next: 409,
  looked_back_to: null,
  people: [{ person: 'user:71204401', name: GRACE }],
  head: { seq: 411, hash: HASH, count: 411, at: '2026-03-04T15:52:00.000Z' },
  verified: { seq: 411, at: '2026-03-04T15:52:10.000Z', problem: '' },
  unsealed: 1,
  weekly_mail: false,
};

/** Serves a trail. Tests may change the returned `state` at any time. */
export async function serveTrail(caller: Caller, initialView: AuditView = view, path = '/api/audit') {
  const state = { view: initialView, status: 200, isMailRefused: false };
  const requests: string[] = [];
  await answerCalls(
    caller,
    ({ pathname }) => pathname === path || pathname === `${path}/mail`,
    (call) => {
      if (call.method === 'PUT') {
        const { weekly } = call.readBody<{ weekly: boolean }>();
        requests.push(`mail ${weekly}`);
        if (!state.isMailRefused) return call.fulfill({ json: { weekly } });
      } else {
        requests.push(call.url.search);
        if (state.status === 200) return call.fulfill({ json: state.view });
      }
      const message = state.status === 403 ? 'Only an administrator of this account may see its audit trail.' : 'No.';
      const status = state.status === 200 ? 503 : state.status;
      return call.fulfill({ status, json: { error: { code: 'forbidden', message } } });
    },
  );
  return { state, requests };
}
