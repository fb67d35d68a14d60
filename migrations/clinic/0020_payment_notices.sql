-- Who of the staff wants a mail when a pay link is paid; no row: never.
CREATE TABLE payment_notices (
  hub_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  how TEXT NOT NULL CHECK (how IN ('at-once', 'daily')),
  -- Of 'daily': payments before then are told already, or were before the choice.
  told_until INTEGER NOT NULL,
  -- When the next mail of a day is looked for; none: of each payment at once.
  next_at INTEGER,
  PRIMARY KEY (hub_id, user_id),
  FOREIGN KEY (hub_id, user_id) REFERENCES users (hub_id, user_id)
) STRICT;
CREATE INDEX payment_notices_due ON payment_notices (next_at) WHERE next_at IS NOT NULL;

-- Owed with the payment itself: one row of the ledger and one person are one mail.
CREATE TRIGGER ledger_owes_notices AFTER INSERT ON ledger WHEN NEW.kind = 'payment' AND NEW.channel = 'link' BEGIN
  INSERT INTO outbox (id, kind, recipient, hub_id, attempt_id, invoice_id, details, next_try_at, created_at)
  SELECT 'notice-' || NEW.attempt_id || '-' || n.user_id, 'payment-notice', u.email, NEW.hub_id, NEW.attempt_id,
    NEW.invoice_id, json_object('user', CAST(n.user_id AS TEXT)), NEW.at, NEW.at
  FROM payment_notices n JOIN users u ON u.hub_id = n.hub_id AND u.user_id = n.user_id
  WHERE n.hub_id = NEW.hub_id AND n.how = 'at-once' AND u.removed_at IS NULL AND u.email <> ''
    AND NOT EXISTS (SELECT 1 FROM hubs WHERE hub_id = NEW.hub_id AND closes_at IS NOT NULL)
  ON CONFLICT DO NOTHING;
END;

-- Who is invited again chooses again.
CREATE TRIGGER removed_gets_no_notices AFTER UPDATE OF removed_at ON users WHEN NEW.removed_at IS NOT NULL BEGIN
  DELETE FROM payment_notices WHERE hub_id = NEW.hub_id AND user_id = NEW.user_id;
END;

-- As receipts, notices count among the mails of a day and are not held back by them.
DROP TRIGGER outbox_count_day;
CREATE TRIGGER outbox_count_day AFTER INSERT ON outbox
WHEN NEW.hub_id IS NOT NULL
  AND NEW.kind IN ('receipt', 'crm-receipt', 'pay-link', 'reminder', 'payment-notice', 'payment-notice-day') BEGIN
  INSERT INTO mail_days (hub_id, at, mails) VALUES (NEW.hub_id, NEW.created_at - NEW.created_at % 86400000, 1)
  ON CONFLICT (hub_id, at) DO UPDATE SET mails = mails + 1;
END;
