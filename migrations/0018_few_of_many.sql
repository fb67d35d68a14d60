-- What is always a few rows of very many, each with an index of its own: without one it is looked for among all of a hub's.

-- Payments of which nobody knows the outcome yet.
CREATE INDEX payment_attempts_undecided ON payment_attempts (hub_id, terminal_id, created_at)
  WHERE state IN ('sent', 'unknown', 'needs_human');
-- Records that a full pass over the CRM has not met.
CREATE INDEX invoices_unmet ON invoices (hub_id, seen_pass) WHERE gone_at IS NULL;
CREATE INDEX contacts_unmet ON contacts (hub_id, seen_pass) WHERE gone_at IS NULL;
CREATE INDEX companies_unmet ON companies (hub_id, seen_pass) WHERE gone_at IS NULL;
