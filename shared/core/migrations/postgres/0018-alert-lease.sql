ALTER TABLE "alert" ADD COLUMN "lease" bigint DEFAULT 0 NOT NULL;
ALTER TABLE "alert" ADD COLUMN "lease_until" bigint;
