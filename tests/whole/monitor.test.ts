import { afterEach, describe, expect, it } from 'vitest';
import { until, useProduct } from '#tests/support/product/product';
import { installationSql } from './expect-money.ts';

const product = useProduct();
afterEach(() => product.sandbox('settings', { script_suffix: '' }));

type Run = { id: string; findings: number };

/** Runs the scheduled check of the built page, and returns the kinds of its findings. */
async function runCheck(): Promise<string[]> {
  await installationSql(product, 'DELETE FROM monitor_runs');
  await product.runSchedule();
  const find = `SELECT id, findings FROM monitor_runs WHERE source = 'inside' AND finished_at IS NOT NULL`;
  const [run] = await until(
    () => installationSql<Run>(product, find),
    (runs) => runs.length > 0,
  );
  const findings = await installationSql<{ kind: string }>(
    product,
    'SELECT kind FROM monitor_findings WHERE last_run_id = ? AND closed_at IS NULL',
    run?.id ?? '',
  );
  expect(findings).toHaveLength(run?.findings ?? 0);
  return findings.map(({ kind }) => kind);
}

describe('the tamper monitor inside the product', () => {
  it('passes the built page, and reports an extra byte in the provider’s script until it is gone', async () => {
    expect(await runCheck()).toEqual([]);
    await product.sandbox('settings', { script_suffix: ';' });
    expect(await runCheck()).toEqual(['script-changed']);
    expect(await runCheck()).toEqual(['script-changed']);
    await product.sandbox('settings', { script_suffix: '' });
    expect(await runCheck()).toEqual([]);
    const rows = await installationSql<{ times_seen: number; closed_as: string }>(
      product,
      `SELECT times_seen, closed_as FROM monitor_findings WHERE source = 'inside'`,
    );
    expect(rows).toEqual([{ times_seen: 2, closed_as: 'gone' }]);
  });
});
