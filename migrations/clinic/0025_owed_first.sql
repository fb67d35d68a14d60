-- The order by status of Open Invoices: what is still owed first, the longest due at its head, then every other status, each with
-- its latest due date first. It does not depend on the day: what is overdue stands before what is due by its date.
CREATE INDEX open_invoices_owed_first ON invoices (
  hub_id,
  CASE WHEN overlay = 'none' AND status = 'open' AND balance_cents > 0 THEN '0' || coalesce(due_date, '9')
    ELSE '1' || shown_status || ' ' || (99999999 - replace(coalesce(due_date, ''), '-', '')) END,
  id_number
) WHERE gone_at IS NULL AND (overlay <> 'none' OR status IN ('open', 'paid'));
