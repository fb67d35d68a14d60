-- When an approved refund or void is carried out by the clock, should the request that approved it have ended before; NULL:
-- nothing is left to do.
ALTER TABLE approvals ADD COLUMN next_try_at INTEGER;
CREATE INDEX approvals_due ON approvals (next_try_at) WHERE next_try_at IS NOT NULL;
UPDATE approvals SET next_try_at = decided_at WHERE state = 'approved' AND NOT EXISTS (SELECT 1 FROM reversals r
  WHERE r.attempt_id = approvals.attempt_id AND r.request_key = approvals.request_key);
