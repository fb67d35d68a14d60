-- What is always a few rows of very many, each with an index of its own: without one it is looked for among all of a hub's.

-- Payments of which nobody knows the outcome yet.
CREATE INDEX payment_attempts_undecided ON payment_attempts (hub_id, state, terminal_id)
  WHERE state IN ('sent', 'unknown', 'needs_human');
-- Records that a full pass over the CRM has not met.
CREATE INDEX invoices_unmet ON invoices (hub_id, seen_pass) WHERE gone_at IS NULL;
CREATE INDEX contacts_unmet ON contacts (hub_id, seen_pass) WHERE gone_at IS NULL;
CREATE INDEX companies_unmet ON companies (hub_id, seen_pass) WHERE gone_at IS NULL;

-- The closes of a terminal: those under way, and the newest.
CREATE INDEX batch_closes_open ON batch_closes (hub_id, terminal_id, state)
  WHERE state IN ('sent', 'unknown', 'processing');
CREATE INDEX batch_closes_asked ON batch_closes (hub_id, terminal_id, asked_at);
CREATE INDEX batch_closes_ended ON batch_closes (hub_id, terminal_id, ended_at);
