import type { MonitorNoted, MonitorState } from '#shared/contracts/monitor';
import type { ApprovalBody, MonitorReportBody } from '#shared/contracts/monitor-request';
import { INSTALLATION } from '#worker/data/schema/audit';
import { readMonitor } from '#worker/data/tamper-monitor/runs';
import { type Approved, approveVersion, listApproved } from '#worker/data/tamper-monitor/script-versions';
import type { Deps } from '#worker/deps';
import { type Acting, auditEvent } from '#worker/domain/audit/event';
import { deployedFiles } from './look-inside.ts';
import { noteRun } from './note-run.ts';

/** What the monitor outside compares with, and how the monitor stands. */
export async function viewMonitor(deps: Deps): Promise<MonitorState> {
  const { db, payPage } = deps;
  const [approved, { lastRuns, findings }] = await Promise.all([listApproved(db), readMonitor(db)]);
  return {
    approved,
    files: payPage ? await deployedFiles(deps, await payPage()) : {},
    lastRuns,
    findings: findings.map(({ source, kind, subject, expected, seen, firstSeenAt, lastSeenAt, timesSeen }) => ({
      ...{ source, kind, subject, expected, seen, firstSeenAt, lastSeenAt, timesSeen },
    })),
  };
}

/** Keep what a browser saw. `wrong-body`: a version's bytes do not have the hash that is said of them. */
export async function noteReport(deps: Deps, report: MonitorReportBody): Promise<MonitorNoted | 'wrong-body'> {
  const versions = report.versions.map(({ body, ...version }) => ({
    ...version,
    body: Uint8Array.from(atob(body), (character) => character.charCodeAt(0)),
  }));
  for (const { sha256, body } of versions) if ((await deps.sha256(body)) !== sha256) return 'wrong-body';
  const id = deps.newId();
  const { browser, seen, findings } = report;
  const look = { id, source: 'outside', startedAt: deps.now(), browser, seen, findings, versions } as const;
  return { runId: id, newFindings: await noteRun(deps, look) };
}

/** A person accepts a version of the provider's script. */
export function approveScript(deps: Acting & Pick<Deps, 'db'>, approval: ApprovalBody): Promise<Approved> {
  const { sha256, by, reason } = approval;
  const event = auditEvent(
    { ...deps, actor: { ...deps.actor, kind: 'operator', id: by } },
    { accountId: INSTALLATION, action: 'script.approved', subject: ['script-version', sha256], after: { by, reason } },
  );
  return approveVersion(deps.db, { ...approval, at: deps.now(), event });
}
