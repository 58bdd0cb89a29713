CREATE TABLE "session" (
	"uuid" uuid PRIMARY KEY NOT NULL,
	"api_key_uuid" uuid NOT NULL,
	"hash" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);

ALTER TABLE "session" ADD CONSTRAINT "session_api_key_uuid_api_key_uuid_fk" FOREIGN KEY ("api_key_uuid") REFERENCES "api_key"("uuid") ON DELETE no action ON UPDATE no action;
CREATE UNIQUE INDEX "session_hash" ON "session" USING btree ("hash");
CREATE INDEX "session_expiry" ON "session" USING btree ("expires_at");
