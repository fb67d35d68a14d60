import { healthChecks } from '#shared/contracts/operators/health';
import type { OperatorBuilds, OperatorDumps, OperatorHealth } from '#shared/contracts/operators/operator';
import { operator } from '#shared/operator';
import { listHeartbeats } from '#worker/data/alerts/health';
import { listBuilds } from '#worker/data/content/publishing/builds';
import { findClinicWithProblems } from '#worker/data/directory/clinic-groups';
import { findDump } from '#worker/data/operate/dumps';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { viewHealth } from '#worker/domain/alerts/health';
import { viewPublishState } from '#worker/domain/content/publishing/build';
import { BACKUP_JOB, viewDumps } from '#worker/domain/operate/dump';
import { problemFacts, stateOf, viewPayments } from './status.ts';

const MAX_BUILDS = 50;
/** A database younger than this (ms) has its first dump in the coming night. */
const FIRST_NIGHT_MS = 24 * 3_600_000;

const iso = (at: number) => new Date(at).toISOString();

/** The state of the public site, and its newest builds. */
export async function viewBuilds(deps: Deps): Promise<OperatorBuilds> {
  const [{ state, since, reason }, builds] = await Promise.all([
    viewPublishState(deps, null),
    listBuilds(deps.installation, MAX_BUILDS),
  ]);
  return {
    state,
    since,
    reason,
    builds: builds.map((build) => ({
      id: build.id,
      revision: build.revision,
      state: build.state,
      progress: build.progress,
      step: build.step,
      reason: build.reason,
      requested_at: iso(build.requestedAt),
      reported_at: iso(build.reportedAt),
    })),
  };
}

/** The checks of the installation, and the last run of each job, failing ones first. Calls no vendor. */
export async function viewOperatorHealth(deps: Deps): Promise<OperatorHealth> {
  const [{ status, version, commit, time, checks }, heartbeats] = await Promise.all([
    viewHealth(deps, true),
    listHeartbeats(deps.installation),
  ]);
  return {
    status,
    version,
    commit,
    at: time,
    checks: healthChecks.flatMap((name) => {
      const check = checks?.[name];
      return check ? [{ name, ...check }] : [];
    }),
    jobs: heartbeats
      // This job never runs itself: its times are those of the oldest dump.
      .filter(({ job }) => job !== BACKUP_JOB)
      .sort((a, b) => Number(a.ok) - Number(b.ok) || a.job.localeCompare(b.job))
      .map(({ job, ok, finishedAt, okAt, ms }) => ({
        job,
        is_ok: ok,
        finished_at: iso(finishedAt),
        ok_at: iso(okAt),
        ms,
      })),
  };
}

/** The dumps from which a clinic or, for 0, the installation can be restored. Null if there is no such clinic. */
export async function viewRestore(deps: Deps, number: number): Promise<OperatorDumps | null> {
  const facts = problemFacts(deps.now(), await viewPayments(deps));
  const clinic = number === INSTALLATION ? null : await findClinicWithProblems(deps.installation, facts, number);
  if (clinic === undefined) return null;
  const account = clinic ? clinic.row.accountId : INSTALLATION;
  const dumps = account === null ? null : await viewDumps(deps, account, null);
  // The installation's first dump is planned as soon as its schedule runs.
  const foundedAt = clinic ? clinic.row.foundedAt : (await findDump(deps.installation))?.endedAt;
  return {
    account,
    name: clinic ? clinic.row.name : operator.name,
    state: clinic ? stateOf(clinic.row, clinic.problems) : 'ok',
    problems: clinic?.problems ?? [],
    is_first_due: dumps?.dumps.length === 0 && deps.now() - (foundedAt ?? deps.now()) < FIRST_NIGHT_MS,
    dumps: (dumps?.dumps ?? [])
      .map(({ folder, at, rows, acts, ledgerCents }) => ({
        folder,
        at: iso(at),
        rows,
        acts,
        ledger_cents: ledgerCents,
      }))
      .reverse(),
  };
}
