import { html as tag } from 'hono/html';
import { plainText } from '#shared/text/safe-text';
import { htmlLang, type Language } from '#shared/words/language';
import type { Mail } from '#worker/vendors/resend/port';

/** Subject, text and HTML of an email. */
export type Letter = Pick<Mail, 'subject' | 'text' | 'html' | 'headers'>;

/** The result of composing an email. Null if the email is obsolete. `later` (UTC ms): compose it again at that time. */
export type ComposedMail = Letter | null | { later: number };

/** Makes CRM text safe for one line: it must not break a header, fake another line or change the text direction. */
export const oneLine = (text: string): string =>
  plainText(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

/** Markup with all its values escaped. */
export type Markup = Exclude<ReturnType<typeof tag>, Promise<unknown>>;
type Part = Markup | Markup[];

/** Hono's tag returns a promise only if a value is a promise, which the values in an email never are. */
export function html(parts: TemplateStringsArray, ...values: (string | Part)[]): Markup {
  const markup = tag(parts, ...values);
  if (markup instanceof Promise) throw new Error('a mail is composed without waiting');
  return markup;
}

/** The HTML page of every email: light colors, one column, no pictures and no scripts. */
export const sheetIn =
  (language: Language) =>
  (title: string, ...parts: Part[]): string =>
    html`<!doctype html><html lang="${htmlLang[language]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body style="margin:0;padding:24px;background:#f7fbf9;color:#13221d;font:16px/24px system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #dae2de;border-radius:14px;padding:24px">
${parts.flat()}
</div></body></html>`.toString();

/** Like `sheetIn`, in English, for emails to everyone except payers. */
export const sheet = sheetIn('en');

/** Address and phone of a business in one line. */
export const contactOf = ({ address, phone }: { address: string | null; phone: string | null }): string =>
  [address, phone]
    .filter((part) => part !== null && part !== '')
    .map((part) => oneLine(part ?? ''))
    .join(', ');

/** The sender's name and contact. */
export const senderBlock = (business: string, contact: string): Markup =>
  html`<p style="margin:0;font-weight:600">${business}</p>
<p style="margin:0 0 16px;color:#42514c;font-size:14px">${contact}</p>
`;

/** The main amount of an email, with its label above. */
export const amount = (label: string, sum: string): Markup =>
  html`<p style="margin:0;color:#42514c">${label}</p>
<p style="margin:0 0 16px;font-size:36px;line-height:44px;font-weight:600">${sum}</p>
`;

export type Fact = [label: string, value: string];

export const table = (facts: Fact[]): Markup =>
  html`<table role="presentation" style="width:100%;border-collapse:collapse;font-size:15px">${facts.map(
    ([label, value]) =>
      html`<tr><td style="padding:6px 12px 6px 0;border-top:1px solid #dae2de;color:#42514c">${label}</td><td style="padding:6px 0;border-top:1px solid #dae2de;text-align:right">${value}</td></tr>`,
  )}</table>
`;

/** The facts for the text version of an email, one per line. */
export const lines = (facts: Fact[]): string[] => facts.map(([label, value]) => `${label}: ${oneLine(value)}`);

export const link = (address: string, text: string): Markup =>
  html`<p style="margin:20px 0 0"><a href="${address}" style="color:#095e45;font-weight:600">${text}</a></p>
`;

export const button = (address: string, text: string): Markup =>
  html`<p style="margin:20px 0 0"><a href="${address}" style="display:inline-block;background:#0d5b45;color:#ffffff;font-weight:600;text-decoration:none;border-radius:10px;padding:12px 24px">${text}</a></p>
`;

export const note = (text: string): Markup =>
  html`<p style="margin:12px 0 0;color:#42514c;font-size:14px">${text}</p>
`;
