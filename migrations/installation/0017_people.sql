-- Staff who log in without the CRM: by a code that is mailed to them.

-- Which clinics know a person's address, by its keyed hash. Each clinic says so of its own staff, and takes it back.
CREATE TABLE staff_addresses (
  address_hash TEXT NOT NULL,
  clinic INTEGER NOT NULL REFERENCES clinics (number),
  PRIMARY KEY (address_hash, clinic)
) STRICT, WITHOUT ROWID;
CREATE INDEX staff_addresses_clinic ON staff_addresses (clinic);

-- A code that was asked for, of a known address or not. It is good in the browser that asked, whose secret is part of
-- what is hashed.
CREATE TABLE login_codes (
  id TEXT PRIMARY KEY,
  address_hash TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  taken_at INTEGER
) STRICT;
CREATE INDEX login_codes_address ON login_codes (address_hash, created_at);
CREATE INDEX login_codes_created ON login_codes (created_at);
