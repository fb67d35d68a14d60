import {
  FirstHour,
  type FirstHourBody,
  FirstHourMails,
  type FirstHourStep,
  TestLinkSent,
  type Waits,
} from '#shared/contracts/staff/first-hour';
import { formatCount } from '#shared/text/format-count';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { formatSince } from '#site/islands/ui/format-moment.ts';
import { api, sendJson } from '../api/api.ts';

const readFirstHour = readWith(FirstHour);
const readMails = readWith(FirstHourMails, ({ mails }) => mails);
const readTestLinkSent = readWith(TestLinkSent);

export const fetchFirstHour = () => api.call('/api/first-hour', readFirstHour);
export const saveDecision = (decision: FirstHourBody) =>
  api.call('/api/first-hour', readFirstHour, sendJson<FirstHourBody>('PUT', decision));
export const fetchMails = () => api.call('/api/first-hour/mails', readMails);
export const sendTestLink = () => api.call('/api/first-hour/test-link', readTestLinkSent, { method: 'POST' });

type Step = FirstHour['steps'][number];

const numberFormat = new Intl.NumberFormat('en-US');

/** Returns for example "3 seconds" or "about 4 minutes". */
export function describeDuration(seconds: number): string {
  if (seconds < 90) return formatCount(seconds, 'second');
  return `about ${formatCount(Math.round(seconds / 60), 'minute')}`;
}

const waitNames: Record<Waits, string> = { you: 'you', provider: 'the card provider', crm: 'your CRM' };

/** Returns for example "Waits for the card provider since 10:42 AM." */
function describeWait({ waits_for, since }: Step): string {
  if (!waits_for) return '';
  return `Waits for ${waitNames[waits_for]}${since ? ` since ${formatSince(since)}` : ''}.`;
}

export const stepTitles: Record<FirstHourStep, string> = {
  papers: 'What you need',
  connect: 'Your CRM',
  application: 'Application',
  terminals: 'Terminals',
  'test-link': 'A test link to yourself',
  staff: 'Your staff',
  mails: 'The emails',
};

/** Describes the state of a step in one or two sentences. */
export function describeStep(step: Step, view: FirstHour): string {
  switch (step.name) {
    case 'papers':
      return step.is_done
        ? 'EIN and bank letter are with the card provider.'
        : 'Have ready: your EIN (the tax number of the business) and a bank letter or a voided check.';
    case 'connect':
      return describeConnection(step, view);
    case 'application':
      return describeApplication(step, view);
    case 'terminals':
      if (step.is_done) return `${formatCount(view.terminals, 'terminal is', 'terminals are')} ready.`;
      return describeWait(step) || 'They come once the application is approved.';
    case 'test-link':
      return describeTestLink(step, view);
    case 'staff':
      return step.is_done ? describeTeam(view) : 'Only you have access so far.';
    case 'mails':
      return step.is_done
        ? 'You have seen the emails that your customers get.'
        : 'See the emails that your customers get.';
  }
}

function describeConnection(step: Step, { sync }: FirstHour): string {
  const { invoices, of, took_s, left_s } = sync;
  if (step.is_done) {
    const invoiceCount = formatCount(invoices, 'invoice');
    return took_s === null
      ? `Connected. ${invoiceCount}.`
      : `Connected. ${invoiceCount}, read in ${describeDuration(took_s)}.`;
  }
  if (step.waits_for === 'you') return 'Your CRM has ended the connection. Please log in with the CRM again.';
  if (of === null) return describeWait(step);
  const progress = `${numberFormat.format(invoices)} of ${formatCount(of, 'invoice')} read.`;
  return `${progress} ${left_s === null ? 'You can already work.' : `${describeDuration(left_s)} left; you can already work.`}`;
}

function describeApplication(step: Step, { application: status }: FirstHour): string {
  if (step.is_done) return 'Approved by the card provider.';
  if (status === 'declined') return 'The card provider has declined it. Please contact support.';
  const nextSteps: Partial<Record<NonNullable<FirstHour['application']>, string>> = {
    applied: ' Complete the set-up.',
    pended: ' The card provider needs more from you.',
  };
  return `${describeWait(step)}${status ? (nextSteps[status] ?? '') : ' Enter the name that your customers know.'}`;
}

function describeTestLink(step: Step, { test, terminals }: FirstHour): string {
  const { paid, invoice, sent_at, to } = test;
  if (paid) return `First payment: ${paid.amount}, ${formatSince(paid.at)}. Void it in its batch if it was a test.`;
  if (sent_at) return `Sent to ${to}, ${formatSince(sent_at)}. Open the email and pay.`;
  if (step.waits_for === null)
    return terminals > 0 ? 'There is no terminal for online payments.' : 'Available once your terminals are ready.';
  if (!invoice) return 'Create an open invoice in your CRM. It appears here within a minute.';
  const description = [invoice.number, invoice.customer].filter(Boolean).join(', ');
  const receipt = {
    customer: ` If you pay it, ${invoice.customer || 'the customer'} gets the receipt by email. To get it yourself, first create a small invoice for a customer with your address.`,
    caller: ' You get the receipt, too.',
    none: '',
  }[invoice.receipt];
  return `${invoice.amount} (${description}), to ${to}. It is a real link: void the payment afterwards.${receipt}`;
}

const describeTeam = ({ staff: { members, invited } }: FirstHour): string =>
  `${formatCount(members, 'person', 'people')}${invited > 0 ? `, ${numberFormat.format(invited)} invited` : ''}.`;
