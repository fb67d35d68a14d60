import type { ApprovalBody, MonitorNoted, MonitorReportBody, MonitorState } from '#shared/contracts/operators/monitor';
import { INSTALLATION } from '#worker/data/schema/audit';
import { readMonitor } from '#worker/data/tamper-monitor/runs';
import { type ApprovalOutcome, approveVersion, listApprovedHashes } from '#worker/data/tamper-monitor/script-versions';
import type { Deps } from '#worker/deps';
import { type AuditDeps, auditEvent } from '#worker/domain/audit/event';
import { deployedFiles, saveRun } from './watch.ts';

/** The data that the external monitor compares with, and the monitor's state. */
export async function viewMonitor(deps: Deps): Promise<MonitorState> {
  const { db, payPage } = deps;
  const [approved, { lastRuns, findings }] = await Promise.all([listApprovedHashes(db), readMonitor(db)]);
  return {
    approved,
    files: payPage ? await deployedFiles(deps, await payPage()) : {},
    lastRuns,
    findings: findings.map(({ source, kind, subject, expected, seen, firstSeenAt, lastSeenAt, timesSeen }) => ({
      source,
      kind,
      subject,
      expected,
      seen,
      firstSeenAt,
      lastSeenAt,
      timesSeen,
    })),
  };
}

/** Stores a report of the external monitor. `wrong-body`: a script version does not have the reported hash. */
export async function saveMonitorReport(deps: Deps, report: MonitorReportBody): Promise<MonitorNoted | 'wrong-body'> {
  const versions = report.versions.map(({ body, ...version }) => ({
    ...version,
    body: Uint8Array.from(atob(body), (character) => character.charCodeAt(0)),
  }));
  for (const { sha256, body } of versions) if ((await deps.sha256(body)) !== sha256) return 'wrong-body';
  const id = deps.newId();
  const { browser, seen, findings } = report;
  const run = { id, source: 'outside', startedAt: deps.now(), browser, seen, findings, versions } as const;
  return { runId: id, newFindings: await saveRun(deps, run) };
}

/** Approves a version of a third-party script. */
export function approveScript(deps: AuditDeps & Pick<Deps, 'db'>, approval: ApprovalBody): Promise<ApprovalOutcome> {
  const { sha256, by, reason } = approval;
  const event = auditEvent(
    { ...deps, actor: { ...deps.actor, kind: 'operator', id: by } },
    { accountId: INSTALLATION, action: 'script.approved', subject: ['script-version', sha256], after: { by, reason } },
  );
  return approveVersion(deps.db, { sha256, operator: by, reason, at: deps.now(), event });
}

const WINDOW_MS = 60_000;
/** The number of reports that are logged per minute; of further ones, one in SAMPLE_INTERVAL is logged. */
const MAX_LOGGED = 10;
const SAMPLE_INTERVAL = 100;

let windowStartedAt = 0;
let reports = 0;

/**
 * Logs a browser's report of a violation of the pay page's policy. Any client can send any number of reports, so a
 * report raises no alert and a flood leaves few log lines; `heard` counts the reports of the minute in this isolate.
 * Only the blocked origin is logged, because the rest of a URL may contain a payer's data.
 */
export function handleCspReport({ log, now }: Pick<Deps, 'log' | 'now'>, report: string): void {
  if (Math.abs(now() - windowStartedAt) >= WINDOW_MS) {
    windowStartedAt = now();
    reports = 0;
  }
  reports++;
  if (reports > MAX_LOGGED && reports % SAMPLE_INTERVAL !== 0) return;
  const directive = /"(?:effective-?[dD]irective|violated-directive)"\s*:\s*"([a-z-]{1,40})/.exec(report)?.[1] ?? '';
  const blocked =
    /"blocked-?(?:URL|uri)"\s*:\s*"((?:https?|wss?):\/\/[\w.:-]{1,100}|[a-z-]{1,20})/.exec(report)?.[1] ?? '';
  log.info('csp-violation', { directive, blocked, heard: reports });
}
