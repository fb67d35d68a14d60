declare namespace Cloudflare {
  /** What tests inside the Workers runtime find in `env`. */
  interface Env {
    DB: D1Database;
    MEDIA: R2Bucket;
    ASSETS: Fetcher;
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
