/** A call as it leaves its sender: the product's at a vendor, or a vendor's webhook at the product. */
export type WireRequest = { method: string; url: URL; headers: Headers; body: string };

export type WireAnswer = { status: number; headers: Record<string, string>; body: string };

/** Work that a vendor does on a call, at least `afterMs` (ms) later. It ends with the answer, or goes on. */
export type VendorStep = { afterMs: number; run(): WireAnswer | VendorStep };

/**
 * A vendor as the simulation sees it. The network lies between: a request may be lost before `receive`, the answer after
 * it, either may be late, and the product may have stopped waiting or have died. The vendor goes on all the same.
 */
export type VendorModel = {
  /** Whether this vendor serves the address. */
  serves(url: URL): boolean;
  /** The request has arrived. A vendor never throws: a request it cannot read gets the answer that it would give. */
  receive(request: WireRequest): WireAnswer | VendorStep;
};

/** The world that a vendor's model lives in. It uses no other clock and no other chance, so that a seed repeats itself. */
export type VendorWorld = {
  /** UTC milliseconds, simulated. */
  now(): number;
  /** A number from 0 up to 1, by the seed. */
  random(): number;
  /** Hand a webhook to the network, which may deliver it late, twice, in another order, or not at all. */
  send(webhook: WireRequest): void;
  /** Work that the vendor does by itself, such as the return of a bank debit. `what` appears in the trace. */
  later(afterMs: number, what: string, run: () => void): void;
};
