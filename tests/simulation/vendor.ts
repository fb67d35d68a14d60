/** A request as it is sent: from the product to a vendor, or a vendor's webhook to the product. */
export type WireRequest = { method: string; url: URL; headers: Headers; body: string };

export type WireAnswer = { status: number; headers: Record<string, string>; body: string };

/** Work of a vendor on a request, at least `afterMs` (ms) later. It returns the response, or a further step. */
export type VendorStep = { afterMs: number; run(): WireAnswer | VendorStep };

/**
 * A vendor in the simulation, behind the network: a request may be lost before `receive`, the response after it, either
 * may be late, and the product may have stopped waiting or have died. The vendor continues regardless.
 */
export type VendorModel = {
  /** True if this vendor serves the address. */
  serves(url: URL): boolean;
  /** Called when a request arrives. Never throws: an invalid request gets the vendor's error response. */
  receive(request: WireRequest): WireAnswer | VendorStep;
};

/** Environment of a vendor's model. It uses no other clock or randomness, so that a seed is reproducible. */
export type VendorWorld = {
  /** UTC milliseconds, simulated. */
  now(): number;
  /** A number from 0 to below 1, by the seed. */
  random(): number;
  /** Hands a webhook to the network, which may deliver it late, twice, out of order, or not at all. */
  send(webhook: WireRequest): void;
  /** Schedules the vendor's own work, such as the return of a bank debit. `label` appears in the trace. */
  later(afterMs: number, label: string, run: () => void): void;
};
