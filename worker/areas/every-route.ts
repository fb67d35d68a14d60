import type { Route, Routes } from '#worker/http/routes';
import { contentRooms } from './content.ts';
import { merchantRooms } from './merchant.ts';
import { operateRooms } from './operate.ts';
import { operatorRooms } from './operator.ts';
import { startRooms } from './start.ts';

/**
 * The part of the Worker that serves a route: its start, or an area that is loaded on its first request
 * (docs/decisions/0017-lazy-areas.md).
 */
export type Area = 'start' | 'merchant' | 'content' | 'operator' | 'operate';

const roomsByArea: Record<Area, readonly Routes[]> = {
  start: startRooms,
  merchant: merchantRooms,
  content: contentRooms,
  operator: operatorRooms,
  operate: operateRooms,
};

export type NamedRoute = { name: string; method: string; path: string; area: Area; route: Route };

/** Every route of the product, for the tools and tests that describe or test all of them. */
export const everyRoute: readonly NamedRoute[] = Object.entries(roomsByArea).flatMap(([area, rooms]) =>
  rooms.flatMap((room) =>
    Object.entries(room).map(([name, route]) => {
      const [method = '', path = ''] = name.split(' ');
      return { name, method, path, area: area as Area, route };
    }),
  ),
);
