/** `on`: the codes of the screens where the question is asked first. */
type Question = { asks: string; says: string; on: string[] };
/** `code`: the screen's part of the support code. */
type Topic = { name: string; code: string; at: RegExp };

const topics: Topic[] = [
  { name: 'Batches Dashboard', code: 'BD', at: /^\/(batches|transactions)?$/ },
  { name: 'Payments', code: 'AP', at: /^\/transactions\/all$/ },
  { name: 'Open Invoices', code: 'OI', at: /^\/openInvoices$/ },
  { name: 'Invoices', code: 'IN', at: /^\/invoices?(\/|$)/ },
  { name: 'Take Payment', code: 'TP', at: /^\/payments$/ },
  { name: 'Payment Analytics', code: 'PA', at: /^\/analytics$/ },
  { name: 'Payments to check', code: 'PC', at: /^\/checks$/ },
];

const general: Topic = { name: 'Tillway', code: 'TW', at: /^/ };

/** All questions, the most common first. */
export const questions: Question[] = [
  {
    asks: 'How do I find an invoice or a customer?',
    says: 'Press Ctrl K (⌘ K on a Mac) or Search or jump to, and type a number, a name or a company.',
    on: ['TW'],
  },
  {
    asks: 'How does a customer get money back?',
    says: 'Open the payment from the invoice, the transaction or the list of payments. Press Void while the batch is open, or Refund once it is settled. Who may do it, and up to which amount, is set under Account, Team.',
    on: ['IN', 'AP', 'PC', 'PA'],
  },
  {
    asks: 'The card was declined. What now?',
    says: 'Nothing was charged. The customer can use another card, or pay by QR code on their own phone.',
    on: ['TP'],
  },
  {
    asks: 'What does "not known yet" mean?',
    says: 'The card provider has not told us whether the card was charged. Do not take the payment again. We keep asking, and the answer appears here.',
    on: ['TW', 'BD', 'AP', 'TP', 'PA', 'PC'],
  },
  {
    asks: 'Who gets the payment link?',
    says: 'The contact of the invoice, at the email address in HubSpot. If HubSpot has no address, the button is off.',
    on: ['OI'],
  },
  {
    asks: 'How long does a payment link work?',
    says: 'Until 30 days after the due date or after the last email, whichever is later, unless your operator has set another time. The invoice shows when its link ends.',
    on: ['OI', 'IN'],
  },
  {
    asks: 'What does "Revoke link" do?',
    says: 'After ten seconds, during which you can undo it, the old link stops working. A new link takes its place.',
    on: ['OI'],
  },
  {
    asks: 'How do I remind customers of open invoices?',
    says: 'A manager sets the days under Account, Payments settings, Reminders. Reminders go out at 9:00 AM on working days, at most once in 7 days per invoice. You can leave out single invoices.',
    on: ['OI'],
  },
  {
    asks: 'Can a customer pay in parts or installments?',
    says: 'A manager allows partial payments under Account, Payments settings, and then for single invoices on the invoice. You can ask for a deposit and set the smallest part.',
    on: ['IN'],
  },
  {
    asks: 'Where do these invoices come from?',
    says: 'From HubSpot. Lists show our copy and say how old it is. Before each payment, the invoice is read again.',
    on: ['IN'],
  },
  {
    asks: 'Is the invoice marked as paid in HubSpot?',
    says: 'Only if an administrator has switched on recording under Account, Payments settings. The same page lists the payments that HubSpot does not have, so that you can enter them there.',
    on: ['TW', 'OI', 'IN', 'TP', 'PC'],
  },
  {
    asks: 'Where are the payments of last month?',
    says: 'Press the amount of the day on the dashboard, then Last month. Export CSV saves what is shown, and its amounts add up to the same total.',
    on: ['BD', 'AP'],
  },
  {
    asks: 'Why is a voided payment struck through?',
    says: 'It was never charged, so it is in no total. In the CSV its amount is 0.00, and the voided amount has its own column.',
    on: ['AP'],
  },
  {
    asks: 'What is a batch?',
    says: 'The payments of one terminal that go to the bank together. It stays open until you close it. Then it is settled.',
    on: ['BD'],
  },
  {
    asks: 'What happens when I close a batch?',
    says: 'You see its number and total first, and confirm. Payments taken afterwards go into the next batch.',
    on: ['BD'],
  },
  {
    asks: 'What counts as taken today?',
    says: 'Approved payments since midnight at the clinic, less today’s refunds. A payment that is not known yet is not included.',
    on: ['BD', 'PA'],
  },
  {
    asks: 'Two payments look alike. What now?',
    says: 'Ask the customer if both were intended. If not, void or refund one of them. If so, say so under Payments to check, and the warning ends.',
    on: ['PC'],
  },
  {
    asks: 'What is a chargeback?',
    says: 'The customer’s bank takes a card payment back because the customer objects to it. Answer it at the card provider, not in Tillway: the receipt and the signature of the payment are your evidence.',
    on: ['AP', 'PC'],
  },
  {
    asks: 'Why are online payments paused?',
    says: 'Your operator has paused them. No payment links are emailed, and pay pages say that payment is paused. Card readers work as usual.',
    on: ['OI', 'TP'],
  },
  {
    asks: 'Do we see the card number?',
    says: 'Only its last four digits. The number goes from the terminal, or from the provider’s own field, straight to the card provider, and never through Tillway.',
    on: ['TP'],
  },
  {
    asks: 'How do I give a colleague access?',
    says: 'An administrator invites them under Account, Team, and chooses a role. They need no HubSpot account: they log in with a passkey or a code by email.',
    on: ['TW'],
  },
  {
    asks: 'How do we share one computer at the front desk?',
    says: 'Each person sets a PIN under Account, User Info. Then Account, Switch person hands the browser over within seconds.',
    on: ['TW', 'TP'],
  },
  {
    asks: 'How do I log out a lost phone or laptop?',
    says: 'Under Account, User Info, Sessions, end the session of that device or all of them. An administrator can log a colleague out everywhere under Account, Team. Reset login removes passkeys and PIN but does not log them out.',
    on: ['TW'],
  },
];

/** The topic of the screen at this address, or the general one. */
export const topicAt = (path: string): Topic => topics.find(({ at }) => at.test(path)) ?? general;

export const questionsOn = ({ code }: Topic): Question[] => questions.filter(({ on }) => on.includes(code));

/** The questions whose texts contain every word, in any case and order; none for an empty search. */
export function findQuestions(text: string): Question[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return questions.filter(({ asks, says }) => words.every((word) => `${asks} ${says}`.toLowerCase().includes(word)));
}
