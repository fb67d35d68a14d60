import type { NearStorage } from '#tests/support/near-storage';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { parseJson } from '#worker/vendors/http';
import { type CrmModel, createCrm } from '../crm/crm.ts';
import type { Choices } from '../engine/choices.ts';
import { atLine } from '../engine/database.ts';
import { createEngine, type Engine, type Isolate } from '../engine/engine.ts';
import { createNetwork, isOfTheLine, type Network } from '../engine/network.ts';
import { createGatewayModel } from '../gateway/model.ts';
import type { GatewayModel } from '../gateway/truth.ts';
import { createMail, type MailModel } from '../mail/mail.ts';
import type { GoOn } from '../product/entry.ts';
import type { Product } from '../product/load.ts';
import type { VendorWorld, WireRequest } from '../vendor.ts';
import { type ClinicObject, clinicObject, NEWER } from './clinic-object.ts';
import { type Course, courseOf } from './course.ts';
import { ACCOUNT, bills, CLINIC, crmApp, gatewaySetUp, mailService, START, settings, WEBHOOK_PATH } from './setting.ts';
import { crmStation, gatewayStation, mailStation } from './stations.ts';
import { bucket, databaseLines } from './storage.ts';
import { createStory, type Story } from './story.ts';

/** What every run finds: the account's session and the pay id of each invoice. */
export type Standing = { merchant: Merchant; payIds: Map<string, string> };

export type World = {
  engine: Engine;
  choices: Choices;
  course: Course;
  story: Story;
  network: Network;
  /** The clinic's, in its object. */
  database: NearStorage;
  /** The installation's D1. */
  installation: NearStorage;
  clinic: ClinicObject;
  gateway: GatewayModel;
  crm: CrmModel;
  mail: MailModel;
  product: Product;
  isolates: Isolate[];
  standing: Standing;
  /** What the CRM gave when the account was connected. */
  grant: ReturnType<CrmModel['connect']>;
  /** Cents that the CRM named in a task, by the task's name. */
  named: Map<string, number | null>;
  /** The request that asked for a charge, by the charge's order id. */
  askedBy: Map<string, string>;
  /** Counts up with each call that may change something at a vendor, and with each statement that writes. */
  version: { database: number; gateway: number };
  /** The task whose statement wrote last, by its name. */
  writer: string;
  /** Ask the product for something; an error is the route's 500. `name` is unique in a run. */
  ask<T>(name: string, work: (deps: Deps, goOn: GoOn) => Promise<T>, answered?: (answer: T | Error) => void): void;
  /** The cron of the installation, once. */
  cron(name: string): void;
  crash(isolate: Isolate): void;
  /** From here on this Worker runs a version of the code that knows of one more migration. */
  deploy(isolate: Isolate): void;
  /** What the code of this isolate keeps between two requests. */
  memory(): Map<string, unknown>;
  /** Chance for the product's own use, by the task that asks. */
  chance(): number;
  fault(name: string): void;
  /** A webhook at our address, from the vendor or from a stranger. */
  deliver(webhook: WireRequest, name: string): void;
  /** A renewal of the CRM's token went wrong on its way, or took so long that our lease on it was over. */
  grantMayEnd: boolean;
  /** Until then (UTC ms) the gateway answers nothing, or nothing but errors. */
  silence: { until: number; as: 'request-lost' | '500-before' };
  /** Until then (UTC ms) the gateway answers look-ups in words that we do not know: all, or those of one payment. */
  mumble: { until: number; readsLists: boolean };
  /** From here on, a vendor's chance is named after this deed. */
  acts(name: string): void;
};

const READS = ['find', 'ach-find', 'batches'];

/** A client that gets no answer: its line broke, or the process died. */
export class NoAnswer extends Error {}

type Parts = {
  choices: Choices;
  product: Product;
  database: NearStorage;
  installation: NearStorage;
  standing: Standing;
  isTraced: boolean;
  overrides: Record<string, unknown>;
  /** Whether the CRM ends a refresh token with its use. */
  rotates: boolean;
  /** Whether this call may meet this fault of its vendor now. */
  mayMeet(world: World, call: string, fault: string): boolean;
  sent(world: World, request: WireRequest, call: string): void;
};

export function createWorld(parts: Parts): World {
  const { choices, product, database, installation, standing, overrides } = parts;
  const engine = createEngine(START);
  const story = createStory(engine.now, parts.isTraced);
  const course = courseOf(choices, engine.now, (call, fault) => parts.mayMeet(world, call, fault));
  const isolates: Isolate[] = [0, 1].map((at) => ({ name: `Worker ${'AB'[at]}`, life: 0 }));
  const version = { database: 0, gateway: 0 };
  const named = new Map<string, number | null>();
  const failed = (fault: string) => world.fault(fault);
  const lines = databaseLines(engine, course, {
    wrote({ name }) {
      version.database += 1;
      world.writer = name;
    },
    failed,
    reset: () => world.clinic.reset(),
  });
  const ownBucket = () => bucket(engine, course, failed);
  const [media, anchors, backups] = [ownBucket(), ownBucket(), ownBucket()];
  let moment = { name: '', draws: 0, sends: 0 };

  const vendorWorld: VendorWorld = {
    now: engine.now,
    // Before the first event every run is the same.
    random: () => (moment.name === '' ? 0.5 : choices.noise(`${moment.name} ${moment.draws++}`)),
    send: (webhook) => deliver(webhook, `${moment.name} webhook ${moment.sends++}`),
    later(afterMs, what, run) {
      const name = `${moment.name}, later ${what}`;
      engine.later(afterMs, () => {
        moment = { name, draws: 0, sends: 0 };
        story.note('gateway', what);
        run();
        version.gateway += 1;
      });
    },
  };
  const gateway = createGatewayModel(vendorWorld, gatewaySetUp);
  const mail = createMail(vendorWorld, mailService);
  const crm = createCrm(vendorWorld, crmApp);
  for (const { invoiceId, number, balance, email } of bills) {
    const contact = { id: `3${invoiceId}`, firstName: 'Ana', lastName: 'Pál', email };
    crm.add({ accountId: ACCOUNT, invoiceId, number, balance, contact });
  }
  const grant = crm.connect(ACCOUNT, { rotates: parts.rotates });

  const isRead = ({ url }: WireRequest) => world.mumble.readsLists && url.searchParams.has('start-date');
  const network = createNetwork(engine, [gatewayStation(gateway), crmStation(crm), mailStation(mail)], {
    bend(trip) {
      const isGateway = trip.station.name === 'gateway' && !course.isQuiet();
      if (isGateway && engine.now() < world.silence.until)
        return { fault: world.silence.as, thereMs: 5_000, backMs: 0 };
      if (isGateway && trip.call.endsWith('find') && engine.now() < world.mumble.until && !isRead(trip.request))
        return { fault: 'unknown-words', thereMs: 20, backMs: 20 };
      return course.bend(trip);
    },
    sent({ call, request, station }, { fault, thereMs, backMs }) {
      if (call === 'tokens' && (fault !== null || thereMs + backMs > 2_000)) world.grantMayEnd = true;
      if (fault) world.fault(isOfTheLine(fault) ? fault : `${station.name} ${fault}`);
      story.note(engine.task()?.name ?? '', `asks the ${station.name}: ${call}${fault ? ` (${fault})` : ''}`);
      parts.sent(world, request, call);
    },
    acts({ key, station, call, acts }) {
      moment = { name: `${key} at the ${station.name}, act ${acts}`, draws: 0, sends: 0 };
      if (station.name !== 'crm' && !READS.includes(call)) version.gateway += 1;
    },
    answered({ call, request, key }, { status, body }) {
      story.note(key.replace(/ \d+$/, ''), `hears ${status} about its ${call}`);
      const invoice = /\/objects\/[^/]+\/invoices\/\d+$/.test(request.url.pathname) && status === 200;
      if (invoice) named.set(key.replace(/ \d+$/, ''), balanceOf(body));
    },
  });

  function deliver(webhook: WireRequest, key: string) {
    if (webhook.url.pathname !== WEBHOOK_PATH) return;
    const ms = choices.choose(`${key} takes`, 50, (random) => random.below(5_000));
    engine.later(ms, () => world.ask(key, (deps) => product.receiveWebhook(deps, webhook.body)));
  }

  const clinic = clinicObject({
    ...{ engine, choices, course, story, product, lines, storage: database },
    env: () => env,
    fault: (name) => world.fault(name),
  });
  const d1 = atLine(product.asD1(installation.storage), lines.lineTo('installation'));
  const bindings = {
    INSTALLATION: d1,
    CLINICS: { getByName: () => clinic.calls },
    MEDIA: media,
    AUDIT_ANCHORS: anchors,
    BACKUPS: backups,
  };
  const env = { ...bindings, ASSETS: {}, ...settings, ...overrides } as unknown as Env;

  const lives = new Map<Isolate, { life: number; deps: Deps }>();
  const newer = new Set<Isolate>();
  const depsOf = (isolate: Isolate): Deps => {
    const known = lives.get(isolate);
    if (known?.life === isolate.life) return known.deps;
    const deps = product.createDeps(env);
    // Staff are known here by their session's row; no token travels.
    deps.accessTokens = { issue: async () => '', read: async () => null };
    if (newer.has(isolate)) {
      const migrations = [...product.clinicMigrations, NEWER];
      const far = product.remoteD1(() => clinic.calls, migrations.length, { migrations: async () => migrations });
      deps.clinics = { ...deps.clinics, db: () => product.openDb(far) };
    }
    lives.set(isolate, { life: isolate.life, deps });
    return deps;
  };
  const isolateFor = (name: string): Isolate => {
    const at = course.isQuiet() ? 0 : choices.choose(`${name} runs on`, 0, (random) => random.below(2));
    return isolates[at] ?? (isolates[0] as Isolate);
  };
  const memories = new Map<Isolate, { life: number; kept: Map<string, unknown> }>();

  const waiting = new Map<Isolate, Set<() => void>>(isolates.map((isolate) => [isolate, new Set()]));
  const chances = new Map<string, number>();

  const world: World = {
    ...{ engine, choices, course, story, network, database, installation, clinic, gateway, crm, mail, product },
    ...{ isolates, standing },
    ...{
      grant,
      named,
      askedBy: new Map(),
      version,
      deliver,
      grantMayEnd: false,
      silence: { until: 0, as: 'request-lost' },
      mumble: { until: 0, readsLists: false },
      writer: '',
    },
    ask(name, work, answered = () => undefined) {
      const isolate = isolateFor(name);
      const deps = depsOf(isolate);
      const hangUp = () => answered(new NoAnswer('the connection is gone'));
      waiting.get(isolate)?.add(hangUp);
      const goOn: GoOn = (what, more) => {
        engine.start(`${name}+${what}`, isolate, more, () => undefined);
      };
      engine.start(
        name,
        isolate,
        () => work(product.ofClinic(deps, CLINIC), goOn),
        (result) => {
          waiting.get(isolate)?.delete(hangUp);
          if (result instanceof Error) story.note(isolate.name, `fails: ${result.message}`);
          answered(course.isHeard(name) ? result : new NoAnswer('the answer is lost'));
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
    deploy(isolate) {
      newer.add(isolate);
      lives.delete(isolate);
    },
    memory() {
      const isolate = engine.task()?.isolate;
      if (!isolate) throw new Error('memory is kept outside of every task');
      const known = memories.get(isolate);
      if (known?.life === isolate.life) return known.kept;
      const kept = new Map<string, unknown>();
      memories.set(isolate, { life: isolate.life, kept });
      return kept;
    },
    crash(isolate) {
      story.note(isolate.name, 'dies');
      lines.cutOff(isolate, (key) => choices.choose(key, false, (random) => random.chance(0.5)));
      engine.kill(isolate);
      const left = [...(waiting.get(isolate) ?? [])];
      waiting.get(isolate)?.clear();
      for (const hangUp of left) hangUp();
    },
    chance() {
      const name = engine.task()?.name ?? 'nobody';
      const count = chances.get(name) ?? 0;
      chances.set(name, count + 1);
      return choices.noise(`${name} draws ${count}`);
    },
    acts(name) {
      moment = { name, draws: 0, sends: 0 };
      version.gateway += 1;
    },
    fault(name) {
      story.met.push({ fault: name, at: engine.now() });
    },
  };
  return world;
}

function balanceOf(body: string): number | null {
  const { properties } = (parseJson(body) ?? {}) as { properties?: Record<string, string | null> };
  const text = properties?.hs_balance_due;
  return text && /^\d+(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}
