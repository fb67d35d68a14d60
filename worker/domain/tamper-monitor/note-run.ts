import type { MonitorFinding, Seen } from '#shared/contracts/monitor-request';
import type { MonitorSource } from '#worker/data/schema/tamper-monitor';
import { endRun, putEvidence } from '#worker/data/tamper-monitor/runs';
import { keepVersions, type SeenVersion } from '#worker/data/tamper-monitor/script-versions';
import type { Deps } from '#worker/deps';

/** Findings of one look that get a row; a page that differs in more ways is one that a person looks at anyway. */
const ROWS = 40;
/** Characters of a subject in the log. */
const SUBJECT = 200;

export type Look = {
  id: string;
  source: MonitorSource;
  /** UTC ms. */
  startedAt: number;
  /** Name and version; empty for a look without one. */
  browser: string;
  seen: Seen;
  findings: MonitorFinding[];
  versions: SeenVersion[];
};

/**
 * Keep a look with its evidence, and tell of what it found for the first time. Evidence and bodies are stored before the
 * rows that name them. Returns how many findings are new.
 */
export async function noteRun(deps: Deps, look: Look): Promise<number> {
  const { db, media, now, newId, log } = deps;
  const { id, source, startedAt, browser, seen, findings, versions } = look;
  await keepVersions(db, media, versions, now());
  const evidenceKey = await putEvidence(media, id, startedAt, { id, source, startedAt, browser, seen, findings });
  const fresh = await endRun(db, {
    ...{ id, source, startedAt, finishedAt: now(), evidenceKey },
    findings: findings.slice(0, ROWS).map((finding) => ({ ...finding, id: newId() })),
  });
  for (const { kind, subject } of fresh) {
    log.alert(kind === 'script-changed' ? kind : 'pay-page-differs', {
      source,
      kind,
      subject: subject.slice(0, SUBJECT),
    });
  }
  return fresh.length;
}
