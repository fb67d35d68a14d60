import { Hono } from 'hono';
import type { SandboxEnv } from '../world.ts';
import type { Guard } from './access.ts';
import { objectTypes } from './object-types.ts';
import { CrmProblem } from './problem.ts';
import { findProperty, type PropertyDefinition, propertiesOf } from './property-definitions.ts';

const FIELD_TYPES = {
  string: 'text',
  number: 'number',
  datetime: 'date',
  enumeration: 'select',
  bool: 'booleancheckbox',
} as const;

function render(definition: PropertyDefinition, group: string) {
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
    // [documented] Every property with its kind and its options.
    app.get(base, (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      return c.json({
        results: propertiesOf(caller.hubId, type).map((definition) => render(definition, objectTypes[type].singular)),
      });
    });
    // [documented] One property.
    // [guessed] The answer for a name that is none.
    app.get(`${base}/:name`, (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      const definition = findProperty(caller.hubId, type, c.req.param('name'));
      if (!definition)
        throw new CrmProblem(404, `Property ${c.req.param('name')} does not exist`, { category: 'OBJECT_NOT_FOUND' });
      return c.json(render(definition, objectTypes[type].singular));
    });
  }
  return app;
}
