import { useEffect, useState } from 'react';
import type { Health } from '#shared/contracts/health';
import { api } from '../api/api.ts';

/** Of the source; where it was not deployed from one, of the Worker. */
const buildOf = (body: unknown): string => {
  const { commit, version } = (body ?? {}) as Partial<Health>;
  return (commit || version || '').slice(0, 7);
};

/** The first letters of the build that answers; empty until it is known, and where it is not. */
export function useBuild(): string {
  const [build, setBuild] = useState('');
  useEffect(() => {
    void api.call('/api/health', buildOf).then((answer) => answer.ok && setBuild(answer.value));
  }, []);
  return build;
}
