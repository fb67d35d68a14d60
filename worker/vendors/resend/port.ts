export type Mail = { to: string; subject: string; text: string; html: string; idempotencyKey: string };

export type Mailer = {
  /** `refused`: the address or the mail itself is not acceptable, trying again is of no use. Throws when it may be tried again. */
  send(mail: Mail): Promise<'sent' | 'refused'>;
};
