import type { Task } from '../engine/engine.ts';
import type { Disturbance, Trip } from '../engine/network.ts';
import type { World } from '../world/world.ts';

/** Lease of the product's token renewal (ms), as in worker/domain/crm-sync/access.ts. */
const LEASE_MS = 10_000;
/** A database call takes ten seconds at most, and a failed write of the new tokens is retried once. */
const WRITE_MS = 25_000;

/** A refresh token sent to the CRM. Times in UTC ms. */
export type Use = {
  task: Pick<Task, 'isOver'>;
  /** Time of its task's last database request before this, which took the lease. */
  leasedAt: number;
  /** True if the line or the CRM had a fault at this call. */
  isDisturbed: boolean;
  /** Time at which its task received the new tokens; null: never. */
  answeredAt: number | null;
  /** Failed calls of its task to the clinic's database since then. */
  failures: number;
};

/**
 * G: a refresh token is used once, since a CRM may revoke the grant at a second use. A second use is excused if the
 * first task died, its call failed, both writes of the new tokens failed, or its lease expired before they could
 * be written.
 */
export const isSecondUseExcused = (first: Use, second: Use, jumps: number[]): boolean =>
  !first.task.isOver ||
  first.isDisturbed ||
  first.failures > 1 ||
  (second.leasedAt - first.leasedAt > LEASE_MS && mayBeUnwritten(first, second, jumps));

function mayBeUnwritten({ leasedAt, answeredAt }: Use, second: Use, jumps: number[]): boolean {
  if (answeredAt === null) return true;
  const writtenAt = answeredAt + WRITE_MS;
  // Writes due during a clock jump are made after it.
  return second.leasedAt <= writtenAt || jumps.some((at) => at >= leasedAt && at <= writtenAt);
}

export function renewalWatch() {
  const uses = new Map<string, (Use & { name: string; key: string })[]>();
  const all = () => [...uses.values()].flat();

  return {
    onSent({ engine }: World, { station, call, key, request }: Trip, { fault }: Disturbance) {
      const task = engine.task();
      if (station.name !== 'crm' || call !== 'tokens' || !task) return;
      const token = new URLSearchParams(request.body).get('refresh_token') ?? '';
      const use = {
        task,
        key,
        name: task.name,
        leasedAt: task.requestedAt,
        answeredAt: null,
        failures: 0,
        isDisturbed: fault !== null,
      };
      uses.set(token, [...(uses.get(token) ?? []), use]);
    },

    onAnswer({ engine }: World, { key, call }: Trip, status: number) {
      if (call !== 'tokens' || status !== 200) return;
      for (const use of all()) if (use.key === key) use.answeredAt = engine.now();
    },

    onDatabaseFault(_world: World, task: string) {
      for (const use of all()) if (use.name === task) use.failures += 1;
    },

    /** Call this once no task can end any more. */
    violations({ crm, story }: World): string[] {
      const jumps = story.faults.filter(({ fault }) => fault === 'clock-jumps').map(({ at }) => at);
      const isViolation = ({ refreshToken }: { refreshToken: string }) => {
        const tokenUses = uses.get(refreshToken) ?? [];
        return tokenUses.some(
          (second, index) =>
            index > 0 && !tokenUses.slice(0, index).some((first) => isSecondUseExcused(first, second, jumps)),
        );
      };
      return crm.truth().revokedUses.some(isViolation) ? ['G: a refresh token of the CRM is used twice'] : [];
    },
  };
}
