export type ApplicationOutcome =
  | { kind: 'created'; merchantNumber: string; signupUrl: string }
  /** It is certain that no application was created. */
  | { kind: 'refused'; message: string }
  /** An application may have been created. */
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

/** The amount paid out for a batch of a terminal on a day. */
export type Deposit = { batchId: string; terminalId: string; fundedOn: string; depositCents: number };

export type Boarding = {
  createApplication(request: { dbaName: string; email: string }): Promise<ApplicationOutcome>;
  /** Null if the body is not an application event. */
  readEvent(raw: string): BoardingEvent | null;
  /** Queries the gateway for the terminal of an API key. */
  describeTerminal(apiKey: string): Promise<TerminalFacts | 'bad-credentials' | 'unavailable'>;
  /** Lists the payouts scheduled for a merchant on a day (YYYY-MM-DD), from the provider's report. */
  listDeposits(merchantNumber: string, day: string): Promise<Deposit[] | 'unavailable'>;
};
