import type { InvoiceDraft, LineItem } from './make-invoice.ts';

/** Contacts of hub 1 for one awkward case each, after the ordinary contacts. */
export const oddContacts = {
  noLastName: { firstname: 'Ludovico', email: 'ludovico@example.com' },
  longName: {
    firstname: 'Þórdís-Ragnheiður Maximiliana',
    lastname: 'Wolfeschlegelsteinhausenbergerdorff-O’Shaughnessy 渡辺',
    email: 'thordis.long@example.com',
  },
  archived: { firstname: 'Gone', lastname: 'Patient', email: 'gone.patient@example.com' },
  noEmail: { firstname: 'Otto', lastname: 'Mailless' },
} as const;

export type OddContact = keyof typeof oddContacts;

type Awkward = {
  change: Partial<InvoiceDraft>;
  contact?: OddContact;
};

const many = (count: number): LineItem[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `Aligner tray ${index + 1} of ${count}`,
    price: '9.75',
    quantity: '1',
  }));

const DAY = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** One awkward case per position in hub 1's list, each among plain open invoices and away from the newest ten. */
export function awkwardInvoices(now: number): Record<number, Awkward> {
  return {
    60: { change: { contactIds: [] } },
    62: { change: {} },
    64: { change: { lines: [], amount: '212.00' } },
    66: { change: { lines: many(120), title: 'Aligner treatment, full set' } },
    68: { change: { lines: [{ name: 'Consultation', price: '85.00', quantity: null, amount: '85.00' }] } },
    70: {
      change: {
        lines: [
          {
            name: 'Whitening kit',
            price: '60.00',
            quantity: '3',
            amount: '150.00',
            description: 'Less 30.00 discount',
          },
        ],
      },
    },
    72: { change: { title: 'Zahnärztliche Prophylaxe – „große“ Behandlung' }, contact: 'longName' },
    74: { change: { currency: 'EUR' } },
    76: { change: { dueDate: dateOf(now - 75 * DAY) } },
    78: { change: { extra: { hs_invoice_billable: 'false', hs_invoice_link: null } } },
    80: { change: {}, contact: 'noLastName' },
    82: { change: {}, contact: 'archived' },
    84: { change: { extra: { clinic_name: 'Maple Street Dental, North' } } },
    86: { change: { lines: [{ name: 'Implant, first stage', price: '940.00', quantity: '1' }], paid: '300.00' } },
    88: { change: { balance: '0.00' } },
    90: { change: {}, contact: 'noEmail' },
    92: { change: { companyId: null } },
    // HubSpot has been seen to total only the first line of invoices made by API.
    94: {
      change: {
        lines: [
          { name: 'Root canal', price: '680.00' },
          { name: 'X-ray', price: '74.50' },
        ],
        amount: '680.00',
      },
    },
    96: { change: { status: 'voided' } },
    100: { change: { lines: [{ name: 'Full mouth restoration', price: '12480.50' }] } },
    104: { change: { balance: null } },
  };
}

/** The one invoice with two contacts. */
export const TWO_CONTACTS = 62;
