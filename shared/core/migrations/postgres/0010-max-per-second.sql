ALTER TABLE "integration" ADD COLUMN "max_per_second" double precision;
