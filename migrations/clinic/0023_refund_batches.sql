-- The batch that a void or refund stands in, by the gateway's own word; empty where it has named none.
ALTER TABLE reversals ADD COLUMN batch_id TEXT NOT NULL DEFAULT '';
