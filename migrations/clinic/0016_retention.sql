-- What has outlived its period is found by an index of its own, which holds only what is still to go: the schedule looks
-- every minute, and mostly finds nothing. The periods are in worker/data/retention/periods.ts.

-- What a payer told us, once the payment has an end; and the hashed address, which only limits of an hour ask for.
CREATE INDEX payment_attempts_with_payer ON payment_attempts (settled_at)
  WHERE signature_key IS NOT NULL OR payer_first_name || payer_last_name || payer_address || payer_address2
    || payer_city || payer_state || payer_zip || receipt_to || started_by <> '';
CREATE INDEX payment_attempts_with_ip ON payment_attempts (created_at) WHERE ip_key <> '';
CREATE INDEX invoice_signatures_saved ON invoice_signatures (saved_at);
CREATE INDEX gateway_transactions_with_payer ON gateway_transactions (at) WHERE payer <> '';
CREATE INDEX gateway_transactions_without_payer ON gateway_transactions (at) WHERE payer = '';
CREATE INDEX reversals_with_reason ON reversals (created_at) WHERE reason <> '';
CREATE INDEX resolutions_at ON resolutions (at);
CREATE INDEX reversal_resolutions_at ON reversal_resolutions (at);
CREATE INDEX pay_links_end ON pay_links (ends_at);
-- Every link of an invoice: without it, each invoice that is deleted would be looked for among all links.
CREATE INDEX pay_links_invoice ON pay_links (hub_id, invoice_id);

-- Copies that the CRM no longer has.
CREATE INDEX contacts_gone ON contacts (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX companies_gone ON companies (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX invoices_gone_with_names ON invoices (gone_at)
  WHERE gone_at IS NOT NULL AND contact_first_name || contact_last_name || contact_email || company_name
    || company_address || company_city || company_state || company_zip <> '';
CREATE INDEX crm_tokens_revoked ON crm_tokens (revoked_at) WHERE revoked_at IS NOT NULL;

CREATE INDEX users_with_email ON users (last_login_at) WHERE email <> '';
CREATE INDEX merchant_logs_at ON merchant_logs (at);
CREATE INDEX outbox_done ON outbox (created_at) WHERE state <> 'due';
CREATE INDEX outbox_done_with_details ON outbox (sent_at) WHERE state <> 'due' AND details <> '{}';

-- How far the walk over a prefix of the bucket is: it goes on behind this file, not before next_at.
CREATE TABLE bucket_cursors (
  prefix TEXT PRIMARY KEY,
  after_key TEXT NOT NULL,
  next_at INTEGER NOT NULL
) STRICT;
