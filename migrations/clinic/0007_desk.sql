-- Sales on the card readers of a counter.

-- The last moment at which a card reader was known to answer; the provider itself does not tell.
ALTER TABLE terminals ADD COLUMN heard_at INTEGER;

-- Why nothing was attempted, and when the gateway was last asked what became of an attempt.
ALTER TABLE payment_attempts ADD COLUMN refusal TEXT NOT NULL DEFAULT '';
ALTER TABLE payment_attempts ADD COLUMN checked_at INTEGER;

CREATE INDEX payment_attempts_desk ON payment_attempts (hub_id, terminal_id, created_at) WHERE channel = 'terminal';
