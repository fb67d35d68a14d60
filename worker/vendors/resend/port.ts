export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  idempotencyKey: string;
  /** Headers of the mail itself. */
  headers?: Record<string, string>;
};

export type Mailer = {
  /** `refused`: the address or the mail is not acceptable and a retry is useless. Throws when a retry may help. */
  send(mail: Mail): Promise<'sent' | 'refused'>;
};
