import path from 'node:path';
import type { ViteUserConfig } from 'astro';

type Plugin = Extract<NonNullable<ViteUserConfig['plugins']>[number], { name: string }>;
type LocatedError = Error & { loc?: { file?: string; line?: number; column?: number } };

/**
 * Adds the file and line to the message of a compile error under the dev server: the runtime that requested the file
 * sees only the message.
 */
export const reportLocation: Plugin = {
  name: 'say-where',
  apply: 'serve',
  configureServer({ environments, config }) {
    for (const environment of Object.values(environments)) {
      const fetchModule = environment.fetchModule.bind(environment);
      environment.fetchModule = (...args) =>
        fetchModule(...args).catch((cause: unknown) => Promise.reject(withLocation(cause, config.root)));
    }
  },
};

/** Returns the error with its location (relative to the project) in the message, unless it is there already. */
export function withLocation(cause: unknown, root: string): unknown {
  if (!(cause instanceof Error)) return cause;
  const { file, line, column } = (cause as LocatedError).loc ?? {};
  if (!file || line === undefined) return cause;
  const location = `${path.relative(root, file.replace(/\?.*$/, ''))}:${line}:${column ?? 0}`;
  if (!cause.message.includes(location)) cause.message += `\n${location}`;
  return cause;
}
