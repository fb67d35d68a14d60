import '#worker/security/operate-permissions';
import '#worker/security/operator-permissions';
import { type Area, everyRow, type Who } from '#worker/security/permissions';

export type Route = { name: string; method: string; path: string; who: Who; area: Area };

const areas: Area[] = ['start', 'merchant', 'content', 'operator', 'operate'];

/** Every route by the permissions; worker/areas/areas.test.ts holds them against the routers. */
export const routes: Route[] = areas.flatMap((area) =>
  everyRow(area).map(([name, who]) => {
    const [method = '', path = ''] = name.split(' ');
    return { name, method, path, who, area };
  }),
);

/** The path in the form of OpenAPI. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}');

/** Two routes at one address are one operation: its callers tell them apart. */
export const addressOf = (path: string): string => templateOf(path).replace(/\{\w+\}/g, '{}');
