import type { VendorStep, VendorWorld, WireAnswer } from './vendor.ts';

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json;charset=utf-8', ...headers },
  body: JSON.stringify(body),
});

/** A page of the edge server that stands before a vendor. */
export const htmlAnswer = (status: number): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`,
});

/** Longer than any time-out of the product (ms). */
const SILENCE_MS = 600_000;
const SLOW_MS = { from: 1_000, to: 20_000 };
const USUAL_MS = { from: 20, to: 200 };

const within = ({ random }: VendorWorld, { from, to }: { from: number; to: number }) =>
  Math.floor(from + random() * (to - from));

/** The vendor works on the call for as long as it usually does (20 to 200 ms). */
export const soon = (world: VendorWorld, run: () => WireAnswer): VendorStep => ({
  afterMs: within(world, USUAL_MS),
  run,
});

/** The vendor begins late (1 to 20 s), on both sides of the product's patience. */
export const slowly = (world: VendorWorld, run: () => WireAnswer): VendorStep => ({
  afterMs: within(world, SLOW_MS),
  run,
});

/** The vendor says nothing while a caller could still wait. */
export const never = (): VendorStep => ({ afterMs: SILENCE_MS, run: () => htmlAnswer(524) });
