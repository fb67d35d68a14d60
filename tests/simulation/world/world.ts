import type { NearStorage } from '#tests/support/near-storage';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import type { Choices } from '../engine/choices.ts';
import { throughLine } from '../engine/database.ts';
import { createEngine, type Engine, type Isolate } from '../engine/engine.ts';
import type { Disturbance, Trip } from '../engine/network.ts';
import type { AttemptRow } from '../judge/attempts.ts';
import type { WaitUntil } from '../product/entry.ts';
import type { Product } from '../product/load.ts';
import type { WireRequest } from '../vendor.ts';
import { type ClinicObject, clinicObject } from './clinic-object.ts';
import { type Course, courseOf } from './course.ts';
import { livesOf } from './lives.ts';
import { CLINIC, settings, WEB, WEBHOOK_PATH } from './setting.ts';
import { bucket, databaseLines, type Files } from './storage.ts';
import { createStory, type Story } from './story.ts';
import { type Trouble, type Vendors, vendorsOf } from './vendors.ts';

type Grant = { access_token: string; refresh_token: string; expires_at: number; version: number };

/** Records that every run starts with: the account's session and the pay id of each invoice. */
export type InitialRecords = { merchant: Merchant; payIds: Map<string, string> };

/** An attempt as it was when its charge was requested. `isInstallment`: its collection was in installments. */
export type RequestedAttempt = AttemptRow & { isInstallment: boolean };

export type World = Vendors & {
  engine: Engine;
  choices: Choices;
  course: Course;
  story: Story;
  /** The clinic's database, in its object. */
  database: NearStorage;
  /** The installation's D1. */
  installation: NearStorage;
  clinic: ClinicObject;
  product: Product;
  isolates: Isolate[];
  initialRecords: InitialRecords;
  /** Attempts at the time of their charge request, by their id: a restore may lose their rows. */
  requestedAttempts: Map<string, RequestedAttempt>;
  /** Special feature of the run's day; null if there is none. */
  day: string | null;
  /** Time of the last restore of the clinic's records (UTC ms); null: never. */
  restoredAt: number | null;
  /** The account's time zones with their start (UTC ms). */
  zones: { from: number; zone: string }[];
  /** The terminal of the pay pages' card fields. */
  web: string;
  /** The invoice of a charge by its order id; undefined if the product did not request the charge. */
  invoiceOf(orderId: string | null): string | undefined;
  /** Restores the clinic's records from the last backup; false if there is none. */
  restore(): boolean;
  /** The request that made a charge, by the charge's order id. */
  requestedBy: Map<string, string>;
  /** The files in the bucket of backups, by their keys. */
  backups: Files;
  /** Time of each mail's first request to the mail service (UTC ms), by its key; the request may arrive much later. */
  mailRequestedAt: Map<string, number>;
  /** Incremented by each call that may change something at a vendor, and by each writing statement. */
  version: { database: number; gateway: number };
  /** Name of the task that wrote last. */
  writer: string;
  /** Sends a request to the product; an error stands for the route's 500. `name` is unique in a run. */
  ask<T>(
    name: string,
    work: (deps: Deps, waitUntil: WaitUntil) => Promise<T>,
    onAnswer?: (answer: T | Error) => void,
  ): void;
  /** Runs the installation's cron once. */
  cron(name: string): void;
  crash(isolate: Isolate): void;
  /** Switches this Worker to a version of the code with one more migration. */
  deploy(isolate: Isolate): void;
  /** Module state of the current isolate, kept between requests. */
  memory(): Map<string, unknown>;
  /** Random numbers for the product, by the current task. */
  chance(): number;
  fault(name: string): void;
  /** Delivers a webhook to the product, from the vendor or from a stranger. */
  deliver(webhook: WireRequest, name: string): void;
  trouble: Trouble;
};

/** The result of a client that gets no response because its connection broke or the process died. */
export class NoAnswer extends Error {}

/** Events that a judge receives during a run. */
export type Watch = {
  /** Called when a call is sent to its vendor. */
  onSent(world: World, trip: Trip, disturbance: Disturbance): void;
  /** Called when its response has arrived. */
  onAnswer(world: World, trip: Trip, status: number): void;
  /** Called when a database call has a fault. */
  onDatabaseFault(world: World, task: string): void;
};

type Parts = Pick<World, 'choices' | 'product' | 'database' | 'installation' | 'initialRecords'> & {
  /** UTC ms. */
  start: number;
  day: string | null;
  isTraced: boolean;
  overrides: Record<string, unknown>;
  /** True if each refresh of the CRM revokes the refresh token it used. */
  rotates: boolean;
  /** True if this call may have this fault of its vendor now. */
  mayMeet(world: World, call: string, fault: string): boolean;
  watch?: Watch;
};

export function createWorld(parts: Parts): World {
  const { choices, product, database, installation, initialRecords, overrides, watch } = parts;
  const engine = createEngine(parts.start);
  const story = createStory(engine.now, parts.isTraced);
  const course = courseOf(choices, engine.now, (call, fault) => parts.mayMeet(world, call, fault));
  const isolates: Isolate[] = [0, 1].map((index) => ({ name: `Worker ${'AB'[index]}`, life: 0 }));
  const version = { database: 0, gateway: 0 };
  const fault = (name: string) => void story.faults.push({ fault: name, at: engine.now() });
  const lines = databaseLines(engine, course, {
    onWrite({ name }) {
      version.database += 1;
      world.writer = name;
    },
    onFault(name, { name: task }) {
      fault(name);
      watch?.onDatabaseFault(world, task);
    },
    resetObject: () => world.clinic.reset(),
  });
  const trouble: Trouble = {
    silence: { until: 0, as: 'request-lost' },
    unreadable: { until: 0, readsLists: false },
    lostRecordAnswers: 0,
  };
  const vendors = vendorsOf({
    engine,
    choices,
    course,
    story,
    trouble,
    fault,
    deliver,
    rotates: parts.rotates,
    onChange() {
      version.gateway += 1;
    },
    onSent(trip, disturbance) {
      const mailKey = trip.station.name === 'mail' ? trip.request.headers.get('idempotency-key') : null;
      if (mailKey !== null && !world.mailRequestedAt.has(mailKey)) world.mailRequestedAt.set(mailKey, engine.now());
      watch?.onSent(world, trip, disturbance);
    },
    onAnswer: (trip, status) => watch?.onAnswer(world, trip, status),
  });

  function deliver(webhook: WireRequest, key: string) {
    if (webhook.url.pathname !== WEBHOOK_PATH) return;
    const ms = choices.choose(`${key} takes`, 50, (random) => random.below(5_000));
    engine.later(ms, () => world.ask(key, (deps) => product.receiveWebhook(deps, webhook.body)));
  }

  const clinic = clinicObject({
    engine,
    choices,
    course,
    story,
    product,
    lines,
    fault,
    storage: database,
    start: parts.start,
    env: () => env,
  });
  const backups: Files = new Map();
  const bindings = {
    INSTALLATION: throughLine(product.asD1(installation.storage), lines.lineTo('installation')),
    CLINICS: { getByName: () => clinic.calls },
    MEDIA: bucket(engine, course, fault),
    AUDIT_ANCHORS: bucket(engine, course, fault),
    BACKUPS: bucket(engine, course, fault, backups),
  };
  const env = { ...bindings, ASSETS: {}, ...settings, ...overrides } as unknown as Env & { RESTORED_AT?: string };

  const { depsOf, deploy, memory } = livesOf({ engine, product, clinic, env });
  const isolateFor = (name: string): Isolate => {
    const index = course.isQuiet() ? 0 : choices.choose(`${name} runs on`, 0, (random) => random.below(2));
    return isolates[index] ?? (isolates[0] as Isolate);
  };
  const openConnections = new Map<Isolate, Set<() => void>>(isolates.map((isolate) => [isolate, new Set()]));
  const drawCounts = new Map<string, number>();

  const world: World = {
    ...vendors,
    engine,
    choices,
    course,
    story,
    database,
    installation,
    clinic,
    product,
    isolates,
    initialRecords,
    version,
    trouble,
    deliver,
    deploy,
    memory,
    fault,
    requestedAttempts: new Map(),
    requestedBy: new Map(),
    restoredAt: null,
    mailRequestedAt: new Map(),
    backups,
    writer: '',
    web: WEB,
    day: parts.day,
    zones: [{ from: 0, zone: 'UTC' }],
    invoiceOf: (orderId) => world.requestedAttempts.get(orderId ?? '')?.invoice_id,
    restore() {
      const [grant] = database.read<Grant>('SELECT access_token, refresh_token, expires_at, version FROM crm_tokens');
      if (!database.restoreState()) return false;
      // Staff reconnect the account: the CRM may have revoked the grant in the backup.
      if (grant)
        database.storage.sql.exec(
          'UPDATE crm_tokens SET access_token = ?, refresh_token = ?, expires_at = ?, version = ?, lease_until = 0',
          ...[grant.access_token, grant.refresh_token, grant.expires_at, grant.version + 1],
        );
      story.note('the operator', 'puts the records back to the last backup');
      world.restoredAt = engine.now();
      env.RESTORED_AT = new Date(engine.now()).toISOString();
      clinic.reset();
      clinic.scheduleAlarm();
      for (const isolate of isolates) world.crash(isolate);
      version.database += 1;
      return true;
    },
    ask(name, work, onAnswer = () => undefined) {
      const isolate = isolateFor(name);
      const deps = depsOf(isolate);
      const hangUp = () => onAnswer(new NoAnswer('the connection is gone'));
      openConnections.get(isolate)?.add(hangUp);
      const waitUntil: WaitUntil = (label, backgroundWork) => {
        engine.start(`${name}+${label}`, isolate, backgroundWork, () => undefined);
      };
      engine.start(
        name,
        isolate,
        () => work(product.depsOfClinic(deps, CLINIC), waitUntil),
        (result) => {
          openConnections.get(isolate)?.delete(hangUp);
          if (result instanceof Error) story.note(isolate.name, `fails: ${result.message}`);
          onAnswer(course.isHeard(name) ? result : new NoAnswer('the answer is lost'));
        },
      );
    },
    cron(name) {
      const isolate = isolateFor(name);
      const deps = depsOf(isolate);
      story.note(isolate.name, 'runs the schedule of the installation');
      engine.start(
        name,
        isolate,
        () => product.runSchedule(deps),
        () => undefined,
      );
    },
    crash(isolate) {
      story.note(isolate.name, 'dies');
      lines.cutOff(isolate, (key) => choices.choose(key, false, (random) => random.chance(0.5)));
      engine.kill(isolate);
      const brokenConnections = [...(openConnections.get(isolate) ?? [])];
      openConnections.get(isolate)?.clear();
      for (const hangUp of brokenConnections) hangUp();
    },
    chance() {
      const name = engine.task()?.name ?? 'nobody';
      const count = drawCounts.get(name) ?? 0;
      drawCounts.set(name, count + 1);
      return choices.noise(`${name} draws ${count}`);
    },
  };
  return world;
}
