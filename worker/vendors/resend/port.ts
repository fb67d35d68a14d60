import type { Delivery } from '#shared/contracts/lists/mail-values';

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  idempotencyKey: string;
  /** Headers of the mail itself. */
  headers?: Record<string, string>;
  /** Whose outbox it is in: the number of a clinic, 0 for the installation. What the service tells of it names both. */
  clinic: number;
};

export type Mailer = {
  /**
   * Answers the service's id of the mail; `sent`: it took the mail earlier, and does not say its id again. `refused`: the
   * address or the mail is not acceptable and a retry is useless. Throws when a retry may help.
   */
  send(mail: Mail): Promise<{ id: string } | 'sent' | 'refused'>;
};

export type MailNews = {
  /** In the service's own word. */
  type: string;
  /** How far the mail has come; null: the word says nothing of it. */
  delivery: Delivery | null;
  /** Nothing else will arrive at this address either. */
  isFinal: boolean;
};

export type MailEvent = MailNews & {
  /** A repeat has the same. */
  id: string;
  /** UTC ms, by the service's clock. */
  at: number;
  /** The service's id of the mail. */
  providerId: string;
  /** Our mail; null: none that we know of. */
  mail: { clinic: number; id: string } | null;
};

/** What comes with the body of a webhook. */
export type Signed = { id: string; timestamp: string; signature: string };

/** What the mail service tells of mails after it took them. */
export type MailTeller = {
  /** `off`: no secret is set. `forged`: not signed by the service, or not within minutes. `unreadable`: signed, no event. */
  read(
    signed: Signed,
    body: Uint8Array<ArrayBuffer>,
    now: number,
  ): Promise<MailEvent | 'off' | 'forged' | 'unreadable'>;
  /** Asks for the last event of a mail; null: the service does not say. */
  ask(providerId: string): Promise<MailNews | null>;
};
