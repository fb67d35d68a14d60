import type { TimeLimit } from '../product/platform.ts';
import type { VendorModel, VendorStep, WireAnswer, WireRequest } from '../vendor.ts';
import type { Engine } from './engine.ts';

/** Faults of the connection to a vendor. With all but the first, the vendor executes the request. */
export const LINE_FAULTS = ['request-lost', 'answer-lost', 'arrives-late', 'answers-late'] as const;
export type LineFault = (typeof LINE_FAULTS)[number];

/** A vendor on the network. */
export type Station = {
  name: string;
  model: VendorModel;
  /** Short name of the call's purpose, for traces and for the choice of faults. */
  callOf(request: WireRequest): string;
  /** The vendor's own faults that this call can have. */
  faultsOf(call: string): readonly string[];
  /** Applies the fault to the next call of this kind. */
  arm(call: string, fault: string): void;
};

export type Trip = {
  station: Station;
  call: string;
  request: WireRequest;
  /** Name of the task that made the call. */
  caller: string;
  key: string;
  /** Number of the vendor's steps for this call so far. */
  stepCount: number;
};

/** Delays and fault of a trip, by the seed. */
export type Disturbance = {
  /** One of LINE_FAULTS or a fault of the vendor; null: none. */
  fault: string | null;
  /** Each way, in ms. */
  thereMs: number;
  backMs: number;
};

export type NetworkEvents = {
  disturb(trip: Trip): Disturbance;
  onSent(trip: Trip, disturbance: Disturbance): void;
  /** Called before the vendor acts, whose random numbers are then named after this trip. */
  onStep(trip: Trip): void;
  onAnswer(trip: Trip, answer: WireAnswer): void;
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
    const trip: Trip = { station, call, request, caller: task.name, key: task.keyOf(call), stepCount: 0 };
    const disturbance = events.disturb(trip);
    events.onSent(trip, disturbance);
    return engine.parkUntil<unknown>((wake) => {
      let isOver = false;
      const fail = (name: string, message: string) => {
        isOver = true;
        wake(Object.assign(new Error(message), { name }));
      };
      const limit =
        init.signal && engine.later(init.signal.ms, () => fail('TimeoutError', 'The operation was aborted'));
      travel(trip, disturbance, (answer) => {
        if (limit) engine.cancel(limit);
        // The product has stopped waiting and never reads this response.
        if (isOver) return;
        if (answer === 'cut') return fail('TypeError', 'fetch failed');
        events.onAnswer(trip, answer);
        wake(responseOf(answer));
      });
    });
  }

  function travel(trip: Trip, { fault, thereMs, backMs }: Disturbance, end: (answer: WireAnswer | 'cut') => void) {
    const { station, call, request } = trip;
    engine.later(thereMs, () => {
      if (fault === 'request-lost') return end('cut');
      if (fault && !isLineFault(fault)) station.arm(call, fault);
      trip.stepCount += 1;
      events.onStep(trip);
      runStep(station.model.receive(request), (answer) =>
        engine.later(backMs, () => end(fault === 'answer-lost' ? 'cut' : answer)),
      );
    });

    function runStep(step: WireAnswer | VendorStep, onAnswer: (answer: WireAnswer) => void) {
      if (!('run' in step)) return onAnswer(step);
      engine.later(step.afterMs, () => {
        trip.stepCount += 1;
        events.onStep(trip);
        runStep(step.run(), onAnswer);
      });
    }
  }

  return { fetch };
}

export const isLineFault = (fault: string): fault is LineFault => (LINE_FAULTS as readonly string[]).includes(fault);

const encoder = new TextEncoder();

/** A response with only the parts that the product reads. */
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
