import { openNearStorage } from '#tests/support/near-storage';
import { randomFrom } from '#tests/support/seeded-random';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import type { Log } from '#worker/log';
import { createEngine, type Isolate, type Timer } from '../engine/engine.ts';
import { createNetwork, type Station } from '../engine/network.ts';
import { createMail } from '../mail/mail.ts';
import type { WaitUntil } from '../product/entry.ts';
import { type Bundle, loadProduct } from '../product/load.ts';
import { CachedDateTimeFormat, cryptoFrom, memoryOf, syncStreams } from '../product/platform.ts';
import type { VendorModel, VendorWorld, WireRequest } from '../vendor.ts';
import { crmApp, mailService, settings, WEBHOOK_PATH } from '../world/setting.ts';
import { type DayObject, dayObject } from './clinic.ts';
import { newCounts, peakOf } from './counts.ts';
import { createCrmOfDay } from './crm.ts';
import type { CrmAccount } from './crm-account.ts';
import { files } from './files.ts';
import { gatewaysOfDay } from './gateways.ts';
import { ZONES } from './plan.ts';

/** Network delay to a vendor, each way (ms). */
const LINE_MS = 20;

export type DayWorld = ReturnType<typeof createDayWorld>;

/** A clinic of the day with its counterparts at the vendors. `zone`: its index in ZONES. */
export type DayClinic = {
  at: number;
  accountId: number;
  zone: number;
  terminalId: string;
  crm: CrmAccount;
  object: DayObject;
  merchant: Merchant;
};

export type Options = {
  seed: number;
  /** UTC ms. */
  start: number;
  /** False if the platform loses this alarm. */
  mayRing?(clinic: number, now: number): boolean;
  /** The gateway's own duplicate check: on commit, or none. */
  dedupe?: 'commit' | 'none';
};

/** The product with a directory, objects and vendors, on a simulated clock, before any event. */
export function createDayWorld(bundle: Bundle, { seed, start, mayRing, dedupe = 'commit' }: Options) {
  const engine = createEngine(start);
  const random = randomFrom(seed);
  const counts = newCounts();
  const d1Peak = peakOf(engine.now);
  const alerts = new Map<string, number>();
  const isolates: Isolate[] = ['A', 'B'].map((name) => ({ name: `Worker ${name}`, life: 0 }));
  const memories = new Map<Isolate, Map<string, unknown>>(isolates.map((isolate) => [isolate, new Map()]));
  const objects = new Map<string, DayObject>();
  const clinics: DayClinic[] = [];
  let turnListener: (clinic: number) => void = () => undefined;
  let vendorMs = 0;

  const vendorWorld: VendorWorld = {
    now: engine.now,
    random: random.next,
    send: deliver,
    later: (afterMs, _label, run) => void engine.later(afterMs, run),
  };
  const crm = createCrmOfDay(vendorWorld, crmApp);
  const mail = createMail(vendorWorld, mailService);
  const gateways = gatewaysOfDay(vendorWorld, dedupe);
  const withoutFaults = { faultsOf: () => [], arm: () => undefined };
  const stations: Station[] = [
    { ...withoutFaults, name: 'gateway', model: timed(gateways), callOf: () => 'call' },
    { ...withoutFaults, name: 'crm', model: timed(crm), callOf: () => 'call' },
    { ...withoutFaults, name: 'mail', model: timed(mail), callOf: () => 'mails' },
  ];
  const network = createNetwork(engine, stations, {
    disturb: ({ station }) => {
      const isOut = station.name === 'gateway' && engine.now() < gateways.downUntil();
      // If the response is lost, the request still took effect.
      const fault = isOut ? random.pick(['request-lost', 'answer-lost'] as const) : null;
      return { fault, thereMs: isOut ? 5000 : LINE_MS, backMs: LINE_MS };
    },
    onSent: () => undefined,
    onStep: () => undefined,
    onAnswer: () => undefined,
  });

  /** Measures the vendor models' compute time, which is not part of the product's cost. */
  function timed({ serves, receive }: VendorModel): VendorModel {
    return {
      serves,
      receive(request) {
        const from = performance.now();
        const step = receive(request);
        vendorMs += performance.now() - from;
        return step;
      },
    };
  }

  const memory = () => {
    const isolate = engine.task()?.isolate;
    const isolateMemory = isolate && (memories.get(isolate) ?? objects.get(isolate.name)?.memory());
    if (!isolateMemory) throw new Error('module memory was used outside of every task');
    return isolateMemory;
  };
  const product = loadProduct(bundle, {
    fetch: (url, init) => network.fetch(url, init),
    timeout: (ms) => ({ ms }),
    setTimeout: (run, ms) => engine.timer(ms, run),
    clearTimeout: (timer) => (timer as Timer | undefined)?.stop(),
    now: engine.now,
    random: random.next,
    crypto: cryptoFrom(random.next),
    ...syncStreams,
    DateTimeFormat: CachedDateTimeFormat,
    memory: (name) => memoryOf(memory, name),
  });
  Object.assign(product.consoleLog, {
    info: () => undefined,
    alert: (event) => void alerts.set(event, (alerts.get(event) ?? 0) + 1),
  } satisfies Log);

  const installation = openNearStorage();
  for (const statement of bundle.installation) installation.storage.sql.exec(statement);
  const d1 = product.asD1(installation.storage, (_sql, _read, written) => {
    counts.d1Statements += 1;
    counts.d1Rows += written;
    d1Peak.add();
  });

  const objectOf = (name: string): DayObject => {
    const existing = objects.get(name);
    if (existing) return existing;
    const number = Number(name);
    const object = dayObject({
      name,
      engine,
      counts,
      mayRing: () => mayRing?.(number, engine.now()) ?? true,
      onTurnEnd: () => turnListener(number - 1),
      migrations: product.clinicMigrations,
      ring: (clinic, db) => product.ring(env, clinic, db),
      alert: (event) => void alerts.set(event, (alerts.get(event) ?? 0) + 1),
    });
    objects.set(name, object);
    return object;
  };
  const env = {
    INSTALLATION: d1,
    CLINICS: { getByName: (name: string) => objectOf(name).calls },
    MEDIA: files(),
    AUDIT_ANCHORS: files(),
    BACKUPS: files(),
    ASSETS: {},
    ...settings,
  } as unknown as Env;

  const deps = new Map<Isolate, Deps>();
  const depsOf = (isolate: Isolate): Deps => {
    const existing = deps.get(isolate);
    if (existing) return existing;
    const workerDeps = product.createDeps(env);
    // Staff are identified here by their session row; there are no access tokens.
    workerDeps.accessTokens = { issue: async () => '', read: async () => null };
    deps.set(isolate, workerDeps);
    return workerDeps;
  };

  let requestCount = 0;
  /** Sends a request to a Worker; an error stands for the route's 500. */
  function ask<T>(
    work: (baseDeps: Deps, waitUntil: WaitUntil) => Promise<T>,
    onAnswer: (answer: T | Error) => void = () => undefined,
  ) {
    const isolate = random.pick(isolates);
    const name = `request ${requestCount++}`;
    counts.requests += 1;
    const waitUntil: WaitUntil = (label, backgroundWork) =>
      void engine.start(`${name}+${label}`, isolate, backgroundWork, () => undefined);
    engine.start(name, isolate, () => work(depsOf(isolate), waitUntil), onAnswer);
  }

  function deliver({ url, body }: WireRequest): void {
    if (url.pathname === WEBHOOK_PATH)
      engine.later(LINE_MS, () => ask((baseDeps) => product.receiveWebhook(baseDeps, body)));
  }

  return {
    engine,
    random,
    counts,
    alerts,
    product,
    crm,
    mail,
    gateways,
    clinics,
    installation,
    d1Peak,
    objectOf,
    ask,
    deps: { of: (baseDeps: Deps, clinic: DayClinic) => product.depsOfClinic(baseDeps, clinic.at + 1) },
    zoneOf: ({ zone }: DayClinic) => ZONES[zone] ?? 'UTC',
    vendorMs: () => vendorMs,
    /** Sets a callback for the end of each clinic turn. */
    onTurnEnd(listener: (clinic: number) => void) {
      turnListener = listener;
    },
    cron() {
      counts.crons += 1;
      const isolate = isolates[0] as Isolate;
      engine.start(
        `cron ${counts.crons}`,
        isolate,
        () => product.runSchedule(depsOf(isolate)),
        () => undefined,
      );
    },
  };
}
