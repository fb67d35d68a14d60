import { parseJson } from '#worker/vendors/http';
import { type CrmModel, createCrm } from '../crm/crm.ts';
import type { Choices } from '../engine/choices.ts';
import type { Engine } from '../engine/engine.ts';
import { createNetwork, type Disturbance, isLineFault, type Network, type Trip } from '../engine/network.ts';
import { createGatewayModel } from '../gateway/model.ts';
import type { GatewayModel } from '../gateway/truth.ts';
import { createMail, type MailModel } from '../mail/mail.ts';
import type { VendorWorld, WireRequest } from '../vendor.ts';
import type { Course } from './course.ts';
import { ACCOUNT, bills, crmApp, gatewaySetUp, mailService } from './setting.ts';
import { crmStation, gatewayStation, mailStation } from './stations.ts';
import type { Story } from './story.ts';

/** Outages of the gateway: their end (UTC ms) and their effect. */
export type Trouble = {
  /** Requests are lost, or every response is an error. */
  silence: { until: number; as: 'request-lost' | '500-before' };
  /** Look-ups respond with unknown words: all of them, or only those of one payment. */
  unreadable: { until: number; readsLists: boolean };
  /** Number of further payment records in the CRM whose response is lost. */
  lostRecordAnswers: number;
};

export type Vendors = {
  network: Network;
  gateway: GatewayModel;
  crm: CrmModel;
  mail: MailModel;
  /** Tokens that the CRM issued when the account was connected. */
  grant: ReturnType<CrmModel['connect']>;
  /** Balance in cents that the CRM returned in a task, by the task's name. */
  crmBalances: Map<string, number | null>;
  /** From now on, names the vendors' random numbers after this act. */
  beginAct(name: string): void;
};

type Parts = {
  engine: Engine;
  choices: Choices;
  course: Course;
  story: Story;
  /** True if each refresh of the CRM revokes the refresh token it used. */
  rotates: boolean;
  trouble: Trouble;
  /** Called when something may have changed at the gateway or at the mail service. */
  onChange(): void;
  fault(name: string): void;
  onSent(trip: Trip, disturbance: Disturbance): void;
  onAnswer(trip: Trip, status: number): void;
  deliver(webhook: WireRequest, key: string): void;
};

const READS = ['find', 'ach-find', 'batches'];

/** The vendors' models with the network to them. The CRM has the account and its invoices. */
export function vendorsOf(parts: Parts): Vendors {
  const { engine, choices, course, story, trouble, onChange, fault, onSent, onAnswer, deliver } = parts;
  const crmBalances = new Map<string, number | null>();
  let moment = { name: '', draws: 0, sends: 0 };
  const begin = (name: string) => {
    moment = { name, draws: 0, sends: 0 };
  };

  const world: VendorWorld = {
    now: engine.now,
    // Before the first event all runs are equal.
    random: () => (moment.name === '' ? 0.5 : choices.noise(`${moment.name} ${moment.draws++}`)),
    send: (webhook) => deliver(webhook, `${moment.name} webhook ${moment.sends++}`),
    later(afterMs, label, run) {
      const name = `${moment.name}, later ${label}`;
      engine.later(afterMs, () => {
        begin(name);
        story.note('gateway', label);
        run();
        onChange();
      });
    },
  };
  const gateway = createGatewayModel(world, gatewaySetUp);
  const mail = createMail(world, mailService);
  const crm = createCrm(world, crmApp);
  for (const { invoiceId, number, balance, email } of bills) {
    const contact = { id: `3${invoiceId}`, firstName: 'Ana', lastName: 'Pál', email };
    crm.add({ accountId: ACCOUNT, invoiceId, number, balance, contact });
  }
  const grant = crm.connect(ACCOUNT, { rotates: parts.rotates });

  const isRead = ({ url }: WireRequest) => trouble.unreadable.readsLists && url.searchParams.has('start-date');
  const network = createNetwork(engine, [gatewayStation(gateway), crmStation(crm), mailStation(mail)], {
    disturb(trip) {
      const isGateway = trip.station.name === 'gateway' && !course.isQuiet();
      const recordedInvoice = course.isQuiet() ? null : newRecordInvoice(trip.request);
      if (recordedInvoice !== null && trouble.lostRecordAnswers > 0) {
        trouble.lostRecordAnswers -= 1;
        story.feature('record without an answer', recordedInvoice);
        return { fault: 'answer-lost', thereMs: 20, backMs: 20 };
      }
      if (isGateway && engine.now() < trouble.silence.until)
        return { fault: trouble.silence.as, thereMs: 5_000, backMs: 0 };
      if (isGateway && trip.call.endsWith('find') && engine.now() < trouble.unreadable.until && !isRead(trip.request))
        return { fault: 'unknown-words', thereMs: 20, backMs: 20 };
      return course.disturb(trip);
    },
    onSent(trip, disturbance) {
      const { station, call, caller } = trip;
      const name = disturbance.fault;
      if (name) fault(isLineFault(name) ? name : `${station.name} ${name}`);
      story.note(caller, `asks the ${station.name}: ${call}${name ? ` (${name})` : ''}`);
      onSent(trip, disturbance);
    },
    onStep({ key, station, call, stepCount }) {
      begin(`${key} at the ${station.name}, act ${stepCount}`);
      if (station.name !== 'crm' && !READS.includes(call)) onChange();
    },
    onAnswer(trip, { status, body }) {
      const { caller, call, request } = trip;
      story.note(caller, `receives ${status} for its ${call}`);
      const isInvoice = /\/objects\/[^/]+\/invoices\/\d+$/.test(request.url.pathname) && status === 200;
      if (isInvoice) crmBalances.set(caller, balanceOf(body));
      onAnswer(trip, status);
    },
  });

  return {
    network,
    gateway,
    crm,
    mail,
    grant,
    crmBalances,
    beginAct(name) {
      begin(name);
      onChange();
    },
  };
}

/** The invoice of a new payment record; null if the call creates none. */
function newRecordInvoice({ method, url, body }: WireRequest): string | null {
  if (method !== 'POST' || !/\/objects\/[^/]+\/commerce_payments$/.test(url.pathname)) return null;
  const { associations = [] } = (parseJson(body) ?? {}) as { associations?: { to: { id: string } }[] };
  return bills.find(({ invoiceId }) => associations.some(({ to }) => to.id === invoiceId))?.invoiceId ?? null;
}

function balanceOf(body: string): number | null {
  const { properties } = (parseJson(body) ?? {}) as { properties?: Record<string, string | null> };
  const text = properties?.hs_balance_due;
  return text && /^\d+(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}
