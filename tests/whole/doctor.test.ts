import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { VENDORS } from '#scripts/going-live/check-go-live';
import { useProduct } from '#tests/support/product/product';

const product = useProduct();

/** One of the project's commands, at the product of this run. */
const run = (script: string, ...args: string[]) => {
  const [PORT = '', SANDBOX_PORT = ''] = [product.appUrl, product.sandboxUrl].map((url) => new URL(url).port);
  return promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { ...process.env, PORT, SANDBOX_PORT, TILLWAY_STATE: product.state },
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
};

describe('the local environment', () => {
  it('passes the doctor once the schedule has checked the pay page', async () => {
    await product.runSchedule();
    await expect
      .poll(() => run('doctor', '--to', 'local'), { timeout: 45_000 })
      .toMatchObject({
        code: 0,
        text: expect.stringContaining('Everything is in place.'),
      });
  });

  it.each(VENDORS)('answers the doctor’s probe of %s', async (vendor) => {
    const { code, text } = await run('probe', vendor, '--to', 'local');
    expect(code, text).toBe(0);
    expect(text).toContain(`# Probe of ${vendor}, `);
    expect(text).toContain(': yes');
    expect(text).not.toContain('does not answer');
  });
});
