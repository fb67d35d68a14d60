declare namespace Cloudflare {
  /** What tests inside the Workers runtime find in `env`. */
  interface Env {
    DB: D1Database;
    /** Made by the migrations themselves, to compare with. */
    MIGRATED: D1Database;
    MEDIA: R2Bucket;
    ASSETS: Fetcher;
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
    TEST_SCHEMA: import('../unit/squash-migrations.ts').SquashedSchema;
  }
}
