-- The key of a form whose sender was told that nothing was charged, or started: a request that carries it claims nothing.
CREATE TABLE refused_keys (
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  attempt_key TEXT NOT NULL,
  refused_at INTEGER NOT NULL,
  PRIMARY KEY (hub_id, invoice_id, attempt_key)
) STRICT;
CREATE INDEX refused_keys_at ON refused_keys (refused_at);
