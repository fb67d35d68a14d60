import { parseJson } from '#worker/vendors/http';
import { type CrmModel, createCrm } from '../crm/crm.ts';
import type { Choices } from '../engine/choices.ts';
import type { Engine } from '../engine/engine.ts';
import { type Bend, createNetwork, isOfTheLine, type Network, type Trip } from '../engine/network.ts';
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
  mumble: { until: number; readsLists: boolean };
  /** Number of further payment records in the CRM whose response is lost. */
  unheardRecords: number;
};

export type Vendors = {
  network: Network;
  gateway: GatewayModel;
  crm: CrmModel;
  mail: MailModel;
  /** Tokens that the CRM issued when the account was connected. */
  grant: ReturnType<CrmModel['connect']>;
  /** Balance in cents that the CRM returned in a task, by the task's name. */
  named: Map<string, number | null>;
  /** Names the vendors' random numbers after this deed from now on. */
  acts(name: string): void;
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
  changed(): void;
  fault(name: string): void;
  sent(trip: Trip, bend: Bend): void;
  heard(trip: Trip, status: number): void;
  deliver(webhook: WireRequest, key: string): void;
};

const READS = ['find', 'ach-find', 'batches'];

/** The vendors' models with the network to them. The CRM has the account and its invoices. */
export function vendorsOf(parts: Parts): Vendors {
  const { engine, choices, course, story, trouble, changed, fault, sent, heard, deliver } = parts;
  const named = new Map<string, number | null>();
  let moment = { name: '', draws: 0, sends: 0 };
  const begin = (name: string) => {
    moment = { name, draws: 0, sends: 0 };
  };

  const world: VendorWorld = {
    now: engine.now,
    // Before the first event all runs are equal.
    random: () => (moment.name === '' ? 0.5 : choices.noise(`${moment.name} ${moment.draws++}`)),
    send: (webhook) => deliver(webhook, `${moment.name} webhook ${moment.sends++}`),
    later(afterMs, what, run) {
      const name = `${moment.name}, later ${what}`;
      engine.later(afterMs, () => {
        begin(name);
        story.note('gateway', what);
        run();
        changed();
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

  const isRead = ({ url }: WireRequest) => trouble.mumble.readsLists && url.searchParams.has('start-date');
  const network = createNetwork(engine, [gatewayStation(gateway), crmStation(crm), mailStation(mail)], {
    bend(trip) {
      const isGateway = trip.station.name === 'gateway' && !course.isQuiet();
      const recorded = course.isQuiet() ? null : recordedOf(trip.request);
      if (recorded !== null && trouble.unheardRecords > 0) {
        trouble.unheardRecords -= 1;
        story.feature('record without an answer', recorded);
        return { fault: 'answer-lost', thereMs: 20, backMs: 20 };
      }
      if (isGateway && engine.now() < trouble.silence.until)
        return { fault: trouble.silence.as, thereMs: 5_000, backMs: 0 };
      if (isGateway && trip.call.endsWith('find') && engine.now() < trouble.mumble.until && !isRead(trip.request))
        return { fault: 'unknown-words', thereMs: 20, backMs: 20 };
      return course.bend(trip);
    },
    sent(trip, bend) {
      const { station, call, asker } = trip;
      if (bend.fault) fault(isOfTheLine(bend.fault) ? bend.fault : `${station.name} ${bend.fault}`);
      story.note(asker, `asks the ${station.name}: ${call}${bend.fault ? ` (${bend.fault})` : ''}`);
      sent(trip, bend);
    },
    acts({ key, station, call, acts }) {
      begin(`${key} at the ${station.name}, act ${acts}`);
      if (station.name !== 'crm' && !READS.includes(call)) changed();
    },
    answered(trip, { status, body }) {
      const { asker, call, request } = trip;
      story.note(asker, `hears ${status} about its ${call}`);
      const isInvoice = /\/objects\/[^/]+\/invoices\/\d+$/.test(request.url.pathname) && status === 200;
      if (isInvoice) named.set(asker, balanceOf(body));
      heard(trip, status);
    },
  });

  return {
    network,
    gateway,
    crm,
    mail,
    grant,
    named,
    acts(name) {
      begin(name);
      changed();
    },
  };
}

/** The invoice of a new payment record; null if the call creates none. */
function recordedOf({ method, url, body }: WireRequest): string | null {
  if (method !== 'POST' || !/\/objects\/[^/]+\/commerce_payments$/.test(url.pathname)) return null;
  const { associations = [] } = (parseJson(body) ?? {}) as { associations?: { to: { id: string } }[] };
  return bills.find(({ invoiceId }) => associations.some(({ to }) => to.id === invoiceId))?.invoiceId ?? null;
}

function balanceOf(body: string): number | null {
  const { properties } = (parseJson(body) ?? {}) as { properties?: Record<string, string | null> };
  const text = properties?.hs_balance_due;
  return text && /^\d+(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}
