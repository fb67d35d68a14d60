declare namespace Cloudflare {
  /** The `env` of tests inside the Workers runtime. */
  interface Env {
    DB: D1Database;
    CLINICS: DurableObjectNamespace<import('#worker/clinic/clinic').Clinic>;
    /** Made by the migrations themselves, for comparison. */
    MIGRATED: D1Database;
    MEDIA: R2Bucket;
    AUDIT_ANCHORS: R2Bucket;
    ASSETS: Fetcher;
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
    TEST_SCHEMA: import('../unit/squash-migrations.ts').SquashedSchema;
  }
}
