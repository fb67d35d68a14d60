import { Hono } from 'hono';
import { hubs } from '../credentials.ts';
import type { SandboxEnv } from '../world.ts';
import type { Guard } from './access.ts';
import { COMPANY, CONTACT, INVOICE, LINE_ITEM, type ObjectType, objectTypes, PAYMENT } from './object-types.ts';
import { CrmProblem } from './problem.ts';

export type PropertyType = 'string' | 'number' | 'datetime' | 'enumeration' | 'bool';

export type PropertyDefinition = {
  name: string;
  label: string;
  type: PropertyType;
  options: string[];
  readOnly: boolean;
  /** Derived from the record itself, not stored among its properties. */
  system?: 'id' | 'created' | 'updated';
};

const property = (
  name: string,
  type: PropertyType = 'string',
  extra: Partial<PropertyDefinition> = {},
): PropertyDefinition => ({
  name,
  label: name
    .replace(/^hs_/, '')
    .replaceAll('_', ' ')
    .replace(/^./, (letter) => letter.toUpperCase()),
  type,
  options: [],
  readOnly: false,
  ...extra,
});

const textProperties = (...names: string[]) => names.map((name) => property(name));
const readOnlyProperty = (name: string, type: PropertyType = 'string') => property(name, type, { readOnly: true });

/** Contacts and companies use older names for these three properties. */
const systemProperties = (created: string, updated: string) => [
  property('hs_object_id', 'number', { readOnly: true, system: 'id' }),
  property(created, 'datetime', { readOnly: true, system: 'created' }),
  property(updated, 'datetime', { readOnly: true, system: 'updated' }),
];

const definitions: Record<ObjectType, PropertyDefinition[]> = {
  [CONTACT]: [
    ...systemProperties('createdate', 'lastmodifieddate'),
    ...textProperties(
      'firstname',
      'lastname',
      'email',
      'phone',
      'mobilephone',
      'company',
      'address',
      'city',
      'state',
      'zip',
      'country',
      'hs_language',
    ),
  ],
  [COMPANY]: [
    ...systemProperties('createdate', 'hs_lastmodifieddate'),
    ...textProperties('name', 'domain', 'phone', 'address', 'address2', 'city', 'state', 'zip', 'country'),
  ],
  [LINE_ITEM]: [
    ...systemProperties('createdate', 'hs_lastmodifieddate'),
    ...textProperties(
      'name',
      'description',
      'hs_sku',
      'hs_line_item_currency_code',
      'hs_tax_rate_group_id',
      'recurringbillingfrequency',
      'hs_product_id',
    ),
    property('quantity', 'number'),
    property('price', 'number'),
    property('discount', 'number'),
    property('amount', 'number'),
    property('hs_recurring_billing_start_date', 'datetime'),
    property('hs_recurring_billing_end_date', 'datetime'),
  ],
  [INVOICE]: [
    ...systemProperties('hs_createdate', 'hs_lastmodifieddate'),
    readOnlyProperty('hs_number'),
    ...textProperties(
      'hs_title',
      'hs_currency',
      'hs_purchase_order_number',
      'hs_comments',
      'hs_tax_id',
      'hs_language',
      'hs_locale',
      'hubspot_owner_id',
    ),
    property('hs_invoice_status', 'enumeration', { options: ['draft', 'open', 'paid', 'voided'] }),
    property('hs_invoice_date', 'datetime'),
    property('hs_due_date', 'datetime'),
    readOnlyProperty('hs_amount_billed', 'number'),
    readOnlyProperty('hs_amount_paid', 'number'),
    readOnlyProperty('hs_balance_due', 'number'),
    readOnlyProperty('hs_payment_date', 'datetime'),
    readOnlyProperty('hs_days_overdue', 'number'),
    readOnlyProperty('hs_invoice_link'),
    readOnlyProperty('hs_pdf_download_link'),
    property('hs_invoice_billable', 'bool', { options: ['true', 'false'] }),
    property('hs_allow_partial_payments', 'bool', { options: ['true', 'false'] }),
    ...textProperties('hs_recipient_shipping_address', 'hs_recipient_shipping_address2', 'hs_recipient_shipping_city'),
    ...textProperties('hs_recipient_shipping_state', 'hs_recipient_shipping_zip', 'hs_recipient_shipping_country'),
    ...textProperties('hs_recipient_company_address', 'hs_recipient_company_address2', 'hs_recipient_company_city'),
    ...textProperties('hs_recipient_company_state', 'hs_recipient_company_zip'),
  ],
  [PAYMENT]: [
    ...systemProperties('hs_createdate', 'hs_lastmodifieddate'),
    property('hs_initial_amount', 'number'),
    property('hs_initiated_date', 'datetime'),
    property('hs_latest_status', 'enumeration', {
      options: ['processing', 'succeeded', 'failed', 'partially_refunded', 'refunded'],
    }),
    property('hs_payment_method_type', 'enumeration', {
      options: ['card', 'ach', 'cash', 'check', 'wire_transfer', 'other'],
    }),
    property('hs_processor_type', 'enumeration', {
      options: ['hs_payments', 'byo_stripe', 'none', 'quickbooks', 'xero'],
    }),
    ...textProperties(
      'hs_currency_code',
      'hs_customer_email',
      'hs_payment_method_last_4',
      'hs_reference_number',
      'hs_internal_comment',
    ),
    property('hs_refunds_amount', 'number'),
    readOnlyProperty('hs_payment_id'),
  ],
};

/** A merchant's custom property, which only hub 1 has. Requesting it from another hub must not fail. */
const clinicName = property('clinic_name', 'string', { label: 'Clinic name' });

export function propertiesOf(hubId: number, type: ObjectType): PropertyDefinition[] {
  return type === INVOICE && hubId === hubs[0].hubId ? [...definitions[type], clinicName] : definitions[type];
}

export function findProperty(hubId: number, type: ObjectType, name: string): PropertyDefinition | undefined {
  return propertiesOf(hubId, type).find((definition) => definition.name === name);
}

/** Returned if a caller names no properties. */
export const defaultProperties: Record<ObjectType, string[]> = {
  [CONTACT]: ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'],
  [COMPANY]: ['createdate', 'domain', 'hs_lastmodifieddate', 'hs_object_id', 'name'],
  [LINE_ITEM]: ['createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  [INVOICE]: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
  [PAYMENT]: ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'],
};

export const searchDefaults: Record<ObjectType, string[]> = {
  ...defaultProperties,
  [LINE_ITEM]: [...defaultProperties[LINE_ITEM], 'quantity', 'amount', 'price'],
};

/** Properties that the search box's `query` searches. */
export const searchableProperties: Record<ObjectType, string[]> = {
  [CONTACT]: ['firstname', 'lastname', 'email', 'phone', 'company'],
  [COMPANY]: ['name', 'domain', 'phone'],
  [LINE_ITEM]: ['name', 'description', 'hs_sku'],
  [INVOICE]: ['hs_number', 'hs_title'],
  [PAYMENT]: ['hs_reference_number', 'hs_customer_email'],
};

const FIELD_TYPES = {
  string: 'text',
  number: 'number',
  datetime: 'date',
  enumeration: 'select',
  bool: 'booleancheckbox',
} as const;

function renderDefinition(definition: PropertyDefinition, group: string) {
  return {
    name: definition.name,
    label: definition.label,
    type: definition.type,
    fieldType: FIELD_TYPES[definition.type],
    description: '',
    groupName: `${group}information`,
    options: definition.options.map((value, displayOrder) => ({ label: value, value, displayOrder, hidden: false })),
    displayOrder: -1,
    calculated: false,
    externalOptions: false,
    hasUniqueValue: definition.system === 'id',
    hidden: false,
    hubspotDefined: definition.name !== 'clinic_name',
    formField: false,
    modificationMetadata: {
      archivable: definition.name === 'clinic_name',
      readOnlyDefinition: definition.name !== 'clinic_name',
      readOnlyValue: definition.readOnly,
    },
  };
}

/** Definitions are read-only here, so the object's read scope is enough. */
export function propertyRoutes(guard: Guard): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  for (const base of ['/crm/v3/properties/:type', '/crm/properties/:version{2025-09|2026-03|2026-09}/:type'] as const) {
    // [documented] Lists every property with its type and options.
    app.get(base, (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      return c.json({
        results: propertiesOf(caller.hubId, type).map((definition) =>
          renderDefinition(definition, objectTypes[type].singular),
        ),
      });
    });
    // [documented] Returns one property.
    // [guessed] Returns 404 for an unknown name.
    app.get(`${base}/:name`, (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      const definition = findProperty(caller.hubId, type, c.req.param('name'));
      if (!definition)
        throw new CrmProblem(404, `Property ${c.req.param('name')} does not exist`, { category: 'OBJECT_NOT_FOUND' });
      return c.json(renderDefinition(definition, objectTypes[type].singular));
    });
  }
  return app;
}
