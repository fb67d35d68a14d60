declare namespace Cloudflare {
  type TestSet = {
    migrations: import('cloudflare:test').D1Migration[];
    schema: import('#tests/support/unit/squash-migrations').SquashedSchema;
  };
  /** The `env` of tests inside the Workers runtime. */
  interface Env {
    /** A clinic's database, shared by all accounts of a test. */
    DB: D1Database;
    INSTALLATION: D1Database;
    CLINICS: DurableObjectNamespace<import('#worker/clinic/clinic').Clinic>;
    /** Made by the original migrations, for comparison. */
    MIGRATED_DB: D1Database;
    MIGRATED_INSTALLATION: D1Database;
    /** Has none of the product's tables; a clinic's database is compared with it. */
    BARE_D1: D1Database;
    MEDIA: R2Bucket;
    AUDIT_ANCHORS: R2Bucket;
    BACKUPS: R2Bucket;
    ASSETS: Fetcher;
    /** Migrations and schema by database binding. */
    TEST_SETS: Record<'DB' | 'INSTALLATION', TestSet>;
    /** True in the complete run. */
    COMPLETE: boolean;
  }
}
