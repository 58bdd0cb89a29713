ALTER TABLE "integration" ADD COLUMN "relaned_to" bigint;
