-- The company record that a contact is linked with; empty where the contact names a company itself, or has no link. A
-- changed name of that record is written through.
ALTER TABLE contacts ADD COLUMN company_id TEXT NOT NULL DEFAULT '';
CREATE INDEX contacts_by_company_id ON contacts (hub_id, company_id) WHERE company_id <> '';
-- Copies made before know no links: contacts are passed over once more, from the first page, with the next turn.
UPDATE crm_marks SET ended_at = min(ended_at, 0), page_after = NULL, copied = 0 WHERE kind = 'contacts';
