/** `screens` contains the codes of the screens where Help shows the question at once. */
type Question = { question: string; answer: string; screens: string[] };
/** `code` identifies the screen in the support code, and `path` is the pattern of its path. */
type Topic = { name: string; code: string; path: RegExp };

const topics: Topic[] = [
  { name: 'Batches Dashboard', code: 'BD', path: /^\/(batches|transactions)?$/ },
  { name: 'Payments', code: 'AP', path: /^\/transactions\/all$/ },
  { name: 'Open Invoices', code: 'OI', path: /^\/openInvoices$/ },
  { name: 'Invoices', code: 'IN', path: /^\/invoices?(\/|$)/ },
  { name: 'Take Payment', code: 'TP', path: /^\/payments$/ },
  { name: 'Payment Analytics', code: 'PA', path: /^\/analytics$/ },
  { name: 'Payments to check', code: 'PC', path: /^\/checks$/ },
];

const generalTopic: Topic = { name: 'Tillway', code: 'TW', path: /^/ };

/** All questions, the most common ones first. */
export const questions: Question[] = [
  {
    question: 'How do I find an invoice or a customer?',
    answer: 'Press Ctrl K (⌘ K on a Mac) or Search or jump to, and type a number, a name or a company.',
    screens: ['TW'],
  },
  {
    question: 'How does a customer get money back?',
    answer:
      'Open the payment from the invoice, the transaction or the list of payments. Press Void while the batch is open, or Refund once it is settled. Who may do it, and up to which amount, is set under Account, Team.',
    screens: ['IN', 'AP', 'PC', 'PA'],
  },
  {
    question: 'The card was declined. What now?',
    answer: 'Nothing was charged. The customer can use another card, or pay by QR code on their own phone.',
    screens: ['TP'],
  },
  {
    question: 'What does "not known yet" mean?',
    answer:
      'The card provider has not told us whether the card was charged. Do not take the payment again. We keep asking, and the answer appears here.',
    screens: ['TW', 'BD', 'AP', 'TP', 'PA', 'PC'],
  },
  {
    question: 'Who gets the payment link?',
    answer:
      'The contact of the invoice, at the email address in HubSpot. If HubSpot has no address, the button is off.',
    screens: ['OI'],
  },
  {
    question: 'How long does a payment link work?',
    answer:
      'Until 30 days after the due date or after the last email, whichever is later, unless your operator has set another time. The invoice shows when its link ends.',
    screens: ['OI', 'IN'],
  },
  {
    question: 'What does "Revoke link" do?',
    answer: 'After ten seconds, during which you can undo it, the old link stops working. A new link takes its place.',
    screens: ['OI'],
  },
  {
    question: 'How do I remind customers of open invoices?',
    answer:
      'A manager sets the days under Account, Payments settings, Reminders. Reminders go out at 9:00 AM on working days, at most once in 7 days per invoice. You can leave out single invoices.',
    screens: ['OI'],
  },
  {
    question: 'Can customers pay with Apple Pay or Google Pay?',
    answer:
      'A manager accepts each under Account, Payments settings. Payment pages then offer Apple Pay on Apple devices, once the card provider has registered their domain, and Google Pay where the browser has it. Refunds and voids work as for other card payments.',
    screens: ['OI', 'AP'],
  },
  {
    question: 'Can a customer pay in parts or installments?',
    answer:
      'A manager allows partial payments under Account, Payments settings, and then for single invoices on the invoice. You can ask for a deposit and set the smallest part.',
    screens: ['IN'],
  },
  {
    question: 'Where do these invoices come from?',
    answer: 'From HubSpot. Lists show our copy and say how old it is. Before each payment, the invoice is read again.',
    screens: ['IN'],
  },
  {
    question: 'Is the invoice marked as paid in HubSpot?',
    answer:
      'Only if an administrator has switched on recording under Account, Payments settings. The same page lists the payments that HubSpot does not have, so that you can enter them there.',
    screens: ['TW', 'OI', 'IN', 'TP', 'PC'],
  },
  {
    question: 'Where are the payments of last month?',
    answer:
      'Press the amount of the day on the dashboard, then Last month. Export CSV saves what is shown, and its amounts add up to the same total.',
    screens: ['BD', 'AP'],
  },
  {
    question: 'Why is a voided payment struck through?',
    answer:
      'It was never charged, so it is in no total. In the CSV its amount is 0.00, and the voided amount has its own column.',
    screens: ['AP'],
  },
  {
    question: 'What is a batch?',
    answer:
      'The payments of one terminal that go to the bank together. It stays open until you close it. Then it is settled.',
    screens: ['BD'],
  },
  {
    question: 'What happens when I close a batch?',
    answer: 'You see its number and total first, and confirm. Payments taken afterwards go into the next batch.',
    screens: ['BD'],
  },
  {
    question: 'What counts as taken today?',
    answer:
      'Approved payments since midnight at the clinic, less today’s refunds. A payment that is not known yet is not included.',
    screens: ['BD', 'PA'],
  },
  {
    question: 'Two payments look alike. What now?',
    answer:
      'Ask the customer if both were intended. If not, void or refund one of them. If so, press Not a duplicate under Payments to check, and the warning ends.',
    screens: ['PC'],
  },
  {
    question: 'What is a chargeback?',
    answer:
      'The customer’s bank takes a card payment back because the customer objects to it. Answer it at the card provider, not in Tillway: the receipt and the signature of the payment are your evidence.',
    screens: ['AP', 'PC'],
  },
  {
    question: 'Why are online payments paused?',
    answer:
      'Your operator has paused them. No payment links are emailed, and payment pages say that payment is paused. Card readers work as usual.',
    screens: ['OI', 'TP'],
  },
  {
    question: 'Do we see the card number?',
    answer:
      'Only its last four digits. The number goes from the card reader, or from the provider’s own field, straight to the card provider, and never through Tillway.',
    screens: ['TP'],
  },
  {
    question: 'How do I give a colleague access?',
    answer:
      'An administrator invites them under Account, Team, and chooses a role. They need no HubSpot account: they log in with a passkey or a code by email.',
    screens: ['TW'],
  },
  {
    question: 'How do we share one computer at the front desk?',
    answer:
      'Each person sets a PIN under Account, User Info. Then Account, Switch person hands the browser over within seconds.',
    screens: ['TW', 'TP'],
  },
  {
    question: 'How do I log out a lost phone or laptop?',
    answer:
      'Under Account, User Info, Sessions, end the session of that device or all of them. An administrator can log a colleague out everywhere under Account, Team. Reset login removes passkeys and PIN but does not log them out.',
    screens: ['TW'],
  },
];

/** Returns the topic of the screen at this path, or the general topic. */
export const topicAt = (path: string): Topic => topics.find((topic) => topic.path.test(path)) ?? generalTopic;

export const questionsOn = ({ code }: Topic): Question[] => questions.filter(({ screens }) => screens.includes(code));

/** Returns the questions that contain every word in the question or the answer. Empty text finds none. */
export function findQuestions(text: string): Question[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return questions.filter(({ question, answer }) =>
    words.every((word) => `${question} ${answer}`.toLowerCase().includes(word)),
  );
}
