import type { Delivery } from '#shared/contracts/lists/mail-values';

export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  idempotencyKey: string;
  /** The sender name to show instead of ours, on one line. */
  senderName?: string;
  /** The address for replies, instead of ours. */
  replyTo?: string;
  /** Headers of the email itself. */
  headers?: Record<string, string>;
  /** The owner of the outbox: the number of a clinic, or 0 for the installation. Sent as a tag. */
  clinic: number;
};

export type Mailer = {
  /**
   * Returns the service's id of the email. `sent`: it accepted the email earlier and does not repeat the id. `refused`:
   * the address or the email is not acceptable, and a retry is useless. Throws if a retry may help.
   */
  send(mail: Mail): Promise<{ id: string } | 'sent' | 'refused'>;
};

export type MailStatus = {
  /** The event type in the service's terms. */
  type: string;
  /** The delivery state; null if the type does not state it. */
  delivery: Delivery | null;
  /** True if later emails will not reach this address either. */
  isFinal: boolean;
};

export type MailEvent = MailStatus & {
  /** The same for repeated deliveries of the event. */
  id: string;
  /** UTC ms, by the service's clock. */
  at: number;
  /** The service's id of the email. */
  providerId: string;
  /** Our email; null if unknown. */
  mail: { clinic: number; id: string } | null;
};

/** The signature headers of a webhook. */
export type SignatureHeaders = { id: string; timestamp: string; signature: string };

/** Delivery events of emails that the mail service accepted. */
export type MailTracking = {
  /** `off`: no secret is set. `forged`: bad signature or stale time. `unreadable`: signed, but not an event. */
  read(
    signatureHeaders: SignatureHeaders,
    body: Uint8Array<ArrayBuffer>,
    now: number,
  ): Promise<MailEvent | 'off' | 'forged' | 'unreadable'>;
  /** Queries the last event of an email. Null if the service does not report it. */
  readLastEvent(providerId: string): Promise<MailStatus | null>;
};
