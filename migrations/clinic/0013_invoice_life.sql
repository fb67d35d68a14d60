-- The place of the life of an invoice, which comes with its own branch.
CREATE TABLE place_of_0013 (n INTEGER);
DROP TABLE place_of_0013;
