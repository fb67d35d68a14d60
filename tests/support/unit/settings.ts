import { boarding, crmApp, mailApiKey, transactionWebhookSecret } from '#sandbox/credentials';

/** The Worker's settings with a sandbox; a test that needs no outside world passes an unused address. */
export const testSettings = (sandboxUrl: string) => ({
  APP_URL: 'http://localhost:8787',
  HUBSPOT_API_BASE: sandboxUrl,
  HUBSPOT_AUTHORIZE_BASE: sandboxUrl,
  HUBSPOT_CLIENT_ID: crmApp.clientId,
  HUBSPOT_CLIENT_SECRET: crmApp.clientSecret,
  GATEWAY_BASE_URL: sandboxUrl,
  GATEWAY_SANDBOX: 'true',
  BOARDING_BASE_URL: sandboxUrl,
  BOARDING_ACCESS_KEY: boarding.accessKey,
  BOARDING_NODE_KEY: boarding.hierarchyNodeKey,
  BOARDING_WEBHOOK_SECRET: boarding.webhookSecret,
  TRANSACTION_WEBHOOK_SECRET: transactionWebhookSecret,
  MAIL_API_BASE: sandboxUrl,
  MAIL_API_KEY: mailApiKey,
  MAIL_FROM: 'Tillway <receipts@tillway.example>',
  TOKEN_KEYS: `k1:${btoa('0123456789abcdef0123456789abcdef')}`,
  OWNER_SETUP_CODE: 'set-up-code-of-tests',
  BUILD_SECRET: 'build-secret-of-the-tests',
  MONITOR_SECRET: 'monitor-secret-of-the-tests',
  HEALTH_SECRET: 'health-secret-of-the-tests',
  SESSION_KEYS: `s1:${btoa('fedcba9876543210fedcba9876543210')}`,
  CAPABILITY_KEYS: `c1:${btoa('02468ace13579bdf02468ace13579bdf')}`,
});
