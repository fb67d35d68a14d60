import * as z from 'zod/mini';

export const HealthStatus = z.enum(['pass', 'warn', 'fail']);
export type HealthStatus = z.infer<typeof HealthStatus>;

/** One part of the installation, as the schedule left it noted. */
export const HealthCheck = z.object({
  status: HealthStatus,
  /** What was seen: a count, seconds or milliseconds, as docs/deploy.md says of each. */
  observedValue: z.number(),
  /** ISO; when it was seen. */
  time: z.string(),
});
export type HealthCheck = z.infer<typeof HealthCheck>;

export const healthChecks = ['d1', 'cron', 'outbox', 'unknown_payments', 'crm', 'gateway', 'backup'] as const;
export type HealthCheckName = (typeof healthChecks)[number];

/** GET /api/health: 200, or 503 with `fail`. `checks` are only for who has HEALTH_SECRET. */
export const Health = z.object({
  status: HealthStatus,
  /** Of the Worker, as the platform names it. */
  version: z.string(),
  /** Of the source; empty where it was not deployed by `npm run deploy`. */
  commit: z.string(),
  /** ISO. */
  time: z.string(),
  checks: z.optional(z.partialRecord(z.enum(healthChecks), HealthCheck)),
});
export type Health = z.infer<typeof Health>;
