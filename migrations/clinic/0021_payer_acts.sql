-- How a payer signed: they typed or drew their name, or ticked a sentence; empty: at a terminal, or before this was kept.
ALTER TABLE payment_attempts ADD COLUMN signed_by TEXT NOT NULL DEFAULT '' CHECK (signed_by IN ('', 'typed', 'drawn', 'ticked'));
-- The words that stood there: the typed name or the ticked sentence. The time is that of the attempt.
ALTER TABLE payment_attempts ADD COLUMN signed_words TEXT NOT NULL DEFAULT '';
-- Whom the invoice named when it was paid; who paid may be somebody else.
ALTER TABLE payment_attempts ADD COLUMN billed_to TEXT NOT NULL DEFAULT '';
-- 1: the CRM's contact had a complete address at the last reading. The address itself stays there.
ALTER TABLE invoices ADD COLUMN contact_has_address INTEGER NOT NULL DEFAULT 0 CHECK (contact_has_address IN (0, 1));
