/** The path in the form of OpenAPI. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}');

/** Two routes at one address are one operation: its callers tell them apart. */
export const addressOf = (path: string): string => templateOf(path).replace(/\{\w+\}/g, '{}');
