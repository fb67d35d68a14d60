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

export type Boarding = {
  createApplication(request: { dbaName: string; email: string }): Promise<ApplicationOutcome>;
  /** Null when the body is no such message. */
  readEvent(raw: string): BoardingEvent | null;
  /** Asks the gateway which terminal the key belongs to. */
  describeTerminal(apiKey: string): Promise<TerminalFacts | 'bad-credentials' | 'unavailable'>;
};
