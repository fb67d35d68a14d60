-- A card token whose payer was told that nothing was charged: a request that carries it a second time claims nothing.
CREATE TABLE refused_tokens (
  token_hash TEXT NOT NULL PRIMARY KEY,
  refused_at INTEGER NOT NULL
) STRICT;
CREATE INDEX refused_tokens_at ON refused_tokens (refused_at);
