import type { Task } from '../engine/engine.ts';
import type { Bend, Trip } from '../engine/network.ts';
import type { World } from '../world/world.ts';

/** Lease of the product's token renewal (ms), as in worker/domain/crm-sync/access.ts. */
const LEASE_MS = 10_000;
/** A database call takes ten seconds at most, and a failed write of the new tokens is retried once. */
const WRITTEN_MS = 25_000;

/** A refresh token sent to the CRM. Times in UTC ms. */
export type Use = {
  task: Pick<Task, 'isOver'>;
  /** Time of its task's last database request before this, which took the lease. */
  leasedAt: number;
  /** True if the line or the CRM had a fault at this call. */
  isBent: boolean;
  /** Time at which its task received the new tokens; null: never. */
  heardAt: number | null;
  /** Failed calls of its task to the clinic's database since then. */
  failures: number;
};

/**
 * G: a refresh token is used once, since a CRM may revoke the grant at a second use. A second use is excused if the
 * first task died, its call failed, both writes of the new tokens failed, or its lease expired before they could
 * be written.
 */
export const excuses = (first: Use, second: Use, jumps: number[]): boolean =>
  !first.task.isOver ||
  first.isBent ||
  first.failures > 1 ||
  (second.leasedAt - first.leasedAt > LEASE_MS && mayBeUnwritten(first, second, jumps));

function mayBeUnwritten({ leasedAt, heardAt }: Use, second: Use, jumps: number[]): boolean {
  if (heardAt === null) return true;
  const writtenAt = heardAt + WRITTEN_MS;
  // Writes due during a clock jump are made after it.
  return second.leasedAt <= writtenAt || jumps.some((at) => at >= leasedAt && at <= writtenAt);
}

export function renewalWatch() {
  const uses = new Map<string, (Use & { name: string; key: string })[]>();
  const all = () => [...uses.values()].flat();

  return {
    sent({ engine }: World, { station, call, key, request }: Trip, { fault }: Bend) {
      const task = engine.task();
      if (station.name !== 'crm' || call !== 'tokens' || !task) return;
      const token = new URLSearchParams(request.body).get('refresh_token') ?? '';
      const use = {
        task,
        key,
        name: task.name,
        leasedAt: task.requestedAt,
        heardAt: null,
        failures: 0,
        isBent: fault !== null,
      };
      uses.set(token, [...(uses.get(token) ?? []), use]);
    },

    heard({ engine }: World, { key, call }: Trip, status: number) {
      if (call !== 'tokens' || status !== 200) return;
      for (const use of all()) if (use.key === key) use.heardAt = engine.now();
    },

    databaseFailed(_world: World, task: string) {
      for (const use of all()) if (use.name === task) use.failures += 1;
    },

    /** To be called once no task will end any more. */
    violations({ crm, story }: World): string[] {
      const jumps = story.met.filter(({ fault }) => fault === 'clock-jumps').map(({ at }) => at);
      const isWrong = ({ refreshToken }: { refreshToken: string }) => {
        const own = uses.get(refreshToken) ?? [];
        return own.some((second, at) => at > 0 && !own.slice(0, at).some((first) => excuses(first, second, jumps)));
      };
      return crm.truth().spent.some(isWrong) ? ['G: a refresh token of the CRM is used twice'] : [];
    },
  };
}
