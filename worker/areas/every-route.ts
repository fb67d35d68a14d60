import type { Route, Routes } from '#worker/http/routes';
import { contentRouteGroups } from './content.ts';
import { merchantRouteGroups } from './merchant.ts';
import { operateRouteGroups } from './operate.ts';
import { operatorRouteGroups } from './operator.ts';
import { startRouteGroups } from './start.ts';

/**
 * The part of the Worker that serves a route. `start` is always loaded; each other area is loaded on its first request
 * (docs/decisions/0017-lazy-areas.md).
 */
export type Area = 'start' | 'merchant' | 'content' | 'operator' | 'operate';

const groupsByArea: Record<Area, readonly Routes[]> = {
  start: startRouteGroups,
  merchant: merchantRouteGroups,
  content: contentRouteGroups,
  operator: operatorRouteGroups,
  operate: operateRouteGroups,
};

export type NamedRoute = { name: string; method: string; path: string; area: Area; route: Route };

/** Every route of the product, for the tools and tests that describe or test all of them. */
export const everyRoute: readonly NamedRoute[] = Object.entries(groupsByArea).flatMap(([area, groups]) =>
  groups.flatMap((group) =>
    Object.entries(group).map(([name, route]) => {
      const [method = '', path = ''] = name.split(' ');
      return { name, method, path, area: area as Area, route };
    }),
  ),
);
