export type HealthStatus = 'pass' | 'warn' | 'fail';

/** One part of the installation, as the schedule left it noted. */
export type HealthCheck = {
  status: HealthStatus;
  /** What was seen: a count, seconds or milliseconds, as docs/deploy.md says of each. */
  observedValue: number;
  /** ISO; when it was seen. */
  time: string;
};

export const healthChecks = ['d1', 'cron', 'outbox', 'unknown_payments', 'crm', 'gateway', 'backup'] as const;
export type HealthCheckName = (typeof healthChecks)[number];

/** GET /api/health: 200, or 503 with `fail`. `checks` are only for who has HEALTH_SECRET. */
export type Health = {
  status: HealthStatus;
  /** Of the Worker, as the platform names it. */
  version: string;
  /** Of the source; empty where it was not deployed by `npm run deploy`. */
  commit: string;
  /** ISO. */
  time: string;
  checks?: Partial<Record<HealthCheckName, HealthCheck>>;
};
