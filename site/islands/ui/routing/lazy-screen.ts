import type { ComponentType } from 'react';

/** The maximum time (ms) that a screen's code may take to load. */
export const CHUNK_LIMIT_MS = 120_000;

/** A screen whose code is loaded on demand. */
export type LazyScreen<Props> = {
  /** Loads the code. Rejects if it cannot be loaded in time. */
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

/** Preloads code. A failure is ignored here, since it is reported when the screen opens. */
export function preload(...chunks: ({ load(): Promise<unknown> } | undefined)[]): void {
  for (const chunk of chunks) chunk?.load().catch(() => undefined);
}
