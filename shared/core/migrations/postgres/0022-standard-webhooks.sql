ALTER TABLE "integration" ADD COLUMN "standard_webhooks" boolean DEFAULT false NOT NULL;
