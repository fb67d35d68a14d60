type Question = { asks: string; says: string };
/** `code`: the screen's part of the support code. */
type Topic = { name: string; code: string; at: RegExp; questions: Question[] };

const UNKNOWN: Question = {
  asks: 'What does "not known yet" mean?',
  says: 'The card provider has not said whether the card was charged. Do not take the payment again: we keep asking, and the answer shows by itself.',
};
const BACK: Question = {
  asks: 'How does a customer get money back?',
  says: 'From the invoice or the transaction: Void while the batch is open, Refund after it is settled. Who may do it, and up to which amount, is set under Team.',
};
const ALL_PAYMENTS: Question = {
  asks: 'Where are the payments of last month?',
  says: 'Press the figure of the day on the dashboard, then Last month. Export CSV saves what is shown; its amounts add up to the same sum.',
};
const CRM: Question = {
  asks: 'Is the invoice in HubSpot marked as paid?',
  says: 'Only if an administrator has switched that on, under Account, Payments settings. Each paid invoice shows its state in HubSpot. Without the switch, Tillway changes nothing there.',
};
const LINK: Question = {
  asks: 'How long does a payment link work?',
  says: 'Until some days after the due date or after the last mail, whichever is later. Its end is shown at the invoice.',
};

const topics: Topic[] = [
  {
    name: 'Batches Dashboard',
    code: 'BD',
    at: /^\/(batches|transactions)?$/,
    questions: [
      {
        asks: 'What is a batch?',
        says: 'The payments of one terminal that go to the bank together. It is open until it is closed, then it is settled.',
      },
      {
        asks: 'What happens when I close a batch?',
        says: 'You see its number and sum first, and confirm. A payment taken after that goes into the next batch.',
      },
      {
        asks: 'What counts as taken today?',
        says: 'Approved payments since midnight where the clinic is, less what was given back today. A payment that is not known yet is not in it.',
      },
      ALL_PAYMENTS,
      UNKNOWN,
    ],
  },
  {
    name: 'Payments',
    code: 'AP',
    at: /^\/transactions\/all$/,
    questions: [
      ALL_PAYMENTS,
      BACK,
      {
        asks: 'Why is a voided payment struck through?',
        says: 'It was never charged, so it counts in no sum. In the CSV its amount is 0.00, with the voided amount in a column of its own.',
      },
      UNKNOWN,
    ],
  },
  {
    name: 'Open Invoices',
    code: 'OI',
    at: /^\/openInvoices$/,
    questions: [
      {
        asks: 'Who gets the payment link?',
        says: 'The contact of the invoice, at the email address that HubSpot has. Without an address the button is off.',
      },
      LINK,
      {
        asks: 'What does "Revoke link" do?',
        says: 'After ten seconds, in which you can undo it, nobody can pay with the old link any more. A new link takes its place.',
      },
      CRM,
    ],
  },
  {
    name: 'Invoices',
    code: 'IN',
    at: /^\/invoices?(\/|$)/,
    questions: [
      {
        asks: 'Where do these invoices come from?',
        says: 'From HubSpot. Lists show our copy and say how old it is; before a payment the invoice is read again.',
      },
      LINK,
      BACK,
      CRM,
    ],
  },
  {
    name: 'Take Payment',
    code: 'TP',
    at: /^\/payments$/,
    questions: [
      {
        asks: 'The card was declined. What now?',
        says: 'Nothing was charged. Another card may work, or the customer pays by QR code on their own phone.',
      },
      UNKNOWN,
      {
        asks: 'Do we see the card number?',
        says: 'No. It goes from the terminal, or from the provider’s own field, to the card provider, and never through Tillway.',
      },
      CRM,
    ],
  },
  {
    name: 'Payment Analytics',
    code: 'PA',
    at: /^\/analytics$/,
    questions: [
      {
        asks: 'Which payments are counted?',
        says: 'Those that were approved. A payment whose outcome is not known is in no sum until it is.',
      },
      { asks: 'Whose day is it?', says: 'Days begin at midnight where the clinic is, wherever you look from.' },
      BACK,
      UNKNOWN,
    ],
  },
  {
    name: 'Payments to check',
    code: 'PC',
    at: /^\/checks$/,
    questions: [
      UNKNOWN,
      {
        asks: 'Two payments look alike. What now?',
        says: 'Ask whether both were meant. If not, void or refund one of them; if so, say so here, and it is told no more.',
      },
      BACK,
      CRM,
    ],
  },
];

const general: Topic = {
  name: 'Tillway',
  code: 'TW',
  at: /^/,
  questions: [
    {
      asks: 'How do I find an invoice or a customer?',
      says: 'Press Ctrl K (on a Mac ⌘ K), or Search or jump to, and type a number, a name or a company.',
    },
    {
      asks: 'Who can come in, and who may do what?',
      says: 'An administrator invites people under Account, Team, and gives each a role. Refunds have limits of their own.',
    },
    UNKNOWN,
    CRM,
  ],
};

/** The questions for the screen at this address, or general ones. */
export const topicAt = (path: string): Topic => topics.find(({ at }) => at.test(path)) ?? general;
