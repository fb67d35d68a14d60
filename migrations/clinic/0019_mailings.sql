-- Payment links that staff mail to the payers of many invoices at once.
CREATE TABLE mailings (
  -- Made by the browser that asks, so that asking again is asking once.
  id TEXT PRIMARY KEY,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  asked_by INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  -- Nothing is sent before then, so that it can be taken back.
  starts_at INTEGER NOT NULL,
  -- When it goes on; none: it is over.
  next_at INTEGER,
  stopped_at INTEGER
) STRICT;
-- One at a time: two people who press at once mail nobody twice.
CREATE UNIQUE INDEX mailings_under_way ON mailings (hub_id) WHERE next_at IS NOT NULL;
CREATE INDEX mailings_newest ON mailings (hub_id, asked_at);
CREATE INDEX mailings_asked ON mailings (asked_at);

-- An invoice of a mailing: one row, so one mail, whose id the two make.
CREATE TABLE mailing_invoices (
  mailing_id TEXT NOT NULL,
  invoice_id TEXT NOT NULL,
  hub_id INTEGER NOT NULL REFERENCES hubs (hub_id),
  -- In which order they go out.
  n INTEGER NOT NULL,
  -- 'handed': to the outbox, which says what became of it.
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'handed', 'left-out')),
  -- Why it was left out; empty: it was not.
  why TEXT NOT NULL DEFAULT '',
  -- When it came to this state.
  at INTEGER NOT NULL,
  PRIMARY KEY (mailing_id, invoice_id)
) STRICT;
CREATE INDEX mailing_invoices_waiting ON mailing_invoices (mailing_id, n) WHERE state = 'waiting';
CREATE INDEX mailing_invoices_at ON mailing_invoices (at);
