import * as z from 'zod/mini';

export const HealthStatus = z.enum(['pass', 'warn', 'fail']);
export type HealthStatus = z.infer<typeof HealthStatus>;

/** One component of the installation, as last recorded by the schedule. */
export const HealthCheck = z.object({
  status: HealthStatus,
  /** A count, seconds or milliseconds; docs/deploy.md documents the unit of each check. */
  observedValue: z.number(),
  /** ISO time of the observation. */
  time: z.string(),
});
export type HealthCheck = z.infer<typeof HealthCheck>;

export const healthChecks = ['d1', 'cron', 'outbox', 'unknown_payments', 'crm', 'gateway', 'backup'] as const;
export type HealthCheckName = (typeof healthChecks)[number];

/** GET /api/health: 200, or 503 with `fail`. `checks` require HEALTH_SECRET. */
export const Health = z.object({
  status: HealthStatus,
  /** Platform version id of the Worker. */
  version: z.string(),
  /** Source commit; empty if not deployed by `npm run deploy`. */
  commit: z.string(),
  /** ISO time. */
  time: z.string(),
  checks: z.optional(z.partialRecord(z.enum(healthChecks), HealthCheck)),
});
export type Health = z.infer<typeof Health>;
