-- A signature that a clinic took on the printed invoice itself, without a payment. The image lies in the bucket.
CREATE TABLE invoice_signatures (
  hub_id INTEGER NOT NULL,
  invoice_id TEXT NOT NULL,
  image_key TEXT NOT NULL,
  saved_at INTEGER NOT NULL,
  saved_by INTEGER NOT NULL,
  PRIMARY KEY (hub_id, invoice_id),
  FOREIGN KEY (hub_id, invoice_id) REFERENCES invoices (hub_id, invoice_id)
) STRICT;
