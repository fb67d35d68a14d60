import type { ComponentType } from 'react';

/** How long the code of a screen may take. */
export const CHUNK_LIMIT_MS = 120_000;

/** A screen whose code comes when it is needed. */
export type LazyScreen<Props> = {
  /** The screen, or an error when its code cannot be had in time. */
  load(): Promise<ComponentType<Props>>;
  loaded(): ComponentType<Props> | null;
};

export function lazyScreen<Props = object>(load: () => Promise<ComponentType<Props>>): LazyScreen<Props> {
  let screen: ComponentType<Props> | null = null;
  return {
    loaded: () => screen,
    load: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('the code of a screen has not come')), CHUNK_LIMIT_MS);
        load()
          .then((loaded) => {
            screen = loaded;
            resolve(loaded);
          }, reject)
          .finally(() => clearTimeout(timer));
      }),
  };
}

/** One that does not come is told of when it is needed. */
export function fetchAhead(...chunks: ({ load(): Promise<unknown> } | undefined)[]): void {
  for (const one of chunks) one?.load().catch(() => undefined);
}
