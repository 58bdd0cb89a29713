ALTER TABLE "delivery" ADD COLUMN "worker_id" bigint;
