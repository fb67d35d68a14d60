import { html } from '#shared/escape';
import type { Mail } from '../ports.ts';
import type { Receipt } from './receipt.ts';

/** A name from the CRM must not break a header or pretend to be another line. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** The receipt as a mail. It names no line item: what was treated is nobody's business but the clinic's. */
export function receiptMail(receipt: Receipt, to: string, idempotencyKey: string): Mail {
  const business = oneLine(receipt.business);
  const rows: [string, string | null][] = [
    ['Amount', receipt.amount],
    ['Status', receipt.status],
    ['Invoice', receipt.number],
    ['Date', receipt.date],
    ['Paid by', receipt.customer],
    ['Method', receipt.method],
    ['Card', receipt.card || null],
    ['Authorization code', receipt.authCode],
    ['Transaction id', receipt.transactionId],
    ['Result', receipt.result],
    ['Fee reported by the provider', receipt.fee],
    ...receipt.refunds.map(({ date, amount }): [string, string] => [`Refund ${date}`, amount]),
    ['Paid after refunds', receipt.paidAfterRefunds],
  ];
  const shown = rows.filter((row): row is [string, string] => row[1] !== null);
  const contact = [receipt.businessAddress, receipt.businessPhone].filter(Boolean).join(', ');
  const check = `To check that this mail is real, open the receipt at ${receipt.checkAddress} or call ${business}.`;
  return {
    to,
    idempotencyKey,
    subject: `Receipt for invoice ${oneLine(receipt.number)} from ${business}`,
    text: [
      `Receipt from ${business}`,
      contact,
      '',
      ...shown.map(([label, value]) => `${label}: ${oneLine(value)}`),
      '',
      check,
      '',
    ].join('\n'),
    html: html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Receipt</title></head>
<body style="margin:0;padding:24px;background:#f7fbf9;color:#13221d;font:16px/24px system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:560px;margin:0 auto;background:#ffffff;border:1px solid #dae2de;border-radius:14px;padding:24px">
<p style="margin:0;font-weight:600">${business}</p>
<p style="margin:0 0 16px;color:#42514c;font-size:14px">${contact}</p>
<p style="margin:0;color:#42514c">${receipt.status}</p>
<p style="margin:0 0 16px;font-size:36px;line-height:44px;font-weight:600">${receipt.amount}</p>
<table role="presentation" style="width:100%;border-collapse:collapse;font-size:15px">${shown.map(
      ([label, value]) =>
        html`<tr><td style="padding:6px 12px 6px 0;border-top:1px solid #dae2de;color:#42514c">${label}</td><td style="padding:6px 0;border-top:1px solid #dae2de;text-align:right">${value}</td></tr>`,
    )}</table>
<p style="margin:20px 0 0"><a href="${receipt.checkAddress}" style="color:#095e45;font-weight:600">View the receipt</a></p>
<p style="margin:12px 0 0;color:#42514c;font-size:14px">${check}</p>
</div></body></html>`.text,
  };
}
