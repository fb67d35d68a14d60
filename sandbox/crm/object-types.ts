/** HubSpot's numeric object type ids (0-53 is 53) and the names that address them. */
export const CONTACT = 1;
export const COMPANY = 2;
export const LINE_ITEM = 8;
export const INVOICE = 53;
export const PAYMENT = 101;

export type ObjectType = typeof CONTACT | typeof COMPANY | typeof LINE_ITEM | typeof INVOICE | typeof PAYMENT;

type TypeInfo = {
  plural: string;
  singular: string;
  /** Key in an object's inline `associations`, which spell line items with a space. */
  inlineKey: string;
  readScopes: string[];
  writeScopes: string[];
};

export const objectTypes: Record<ObjectType, TypeInfo> = {
  [CONTACT]: {
    plural: 'contacts',
    singular: 'contact',
    inlineKey: 'contacts',
    readScopes: ['crm.objects.contacts.read'],
    writeScopes: ['crm.objects.contacts.write'],
  },
  [COMPANY]: {
    plural: 'companies',
    singular: 'company',
    inlineKey: 'companies',
    readScopes: ['crm.objects.companies.read'],
    writeScopes: ['crm.objects.companies.write'],
  },
  [LINE_ITEM]: {
    plural: 'line_items',
    singular: 'line_item',
    inlineKey: 'line items',
    readScopes: ['crm.objects.line_items.read', 'e-commerce'],
    writeScopes: ['crm.objects.line_items.write', 'e-commerce'],
  },
  [INVOICE]: {
    plural: 'invoices',
    singular: 'invoice',
    inlineKey: 'invoices',
    readScopes: ['crm.objects.invoices.read'],
    writeScopes: ['crm.objects.invoices.write'],
  },
  [PAYMENT]: {
    plural: 'commerce_payments',
    singular: 'commerce_payment',
    inlineKey: 'commerce_payments',
    readScopes: ['crm.objects.commercepayments.read'],
    writeScopes: ['crm.objects.commercepayments.write'],
  },
};

const typesByName = new Map<string, ObjectType>();
for (const type of [CONTACT, COMPANY, LINE_ITEM, INVOICE, PAYMENT] as const) {
  for (const name of [objectTypes[type].plural, objectTypes[type].singular, `0-${type}`]) typesByName.set(name, type);
}

/** Accepts a plural, a singular or a numeric type id, in any case. Returns null for any other type. */
export const objectTypeOf = (name: string): ObjectType | null => typesByName.get(name.trim().toLowerCase()) ?? null;

/** Directional ids of HubSpot's own association types: [from, to, id]. */
const TYPE_IDS: [ObjectType, ObjectType, number][] = [
  [INVOICE, CONTACT, 177],
  [CONTACT, INVOICE, 178],
  [INVOICE, COMPANY, 179],
  [COMPANY, INVOICE, 180],
  [INVOICE, LINE_ITEM, 409],
  [LINE_ITEM, INVOICE, 410],
  [INVOICE, PAYMENT, 541],
  [PAYMENT, INVOICE, 542],
  [PAYMENT, CONTACT, 387],
  [CONTACT, PAYMENT, 388],
  [PAYMENT, COMPANY, 389],
  [COMPANY, PAYMENT, 390],
  [CONTACT, COMPANY, 279],
  [COMPANY, CONTACT, 280],
];

/** The unlabeled association type between two kinds of record, or null if they cannot be linked. */
export function associationTypeId(from: ObjectType, to: ObjectType): number | null {
  return TYPE_IDS.find(([a, b]) => a === from && b === to)?.[2] ?? null;
}
