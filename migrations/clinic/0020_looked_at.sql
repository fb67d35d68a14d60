-- When somebody of the clinic last looked at what the CRM holds: only then its changes are asked for each minute.
ALTER TABLE crm_copies ADD COLUMN looked_at INTEGER NOT NULL DEFAULT 0;
