import { describe, expect, it } from 'vitest';
import { readEnv } from './env.ts';

const valid: Record<string, string> = {
  APP_URL: 'http://localhost:8787',
  HUBSPOT_API_BASE: 'https://api.hubapi.example/',
  HUBSPOT_AUTHORIZE_BASE: 'https://app.hubspot.example',
  HUBSPOT_CLIENT_ID: 'id',
  HUBSPOT_CLIENT_SECRET: 'very-secret-secret',
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_SANDBOX: 'true',
  BOARDING_BASE_URL: 'https://boarding.example',
  BOARDING_ACCESS_KEY: 'very-secret-access',
  BOARDING_NODE_KEY: 'node',
  BOARDING_WEBHOOK_SECRET: 'a-very-secret-part-of-the-address',
  TRANSACTION_WEBHOOK_SECRET: 'another-very-secret-part-of-an-address',
  MAIL_API_BASE: 'https://api.mail.example',
  MAIL_API_KEY: 'very-secret-key',
  MAIL_FROM: 'Tillway <receipts@tillway.example>',
  TOKEN_KEYS: `k1:${btoa('0123456789abcdef0123456789abcdef')}`,
  CAPABILITY_KEYS: `c1:${btoa('0123456789abcdef0123456789abcdef')}`,
  OWNER_SETUP_CODE: 'a-code-that-makes-the-owner',
  BUILD_SECRET: 'a-very-secret-word-of-the-builder',
  SESSION_KEYS: `s1:${btoa('0123456789abcdef0123456789abcdef')}`,
};
const validWithout = (name: string) => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));
const refusalOf = (vars: Record<string, unknown>): string => {
  try {
    readEnv(vars);
  } catch (cause) {
    return String(cause);
  }
  return '';
};

describe('readEnv', () => {
  it('applies defaults and removes the trailing slash of an address', () => {
    const settings = readEnv(valid);
    expect(settings).toMatchObject({
      HUBSPOT_API_BASE: 'https://api.hubapi.example',
      GATEWAY_SANDBOX: true,
      HOLD_MS: 900_000,
      CHARGE_TIMEOUT_MS: 25_000,
      TERMINAL_TIMEOUT_MS: 180_000,
      DECLINES_PER_LINK_HOUR: 5,
      DECLINES_PER_IP_HOUR: 10,
      PAY_LINK_DAYS: 30,
    });
    expect(readEnv({ ...valid, GATEWAY_SANDBOX: 'false', HOLD_MS: '5' })).toMatchObject({
      GATEWAY_SANDBOX: false,
      HOLD_MS: 5,
    });
  });

  it.each(Object.keys(valid))('names %s when it is missing or empty', (name) => {
    expect(refusalOf(validWithout(name))).toBe(`Error: setting ${name} is missing`);
    expect(refusalOf({ ...valid, [name]: '' })).toContain(`setting ${name} is missing`);
  });

  it.each([
    ['APP_URL', 'localhost-8787'],
    ['HUBSPOT_API_BASE', 'ftp://value.example'],
    ['GATEWAY_BASE_URL', 'javascript:alert(1)'],
    ['GATEWAY_SANDBOX', 'yes-value'],
    ['MAIL_FROM', 'receipts-value@tillway.example'],
    ['MAIL_FROM', 'Value\r\nBcc: x <a@b.example>'],
    ['TOKEN_KEYS', 'k1:dmFsdWU='],
    ['TOKEN_KEYS', 'value'],
    ['HOLD_MS', 'value'],
    ['HOLD_MS', '-1'],
    ['HOLD_MS', '1.5'],
    ['DECLINES_PER_LINK_HOUR', '0'],
    ['MAX_AMOUNT_CENTS', '1e309'],
    ['OWNER_SETUP_CODE', 'value'],
    ['DEPLOY_HOOK_URL', 'value'],
  ])('names a malformed %s without showing its value (%s)', (name, value) => {
    const refusal = refusalOf({ ...valid, [name]: value });
    expect(refusal).toContain(`setting ${name} is malformed`);
    expect(refusal).not.toContain(value);
  });

  it('names all invalid settings at once, without secrets', () => {
    const refusal = refusalOf({ ...valid, APP_URL: undefined, MAIL_FROM: 'nobody', TOKEN_KEYS: 'k1:very-secret' });
    for (const name of ['APP_URL', 'MAIL_FROM', 'TOKEN_KEYS']) expect(refusal).toContain(name);
    expect(refusal).not.toContain('very-secret');
  });

  it('enforces minimums outside localhost, so that a test setting cannot weaken the product', () => {
    const liveSettings = { ...valid, APP_URL: 'https://pay.tillway.example' };
    expect(readEnv(liveSettings).HOLD_MS).toBe(900_000);
    for (const [name, value] of [
      ['HOLD_MS', '899999'],
      ['CHARGE_TIMEOUT_MS', '9999'],
      ['TERMINAL_TIMEOUT_MS', '59999'],
      ['CRM_TIMEOUT_MS', '1999'],
      ['HASH_INTERVAL_MS', '299'],
    ] as const) {
      expect(refusalOf({ ...liveSettings, [name]: value })).toContain(`setting ${name} must be at least`);
      expect(refusalOf({ ...valid, [name]: value })).toBe('');
    }
    for (const host of ['http://[::1]:1', 'http://127.0.0.1:1'])
      expect(refusalOf({ ...valid, APP_URL: host, HOLD_MS: '0' })).toBe('');
    expect(refusalOf({ ...valid, APP_URL: 'http://localhost.evil.example', HOLD_MS: '0' })).not.toBe('');
  });

  it.each(['APP_URL', 'HUBSPOT_API_BASE', 'GATEWAY_BASE_URL', 'MAIL_API_BASE', 'HUBSPOT_AUTHORIZE_BASE'])(
    'requires https for %s outside localhost',
    (name) => {
      const liveSettings = { ...valid, APP_URL: 'https://pay.tillway.example' };
      expect(refusalOf({ ...liveSettings, [name]: 'http://plain.example' })).toContain(`setting ${name} must be https`);
    },
  );
});
