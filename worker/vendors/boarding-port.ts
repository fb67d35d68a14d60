export type ApplicationOutcome =
  | { kind: 'created'; merchantNumber: string; signupUrl: string }
  /** No application was made, for certain. */
  | { kind: 'refused'; message: string }
  /** An application may have been made. */
  | { kind: 'unknown' };

/** A webhook about an application; `raw` is its body, unchanged. */
export type BoardingEvent = {
  event: string;
  merchantNumber: string;
  terminals: { apiKey: string; publicKey: string; name: string }[];
  raw: string;
};

export type TerminalFacts = {
  terminalId: string;
  name: string;
  channel: 'ecommerce' | 'counter';
  merchantNumber: string;
};

/** A batch of a terminal that was paid out on a day, and how much came. */
export type Deposit = { batchId: string; terminalId: string; fundedOn: string; depositCents: number };

export type Boarding = {
  createApplication(request: { dbaName: string; email: string }): Promise<ApplicationOutcome>;
  /** Null when the body is no such message. */
  readEvent(raw: string): BoardingEvent | null;
  /** Asks the gateway which terminal the key belongs to. */
  describeTerminal(apiKey: string): Promise<TerminalFacts | 'bad-credentials' | 'unavailable'>;
  /** What was to be paid out to a merchant on a day (YYYY-MM-DD), by the provider's report. */
  listDeposits(merchantNumber: string, day: string): Promise<Deposit[] | 'unavailable'>;
};
