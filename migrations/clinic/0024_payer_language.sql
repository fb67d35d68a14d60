-- The language of a business's payers where neither their browser nor the CRM tells one.
ALTER TABLE hubs ADD COLUMN payer_language TEXT NOT NULL DEFAULT 'en' CHECK (payer_language IN ('en', 'es'));
-- The language of the page by which somebody paid, for the mails about that payment; empty: at a terminal, or before this was kept.
ALTER TABLE payment_attempts ADD COLUMN payer_language TEXT NOT NULL DEFAULT '' CHECK (payer_language IN ('', 'en', 'es'));
-- The contact's preferred language as the CRM has it ("es", "en-us"); empty where it has none.
ALTER TABLE invoices ADD COLUMN contact_language TEXT NOT NULL DEFAULT '';
