-- Open invoices of which the CRM names no amount that can be read: nobody is asked for them until staff correct them there.
CREATE INDEX invoices_unreadable ON invoices (hub_id, modified_at, invoice_id)
  WHERE gone_at IS NULL AND overlay = 'none' AND status = 'open' AND currency = 'USD' AND balance_cents IS NULL
    AND part_base_cents IS NULL;
