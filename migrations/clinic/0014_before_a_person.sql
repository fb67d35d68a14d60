-- Which state an attempt left when it was put before a person. Only one that was never released ('unknown') may leave that
-- state without one, and only by the facts that worker/domain/decide-without-person.ts asks for.
ALTER TABLE payment_attempts ADD COLUMN needs_human_from TEXT NOT NULL DEFAULT '';

-- Whether a person has decided on an attempt, and what takes a transaction back.
CREATE INDEX resolutions_attempt ON resolutions (attempt_id);
CREATE INDEX gateway_transactions_parent ON gateway_transactions (hub_id, parent_id) WHERE parent_id <> '';
