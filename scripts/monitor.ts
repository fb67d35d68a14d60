import { parseArgs } from 'node:util';
import { formatFinding } from '#shared/tamper-monitor';
import { launchBrowser } from '#tests/support/browser/chromium';
import { callsOf, type Installation, readInstallation } from './monitor/installation.ts';
import { runMonitor } from './monitor/run.ts';

/**
 * `npm run monitor`: loads a live pay page in a real browser and compares it with the inventory (docs/pci.md). It types
 * nothing and presses nothing. Prints a line per finding. Exits with 1 on a finding or if it cannot check or report.
 *
 * --link URL: a permanent test link; --evidence FOLDER; --times N: that many checks with one browser; --local: checks
 * the product on this machine, even if there is a production.json; --approve SHA256 --by NAME --reason TEXT: accepts a
 * version of a script of others.
 */
const FOLDER = 'monitor-evidence';

try {
  await main();
} catch (cause) {
  console.error(`monitor: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      link: { type: 'string' },
      evidence: { type: 'string', default: FOLDER },
      times: { type: 'string', default: '1' },
      local: { type: 'boolean', default: false },
      approve: { type: 'string' },
      by: { type: 'string', default: '' },
      reason: { type: 'string', default: '' },
    },
  });
  const { approve: sha256, by, reason, times, evidence, local: isLocal, link } = values;
  const installation = readInstallation(process.env, { ...(link ? { link } : {}), isLocal });
  if (sha256 !== undefined) {
    const { closedFindings } = await callsOf(installation).approve({ sha256, by, reason });
    console.log(`approved by ${by.trim()}; findings closed: ${closedFindings}`);
    return;
  }
  const count = Number(times);
  if (!Number.isInteger(count) || count < 1) throw new Error('--times must be a number from 1');
  process.exitCode = (await checkRepeatedly(installation, count, evidence)) === 0 ? 0 : 1;
}

/** Returns the total number of findings. */
async function checkRepeatedly(installation: Installation, times: number, folder: string): Promise<number> {
  const startedAt = Date.now();
  const browser = await launchBrowser();
  let total = 0;
  try {
    for (let at = 1; at <= times; at++) {
      const { findings, file, counts } = await runMonitor(browser, installation, folder);
      total += findings.length;
      for (const finding of findings) console.log(`finding ${formatFinding(finding)}`);
      const compared = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
      if (at === times) console.log(`compared ${compared.join(', ')}; evidence in ${file}`);
    }
  } finally {
    await browser.close();
  }
  console.log(`${times} checks, ${total} findings, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  return total;
}
