declare namespace Cloudflare {
  type TestSet = {
    migrations: import('cloudflare:test').D1Migration[];
    schema: import('#tests/support/unit/squash-migrations').SquashedSchema;
  };
  /** The `env` of tests inside the Workers runtime. */
  interface Env {
    /** A clinic's database; one for all accounts of a test. */
    DB: D1Database;
    INSTALLATION: D1Database;
    CLINICS: DurableObjectNamespace<import('#worker/clinic/clinic').Clinic>;
    /** Made by the migrations themselves, for comparison. */
    MIGRATED_DB: D1Database;
    MIGRATED_INSTALLATION: D1Database;
    /** Without our tables: a clinic's database is compared with it. */
    BARE_D1: D1Database;
    MEDIA: R2Bucket;
    AUDIT_ANCHORS: R2Bucket;
    BACKUPS: R2Bucket;
    ASSETS: Fetcher;
    /** Migrations and schema by the binding of their database. */
    TEST_SETS: Record<'DB' | 'INSTALLATION', TestSet>;
    /** It is the complete run. */
    COMPLETE: boolean;
  }
}
