export type ApplicationOutcome =
  | { kind: 'created'; merchantNumber: string; signupUrl: string }
  /** Certain: no application was made. */
  | { kind: 'refused'; message: string }
  /** One may have been made. */
  | { kind: 'unknown' };

/** What a webhook about an application says; `raw` is its body as it came. */
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
  /** Null when the body is not such a message. */
  readEvent(raw: string): BoardingEvent | null;
  /** Ask the gateway whose key this is. */
  describeTerminal(apiKey: string): Promise<TerminalFacts | 'bad-credentials' | 'unavailable'>;
};
