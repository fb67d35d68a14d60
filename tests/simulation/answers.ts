import type { VendorStep, VendorWorld, WireAnswer } from './vendor.ts';

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json;charset=utf-8', ...headers },
  body: JSON.stringify(body),
});

/** An HTML page of the edge server in front of a vendor. */
export const htmlAnswer = (status: number): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`,
});

/** Longer than any time-out of the product (ms). */
const SILENCE_MS = 600_000;
const SLOW_MS = { from: 1_000, to: 20_000 };
const USUAL_MS = { from: 20, to: 200 };

const drawMs = ({ random }: VendorWorld, { from, to }: { from: number; to: number }) =>
  Math.floor(from + random() * (to - from));

/** The vendor takes its usual time for the call (20 to 200 ms). */
export const answerSoon = (world: VendorWorld, run: () => WireAnswer): VendorStep => ({
  afterMs: drawMs(world, USUAL_MS),
  run,
});

/** The vendor starts late (1 to 20 s), within or beyond the product's time-out. */
export const answerSlowly = (world: VendorWorld, run: () => WireAnswer): VendorStep => ({
  afterMs: drawMs(world, SLOW_MS),
  run,
});

/** The vendor does not respond while a caller could still wait. */
export const neverAnswer = (): VendorStep => ({ afterMs: SILENCE_MS, run: () => htmlAnswer(524) });
