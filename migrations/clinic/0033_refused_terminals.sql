-- When the card provider refused a terminal's credentials and has not taken them since (UTC ms): another one is used.
ALTER TABLE terminals ADD COLUMN refused_at INTEGER;

-- Card transactions that a void may still take back; worker/data/reconciliation/unsettled.ts asks which are not settled.
CREATE INDEX gateway_transactions_voidable ON gateway_transactions (hub_id, at)
WHERE method = 'card' AND state = 'approved' AND is_voided = 0;
