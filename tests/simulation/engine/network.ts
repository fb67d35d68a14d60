import type { TimeLimit } from '../product/platform.ts';
import type { VendorModel, VendorStep, WireAnswer, WireRequest } from '../vendor.ts';
import type { Engine } from './engine.ts';

/** Faults of the connection between us and a vendor. In all but the first the vendor executes the request. */
export const LINE_FAULTS = ['request-lost', 'answer-lost', 'arrives-late', 'answers-late'] as const;
export type LineFault = (typeof LINE_FAULTS)[number];

/** A vendor on the network. */
export type Station = {
  name: string;
  model: VendorModel;
  /** Short name of the call's purpose, for traces and for the choice of faults. */
  callOf(request: WireRequest): string;
  /** The vendor's own faults that this call can meet. */
  faultsOf(call: string): readonly string[];
  /** Lets the next call of this kind meet the fault. */
  arm(call: string, fault: string): void;
};

export type Trip = {
  station: Station;
  call: string;
  request: WireRequest;
  /** Name of the task that made the call. */
  asker: string;
  key: string;
  /** Number of the vendor's steps on it so far. */
  acts: number;
};

/** Delays and fault of a trip, by the seed; without a fault `fault` is null. */
export type Bend = {
  /** One of LINE_FAULTS, or a fault of the vendor's own. */
  fault: string | null;
  /** Each way, in ms. */
  thereMs: number;
  backMs: number;
};

export type NetworkEvents = {
  bend(trip: Trip): Bend;
  sent(trip: Trip, bend: Bend): void;
  /** The vendor is about to act: its random numbers are named after this trip. */
  acts(trip: Trip): void;
  answered(trip: Trip, answer: WireAnswer): void;
};

export type Network = ReturnType<typeof createNetwork>;

/** Carries the product's calls to the vendors' models, and their responses back; either may be late or lost. */
export function createNetwork(engine: Engine, stations: Station[], events: NetworkEvents) {
  function fetch(address: string, init: { method?: string; headers?: HeadersInit; body?: string; signal?: TimeLimit }) {
    const url = new URL(address);
    const request = { method: init.method ?? 'GET', url, headers: new Headers(init.headers), body: init.body ?? '' };
    const station = stations.find(({ model }) => model.serves(url));
    if (!station) throw new Error(`no vendor serves ${url.host}`);
    const task = engine.task();
    if (!task) throw new Error('a call outside of every task');
    const call = station.callOf(request);
    const trip: Trip = { station, call, request, asker: task.name, key: task.keyOf(call), acts: 0 };
    const bend = events.bend(trip);
    events.sent(trip, bend);
    return engine.parkUntil<unknown>((wake) => {
      let isOver = false;
      const fail = (name: string, message: string) => {
        isOver = true;
        wake(Object.assign(new Error(message), { name }));
      };
      const limit =
        init.signal && engine.later(init.signal.ms, () => fail('TimeoutError', 'The operation was aborted'));
      travel(trip, bend, (answer) => {
        if (limit) engine.drop(limit);
        // The product has stopped waiting and never reads this response.
        if (isOver) return;
        if (answer === 'cut') return fail('TypeError', 'fetch failed');
        events.answered(trip, answer);
        wake(responseOf(answer));
      });
    });
  }

  function travel(trip: Trip, { fault, thereMs, backMs }: Bend, end: (answer: WireAnswer | 'cut') => void) {
    const { station, call, request } = trip;
    engine.later(thereMs, () => {
      if (fault === 'request-lost') return end('cut');
      if (fault && !isOfTheLine(fault)) station.arm(call, fault);
      trip.acts += 1;
      events.acts(trip);
      goOn(station.model.receive(request), (answer) =>
        engine.later(backMs, () => end(fault === 'answer-lost' ? 'cut' : answer)),
      );
    });

    function goOn(step: WireAnswer | VendorStep, answered: (answer: WireAnswer) => void) {
      if (!('run' in step)) return answered(step);
      engine.later(step.afterMs, () => {
        trip.acts += 1;
        events.acts(trip);
        goOn(step.run(), answered);
      });
    }
  }

  return { fetch };
}

export const isOfTheLine = (fault: string): fault is LineFault => (LINE_FAULTS as readonly string[]).includes(fault);

const encoder = new TextEncoder();

/** The parts of a Response that the product reads. */
const responseOf = ({ status, headers, body }: WireAnswer) => ({
  status,
  headers: new Headers(headers),
  body: body === '' ? null : { getReader: () => readerOf([encoder.encode(body)]) },
});

const readerOf = (parts: Uint8Array[]) => ({
  read: async () => {
    const value = parts.shift();
    return { value, done: value === undefined };
  },
});
