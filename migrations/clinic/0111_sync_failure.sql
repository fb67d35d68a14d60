-- The kind of the CRM's last error, for the operator; it is the present one while failing_since is set.
ALTER TABLE crm_sync_states ADD COLUMN failure TEXT NOT NULL DEFAULT '';
