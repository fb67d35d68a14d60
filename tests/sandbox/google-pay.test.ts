import { describe, expect, it } from 'vitest';
import { startSandbox } from './start.ts';

const sandbox = await startSandbox();
const textOf = async (path: string) => (await fetch(`${sandbox.url}${path}`)).text();

describe('the browser scripts', () => {
  it.each([
    ['google_button', 'form', '/js-sdk/js/clearent-host.js', "GOOGLE_BUTTON = 'form'"],
    ['google_cancel', 'error', '/js-sdk/js/clearent-host.js', "GOOGLE_CANCEL = 'error'"],
    ['google_amount', 'press', '/js-sdk/js/clearent-host.js', "GOOGLE_AMOUNT = 'press'"],
    ['google_script', 'google', '/js-sdk/js/clearent-host.js', "GOOGLE_SCRIPT = 'google'"],
    ['google_pay', 'off', '/gp/p/js/pay.js', "GOOGLE_PAY = 'off'"],
  ])('offer Google Pay as the setting %s says', async (setting, value, path, constant) => {
    expect(await textOf(path)).not.toContain(constant);
    await sandbox.control('settings', { [setting]: value });
    expect(await textOf(path)).toContain(constant);
  });
});
